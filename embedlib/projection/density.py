"""Density of a table's rows in a projection: a count for each cell, and the rows themselves where they are few.

Every row is read for every window: 10 million take two tenths of a second on one core if all are inside, a tenth of
that if few are. So there is no spatial index, which would have to be built and stored.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.blocks import row_blocks
from embedlib.projection.pca import Pca

_AT_ONCE = 2**15  # rows whose places the processor's cache holds
_PLACED_AT_ONCE = 2**22  # numbers of a table that are read together
_COUNTED_AT_ONCE = 2**21  # cells counted together


class Window(NamedTuple):
    """A rectangle of a projection, in the units of its axes; all four sides belong to it."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def is_sound(self) -> bool:
        """Whether it can be divided into cells: finite, with a width and a height."""
        spans = (self.right - self.left, self.top - self.bottom)
        return all(math.isfinite(side) for side in self) and all(0 < span < math.inf for span in spans)


def write_coordinates(
    table: Tensor | NDArray[Any],
    pca: Pca,
    places: NDArray[np.float32],
    *,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Write the coordinates of a table's rows along its first two axes to `places`, (2, n_rows); both may be mapped.

    The table is read in blocks; one of a single column lies along the first axis. `progress` is called with the share
    of rows done, in (0, 1], and may raise to stop.
    """
    n_rows, width = table.shape
    if places.shape != (2, n_rows):
        raise ValueError(f"places has shape {places.shape}: it must be (2, n_rows={n_rows})")
    at_once = max(1, _PLACED_AT_ONCE // width)
    if isinstance(table, Tensor):
        blocks: Iterable[tuple[int, Any]] = ((n * at_once, rows) for n, rows in enumerate(torch.split(table, at_once)))
    else:
        blocks = row_blocks(table, at_once)
    places[1] = 0
    for start, rows in blocks:
        along = pca.transform(rows)[:, :2].float().cpu().numpy()  # (n_block, 1 or 2)
        places[: along.shape[1], start : start + len(rows)] = along.T
        if progress is not None:
            progress((start + len(rows)) / n_rows)


def density(places: NDArray[np.float32], window: Window, *, columns: int, rows: int) -> NDArray[np.uint32]:
    """Count the places, (2, n) along both axes, in each cell of a window: (rows, columns) from the bottom up.

    As numpy.histogram2d for these ranges: a place between two cells belongs to the upper or right one, one at the last
    edge to the last cell. A place nearer to an edge than float64 resolves may be counted on its other side.
    """
    _check_window(places, window)
    if columns < 1 or rows < 1:
        raise ValueError(f"columns={columns} and rows={rows} must be at least 1")
    counts = np.zeros(rows * columns, dtype=np.int64)
    waiting: list[NDArray[np.int32]] = []
    n_waiting = 0
    for _, x, y in _rows_inside(places, window):
        cells = _cell_indices(y, window.bottom, window.top, rows)
        cells *= columns
        cells += _cell_indices(x, window.left, window.right, columns)
        waiting.append(cells)
        n_waiting += len(cells)
        if n_waiting > _COUNTED_AT_ONCE:
            counts += np.bincount(np.concatenate(waiting), minlength=len(counts))
            waiting, n_waiting = [], 0
    if waiting:
        counts += np.bincount(np.concatenate(waiting), minlength=len(counts))
    return counts.reshape(rows, columns).astype(np.uint32)


def rows_within(places: NDArray[np.float32], window: Window) -> NDArray[np.int64]:
    """Return the rows whose places, (2, n), are in a window or on its sides: (n_inside,) rising."""
    _check_window(places, window)
    found = [ids for ids, _, _ in _rows_inside(places, window)]
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)


def window_around(places: NDArray[np.float32], row: int, whole: Window, *, most: int) -> Window:
    """Return a window of the shape of `whole`, centred on a row, with at most about `most` rows in it.

    It is no larger than `whole`; where more rows lie in one place, it is 2⁻¹² of it.
    """
    sides = (whole.right - whole.left, whole.top - whole.bottom)
    away = np.zeros(places.shape[1], dtype=np.float32)  # half the side of the window that reaches a row, of the whole's
    for axis, side in zip(places, sides, strict=True):
        np.maximum(away, np.abs(axis - axis[row]) / np.float32(side), out=away)
    reach = float(np.partition(away, most - 1)[most - 1]) if most < len(away) else 0.5
    across, up = (side * min(max(reach, 2.0**-13), 0.5) for side in sides)
    x, y = (float(axis[row]) for axis in places)
    return Window(x - across, y - up, x + across, y + up)


def nearest_points(places: NDArray[np.float32], row: int, k: int) -> NDArray[np.int64]:
    """Return the k rows with the nearest places to a row's own, (k,); of equally near ones the lower."""
    own = places[:, row, None].astype(np.float64)
    ids, far = np.empty(0, dtype=np.int64), np.empty(0)
    for start in range(0, places.shape[1], _AT_ONCE):
        away = np.square(places[:, start : start + _AT_ONCE] - own).sum(axis=0)
        if start <= row < start + _AT_ONCE:
            away[row - start] = np.inf
        near = np.flatnonzero(away <= (far[k - 1] if len(far) >= k else np.inf))
        if len(near) > k:
            near = near[away[near] <= np.partition(away[near], k - 1)[k - 1]]
        ids, far = np.concatenate([ids, near + start]), np.concatenate([far, away[near]])
        order = np.lexsort((ids, far))[:k]
        ids, far = ids[order], far[order]
    return ids[np.isfinite(far)]


def _rows_inside(
    places: NDArray[np.float32], window: Window
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]]:
    """Yield the rows within, block by block: numbers, places along both axes."""
    left, bottom = (_round_inwards(side, up=True) for side in (window.left, window.bottom))
    right, top = (_round_inwards(side, up=False) for side in (window.right, window.top))
    for start in range(0, places.shape[1], _AT_ONCE):
        x, y = places[:, start : start + _AT_ONCE]
        inside = (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
        ids = np.flatnonzero(inside)
        if len(ids):
            whole = len(ids) == len(x)
            yield ids + start, x if whole else x[ids], y if whole else y[ids]


def _round_inwards(side: float, *, up: bool) -> np.float32:
    """Round a side to float32 so that the same float32 places are inside."""
    with np.errstate(over="ignore"):
        near = np.float32(side)
    if up:
        return near if float(near) >= side else np.nextafter(near, np.float32(np.inf))
    return near if float(near) <= side else np.nextafter(near, np.float32(-np.inf))


def _cell_indices(values: NDArray[np.float32], low: float, high: float, count: int) -> NDArray[np.int32]:
    """Return the index, among `count` equal cells, of each value from low to high."""
    along = values.astype(np.float64)
    along -= low
    along *= count / (high - low)
    cells = along.astype(np.int32)
    return np.minimum(cells, count - 1, out=cells)


def _check_window(places: NDArray[np.float32], window: Window) -> None:
    if places.ndim != 2 or len(places) != 2:
        raise ValueError(f"places has shape {places.shape}: it must be (2, n_rows)")
    if not window.is_sound:
        raise ValueError(f"window={tuple(window)} must be finite, with left < right and bottom < top")
