"""The axis that all charts of a training share: steps, the first hundred wide enough to see what happens in them."""

import math
from collections.abc import Sequence

from embedlib.figures.colours import INK, Theme
from embedlib.figures.curve_marks import upright
from embedlib.figures.layout import TICK, Spec, axis, halo
from embedlib.figures.text import plain

_APART = 0.11  # of the axis: two ticks nearer than this would cover each other on a phone


def step_place(step: float) -> float:
    """Return where a step lies on the axis: log10(1 + step), so that step 0 has a place too."""
    return math.log10(1 + step)


def step_ticks(last: int) -> list[int]:
    """Return the steps that are named on an axis from 0 to `last`: 0, 1, 3, 10, 30 and so on, and the last."""
    ticks = [0, *(factor * 10**power for power in range(len(str(last))) for factor in (1, 3))]
    room = _APART * step_place(last)
    return [*(tick for tick in ticks if step_place(last) - step_place(tick) >= room), last]


def step_axis(theme: Theme, title: str, *, last: int, **more: object) -> Spec:
    """Return the axis of x; `more` wins.

    Args:
        theme: "light" or "dark".
        title: what is counted.
        last: the last step of the whole training, at least 1: the axis stays as it is while steps are still to come.
        more: further entries of Plotly's axis.
    """
    ticks = step_ticks(last)
    end = step_place(last)
    return axis(
        theme,
        title,
        range=[-0.012 * end, 1.012 * end],
        tickmode="array",
        tickvals=[step_place(tick) for tick in ticks],
        ticktext=[f"{tick:,}" for tick in ticks],
        fixedrange=True,
    ) | dict(more)


def mark_step(layout: Spec, step: int, name: str, *, last: int, theme: Theme) -> None:
    """Draw an upright through a step and write over the plot what it is; needs 24 px of room above."""
    place = step_place(step)
    share = place / step_place(last)
    layout["shapes"].append(step_line(step, theme))
    layout["annotations"].append(
        {
            "x": place,
            "xanchor": "left" if share < 0.15 else "right" if share > 0.85 else "center",
            "yref": "paper",
            "y": 1,
            "yanchor": "bottom",
            "text": f"<b>{plain(name)}</b>",
            "font": {"size": TICK, "color": INK[theme], "shadow": halo(theme)},
            "showarrow": False,
        }
    )


def step_line(step: int, theme: Theme, mark: str | None = None) -> Spec:
    """Return the upright through a step; `mark` numbers the axes in a figure of several, None where there is one."""
    line = {"color": INK[theme], "width": 1.5, "dash": "dot"}
    axes = {} if mark is None else {"xref": f"x{mark}", "yref": f"y{mark} domain"}
    return {"type": "line", "line": line, "layer": "below", **upright(step_place(step), step_place(step)), **axes}


def thinned(steps: Sequence[int], values: Sequence[float], *, last: int, most: int) -> tuple[list[int], list[float]]:
    """Return at most so many points, evenly along the axis: each the mean of the values in its stretch.

    Args:
        steps: rising.
        values: one per step.
        last: of the axis.
        most: how many stretches the axis is cut into.

    Returns:
        For each stretch that has values its middle step, and their mean; where a stretch has one, that one.
    """
    stretches: dict[int, list[int]] = {}
    for index, step in enumerate(steps):
        stretches.setdefault(int(most * step_place(step) / step_place(last)), []).append(index)
    groups = list(stretches.values())
    return (
        [steps[group[len(group) // 2]] for group in groups],
        [math.fsum(values[index] for index in group) / len(group) for group in groups],
    )
