"""The text with the windows of the batch over it, which batch that is, and how often a token is read in an epoch."""

from collections.abc import Iterator, Sequence

import streamlit as st

from embedlib.texts import WindowPlan
from ui.batches import cache
from ui.batches.batch import Batch
from ui.batches.heights import NARROW, WIDE, text_height
from ui.batches.request import STRETCH, Request
from ui.components import window_text as text_component
from ui.components.window_text import reported_place, window_text
from ui.embed import embeddable
from ui.export import Lines, save_table
from ui.i18n import _, ngettext, separator, translate_labels
from ui.markdown import as_code
from ui.settings import GREATEST, state
from ui.shared.page import reserve_height

BEFORE = 8  # tokens in sight before what is looked at
_NUMBER = "shown_batch"
KEY = "window-text"
_MOST_OTHERS = 4  # batches that a token's sentence leads to


@embeddable("batches-windows")
def windows_over_the_text(request: Request, batch: Batch) -> None:
    """Show where the batch's windows lie."""
    st.header(_("Windows"))
    st.write(
        _(
            "A model cannot read a whole book at once. The text is cut into windows as long as the context "
            "length; the stride says how far one window starts after the one before. A batch is made of "
            "several windows that are read together, because a graphics processor is hardly slower with many "
            "than with one. In a batch they are called sequences; below the text you see where those of this "
            "batch lie."
        )
    )
    plan, text = request.plan, request.tokenized_text
    first = _first_visible_token(request, batch)
    last = min(first + STRETCH, plan.n_ids)
    labels = [text.label(place) for place in range(first, last)]
    reserve_height(
        KEY,
        until_drawn=True,
        wide=text_height(labels, plan, width=WIDE),
        narrow=text_height(labels, plan, width=NARROW),
    )
    _save_windows(batch, first, labels)
    chosen = window_text(
        labels,
        first=first,
        n_ids=plan.n_ids,
        coverage=plan.coverage(first, last).tolist(),
        dropped=plan.dropped_coverage(first, last).tolist(),
        starts=batch.starts.tolist(),
        max_length=plan.max_length,
        chosen=state.get("batch_token"),
        name=text.label,
        before=BEFORE,
        labels=translate_labels(text_component.LABELS),
        key=KEY,
        on_chosen=state.dismiss_notices,
        on_place=_apply_scroll_position,
    )
    state.put(batch_token=chosen)
    _draw_token_batches(request, chosen, in_sight=chosen is not None and first <= chosen < last)
    st.caption(
        separator(" ").join([_counts_sentence(request), _batch_extent_sentence(batch), *coverage_sentences(request)])
    )


def _visible_samples(batch: Batch, first: int, count: int) -> dict[int, range]:
    """Return the visible tokens of each of the batch's samples, as indices in the text."""
    length = batch.request.plan.max_length
    lanes = {
        sample: range(max(first, start), min(first + count, start + length))
        for sample, start in enumerate(batch.starts.tolist())
    }
    return {sample: places for sample, places in lanes.items() if places}


def _save_windows(batch: Batch, first: int, labels: Sequence[str]) -> None:
    """Show the save menu of the visible tokens: under them those of each sample, by their indices in the text."""
    sight, samples = range(first, first + len(labels)), _visible_samples(batch, first, len(labels))
    lanes = {"": sight, **{f"{_('sequence')} {sample}": places for sample, places in samples.items()}}
    tokens = [[(labels[place - first], str(place)) for place in places] for places in lanes.values()]
    coverage = batch.request.plan.coverage(first, first + len(labels))

    def lines() -> Iterator[list[object]]:
        for place, label, windows in zip(sight, labels, coverage.tolist(), strict=True):
            yield [place, label, windows, " ".join(str(lane) for lane, places in samples.items() if place in places)]

    heading = ["token_in_text", "token", "windows", "samples"]
    numbers = Lines(heading, lines, {"starts": batch.starts, "coverage": coverage})
    save_table("windows", _("Windows"), {_("Windows"): list(lanes), _("Tokens"): tokens}, numbers=numbers)


def _draw_token_batches(request: Request, chosen: int | None, *, in_sight: bool) -> None:
    """Show which batches have the chosen token, with buttons that lead to it and to the others; always one line."""
    with st.container(horizontal=True, vertical_alignment="center", key="token-batches"):
        if chosen is None:
            st.markdown(_("Choose a token to see in which batches it is read."), width="content")
            return
        batches = request.plan.batches_containing(chosen)
        token = as_code(request.tokenized_text.label(chosen))
        others = [batch for batch in batches if batch != request.batch]
        if not batches:
            sentence = _("Token {place:,}, {token}, is in no batch: no window has it.")
        elif others == batches:
            sentence = _("Token {place:,}, {token}, is not in this batch but in another.")
        else:
            sentence = _("Token {place:,}, {token}, is in this batch.")
        st.markdown(sentence.format(place=chosen, token=token), width="content")
        if not in_sight:
            st.button(_("Scroll to the token"), key="token-in-sight", on_click=_show_token, args=(chosen,))
        for batch in others[:_MOST_OTHERS]:
            st.button(
                _("Show batch {number:,}").format(number=batch + 1),
                key=f"batch-with-{batch}",
                on_click=show_batch,
                args=(batch + 1, chosen),
            )


