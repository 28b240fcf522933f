"""Which colour each row in view has, and what the colours mean."""

from collections import Counter
from collections.abc import Sequence
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
from ui.i18n import _
from ui.jobs import Job, Report, jobs, show_job, this_visitor
from ui.projection.tables import ShownTable
from ui.projection.view import View, kinds_of_rows, lengths_of_rows, norms_of_rows, scripts_of_rows, similarities
from ui.shared.page import current_theme


@dataclass(frozen=True, eq=False)
class Colours:
    """Colours of points.

    Attributes:
        indices: (n,) into the palette.
        palette: "#rrggbb" each.
        legend: what they mean.
        remark: what the reader must do for the colours to say something; None where they do.
    """

    indices: NDArray[np.uint8]
    palette: Sequence[str]
    legend: Sequence[Kind] | Gradient
    remark: str | None = None


def colour_titles(table: ShownTable) -> dict[str, str]:
    """Name what the points can be coloured by."""
    titles = {
        "meaning": _("kind of word"),
        "kind": _("kind of token"),
        "script": _("script"),
        "length": _("number of characters"),
        "norm": _("length of the row"),
        "count": _("how often it was met"),
        "frequency": _("times in your text"),
        "similarity": _("likeness to the chosen"),
        "distance": _("nearest neighbour"),
    }
    unknown = {"count": table.counts is None, "meaning": table.groups is None}
    return {name: title for name, title in titles.items() if not unknown.get(name)}


def colour_in_view(table: ShownTable, wanted: str | None) -> str:
    """Return what the points are coloured by: as asked for, else what tells most about this table."""
    if wanted in colour_titles(table):
        return str(wanted)
    if table.groups is not None:
        return "meaning"
    return "kind" if table.counts is None else "count"


def colours_of(view: View, ids: NDArray[np.int64], wanted: str) -> Colours:
    """Colour the rows in view.

    Args:
        view: what is looked at.
        ids: the rows that are drawn.
        wanted: what they are coloured by.
    """
    table, chosen = view.table, view.chosen
    match wanted:
        case "meaning" if table.groups is not None:
            groups, titles = table.groups
            return _sorted_by(groups[ids], [_(title) for title in titles])
        case "kind":
            return _sorted_by(kinds_of_rows(table)[ids], [_(title) for title in TOKEN_KINDS.values()])
        case "script":
            return _sorted_by(scripts_of_rows(table)[ids], [_(title) for title in SCRIPTS.values()])
        case "length":
            return _graded(lengths_of_rows(table)[ids], _("characters"))
        case "norm":
            return _graded(norms_of_rows(table)[ids], _("length of the row"))
        case "count" if table.counts is not None:
            counts = np.asarray(table.counts, dtype=np.float32)[ids]
            graded = _graded(np.log10(counts), "")
            assert isinstance(graded.legend, Gradient)
            low, high = (10.0**end for end in (graded.legend.low, graded.legend.high))
            return replace(graded, legend=Gradient(_("times met"), low, high, logarithmic=True))
        case "frequency":
            times = Counter(view.text_ids)
            return _graded(np.array([times[row] for row in ids.tolist()], dtype=np.float32), _("times in your text"))
        case "similarity" if chosen is not None:
            title = _("likeness to {label}").format(label=table.names.labels[chosen])
            return _graded(similarities(table, chosen, view.metric)[ids], title)
        case "distance" if (distances := known_distances(table, view.metric)) is not None:
            return _graded(distances[ids], _("distance to the nearest row"))
    waiting = _("Choose a point: the colours then say how alike every other row is to it.")
    return _plain(len(ids), waiting if wanted == "similarity" else None)


def _sorted_by(groups: NDArray[np.int64], names: Sequence[str]) -> Colours:
    """Give the most frequent groups a colour of their own, the most frequent first, and the rest one together."""
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


def _graded(values: NDArray[np.float32], title: str) -> Colours:
    """Spread a scale between the least and the greatest value, a hundredth of the values beyond each end."""
    palette = _scale(current_theme())
    low, high = (float(end) for end in np.quantile(values, [0.01, 0.99])) if len(values) else (0.0, 1.0)
    if low == high:
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    share = (values - low) / (high - low) if high > low else np.zeros_like(values)
    indices = (share.clip(0, 1) * (len(palette) - 1)).round().astype(np.uint8)
    return Colours(indices, palette, Gradient(title, low, high))


def _plain(count: int, remark: str | None) -> Colours:
    return Colours(np.zeros(count, dtype=np.uint8), KIND_COLOURS[current_theme()][:1], [], remark)


@memo()
def _scale(look: Theme) -> list[str]:
    return gradient(SEQUENTIAL[look])


def known_distances(table: ShownTable, metric: str) -> NDArray[np.float32] | None:
    """Return the distances, (n_rows,), once they are there; until then show how the work goes.

    Args:
        table: in view.
        metric: "euclidean", or the cosine, which also stands in for the dot product.
    """
    measured = "euclidean" if metric == "euclidean" else "cosine"

    def work(report: Report) -> Tensor:
        return neighbour_distances(table.vectors, metric=measured, progress=report)

    job: Job[Tensor] = jobs.submit(("distances", table.key, measured), work, visitor=this_visitor())
    show_job(
        job,
        title=_("Measuring {rows:,} rows against each other").format(rows=table.n_rows),
        key="distance-job",
        failure=lambda error: _("The distances cannot be had: some rows are too large to be squared."),
    )
    return job.result().float().cpu().numpy() if job.state == "done" else None
