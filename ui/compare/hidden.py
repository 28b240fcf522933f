"""What the measures cannot show: what is not trained, and what needs more positions than are compared."""

import streamlit as st

from embedlib.positional.fire import FirePositions
from ui.compare.pictures import is_trained
from ui.compare.request import Comparison, filled
from ui.i18n import _
from ui.shared.fire_note import fire_note
from ui.shared.schemes import title_of


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
