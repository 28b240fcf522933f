"""What is looked at, held within the batches and tokens that there are, with a sentence where that changed it."""

import streamlit as st

from ui.batches.cache import Cut
from ui.i18n import _, ngettext
from ui.settings import state

STRETCH = 160  # tokens in sight
_SAID = "batches_changed"


def within(cut: Cut, n_batches: int) -> None:
    """Change a batch, a place or a token that is not there, in the link too, and say so until it is changed again.

    Args:
        cut: what the plan is made of.
        n_batches: of an epoch.
    """
    said: dict[str, tuple[Cut, int | None, str]] = st.session_state.setdefault(_SAID, {})
    for name, (of, value, _sentence) in list(said.items()):
        if of != cut or state.get(name) != value:
            del said[name]
    last = max(0, cut.n_ids - STRETCH)
    batch, place, token = (state.get(name) for name in ("batch", "batch_place", "batch_token"))
    if batch > n_batches:
        sentence = ngettext(
            "There is no batch {number:,}: an epoch has {count:,} batch, which is shown instead.",
            "There is no batch {number:,}: an epoch has {count:,} batches, and the last one is shown instead.",
            n_batches,
        )
        said["batch"] = (cut, n_batches, sentence.format(number=batch, count=n_batches))
        state.put(batch=n_batches)
    if place is not None and place > last:
        if place >= cut.n_ids:
            sentence = _("There is no token {place:,}: the text has {count:,}, and its end is shown instead.")
            said["batch_place"] = (cut, last, sentence.format(place=place, count=cut.n_ids))
        state.put(batch_place=last)
    if token is not None and token >= cut.n_ids:
        sentence = _("There is no token {place:,} to choose: the text has {count:,}, numbered from 0.")
        said["batch_token"] = (cut, None, sentence.format(place=token, count=cut.n_ids))
        state.put(batch_token=None)
    for _cut, _value, sentence in said.values():
        st.warning(sentence)
