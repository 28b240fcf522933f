"""The program of the batches page runs, and prints what the library finds."""

import re
from pathlib import Path

import pytest
import torch

from embedlib import get_tokenizer
from embedlib.programs import batches_program
from embedlib.texts import WindowPlan, reference_manual
from embedlib.word2vec import trained_rows
from tests.embedlib.programs.running import run

TEXT = 'A "quoted" text, {with} braces \\ and 日本語, again and again and again: the end. ' * 3


def printed(program: str, folder: Path) -> str:
    return run(program, folder)[0]


def numbers(output: str, name: str) -> list[float]:
    """Read a tensor's numbers back out of what was printed."""
    block = re.search(rf"^{name} \([^)]*\)\ntensor\((.*?)\)$", output, re.MULTILINE | re.DOTALL)
    assert block is not None, output
    return [float(number) for number in re.findall(r"-?\d+\.?\d*", block[1])]


@pytest.mark.parametrize(
    ("tokenizer", "shuffle", "drop_last", "batch"),
    [("gpt2", False, False, 0), ("gpt2", True, False, 3), ("words", True, True, 1), ("bytes", False, True, 2)],
)
def test_it_prints_the_batch(tokenizer: str, shuffle: bool, drop_last: bool, batch: int, tmp_path: Path) -> None:
    reader = get_tokenizer(tokenizer, text=TEXT)
    ids = torch.tensor(reader.encode(TEXT))
    plan = WindowPlan(len(ids), 4, 3, 4, shuffle, 99, drop_last)
    program = batches_program(plan, text=TEXT, tokenizer=tokenizer, d_model=8, table_seed=7, batch=batch)
    output = printed(program, tmp_path)

    inputs, targets = plan.batch(ids, batch)
    assert numbers(output, "inputs") == inputs.flatten().tolist()
    assert numbers(output, "targets") == targets.flatten().tolist()
    torch.manual_seed(7)
    token_table, position_table = torch.nn.Embedding(reader.vocab_size, 8), torch.nn.Embedding(4, 8)
    expected = token_table(inputs) + position_table.weight
    actual = torch.tensor(numbers(output, "input_embeddings")).view(expected.shape)
    torch.testing.assert_close(actual, expected.detach(), rtol=0, atol=0.51e-4)
    assert f"windows {plan.n_windows} batches {plan.n_batches}" in output
    assert f"input_embeddings ({len(inputs)}, 4, 8)" in output


def test_trained_rows_stand_in_place_of_the_fresh_ones(tmp_path: Path) -> None:
    text = "the king saw a naïve cat and the queen"
    reader = get_tokenizer("words", text=text)
    ids = torch.tensor(reader.encode(text))
    plan = WindowPlan(len(ids), 4, 4, 2)
    program = batches_program(
        plan, text=text, tokenizer="words", table="trained", d_model=64, table_seed=7, batch=0
    ).replace("linewidth=120", "linewidth=120, threshold=100_000")
    output = printed(program, tmp_path)
    table, known = trained_rows(reader, seed=7)
    assert 0 < int(known.sum()) < len(known)
    torch.manual_seed(7)
    torch.nn.Embedding(reader.vocab_size, 64)
    expected = table[plan.batch(ids, 0)[0]] + torch.nn.Embedding(4, 64).weight
    actual = torch.tensor(numbers(output, "input_embeddings")).view(expected.shape)
    torch.testing.assert_close(actual, expected.detach(), rtol=0, atol=0.51e-4)


def test_the_manual_is_read_from_the_library(tmp_path: Path) -> None:
    ids = torch.tensor(get_tokenizer("gpt2").encode(reference_manual()))
    plan = WindowPlan(len(ids), 4, 4, 8, shuffle=True, seed=123)
    program = batches_program(plan, text=None, tokenizer="gpt2", d_model=4, table_seed=123, batch=1)
    assert numbers(printed(program, tmp_path), "inputs") == plan.batch(ids, 1)[0].flatten().tolist()


def test_a_file_is_read_without_its_mark_and_with_its_line_ends(tmp_path: Path) -> None:
    name = "my 'own' file.txt"
    text = "one\r\ntwo\r\nthree and four\r\n" * 4
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    ids = torch.tensor(get_tokenizer("bytes").encode(text))
    plan = WindowPlan(len(ids), 5, 5, 3)
    program = batches_program(plan, text=None, file=name, tokenizer="bytes", d_model=2, table_seed=1, batch=2)
    assert numbers(printed(program, tmp_path), "inputs") == plan.batch(ids, 2)[0].flatten().tolist()
