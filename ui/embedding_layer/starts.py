"""How the rows begin: five usual ways to draw a fresh table, and how long the rows are then."""

from collections.abc import Mapping
from functools import partial

import streamlit as st
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.embedding import INITIALISATIONS, row_norm_law
from embedlib.figures import Theme, norm_histogram_figure, starts_figure
from embedlib.i18n import N_
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.export import chart, columns_csv, lines_csv
from ui.i18n import _, between
from ui.settings import controls, state
from ui.shared.page import current_theme, late_block
from ui.shared.rows import LEARNED, rows_source

ENOUGH = 30  # rows from which on it can be seen how they spread


@late_block("layer-starts", N_("Initialization"), height=1029, phone=1356)
def initialisations(request: Request) -> None:
    """Compare the lengths of rows under every initialisation, and show those of the one that is chosen."""
    if request.by_hand:
        st.caption(_("Choose the random matrix to compare."))
        return
    if request.matrix in LEARNED:
        st.write(_already_trained(request))
    kind = INITIALISATIONS[request.start]
    left, right = st.columns([1, 1], gap="large")
    left.latex(kind.formula)
    right.write(_("**{title}.** {summary}").format(title=_(kind.title), summary=_(kind.summary)))
    controls.control(
        "layer_start",
        titles=lambda name: _(INITIALISATIONS[name].title),
        value=request.start,
        collapsed=True,
        key="shown_layer_start",
        on_change=_choose,
    )
    _all_starts(request)
    _one_start(request)


def _choose() -> None:
    state.put(layer_start=state.get("layer_start"))  # the sidebar shows it too


def _already_trained(request: Request) -> str:
    """Say that this section is not about E, whose rows have left their start, and how long they are now."""
    sentence = _("E is trained; below are **fresh tables**, seed {seed}.").format(seed=request.seed)
    norms = cache.trained_norms(request)
    if not len(norms):
        return sentence
    lengths = _("Trained rows: {count:,}, length {low:.4g} to {high:.4g}, mean {mean:.4g}.").format(
        count=len(norms), low=float(norms.min()), high=float(norms.max()), mean=float(norms.mean())
    )
    return sentence + between(" ") + lengths


def _all_starts(request: Request) -> None:
    size = (request.vocab_size, request.d_model)
    expected = {name: row_norm_law(name, *size).mean for name in INITIALISATIONS}
    look, heading = current_theme(), _("Vector lengths")
    names = [_(kind.title) for kind in INITIALISATIONS.values()]
    legend, x_title = (_("shortest to longest row"), _("expected length")), _("row length")
    hover_text = _("{name}\n{low} to {high}, expected {expected}")
    chosen = list(INITIALISATIONS).index(request.start)

    def norms() -> dict[str, Tensor]:
        return {name: cache.start_norms(name, *size, request.seed) for name in INITIALISATIONS}

    def draw(title: str = "", theme: Theme = look) -> Figure:
        return starts_figure(
            list(norms().values()),
            list(expected.values()),
            names=names,
            legend_names=legend,
            x_title=x_title,
            theme=theme,
            chosen=chosen,
            hover_text=hover_text,
            title=title,
        )

    alt = between(". ").join(
        _("{name}: {low:.3g} to {high:.3g}, expected {expected:.3g}").format(
            name=name, low=float(lengths.min()), high=float(lengths.max()), expected=law
        )
        for name, lengths, law in zip(names, norms().values(), expected.values(), strict=True)
    )
    shows = (*size, request.seed, request.start)
    chart(
        "starts",
        draw,
        alt=alt,
        table=lambda: starts_csv(norms(), expected),
        arrays=norms,
        title=heading,
        source=fresh_source(request),
        shows=shows,
    )


def _one_start(request: Request) -> None:
    norms = cache.start_norms(request.start, request.vocab_size, request.d_model, request.seed)
    law = row_norm_law(request.start, request.vocab_size, request.d_model)
    st.write(
        _(
            "Mean length of {count:,} rows: {mean:.4g}; expected {expected:.4g} ± {spread:.2g}, about "
            "√{d_model} · {std:.3g}."
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
    draw = partial(
        norm_histogram_figure,
        norms,
        expected=law.mean,
        spread=law.std,
        names=(_("rows"), _("expected length"), _("± one standard deviation")),
        x_title=_("row length"),
        y_title=_("rows"),
        theme=current_theme(),
        hover_text=_("{low} to {high}\n{count}"),
    )
    shows = ("norms", request.vocab_size, request.d_model, request.seed, request.start)
    alt = _("{count} rows: {low:.3g} to {high:.3g}, expected {expected:.3g}").format(
        count=len(norms), low=float(norms.min()), high=float(norms.max()), expected=law.mean
    )
    chart(
        "start-norms",
        draw,
        alt=alt,
        table=lambda: columns_csv({"length": norms}, row="row"),
        arrays=lambda: {"lengths": norms},
        title=_("Vector lengths"),
        source=fresh_source(request),
        shows=shows,
    )


def fresh_source(request: Request) -> str:
    """Say where the numbers of a fresh table come from."""
    return rows_source("random", seed=request.seed)


def starts_csv(norms: Mapping[str, Tensor], expected: Mapping[str, float]) -> str:
    """Write one line per initialisation: the expected length of a row, and the shortest, mean and longest drawn."""
    lines = (
        [name, expected[name], float(lengths.min()), float(lengths.mean()), float(lengths.max())]
        for name, lengths in norms.items()
    )
    return lines_csv(["start", "expected", "shortest", "mean", "longest"], lines)
