"""What each scheme does with a text that is longer than any in training."""

import streamlit as st

from embedlib.positional import SCHEMES
from ui.cache import schemes as scheme_cache
from ui.compare.distance import draw_curves
from ui.compare.request import Comparison
from ui.compare.stretched import stretched
from ui.compare.trained_short import trained_short
from ui.i18n import _
from ui.settings import controls, state
from ui.settings.kinds import Whole
from ui.shared.schemes import title_of


def past_training(shown: Comparison) -> None:
    """Show what happens past the trained length, scheme by scheme, and the ways to stretch RoPE."""
    st.header(_("Past the trained length"))
    trained = shown.n_positions
    rule = state.SETTINGS["length"]
    assert isinstance(rule, Whole)
    length = max(state.get("length"), trained + 1)
    if length > state.get("length"):
        sentence = _("A text of {length} is no longer than those in training; {shown} is shown instead.")
        st.warning(sentence.format(length=state.get("length"), shown=length))
    shown_length = controls.shown_instead("length", length)
    st.slider(
        _("Length of the text that is read; none in training was longer than {trained}").format(trained=trained),
        trained + 1,
        rule.maximum,
        **shown_length,
    )
    draw_curves(
        {key.name: scheme_cache.far(key, trained, length) for key in shown.keys},
        shown,
        shows=(trained, length),
        key="past",
        y_title=_("similarity, distance 0 = 1"),
        edge=(trained - 1, _("never seen in training")),
    )
    _verdicts(shown, length)
    trained_short(shown)
    stretched(shown, length)


def _verdicts(shown: Comparison, length: int) -> None:
    words = {
        "undefined": (_("undefined"), _("There is no row for position {trained} and those after it: an error.")),
        "continues": (_("continues"), _("The same rule holds at every length, so nothing changes in kind.")),
        "saturates": (_("saturates"), _("All distances beyond a limit share one value: far is far.")),
        "unseen angles": (
            _("unseen angles"),
            _("Waves or turns go on to angles that no text in training has reached."),
        ),
    }
    cells: dict[str, list[str]] = {_("Scheme"): [], _("Past position {last}").format(last=shown.n_positions - 1): []}
    meanings: list[str] = []
    for key in shown.keys:
        verdict, meaning = words[SCHEMES[key.name].past_training]
        for column, text in zip(cells.values(), (title_of(key.name), verdict), strict=True):
            column.append(text)
        meanings.append(meaning.format(trained=shown.n_positions))
    alt = _("What each scheme does at a length of {length}.").format(length=length)
    st.table(cells | {_("Which means"): meanings}, border="horizontal", hide_index=True, alt=alt)
