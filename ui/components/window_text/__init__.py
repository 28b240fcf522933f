"""The visible part of a text with the windows of one batch under it, and the whole text as a strip above."""

from collections.abc import Callable, Mapping, Sequence

from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.reports import read_report, resolve_choice

__all__ = ["LABELS", "reported_place", "window_text"]

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "strip": N_("Place in the text"),
    "strip_value": N_("tokens {first} to {last} of {total}"),
    "strip_title": N_("Whole text"),
    "back": N_("Back to the batch"),
    "text": N_("Tokens and windows"),
    "token": N_("token {position} ‘{label}’"),
    "windows": N_("number of windows with it: {count}"),
    "in_dropped": N_("left out by drop_last: {count}"),
    "input": N_("in sequence {sample} at position {position}"),
    "not_in_batch": N_("not in this batch"),
    "target": N_("last target of sequence {sample}"),
    "elsewhere": N_("chosen, but scrolled out of view"),
    "legend_0": N_("in no window, or only as a target"),
    "legend_1": N_("in one window"),
    "legend_2": N_("in two windows"),
    "legend_3": N_("in three windows or more"),
    "legend_dropped": N_("left out by drop_last"),
    "legend_batch": N_("sequence of this batch"),
    "legend_ticks": N_("its place in the whole text"),
    "legend_pin": N_("chosen token"),
    "lanes": N_("Drawn are {shown} of {count} sequences; up to {deepest} of them overlap."),
}

MAX_LANES = 4  # lines of samples under each line of text

_component = register("window-text", "window_text")


def window_text(
    tokens: Sequence[str],  # of the stretch in sight, how each is written; a few hundred at most
    *,
    first: int,  # position in the text of the first of them, from 0
    n_ids: int,  # tokens of the whole text
    coverage: Sequence[int],  # for each token in sight, of how many windows it is an input
    dropped: Sequence[int],  # of how many further windows, which are in no batch, it would be one
    starts: Sequence[int],  # of the batch's samples, in their order
    max_length: int,
    chosen: int | None,  # position of the chosen token, perhaps outside the stretch
    name: Callable[[int], str],  # how a chosen token outside of the stretch is written
    before: int,  # visible tokens before the first sample after going back to it
    labels: Mapping[str, str],  # translations of LABELS
    key: str,
    on_chosen: Callable[[], None],
    on_place: Callable[[], None],  # reported_place then returns the requested start
) -> int | None:
    """Draw the visible part with its windows and return the position of the selected token.

    See `reports.resolve_choice` for `chosen`, which any view of the page can set.
    """
    chosen, turn = resolve_choice(key, "chosen", chosen)
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
    """Return the requested start of the visible part, not yet clamped to the text; None for none."""
    report = read_report(key, "place")
    first = report.get("first") if isinstance(report, Mapping) else None
    return first if type(first) is int and first >= 0 else None
