"""Maps that keep neighbours together, t-SNE and UMAP: their controls, the job in the background, its result."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import streamlit as st
from torch import Tensor

from embedlib.programs import map_part
from embedlib.projection import fit_pca, largest_perplexity, tsne, umap, umap_available
from embedlib.random import sample_rows
from ui.i18n import _, separator
from ui.jobs import Report, jobs, show_job, this_visitor
from ui.projection.places import Places
from ui.projection.view import View
from ui.settings import controls, state

FEWEST = 7  # rows from which a perplexity is possible
MOST_IN_SPACE = 5_000  # t-SNE in three dimensions takes half a minute for so many, and two for twice as many


def map_controls(method: str) -> None:
    """Draw the settings of a map."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        controls.control(
            "sample", help=_("How many rows, drawn at random, the map is made of; t-SNE in 3-D takes at most 5,000.")
        )
        if method == "tsne":
            controls.control(
                "perplexity", help=_("Roughly how many neighbours of each row the map tries to keep near.")
            )
        else:
            controls.control(
                "n_neighbors", help=_("How many neighbours of each row the map tries to keep near, itself included.")
            )
            controls.control("min_dist")
        controls.control("map_seed")


def map_places(view: View, dimensions: Literal[2, 3], draw: Callable[[Places], None]) -> Places | None:
    """Return the coordinates of the rows once computed; until then show progress, and draw the moving points."""
    method = view.map
    if method == "umap" and not umap_available():
        in_checkout = (Path(__file__).parents[2] / "bin" / "environment").exists()
        command = "bin/environment requirements-umap.txt" if in_checkout else "pip install umap-learn==0.5.12"
        st.info(_("UMAP is not installed: choose t-SNE, or run {command}.").format(command=f"`{command}`"))
        return None
    if view.table.d_model < dimensions:
        dimensions = 2
    limit, always = _sample(view)
    ids = np.asarray(view.isolated, dtype=np.int64) if view.isolated else np.arange(view.table.n_rows)
    if limit is not None:
        ids = ids[sample_rows(len(ids), limit, always=always)]
    if len(ids) < FEWEST:
        st.info(_("This map needs at least {count} rows.").format(count=FEWEST))
        return None
    settings = _settings(method, len(ids))
    metric = "euclidean" if view.metric == "euclidean" else "cosine"
    key = (method, view.table.key, dimensions, metric, *sorted(settings.items()), ids.tobytes())
    part = map_part(
        method,
        n_components=dimensions,
        metric=metric,
        settings=settings,
        rows=view.isolated,
        limit=limit,
        always=always,
    )

    def work(report: Report) -> Tensor:
        rows = view.table.rows(ids)
        # What every map begins with is there at once, so there is something to see from the first moment.
        report(0.0, fit_pca(rows, dimensions).transform(rows))
        make = tsne if method == "tsne" else umap
        return make(rows, n_components=dimensions, metric=metric, progress=report, **settings)

    def build_places(points: Tensor) -> Places:
        padded = np.zeros((len(ids), 3), dtype=np.float32)
        padded[:, : points.shape[1]] = points.numpy()
        summary = _map_summary(view, method, len(ids), metric, settings)
        return Places(ids, padded, ["", "", ""][:dimensions], None, summary, key, dimensions, part=part)

    job = jobs.submit(key, work, visitor=this_visitor())
    stopped = job.is_cancelled_by(this_visitor())
    done = show_job(
        job,
        title=_("{method} of {count:,} rows").format(
            method=_("t-SNE") if method == "tsne" else _("UMAP"), count=len(ids)
        ),
        key="map-job",
        draw=lambda points: draw(build_places(points)),
        failure=lambda error: _("There is no map, since all rows are equal or some are not finite."),
    )
    if done:
        return build_places(job.result())
    if stopped and (latest := job.latest) is not None:
        places = build_places(latest)
        return replace(
            places,
            key=(*places.key, "stopped", job.share),
            summary=_("The map was stopped at {share:.0%}.").format(share=job.share) + separator(" ") + places.summary,
        )
    return None


def _sample(view: View) -> tuple[int | None, list[int]]:
    """Return how many rows are sampled, None for all, and which of them in any case."""
    limit = int(state.get("sample"))
    if view.map == "tsne" and state.get("view") == "3d":
        limit = min(limit, MOST_IN_SPACE)
    if (len(view.isolated) or view.table.n_rows) <= limit:
        return None, []
    if not view.isolated:
        return limit, sorted(set(view.text_ids))[:limit]
    known = {row: index for index, row in enumerate(view.isolated)}
    return limit, sorted({known[row] for row in view.text_ids if row in known})[:limit]


def _settings(method: str, n_rows: int) -> dict[str, Any]:
    seed = int(state.get("map_seed"))
    if method == "tsne":
        return {"perplexity": min(float(state.get("perplexity")), largest_perplexity(n_rows)), "seed": seed}
    return {
        "n_neighbors": min(int(state.get("n_neighbors")), n_rows),
        "min_dist": float(state.get("min_dist")),
        "seed": seed,
    }


def _map_summary(view: View, method: str, count: int, metric: str, settings: Mapping[str, Any]) -> str:
    measured = _("cosine") if metric == "cosine" else _("Euclidean distance")
    sentence = (
        _("A t-SNE map of {count:,} rows by {metric}, with perplexity {perplexity:g} and seed {seed}.").format(
            count=count, metric=measured, **settings
        )
        if method == "tsne"
        else _("A UMAP map of {count:,} rows by {metric}, with {n_neighbors} neighbours and seed {seed}.").format(
            count=count, metric=measured, **settings
        )
    )
    sentence += separator(" ") + _(
        "Only who is whose neighbour means something here: axes, sizes of groups and distances between them do not."
    )
    if count < (len(view.isolated) or view.table.n_rows):
        sentence += separator(" ") + _("The rows were drawn at random (seed 0), with those of your text.")
    if view.metric == "dot":
        sentence += separator(" ") + _("The map uses the cosine, since the dot product is no distance.")
    return sentence
