import numpy as np
import torch

from embedlib.embedding import embedding_table, lookup, one_hot_lookup
from embedlib.figures import DIVERGING
from tests.ui.browser_message import drawn, payloads
from ui.components.one_hot_product import FEW, LABELS, MAX_TOKENS, WHOLE, one_hot_product, rows_to_draw


def test_the_browser_gets_the_drawn_rows_and_both_results_to_the_bit() -> None:
    table, ids = embedding_table(40, 5, seed=1), torch.tensor([7, 30, 7])
    rows = rows_to_draw(ids.tolist(), 40)
    app = drawn(
        one_hot_product,
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
    ((header, body),) = payloads(app)
    assert (header["positions"], header["ids"], header["tokens"]) == ([4, 5, 6], [7, 30, 7], ["日", "<i>", "日"])
    assert (header["vocab_size"], header["d_model"], header["k"], header["labels"]) == (40, 5, 4, LABELS)
    assert header["rows"] == rows
    numbers = np.frombuffer(body, "<f4").reshape(-1, 4)
    known = table[:, :4].numpy()
    assert np.array_equal(numbers[: len(rows)], known[rows])
    assert np.array_equal(numbers[len(rows) : len(rows) + 3], known[[7, 30, 7]])
    assert np.array_equal(numbers[len(rows) + 3 :], known[[7, 30, 7]])


def test_a_small_table_is_drawn_whole() -> None:
    assert rows_to_draw([3], WHOLE) == list(range(WHOLE))


def test_of_a_large_table_the_picked_rows_are_drawn_with_its_ends_and_neighbours() -> None:
    assert rows_to_draw([50], 100) == [0, 49, 50, 51, 99]
    assert rows_to_draw([0, 99, 0], 100) == [0, 1, 98, 99]
    many = [3 * row + 7 for row in range(MAX_TOKENS)]
    assert rows_to_draw(many, 50_257) == many
    assert len(rows_to_draw([10, 20, 30], 50_257)) == FEW
