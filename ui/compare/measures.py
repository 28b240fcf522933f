"""The schemes in numbers: every measure of the library, one column each, and what the measures cannot show."""

from math import floor, log10

import streamlit as st

from embedlib.figures import SERIES
from embedlib.measures import MEASURES
from embedlib.positional import FirePositions
from embedlib.transformer import ROUNDING
from ui.cache import schemes as scheme_cache
from ui.compare.pictures import is_trained
from ui.compare.request import Comparison, filled
from ui.components import measure_table as table_component
from ui.components.measure_table import Column, Row, measure_table
from ui.export import download, measures_csv
from ui.i18n import _, translated
from ui.shared.page import current_theme
from ui.shared.schemes import GROUP_COLOURS, fire_note, group_of, title_of

LEAST = 1e-6  # what is smaller is no longer read in decimals


def measures(shown: Comparison) -> None:
    """Show the table of measures, and how each is read."""
    st.header(_("In numbers"))
    st.caption(
        _("Measured over {positions} positions with the rows of your text. Choose a heading to sort by it.").format(
            positions=shown.n_positions
        )
    )
    inks = SERIES[current_theme()]
    taken = scheme_cache.measures(shown.keys, shown.request, shown.n_positions)
    found = {key.name: [values[name] for name in MEASURES] for key, values in zip(shown.keys, taken, strict=True)}
    measure_table(
        [Column(_(measure.title), _(measure.summary)) for measure in MEASURES.values()],
        [
            Row(
                title=title_of(name),
                colour=inks[GROUP_COLOURS[group_of(name)]],
                front=index == shown.front,
                values=values,
                texts=["" if value is None else written(value) for value in values],
            )
            for index, (name, values) in enumerate(found.items())
        ],
        labels=translated(table_component.LABELS),
        key="measures",
    )
    with st.expander(_("How to read each measure")):
        st.markdown("\n\n".join(f"**{_(measure.title)}.** {_(measure.summary)}" for measure in MEASURES.values()))
    headings = [_(measure.title) for measure in MEASURES.values()]
    download(_("Measures (CSV)"), lambda: measures_csv(found, headings), "measures.csv")


def written(value: float) -> str:
    """Write a number in two or three digits; what is not quite 0 must not read as 0, and rounding is called that."""
    size = abs(value)
    if size <= ROUNDING:
        return _("0 (rounding)") if size else "0"
    if 0.01 <= size < 10:
        text = f"{value:.3f}"
    elif LEAST <= size < 0.01:
        text = f"{value:.{1 - floor(log10(size))}f}"
    elif 10 <= size < 1e5:
        text = f"{value:.3g}" if size < 1000 else f"{value:.0f}"
    else:
        text = f"{value:.1e}"
    return text.replace("-", "−")


def what_measures_hide(shown: Comparison) -> None:
    """Say which sizes are chance, and where a measure reads 0 only because the positions end too soon."""
    trained = [title_of(key.name) for key in shown.keys if is_trained(key)]
    sentence = _(
        "Whether a measure is 0 is a fact about the scheme; how large it is also comes from random weights and is no "
        "ranking. The text is that of the page: {filled}."
    ).format(filled=filled(shown))
    if trained:
        sentence += " " + _("Untrained here, so that training would change their numbers: {schemes}.").format(
            schemes=", ".join(trained)
        )
    st.caption(sentence)
    for key in shown.keys:
        scheme = key.scheme()
        if isinstance(scheme, FirePositions):
            st.caption(fire_note(scheme, shown.n_positions))
