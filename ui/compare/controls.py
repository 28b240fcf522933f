"""What is compared, on which text, and the one position that every figure marks."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from embedlib.examples import EXAMPLES, in_language
from ui import cache
from ui.cache import Request
from ui.i18n import _, language
from ui.settings import controls, state
from ui.shared.schemes import past_the_last
from ui.shared.text.prepared import PreparedText
from ui.shared.text.text_area import current_text, example_pills, put_text, text_area
from ui.shared.token_choice import token_choice

# An example with sizes of its own is about them, and here the sizes are what is compared.
NAMES = [name for name, example in EXAMPLES.items() if not example.settings.keys() - {"table"}]
CHIPS = "token-chips"


def text_to_compare() -> PreparedText:
    """Draw the text area, and the examples under it; return the text that can be used."""
    text = current_text().text
    prepared = text_area()
    example_pills(
        NAMES,
        next((name for name in NAMES if in_language(EXAMPLES[name].text, language()) == text), None),
        _load_example,
    )
    return prepared


def _load_example(name: str) -> None:
    tokenizer = state.SETTINGS["tokenizer"].default  # the one that the examples are about
    state.put(token=None, tokenizer=tokenizer, **EXAMPLES[name].settings)
    put_text(in_language(EXAMPLES[name].text, language()))


def pointer(request: Request | None, *, n_positions: int, n_heads: int) -> tuple[int, int]:
    """Draw the slider and the choice of a head; return the position, and the head, -1 for their mean."""
    _say_what_does_not_fit(n_positions, n_heads)
    slider, head = st.columns([2, 1], vertical_alignment="bottom")
    with slider:
        position = _position(0 if request is None else len(cache.chips_of(request)), n_positions)
    with head:
        return position, _head(n_heads)


def marked_token(request: Request) -> None:
    """Draw the chips; the one that is chosen is the marked position, which is drawn after them."""
    chosen = token_choice(cache.chips_of(request), key=CHIPS, on_chosen=_take_choice)
    if chosen is not None:
        state.put(position=chosen)


def _say_what_does_not_fit(n_positions: int, n_heads: int) -> None:
    if state.get("position") >= n_positions:
        st.warning(past_the_last(state.get("position"), n_positions))
    if state.get("head") >= n_heads:
        sentence = _("No head {head}: showing {last}.")
        st.warning(sentence.format(head=state.get("head"), last=n_heads - 1))


def _position(n_tokens: int, n_positions: int) -> int:
    last = n_positions - 1
    position = min(state.get("position"), last)
    controls.control("position", st.slider, 0, last, value=position, on_change=partial(_take_token, n_tokens))
    return int(position)


def _head(n_heads: int) -> int:
    return int(
        controls.control(
            "head",
            st.selectbox,
            range(-1, n_heads),
            titles=lambda head: _("mean of all heads") if head < 0 else _("head {head}").format(head=head),
            help=_("For biases and attention only."),
            value=min(state.get("head"), n_heads - 1),
        )
    )


def _take_choice() -> None:
    """A choice past the text, made in a picture, has no chip: it moves the slider alone."""
    report = st.session_state.get(CHIPS)
    chosen = report.get("chosen") if isinstance(report, Mapping) else None
    position = chosen.get("position") if isinstance(chosen, Mapping) else None
    if type(position) is int and 0 <= position < state.get("positions"):
        state.set_local(position=position)


def _take_token(n_tokens: int) -> None:
    position = state.get("position")
    state.set_local(token=position if position < n_tokens else None)
