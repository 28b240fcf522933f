"""The sizes at which a lookup is counted: their fields and limits, the count itself, and which are not measured."""

from dataclasses import dataclass

import streamlit as st

from embedlib.embedding.lookup_cost import LookupRefused, check_sizes, one_hot_flops
from ui.embedding_layer.written import bytes_written, count_written
from ui.i18n import _, ngettext
from ui.settings import state

CLAMPED = "layer_cost_clamped"  # in the session: what is said about a size that was too large; "" for nothing


@dataclass(frozen=True)
class Sizes:
    """At which a lookup is counted and measured."""

    vocab_size: int
    d_model: int
    n_tokens: int


def size_field(name: str, label: str) -> None:
    """Draw the field of one size, with its limit; more than that becomes the limit, and a sentence says so."""
    most = state.greatest(name)
    st.number_input(
        _("{label}, at most {most:,}").format(label=label, most=most),
        min_value=1,
        step=1,
        key=name,
        on_change=_clamp,
        args=(name, label),
    )


def _clamp(name: str, label: str) -> None:
    given, most = state.get(name), state.greatest(name)
    st.session_state[CLAMPED] = ""
    if given > most:
        state.put(**{name: most})
        told = _("{label}: {given:,} is more than is counted here; {most:,} is used instead.")
        st.session_state[CLAMPED] = told.format(label=label, given=given, most=most)
    state.dismiss_notices()


def refused(sizes: Sizes) -> str | None:
    """Say in one sentence why a size is not measured; None where it is."""
    try:
        check_sizes(sizes.vocab_size, sizes.d_model, sizes.n_tokens)
    except LookupRefused as refusal:
        if refusal.code == "table_too_large":
            return _(
                "E would take {size}, and at most {most} are measured: choose a smaller V or d. The count above is "
                "right all the same."
            ).format(size=bytes_written(refusal.value), most=bytes_written(refusal.most))
        fewer = refusal.most // one_hot_flops(sizes.vocab_size, sizes.d_model)
        return _(
            "The product would take {count} operations, and at most {most} are measured: at this V and d, choose at "
            "most {fewer:,} tokens. The count above is right all the same."
        ).format(count=count_written(refusal.value), most=count_written(refusal.most), fewer=fewer)
    return None


def arithmetic(sizes: Sizes) -> None:
    """What can be counted without measuring, for all tokens."""
    flops = sizes.n_tokens * one_hot_flops(sizes.vocab_size, sizes.d_model)
    numbers = sizes.n_tokens * sizes.d_model
    st.table(
        {
            ngettext(
                "To read the row of {count:,} token", "To read the rows of {count:,} tokens", sizes.n_tokens
            ).format(count=sizes.n_tokens): [
                _("numbers copied"),
                _("multiplications and additions"),
                _("numbers written to say which rows"),
            ],
            _("lookup"): [f"d · n = {count_written(numbers)}", "0", count_written(sizes.n_tokens)],
            _("one-hot × E"): [
                "–",
                f"2 · V · d · n = {count_written(flops)}",
                f"V · n = {count_written(sizes.vocab_size * sizes.n_tokens)}",
            ],
        },
        border="horizontal",
        hide_index=True,
        alt=_("What both ways have to do, by counting."),
    )
