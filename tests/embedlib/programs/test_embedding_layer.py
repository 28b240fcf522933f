"""The program of the embedding layer's page prints what the library computes."""

import re
from typing import Any

import pytest
import torch
from torch import Tensor

from embedlib import get_tokenizer
from embedlib.embedding import INITIALISATIONS, ROW_OPTIMIZERS, embedding_table, initial_table, step_texts, train_rows
from embedlib.examples import EXAMPLES, by_hand_positions, by_hand_table
from embedlib.programs import embedding_layer_program
from embedlib.word2vec import trained_rows
from tests.embedlib.programs.running import run

FOX = EXAMPLES["fox"].text


def printed(text: str, **settings: Any) -> str:
    """Run a program here, where torch.optim is imported already, and leave torch's global state as it was."""
    written, _names = run(embedding_layer_program(text, **settings))
    assert written.count("equal: True") == 2
    return written


def matrix(output: str, name: str) -> Tensor:
    """Read a printed tensor back."""
    actual = re.search(rf"^{name} tensor\((\[\[.*?\]\])\)", output, re.MULTILINE | re.DOTALL)
    assert actual, output
    rows = re.findall(r"\[([^\[\]]+)\]", actual[1])
    return torch.tensor([[float(number) for number in row.split(",")] for row in rows])


def check_steps(output: str, table: Tensor, token_ids: list[int], n_steps: int, **settings: Any) -> None:
    steps = train_rows(table, step_texts(torch.tensor(token_ids), n_steps), **settings)
    said = re.findall(r"step \d+: loss ([\d.]+), (\d+) of (\d+) rows moved", output)
    assert [(float(loss), int(moved), int(rows)) for loss, moved, rows in said] == [
        (pytest.approx(step.loss, abs=6e-5), int((step.moves > 0).sum()), len(table)) for step in steps
    ]
    looked_up = [(row, step.moves[row]) for step in steps for row in step.counts.nonzero()[:, 0].tolist()]
    rows = re.findall(r"  (\d+) b.* was looked up and moved by ([\d.]+)", output)
    assert [(int(row), float(move)) for row, move in rows] == [
        (row, pytest.approx(float(move), abs=2e-6)) for row, move in looked_up
    ]


def test_the_lessons_rows_second_layer_and_positions() -> None:
    output = printed(
        FOX,
        tokenizer="words",
        d_model=3,
        seed=42,
        token_ids=[2, 3, 5, 1],
        second=(4, 5, [0, 2]),
        context=3,
        optimizer="adamw",
        n_steps=2,
    )
    table = embedding_table(6, 3, seed=42)
    torch.testing.assert_close(matrix(output, "picked"), table[[2, 3, 5, 1]], rtol=0, atol=6e-5)
    stream = torch.Generator().manual_seed(42)
    embedding_table(6, 3, seed=stream)
    second = embedding_table(4, 5, seed=stream)
    torch.testing.assert_close(matrix(output, "second"), second, rtol=0, atol=6e-5)
    torch.testing.assert_close(matrix(output, "picked from it"), second[[0, 2]], rtol=0, atol=6e-5)
    positions = embedding_table(3, 3, seed=stream)
    expected = table[[2, 3, 5, 1]] + positions[[0, 1, 2, 0]]
    torch.testing.assert_close(matrix(output, "with positions"), expected, rtol=0, atol=6e-5)
    check_steps(output, table, [2, 3, 5, 1], 2, optimizer="adamw", learning_rate=0.1)


@pytest.mark.parametrize(
    ("name", "optimizer", "tied"), [("xavier_uniform", "sparse_adam", False), ("normal_0.02", "sgd", True)]
)
def test_a_whole_vocabulary_of_bytes(name: str, optimizer: str, tied: bool) -> None:
    text = 'Quotes " and \' and 日本\n"""; import os'
    output = printed(
        text,
        tokenizer="bytes",
        d_model=8,
        seed=3,
        initialisation=name,
        optimizer=optimizer,
        tied=tied,
        n_steps=3,
        max_tokens=30,
        trained_width=6,
        learning_rate=0.05,
    )
    table, token_ids = initial_table(name, 256, 8, seed=3), list(text.encode()[:30])
    assert f"token_ids {token_ids}" in output
    torch.testing.assert_close(matrix(output, "picked"), table[token_ids], rtol=0, atol=6e-5)
    norms = table.norm(dim=1)
    assert f"rows are {norms.min():.4f} to {norms.max():.4f} long, {norms.mean():.4f} on average" in output
    check_steps(output, table[:, :6], token_ids, 3, optimizer=optimizer, tied=tied, learning_rate=0.05)


