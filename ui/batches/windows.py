"""The text with the windows of the batch over it, and how often a token is read in an epoch."""

import streamlit as st

from ui import state
from ui.batches import cache
from ui.batches.batch import Batch
from ui.batches.navigation import BEFORE, batch_navigation, show_batch
from ui.batches.request import Request
from ui.components import window_text as text_component
from ui.components.window_text import reported_place, window_text
from ui.i18n import _, ngettext, translated
from ui.markdown import as_code

KEY = "window-text"
STRETCH = 160  # tokens in sight
_MOST_OTHERS = 4  # batches that a token's sentence leads to


def windows_over_the_text(request: Request, batch: Batch) -> None:
    """Show where the batch's windows lie."""
    st.header(_("Windows over the text"))
    batch_navigation(request)
    plan, read = request.plan, request.read
    first = _place(request, batch)
    last = min(first + STRETCH, plan.n_ids)
    chosen = window_text(
        [read.label(place) for place in range(first, last)],
        first=first,
        n_ids=plan.n_ids,
        coverage=plan.coverage(first, last).tolist(),
        starts=batch.starts.tolist(),
        max_length=plan.max_length,
        chosen=state.get("batch_token"),
        labels=translated(text_component.LABELS),
        key=KEY,
        on_chosen=state.dismiss_notices,
        on_place=_take_place,
    )
    state.put(batch_token=chosen)
    if chosen is not None:
        _where_else(request, chosen)
    st.caption(" ".join([_place_sentence(batch), *coverage_sentences(request)]))


def _where_else(request: Request, chosen: int) -> None:
    """Say which batches have the chosen token, and lead to those that are not in view."""
    batches = request.plan.batches_with(chosen)
    token = as_code(request.read.label(chosen))
    others = [batch for batch in batches if batch != request.batch]
    with st.container(horizontal=True, vertical_alignment="center"):
        if not batches:
            sentence = _("Token {place:,}, {token}, is an input of no batch.")
        elif others == batches:
            sentence = _("Token {place:,}, {token}, is not an input of this batch.")
        else:
            sentence = _("Token {place:,}, {token}, is an input of this batch.")
        st.markdown(sentence.format(place=chosen, token=token), width="content")
        for batch in others[:_MOST_OTHERS]:
            st.button(
                _("Show batch {number:,}").format(number=batch + 1),
                key=f"batch-with-{batch}",
                on_click=show_batch,
                args=(batch + 1, chosen),
            )


def coverage_sentences(request: Request) -> list[str]:
    """Say what the stride does to the text: what is read twice or never, and what is left over."""
    plan = request.plan
    counts = cache.coverage_of(plan.n_ids, plan.max_length, plan.stride)
    said = [_stride_sentence(plan.max_length, plan.stride, sum(counts[2:]))]
    if counts[0]:
        said.append(
            ngettext(
                "{count:,} token of the text is never an input.",
                "{count:,} tokens of the text are never an input.",
                counts[0],
            ).format(count=counts[0])
        )
    if plan.n_left_over:
        said.append(
            ngettext(
                "{count:,} token at the end fills no window.",
                "{count:,} tokens at the end fill no window.",
                plan.n_left_over,
            ).format(count=plan.n_left_over)
        )
    if plan.n_dropped:
        said.append(
            ngettext(
                "drop_last leaves out {count:,} window of each epoch.",
                "drop_last leaves out {count:,} windows of each epoch.",
                plan.n_dropped,
            ).format(count=plan.n_dropped)
        )
    return said


def _place_sentence(batch: Batch) -> str:
    """Say in words where the batch lies, as the strip shows it."""
    plan = batch.request.plan
    first, last = int(batch.starts.min()), int(batch.starts.max()) + plan.max_length - 1
    sentence = (
        _("The inputs of this batch lie anywhere between tokens {first:,} and {last:,} of {total:,}.")
        if plan.shuffle
        else _("The inputs of this batch are among tokens {first:,} to {last:,} of {total:,}.")
    )
    return sentence.format(first=first, last=last, total=plan.n_ids)


def _stride_sentence(max_length: int, stride: int, repeated: int) -> str:
    if stride < max_length:
        return ngettext(
            "Neighbouring windows share {shared:,} of {length:,} tokens: {count:,} token is read more than once in an "
            "epoch.",
            "Neighbouring windows share {shared:,} of {length:,} tokens: {count:,} tokens are read more than once in "
            "an epoch.",
            repeated,
        ).format(shared=max_length - stride, length=max_length, count=repeated)
    if stride == max_length:
        return _("The stride is the length: windows touch, and no token is read twice in an epoch.")
    return ngettext(
        "The stride is more than the length: {count:,} token is passed over after each window.",
        "The stride is more than the length: {count:,} tokens are passed over after each window.",
        stride - max_length,
    ).format(count=stride - max_length)


def _place(request: Request, batch: Batch) -> int:
    """Return where the stretch in sight begins: where the reader moved it, else a little before the batch."""
    wanted: int | None = state.get("batch_place")
    last = max(0, request.plan.n_ids - STRETCH)
    if wanted is None:
        return min(max(0, int(batch.starts[0]) - BEFORE), last)
    return min(wanted, last)


def _take_place() -> None:
    place = reported_place(KEY)
    if place is not None:
        state.put(batch_place=place)
        state.dismiss_notices()
