"""What the measures cannot show within the positions that are compared."""

import streamlit as st

from embedlib.positional.fire import FirePositions
from ui.compare.request import Comparison
from ui.fire_note import fire_note


def what_few_positions_hide(shown: Comparison) -> None:
    """Say where a measure reads 0 only because the positions end too soon."""
    for key in shown.keys:
        scheme = key.scheme()
        if isinstance(scheme, FirePositions):
            st.caption(fire_note(scheme, shown.n_positions))
