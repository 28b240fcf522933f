import numpy as np
import torch

from embedlib.embedding import embedding_table
from embedlib.figures import DIVERGING
from tests.ui.browser_message import drawn, payloads
from ui.components._shared.payload import ZERO_INDEX, colour_indices
from ui.components.embedding_matrix import LABELS, MatrixRow, embedding_matrix, matrix_strip


def test_the_browser_gets_the_rows_the_text_picks_and_the_strip() -> None:
    table = embedding_table(1000, 8)
    strip = matrix_strip(table, limit=2.0, max_lines=50, max_columns=4)
    app = drawn(
        embedding_matrix,
        strip.indices,
        lines=strip.lines,
        columns=strip.columns,
        vocab_size=1000,
        d_model=8,
        rows=[MatrixRow(0, 7, "日"), MatrixRow(1, 999, "·fox"), MatrixRow(2, 7, "日")],
        values=table[[7, 999, 7], :5],
        colours=DIVERGING["dark"],
        limit=2.0,
        labels=LABELS,
        key="matrix",
    )
    ((header, body),) = payloads(app)
    assert (header["ids"], header["tokens"], header["positions"]) == ([7, 999, 7], ["日", "·fox", "日"], [0, 1, 2])
    assert (header["vocab_size"], header["d_model"], header["k"]) == (1000, 8, 5)
    numbers = np.frombuffer(body, "<f4", count=15).reshape(3, 5)
    assert np.array_equal(numbers, table[[7, 999, 7], :5].numpy())
    assert body[4 * 15 :] == strip.indices
    assert len(strip.indices) == header["lines"] * header["columns"]


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
