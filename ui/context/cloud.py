"""Vectors as points on their two principal axes, each with its sentence."""

from collections.abc import Hashable, Sequence
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from torch import Tensor

from embedlib.figures import SERIES, cloud_figure
from embedlib.neighbours import nearest_neighbours
from embedlib.projection import fit_pca
from ui.cache.bounded import memo
from ui.components import point_cloud as cloud_component
from ui.components._shared.reports import read_number
from ui.components.point_cloud import Kind, Points, point_cloud, point_data
from ui.export import Drawing, LabelledPoints, figure_drawing, save_menu
from ui.i18n import translate_labels
from ui.shared.page import current_theme, principal_titles

_LONGEST = 44  # characters of a sentence beside its point
_NEIGHBOURS = 3


def cloud(
    vectors: Tensor,
    sentences: Sequence[str],
    groups: Sequence[int],
    names: Sequence[str],
    *,
    key: str,
    title: str,
    shows: Hashable,
) -> None:
    """Draw the points, with lines from a chosen one to its nearest, and offer their numbers and the figure.

    Args:
        vectors: (n, d_model), at least 2 rows.
        sentences: one for each point.
        groups: of each point, as an index into names; their colours.
        names: what the groups are called, in the legend.
        key: Streamlit key, and name of the files.
        title: heading of the saved figure.
        shows: all that decides the vectors, the cache key of their coordinates.
    """
    points, shares = _point_positions(shows, vectors)
    look, ids = current_theme(), np.arange(len(points))
    labels = [one if len(one) <= _LONGEST else f"{one[: _LONGEST - 1]}…" for one in sentences]
    palette = SERIES[look]
    colours = np.array([group % len(palette) for group in groups], dtype=np.uint8)
    kinds = [(index % len(palette), name) for index, name in enumerate(names) if index in groups]
    axes = principal_titles(shares)
    chosen: int | None = st.session_state.get(f"{key}-chosen")
    if chosen is not None and chosen >= len(points):
        chosen = None
    save_menu(saved_cloud, points, colours, kinds, axes, labels, vectors, key=key, title=title)
    drawn = point_cloud(
        Points(
            data=point_data(points, ids, labels, cache_key=f"{key} {shows!r}"),
            colours=colours,
            palette=palette,
            legend=[Kind(index, name, int((colours == index).sum())) for index, name in kinds],
            dimensions=2,
            chosen=chosen,
            neighbours=[] if chosen is None else _nearest(vectors, chosen),
            axes=axes,
            labels=translate_labels(cloud_component.LABELS),
            height=440,
            landmarks="all",
            picture=key,
        ),
        key=key,
        on_change=partial(_apply_click, key),
    )
    st.session_state[f"{key}-chosen"] = drawn.chosen


def saved_cloud(
    points: NDArray[np.float32],
    colours: NDArray[np.uint8],
    kinds: list[tuple[int, str]],
    axes: list[str],
    labels: list[str],
    vectors: Tensor,
    *,
    key: str,
    title: str,
) -> Drawing:
    """Draw the points as a Plotly figure."""
    return figure_drawing(
        key,
        title,
        LabelledPoints(np.arange(len(points)), labels, points, {"vectors": vectors}),
        cloud_figure,
        points[:, :2],
        key=key,
        labels=labels,
        colours=colours,
        palette=SERIES["light"],
        kinds=kinds,
        axis_titles=axes,
        named=list(range(len(points))),
    )


@memo(key=lambda shows, vectors: shows)
def _point_positions(shows: Hashable, vectors: Tensor) -> tuple[NDArray[np.float32], list[float]]:
    """Return each vector's coordinates on two axes, (n, 3) with 0 in the third column, and their variance ratios."""
    pca = fit_pca(vectors, 2)
    points = np.zeros((len(vectors), 3), dtype=np.float32)
    points[:, :2] = pca.transform(vectors).float().numpy()
    return points, pca.explained_variance_ratio[:2].tolist()


def _nearest(vectors: Tensor, row: int) -> list[tuple[int, float]]:
    near = nearest_neighbours(vectors, vectors[row][None], min(_NEIGHBOURS, len(vectors) - 1), exclude=[row])
    return list(zip(near.ids[0].tolist(), near.similarities[0].tolist(), strict=True))


def _apply_click(key: str) -> None:
    """Apply a click in a callback, so that its rerun draws the neighbours."""
    st.session_state[f"{key}-chosen"] = read_number(key, "chosen")
