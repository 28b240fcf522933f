"""Colours of the rows in view, and their legend."""

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from embedlib.figures import KINDS as KIND_COLOURS
from embedlib.figures import SEQUENTIAL, Theme, gradient
from embedlib.neighbours import neighbour_distances
from embedlib.tokenizers import SCRIPTS, TOKEN_KINDS
from ui.cache.bounded import memo
from ui.components.point_cloud import Gradient, Kind
from ui.i18n import _, separator
from ui.jobs import Report, result_or_progress
from ui.projection.places import Places
from ui.projection.tables import ShownTable
from ui.projection.view import View, name_lengths, norms_by_row, row_kinds, row_scripts, similarities
from ui.settings import COLUMN
from ui.shared.page import current_theme


@dataclass(frozen=True, eq=False)
class Colours:
    """Colours of points."""

    indices: NDArray[np.uint8]  # (n,) into the palette
    palette: Sequence[str]  # "#rrggbb" each
    legend: Sequence[Kind] | Gradient
    remark: str | None = None  # what the reader must do for the colours to say something


def print_palette(colours: Colours) -> Sequence[str]:
    """Return the palette for white paper, whatever the theme on the screen is."""
    return _scale("light") if isinstance(colours.legend, Gradient) else KIND_COLOURS["light"]


def colour_titles(table: ShownTable) -> dict[str, str]:
    """Name what the points can be coloured by."""
    titles = {
        "meaning": _("kind of word"),
        "kind": _("kind of token"),
        "script": _("script"),
        "length": _("characters"),
        "norm": _("vector length"),
        "count": _("frequency"),
        "frequency": _("frequency in your text"),
        "similarity": _("similarity to the chosen row"),
        "distance": _("distance to the nearest row"),
    }
    unknown = {"count": table.counts is None, "meaning": table.groups is None, "distance": table.is_large}
    columns = {f"{COLUMN}{name}": name for name in table.names.columns}
    return {name: title for name, title in titles.items() if not unknown.get(name)} | columns


def colour_in_view(table: ShownTable, wanted: str | None) -> str:
    """Return what the points are coloured by: as requested, else by the most informative of this table."""
    if wanted in colour_titles(table):
        return str(wanted)
    if table.groups is not None:
        return "meaning"
    return "kind" if table.counts is None else "count"


def colour_rows(view: View, ids: NDArray[np.int64], wanted: str) -> Colours:
    """Colour the rows that are drawn, by a key of `colour_titles`."""
    table, chosen = view.table, view.chosen
    title = colour_titles(table)[wanted]
    match wanted:
        case "meaning" if table.groups is not None:
            groups, titles = table.groups
            return _colour_by_group(groups[ids], [_(group) for group in titles])
        case "kind":
            return _colour_by_group(row_kinds(table, ids), [_(kind) for kind in TOKEN_KINDS.values()])
        case "script":
            return _colour_by_group(row_scripts(table, ids), [_(script) for script in SCRIPTS.values()])
        case "length":
            return _colour_by_value(name_lengths(table, ids), title)
        case "norm":
            return _colour_by_value(norms_by_row(table, ids), title)
        case "count" if table.counts is not None:
            graded = _colour_by_value(np.log10(np.asarray(table.counts, dtype=np.float32)[ids]), "")
            assert isinstance(graded.legend, Gradient)
            low, high = (10.0**end for end in (graded.legend.low, graded.legend.high))
            return replace(graded, legend=Gradient(title, low, high, logarithmic=True))
        case "frequency":
            times = Counter(view.text_ids)
            return _colour_by_value(np.array([times[row] for row in ids.tolist()], dtype=np.float32), title)
        case "similarity" if chosen is not None:
            return _colour_by_value(similarities(table, chosen, view.metric, ids), title)
        case _ if wanted.startswith(COLUMN):
            column = table.names.columns[title]
            return _colour_by_column([column[row] for row in ids.tolist()], title)
        case "distance" if (distances := known_distances(table, view.metric)) is not None:
            return _colour_by_value(distances[ids], title)
    remark = _("Choose a point to colour by similarity.") if wanted == "similarity" else None
    return Colours(np.zeros(len(ids), dtype=np.uint8), KIND_COLOURS[current_theme()][:1], [], remark)