def test_trained_rows_beside_a_second_layer_and_positions_from_the_stream_of_a_fresh_table() -> None:
    text = "the king naïve"
    output = printed(
        text,
        tokenizer="words",
        d_model=64,
        seed=5,
        table="trained",
        initialisation="normal_0.02",
        second=(2, 3, [1]),
        context=2,
        tied=True,
    )
    tokenizer = get_tokenizer("words", text=text)
    token_ids = tokenizer.encode(text)
    table, known = trained_rows(tokenizer, seed=5)
    picked = re.search(r"^picked tensor\((\[\[.*?\]\])\)", output, re.MULTILINE | re.DOTALL)
    assert picked is not None
    torch.testing.assert_close(torch.tensor(eval(picked[1])), table[token_ids], rtol=0, atol=6e-5)
    stream = torch.Generator().manual_seed(5)
    fresh = embedding_table(3, 64, seed=stream) * 0.02
    second = embedding_table(2, 3, seed=stream)
    torch.testing.assert_close(matrix(output, "second"), second, rtol=0, atol=6e-5)
    places = embedding_table(2, 64, seed=stream)[[0, 1, 0]] * 0.02
    summed = re.search(r"with positions tensor\((\[\[.*?\]\])\)", output, re.DOTALL)
    assert summed is not None
    torch.testing.assert_close(torch.tensor(eval(summed[1])), table[token_ids] + places, rtol=0, atol=6e-5)
    for said, rows in (("fresh rows", fresh), (f"{int(known.sum())} rows are trained:\nthey", table[known])):
        norms = rows.norm(dim=1)
        assert f"{said} are {norms.min():.4f} to {norms.max():.4f} long, {norms.mean():.4f} on average" in output
    check_steps(output, table, token_ids, 1, tied=True, learning_rate=0.1)


def test_the_sums_by_hand() -> None:
    text = "I love NLP"
    output = printed(text, tokenizer="words", d_model=64, seed=0, table="nlp", context=3, optimizer="adam", n_steps=1)
    expected = torch.tensor([[0.11, 0.32, 0.43], [0.24, 0.65, 0.56], [0.77, 0.98, 0.89]])
    torch.testing.assert_close(matrix(output, "with positions"), expected, rtol=0, atol=1e-6)
    tokenizer = get_tokenizer("words", text=text)
    table = by_hand_table([tokenizer.token_bytes(row).decode() for row in range(3)])
    torch.testing.assert_close(expected, table[tokenizer.encode(text)] + by_hand_positions())
    check_steps(output, table, tokenizer.encode(text), 1, optimizer="adam", learning_rate=0.1)
    alone = printed("word", tokenizer="words", d_model=64, seed=0, table="sum", context=1, n_steps=0)
    torch.testing.assert_close(matrix(alone, "with positions"), torch.tensor([[0.6, 0.1, 0.0]]), rtol=0, atol=1e-6)
    assert "cross_entropy" not in alone


def test_every_start_and_every_optimizer_has_its_line() -> None:
    for name in INITIALISATIONS:
        source = embedding_layer_program(FOX, tokenizer="words", d_model=3, seed=1, initialisation=name)
        names: dict[str, Any] = {}
        before = torch.random.get_rng_state()
        exec(source.split("# Picking rows")[0], names)  # the product's own text
        torch.random.set_rng_state(before)
        assert torch.equal(names["E"], initial_table(name, 6, 3, seed=1))
    for name, kind in ROW_OPTIMIZERS.items():
        assert f"torch.optim.{kind.title}(" in embedding_layer_program(
            FOX, tokenizer="words", d_model=3, seed=1, optimizer=name
        )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"table": "mine"}, "table='mine' is unknown: choose among random, minilm, trained, nlp, sum"),
        ({"initialisation": "ones"}, "initialisation='ones' is unknown"),
        ({"optimizer": "lion"}, "optimizer='lion' is unknown"),
        ({"table": "sum", "second": (4, 5, [0])}, "table='sum' has none"),
    ],
)
def test_what_no_program_is_for_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        embedding_layer_program(FOX, tokenizer="words", d_model=3, seed=1, **change)
