"""Words that move as their rows are trained: a cloud with trails, and a slider over its steps."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ui.components import register
from ui.components._shared.payload import pack
from ui.components.point_cloud.labels import MOTION_LABELS as LABELS
from ui.components.point_cloud.motion.frames import row_motion_frames, send_header
from ui.components.point_cloud.reports import reported
from ui.theme import current_theme

__all__ = ["LABELS", "NONE", "RowMotion", "row_motion", "row_motion_frames"]

NONE = 255  # a word without a group, or without a kind

_component = register("row-motion", "point_cloud/motion", styles=["_shared/tip.css", "point_cloud/scatter.css"])


@dataclass(frozen=True, slots=True)
class RowMotion:
    """What the reader did."""

    step: int | None
    """The step just asked for, by moving the slider or by playing; None in every other run."""
    chosen: int | None
    """Index of the chosen word."""


def row_motion(
    *,
    run: str,
    steps: Sequence[int],
    follow: bool,
    step: int,
    labels: Sequence[str],
    groups: bytes,
    legend: Sequence[tuple[str, str, int]],
    kinds: Sequence[str],
    kind_of: bytes,
    chosen: int | None,
    neighbours: Sequence[tuple[int, float]],
    axes: Sequence[str],
    dimensions: Literal[2, 3],
    n_steps: int,
    texts: Mapping[str, str],
    height: int,
    beside: int = 0,
    replay: bool = True,
    key: str,
    on_change: Callable[[], None],
) -> RowMotion:
    """Draw the words where `row_motion_frames` has put them, and play how they got there.

    The browser plays by itself. A finished run whose last step is to be shown it plays once, from the beginning, where
    it sees that run for the first time and `replay` is on; of one that goes on it shows the newest step as it comes,
    until the reader looks at another one.

    Pass back the `chosen` that this returned, and a `step` that it returned. A click wins over `chosen` in the one run
    that it starts; in every other run what is passed rules.

    Args:
        run: as for `row_motion_frames`. What stands before its first "|" names the training: other axes of the same
            training are not played from the beginning again.
        steps: all that `row_motion_frames` was given, at least one.
        follow: a training goes on: show the newest step as it comes.
        step: the one to be shown, of `steps`; without meaning where `follow`.
        labels: how each word is written, the most important first.
        groups: for each word its entry in the legend; NONE for words that are drawn small and faint.
        legend: (name, "#rrggbb", number of words) of each group.
        kinds: names of the kinds that the groups are made of; each belongs to one group.
        kind_of: for each word its index in kinds, or NONE.
        chosen: index of the chosen word, None for none; one that does not exist counts as None.
        neighbours: the chosen word's at `step`, nearest first: index and similarity.
        axes: 3 titles.
        dimensions: 2 draws the first two axes, 3 all, turned by dragging.
        n_steps: how many steps the whole run has.
        texts: the entries of LABELS, translated.
        height: of the picture in px, at least 200, and at most: a phone's screen limits it further.
        beside: px of the window's height that are kept for what stands above and below; where the rest is less than
            `height` the picture takes that, down to 340 px.
        replay: off where the reader asks for this very step, in a link.
        key: Streamlit key, without "__"; not the one of `row_motion_frames`.
        on_change: called before the run that a choice or another step starts.

    Raises:
        ValueError: a step that is not among the steps, indices out of range, a colour that is none, sizes that do not
            agree.
    """
    _check_run(steps, step, follow, n_steps)
    _check_words(len(labels), groups, legend, kinds, kind_of, [index for index, _ in neighbours])
    if dimensions not in (2, 3) or len(axes) != 3 or height < 200:
        raise ValueError(f"dimensions={dimensions}, {len(axes)} axes, height={height}: give 2 or 3, 3, at least 200")
    turn, chosen = reported(key, "chosen", chosen)
    if chosen is not None and not 0 <= chosen < len(labels):
        chosen = None
    step_turn, step_reported = reported(key, "step", None, newest=int(steps[-1]))
    step_reported = step_reported if step_reported in set(steps) else None
    words = {
        "part": "words",
        "labels": list(labels),
        "kinds": list(kinds),
        "legend": [list(entry) for entry in legend],
        "texts": dict(texts),
    }
    fingerprint = hashlib.blake2b(repr(words).encode(errors="replace") + groups + kind_of, digest_size=9).hexdigest()
    header = {
        "part": "header",
        "name": key,
        "run": run,
        "words": fingerprint,
        "last": int(steps[-1]),
        "n_steps": n_steps,
        "follow": follow,
        "step": int(step if step_reported is None else step_reported),
        "step_turn": step_turn,
        "chosen": chosen,
        "turn": turn,
        "neighbours": [[int(index), float(similarity)] for index, similarity in neighbours],
        "axes": list(axes),
        "dimensions": dimensions,
        "height": height,
        "beside": beside,
        "replay": replay,
        "theme": current_theme(),  # so that the picture hears of another one
    }
    send_header(pack(words | {"name": fingerprint}, (), groups + kind_of), header, key=key)
    _component(key=key, data={"key": key}, on_chosen_change=on_change, on_step_change=on_change)
    return RowMotion(step_reported, chosen)


def _check_run(steps: Sequence[int], step: int, follow: bool, n_steps: int) -> None:
    """Refuse steps that do not fit the run."""
    if not steps or steps[-1] > n_steps:
        raise ValueError(f"{len(steps)} steps, n_steps={n_steps}: give at least one step, and none beyond the last")
    if not follow and step not in steps:
        raise ValueError(f"step={step} is not among the steps: give one of {list(steps)[:8]}…{steps[-1]}")


def _check_words(
    n_words: int,
    groups: bytes,
    legend: Sequence[tuple[str, str, int]],
    kinds: Sequence[str],
    kind_of: bytes,
    neighbours: Sequence[int],
) -> None:
    """Refuse words whose groups, kinds or neighbours do not exist."""
    if len(groups) != n_words or len(kind_of) != n_words:
        raise ValueError(f"{len(groups)} groups and {len(kind_of)} kinds for {n_words} words: give one of each")
    for name, indices, entries in (("groups", groups, legend), ("kind_of", kind_of, kinds)):
        entry_of_row = np.frombuffer(indices, np.uint8)
        most = int(entry_of_row[entry_of_row != NONE].max(initial=0))
        if (entry_of_row != NONE).any() and most >= len(entries):
            raise ValueError(f"{name} reaches {most} but there are {len(entries)}: give indices of them, or {NONE}")
    for _, colour, _ in legend:
        if len(colour) != 7 or colour[0] != "#":
            raise ValueError(f"legend has the colour {colour!r}: give each as #rrggbb")
    if any(not 0 <= index < n_words for index in neighbours):
        raise ValueError(f"neighbours reach from {min(neighbours)} to {max(neighbours)}: give 0..{n_words - 1}")
