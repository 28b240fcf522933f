"""Faithfulness of the picture: the variance on its axes, and how many neighbours it keeps."""

from dataclasses import replace

import numpy as np
import streamlit as st
from torch import Tensor

from embedlib.figures import scree_figure
from embedlib.i18n import N_
from embedlib.projection import SampledFaithfulness, chance_variance_share, sampled_faithfulness, trustworthiness
from embedlib.random import sample_rows
from ui.cache.bounded import memo
from ui.export import Columns, Drawing, Keyed, figure_drawing, show
from ui.i18n import _
from ui.projection.controls import metric_titles
from ui.projection.places import Places, table_pca
from ui.projection.view import NEIGHBOURS, View
from ui.projection.whole import known_whole, load_whole
from ui.shared.page import section

ASKED = 300  # rows whose neighbours are compared
RANKED = 1_000  # rows among which all are ranked
SAMPLED = 10_000  # of a large table: each is read by itself, from anywhere in the file


@section(
    "projection-faithfulness",
    N_("How far to trust the picture"),
    lead=N_(
        "A flat picture of rows with many dimensions must put points side by side that are far apart. Here you see how "
        "many true neighbours it keeps, and how much of the differences between the rows its axes show."
    ),
)
def faithfulness(view: View, places: Places) -> None:
    """Show the faithfulness of the picture: its neighbourhoods, and the variance on its axes."""
    details = _show_neighbourhoods(view, _compared_places(view, places))
    _show_scree(view, places.principal)
    if details:
        with st.expander(_("For implementers")):
            st.write(details)


def _compared_places(view: View, places: Places) -> Places:
    """Return the places whose neighbourhoods are compared: a sample where rows are only counted."""
    whole = known_whole(view.table) if places.density is not None else None
    if whole is None:
        return places
    ids = sample_rows(view.table.n_rows, SAMPLED)
    points = np.zeros((len(ids), 3), dtype=np.float32)
    points[:, :2] = whole.places[:, ids].T
    return replace(places, ids=ids, points=points, key=("sampled",))


def _show_neighbourhoods(view: View, places: Places) -> str:
    """Show how many true neighbours the picture keeps; return a sentence on the measurement, "" for none."""
    count = min(NEIGHBOURS, (len(places.ids) - 1) // 3)  # more of so few rows would be neighbours by chance
    if count < 1:
        st.info(_("This comparison needs at least {count} rows.").format(count=4))
        return ""
    sampled, trust = _measure_faithfulness(view, places, count)
    st.write(
        _(
            "Of the {count} rows nearest to a row, **{share:.1%}** are also among the {count} nearest points in this "
            "picture, on average; by chance it would be {chance:.2%}."
        ).format(count=count, share=sampled.share, chance=sampled.chance)
    )
    return _(
        "Nearness of rows is measured by {metric}; {asked:,} rows were asked for their neighbours. The trustworthiness "
        "of the picture (Venna, Kaski 2001), among {ranked:,} rows, is {trust:.3f}: at 1 all neighbours in it are true "
        "ones, 0.5 is chance."
    ).format(
        metric=metric_titles()[view.metric],
        asked=sampled.n_sampled,
        ranked=min(RANKED, len(places.ids)),
        trust=trust,
    )


def _show_scree(view: View, shown: int) -> None:
    """Draw how much of the variance each principal axis holds.

    Args:
        view: what is looked at.
        shown: how many of the first axes are in the picture; 0 where the picture has others.
    """
    large = view.table.is_large and not view.isolated
    whole = load_whole(view.table) if large else None
    if large and whole is None:
        return
    pca = table_pca(view.table, view.isolated) if whole is None else whole.pca
    n_rows, columns = len(view.isolated) or view.table.n_rows, view.table.d_model
    key = (view.table.key, tuple(view.isolated))
    st.write(
        _(
            "The principal axes are directions across all dimensions, ordered by how much the rows differ along them. "
            "A bar shows the share of one axis in all differences (the variance), the line the sum of all so far."
        )
    )
    show(scree, Keyed(pca.explained_variance_ratio, key), n_rows, columns, shown)
    st.caption(_variance_sentence(pca.explained_variance_ratio, n_rows, columns))


def _variance_sentence(ratios: Tensor, n_rows: int, columns: int) -> str:
    shares = _axis_shares(ratios, n_rows, columns)
    level = chance_variance_share(n_rows, columns)
    return _(
        "The first {count} of {axes:,} axes together show {share:.1%} of the differences between the rows (their "
        "variance), the first alone {first:.1%}. If rows were random, it would show about {level:.1%}."
    ).format(count=len(shares), axes=min(n_rows - 1, columns), share=sum(shares), first=shares[0], level=level)


def _axis_shares(ratios: Tensor, n_rows: int, columns: int) -> list[float]:
    shares: list[float] = ratios.clamp(0, 1).tolist()[: min(n_rows - 1, columns)]
    return shares


def scree(ratios: Keyed[Tensor], n_rows: int, columns: int, shown: int) -> Drawing:
    """Draw the share of the variance of each principal axis of a table, and what random rows would have."""
    return figure_drawing(
        "explained-variance",
        _("Variance by principal axis"),
        Columns({"share": ratios.value, "cumulative": ratios.value.cumsum(0)}, row="axis"),
        scree_figure,
        _axis_shares(ratios.value, n_rows, columns),
        key="scree",
        alt=_variance_sentence(ratios.value, n_rows, columns),
        level=chance_variance_share(n_rows, columns),
        shown=shown,
        names=(_("share of the variance"), _("cumulative"), _("random rows: first axis (estimate)")),
        x_title=_("principal axis, the longest first"),
        y_title=_("share of the variance"),
        hover_text=_("PC {number}: {share}\nup to here: {sum}"),
    )


def _faithfulness_key(view: View, places: Places, _count: int) -> tuple[object, ...]:
    return view.table.key, places.key, len(places.ids), places.dimensions, view.isolated, view.metric


@memo(1_000_000, key=_faithfulness_key)
def _measure_faithfulness(view: View, places: Places, count: int) -> tuple[SampledFaithfulness, float]:
    points = places.points[:, : places.dimensions]
    rows = view.table.vectors if len(places.ids) == view.table.n_rows else view.table.rows(places.ids)
    sampled = sampled_faithfulness(rows, points, k=count, n_samples=ASKED, metric=view.metric)
    some = sample_rows(len(places.ids), min(RANKED, len(places.ids)))
    chosen, drawn = view.table.rows(places.ids[some]), np.ascontiguousarray(points[some])
    return sampled, trustworthiness(chosen, drawn, k=count, metric=view.metric)
