"""Where the rows in view lie: along principal axes, or along lines between words."""

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
from embedlib.projection import Pca, fit_pca
from embedlib.random import sample_rows
from ui.cache.bounded import memo
from ui.i18n import _
from ui.projection.tables import ShownTable

# GPT-2's whole vocabulary fits; of a larger table, rows are drawn at random with a seed of their own.
MOST_POINTS = 2**16
SCREE_AXES = 30
_LONG = 1e11  # multiplications that take more than about two seconds


@dataclass(frozen=True, eq=False)
class Places:
    """Points in a picture."""

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


@dataclass(frozen=True, slots=True)
class Line:
    """An axis of meaning: from the mean of some rows to the mean of others."""

    start: tuple[int, ...]
    stop: tuple[int, ...]
    start_name: str
    stop_name: str


def rows_in_view(table: ShownTable, isolated: Sequence[int], always: Sequence[int]) -> NDArray[np.int64]:
    """Return the rows that are drawn: those isolated, or all, or a sample in which `always` are."""
    if isolated:
        return np.asarray(isolated, dtype=np.int64)
    if table.n_rows <= MOST_POINTS:
        return np.arange(table.n_rows)
    return sample_rows(table.n_rows, MOST_POINTS, always=always)


@memo(
    100_000_000,
    size=lambda pca: pca.components.nbytes,
    key=lambda table, isolated: (table.key, tuple(isolated)),
)
def pca_of(table: ShownTable, isolated: Sequence[int]) -> Pca:
    """Fit the principal axes of all rows, or of those isolated."""
    rows = table.rows(isolated) if isolated else table.vectors
    products = rows.shape[0] * rows.shape[1] ** 2
    with st.spinner(_("Finding the principal axes…")) if products > _LONG else nullcontext():
        return fit_pca(rows, min(SCREE_AXES, table.d_model))


@memo(100_000_000, key=lambda key, place: key)
def _points(key: tuple[object, ...], place: Callable[[], NDArray[np.float32]]) -> NDArray[np.float32]:
    return place()


def principal_places(
    table: ShownTable, dimensions: Literal[2, 3], isolated: Sequence[int], always: Sequence[int]
) -> Places:
    """Place the rows along their principal axes."""
    pca = pca_of(table, isolated)
    ids = rows_in_view(table, isolated, always)

    def place(rows: Tensor) -> Tensor:
        return _three_columns(pca.transform(rows.to(pca.mean.device))[..., :3].float().cpu())

    key = ("pca", table.key, tuple(isolated), _sampled(table, always))
    ratios = [*pca.explained_variance_ratio[:3].tolist(), 0.0, 0.0][:3]
    return Places(
        ids=ids,
        points=_points(key, lambda: place(table.rows(ids)).numpy()),
        axes=[
            _("PC {number} ({share:.2%})").format(number=n + 1, share=share)
            for n, share in enumerate(ratios[:dimensions])
        ],
        place=place,
        summary=_principal_sentence(table, pca, dimensions, len(isolated)),
        key=key,
        dimensions=dimensions,
        principal=dimensions,
    )


def meaning_places(table: ShownTable, lines: Sequence[Line], isolated: Sequence[int], always: Sequence[int]) -> Places:
    """Place the rows along two lines of meaning; the third axis is empty."""
    ids = rows_in_view(table, isolated, always)
    axes = torch.stack([meaning_axis(table.vectors, line.start, line.stop) for line in lines])  # (2, d_model)
    middles = torch.stack([table.rows([*line.start, *line.stop]).mean(dim=0) for line in lines])  # (2, d_model)

    def place(rows: Tensor) -> Tensor:
        return _three_columns((rows.double() @ axes.T - (axes * middles).sum(dim=1)).float())

    key = ("meaning", table.key, tuple(lines), tuple(isolated), _sampled(table, always))
    return Places(
        ids=ids,
        points=_points(key, lambda: place(table.rows(ids)).numpy()),
        axes=[f"{line.start_name} → {line.stop_name}" for line in lines],
        place=place,
        summary=_meaning_sentence(axes),
        key=key,
        named=tuple(dict.fromkeys(row for line in lines for row in (*line.start, *line.stop))),
        part=meaning_part([(line.start, line.stop) for line in lines]),
    )


def _three_columns(points: Tensor) -> Tensor:
    missing = 3 - points.shape[-1]
    return torch.nn.functional.pad(points, (0, missing)) if missing > 0 else points


def _sampled(table: ShownTable, always: Sequence[int]) -> tuple[int, ...]:
    return () if table.n_rows <= MOST_POINTS else tuple(sorted(set(always)))


def _principal_sentence(table: ShownTable, pca: Pca, dimensions: int, n_isolated: int) -> str:
    n_rows = n_isolated or table.n_rows
    share = float(pca.explained_variance_ratio[:dimensions].sum())
    error = _("error under 0.01%") if pca.method == "block Krylov" else _("exact")
    sentence = _(
        "PCA ({method}, {error}) of {rows:,} rows × {columns:,}: {axes} axes hold {share:.2%} of the variance."
    ).format(method=pca.method, error=error, axes=dimensions, rows=n_rows, columns=table.d_model, share=share)
    if not n_isolated and table.n_rows > MOST_POINTS:
        sentence += " " + _("{drawn:,} of them are drawn (sample, seed 0).").format(drawn=MOST_POINTS)
    return sentence


def _meaning_sentence(axes: Tensor) -> str:
    angle = float(torch.rad2deg(torch.arccos((axes[0] @ axes[1]).clamp(-1, 1))))
    return _("Each axis joins two means of rows, at {angle:.0f}° in the table.").format(angle=angle)
