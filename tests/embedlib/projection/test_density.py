"""How densely rows lie in a picture: each count against NumPy's own histogram, rows and windows against plain loops."""

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from embedlib.projection import Window, density, fit_pca, nearest_points, rows_within, window_around, write_coordinates
from embedlib.projection.pca import Pca

N_ROWS = 100_000  # more than are looked at together


def crowd(n_rows: int = N_ROWS, seed: int = 5) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    places = rng.normal(size=(2, n_rows)) * np.array([[3.0], [1.0]])
    places[:, : n_rows // 3] *= 0.05
    return places.astype(np.float32)


def counted(places: NDArray[np.float32], window: Window, columns: int, rows: int) -> NDArray[np.float64]:
    left, bottom, right, top = window
    expected, _, _ = np.histogram2d(places[1], places[0], bins=(rows, columns), range=((bottom, top), (left, right)))
    return expected


WHOLE = Window(*(float(side) for side in (*crowd().min(axis=1), *crowd().max(axis=1))))


@pytest.mark.parametrize(
    ("window", "columns", "rows"),
    [
        (WHOLE, 300, 200),
        (Window(-1, -0.5, 1, 0.5), 97, 61),
        (Window(-0.0123, 0.017, 0.0456, 0.032), 800, 500),
        (Window(-1e9, -1e9, 1e9, 1e9), 3, 5),
        (Window(50, 50, 51, 51), 10, 10),
        (Window(-2, -1, 2, 1), 1, 1),
    ],
)
def test_each_cell_counts_what_numpys_histogram_counts(window: Window, columns: int, rows: int) -> None:
    places = crowd()
    found = density(places, window, columns=columns, rows=rows)
    assert (found.shape, found.dtype) == ((rows, columns), np.uint32)
    np.testing.assert_array_equal(found, counted(places, window, columns, rows))


def test_a_place_between_cells_belongs_to_the_upper_right_one_and_the_last_edge_to_the_last_cell() -> None:
    lattice = np.stack([axis.ravel() for axis in np.meshgrid(np.arange(5.0), np.arange(5.0))]).astype(np.float32)
    window = Window(0, 0, 4, 4)
    found = density(lattice, window, columns=4, rows=2)
    np.testing.assert_array_equal(found, [[2, 2, 2, 4], [3, 3, 3, 6]])
    np.testing.assert_array_equal(found, counted(lattice, window, 4, 2))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(*[st.floats(-100, 100, width=32)] * 2), max_size=60),
    st.tuples(*[st.floats(-80, 79)] * 2),
    st.tuples(*[st.floats(0.25, 90)] * 2),
)
def test_counts_and_rows_agree_wherever_rows_and_window_are(
    spots: list[tuple[float, float]], corner: tuple[float, float], size: tuple[float, float]
) -> None:
    places = np.array(spots, dtype=np.float32).reshape(-1, 2).T
    left, bottom = corner
    window = Window(left, bottom, left + size[0], bottom + size[1])
    expected = [
        row for row, (x, y) in enumerate(spots) if left <= x <= window.right and bottom <= y <= window.top
    ]  # float64 on both sides: the numbers drawn have an exact float32
    assert rows_within(places, window).tolist() == expected
    assert density(places, window, columns=7, rows=3).sum() == len(expected)


def test_places_that_stay_in_a_file_are_counted_alike(tmp_path: Path) -> None:
    np.save(tmp_path / "places.npy", crowd())
    mapped = np.load(tmp_path / "places.npy", mmap_mode="r")
    window = Window(-1, -1, 1, 1)
    np.testing.assert_array_equal(
        density(mapped, window, columns=50, rows=40), density(crowd(), window, columns=50, rows=40)
    )


@pytest.mark.parametrize(
    "window",
    [
        (1, 0, 1, 1),
        (1, 0, 0, 1),
        (0, 1, 1, 0),
        (float("nan"), 0, 1, 1),
        (0, 0, float("inf"), 1),
        (-1.7e308, 0, 1.7e308, 1),
    ],
)
def test_a_window_that_is_none_is_refused(window: tuple[float, float, float, float]) -> None:
    assert not Window(*window).is_sound
    with pytest.raises(ValueError, match="left < right"):
        density(crowd(10), Window(*window), columns=2, rows=2)
    with pytest.raises(ValueError, match="left < right"):
        rows_within(crowd(10), Window(*window))


