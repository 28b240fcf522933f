import json
import struct
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from embedlib.embedding import embedding_table
from embedlib.figures import DIVERGING
from tests.waiting import PATIENCE
from ui.components._shared.payload import ZERO_INDEX, colour_indices
from ui.components.embedding_matrix import LABELS, MatrixRow, embedding_matrix, matrix_strip


def valid(**changes: Any) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "strip": bytes(6),
        "lines": 2,
        "columns": 3,
        "vocab_size": 10,
        "d_model": 3,
        "rows": [MatrixRow(0, 4, "a")],
        "values": torch.zeros(1, 3),
        "colours": DIVERGING["light"],
        "limit": 1.0,
        "labels": LABELS,
        "key": "matrix",
    }
    return {**arguments, **changes}


def page() -> None:
    from embedlib.embedding import embedding_table
    from embedlib.figures import DIVERGING
    from ui.components.embedding_matrix import LABELS, MatrixRow, embedding_matrix, matrix_strip

    table = embedding_table(1000, 8)
    strip = matrix_strip(table, limit=2.0, max_lines=50, max_columns=4)
    rows = [
        MatrixRow(position, id, label) for position, (id, label) in enumerate([(7, "日"), (999, "·fox"), (7, "日")])
    ]
    embedding_matrix(
        strip.indices,
        lines=strip.lines,
        columns=strip.columns,
        vocab_size=1000,
        d_model=8,
        rows=rows,
        values=table[[7, 999, 7], :5],
        colours=DIVERGING["dark"],
        limit=2.0,
        labels=LABELS,
        key="matrix",
    )


def test_the_browser_gets_the_rows_the_text_picks_and_the_strip() -> None:
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert not app.exception
    sent = app.get("bidi_component")[0].proto.bytes
    (length,) = struct.unpack("<I", sent[:4])
    header = json.loads(sent[4 : 4 + length])
    assert (header["ids"], header["tokens"], header["positions"]) == ([7, 999, 7], ["日", "·fox", "日"], [0, 1, 2])
    assert (header["vocab_size"], header["d_model"], header["k"]) == (1000, 8, 5)
    assert length % 4 == 0
    numbers = np.frombuffer(sent, "<f4", count=15, offset=4 + length).reshape(3, 5)
    assert np.array_equal(numbers, embedding_table(1000, 8)[[7, 999, 7], :5].numpy())
    assert len(sent) == 4 + length + 4 * 15 + header["lines"] * header["columns"]


def test_a_strip_shows_true_rows_at_their_true_heights() -> None:
    table = embedding_table(1000, 8)
    strip = matrix_strip(table, limit=2.0, max_lines=50, max_columns=4)
    assert (strip.lines, strip.columns) == (50, 4)
    shown = np.frombuffer(strip.indices, np.uint8).reshape(50, 4)
    for line in range(50):
        for column in range(4):
            value = float(table[20 * line + 10, 2 * column + 1])
            expected = ZERO_INDEX + round(max(-1.0, min(1.0, value / 2.0)) * ZERO_INDEX)
            assert shown[line, column] == expected


def test_a_small_table_is_shown_whole() -> None:
    table = embedding_table(6, 3)
    strip = matrix_strip(table, limit=1.0)
    assert (strip.lines, strip.columns) == (6, 3)
    assert strip.indices == colour_indices(table, 1.0).numpy().tobytes()


def test_zero_has_the_middle_colour_and_what_is_beyond_the_limit_the_end() -> None:
    indices = colour_indices(torch.tensor([-9.0, -2.0, 0.0, 1.0, 2.0, 9.0]), 2.0)
    assert indices.dtype == torch.uint8
    assert indices.tolist() == [0, 0, 127, 191, 254, 254]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"strip": bytes(5)}, "strip has 5 bytes but lines x columns is 6: use matrix_strip"),
        ({"values": torch.zeros(2, 3)}, r"values has shape \(2, 3\): give \(1, k\) with k in 1\.\.3"),
        ({"values": torch.zeros(1, 4)}, r"values has shape \(1, 4\)"),
        ({"rows": [MatrixRow(0, 10, "a")]}, r"id=10 is not a row of E: give one in 0\.\.9"),
        ({"limit": 0.0}, r"limit=0\.0 must be finite and above 0"),
        ({"limit": float("nan")}, "limit=nan must be finite"),
        ({"colours": ["#000000", "#ffffff"]}, "colours has 2 stops but needs an odd number"),
        ({"colours": ["red", "#000000", "#ffffff"]}, "colours has 'red': give each stop as #rrggbb"),
        ({"labels": {}}, "labels lacks all_dimensions, by_chance, columns"),
    ],
)
def test_what_cannot_be_drawn_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        embedding_matrix(**valid(**changes))
