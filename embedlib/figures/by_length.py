"""Results by length: a line for each scheme, its seeds as points in a band, and the lengths past the trained one."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import plotly.graph_objects as go
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.colours import GROUND, INK, SERIES, Theme
from embedlib.extrapolation import seed_spread
from embedlib.figures.charts import Curve, LineChart, axis_value, curve_styles, value_range
from embedlib.figures.labels import LONGEST, RemarkRoom, label_width, line_labels, place_remarks
from embedlib.figures.layout import TICK, AxesOptions, Frame, Spec, axis, check_labels, indices, log_ticks, numbers
from embedlib.figures.marks import legend_entry, note, scatter, vertical_line
from embedlib.figures.text import bold, plain, shorten

# The mark of a line's points tells it from others of its colour, as its dash does.
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "triangle-down")


def by_length_figure(
    values: Tensor,
    *,
    lengths: Sequence[int],
    lines: Sequence[Curve],
    trained: int,
    hover_texts: Sequence[Sequence[str]],
    trained_text: str,
    unseen_text: str,
    ended_text: str = "{name}",
    shares: bool = True,
    level: tuple[float, str] | None = None,
    front: int | None = None,
    groups: Sequence[tuple[str, int]] = (),
    remarks: Sequence[tuple[int, int, str]] = (),
    narrow: bool = False,
    **options: Unpack[AxesOptions],
) -> go.Figure:
    """Draw the mean over seeds by length, each seed as a point, and a band from the least to the greatest.

    Traces: the bands, the lines, the seeds of each line, then one empty trace per legend entry.

    Args:
        values: (n_lines, n_seeds, n_lengths); NaN leaves a gap.
        lengths: rising.
        trained: the longest trained length, past which the ground is shaded.
        hover_texts: of each point, (n_lines, n_lengths); the first of several lines is bold.
        ended_text: label of a line that ends before the last length, with {name}.
        shares: whether values are in [0, 1]; else they are above 0 and y is logarithmic.
        groups: name and index in SERIES of each colour in the legend; empty for no legend.
        remarks: index of a line, index of a length past the trained one, and the remark beside that point, where there
            is room.
        narrow: for a phone: names are cut, and the legend and the remarks are left out.
    """
    if values.ndim != 3 or values.shape[::2] != (len(lines), len(lengths)) or not lines:
        raise ValueError(
            f"values has shape {tuple(values.shape)}: it must be ({len(lines)} lines, n_seeds, {len(lengths)} lengths) "
            "with at least one line"
        )
    if not lengths or list(lengths) != sorted(set(lengths)) or lengths[0] < 1:
        raise ValueError(f"lengths={list(lengths)} must rise from at least 1")
    for texts, count in ((hover_texts, len(lines)), *((texts, len(lengths)) for texts in hover_texts)):
        check_labels(["" for _ in texts], count)
    frame, x, several = Frame(**options), np.asarray(lengths, dtype=np.int32), values.shape[1] > 1
    theme, n_groups = frame.theme, len(SERIES["light"])
    places, styles, inks = curve_styles(lines, theme, front=front, n_groups=n_groups, width=3.5)
    spread = seed_spread(values)
    mean, least, greatest = (
        numbers(bound.where(bound.isfinite(), torch.nan)) for bound in (spread.mean, spread.least, spread.greatest)
    )
    y_range, ticks = (-0.03, 1.03), Spec(tickvals=[0, 0.25, 0.5, 0.75, 1], tickformat=".0%")
    if not shares:
        y_range = value_range([least, greatest], *([] if level is None else [level[0]]), log=True)
        ticks = log_ticks(*y_range) | {"type": "log"}
    chart = LineChart(
        frame,
        560,
        length_axis(lengths, trained, theme, frame.x_title, narrow=narrow),
        axis(theme, frame.y_title, range=list(y_range), fixedrange=True, **ticks),
    )
    mark_training(chart, trained, trained_text, unseen_text, narrow=narrow)
    if level is not None:
        chart.level(*level)
    labels = [shorten((narrow and line.brief) or line.label, 10 if narrow else LONGEST) for line in lines]
    used = [] if narrow or front is not None else list(groups)
    top, foot = 34, 66 + (32 if used else 0)
    chart.notes += line_labels(
        spread.mean if shares else spread.mean.log10(),
        list(zip(labels, inks, strict=True)),
        [axis_value(chart.x, length) for length in lengths],
        y_range,
        plot_height=chart.height - frame.top_margin(top) - foot,
        lead=12 if narrow else 26,
        ended_text=ended_text,
        theme=theme,
    )
    if not narrow:
        plot_height = chart.height - frame.top_margin(top) - foot
        _write_remarks(chart, remarks, mean, lengths, inks, trained=trained, plot_height=plot_height)
    bands, means, seeds = [], [], []
    quiet = {"hoverinfo": "skip", "showlegend": False}
    for index, (line, style) in enumerate(zip(lines, styles, strict=True)):
        shown, colour = several and front in (None, index), style["color"]
        known = np.isfinite(least[index]) & np.isfinite(greatest[index]) & shown
        around = (
            np.concatenate([x[known], x[known][::-1]]),
            np.concatenate([least[index][known], greatest[index][known][::-1]]),
        )
        faint = 0.1 if front is None and len(lines) > 8 else 0.2
        bands.append(scatter("none", *around, fill="toself", fillcolor=colour, opacity=faint, **quiet))
        hollow, symbol = np.isin(indices(len(x)), line.hollow), SYMBOLS[places[index]]
        marker = {
            "size": 11,
            "symbol": [f"{symbol}-open" if is_hollow else symbol for is_hollow in hollow],
            "color": colour,
            "line": {
                "color": [colour if is_hollow else GROUND[theme] for is_hollow in hollow],
                "width": np.where(hollow, 2.5, 1.0).tolist(),
            },
        }
        means.append(
            scatter(
                "lines+markers",
                x,
                mean[index],
                name=plain(line.name),
                line=style,
                marker=marker,
                hovertext=[_hover_markup(text) for text in hover_texts[index]],
                hovertemplate="%{hovertext}<extra></extra>",
                showlegend=False,
                cliponaxis=False,
                zorder=int(index == front),
            )
        )
        every = numbers(values[index].where(values[index].isfinite(), torch.nan)).flatten()
        points = (np.tile(x, values.shape[1]), every) if shown else ([], [])
        seeds.append(scatter("markers", *points, marker={"size": 5, "color": colour, "opacity": 0.7}, **quiet))
    entries = [legend_entry(name, SERIES[theme][colour]) for name, colour in used]
    # Below, where it makes room for as many rows as a narrow screen takes.
    below = frame.legend(chart.height) | {"y": 0, "yanchor": "bottom"}
    if used:
        below["entrywidth"] = label_width([name for name, _ in used], 40)
    right = (30 if narrow else 44) + label_width(labels)
    return chart.figure([*bands, *means, *seeds, *entries], top=top, right=right, showlegend=bool(used), legend=below)


_PLOT_WIDTHS = (800, 1120)  # px, of a plot between its names on a laptop and on wide screens


def _write_remarks(
    chart: LineChart,
    remarks: Sequence[tuple[int, int, str]],
    mean: NDArray[np.float32],
    lengths: Sequence[int],
    inks: Sequence[str],
    *,
    trained: int,
    plot_height: float,
) -> None:
    """Write remarks on points past the trained length beside them, with a pointer, where no line runs."""
    low, high = chart.y["range"]
    shares = np.array([chart.share(length) for length in lengths])
    heights = np.log10(mean) if chart.y.get("type") == "log" else mean
    down = (1 - (heights - low) / (high - low)) * plot_height  # (n_lines, n_lengths)
    between = np.linspace(shares[0], shares[-1], 360)
    runs = [np.empty((0, 2))]
    for line in down:
        known = np.isfinite(line)
        if known.any():
            run = np.interp(between, shares[known], line[known], left=np.nan, right=np.nan)
            runs.append(np.stack([between, run], axis=1))
    drawn = [remark for remark in remarks if np.isfinite(mean[remark[0]][remark[1]])]
    points = np.array([(shares[place], down[line][place]) for line, place, _text in drawn]).reshape(-1, 2)
    rooms = [
        RemarkRoom(
            points * (width, 1), np.concatenate(runs) * (width, 1), (width, plot_height), chart.share(trained) * width
        )
        for width in _PLOT_WIDTHS
    ]
    offsets = place_remarks([text for _line, _place, text in drawn], rooms)
    for (line, place, text), offset in zip(drawn, offsets, strict=True):
        if offset is None:
            continue
        value = axis_value(chart.y, float(mean[line][place]))
        pointer: Spec = {"showarrow": True, "ax": offset[0], "ay": offset[1], "arrowhead": 0, "arrowwidth": 1.5}
        pointer |= {"arrowcolor": inks[line], "standoff": 7}
        theme = chart.frame.theme
        at = axis_value(chart.x, lengths[place])
        chart.notes.append(note(plain(text), at, value, inks[line], "center middle", size=TICK, over=theme) | pointer)


def length_axis(lengths: Sequence[int], trained: int, theme: Theme, title: str, *, narrow: bool) -> Spec:
    """Return the axis of lengths, linear or logarithmic, whichever keeps the nearest two farther apart.

    Each length has a tick; the trained one gets a number, then its multiples, then others as far as there is room.
    """
    every = sorted({*lengths, trained})
    scales = [np.array(every, dtype=np.float64), np.log10(every)]
    gaps = [float(np.diff(places).min(initial=np.inf) / (np.ptp(places) or 1)) for places in scales]
    log = gaps[1] > gaps[0]
    places = scales[log]
    span = float(np.ptp(places)) or 10.0
    at = dict(zip(every, places / span, strict=True))
    doubled = [trained * 2**power for power in range(1, 12) if trained * 2**power in lengths]
    numbered: list[int] = []
    for length in (trained, lengths[-1], lengths[0], *doubled, *reversed(lengths)):
        if all(abs(at[length] - at[other]) >= (0.167 if narrow else 0.047) for other in numbered):
            numbered.append(length)
    return axis(
        theme,
        title,
        type="log" if log else "linear",
        range=[float(places[0]) - 0.035 * span, float(places[-1]) + 0.012 * span],
        tickmode="array",
        tickvals=every,
        ticktext=[f"<b>{n}</b>" if n == trained else str(n) if n in numbered else "" for n in every],
        ticks="outside",
        tickangle=0,
        showgrid=False,  # one of them would cut the vertical line in two
        fixedrange=True,
    )


def mark_training(chart: LineChart, trained: int, trained_text: str, unseen_text: str, *, narrow: bool) -> None:
    """Shade the lengths past the trained one, and label both sides of the line between them."""
    end = chart.x["range"][1]
    chart.shade(trained, 10**end if chart.x["type"] == "log" else end)
    line = {"color": INK[chart.frame.theme], "width": 2.5}
    chart.shapes.append(vertical_line(trained, chart.frame.theme, line=line, layer="between"))
    if chart.share(trained) < 0.25:  # no room for words before the vertical line
        text = f"{bold(trained_text)} · {plain(unseen_text)}" + " →" * (not narrow)
        chart.write(trained, 1, text, "left bottom", yshift=2)
    else:
        chart.write(trained, 1, bold(trained_text), "right bottom", yshift=2, xshift=-8)
        chart.write(trained, 1, f"{plain(unseen_text)} →", "left bottom", yshift=2, xshift=8)


def _hover_markup(text: str) -> str:
    """Write text of several lines for a hover, the first of them bold."""
    first, *rest = map(plain, text.split("\n"))
    return "<br>".join([f"<b>{first}</b>" if rest else first, *rest])
