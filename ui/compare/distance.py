"""Similarity by distance, all schemes on one chart: within the trained length and past it."""

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures.curves import Curve, curves_alt, curves_figure
from embedlib.figures.layout import CONFIG
from embedlib.profiles import acts_by_logits, relative, standard
from ui import scheme_cache, state, theme
from ui.compare.pictures import group_of
from ui.compare.request import Comparison, label_of, places, title_of
from ui.i18n import _
from ui.scheme_cache import SchemeKey
from ui.tables import columns_csv
from ui.take_along import take_along


def by_distance(shown: Comparison) -> None:
    """Show how each scheme's similarity falls, or does not fall, with the distance."""
    st.segmented_control(
        _("Unit"),
        state.options("unit"),
        key="unit",
        format_func=lambda unit: {"relative": _("distance 0 is 1"), "standard": _("z-score")}[unit],
        required=True,
    )
    profiles = {key.name: _in_unit(key, shown.n_positions) for key in shown.keys}
    sentence = (
        _(
            "Rows added or turned: the mean product of two positions over that of a position with itself. "
            "Biases: the factor by which the mean bias multiplies an attention weight, against distance 0."
        )
        if state.get("unit") == "relative"
        else _("Each scheme’s own similarity, minus its mean over all distances, divided by its standard deviation.")
    )
    st.caption(sentence)
    y_title = _("similarity, distance 0 = 1") if state.get("unit") == "relative" else _("similarity, z-score")
    draw_curves(profiles, shown, key="by-distance", y_title=y_title)


def draw_curves(
    profiles: dict[str, Tensor | None],
    shown: Comparison,
    *,
    key: str,
    y_title: str,
    edge: tuple[float, str] | None = None,
) -> None:
    """Draw the profiles that there are, to look at and to take along, and name the schemes that have none."""
    names = [name for name, profile in profiles.items() if profile is not None]
    if names:
        values = torch.stack([profile for profile in profiles.values() if profile is not None])
        front = shown.keys[shown.front].name if shown.front is not None else None
        figure = curves_figure(
            values,
            curves=[Curve(title_of(name), label_of(name), group_of(name)) for name in names],
            groups=list(places().values()) if edge is None else (),
            x_title=_("distance between query and key"),
            y_title=y_title,
            theme=theme.current(),
            front=names.index(front) if front in names else None,
            chosen=(shown.position, _("position {position} sees this far back").format(position=shown.position))
            if edge is None
            else None,
            edge=edge,
            hover_text=_("{name}\ndistance {x}: {y}"),
        )
        alt = _("{lines} schemes over {points} distances, from {lowest:.2f} to {highest:.2f}.")
        st.plotly_chart(figure, key=key, alt=alt.format(**curves_alt(values)), theme=None, config=CONFIG)
        columns = dict(zip(names, values, strict=True))
        take_along(f"compare-{key}", table=lambda: columns_csv(columns, row="distance"), figure=lambda: figure)
    missing = [title_of(name) for name, profile in profiles.items() if profile is None]
    if missing:
        st.caption(_("Not defined in this unit: {schemes}.").format(schemes=", ".join(missing)))


def _in_unit(key: SchemeKey, n_positions: int) -> Tensor | None:
    own = scheme_cache.profile(key, n_positions)
    if own is None:
        return None
    if state.get("unit") == "standard":
        return standard(own)
    return relative(own, own, logits=acts_by_logits(key.scheme()))
