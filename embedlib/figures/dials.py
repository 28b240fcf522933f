"""Dials: which arc of its circle each rotating pair of columns covered in training, and which arc longer texts add."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import plotly.graph_objects as go
from torch import Tensor

from embedlib.colours import RULE, SERIES
from embedlib.figures.layout import Frame, FrameOptions, Spec, check_labels, make_figure
from embedlib.figures.marks import Grid, number, scatter
from embedlib.figures.text import plain

DIAL = 128  # px, for eight in a row on a wide screen
_TURN = 2 * np.pi


def dials_figure(
    frequencies: Tensor,
    *,
    names: Sequence[str],
    trained: int,
    tested: int,
    trained_name: str,
    unseen_name: str,
    farthest: Tensor | None = None,
    columns: int = 8,
    cell: int = DIAL,
    **options: Unpack[FrameOptions],
) -> go.Figure:
    """Draw a dial for each pair: the arc covered in training, and the arc that only longer texts reach.

    Args:
        frequencies: (n_pairs,) radians by which a pair is rotated from one position to the next.
        trained: number of positions in training; angles reach (trained - 1) · frequency.
        tested: number of positions of the longer text.
        farthest: (n_pairs,) angles of the longer text's last position, under a scaling; None for
            (tested - 1) · frequency.
        columns: dials in a row.
        cell: height of each dial's cell in px.
    """
    if frequencies.ndim != 1 or not len(frequencies) or bool((frequencies <= 0).any()):
        raise ValueError(f"frequencies has shape {tuple(frequencies.shape)}: it must be (n_pairs,), each above 0")
    if not 1 <= trained <= tested:
        raise ValueError(f"trained={trained}, tested={tested}: tested must be at least trained, and that at least 1")
    check_labels(names, len(frequencies))
    frame = Frame(**options)
    theme = frame.theme
    grid = Grid(len(frequencies), columns=columns, cell=cell, gap=0.02)
    layout = grid.circles_layout(frame, names, 1.2, showlegend=True)
    traces: list[Spec] = []
    keyed: set[str] = set()
    ends = (tested - 1) * frequencies if farthest is None else farthest
    for index, (frequency, end) in enumerate(zip(frequencies.double().tolist(), ends.tolist(), strict=True)):
        known, reached = min(_TURN, (trained - 1) * frequency), min(_TURN, end)
        parts = [
            ("", 0.0, _TURN, {"color": RULE[theme], "width": 2}),
            (trained_name, 0.0, known, {"color": SERIES[theme][0], "width": 9}),
            (unseen_name, known, reached, {"color": SERIES[theme][1], "width": 9, "dash": "dot"}),
        ]
        for part, start, stop, line in parts:
            if stop > start:
                traces.append(_arc(index, start, stop, plain(part), line, part not in keyed))
                keyed.add(part)
    return make_figure(traces, layout)


def _arc(index: int, start: float, stop: float, name: str, line: Spec, is_first: bool) -> Spec:
    """Draw an arc of the circle of radius 1; one without a name is not in the legend."""
    angle = np.linspace(start, stop, max(2, int(12 * (stop - start))))
    mark = number(index)
    return scatter(
        "lines",
        np.cos(angle).astype(np.float32),
        np.sin(angle).astype(np.float32),
        xaxis=f"x{mark}",
        yaxis=f"y{mark}",
        name=name,
        legendgroup=name,
        showlegend=bool(name) and is_first,
        line=line | {"simplify": False},  # else wide arcs become polygons
        hoverinfo="skip",
        cliponaxis=False,
    )
