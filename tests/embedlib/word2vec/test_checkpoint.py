import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

from embedlib.errors import CodedError
from embedlib.grammar import grammar_text
from embedlib.tensor_files import read_tensors, write_tensors
from embedlib.word2vec.checkpoint import load_skip_gram, save_skip_gram
from embedlib.word2vec.corpus import WordCorpus, word_corpus
from embedlib.word2vec.skip_gram import SkipGramConfig, SkipGramState, resume_skip_gram, skip_gram

CONFIG = SkipGramConfig(d_model=4, batch_size=16, steps=6, weight_decay=0.1, seed=9)


@pytest.fixture(scope="module")
def corpus() -> WordCorpus:
    return word_corpus(grammar_text(300), min_count=8)


def state_after(corpus: WordCorpus, n_steps: int, config: SkipGramConfig = CONFIG) -> SkipGramState:
    for step in skip_gram(corpus, config):
        if step.step == n_steps or step.diverged:
            break
    return step.state()


@pytest.mark.parametrize("n_steps", [0, 3, 6])
def test_a_training_from_a_file_goes_on_to_the_same_bits(corpus: WordCorpus, tmp_path: Path, n_steps: int) -> None:
    save_skip_gram(tmp_path / "run", state_after(corpus, n_steps), corpus.words)
    state, words = load_skip_gram(tmp_path / "run")
    assert words == corpus.words
    assert (state.config, state.step, state.diverged) == (CONFIG, n_steps, False)
    for step in resume_skip_gram(corpus, state):
        rows = step.rows
    *_, whole = skip_gram(corpus, CONFIG)
    assert torch.equal(rows if n_steps < 6 else state.tensors["rows"], whole.rows)


def test_the_rows_of_a_training_gone_astray_are_kept_in_a_file_too(corpus: WordCorpus, tmp_path: Path) -> None:
    state = state_after(corpus, 99, SkipGramConfig(learning_rate=1e30, steps=50))
    save_skip_gram(tmp_path / "run", state, corpus.words)
    actual, _ = load_skip_gram(tmp_path / "run")
    assert actual.diverged
    assert torch.equal(actual.tensors["rows"], state.tensors["rows"])


def without(name: str) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    return lambda about, tensors: tensors.pop(name)


def said(**values: object) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    return lambda about, tensors: about.update(values)


def setting(**values: object) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    return lambda about, tensors: about["config"].update(values)


def held(**values: torch.Tensor) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    return lambda about, tensors: tensors.update(values)


@pytest.mark.parametrize(
    "change",
    [
        said(kind="table"),
        said(config=None),
        said(step=7),
        said(step=-1),
        said(step=True),
        said(step="3"),
        said(diverged=0),
        said(words="king"),
        said(words=[1, 2]),
        setting(d_model=0),
        setting(d_model="4"),
        setting(d_model=4.0),
        setting(learning_rate=float("nan")),
        setting(colour=1),
        said(words=["king"]),
        setting(d_model=10**9),
        without("rows"),
        without("context_rows.exp_avg_sq"),
        without("generator"),
        held(more=torch.zeros(1)),
        held(rows=torch.zeros(2, 2)),
        held(generator=torch.zeros(3, dtype=torch.uint8)),
        held(generator=torch.zeros(3)),
    ],
)
def test_what_does_not_fit_together_is_refused(
    corpus: WordCorpus, tmp_path: Path, change: Callable[[dict[str, Any], dict[str, Any]], object]
) -> None:
    save_skip_gram(tmp_path / "run", state_after(corpus, 2), corpus.words)
    about, tensors = read_tensors(tmp_path / "run")
    change(about, tensors)
    write_tensors(tmp_path / "run", about, tensors)
    with pytest.raises(CodedError, match="'run' is no saved run"):
        load_skip_gram(tmp_path / "run")


def test_a_word_of_half_a_surrogate_pair_which_json_can_spell_is_refused(corpus: WordCorpus, tmp_path: Path) -> None:
    save_skip_gram(tmp_path / "run", state_after(corpus, 2), corpus.words)
    about, tensors = read_tensors(tmp_path / "run")
    about["words"][0] = "\ud800"
    (tmp_path / "run").write_bytes(safetensors.torch.save(tensors, metadata={"about": json.dumps(about)}))
    with pytest.raises(CodedError, match="is no saved run"):
        load_skip_gram(tmp_path / "run")


@pytest.mark.parametrize("name", ["rows", "context_rows", "rows.exp_avg"])
def test_numbers_that_are_none_are_refused(corpus: WordCorpus, tmp_path: Path, name: str) -> None:
    state = state_after(corpus, 2)
    state.tensors[name][1, 2] = torch.nan
    save_skip_gram(tmp_path / "run", state, corpus.words)
    with pytest.raises(CodedError) as refused:
        load_skip_gram(tmp_path / "run")
    assert refused.value.code == "not_finite"
