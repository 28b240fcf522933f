"""The schemes in numbers: every measure of the library, one column each, and what the measures cannot show."""

from math import floor, log10

import streamlit as st

from embedlib.figures import SERIES
from embedlib.i18n import N_
from embedlib.measures import MEASURES
from embedlib.positional import FirePositions
from embedlib.transformer import ROUNDING
from ui.cache import schemes as scheme_cache
from ui.compare.request import Comparison, tokens_over_positions
from ui.components import measure_table as table_component
from ui.components.measure_table import Column, Row
from ui.export import Lines
from ui.i18n import _, number, separator, translate_labels
from ui.settings import state
from ui.shared.page import current_theme, section
from ui.shared.saved_table import saved_table
from ui.shared.schemes import GROUP_COLOURS, file_name, fire_note, group_index, is_untrained, scheme_title

LEAST = 1e-6  # what is smaller is no longer read in decimals


@section("compare-measures", N_("Measures"))
def measures(compared: Comparison) -> None:
    """Show the table of measures, and what it cannot show."""
    inks = SERIES[current_theme()]
    request, n_positions = compared.request, compared.n_positions
    if request is None:
        taken = scheme_cache.text_free_measures(compared.keys, n_positions, state.get("seed"))
    else:
        taken = scheme_cache.measures(compared.keys, request, n_positions)
    by_scheme = {key.entry: list(values.values()) for key, values in zip(compared.keys, taken, strict=True)}
    shown = [MEASURES[name] for name in taken[0]]
    columns = [Column(_(measure.title), _(measure.summary) + separator(" ") + _(measure.reads)) for measure in shown]
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
    labels = translate_labels(table_component.LABELS)
    headings = [column.title for column in columns]
    saved_table(
        columns,
        rows,
        labels=labels,
        key="measures",
        name="measures",
        turned=True,
        numbers=Lines(["scheme", *headings], [[file_name(name), *values] for name, values in by_scheme.items()]),
        title=_("Measures"),
    )
    measure_caveats(compared)


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
    sentence = _("Random weights: do not rank schemes by these numbers.")
    if compared.request is not None:
        sentence += separator(" ") + _("Text: {filled}.").format(filled=tokens_over_positions(compared))
    if untrained:
        sentence += separator(" ") + _("Untrained: {schemes}.").format(schemes=separator(", ").join(untrained))
    st.caption(sentence)
    for key in compared.keys:
        scheme = key.scheme()
        if isinstance(scheme, FirePositions):
            st.caption(fire_note(scheme, compared.n_positions))
