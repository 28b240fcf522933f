"""Tens of thousands of points as one picture, flat or turned in space: zoom, choose, search, mark, follow a text."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any, Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from ui.components import assets
from ui.components.heat import check_labels, pack
from ui.components.point_cloud_data import point_data
from ui.components.point_cloud_labels import LABELS
from ui.components.point_cloud_reports import read_selection, reported_choice

__all__ = ["LABELS", "Gradient", "Kind", "PathPoint", "PointCloud", "point_cloud", "point_data"]

NAMED_AT_MOST = 400  # of the highlighted points; a screen has room for a few dozen names

_SCRIPTS = (
    "heat",
    "point_cloud_store",
    "point_cloud_camera",
    "point_cloud_model",
    "point_cloud_scene",
    "point_cloud_actions",
    "point_cloud_order",
    "point_cloud_gl",
    "point_cloud_plain",
    "point_cloud_axes",
    "point_cloud_box",
    "point_cloud_names",
    "point_cloud_path",
    "point_cloud_marks",
    "point_cloud_motion",
    "point_cloud_region",
    "point_cloud_parts",
    "point_cloud_words",
    "point_cloud_pointer",
    "point_cloud_keys",
    "point_cloud_save",
)
_files = assets("point_cloud", *_SCRIPTS)
_component = st.components.v2.component("point-cloud", css=_files["css"], js=_files["js"])


@dataclass(frozen=True, slots=True)
class Kind:
    """One line of the legend."""

    index: int
    """Into the palette."""
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Gradient:
    """A legend for a palette whose colours run from the least to the greatest value."""

    title: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PathPoint:
    """One token of the text."""

    position: int
    """In the text, from 0: what every view of the page knows the token by."""
    label: str
    before: tuple[float, float, float]
    """Where the token's row lies, in the units of the coordinates."""
    after: tuple[float, float, float] | None = None
    """Where it lies with its position added; None where nothing is added."""


@dataclass(frozen=True, slots=True)
class PointCloud:
    """What the reader did."""

    chosen: int | None
    """Index of the chosen point."""
    selection: list[int] | None
    """Indices of the points just marked with box or lasso, [] where the mark was cleared; None in every other run."""


