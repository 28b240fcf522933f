import math
from typing import Any

import pytest

from embedlib.colours import SERIES
from embedlib.figures.over_steps import (
    StepLine,
    average_stretches,
    over_steps_figure,
    small_steps_figure,
    step_coordinate,
)
from tests.figures.conftest import Sent

LINES = [StepLine("a", [0, 3, 10], [0.25, 0.5, 1.0]), StepLine("<b>", [0, 3], [0.0, 0.75])]
WORDS: dict[str, Any] = {"last": 100, "x_title": "x", "y_title": "y", "theme": "light", "hover_text": "{name} {x} {y}"}


def texts(spec: dict[str, Any]) -> list[str]:
    return [annotation["text"] for annotation in spec["layout"]["annotations"]]


def test_each_line_is_drawn_over_its_own_steps(sent: Sent) -> None:
    spec = sent(over_steps_figure(LINES, scale="share", **WORDS))
    assert [trace["name"] for trace in spec["data"]] == ["a", "&lt;b&gt;"]
    assert spec["data"][0]["x"] == [step_coordinate(0), step_coordinate(3), step_coordinate(10)]
    assert spec["data"][0]["y"] == [0.25, 0.5, 1.0]
    assert spec["data"][1]["customdata"] == [[0, 0.0], [3, 0.75]]
    assert [trace["line"]["color"] for trace in spec["data"]] == list(SERIES["light"][:2])
    assert len({trace["line"]["dash"] for trace in spec["data"]}) == 2
    assert spec["data"][0]["hovertemplate"] == "a %{customdata[0]:,d} %{customdata[1]:.0%}<extra></extra>"


def test_names_stand_where_lines_have_come_to(sent: Sent) -> None:
    names = sent(over_steps_figure(LINES, scale="share", **WORDS))["layout"]["annotations"]
    assert [(name["text"], name["x"]) for name in names] == [
        ("<b>a</b>", step_coordinate(10)),
        ("<b>&lt;b&gt;</b>", step_coordinate(3)),
    ]
    unnamed = StepLine("a", [0], [1.0], named=False)
    assert texts(sent(over_steps_figure([unnamed], scale="share", **WORDS))) == []


def test_the_step_in_view_is_marked_on_the_lines_that_have_it(sent: Sent) -> None:
    spec = sent(over_steps_figure(LINES, scale="share", shown=(10, "here"), **WORDS))
    assert "<b>here</b>" in texts(spec)
    assert spec["layout"]["shapes"][0]["x0"] == step_coordinate(10)
    dots = spec["data"][2]
    assert (dots["x"], dots["y"], dots["marker"]["color"]) == ([step_coordinate(10)], [1.0], [SERIES["light"][0]])
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
    near, dots = sent(over_steps_figure([line], scale="place", most=687, near=10, shown=(1, ""), **WORDS))["data"]
    assert (dots["x"], dots["y"]) == ([near["x"][1]], [near["y"][1]])
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


def test_a_step_lies_at_the_logarithm_of_one_more() -> None:
    assert step_coordinate(0) == 0
    assert step_coordinate(9) == 1
    assert step_coordinate(99) == 2


@pytest.mark.parametrize(
    ("last", "ticks"),
    [
        (1, [0, 1]),
        (12, [0, 1, 3, 12]),
        (100, [0, 1, 3, 10, 30, 100]),
        (1_000, [0, 1, 3, 10, 30, 100, 300, 1_000]),
        (5_000, [0, 1, 3, 10, 30, 100, 300, 1_000, 5_000]),
    ],
)
def test_true_steps_are_named_and_none_covers_the_last(last: int, ticks: list[int]) -> None:
    axis = over_steps_figure(LINES, scale="share", **WORDS | {"last": last}).to_dict()["layout"]["xaxis"]
    assert axis["ticktext"] == [f"{tick:,}" for tick in ticks]
    assert axis["tickvals"] == pytest.approx([math.log10(1 + tick) for tick in ticks])
    assert axis["range"][0] < 0
    assert axis["range"][1] > step_coordinate(last)


def test_a_step_is_marked_and_named_inside_the_picture(sent: Sent) -> None:
    for step, anchor in ((0, "left"), (30, "center"), (1_000, "right")):
        line = StepLine("a", [0], [0.0], named=False)
        layout = sent(over_steps_figure([line], scale="share", shown=(step, "<step>"), **WORDS | {"last": 1_000}))[
            "layout"
        ]
        assert layout["shapes"][0]["x0"] == layout["shapes"][0]["x1"] == step_coordinate(step)
        assert layout["annotations"][0]["xanchor"] == anchor
        assert layout["annotations"][0]["text"] == "<b>&lt;step&gt;</b>"


def test_points_that_lie_close_become_their_mean() -> None:
    steps, values = list(range(1_001)), [float(step % 2) for step in range(1_001)]
    some, means = average_stretches(steps, values, last=1_000, most=50)
    assert some == sorted(some)
    assert len(some) <= 51
    assert some[:6] == [0, 1, 2, 3, 4, 5]
    assert means[:6] == [0, 1, 0, 1, 0, 1]
    for step, mean in zip(some, means, strict=True):
        alike = [
            n
            for n in steps
            if int(50 * step_coordinate(n) / step_coordinate(1_000))
            == int(50 * step_coordinate(step) / step_coordinate(1_000))
        ]
        assert mean == pytest.approx(sum(n % 2 for n in alike) / len(alike))
        assert step in alike


SMALL_LINES = [StepLine(name, [0, 3, 10], [0.0, share, 1.0]) for name, share in (("a", 0.25), ("b", 0.5), ("c", 0.75))]


def test_every_line_has_a_chart_with_its_name_and_its_share_at_the_step_in_view(sent: Sent) -> None:
    spec = sent(small_steps_figure(SMALL_LINES, names=["A", "<B>", "C"], last=100, theme="light", shown=3))
    lines, dots = spec["data"][:3], spec["data"][3:]
    assert [(line["xaxis"], line["yaxis"]) for line in lines] == [("x", "y"), ("x2", "y2"), ("x3", "y3")]
    assert lines[1]["x"] == [step_coordinate(0), step_coordinate(3), step_coordinate(10)]
    assert lines[1]["y"] == [0.0, 0.5, 1.0]
    assert [(dot["y"], dot["xaxis"]) for dot in dots] == [([0.25], "x"), ([0.5], "x2"), ([0.75], "x3")]
    texts = [note["text"] for note in spec["layout"]["annotations"]]
    assert texts == ["<b>A</b>", "<b>&lt;B&gt;</b>", "<b>C</b>", "<b>25%</b>", "<b>50%</b>", "<b>75%</b>"]
    assert [shape["xref"] for shape in spec["layout"]["shapes"]] == ["x", "x2", "x3"]


def test_all_charts_have_the_same_axes_and_the_left_ones_name_shares(sent: Sent) -> None:
    layout = sent(small_steps_figure(SMALL_LINES, names=["A", "B", "C"], last=100, theme="light"))["layout"]
    assert layout["xaxis"]["range"] == layout["xaxis2"]["range"] == layout["xaxis3"]["range"]
    assert layout["xaxis"]["ticktext"] == ["0", "1", "10", "100"]
    assert [layout[f"yaxis{mark}"]["showticklabels"] for mark in ("", "2", "3")] == [True, False, True]
