"""The view of a figure as the browser reports it: zoomed axes and camera."""

from collections.abc import Mapping
from math import cos, isfinite, sin

import numpy as np
from numpy.typing import NDArray
from plotly.graph_objects import Figure

from ui.settings import Look

_SEEN = ".seen"
_PAPER = 840  # px across the axes on a saved figure
_AROUND = 150  # px over and under them
_FURTHEST = 1e30

View = Mapping[str, list[float]]


def read_look(raw: str) -> tuple[str, View]:
    """Parse the view state that the browser sends with a request for a file.

    Args:
        raw: a look as in a link, with `KEY.seen` for the view of a point cloud.

    Returns:
        The look for the link, and its numeric entries; both empty if it is invalid.
    """
    try:
        entries = [entry.partition("!")[::2] for entry in Look("").parse(raw).split("~")[1:]]
    except ValueError:
        return "", {}
    kept = [f"{name}!{value}" for name, value in entries if not name.endswith(_SEEN)]
    view = {name: numbers for name, value in entries if (numbers := _numbers(value))}
    return "~".join(["1", *kept]) if kept else "", view


def apply_view(figure: Figure, view: View, key: str) -> None:
    """Apply the reported axes and camera of a key to a figure; invalid ones are ignored."""
    own = {name.removeprefix(f"{key}."): numbers for name, numbers in view.items() if name.startswith(f"{key}.")}
    for name, numbers in own.items():
        if name == "seen" and len(numbers) == 7 and min(numbers[5:]) > 0:
            _show_cloud(figure, numbers)
        elif name == "scene" and len(numbers) in (6, 9):
            parts = [dict(zip("xyz", numbers[at : at + 3], strict=True)) for at in range(0, len(numbers), 3)]
            figure.update_scenes(camera=dict(zip(("eye", "center", "up"), parts, strict=False)))
        elif name in figure.layout and name[1:5] == "axis" and len(numbers) == 2 and numbers[0] != numbers[1]:
            figure.layout[name].update(range=numbers, autorange=False)


def _show_cloud(figure: Figure, numbers: list[float]) -> None:
    """Show the part of a point cloud that is in view.

    Args:
        figure: of two axes or a scene.
        numbers: x, y and z in the middle, yaw and pitch in radians, width and height of what is seen.
    """
    *middle, yaw, pitch, width, height = numbers
    figure.layout.height = round(min(1_200, max(420, _AROUND + _PAPER * height / width)))
    if not any(trace.type == "scatter3d" for trace in figure.data):
        for axis, at, extent in (("xaxis", middle[0], width), ("yaxis", middle[1], height)):
            figure.layout[axis].update(range=[at - extent / 2, at + extent / 2], constrain="domain")
        return
    # A scene of parallel lines is 2 high; its box has the middle of the points at 0.
    bounds = np.array([_bounds([trace[letter] for trace in figure.data if len(trace[letter])]) for letter in "xyz"])
    room = 0.02 * float(np.ptp(bounds, axis=1).max()) or 1.0
    low, high = bounds[:, 0] - room, bounds[:, 1] + room
    scale = 2 / height
    centre, sides = (np.array(middle) - (low + high) / 2) * scale, (high - low) * scale
    towards = np.array([-sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch)])
    upward = np.array([sin(yaw) * sin(pitch), cos(pitch), -cos(yaw) * sin(pitch)])
    eye = centre + towards * max(2.0, float(np.linalg.norm(sides)))
    named = {name: dict(zip("xyz", at.tolist(), strict=True)) for name, at in (("center", centre), ("eye", eye))}
    figure.layout.scene.update(
        camera={**named, "up": dict(zip("xyz", upward.tolist(), strict=True)), "projection": {"type": "orthographic"}},
        aspectmode="manual",
        aspectratio=dict(zip("xyz", sides.tolist(), strict=True)),
    )
    for letter, least, most in zip("xyz", low.tolist(), high.tolist(), strict=True):
        figure.layout.scene[f"{letter}axis"].range = [least, most]


def _bounds(values: list[NDArray[np.float32]]) -> tuple[float, float]:
    return min(float(np.min(part)) for part in values), max(float(np.max(part)) for part in values)


def _numbers(value: str) -> list[float]:
    try:
        numbers = [float(part) for part in value.split(",")]
    except ValueError:
        return []
    return numbers if all(isfinite(number) and abs(number) < _FURTHEST for number in numbers) else []
