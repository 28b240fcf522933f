"""How far the picture can be believed: what its axes hold, and how many neighbours it keeps."""

import numpy as np
import streamlit as st
from plotly.graph_objects import Figure

from embedlib.faithfulness import SampledFaithfulness, sampled_faithfulness, trustworthiness
from embedlib.figures.layout import CONFIG
from embedlib.figures.scree import scree_figure
from embedlib.sampling import sample_rows
from ui import theme
from ui.bounded_cache import BoundedCache
from ui.i18n import _
from ui.projection.places import Places, pca_of
from ui.projection.traits import NEIGHBOURS
from ui.projection.view import View
from ui.tables import columns_csv
from ui.take_along import take_along

ASKED = 300  # rows whose neighbours are compared
RANKED = 1_000  # rows among which all are ranked

_measured: BoundedCache[tuple[object, ...], tuple[SampledFaithfulness, float]] = BoundedCache(100_000, lambda _: 200)


def faithfulness(view: View, places: Places) -> None:
    """Say in numbers how the neighbourhoods in the picture differ from the true ones."""
    st.header(_("How much of the table is in the picture?"))
    if len(places.ids) < 4:
        st.info(_("With fewer than four rows in view there is nothing to measure."))
        return
    key = (view.table.key, places.key, len(places.ids), places.dimensions, view.isolated)
    sampled, trust = _measured.get(key, lambda: _measure(view, places))
    count = min(NEIGHBOURS, len(places.ids) - 1)
    left, middle, right = st.columns(3)
    left.metric(
        _("neighbours kept"),
        f"{sampled.share:.1%}",
        help=_(
            "Of a row's {count} nearest rows in view, by Euclidean distance in all columns, the mean share that is "
            "also among its {count} nearest in the picture; asked of {asked:,} rows."
        ).format(count=count, asked=sampled.n_sampled),
    )
    middle.metric(
        _("by chance"),
        f"{sampled.chance:.2%}",
        help=_("What points strewn at random over the picture would keep."),
    )
    right.metric(
        _("trustworthiness"),
        f"{trust:.3f}",
        help=_(
            "1 where all that is near in the picture is near in the table; strangers count by how far down the true "
            "order they stand (Venna and Kaski 2001). About 0.5 by chance. Measured among {count:,} rows."
        ).format(count=min(RANKED, len(places.ids))),
    )
    st.caption(
        _(
            "A picture on {axes} axes of {columns:,} cannot keep everything. Trust the table of neighbours where the "
            "two differ."
        ).format(axes=places.dimensions, columns=view.table.d_model)
    )


def scree(view: View, shown: int) -> None:
    """Draw how much of the variance each principal axis holds."""
    pca = pca_of(view.table, view.isolated)
    ratios = pca.explained_variance_ratio.clamp(0, 1).tolist()
    columns = view.table.d_model
    figure = scree_figure(
        ratios,
        n_features=columns,
        shown=shown,
        names=(_("share of the variance"), _("all up to here"), _("each axis of a round cloud")),
        x_title=_("principal axis"),
        y_title=_("share of the variance"),
        theme=theme.current(),
        hover_text=_("PC {number}: {share}\nup to here: {sum}"),
    )
    sentence = _(
        "The first {count} of {columns:,} principal axes hold {share:.1%} of the variance, the first alone "
        "{first:.2%}; if the cloud were round, each would hold {level:.2%}."
    ).format(count=len(ratios), columns=columns, share=sum(ratios), first=ratios[0], level=1 / columns)
    st.plotly_chart(figure, key="scree", alt=sentence, theme=None, config=CONFIG)

    def again() -> Figure:
        return figure

    take_along(
        "explained-variance",
        table=lambda: columns_csv({"share": pca.explained_variance_ratio}, row="axis"),
        figure=again,
    )
    st.caption(sentence)


def _measure(view: View, places: Places) -> tuple[SampledFaithfulness, float]:
    points = places.points[:, : places.dimensions]
    rows = view.table.vectors if len(places.ids) == view.table.n_rows else view.table.rows(places.ids)
    k = min(NEIGHBOURS, len(places.ids) - 1)
    sampled = sampled_faithfulness(rows, points, k=k, n_samples=ASKED)
    some = sample_rows(len(places.ids), min(RANKED, len(places.ids)))
    few = max(1, min(NEIGHBOURS, (len(some) - 1) // 2))
    return sampled, trustworthiness(view.table.rows(places.ids[some]), np.ascontiguousarray(points[some]), k=few)
