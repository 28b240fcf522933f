"""Initialisations: five usual ways to draw a fresh table, and the lengths of its rows."""

import numpy as np
import streamlit as st

from embedlib.embedding import INITIALISATIONS, row_norm_law
from embedlib.figures import init_norms_figure, norm_histogram_figure
from embedlib.i18n import N_
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.export import Blocks, Drawing, Lines, figure_drawing, show
from ui.i18n import _, separator
from ui.settings import controls, state
from ui.shared.origin import Origin
from ui.shared.page import section
from ui.shared.rows import LEARNED

ENOUGH = 30  # rows from which on it can be seen how they spread


@section(
    "layer-starts",
    N_("Initialization"),
    lead=N_(
        "Before training, E is filled with random numbers. How large should they be? Here are five usual ways: look "
        "how different their rows are in length. Rows should not start too long: later the model compares tokens by "
        "products of such numbers, and it turns these products into weights that add up to 1 (softmax, shown on the "
        "page “Word order”). If one product is far larger than all others, one token gets nearly all the weight, and a "
        "small change of the others changes nearly nothing: they hardly learn."
    ),
)
def initialisations(request: Request) -> None:
    """Compare the lengths of rows under every initialisation, and show those of the one that is chosen."""
    if request.by_hand:
        st.caption(_("Choose the random matrix in the settings to compare how it can begin."))
        return
    if request.matrix in LEARNED:
        st.write(_trained_norms_sentence(request))
    kind = INITIALISATIONS[request.start]
    st.write(_("**{title}.** {summary}").format(title=_(kind.title), summary=_(kind.summary)))
    with st.expander(_("For implementers")):
        st.latex(kind.formula)
    controls.control(
        "layer_start",
        titles=lambda name: _(INITIALISATIONS[name].title),
        value=request.start,
        collapsed=True,
        key="shown_layer_start",
        on_change=_apply_click,
    )
    show(lengths_by_start, request.vocab_size, request.d_model, request.seed, request.start)
    _show_row_lengths(request)


def _apply_click() -> None:
    state.put(layer_start=state.get("layer_start"))  # the sidebar shows it too


def _trained_norms_sentence(request: Request) -> str:
    """Return a note that E has been trained, so that this section is not about its rows, and their lengths."""
    sentence = _(
        "The E above is trained; the tables below are **fresh ones**, drawn at random (with seed {seed}; the same seed "
        "draws the same numbers again)."
    ).format(seed=request.seed)
    norms = cache.trained_norms(request)
    if not len(norms):
        return sentence
    lengths = _("After training its {count:,} rows are {low:.4g} to {high:.4g} long, {mean:.4g} on average.").format(
        count=len(norms), low=float(norms.min()), high=float(norms.max()), mean=float(norms.mean())
    )
    return sentence + separator(" ") + lengths


def lengths_by_start(vocab_size: int, d_model: int, seed: int, start: str) -> Drawing:
    """Draw the shortest to the longest row of a fresh table by initialisation, and the expected length.

    Args:
        vocab_size: rows of the tables.
        d_model: their width.
        seed: of the random numbers.
        start: the initialisation that is marked.
    """
    norms = {name: cache.initial_norms(name, vocab_size, d_model, seed) for name in INITIALISATIONS}
    expected = [row_norm_law(name, vocab_size, d_model).mean for name in norms]
    lines = [
        [name, law, float(lengths.min()), float(lengths.mean()), float(lengths.max())]
        for (name, lengths), law in zip(norms.items(), expected, strict=True)
    ]
    names = [_(kind.title) for kind in INITIALISATIONS.values()]
    alt = separator(". ").join(
        _("{name}: {low:.3g} to {high:.3g}, expected {expected:.3g}").format(
            name=name, low=low, high=high, expected=law
        )
        for name, (_start, law, low, _mean, high) in zip(names, lines, strict=True)
    )
    return figure_drawing(
        "starts",
        _("Vector lengths"),
        Lines(["start", "expected", "shortest", "mean", "longest"], lines, norms),
        init_norms_figure,
        list(norms.values()),
        expected,
        alt=alt,
        source=Origin("random", seed).in_files,
        names=names,
        legend_names=(_("shortest to longest row"), _("expected length")),
        x_title=_("length of the row"),
        chosen=list(norms).index(start),
        hover_text=_("{name}\n{low} to {high}, expected {expected}"),
    )


def _show_row_lengths(request: Request) -> None:
    norms = cache.initial_norms(request.start, request.vocab_size, request.d_model, request.seed)
    law = row_norm_law(request.start, request.vocab_size, request.d_model)
    st.write(
        _(
            "The {count:,} rows are {mean:.4g} long on average. Expected is {expected:.4g} ± {spread:.2g}, about "
            "√{d_model} · {std:.3g}: a row of d numbers of size s is about √d · s long."
        ).format(
            count=len(norms),
            mean=float(norms.mean()),
            expected=law.mean,
            spread=law.std,
            std=law.entry_std,
            d_model=request.d_model,
        )
    )
    if len(norms) >= ENOUGH:
        show(row_lengths, request.vocab_size, request.d_model, request.seed, request.start)


def row_lengths(vocab_size: int, d_model: int, seed: int, start: str) -> Drawing:
    """Draw how the rows of a fresh table spread by their length; the arguments are those of `lengths_by_start`."""
    norms, law = cache.initial_norms(start, vocab_size, d_model, seed), row_norm_law(start, vocab_size, d_model)
    return figure_drawing(
        "start-norms",
        _("Vector lengths"),
        Blocks(["row", "length"], [[np.arange(len(norms)), norms.numpy()]], {"lengths": norms}),
        norm_histogram_figure,
        norms,
        alt=_("{count} rows: {low:.3g} to {high:.3g}, expected {expected:.3g}").format(
            count=len(norms), low=float(norms.min()), high=float(norms.max()), expected=law.mean
        ),
        source=Origin("random", seed).in_files,
        expected=law.mean,
        spread=law.std,
        names=(_("rows"), _("expected length"), _("± one standard deviation")),
        x_title=_("length of the row"),
        y_title=_("number of rows"),
        hover_text=_("{low} to {high}\n{count}"),
    )
