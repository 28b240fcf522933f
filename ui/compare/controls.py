"""Controls of the comparison: the text, and the position and head that every figure marks."""

from functools import partial

import streamlit as st

from embedlib.examples import EXAMPLES, in_language
from ui import cache
from ui.cache import Request
from ui.components._shared.reports import read_number
from ui.embed import shared_controls
from ui.i18n import _, language
from ui.settings import controls, state
from ui.shared.examples import examples
from ui.shared.schemes import missing_position_sentence
from ui.shared.text.prepared import PreparedText
from ui.shared.text.text_area import current_text, set_text, text_area
from ui.shared.token_choice import token_choice

# An example with sizes of its own is about them, and here the sizes are what is compared.
NAMES = [name for name, example in EXAMPLES.items() if not example.settings.keys() - {"table"}]
CHIPS = "token-chips"


def text_to_compare() -> PreparedText:
    """Draw the text area, and the examples under it; return the text that can be used."""
    text = current_text().text
    prepared = text_area()
    examples(
        {name: _(EXAMPLES[name].title) for name in NAMES},
        _load_example,
        shown=next((name for name in NAMES if in_language(EXAMPLES[name].text, language()) == text), None),
        key="example",
        label_visibility="visible",
    )
    return prepared


def _load_example(name: str) -> None:
    tokenizer = state.SETTINGS["tokenizer"].default  # the one that the examples are about
    state.put(token=None, tokenizer=tokenizer, **EXAMPLES[name].settings)
    set_text(in_language(EXAMPLES[name].text, language()))


def pointer_controls(request: Request | None, *, n_positions: int, n_heads: int) -> tuple[int, int]:
    """Draw the slider and the choice of a head; return the position, and the head, -1 for their mean."""
    wanted, last = _marked_position(), n_positions - 1
    if wanted > last:
        st.warning(missing_position_sentence(wanted, n_positions))
    if state.get("head") >= n_heads:
        sentence = _("There is no head {head}: this is head {last}.")
        st.warning(sentence.format(head=state.get("head"), last=n_heads - 1))
    slider, head = st.columns([2, 1], vertical_alignment="bottom")
    with slider, shared_controls("position", "compare-similarity"):
        position, n_tokens = min(wanted, last), 0 if request is None else len(cache.request_chips(request))
        controls.control(
            "position", st.slider, 0, last, value=position, on_change=partial(_select_typed_position, n_tokens)
        )
    with head:
        return position, _head_control(n_heads)


def marked_token_choice(request: Request) -> None:
    """Draw the chips; the chosen one is the marked position."""
    chips = cache.request_chips(request)
    token_choice(chips, key=CHIPS, on_chosen=partial(_apply_chosen_token, len(chips)))


def _marked_position() -> int:
    """Return the chosen token's position, whichever page it was chosen on, or else the setting `position`."""
    token, position = state.get("token"), state.get("position")
    return int(position if token is None else token)


def _select_typed_position(n_tokens: int) -> None:
    position = state.get("position")
    state.set_local(token=position if position < n_tokens else None)


def _apply_chosen_token(n_tokens: int) -> None:
    """Apply a click on a chip; an unselected position stays marked, and one past the text has no chip."""
    chosen = read_number(CHIPS, "chosen")
    if chosen is None or not 0 <= chosen < state.get("positions"):
        state.set_local(position=_marked_position(), token=None)
    else:
        state.set_local(position=chosen, token=chosen if chosen < n_tokens else None)


def _head_control(n_heads: int) -> int:
    return int(
        controls.control(
            "head",
            st.selectbox,
            range(-1, n_heads),
            titles=lambda head: _("mean of all heads") if head < 0 else _("head {head}").format(head=head),
            help=_("Which head’s biases are drawn. Rows and rotations are the same for all heads."),
            value=min(state.get("head"), n_heads - 1),
        )
    )
