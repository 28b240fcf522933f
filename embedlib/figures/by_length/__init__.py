"""Scores by length: a line for each scheme, its seeds as points in a band, and the ground that training never saw."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
from torch import Tensor

from embedlib.extrapolation import seed_spread
from embedlib.figures.by_length.axes import LengthAxis, mark_training, score_axis, score_reach
from embedlib.figures.by_length.traces import LengthLine, band, line_with_marks, seed_points, style_of
from embedlib.figures.colours import MUTED, SERIES, Theme
from embedlib.figures.labels import LONGEST, label_width, line_labels
from embedlib.figures.layout import base_layout, check_labels, legend, make_figure
from embedlib.figures.lines import DASHES
from embedlib.figures.marks import dashed, legend_entry, level_name
from embedlib.figures.text import shorten

__all__ = ["LengthLine", "by_length_figure"]


def by_length_figure(
    values: Tensor,
    *,
    lengths: Sequence[int],
    lines: Sequence[LengthLine],
    trained: int,
    x_title: str,
    y_title: str,
    theme: Theme,
    said: Sequence[Sequence[str]],
    trained_text: str,
    unseen_text: str,
    ended_text: str = "{name}",
    shares: bool = True,
    level: tuple[float, str] | None = None,
    front: int | None = None,
    groups: Sequence[tuple[str, int]] = (),
    narrow: bool = False,
    height: int = 560,
    title: str = "",
) -> go.Figure:
    """Draw the mean over seeds by length, each seed as a point, and a band from the least to the greatest.

    Args:
        values: (n_lines, n_seeds, n_lengths); not a number where there is none. A line ends where its numbers do.
        lengths: tested, at least one, rising.
        lines: one for each.
        trained: the greatest length of training, where an upright stands; the ground past it is shaded.
        x_title: what lengths count.
        y_title: what the values are.
        theme: "light" or "dark".
        said: what each point says under the pointer, (n_lines, n_lengths); a first of several lines is bold.
        trained_text: what is said before the upright.
        unseen_text: what is said after it.
        ended_text: what stands where a line ends before the last length, with {name}.
        shares: whether values are shares in [0, 1]; else they are above 0 and y is logarithmic.
        level: a dashed height and what to call it.
        front: the line that stands out; all others are grey.
        groups: name and index in SERIES of each colour in the legend; empty for no legend.
        narrow: whether the screen is a phone's: names are cut, and the legend is left out.
        height: in CSS pixels.
        title: a heading inside the figure.

    Returns:
        A figure whose traces are the bands in order (one of a single seed has no points), then the lines in order,
        then the seeds of each line as points (none of a single seed), then one without points for each entry of the
        legend.

    Raises:
        ValueError: values that do not fit the lines, the lengths or the words; lengths that do not rise; an unknown
            colour or front.
    """
    _check(values, lengths, lines, said, front)
    spread, x_axis = seed_spread(values), LengthAxis.of(lengths, trained, narrow=narrow)
    lines = [
        replace(line, label=shorten((narrow and line.brief) or line.label, 10 if narrow else LONGEST)) for line in lines
    ]
    reach = score_reach(spread, level, shares=shares)
    used = [] if narrow or front is not None else list(groups)
    layout = base_layout(
        theme,
        height=height,
        title=title,
        xaxis=x_axis.spec(theme, x_title),
        yaxis=score_axis(theme, y_title, reach, shares=shares),
        annotations=[],
        shapes=[],
        showlegend=bool(used),
        # Below, where it makes room for as many rows as a narrow screen takes.
        legend=legend(theme, height=height)
        | {"y": 0, "yanchor": "bottom"}
        | ({"entrywidth": label_width([name for name, _ in used], 40)} if used else {}),
    )
    top, foot = 34 + (44 if title else 0), 66 + (32 if used else 0)
    layout["margin"] |= {"t": top, "r": (30 if narrow else 44) + label_width([line.label for line in lines])}
    mark_training(layout, x_axis, theme, trained_text=trained_text, unseen_text=unseen_text)
    if level is not None:
        layout["shapes"].append(dashed(level[0], theme))
        layout["annotations"].append(level_name(level[1], level[0] if shares else math.log10(level[0]), theme))
    inks = [
        MUTED[theme] if front not in (None, index) else SERIES[theme][line.group] for index, line in enumerate(lines)
    ]
    layout["annotations"] += line_labels(
        spread.mean if shares else spread.mean.log10(),
        [(line.label, ink) for line, ink in zip(lines, inks, strict=True)],
        [x_axis.unit(length) for length in lengths],
        reach,
        plot_height=height - top - foot,
        lead=12 if narrow else 26,
        ended_text=ended_text,
        theme=theme,
    )
    x = np.asarray(lengths, dtype=np.int32)
    styles = [
        style_of(line, theme, front=index == front, behind=front not in (None, index))
        for index, line in enumerate(lines)
    ]
    bands = [
        band(x, spread, index, style, shown=front in (None, index), crowded=front is None and len(lines) > 8)
        for index, style in enumerate(styles)
    ]
    drawn = [
        line_with_marks(x, spread.mean[index], line, style, said[index], theme) | {"zorder": int(index == front)}
        for index, (line, style) in enumerate(zip(lines, styles, strict=True))
    ]
    seeds = [seed_points(x, values[index], style, shown=front in (None, index)) for index, style in enumerate(styles)]
    entries = [legend_entry(name, SERIES[theme][colour]) for name, colour in used]
    return make_figure([*bands, *drawn, *seeds, *entries], layout)


def _check(
    values: Tensor,
    lengths: Sequence[int],
    lines: Sequence[LengthLine],
    said: Sequence[Sequence[str]],
    front: int | None,
) -> None:
    if values.ndim != 3 or values.shape[0] != len(lines) or values.shape[2] != len(lengths) or not values.shape[0]:
        raise ValueError(
            f"values has shape {tuple(values.shape)}: it must be ({len(lines)} lines, n_seeds, {len(lengths)} lengths) "
            "with at least one line"
        )
    if not lengths or any(a >= b for a, b in pairwise(lengths)) or lengths[0] < 1:
        raise ValueError(f"lengths={list(lengths)} must rise from at least 1")
    check_labels(["" for _ in said], len(lines))
    for words in said:
        check_labels(words, len(lengths))
    if any(not (0 <= line.group < len(SERIES["light"]) and 0 <= line.nth < len(DASHES)) for line in lines):
        raise ValueError(f"a line's group and nth must be from 0 to {len(DASHES) - 1}")
    if front is not None and not 0 <= front < len(lines):
        raise ValueError(f"front={front} must be None or a line from 0 to {len(lines) - 1}")
