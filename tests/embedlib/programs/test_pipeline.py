import re
from typing import Any

import pytest
import torch

from embedlib import embed_text, get_tokenizer, make_scheme
from embedlib.examples import by_hand_positions, by_hand_table
from embedlib.pipeline import InputEmbeddings
from embedlib.positional import SCHEMES
from embedlib.programs import pipeline_program, scheme_program
from embedlib.word2vec import trained_rows
from tests.embedlib.programs.running import run


def program(text: str, **changes: Any) -> str:
    settings: dict[str, Any] = {
        "tokenizer": "gpt2",
        "table": "random",
        "d_model": 16,
        "seed": 123,
        "scale_by_sqrt_d": False,
        "scheme": "none",
        "parameters": {},
        "max_seq_len": 1024,
    }
    settings.update(changes)
    settings.setdefault("adds_positions", "embedding" in SCHEMES[settings["scheme"]].acts_on)
    return pipeline_program(text, **settings)


def assert_program_computes(source: str, expected: InputEmbeddings) -> str:
    """Run a program, compare its tensors to the bit, and return what it printed."""
    printed, names = run(source)
    assert torch.equal(names["token_ids"], expected.token_ids)
    assert torch.equal(names["token_embeddings"], expected.token_embeddings)
    assert torch.equal(names["position_vectors"], expected.position_vectors)
    assert torch.equal(names["input_embeddings"], expected.input_embeddings)
    return printed


@pytest.mark.parametrize(
    ("scheme", "parameters", "scale"),
    [
        ("none", {}, False),
        ("sinusoidal", {"layout": "interleaved", "base": 10_000.0}, True),
        ("sinusoidal", {"layout": "halves", "base": 500.0}, False),
        ("sinusoidal", {"layout": "tensor2tensor", "base": 10_000.0}, False),
        ("sinusoidal", {"layout": "halves", "base": 1_234_567.5}, False),
        ("learned", {"std": 0.02, "seed": 4}, True),
        ("learned", {"std": 0.1234567, "seed": 4}, False),
        ("rope", {}, False),
    ],
)
def test_the_program_computes_the_page_to_the_bit(scheme: str, parameters: dict[str, Any], scale: bool) -> None:
    text = 'Quotes " and \' and 日本\n"""; import os'
    source = program(text, scheme=scheme, parameters=parameters, scale_by_sqrt_d=scale, d_model=48)
    expected = embed_text(text, scheme=scheme, scale_by_sqrt_d=scale, d_model=48, parameters=parameters)
    printed = assert_program_computes(source, expected)
    ids = re.search(r"token_ids tensor\(\[(.*?)\]\)", printed, re.DOTALL)
    assert ids
    assert [int(number) for number in ids[1].split(",")] == expected.token_ids.tolist()


@pytest.mark.parametrize("tokenizer", ["bytes", "characters", "words"])
def test_tokenizers_that_learn_from_the_text_work_in_the_program(tokenizer: str) -> None:
    text = "so much depends upon so much"
    expected = embed_text(text, tokenizer=tokenizer, scheme="none", d_model=16, max_tokens=3)
    assert_program_computes(program(text, tokenizer=tokenizer, max_tokens=3), expected)


@pytest.mark.parametrize(("tokenizer", "scale"), [("gpt2", False), ("words", True)])
def test_trained_rows_are_computed_by_their_program(tokenizer: str, scale: bool) -> None:
    text = "The King fed a puppy, a piglet and 日本"
    table, _ = trained_rows(get_tokenizer(tokenizer, text=text), seed=5)
    expected = embed_text(text, tokenizer=tokenizer, table=table, scheme="none", scale_by_sqrt_d=scale)
    settings = {"tokenizer": tokenizer, "d_model": 64, "seed": 5, "scale_by_sqrt_d": scale}
    assert_program_computes(program(text, table="trained", **settings), expected)


def test_the_sum_by_hand_is_computed_by_its_program() -> None:
    scheme = make_scheme("learned", d_model=3, n_heads=1, max_seq_len=3)
    scheme.load_state_dict({"table": by_hand_positions()})
    expected = embed_text(
        "NLP love I", tokenizer="words", table=by_hand_table(["I", "love", "NLP"]), scheme=scheme, scale_by_sqrt_d=False
    )
    source = program("NLP love I", table="by_hand", tokenizer="words", d_model=3, adds_positions=True)
    assert "0.7100, 0.9200, 0.8300" in assert_program_computes(source, expected)


@pytest.mark.parametrize("name", SCHEMES)
def test_every_schemes_program_runs_and_is_narrow_enough_to_read(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = scheme_program(make_scheme(name, d_model=16, n_heads=2), n_positions=5, seed=1)
    exec(compile(source, "program", "exec"), {})  # the product's own text
    assert "tensor(" in capsys.readouterr().out
    assert max(map(len, source.splitlines())) <= 104
    torch.set_printoptions(profile="default")
