"""Small charts of shares over steps."""

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest

from embedlib.figures.over_steps import StepLine, small_steps_figure, step_place

Sent = Callable[[go.Figure], dict[str, Any]]
LINES = [StepLine(name, [0, 3, 10], [0.0, share, 1.0]) for name, share in (("a", 0.25), ("b", 0.5), ("c", 0.75))]


def test_every_line_has_a_chart_with_its_name_and_its_share_at_the_step_in_view(sent: Sent) -> None:
    spec = sent(small_steps_figure(LINES, names=["A", "<B>", "C"], last=100, theme="light", shown=3))
    lines, dots = spec["data"][:3], spec["data"][3:]
    assert [(line["xaxis"], line["yaxis"]) for line in lines] == [("x", "y"), ("x2", "y2"), ("x3", "y3")]
    assert lines[1]["x"] == [step_place(0), step_place(3), step_place(10)]
    assert lines[1]["y"] == [0.0, 0.5, 1.0]
    assert [(dot["y"], dot["xaxis"]) for dot in dots] == [([0.25], "x"), ([0.5], "x2"), ([0.75], "x3")]
    texts = [note["text"] for note in spec["layout"]["annotations"]]
    assert texts == ["<b>A</b>", "<b>&lt;B&gt;</b>", "<b>C</b>", "<b>25%</b>", "<b>50%</b>", "<b>75%</b>"]
    assert [shape["xref"] for shape in spec["layout"]["shapes"]] == ["x", "x2", "x3"]


def test_all_charts_have_the_same_axes_and_the_left_ones_name_shares(sent: Sent) -> None:
    layout = sent(small_steps_figure(LINES, names=["A", "B", "C"], last=100, theme="light"))["layout"]
    assert layout["xaxis"]["range"] == layout["xaxis2"]["range"] == layout["xaxis3"]["range"]
    assert layout["xaxis"]["ticktext"] == ["0", "1", "10", "100"]
    assert [layout[f"yaxis{mark}"]["showticklabels"] for mark in ("", "2", "3")] == [True, False, True]


def test_one_chart_passes_plotlys_own_check() -> None:
    go.Figure(small_steps_figure(LINES[:1], names=["A"], last=3, theme="dark", shown=50, title="t").to_dict())


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="a name for each"):
        small_steps_figure(LINES, names=["A"], last=10, theme="light")
    with pytest.raises(ValueError, match="give at least one"):
        small_steps_figure([], names=[], last=10, theme="light")
    with pytest.raises(ValueError, match="a value for each"):
        small_steps_figure([StepLine("a", [0, 1], [0.5])], names=["A"], last=10, theme="light")
