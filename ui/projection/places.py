"""Coordinates of the rows in view: along principal axes, or along lines between words."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Literal

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.neighbours import meaning_axis
from embedlib.programs import Part, meaning_part
from embedlib.projection import Pca, Window, density, fit_pca, rows_within
from embedlib.random import sample_rows
from ui.cache.bounded import memo
from ui.i18n import _, separator
from ui.markdown import as_code
from ui.projection.tables import MOST_POINTS, ShownTable
from ui.projection.whole import SCREE_AXES, WholeTable
from ui.shared.page import principal_titles

MOST_IN_WINDOW = 50_000  # rows that are drawn as points
_MOST_CELLS = 1_200_000  # of a density: more than that is more than is seen, and takes long to send
_LARGEST_CELL = 4  # pixels
_LONG = 1e11  # multiplications that take more than about two seconds


@dataclass(frozen=True, slots=True)
class VisibleWindow:
    """The window of the picture that the browser shows."""

    window: Window
    width: int  # px
    height: int


@dataclass(frozen=True, eq=False)
class Density:
    """Number of rows in each cell of a window of the picture."""

    seen: VisibleWindow
    counts: NDArray[np.uint32] | None  # (rows, columns) from the bottom up; None where the rows are drawn themselves
    cell: int  # px that a count stands for, along both axes
    n_inside: int
    n_rows: int  # of the whole table
    box: Window  # that they all lie in

    @property
    def window(self) -> Window:
        """The area of the cells: the visible window, or a little more to the right and above."""
        assert self.counts is not None
        left, bottom, right, top = self.seen.window
        rows, columns = self.counts.shape
        across, up = (right - left) / self.seen.width, (top - bottom) / self.seen.height  # of one pixel
        return Window(left, bottom, left + columns * self.cell * across, bottom + rows * self.cell * up)


@dataclass(frozen=True, eq=False)
class Places:
    """Coordinates of the rows that are drawn as points."""

    ids: NDArray[np.int64]  # (n,) rising, the rows that are drawn
    points: NDArray[np.float32]  # (n, 3)
    axes: list[str]  # a title for each axis that is drawn; empty where the axes mean nothing
    place: Callable[[Tensor], Tensor] | None  # (…, d_model) -> (…, 3); None: only the rows it was made from have places
    summary: str  # what was done, one or two sentences
    key: tuple[object, ...]  # what is computed from these points is kept under it, with the table's own key
    dimensions: Literal[2, 3] = 2  # how many of the columns are drawn
    named: tuple[int, ...] = ()  # rows that the picture is made by, whose names always stand
    principal: int = 0  # how many of its axes are principal ones
    part: Part | None = None  # what of the page's program makes them, besides the principal axes
    density: Density | None = None  # of all rows, where they are more than a picture has points


@dataclass(frozen=True, slots=True)
class MeaningAxis:
    """An axis of meaning: from the mean of some rows to the mean of others."""

    start: tuple[int, ...]
    stop: tuple[int, ...]
    start_name: str
    stop_name: str


def rows_in_view(table: ShownTable, isolated: Sequence[int], always: Sequence[int]) -> NDArray[np.int64]:
    """Return the rows that are drawn: those isolated, or all, or a sample in which `always` are."""
    if isolated:
        return np.asarray(isolated, dtype=np.int64)
    if not table.is_large:
        return np.arange(table.n_rows)
    return sample_rows(table.n_rows, MOST_POINTS, always=always)


@memo(
    100_000_000,
    size=lambda pca: pca.components.nbytes,
    key=lambda table, isolated: (table.key, tuple(isolated)),
)
def table_pca(table: ShownTable, isolated: Sequence[int]) -> Pca:
    """Fit the principal axes of all rows, or of those isolated."""
    rows = table.rows(isolated) if isolated else table.vectors
    products = rows.shape[0] * rows.shape[1] ** 2
    with st.spinner(_("Finding the principal axes…")) if products > _LONG else nullcontext():
        return fit_pca(rows, min(SCREE_AXES, table.d_model))


@memo(100_000_000, key=lambda key, place: key)
def _points(key: tuple[object, ...], place: Callable[[], NDArray[np.float32]]) -> NDArray[np.float32]:
    return place()


def principal_places(
    table: ShownTable,
    dimensions: Literal[2, 3],
    isolated: Sequence[int],
    always: Sequence[int],
    whole: WholeTable | None = None,
) -> Places:
    """Place the rows along their principal axes, those of all rows where these are known."""
    pca = table_pca(table, isolated) if whole is None else whole.pca
    ids = rows_in_view(table, isolated, always)

    def place(rows: Tensor) -> Tensor:
        return _three_columns(pca.transform(rows.to(pca.mean.device))[..., :3].float().cpu())

    key = ("pca", table.key, tuple(isolated), _sample_key(table, always))
    ratios = [*pca.explained_variance_ratio[:3].tolist(), 0.0, 0.0][:3]
    return Places(
        ids=ids,
        points=_points(key, lambda: place(table.rows(ids)).numpy()),
        axes=principal_titles(ratios[:dimensions]),
        place=place,
        summary=_principal_sentence(table, pca, dimensions, len(isolated)),
        key=key,
        dimensions=dimensions,
        principal=dimensions,
    )


def dense_places(table: ShownTable, whole: WholeTable, seen: VisibleWindow, always: Sequence[int]) -> Places:
    """Place the rows of a large table that are drawn as points, and count all rows in the visible window.

    Args:
        table: whose rows.
        whole: what is known of all of them.
        seen: what the browser shows.
        always: rows that are drawn even where the others are counted.
    """
    of = row_density(table, whole, seen)
    inside = _rows_around(table, whole, seen) if of.counts is None else np.empty(0, dtype=np.int64)
    ids = np.union1d(inside, np.asarray(always, dtype=np.int64))
    points = np.zeros((len(ids), 3), dtype=np.float32)
    points[:, :2] = whole.places[:, ids].T

    def place(rows: Tensor) -> Tensor:
        return _three_columns(whole.pca.transform(rows.to(whole.pca.mean.device))[..., :2].float().cpu())

    summary = _principal_sentence(table, whole.pca, 2, 0, sampled=False)
    in_view = _("Rows in view: {count:,} (points up to {most:,}).")
    shares = [*whole.pca.explained_variance_ratio[:2].tolist(), 0.0][:2]
    return Places(
        ids=ids,
        points=points,
        axes=principal_titles(shares),
        place=place,
        summary=f"{summary} " + in_view.format(count=of.n_inside, most=MOST_IN_WINDOW),
        key=("dense", table.key, seen if of.counts is None else None, tuple(always)),
        principal=2,
        density=of,
    )


def is_mostly_counted(places: Places) -> bool:
    """Return whether most rows are only counted, not drawn as points."""
    return places.density is not None and places.density.counts is not None


@memo(key=lambda table, whole, seen: (table.key, seen))
def row_density(table: ShownTable, whole: WholeTable, seen: VisibleWindow) -> Density:
    """Count the rows in each pixel of the visible window, or in larger squares where most pixels are empty."""
    counts = density(whole.places, seen.window, columns=seen.width, rows=seen.height)
    n_inside = int(counts.sum())
    if n_inside <= MOST_IN_WINDOW:
        return Density(seen, None, 1, n_inside, table.n_rows, whole.box)
    cell = 1
    while cell < _LARGEST_CELL and n_inside * cell * cell < counts.size:
        cell += 1
    while counts.size > _MOST_CELLS * cell * cell:
        cell += 1
    if cell > 1:
        rows, columns = counts.shape
        full = np.pad(counts, ((0, -rows % cell), (0, -columns % cell)))
        counts = full.reshape(full.shape[0] // cell, cell, full.shape[1] // cell, cell).sum(
            axis=(1, 3), dtype=np.uint32
        )
    return Density(seen, counts, cell, n_inside, table.n_rows, whole.box)


@memo(key=lambda table, whole, seen: (table.key, seen))
def _rows_around(table: ShownTable, whole: WholeTable, seen: VisibleWindow) -> NDArray[np.int64]:
    """Return the visible rows, and those around them for small moves unless they are too many."""
    left, bottom, right, top = seen.window
    across, up = (right - left) / 4, (top - bottom) / 4
    rows = rows_within(whole.places, Window(left - across, bottom - up, right + across, top + up))
    return rows if len(rows) <= MOST_POINTS else rows_within(whole.places, seen.window)


def meaning_places(
    table: ShownTable, lines: Sequence[MeaningAxis], isolated: Sequence[int], always: Sequence[int]
) -> Places:
    """Place the rows along two lines of meaning; the third axis is empty."""
    ids = rows_in_view(table, isolated, always)
    axes = torch.stack([meaning_axis(table.vectors, line.start, line.stop) for line in lines])  # (2, d_model)
    middles = torch.stack([table.rows([*line.start, *line.stop]).mean(dim=0) for line in lines])  # (2, d_model)

    def place(rows: Tensor) -> Tensor:
        return _three_columns((rows.double() @ axes.T - (axes * middles).sum(dim=1)).float())

    key = ("meaning", table.key, tuple(lines), tuple(isolated), _sample_key(table, always))
    return Places(
        ids=ids,
        points=_points(key, lambda: place(table.rows(ids)).numpy()),
        axes=[f"{line.start_name} → {line.stop_name}" for line in lines],
        place=place,
        summary=_meaning_sentence(lines, axes),
        key=key,
        named=tuple(dict.fromkeys(row for line in lines for row in (*line.start, *line.stop))),
        part=meaning_part([(line.start, line.stop) for line in lines]),
    )


def _three_columns(points: Tensor) -> Tensor:
    missing = 3 - points.shape[-1]
    return torch.nn.functional.pad(points, (0, missing)) if missing > 0 else points


def _sample_key(table: ShownTable, always: Sequence[int]) -> tuple[int, ...]:
    return () if not table.is_large else tuple(sorted(set(always)))


def _principal_sentence(table: ShownTable, pca: Pca, dimensions: int, n_isolated: int, *, sampled: bool = True) -> str:
    share = float(pca.explained_variance_ratio[:dimensions].sum())
    sentence = _(
        "The picture shows {share:.1%} of the differences between the rows (their variance): {axes} axes of "
        "{columns:,}. Points that lie together may be far apart in the other dimensions, so trust the list of "
        "neighbours, not the picture."
    ).format(
        axes=dimensions,
        columns=table.d_model,
        share=share,
    )
    if sampled and not n_isolated and table.is_large:
        sentence += separator(" ") + _("The picture shows {drawn:,} of the rows, drawn at random (seed 0).").format(
            drawn=MOST_POINTS
        )
    return sentence


def _meaning_sentence(lines: Sequence[MeaningAxis], axes: Tensor) -> str:
    angle = float(torch.rad2deg(torch.arccos((axes[0] @ axes[1]).clamp(-1, 1))))
    return _(
        "The farther right a token lies, the more its row resembles those of {right} rather than those of {left}; the "
        "farther up, the more those of {up} rather than those of {down}. The two directions are at an angle of "
        "{angle:.0f}° in the table; at 90° neither says anything about the other. All other dimensions are not in this "
        "picture, so trust the list of neighbours, not the picture."
    ).format(
        angle=angle,
        left=as_code(lines[0].start_name),
        right=as_code(lines[0].stop_name),
        down=as_code(lines[1].start_name),
        up=as_code(lines[1].stop_name),
    )