def point_cloud(
    data: str,
    *,
    colours: bytes | NDArray[np.uint8],
    palette: Sequence[str],
    legend: Sequence[Kind] | Gradient,
    dimensions: Literal[2, 3],
    chosen: int | None,
    neighbours: Sequence[tuple[int, float]],
    highlighted: NDArray[np.uint8] | Sequence[int] | None,
    path: Sequence[PathPoint],
    moved: bool,
    axes: Sequence[str],
    labels: Mapping[str, str],
    height: int,
    key: str,
    on_change: Callable[[], None],
    picture: str = "",
) -> PointCloud:
    """Draw the points that `point_data` has put into the browser.

    The browser keeps zoom and rotation through every run and through new places of the same points, to which they
    glide; they start anew where `picture` or the names are others.

    Pass back the `chosen` that this returned. As with the token chips, a click wins over it in the one run that it
    starts; in every other run `chosen` rules.

    Args:
        data: the fingerprint that `point_data` returned, in the same run.
        colours: n, the index of each point's colour in the palette.
        palette: at most 256 colours as "#rrggbb".
        legend: kinds by name, or what the palette's ends mean.
        dimensions: 2 draws the first two coordinates, 3 all of them, turned by dragging.
        chosen: index of the chosen point, None for none; one that does not exist counts as None.
        neighbours: the chosen point's, nearest first: index and similarity. Lines lead to them.
        highlighted: what a search found, as a mask (n,) or as indices, the best first; None where nothing is sought.
        path: the text's tokens in order; a line joins them.
        moved: whether they are drawn where their positions move them; the reader can drag them in between.
        axes: 2 or 3 titles.
        labels: the entries of LABELS, translated.
        height: of the picture in px, at least 200; a phone's screen limits it further.
        key: Streamlit key, without "__".
        on_change: called before the run that a choice or a mark starts.
        picture: what the coordinates are, such as "gpt2/pca".

    Raises:
        ValueError: indices out of range, sizes that do not agree, labels that lack an entry.
    """
    check_labels(labels, LABELS)
    n_points = len(colours)
    indices = np.frombuffer(colours, np.uint8) if isinstance(colours, bytes) else colours
    _check(indices, palette, dimensions, axes, height)
    _check_indices("neighbours", [index for index, _ in neighbours], n_points)
    found = None if highlighted is None else _ranked(highlighted, n_points)
    turn, index = reported_choice(key)
    turn_key = f"{key}:turn"
    if turn not in (0, st.session_state.get(turn_key, 0)):
        chosen = index
    st.session_state[turn_key] = turn
    if chosen is not None and not 0 <= chosen < n_points:
        chosen = None
    header: dict[str, Any] = {
        "data": data,
        "picture": picture,
        "count": n_points,
        "palette": list(palette),
        "legend": {"gradient": asdict(legend)}
        if isinstance(legend, Gradient)
        else {"kinds": [astuple(kind) for kind in legend]},
        "dimensions": dimensions,
        "chosen": chosen,
        "turn": turn,
        "neighbours": [[int(at), float(similarity)] for at, similarity in neighbours],
        "found": None if found is None else found[:NAMED_AT_MOST].tolist(),
        "path": [asdict(point) for point in path],
        "moved": moved,
        "axes": list(axes),
        "height": height,
        "labels": dict(labels),
    }
    mask = np.zeros(n_points, np.uint8)
    if found is not None:
        mask[found] = 1
    tail = indices.tobytes() + (b"" if found is None else np.packbits(mask, bitorder="little").tobytes())
    result = _component(key=key, data=pack(header, (), tail), on_chosen_change=on_change, on_selection_change=on_change)
    return PointCloud(chosen, read_selection(result.selection, n_points))


def _check(
    indices: NDArray[np.uint8], palette: Sequence[str], dimensions: int, axes: Sequence[str], height: int
) -> None:
    if indices.dtype != np.uint8 or indices.ndim != 1:
        raise ValueError(f"colours has dtype {indices.dtype} and shape {indices.shape}: give (n,) uint8")
    if not 1 <= len(palette) <= 256 or any(len(colour) != 7 or colour[0] != "#" for colour in palette):
        raise ValueError(f"palette={list(palette)[:8]} must be 1 to 256 colours, each as #rrggbb")
    if len(indices) and int(indices.max()) >= len(palette):
        raise ValueError(f"colours reaches {indices.max()} but the palette has {len(palette)} colours")
    if dimensions not in (2, 3) or len(axes) < dimensions:
        raise ValueError(f"dimensions={dimensions} with {len(axes)} axes: give 2 or 3, and a title for each axis")
    if not (math.isfinite(height) and height >= 200):
        raise ValueError(f"height={height} must be at least 200 px")


def _check_indices(name: str, indices: Sequence[int] | NDArray[np.integer], n_points: int) -> None:
    if len(indices) and not 0 <= min(indices) <= max(indices) < n_points:
        raise ValueError(f"{name} reach from {min(indices)} to {max(indices)}: give indices in 0..{n_points - 1}")


def _ranked(highlighted: NDArray[np.uint8] | Sequence[int], n_points: int) -> NDArray[np.int64]:
    """The indices, best first, of a mask or of a list."""
    if isinstance(highlighted, np.ndarray):
        if highlighted.shape != (n_points,):
            raise ValueError(f"highlighted has shape {highlighted.shape}: a mask must be ({n_points},)")
        return np.flatnonzero(highlighted).astype(np.int64)
    ranked = np.asarray(list(highlighted), dtype=np.int64)
    _check_indices("highlighted", ranked, n_points)
    return ranked
