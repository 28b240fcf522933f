"""One positional scheme in depth: its formula, what it adds, rotates or biases, and the similarity of positions."""

import streamlit as st

from ui.components import browser
from ui.positions import controls
from ui.positions.view import SchemeView
from ui.positions.views import for_implementers, show_scheme, show_verdict
from ui.settings import state
from ui.shared.page_fragment import page_fragment

controls.settings_sidebar()
key = controls.chosen_key()
is_narrow = browser.is_narrow()


def scheme() -> None:
    """Draw the scheme that the sidebar asks for, and all that its own controls change."""
    with st.container(key="followed"):  # on a phone the slider stays in view with the figures in here
        beside = controls.describe_scheme(key)
        if not controls.check_scheme(key):
            controls.show_background(key)
            return
        n_positions = state.get("positions")
        controls.weights_notice(key, n_positions)
        view = SchemeView(
            key=key,
            n_positions=n_positions,
            position=controls.chosen_position(beside) if key.scheme().acts_on else 0,
            tokens=controls.tokens_at_positions(n_positions),
            narrow=is_narrow,
            seed=state.get("seed"),
        )
        show_scheme(view)
    show_verdict(view)
    controls.show_background(key)
    for_implementers(view)
    controls.show_code(view)


page_fragment(scheme)