def colour_by_density(places: Places) -> Colours:
    """Colour the few rows drawn over a density like the density around them, whose scale is the legend."""
    of = places.density
    assert of is not None
    assert of.counts is not None
    palette, window = _scale(current_theme()), of.window
    rows, columns = of.counts.shape
    across = (places.points[:, 0] - window.left) / (window.right - window.left) * columns
    up = (places.points[:, 1] - window.bottom) / (window.top - window.bottom) * rows
    around = of.counts[up.clip(0, rows - 1).astype(int), across.clip(0, columns - 1).astype(int)]
    most = int(of.counts.max())
    share = np.log(around.clip(1)) / max(math.log(most), 1e-9)
    title = _("rows per pixel") if of.cell == 1 else _("rows per {size}×{size} pixels").format(size=of.cell)
    title += separator(" ") + _("(log scale)")
    indices = (share * (len(palette) - 1)).round().astype(np.uint8)
    return Colours(indices, palette, Gradient(title, 1, most, logarithmic=True))


def count_visible(colours: Colours, places: Places) -> Colours:
    """Return colours whose legend counts only the visible points of a density."""
    if places.density is None or isinstance(colours.legend, Gradient):
        return colours
    left, bottom, right, top = places.density.seen.window
    x, y = places.points[:, 0], places.points[:, 1]
    inside = colours.indices[(x >= left) & (x <= right) & (y >= bottom) & (y <= top)]
    counts = np.bincount(inside, minlength=len(colours.palette)).tolist()
    kinds = [replace(kind, count=counts[kind.index]) for kind in colours.legend]
    return replace(colours, legend=[kind for kind in kinds if kind.count])


def _colour_by_group(groups: NDArray[np.int64], names: Sequence[str]) -> Colours:
    """Colour by group: the most frequent groups have a colour each, the rest one together."""
    palette = KIND_COLOURS[current_theme()]
    counts = Counter(groups.tolist()).most_common()
    own = counts if len(counts) <= len(palette) else counts[: len(palette) - 1]
    rest = sum(count for _, count in counts[len(own) :])
    index_of = np.full(len(names), len(own), dtype=np.uint8)
    for index, (group, _count) in enumerate(own):
        index_of[group] = index
    legend = [Kind(index, names[group], count) for index, (group, count) in enumerate(own)]
    if rest:
        legend.append(Kind(len(own), _("all others"), rest))
    return Colours(index_of[groups], palette, legend)


def _colour_by_column(cells: Sequence[str], title: str) -> Colours:
    """Colour by a column of a file: by value where all cells are numbers, else by the text of the cell."""
    with suppress(ValueError):
        values = np.array(cells, dtype=np.float32)
        if np.isfinite(values).all():
            return _colour_by_value(values, title)
    texts = {text: group for group, text in enumerate(dict.fromkeys(cells))}
    return _colour_by_group(np.array([texts[cell] for cell in cells], dtype=np.int64), [text or "–" for text in texts])


def _colour_by_value(values: NDArray[np.float32], title: str) -> Colours:
    """Colour by value: the scale spans the values but for a hundredth at each end."""
    palette = _scale(current_theme())
    low, high = (float(end) for end in np.quantile(values, [0.01, 0.99])) if len(values) else (0.0, 1.0)
    if low == high:
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    share = (values - low) / (high - low) if high > low else np.zeros_like(values)
    indices = (share.clip(0, 1) * (len(palette) - 1)).round().astype(np.uint8)
    return Colours(indices, palette, Gradient(title, low, high))


@memo()
def _scale(look: Theme) -> list[str]:
    return gradient(SEQUENTIAL[look])


def known_distances(table: ShownTable, metric: str) -> NDArray[np.float32] | None:
    """Return each row's distance to its nearest, (n_rows,), once computed; until then show progress."""
    measured = "euclidean" if metric == "euclidean" else "cosine"  # which also stands in for the dot product

    def work(report: Report) -> Tensor:
        return neighbour_distances(table.vectors, metric=measured, progress=report)

    distances = result_or_progress(
        work,
        job=("distances", table.key, measured),
        title=_("Distances between {rows:,} rows").format(rows=table.n_rows),
        key="distance-job",
        failure=lambda error: _("Rows overflow: scale the table down."),
    )
    return None if distances is None else distances.float().cpu().numpy()