def test_no_cells_and_places_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="columns=0"):
        density(crowd(10), WHOLE, columns=0, rows=2)
    with pytest.raises(ValueError, match=r"shape \(10, 2\)"):
        density(crowd(10).T, WHOLE, columns=2, rows=2)


@pytest.mark.parametrize("row", [0, 40_000, N_ROWS - 1])
@pytest.mark.parametrize("most", [1, 500, 20_000])
def test_a_window_around_a_row_has_it_in_its_middle_and_the_whole_ones_shape(row: int, most: int) -> None:
    places = crowd()
    window = window_around(places, row, WHOLE, most=most)
    assert (window.left + window.right) / 2 == pytest.approx(float(places[0, row]), abs=1e-5)
    assert (window.bottom + window.top) / 2 == pytest.approx(float(places[1, row]), abs=1e-5)
    shape = (window.right - window.left) / (window.top - window.bottom)
    assert shape == pytest.approx((WHOLE.right - WHOLE.left) / (WHOLE.top - WHOLE.bottom), rel=1e-3)
    assert row in rows_within(places, window)
    if most > 1:  # else the window is as small as it gets
        assert abs(len(rows_within(places, window)) - most) <= 2


def test_a_window_around_a_row_is_no_larger_than_the_whole() -> None:
    window = window_around(crowd(50), 7, WHOLE, most=1_000)
    assert window.right - window.left == pytest.approx(WHOLE.right - WHOLE.left)


@pytest.mark.parametrize("row", [0, 33_000, 65_536, N_ROWS - 1])
def test_the_nearest_places_are_those_of_all_distances_sorted(row: int) -> None:
    places = crowd()
    away = np.square(places.astype(np.float64) - places[:, row, None]).sum(axis=0)
    away[row] = np.inf
    np.testing.assert_array_equal(nearest_points(places, row, 10), np.argsort(away, kind="stable")[:10])


def test_of_places_that_are_equally_near_the_lower_rows_are_taken() -> None:
    places = np.zeros((2, 70_000), dtype=np.float32)
    np.testing.assert_array_equal(nearest_points(places, 1, 3), [0, 2, 3])
    np.testing.assert_array_equal(nearest_points(places[:, :3], 1, 10), [0, 2])


def placed(pca: Pca, table: object, n_rows: int) -> tuple[NDArray[np.float32], list[float]]:
    places, shares = np.full((2, n_rows), np.nan, dtype=np.float32), list[float]()
    write_coordinates(table, pca, places, progress=shares.append)  # type: ignore[arg-type]
    return places, shares


def test_rows_lie_where_the_axes_put_them_read_from_memory_or_from_a_file(tmp_path: Path) -> None:
    table = np.random.default_rng(3).normal(size=(20_000, 300)).astype(np.float32)
    np.save(tmp_path / "table.npy", table)
    pca = fit_pca(table[:500], 4)
    centred = table.astype(np.float64) - pca.mean.double().numpy()
    expected = centred @ pca.components[:2].double().numpy().T
    for source in (table, np.load(tmp_path / "table.npy", mmap_mode="r"), torch.from_numpy(table)):
        places, shares = placed(pca, source, len(table))
        np.testing.assert_allclose(places.T, expected, atol=1e-4)
        assert shares == sorted(shares)
        assert len(shares) > 1
        assert shares[-1] == 1.0


def test_a_table_with_one_axis_lies_on_a_line_and_places_of_another_size_are_refused() -> None:
    table = np.random.default_rng(3).normal(size=(50, 4)).astype(np.float32)
    pca = fit_pca(table, 1)
    places, _ = placed(pca, table, 50)
    assert np.abs(places[0]).max() > 0
    np.testing.assert_array_equal(places[1], 0)
    with pytest.raises(ValueError, match="n_rows=50"):
        placed(pca, table, 49)
