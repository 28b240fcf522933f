"""The stretch of a text in sight with the windows of one batch under it, and the whole text as a strip above it."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.choice import chosen_now
from ui.components._shared.payload import check_labels

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "strip": N_("Place in the text"),
    "strip_value": N_("tokens {first}–{last} of {total} in sight"),
    "strip_hint": N_("The whole text: drag the frame or use the arrow keys to see another stretch."),
    "strip_title": N_("The whole text: drag the frame"),
    "back": N_("Back to the batch"),
    "text": N_("The text's tokens and the windows of the batch"),
    "hint": N_("Point at a token to see which windows it is in; choose it to follow it down the page."),
    "token": N_("token {position} ‘{label}’"),
    "in_none": N_("input of no window"),
    "in_one": N_("input of 1 window"),
    "in_many": N_("input of {count} windows"),
    "in_dropped": N_("input of {count} that drop_last leaves out"),
    "input": N_("sample {sample}, position {position}"),
    "not_in_batch": N_("not in this batch"),
    "target": N_("last target of sample {sample}"),
    "elsewhere": N_("chosen; not in the stretch below"),
    "legend_0": N_("input of no window"),
    "legend_1": N_("of one window"),
    "legend_2": N_("of two"),
    "legend_3": N_("of three or more"),
    "legend_dropped": N_("only of a window that drop_last leaves out"),
    "legend_batch": N_("a sample of this batch, with its number"),
    "legend_ticks": N_("above: where the batch's samples lie"),
    "legend_pin": N_("above: the chosen token"),
    "lanes": N_("{shown} of the {count} samples are drawn: up to {deepest} of them lie over one token."),
}

MAX_LANES = 4  # lines of samples under each line of text

_component = register("window-text", "window_text")


def window_text(
    tokens: Sequence[str],
    *,
    first: int,
    n_ids: int,
    coverage: Sequence[int],
    dropped: Sequence[int],
    starts: Sequence[int],
    max_length: int,
    chosen: int | None,
    name: Callable[[int], str],
    before: int,
    labels: Mapping[str, str],
    key: str,
    on_chosen: Callable[[], None],
    on_place: Callable[[], None],
) -> int | None:
    """Draw the stretch in sight with its windows and return the position of the chosen token.

    Pass back what this returned. As with the token chips, a choice made in any view of the page wins over `chosen` in
    the one run that it starts; in every other run `chosen` rules. It may lie outside the stretch.

    Where the reader moves the stretch, or chooses a token outside of it, `on_place` is called; `reported_place` then
    tells where it is to begin, and the page passes the tokens from there.

    Args:
        tokens: of the stretch in sight, how each is written on the screen; a few hundred at most.
        first: position in the text of the first of them, from 0.
        n_ids: how many tokens the whole text has.
        coverage: one per token of the stretch, of how many windows of the whole text it is an input.
        dropped: one per token of the stretch, of how many further windows, which are in no batch, it would be one.
        starts: positions of the first tokens of the batch's samples, in their order.
        max_length: tokens per window, at least 1.
        chosen: position of the chosen token, None for none; one outside the text counts as None.
        name: how the token at a position is written on the screen; asked for a chosen one outside of the stretch.
        before: how many tokens are in sight before the first sample where the reader goes back to it, at least 0.
        labels: the entries of LABELS, translated.
        key: Streamlit key, without "__".
        on_chosen: called before the run that a choice starts.
        on_place: called before the run that a new place starts.

    Returns:
        The chosen position in 0..n_ids-1, or None.

    Raises:
        ValueError: labels lacks an entry, or a stretch, its coverage or a window that does not lie within the text.
    """
    check_labels(labels, LABELS)
    if first < 0 or first + len(tokens) > n_ids:
        raise ValueError(
            f"first={first} with {len(tokens)} tokens does not lie within n_ids={n_ids}: cut it from there"
        )
    if len(coverage) != len(tokens):
        raise ValueError(f"coverage has {len(coverage)} counts for {len(tokens)} tokens: give one for each")
    if len(dropped) != len(tokens):
        raise ValueError(f"dropped has {len(dropped)} counts for {len(tokens)} tokens: give one for each")
    if max_length < 1:
        raise ValueError(f"max_length={max_length} must be at least 1")
    for start in starts:
        if not 0 <= start < n_ids:
            raise ValueError(f"starts has {start}, which is no token of the text: give positions in 0..{n_ids - 1}")
    chosen, turn = chosen_now(chosen, key=key)
    if chosen is not None and not 0 <= chosen < n_ids:
        chosen = None
    data = {
        "tokens": list(tokens),
        "first": first,
        "n_ids": n_ids,
        "coverage": [int(count) for count in coverage],
        "dropped": [int(count) for count in dropped],
        "starts": [int(start) for start in starts],
        "max_length": max_length,
        "max_lanes": MAX_LANES,
        "before": before,
        "chosen": chosen,
        "chosen_label": None if chosen is None or first <= chosen < first + len(tokens) else name(chosen),
        "turn": turn,
        "labels": dict(labels),
    }
    _component(key=key, data=data, on_chosen_change=on_chosen, on_place_change=on_place)
    return chosen


def reported_place(key: str) -> int | None:
    """Return where the reader wants the stretch in sight to begin.

    Args:
        key: the `key` of the component.

    Returns:
        A position of at least 0, not yet held within the text; None before there is one, or if it makes no sense.
    """
    state = st.session_state.get(key)
    report = state.get("place") if isinstance(state, Mapping) else None
    first = report.get("first") if isinstance(report, Mapping) else None  # a browser can send anything
    return first if type(first) is int and first >= 0 else None
