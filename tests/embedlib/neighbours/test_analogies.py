import numpy as np
import pytest
import torch

from embedlib.neighbours.analogies import (
    analogy,
    analogy_ranks,
    axis_coordinates,
    meaning_axis,
    neighbour_rank,
    neighbour_ranks,
)
from embedlib.neighbours.search import METRICS, nearest_neighbours


def table(n_rows: int = 300, width: int = 8) -> np.ndarray:
    return np.random.default_rng(0).standard_normal((n_rows, width)).astype(np.float32)


def test_an_axis_leads_from_one_mean_to_the_other() -> None:
    rows = table()
    line = rows[[4, 5, 5]].astype(np.float64).mean(axis=0) - rows[[1, 2]].astype(np.float64).mean(axis=0)
    actual = meaning_axis(rows, [1, 2], [4, 5, 5])
    np.testing.assert_allclose(actual.numpy(), line / np.sqrt((line**2).sum()), atol=1e-12)
    torch.testing.assert_close(meaning_axis(torch.from_numpy(rows), [1, 2], [4, 5, 5]), actual)


def test_coordinates_are_products_with_each_axis() -> None:
    rows = table()
    axes = torch.stack([meaning_axis(rows, [1, 2], [3]), meaning_axis(rows, [4], [5, 6])])
    actual = axis_coordinates(rows, axes)
    assert actual.dtype == torch.float32
    np.testing.assert_allclose(actual.numpy(), rows.astype(np.float64) @ axes.numpy().T, atol=1e-6)
    np.testing.assert_allclose(
        axis_coordinates(rows.astype(np.float64), axes[0]).numpy(), rows.astype(np.float64) @ axes[:1].numpy().T
    )


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("exclude_inputs", [True, False])
def test_an_analogy_is_what_is_nearest_to_a_less_b_plus_c(metric: str, exclude_inputs: bool) -> None:
    rows = table().astype(np.float64)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    used = units if metric == "cosine" else rows
    query = used[7] - used[3] + used[11]
    if metric == "cosine":
        values = units @ query / np.linalg.norm(query)
    else:
        values = rows @ query if metric == "dot" else -np.linalg.norm(rows - query, axis=1)
    order = [i for i in np.argsort(-values) if not (exclude_inputs and i in (7, 3, 11))]
    actual = analogy(table(), 7, 3, 11, k=6, metric=metric, exclude_inputs=exclude_inputs)
    assert actual.ids.tolist() == order[:6]
    np.testing.assert_allclose(actual.similarities.numpy(), values[order[:6]], atol=1e-5)
    np.testing.assert_allclose(actual.query.numpy(), query, atol=1e-6)


def test_king_less_man_plus_woman_is_queen_whatever_their_lengths() -> None:
    royal, male, female = np.eye(6, dtype=np.float32)[:3]
    words = np.stack([royal + male, male, female, royal + female, *np.eye(6, dtype=np.float32)[3:]])
    words *= np.arange(1, 8, dtype=np.float32)[:, None]
    assert analogy(words, 0, 1, 2, k=1).ids.tolist() == [3]
    assert neighbour_rank(words, analogy(words, 0, 1, 2, k=1).query, 3, exclude=[0, 1, 2]) == 1


