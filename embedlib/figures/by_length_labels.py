"""The name of each line beside its end, joined to it by a thin line where others push it away."""

from collections.abc import Sequence

import torch
from torch import Tensor

from embedlib.figures.by_length_frame import LengthAxis
from embedlib.figures.colours import Theme
from embedlib.figures.curve_labels import ROW
from embedlib.figures.layout import TEXT, Spec, halo
from embedlib.figures.spread import spread
from embedlib.figures.text import plain

LEAD = {False: 26, True: 12}  # px from the end of a line to its name, narrow or not


def length_labels(
    heights: Tensor,
    labels: Sequence[tuple[str, str]],
    x_axis: LengthAxis,
    reach: tuple[float, float],
    *,
    plot_height: float,
    ended_text: str,
    theme: Theme,
) -> list[Spec]:
    """Return the labels: at the right for lines that reach the last length, at their end for the others.

    Args:
        heights: (n_lines, n_lengths) in the unit of the y axis; a line without any number gets no label.
        labels: text and colour of each line.
        x_axis: where the lengths lie.
        reach: the range of y, in its own unit.
        plot_height: of the plot alone, in CSS pixels.
        ended_text: what a line says that ends early, with {name}.
        theme: "light" or "dark".
    """
    low, high = reach
    places = (heights - low) / (high - low)  # fractions of the plot's height
    last = [int(known.nonzero().max()) if known.any() else -1 for known in places.isfinite()]
    final = heights.shape[1] - 1
    whole = [index for index, end in enumerate(last) if end == final]
    room = ROW / plot_height
    # Of lines that end at one height, the one that was higher before has its name above.
    before = torch.nan_to_num(places).mean(1)
    asked = [float(places[index, -1]) + 1e-6 * float(before[index]) for index in whole]
    at = spread(asked, room, low=room / 2, high=1 - room / 2)
    named = [
        {
            "xref": "paper",
            "yref": "paper",
            "x": 1,
            "y": end,
            "xanchor": "left",
            "yanchor": "middle",
            "align": "left",
            "showarrow": True,
            "arrowhead": 0,
            "arrowwidth": 1.5,
            "arrowcolor": labels[index][1],
            "ax": LEAD[x_axis.narrow],
            "ay": -(place - end) * plot_height,
            "text": f"<b>{plain(labels[index][0])}</b>",
            "font": {"size": TEXT, "color": labels[index][1]},
        }
        for index, place, end in zip(whole, at, (float(places[index, -1]) for index in whole), strict=True)
    ]
    return named + [
        _where_it_ends(
            ended_text.format(name=labels[index][0]),
            labels[index][1],
            x_axis.unit(x_axis.lengths[end]),
            float(places[index, end]),
            left=x_axis.share(x_axis.lengths[end]) < 0.5,
            theme=theme,
        )
        for index, end in enumerate(last)
        if 0 <= end < final
    ]


def _where_it_ends(text: str, colour: str, x: float, place: float, *, left: bool, theme: Theme) -> Spec:
    """Beside the line's last point, on the side that has more room, above it unless it ends at the top."""
    above = place < 0.85
    return {
        "x": x,
        "yref": "paper",
        "y": min(max(place, 0.0), 1.0),
        "xanchor": "left" if left else "right",
        "yanchor": "bottom" if above else "top",
        "xshift": 10 if left else -10,
        "yshift": 4 if above else -4,
        "text": f"<b>{plain(text)}</b>",
        "font": {"size": TEXT, "color": colour, "shadow": halo(theme)},
        "showarrow": False,
    }
