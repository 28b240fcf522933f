"""Arguments out of range are refused with their value and the rule; what a page can mend has a code and its numbers."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

from embedlib.embedding import (
    MAX_MEASURED_TOKENS,
    MODEL_SIZES,
    check_lookup_sizes,
    embedding_table,
    initial_table,
    lookup,
    measure_lookup,
    one_hot_lookup,
    row_norm_law,
    rows_to_show,
    step_texts,
    train_rows,
)
from embedlib.embedding.lookup_cost import MAX_FLOPS, MAX_TABLE_BYTES
from embedlib.errors import CodedError

ROWS, TEXTS = torch.zeros(5, 2), [torch.tensor([2, 3, 1])]
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: embedding_table(0, 4), "vocab_size=0 must be at least 1"),
    (lambda: embedding_table(4, 0), "d_model=0 must be at least 1"),
    (lambda: embedding_table(4, 4, seed=1.5), "seed=1.5 must be a whole number: give an int"),
    (lambda: embedding_table(50_000, 10**9), "vocab_size=50000, d_model=1000000000: more than the memory holds"),
    (lambda: lookup(ROWS, torch.ones(2)), "token_ids.dtype=torch.float32 must be an integer type"),
    (lambda: one_hot_lookup(ROWS, torch.ones(2, dtype=torch.bool)), "dtype=torch.bool must be an integer type"),
    (lambda: lookup(ROWS, torch.tensor([0, -1])), "token_id=-1 is outside the table: ids run from 0 to 4"),
    (lambda: one_hot_lookup(ROWS, torch.tensor([0, 5])), "token_id=5 is outside the table: ids run from 0 to 4"),
    (lambda: initial_table("kaiming", 4, 4), "name='kaiming' is unknown: choose among normal_1"),
    (lambda: row_norm_law("kaiming", 4, 4), "name='kaiming' is unknown: choose among normal_1"),
    (lambda: initial_table("uniform", 0, 4), "vocab_size=0 must be at least 1"),
    (lambda: row_norm_law("uniform", 4, -1), "d_model=-1 must be at least 1"),
    (lambda: measure_lookup(0, 1, 1), "vocab_size=0 must be at least 1"),
    (lambda: measure_lookup(1, 0, 1), "d_model=0 must be at least 1"),
    (lambda: measure_lookup(1, 1, 0), "n_tokens=0 must be at least 1"),
    (lambda: measure_lookup(10, 2, 3, max_one_hot_bytes=39), "max_one_hot_bytes=39 must be at least 40"),
    (lambda: MODEL_SIZES["BLOOM"].table_bytes("fp8"), "kind='fp8' is unknown: choose among fp32, fp16, int8"),
    (lambda: train_rows(ROWS, TEXTS, optimizer="lion"), "optimizer='lion' is unknown: choose among sgd"),
    (lambda: train_rows(ROWS, TEXTS, learning_rate=0.0), "learning_rate=0.0 must be above 0"),
    (lambda: train_rows(ROWS, TEXTS, learning_rate=float("inf")), "learning_rate=inf"),
    (lambda: train_rows(ROWS, [torch.tensor([0, 5])]), "token_id=5 is outside the table: ids run from 0 to 4"),
    (lambda: step_texts(torch.arange(3), 0), "n_steps=0 must be at least 1"),
    (lambda: rows_to_show([]), "steps=0 and limit=150"),
]
CODED: list[tuple[Callable[[], object], str, dict[str, Any]]] = [
    (lambda: step_texts(torch.arange(3), 3), "too_few_tokens", {"value": 3, "limit": 4}),
    (lambda: train_rows(ROWS, [torch.tensor([1])]), "too_few_tokens", {"value": 1, "limit": 2}),
    (lambda: train_rows(ROWS, TEXTS, optimizer="sparse_adam", tied=True), "tied_needs_dense", {}),
    (lambda: train_rows(torch.zeros(2**21, 3), TEXTS), "table_too_large", {"value": 3 * 2**21, "limit": 2**22}),
    (
        lambda: train_rows(torch.zeros(2**21, 1), [torch.zeros(10).long()]),
        "too_many_tokens",
        {"value": 10, "limit": 9},
    ),
]
SIZES = [
    ((128_256, 4_096, 1), "table_too_large", 4 * 128_256 * 4_096, MAX_TABLE_BYTES),
    ((10, 10, 8_193), "too_many_tokens", 8_193, MAX_MEASURED_TOKENS),
    ((50_257, 768, 8_192), "too_much_work", 2 * 50_257 * 768 * 8_192, MAX_FLOPS),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_out_of_range_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("call", "code", "values"), CODED)
def test_steps_that_cannot_be_taken_are_refused(call: Callable[[], object], code: str, values: dict[str, Any]) -> None:
    with pytest.raises(CodedError) as refusal:
        call()
    assert (refusal.value.code, refusal.value.values) == (code, values)


@pytest.mark.parametrize("ask", [check_lookup_sizes, measure_lookup])
@pytest.mark.parametrize(("sizes", "code", "value", "most"), SIZES)
def test_what_would_take_too_much_is_refused(
    ask: Callable[..., object], sizes: tuple[int, int, int], code: str, value: int, most: int
) -> None:
    with pytest.raises(CodedError, match=f"{value} .* at most {most}: choose fewer") as refusal:
        ask(*sizes)
    assert (refusal.value.code, refusal.value.values) == (code, {"value": value, "most": most})