def _show_token(place: int) -> None:
    state.put(batch_place=max(0, place - BEFORE))


def _counts_sentence(request: Request) -> str:
    """Return sentences that count tokens, windows and batches."""
    plan = request.plan
    return _(
        "Tokens of the text: {tokens:,}. Windows of {length:,} tokens with stride {stride:,}: {windows:,}; after each "
        "window one more token is needed, the target of its last token. Batches of {batch_size:,} windows: {batches:,}."
    ).format(
        tokens=plan.n_ids,
        length=plan.max_length,
        stride=plan.stride,
        windows=plan.n_windows,
        batch_size=plan.batch_size,
        batches=plan.n_batches,
    )


def coverage_sentences(request: Request) -> list[str]:
    """Return sentences on what the stride does to the text, and how often an epoch reads its tokens."""
    plan, use = request.plan, cache.epoch_use(request.cut)
    parts = (
        (use.inputs, ngettext("{count:,} is an input", "{count:,} are inputs", use.inputs)),
        (use.target_only, ngettext("{count:,} is only a target", "{count:,} are only targets", use.target_only)),
        (use.between, _("{count:,} lie between windows")),
        (use.left_over, _("the last {count:,} do not fill a window and are left out")),
        (use.dropped_only, _("{count:,} lie in dropped windows")),
    )
    counted = separator(", ").join(
        said.format(count=count) for index, (count, said) in enumerate(parts) if count or index == 0
    )
    sentences = [
        _stride_sentence(plan.max_length, plan.stride, use.repeated),
        _("Of the {total:,} tokens of the text {parts}.").format(total=plan.n_ids, parts=counted),
    ]
    if plan.n_dropped:
        sentences.append(_dropped_sentence(plan))
    return sentences


def _dropped_sentence(plan: WindowPlan) -> str:
    """Return a sentence on the windows that drop_last leaves out; "" for none."""
    if plan.shuffle:
        sentence = _(
            "Windows that drop_last leaves out: {count:,}, in each epoch (each reading of the whole text) others."
        )
    else:
        sentence = _(
            "Windows that drop_last leaves out: the last {count:,}, the same in each epoch (each reading of "
            "the whole text)."
        )
    return sentence.format(count=plan.n_dropped)


def _batch_extent_sentence(batch: Batch) -> str:
    """Return a sentence on where the batch lies in the text."""
    plan = batch.request.plan
    first, last = int(batch.starts.min()), int(batch.starts.max()) + plan.max_length - 1
    sentence = _("The windows of this batch lie between tokens {first:,} and {last:,}.")
    return sentence.format(first=first, last=last)


def _stride_sentence(max_length: int, stride: int, repeated: int) -> str:
    if stride < max_length:
        return _(
            "Neighbouring windows share {shared:,} of their {length:,} tokens. Tokens that are read more than "
            "once: {count:,}."
        ).format(shared=max_length - stride, length=max_length, count=repeated)
    if stride == max_length:
        return _("The stride equals the context length, so no token is read twice.")
    return _(
        "The stride is larger than the context length: after each window tokens are skipped, {count:,} of them."
    ).format(count=stride - max_length)


def _first_visible_token(request: Request, batch: Batch) -> int:
    """Return the first token in view: where the reader scrolled to, else a little before the batch."""
    wanted: int | None = state.get("batch_place")
    last = max(0, request.plan.n_ids - STRETCH)
    if wanted is None:
        return min(max(0, int(batch.starts[0]) - BEFORE), last)
    return min(wanted, last)


def _apply_scroll_position() -> None:
    place = reported_place(KEY)
    if place is not None:
        state.put(batch_place=place)


def batch_navigation(request: Request) -> None:
    """Draw the number of the batch in view, and the ways to its neighbours; it stays at the top of a large screen."""
    n_batches, number = request.plan.n_batches, request.batch + 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="batch-navigation"):
        st.button(
            _("Previous"),
            key="batch-previous",
            icon=":material/chevron_left:",
            disabled=number == 1,
            on_click=show_batch,
            args=(number - 1,),
        )
        st.session_state[_NUMBER] = number
        with st.container(width=120):
            st.number_input(
                _("Batch"),
                1,
                GREATEST,  # a number past the last batch gets a sentence, where the browser would only refuse it
                label_visibility="collapsed",
                key=_NUMBER,
                on_change=_show_typed_batch,
            )
        st.button(
            _("Next"),
            key="batch-next",
            icon=":material/chevron_right:",
            icon_position="right",
            disabled=number == n_batches,
            on_click=show_batch,
            args=(number + 1,),
        )
        st.markdown(_("**Batch {number:,}** of {count:,}").format(number=number, count=n_batches), width="content")
        st.markdown(_("Each target is the token that comes next."), width="content")


def show_batch(number: int, token: int | None = None) -> None:
    """Show a batch, counted from 1, and scroll the text to its start or to a token; for callbacks."""
    state.put(batch=number, batch_place=None if token is None else max(0, token - BEFORE))


def _show_typed_batch() -> None:
    show_batch(st.session_state[_NUMBER])
