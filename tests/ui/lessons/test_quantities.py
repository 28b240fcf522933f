"""What questions ask for, against numbers that are known and sums of our own."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from embedlib.extrapolation import EXPERIMENTS
from ui.cache.minilm import minilm_model, minilm_pieces, minilm_table
from ui.lessons import quantities
from ui.lessons.quantities import QUANTITIES
from ui.shared.schemes import scheme_title
from ui.shared.scores import shipped_units

VALUES = {
    "text": "The cat sat on the mat",
    "table": "random",
    "tokenizer": "gpt2",
    "d_model": 64,
    "heads": 8,
    "sinusoidal.base": 10_000.0,
    "alibi.max_exponent": 8.0,
    "alibi.divided": False,
    "max_length": 4,
    "batch_size": 8,
    "first": "the dog saw the man",
    "second": "the man saw the dog",
    "ext_schemes": ["none", "sinusoidal", "rope", "alibi"],
}


def of(monkeypatch: pytest.MonkeyPatch, name: str, **changed: Any) -> float | str:
    """Work a quantity out from settings."""
    monkeypatch.setattr(quantities, "state", SimpleNamespace(get=(VALUES | changed).__getitem__))
    return QUANTITIES[name]()


@pytest.mark.parametrize(
    ("name", "changed", "expected"),
    [
        ("characters", {}, 22),
        ("characters", {"text": "naïve"}, 5),
        ("bytes", {"text": "naïve 日"}, 10),
        ("tokens", {}, 6),
        ("tokens", {"tokenizer": "characters"}, 22),
        ("tokens", {"text": ""}, 0),
        ("tokens", {"table": "by_hand", "text": "I love NLP"}, 3),
        ("tokens_gpt2", {"tokenizer": "words"}, 6),
        ("tokens_bytes", {}, 22),
        ("different_tokens", {"tokenizer": "words"}, 6),  # "The" and "the" are two words
        ("different_tokens", {"tokenizer": "minilm"}, 5),  # and one of MiniLM's
        ("most_repeated", {"tokenizer": "minilm"}, 2),
        ("first_id", {}, 464),
        ("vocabulary", {}, 50_257),
        ("vocabulary", {"tokenizer": "minilm"}, 30_522),
        ("d_model", {}, 64),
        ("table_numbers", {}, 50_257 * 64),
        ("text_numbers", {}, 6 * 64),
        ("position_pairs", {}, 32),
        ("head_width", {}, 8),
        ("longest_wave", {}, 2 * math.pi * 10_000 ** (62 / 64)),
        ("alibi_slope", {}, 0.5),  # 2^(-8/n) for n heads
        ("alibi_slope", {"heads": 4}, 0.25),
        ("alibi_slope", {"heads": 4, "alibi.max_exponent": 4.0}, 0.5),
        ("batch_tokens", {}, 32),
        ("max_length", {}, 4),
        ("order_without_positions", {}, 0),
        ("model_layers", {}, 6),
        ("model_heads", {}, 12),
        ("model_positions", {}, 512),
    ],
)
def test_a_quantity_is_the_number_that_is_known(
    monkeypatch: pytest.MonkeyPatch, name: str, changed: dict[str, Any], expected: float
) -> None:
    assert of(monkeypatch, name, **changed) == pytest.approx(expected, abs=1e-9)


def test_sentences_of_other_words_differ_without_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    table, pieces = minilm_table().numpy().astype(np.float64), minilm_pieces()
    moved = of(monkeypatch, "order_without_positions", second="the man saw the cat")
    expected = np.abs(table[pieces.index("dog")] - table[pieces.index("cat")]).max()
    assert moved == pytest.approx(expected)


def test_nearest_rows_are_those_of_the_greatest_cosine(monkeypatch: pytest.MonkeyPatch) -> None:
    table, pieces = minilm_table().numpy().astype(np.float64), minilm_pieces()
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    king, man, woman, queen = (pieces.index(word) for word in ("king", "man", "woman", "queen"))
    near = np.argsort(-(unit @ unit[king]))
    assert near[0] == king
    assert of(monkeypatch, "nearest_to_king") == pieces[near[1]]
    sought = table[king] - table[man] + table[woman]
    answers = [row for row in np.argsort(-(unit @ sought)) if row not in (king, man, woman)]
    assert of(monkeypatch, "analogy_rank") == answers.index(queen) + 1


@pytest.mark.parametrize(
    ("name", "experiment", "times", "best"),
    [("best_look_back", "back", 2, max), ("best_sort", "sort", 2, max), ("best_text", "text", 8, min)],
)
def test_the_best_scheme_is_that_of_the_best_mean_over_its_seeds(
    monkeypatch: pytest.MonkeyPatch, name: str, experiment: str, times: int, best: Any
) -> None:
    whole = EXPERIMENTS[experiment]
    place = whole.shapes["small"].lengths.index(times * whole.shapes["small"].trained_length)
    means = {}
    for scheme in VALUES["ext_schemes"]:  # type: ignore[attr-defined]
        runs = [getattr(run.scores[scheme][place], whole.measure) for run in shipped_units(experiment, (scheme,))]
        means[scheme] = np.mean(runs)
    assert of(monkeypatch, name) == scheme_title(best(means, key=means.__getitem__))


def test_every_number_of_the_model_is_that_of_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    config = minilm_model().config
    names = {
        "model_layers": "num_hidden_layers",
        "model_heads": "num_attention_heads",
        "model_positions": "max_position_embeddings",
    }
    assert {name: of(monkeypatch, name) for name in names} == {name: config[key] for name, key in names.items()}
