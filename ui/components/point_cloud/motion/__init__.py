"""Words that move as their rows are trained: a point cloud with trails, and a slider over its steps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from embedlib.components.cloud import MOTION_LABELS as LABELS
from embedlib.components.payload import pack
from ui.components import register
from ui.components._shared.data import data_address
from ui.components._shared.reports import resolve_choice
from ui.components.point_cloud.motion.frames import row_motion_frames
from ui.theme import current_theme

__all__ = ["LABELS", "NONE", "RowMotion", "row_motion", "row_motion_frames"]

NONE = 255  # a word without a group, or without a kind

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
