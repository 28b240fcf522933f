"""Every token's row as a point, and an arrow to what it becomes once its position is added, in one shared basis."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from torch import Tensor

from embedlib.figures.layout import Frame, FrameOptions, check_chosen, check_labels, check_matrix, numbers
from embedlib.figures.projection_2d import Style, flat_figure
from embedlib.figures.projection_3d import solid_figure
from embedlib.figures.text import hover


@dataclass(frozen=True, slots=True)
class ProjectionText:
    """The words of a projection, already translated.

    Attributes:
        rows: legend name of the tokens' rows.
        positions: legend name of the arrows.
        sums: legend name of rows + positions.
        hover_row: what a row says, with {token} and {position}.
        hover_sum: what a sum says, with {token} and {position}.
    """

    rows: str
    positions: str
    sums: str
    hover_row: str = "{token}\n{position}"
    hover_sum: str = "{token}\n{position}"


def projection_figure(
    rows: Tensor,
    sums: Tensor | None,
    *,
    labels: Sequence[str],
    axis_titles: Sequence[str],
    text: ProjectionText,
    chosen: int | None = None,
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw projected rows, in two or three dimensions as their width says.

    Args:
        rows: (n_tokens, 2) or (n_tokens, 3), the tokens' rows in the shared basis.
        sums: same shape, rows + positions in the same basis; None for a scheme that adds nothing.
        axis_titles: one per axis, such as "PC 1 (34.2 %)".
        text: legend names and hovers.
        chosen: the token that is ringed and always named, on three axes; on two a page marks it by itself.

    Returns:
        A figure whose points carry the token's position as customdata. Axes have one unit length. Above 500 tokens
        the arrows of the flat figure have no heads.
    """
    check_matrix("rows", rows, columns=(2, 3))
    if sums is not None and sums.shape != rows.shape:
        raise ValueError(f"sums has shape {tuple(sums.shape)}: it must be that of rows, {tuple(rows.shape)}")
    check_labels(labels, rows.shape[0])
    check_chosen(chosen, rows.shape[0])
    if len(axis_titles) != rows.shape[1]:
        raise ValueError(f"axis_titles has {len(axis_titles)} entries for {rows.shape[1]} axes: give one for each")
    style = Style(
        labels=labels,
        axis_titles=axis_titles,
        names=(text.rows, text.positions, text.sums),
        hovers=(_hover(text.hover_row), _hover(text.hover_sum)),
        frame=Frame(**options),
        chosen=chosen,
    )
    draw = flat_figure if rows.shape[1] == 2 else solid_figure
    return draw(numbers(rows), None if sums is None else numbers(sums), style)


def _hover(template: str) -> str:
    return hover(template, token="%{hovertext}", position="%{customdata}")


def projection_alt(rows: Tensor, sums: Tensor | None, ratios: Sequence[float]) -> dict[str, float]:
    """Return a projection in numbers, for a sentence.

    Args:
        rows: (n_tokens, 2) or (n_tokens, 3).
        sums: same shape, or None.
        ratios: variance share of each axis, 0 to 1.

    Returns:
        tokens, axes, share (percent of the variance that is shown), arrow (mean length of the arrows, 0 without sums)
        and spread (mean distance of the rows from their mean), the last two in the axes' unit.
    """
    points = numbers(rows)
    arrow = 0.0 if sums is None else _mean_length(numbers(sums) - points)
    return {
        "tokens": points.shape[0],
        "axes": points.shape[1],
        "share": 100 * float(sum(ratios)),
        "arrow": arrow,
        "spread": _mean_length(points - points.mean(axis=0)),
    }


def _mean_length(vectors: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(vectors, axis=1).mean())
