"""The schemes in numbers: every measure of the library, four of them first, and what the measures cannot show."""

from math import floor, log10

import streamlit as st

from embedlib.figures import SERIES
from embedlib.i18n import N_
from embedlib.measures import MEASURES
from embedlib.positional import FirePositions
from embedlib.transformer import ROUNDING
from ui.cache import schemes as scheme_cache
from ui.compare.decide import score_source
from ui.compare.request import Comparison, tokens_over_positions
from ui.components import measure_table as table_component
from ui.components.measure_table import Column, Row
from ui.embed import embedded_section
from ui.export import Lines
from ui.i18n import _, number, separator, translate_labels
from ui.settings import state
from ui.shared.page import current_theme, section
from ui.shared.saved_table import saved_table
from ui.shared.schemes import GROUP_COLOURS, file_name, fire_note, group_index, is_untrained, scheme_title

LEAST = 1e-6  # what is smaller is no longer read in decimals
FIRST = ("word_order_shift", "toeplitz_r2", "probe_absolute_r2", "word_order_swap")


@section(
    "compare-measures",
    N_("Questions to each scheme"),
    lead=N_(
        "Each question is answered by a number that is measured here, with random weights: it says what a scheme makes "
        "possible, not how well a trained model does. Choose a question to sort the schemes by it."
    ),
)
def measures(compared: Comparison) -> None:
    """Show the table of the first measures."""
    _measure_table(compared, list(FIRST), key="measures", title=_("Measures"))
    sentence = _(
        "A full bar is the largest number of its line, which need not be 1. “–” means that the question makes no sense "
        "for the scheme, such as a similarity without positions."
    )
    if compared.request is not None:
        sentence += separator(" ") + _("The text is used with {filled}.").format(filled=tokens_over_positions(compared))
        if any(key.name == "sinusoidal" for key in compared.keys):
            st.markdown(
                _(
                    "The second question compares position rows alone, and for sinusoids only the distance counts "
                    "there. In the first one they are added to token rows, and the sums depend on the place, too."
                )
            )
    st.caption(sentence)


@section("compare-implementers", N_("For implementers"), heading=lambda _title: None)
def implementers(compared: Comparison) -> None:
    """Show the other measures, what they cannot show, and where the scores of the trained decoders come from."""
    with st.expander(_("For implementers"), expanded=bool(embedded_section())):
        title = _("Further measures")
        st.subheader(title)
        _measure_table(compared, [name for name in MEASURES if name not in FIRST], key="further-measures", title=title)
        measure_caveats(compared)
        st.subheader(_("Origin of the trained models’ results"))
        st.write(score_source(compared.keys))


def _measure_table(compared: Comparison, names: list[str], *, key: str, title: str) -> None:
    """Show measures of every scheme, without a text those that need none."""
    inks = SERIES[current_theme()]
    request, n_positions = compared.request, compared.n_positions
    if request is None:
        taken = scheme_cache.text_free_measures(compared.keys, n_positions, state.get("seed"))
    else:
        taken = scheme_cache.measures(compared.keys, request, n_positions)
    names = [name for name in names if name in taken[0]]
    by_scheme = {key.entry: [values[name] for name in names] for key, values in zip(compared.keys, taken, strict=True)}
    shown = [MEASURES[name] for name in names]
    columns = [Column(_(measure.title), _(measure.summary) + separator(" ") + _(measure.basis)) for measure in shown]
    rows = [
        Row(
            title=scheme_title(name),
            colour=inks[GROUP_COLOURS[group_index(name)]],
            front=index == compared.front,
            values=[0.0 if value is not None and abs(value) <= ROUNDING else value for value in values],
            texts=["" if value is None else format_measure(value) for value in values],
        )
        for index, (name, values) in enumerate(by_scheme.items())
    ]
    saved_table(
        columns,
        rows,
        labels=translate_labels(table_component.LABELS) | {"undefined": _("–"), "table": title},
        key=key,
        name=key,
        turned=True,
        numbers=Lines(["scheme", *names], [[file_name(name), *values] for name, values in by_scheme.items()]),
        title=title,
    )


def format_measure(value: float) -> str:
    """Format a measure in two or three digits; a tiny value does not read as 0, and rounding errors are named."""
    size = abs(value)
    if size <= ROUNDING:
        return _("0 (rounding)") if size else "0"
    if 0.01 <= size < 10:
        text = number(value, ".3f")
    elif LEAST <= size < 0.01:
        text = number(value, f".{1 - floor(log10(size))}f")
    elif 10 <= size < 1e5:
        text = number(value, ".3g" if size < 1000 else ".0f")
    else:
        text = number(value, ".1e")
    return text.replace("-", "−")


def measure_caveats(compared: Comparison) -> None:
    """Show which values are chance, and which measures are 0 only because there are too few positions."""
    untrained = [scheme_title(key.entry) for key in compared.keys if is_untrained(key.scheme())]
    sentence = _("These numbers come from random weights, so they do not say which scheme is better.")
    if untrained:
        sentence += separator(" ") + _("The weights of these schemes are untrained, too: {schemes}.").format(
            schemes=separator(", ").join(untrained)
        )
    st.caption(sentence)
    for key in compared.keys:
        scheme = key.scheme()
        if isinstance(scheme, FirePositions):
            st.caption(fire_note(scheme, compared.n_positions))
