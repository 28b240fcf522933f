"""Lines over the steps of a training."""

import math
from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest

from embedlib.figures.colours import SERIES
from embedlib.figures.over_steps import StepLine, over_steps_figure, step_place

Sent = Callable[[go.Figure], dict[str, Any]]
LINES = [StepLine("a", [0, 3, 10], [0.25, 0.5, 1.0]), StepLine("<b>", [0, 3], [0.0, 0.75])]
WORDS: dict[str, Any] = {"last": 100, "x_title": "x", "y_title": "y", "theme": "light", "hover_text": "{name} {x} {y}"}


def texts(spec: dict[str, Any]) -> list[str]:
    return [annotation["text"] for annotation in spec["layout"]["annotations"]]


def test_each_line_is_drawn_over_its_own_steps(sent: Sent) -> None:
    spec = sent(over_steps_figure(LINES, scale="share", **WORDS))
    assert [trace["name"] for trace in spec["data"]] == ["a", "&lt;b&gt;"]
    assert spec["data"][0]["x"] == [step_place(0), step_place(3), step_place(10)]
    assert spec["data"][0]["y"] == [0.25, 0.5, 1.0]
    assert spec["data"][1]["customdata"] == [[0, 0.0], [3, 0.75]]
    assert [trace["line"]["color"] for trace in spec["data"]] == list(SERIES["light"][:2])
    assert len({trace["line"]["dash"] for trace in spec["data"]}) == 2
    assert spec["data"][0]["hovertemplate"] == "a %{customdata[0]:,d} %{customdata[1]:.0%}<extra></extra>"


def test_names_stand_where_lines_have_come_to(sent: Sent) -> None:
    names = sent(over_steps_figure(LINES, scale="share", **WORDS))["layout"]["annotations"]
    assert [(name["text"], name["x"]) for name in names] == [
        ("<b>a</b>", step_place(10)),
        ("<b>&lt;b&gt;</b>", step_place(3)),
    ]
    unnamed = StepLine("a", [0], [1.0], named=False)
    assert texts(sent(over_steps_figure([unnamed], scale="share", **WORDS))) == []


def test_the_step_in_view_is_marked_on_the_lines_that_have_it(sent: Sent) -> None:
    spec = sent(over_steps_figure(LINES, scale="share", shown=(10, "here"), **WORDS))
    assert "<b>here</b>" in texts(spec)
    assert spec["layout"]["shapes"][0]["x0"] == step_place(10)
    dots = spec["data"][2]
    assert (dots["x"], dots["y"], dots["marker"]["color"]) == ([step_place(10)], [1.0], [SERIES["light"][0]])
    nowhere = sent(over_steps_figure(LINES, scale="share", shown=(50, "here"), **WORDS))
    assert len(nowhere["data"]) == 2


def test_places_rise_to_the_first(sent: Sent) -> None:
    line = StepLine("a", [0, 1, 2], [500, 10, 1])
    spec = sent(over_steps_figure([line], scale="place", most=687, **WORDS))
    assert spec["data"][0]["y"] == pytest.approx([math.log10(500), 1, 0])
    axis = spec["layout"]["yaxis"]
    assert axis["range"][0] > math.log10(687) > 0 > axis["range"][1]
    assert axis["ticktext"] == ["1", "10", "100", "687"]
    assert axis["tickvals"] == pytest.approx([0, 1, 2, math.log10(687)])


def test_the_first_places_share_little_height_where_it_does_not_matter_which_they_are(sent: Sent) -> None:
    line = StepLine("a", [0, 1, 2], [500, 10, 1])
    near = sent(over_steps_figure([line], scale="place", most=687, near=10, **WORDS))["data"][0]
    assert near["y"] == pytest.approx([math.log10(50.9), math.log10(1.9), 0])
    assert near["customdata"] == [[0, 500], [1, 10], [2, 1]]


def test_numbers_and_levels_all_fit_in(sent: Sent) -> None:
    line = StepLine("a", [0, 1, 2], [4.0, math.nan, 2.0])
    spec = sent(over_steps_figure([line], scale="number", levels=[(4.16, "high"), (1.0, "low")], **WORDS))
    low, high = spec["layout"]["yaxis"]["range"]
    assert low < 1.0
    assert high > 4.16
    assert [shape["y0"] for shape in spec["layout"]["shapes"]] == [4.16, 1.0]
    high_name, low_name = spec["layout"]["annotations"][:2]
    assert (high_name["text"], high_name["xanchor"]) == ("high", "right"), "the line begins at it"
    assert (low_name["text"], low_name["xanchor"]) == ("low", "left")


@pytest.mark.parametrize("scale", ["share", "place", "number"])
def test_a_single_point_passes_plotlys_own_check(scale: Any) -> None:
    line = StepLine("a", [0], [1.0])
    go.Figure(over_steps_figure([line], scale=scale, shown=(0, "0"), title="t", **WORDS).to_dict())


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "1 to 6, which can be told apart"),
        ([StepLine("a", [0], [0.0])] * 7, "1 to 6"),
        ([StepLine("a", [], [])], "at least one step"),
        ([StepLine("a", [0, 1], [0.0])], "a value for each"),
    ],
)
def test_lines_that_do_not_fit_are_refused(lines: list[StepLine], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        over_steps_figure(lines, scale="share", **WORDS)
