import numpy as np
import torch
from numpy.typing import NDArray

from embedlib.embedding import embedding_table
from embedlib.figures import DIVERGING
from tests.ui.browser_message import drawn, payloads
from ui.components.embedding_matrix import LABELS, MatrixRow, Strip, embedding_matrix, matrix_strip


def test_the_browser_gets_the_rows_the_text_picks_and_the_strip() -> None:
    table = embedding_table(1000, 8)
    strip = matrix_strip(table, max_lines=50, max_columns=4)
    app = drawn(
        embedding_matrix,
        strip,
        rows=[MatrixRow(0, 7, "日"), MatrixRow(1, 999, "·fox"), MatrixRow(2, 7, "日")],
        values=table[[7, 999, 7]],
        colours=DIVERGING["dark"],
        limit=2.0,
        labels=LABELS,
        key="matrix",
    )
    ((header, body),) = payloads(app)
    assert (header["ids"], header["tokens"], header["positions"]) == ([7, 999, 7], ["日", "·fox", "日"], [0, 1, 2])
    assert (header["vocab_size"], header["d_model"]) == (1000, 8)
    length = 2 * header["lines"] * header["columns"]
    assert body[:length] == strip.values.content
    numbers = np.frombuffer(body[length:], "<f4").reshape(3, 8)
    assert np.array_equal(numbers, table[[7, 999, 7]].numpy())


def test_a_strip_shows_true_rows_at_their_true_heights() -> None:
    table = embedding_table(1000, 8)
    strip = matrix_strip(table, max_lines=50, max_columns=4)
    assert (strip.lines, strip.columns) == (50, 4)
    np.testing.assert_allclose(numbers_of(strip), table[10::20, 1::2], rtol=0.004)


def test_a_small_table_is_shown_whole() -> None:
    table = embedding_table(6, 3)
    strip = matrix_strip(table)
    np.testing.assert_allclose(numbers_of(strip), table, rtol=0.004)


def test_another_limit_of_the_colours_needs_no_other_strip() -> None:
    table = embedding_table(1000, 96)
    sent = [
        drawn(
            embedding_matrix,
            matrix_strip(table),
            rows=[],
            values=torch.zeros(0, 96),
            colours=DIVERGING["dark"],
            limit=limit,
            labels=LABELS,
            key="matrix",
        )
        for limit in (1.0, 2.0)
    ]
    assert max(len(app.get("bidi_component")[0].proto.bytes) for app in sent) < 2_000
    assert payloads(sent[0])[0][1] == payloads(sent[1])[0][1]


def numbers_of(strip: Strip) -> NDArray[np.float32]:
    """Read a strip as the browser does: the upper halves of float32."""
    halves = np.frombuffer(strip.values.content, "<u2").astype("<u4") << 16
    return halves.view("<f4").reshape(strip.lines, strip.columns)
