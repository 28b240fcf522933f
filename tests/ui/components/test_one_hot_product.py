import json
import struct
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from embedlib.figures import DIVERGING
from tests.waiting import PATIENCE
from ui.components.one_hot_product import FEW, LABELS, MAX_TOKENS, WHOLE, one_hot_product, rows_to_draw


def page() -> None:
    import torch

    from embedlib.embedding import embedding_table, lookup, one_hot_lookup
    from embedlib.figures import DIVERGING
    from ui.components.one_hot_product import LABELS, one_hot_product, rows_to_draw

    table, ids = embedding_table(40, 5, seed=1), torch.tensor([7, 30, 7])
    rows = rows_to_draw(ids.tolist(), 40)
    one_hot_product(
        table[rows, :4],
        lookup(table, ids)[:, :4],
        one_hot_lookup(table, ids)[:, :4],
        rows=rows,
        row_names=["日" if row == 7 else "" for row in rows],
        vocab_size=40,
        d_model=5,
        positions=[4, 5, 6],
        ids=ids.tolist(),
        labels_of_tokens=["日", "<i>", "日"],
        colours=DIVERGING["light"],
        limit=2.5,
        labels=LABELS,
        key="product",
    )


def valid(**changes: Any) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "table_rows": torch.zeros(3, 4),
        "looked_up": torch.zeros(2, 4),
        "product": torch.zeros(2, 4),
        "rows": [0, 1, 5],
        "row_names": ["a", "b", ""],
        "vocab_size": 6,
        "d_model": 4,
        "positions": [0, 1],
        "ids": [5, 1],
        "labels_of_tokens": ["f", "b"],
        "colours": DIVERGING["light"],
        "limit": 1.0,
        "labels": LABELS,
        "key": "product",
    }
    return {**arguments, **changes}


def test_the_browser_gets_the_drawn_rows_and_both_results_to_the_bit() -> None:
    from embedlib.embedding import embedding_table

    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert not app.exception
    sent = app.get("bidi_component")[0].proto.bytes
    (length,) = struct.unpack("<I", sent[:4])
    header = json.loads(sent[4 : 4 + length])
    assert (header["positions"], header["ids"], header["tokens"]) == ([4, 5, 6], [7, 30, 7], ["日", "<i>", "日"])
    assert (header["vocab_size"], header["d_model"], header["k"], header["labels"]) == (40, 5, 4, LABELS)
    rows = header["rows"]
    numbers = np.frombuffer(sent, "<f4", offset=4 + length).reshape(-1, 4)
    table = embedding_table(40, 5, seed=1)[:, :4].numpy()
    assert np.array_equal(numbers[: len(rows)], table[rows])
    assert np.array_equal(numbers[len(rows) : len(rows) + 3], table[[7, 30, 7]])
    assert np.array_equal(numbers[len(rows) + 3 :], table[[7, 30, 7]])


def test_a_small_table_is_drawn_whole() -> None:
    assert rows_to_draw([3], WHOLE) == list(range(WHOLE))


def test_of_a_large_table_the_picked_rows_are_drawn_with_its_ends_and_neighbours() -> None:
    assert rows_to_draw([50], 100) == [0, 49, 50, 51, 99]
    assert rows_to_draw([0, 99, 0], 100) == [0, 1, 98, 99]
    many = [3 * row + 7 for row in range(MAX_TOKENS)]
    assert rows_to_draw(many, 50_257) == many
    assert len(rows_to_draw([10, 20, 30], 50_257)) == FEW


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"product": torch.zeros(2, 4, dtype=torch.float64)}, "product is torch.float64 but must be torch.float32"),
        ({"product": torch.zeros(2, 3)}, r"product has shape \(2, 3\): give \(2, 4\)"),
        ({"table_rows": torch.zeros(2, 4)}, r"table_rows has shape \(2, 4\): give \(3, 4\)"),
        ({"ids": [5, 2]}, "id=2 is not among the rows that are drawn"),
        ({"rows": [1, 0, 5]}, r"rows=\[1, 0, 5\] must ascend within 0..5"),
        ({"rows": [0, 1, 6]}, "must ascend within 0..5"),
        ({"positions": [0]}, "1 positions, 2 ids, 2 labels for 2 rows"),
        ({"row_names": ["a"]}, "2 positions"),
        ({"d_model": 3}, r"looked_up has shape \(2, 4\): give at most 8 tokens and 3 dimensions"),
        ({"limit": 0.0}, "limit=0.0 must be finite and above 0"),
        ({"labels": {}}, "labels lacks all_dimensions"),
    ],
)
def test_what_cannot_be_drawn_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        one_hot_product(**valid(**changes))


def test_more_tokens_than_can_be_read_are_refused() -> None:
    count = MAX_TOKENS + 1
    rows = torch.zeros(count, 4)
    given = {"positions": range(count), "ids": [5] * count, "labels_of_tokens": ["f"] * count}
    with pytest.raises(ValueError, match="give at most 8 tokens"):
        one_hot_product(**valid(looked_up=rows, product=rows, **given))
