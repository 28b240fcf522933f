"""How the rows begin: five usual ways to draw a fresh table, and how long the rows are then."""

from collections.abc import Mapping

import streamlit as st
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.embedding import INITIALISATIONS, row_norm_law
from embedlib.figures import CONFIG, norm_histogram_figure, starts_figure
from ui.cache.figures import kept_figure
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.export import chart, lines_csv
from ui.i18n import _, ngettext
from ui.settings import controls, state
from ui.shared.page import current_theme

ENOUGH = 30  # rows from which on it can be seen how they spread


def how_rows_begin(request: Request) -> None:
    """Compare the lengths of rows under every initialisation, and show those of the one that is chosen."""
    st.header(_("How rows begin, and how long that makes them"))
    if request.by_hand:
        st.caption(_("The numbers of this matrix are given, not drawn: choose the random one to compare starts."))
        return
    if request.matrix == "trained":
        st.write(_not_fresh(request))
    kind = INITIALISATIONS[request.start]
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.latex(kind.formula)
    with right:
        st.write(_("**{title}.** {summary}").format(title=_(kind.title), summary=_(kind.summary)))
    st.segmented_control(
        _("A fresh table begins as") if request.matrix == "trained" else _("E begins as"),
        state.options("layer_start"),
        format_func=lambda name: _(INITIALISATIONS[name].title),
        required=True,
        **controls.shown_instead("layer_start", request.start),
    )
    _all_starts(request)
    _one_start(request)


def _not_fresh(request: Request) -> str:
    """Say that this section is not about E, whose rows have left their start, and how long they are now."""
    told = _("E is not fresh: this compares **fresh tables of its size**, {rows:,} × {d_model}, seed {seed}.").format(
        rows=request.vocab_size, d_model=request.d_model, seed=request.seed
    )
    norms = cache.trained_norms(request)
    if not len(norms):
        return told
    return (
        told
        + " "
        + ngettext(
            "Of E’s rows {count:,} is trained, and {mean:.4g} long.",
            "Of E’s rows {count:,} are trained; they are {low:.4g} to {high:.4g} long, {mean:.4g} on average.",
            len(norms),
        ).format(count=len(norms), low=float(norms.min()), high=float(norms.max()), mean=float(norms.mean()))
    )


def _all_starts(request: Request) -> None:
    size = (request.vocab_size, request.d_model)
    expected = {name: row_norm_law(name, *size).mean for name in INITIALISATIONS}
    look, heading = current_theme(), _heading(request)
    names = [_(kind.title) for kind in INITIALISATIONS.values()]
    legend, x_title = (_("shortest to longest row"), _("expected length")), _("length of a row")
    hover_text = _("{name}\nmeasured {low} to {high}, expected {expected}")
    chosen = list(INITIALISATIONS).index(request.start)

    def again() -> dict[str, Tensor]:
        return {name: cache.start_norms(name, *size, request.seed) for name in INITIALISATIONS}

    def draw(title: str = "") -> Figure:
        return starts_figure(
            list(again().values()),
            list(expected.values()),
            names=names,
            legend_names=legend,
            x_title=x_title,
            theme=look,
            chosen=chosen,
            hover_text=hover_text,
            title=title,
        )

    alt = ". ".join(
        _("{name}: {low:.3g} to {high:.3g}, expected {expected:.3g}").format(
            name=name, low=float(found.min()), high=float(found.max()), expected=law
        )
        for name, found, law in zip(names, again().values(), expected.values(), strict=True)
    )
    shows = (*size, request.seed, request.start)
    chart("starts", draw, alt=alt, table=lambda: starts_csv(again(), expected), title=heading, shows=shows)


def _heading(request: Request) -> str:
    if request.matrix == "trained":
        return _("How long a row of a fresh table is")
    return _("How long a row of E is at the start")


def _one_start(request: Request) -> None:
    norms = cache.start_norms(request.start, request.vocab_size, request.d_model, request.seed)
    law = row_norm_law(request.start, request.vocab_size, request.d_model)
    fresh = request.matrix == "trained"  # beside a trained E
    st.write(
        (
            _(
                "The {count:,} rows of this fresh table are {mean:.4g} long on average; mathematics expects "
                "{expected:.4g}, give or take {spread:.2g} from row to row: one spread. Each number is about {std:.3g} "
                "in size, and a row is about √{d_model} times that."
            )
            if fresh
            else _(
                "The {count:,} rows of E are {mean:.4g} long on average; mathematics expects {expected:.4g}, give or "
                "take {spread:.2g} from row to row: one spread. Each number is about {std:.3g} in size, and a row is "
                "about √{d_model} times that."
            )
        ).format(
            count=len(norms),
            mean=float(norms.mean()),
            expected=law.mean,
            spread=law.std,
            std=law.entry_std,
            d_model=request.d_model,
        )
    )
    if len(norms) < ENOUGH:
        return
    look, drawn = current_theme(), _("rows of the fresh table") if fresh else _("rows of E")
    names = (drawn, _("expected length"), _("one spread to each side"))
    x_title, y_title, hover_text = _("length of a row"), _("rows"), _("{low} to {high}\n{count}")

    def draw() -> Figure:
        return norm_histogram_figure(
            norms,
            expected=law.mean,
            spread=law.std,
            names=names,
            x_title=x_title,
            y_title=y_title,
            theme=look,
            hover_text=hover_text,
        )

    shows = ("norms", fresh, request.vocab_size, request.d_model, request.seed, request.start)
    alt = _("{count} rows from {low:.3g} to {high:.3g} long, expected {expected:.3g}.").format(
        count=len(norms), low=float(norms.min()), high=float(norms.max()), expected=law.mean
    )
    st.plotly_chart(kept_figure(shows, draw), key="start-norms", alt=alt, theme=None, config=CONFIG)


def starts_csv(norms: Mapping[str, Tensor], expected: Mapping[str, float]) -> str:
    """Write one line per initialisation: the expected length of a row, and the shortest, mean and longest drawn."""
    lines = (
        [name, expected[name], float(found.min()), float(found.mean()), float(found.max())]
        for name, found in norms.items()
    )
    return lines_csv(["start", "expected", "shortest", "mean", "longest"], lines)
