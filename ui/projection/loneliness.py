"""How far every row is from its nearest other one: half a minute of work for a large table, done in the background."""

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from embedlib.neighbours.search import neighbour_distances
from ui.i18n import _
from ui.jobs.job import Job, Report
from ui.jobs.queue import jobs
from ui.jobs.view import show_job, this_visitor
from ui.projection.shown_table import ShownTable


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
