"""Words that move as their rows are trained: a point cloud with trails, and a slider over its steps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from embedlib.components.cloud import MOTION_LABELS as LABELS
from embedlib.components.payload import pack
from ui.cache.bounded import BoundedCache
from ui.components import register
from ui.components._shared.data import SharedData, data_address, serve
from ui.components._shared.reports import resolve_choice
from ui.theme import current_theme

__all__ = ["LABELS", "NONE", "RowMotion", "row_motion", "row_motion_frames"]

NONE = 255  # a word without a group, or without a kind
CHUNK = 5  # steps that travel together; only the last few, which are not yet so many, are fetched again as they grow
FINEST = 32_767  # a coordinate is a 16-bit share of its step's largest: a hundredth of a pixel on any screen

# Of 688 words at 120 steps: 0.5 MB.
_written: BoundedCache[tuple[str, tuple[int, ...], int], SharedData] = BoundedCache(64_000_000, lambda one: one.nbytes)

_component = register("row-motion", "point_cloud/motion", styles=["point_cloud/scatter.css", "point_cloud/labels.css"])


@dataclass(frozen=True, slots=True)
class RowMotion:
    """The user's choice and step."""

    step: int | None
    """The step just asked for, by moving the slider or by playing; None in every other run."""
    chosen: int | None
    """Index of the chosen word."""


def row_motion(
    *,
    run: str,
    steps: Sequence[int],
    frames: Sequence[str],
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
    """Draw the words at the positions from `row_motion_frames`, and play their motion.

    The browser plays by itself: a finished run whose last step is to be shown once from the beginning, if the run is
    new to it and `replay` is on; of an unfinished run it shows the newest step until the user chooses another one.

    See `reports.resolve_choice` for `chosen` and `step`.

    Args:
        run: as for `row_motion_frames`. The part before its first "|" names the training: other axes of the same
            training are not played again.
        steps: all that `row_motion_frames` was given, at least one.
        frames: what it returned, in the same run.
        follow: whether the training is unfinished: show its newest step.
        step: the one to show, of `steps`; ignored if `follow`.
        labels: of the words, the most important first.
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
        key: Streamlit key, without "__".
        on_change: called before the run that a choice or another step starts.
    """
    chosen, turn = resolve_choice(key, "chosen", chosen)
    if chosen is not None and not 0 <= chosen < len(labels):
        chosen = None
    step_reported, step_turn = resolve_choice(key, "step", None, newest=int(steps[-1]))
    step_reported = step_reported if step_reported in set(steps) else None
    words = {
        "part": "words",
        "labels": list(labels),
        "kinds": list(kinds),
        "legend": [list(entry) for entry in legend],
        "texts": dict(texts),
    }
    data = {
        "run": run,
        "words": data_address(pack(words, (), groups + kind_of)),
        "frames": list(frames),
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
        "theme": current_theme(),  # so that the picture is redrawn when it changes
    }
    _component(key=key, data=data, on_chosen_change=on_change, on_step_change=on_change)
    return RowMotion(step_reported, chosen)


def row_motion_frames(
    steps: Sequence[int], places: Sequence[NDArray[np.float32]] | NDArray[np.float32], *, run: str
) -> list[str]:
    """Serve the positions of all words at some steps, for `row_motion` to play.

    Call it in every run with all steps so far: the browser fetches only what it does not hold yet.

    Args:
        steps: rising from 0 or above.
        places: for each step (n_words, 3) finite float32; steps already cached under the same `run`, in any session,
            are not read again.
        run: identifies words, axes and positions.

    Returns:
        The addresses for `row_motion`.
    """
    addresses = []
    for first in range(0, len(steps), CHUNK):
        some = tuple(int(step) for step in steps[first : first + CHUNK])
        several = places[first : first + CHUNK]
        chunk = _written.get((run, some, len(several[0])), partial(_chunk, some, several))
        addresses.append(serve(chunk).address)
    return addresses


def _chunk(steps: tuple[int, ...], places: Sequence[NDArray[np.float32]] | NDArray[np.float32]) -> SharedData:
    """Encode the positions of each step as 16-bit integers, with the unit of each step."""
    n_words = len(places[0])
    units, shares = [], []
    for at in places:
        unit = float(np.abs(at, dtype=np.float64).max(initial=0)) / FINEST or 1.0
        units.append(unit)
        shares.append(np.rint(at / unit).astype("<i2").tobytes())
    header = {"part": "frames", "count": n_words, "steps": list(steps), "units": units}
    return SharedData(pack(header, (), b"".join(shares)))