@pytest.mark.parametrize("metric", METRICS)
def test_the_rank_is_the_place_among_all_neighbours(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.neighbours.blocks._BLOCK_ENTRIES", {"cpu": 120})
    rows = table(120, 3)
    rows[100] = rows[30]  # a tie
    rows[77] = 0
    rows[5] = 1e-36
    for query in (rows[8], rows[30] * 2, np.zeros(3, dtype=np.float32)):
        order = nearest_neighbours(rows, query[None], 120, metric).ids[0].tolist()
        left = [i for i in order if i not in (8, 60)]
        for row in (30, 100, 77, 5, 0, 119):
            assert neighbour_rank(rows, torch.from_numpy(query), row, metric=metric) == order.index(row) + 1
            actual = neighbour_rank(rows, torch.from_numpy(query), row, metric=metric, exclude=[60, 8, 8])
            assert actual == left.index(row) + 1


def test_ends_that_are_equal_give_no_direction() -> None:
    rows = table()
    with pytest.raises(ValueError, match="have the same mean, so that no direction"):
        meaning_axis(rows, [1, 2], [2, 1])
    with pytest.raises(ValueError, match="have the same mean"):
        meaning_axis(np.zeros((2, 3)), [0], [1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: meaning_axis(table(), [], [1]), "from_ids is empty"),
        (lambda: meaning_axis(table(), [1], []), "to_ids is empty"),
        (
            lambda: meaning_axis(table(), [1], [300]),
            r"to_ids has ids in \[300, 300\]: they must be in \[0, n_rows=300\)",
        ),
        (lambda: meaning_axis(np.full((2, 2), np.nan), [0], [1]), "from_ids has a row that is not finite"),
        (lambda: axis_coordinates(table(), torch.ones(2, 7)), r"axes has shape \(2, 7\): it must be \(n_axes, d=8\)"),
        (lambda: analogy(table(), 0, 1, -1), r"a, b, c has ids in \[-1, 1\]"),
        (lambda: analogy(table(), 0, 1, 2, k=298), "k=298 must be between 1 and 297"),
        (lambda: analogy(table(), 0, 1, 2, metric="l1"), "metric='l1' must be one of"),
        (lambda: neighbour_rank(table(), torch.ones(8), 300), r"expected_id has ids in \[300, 300\]"),
        (lambda: neighbour_rank(table(), torch.ones(8), 3, exclude=[3]), "expected_id=3 is among exclude"),
        (lambda: neighbour_rank(table(), torch.ones(7), 3), r"query has shape \(7,\): it must be \(d=8,\)"),
        (lambda: neighbour_rank(table(), torch.ones(8), 3, metric="l1"), "metric='l1' must be one of"),
    ],
)
def test_what_has_no_meaning_is_refused(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


ROWS = torch.randn(40, 6, generator=torch.Generator().manual_seed(5))


def test_the_first_around_a_row_are_its_nearest_neighbours() -> None:
    actual = neighbour_ranks(ROWS, 7)
    expected = nearest_neighbours(ROWS, ROWS[7][None], 39, exclude=[7])
    assert actual.nearest(39) == expected.ids[0].tolist()
    torch.testing.assert_close(actual.similarities[actual.nearest(39)], expected.similarities[0])
    assert [int(actual.ranks[row]) for row in actual.nearest(39)] == list(range(1, 40))
    assert actual.ranks[7] == 0
    assert actual.nearest(100) == actual.nearest(39)


def test_the_first_answers_are_those_of_an_analogy_and_so_is_every_place() -> None:
    actual = analogy_ranks(ROWS, 3, 11, 20)
    expected = analogy(ROWS, 3, 11, 20, k=5)
    assert actual.nearest(5) == expected.ids.tolist()
    torch.testing.assert_close(actual.similarities[actual.nearest(5)], expected.similarities)
    for row in range(40):
        if row in (3, 11, 20):
            assert actual.ranks[row] == 0
        else:
            assert int(actual.ranks[row]) == neighbour_rank(ROWS, expected.query, row, exclude=[3, 11, 20])


def test_one_row_named_twice_is_left_out_once() -> None:
    actual = analogy_ranks(ROWS, 3, 3, 20)
    assert sorted(actual.ranks.tolist()) == [0, 0, *range(1, 39)]


def test_of_equal_rows_the_lower_comes_first_and_zeros_are_as_near_as_right_angles() -> None:
    rows = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    actual = neighbour_ranks(rows, 0)
    assert actual.ranks.tolist() == [0, 3, 1, 2, 4]
    assert actual.similarities.tolist() == [1, 0, 1, 1, 0]


def test_rows_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match=r"row has ids in \[40, 40\]: they must be in \[0, n_rows=40\)"):
        neighbour_ranks(ROWS, 40)
    with pytest.raises(ValueError, match=r"a, b, c has ids in \[-1, 2\]"):
        analogy_ranks(ROWS, 0, -1, 2)
