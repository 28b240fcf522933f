from typing import Any

import numpy as np
import pytest
import torch

from embedlib.colours import RULE, SERIES, Theme
from embedlib.figures import Curve, curves_figure, lines_alt, lines_figure
from tests.figures.conftest import Sent

WORDS: Any = {"x_title": "position", "y_title": "value", "theme": "dark"}


def test_lines_are_the_tensors_rows(sent: Sent) -> None:
    values = torch.randn(3, 20)
    data = sent(lines_figure(values, names=list("abc"), **WORDS))["data"]
    for trace, row in zip(data, values, strict=True):
        np.testing.assert_array_equal(trace["y"], row.numpy())
        np.testing.assert_array_equal(trace["customdata"], np.arange(20))
    assert len({trace["line"]["dash"] for trace in data}) == 3
    assert len({trace["line"]["color"] for trace in data}) == 3


def test_plotlys_buttons_stand_below_each_other_in_a_pages_margin_and_beside_a_files_title(sent: Sent) -> None:
    for title, orientation in (("", "v"), ("Two lines", "h")):
        figure = lines_figure(torch.randn(2, 5), names=["a", "b"], title=title, **WORDS)
        assert sent(figure)["layout"]["modebar"]["orientation"] == orientation


def test_each_line_is_named_at_its_end_in_its_colour_and_without_a_legend(sent: Sent) -> None:
    figure = sent(lines_figure(torch.tensor([[0.0, 1.0], [1.0, 0.0]]), names=["<up>", "down"], **WORDS))
    notes = figure["layout"]["annotations"]
    assert [note["text"] for note in notes] == ["<b>&lt;up&gt;</b>", "<b>down</b>"]
    assert [note["font"]["color"] for note in notes] == [trace["line"]["color"] for trace in figure["data"]]
    assert notes[0]["y"] > notes[1]["y"]
    assert figure["layout"]["showlegend"] is False


def test_the_chosen_point_is_marked_on_every_line(sent: Sent) -> None:
    values = torch.randn(2, 9)
    figure = sent(lines_figure(values, names=["a", "b"], chosen=4, **WORDS))
    np.testing.assert_array_equal(figure["data"][-1]["x"], [4, 4])
    np.testing.assert_array_equal(figure["data"][-1]["y"], values[:, 4].numpy())
    assert figure["layout"]["shapes"][0]["x0"] == 4


def test_lengths_begin_at_zero_and_a_level_is_in_sight_with_its_name(sent: Sent) -> None:
    distances = torch.tensor([[2.0, 0.0, 1.5]])
    layout = sent(lines_figure(distances, names=[""], zero=True, floor=(3.0, "least & last"), **WORDS))["layout"]
    low, high = layout["yaxis"]["range"]
    assert -0.2 < low < 0
    assert high > 3
    assert (layout["shapes"][-1]["y0"], layout["shapes"][-1]["y1"]) == (3.0, 3.0)
    assert layout["annotations"][-1]["text"] == "least &amp; last"


def test_gaps_level_lines_and_single_points_are_drawn(sent: Sent) -> None:
    with_gap = torch.tensor([[1.0, torch.nan, 2.0]])
    assert np.isnan(sent(lines_figure(with_gap, names=[""], **WORDS))["data"][0]["y"][1])
    for values in (torch.full((1, 5), 3.0), torch.zeros(1, 1), torch.full((1, 3), torch.nan)):
        low, high = sent(lines_figure(values, names=["x"], **WORDS))["layout"]["yaxis"]["range"]
        assert low < high


def test_points_that_are_not_counted_have_names_on_the_axis() -> None:
    figure = lines_figure(
        torch.rand(1, 3), names=[""], points=["E", "0", "1"], x_title="layer", y_title="", theme="light"
    )
    assert figure.layout.xaxis.labelalias == {"0": "E", "1": "0", "2": "1"}
    assert figure.layout.xaxis.tickvals == (0, 1, 2)


def test_lines_in_numbers() -> None:
    expected = {"lines": 2, "points": 3, "lowest": 0.0, "highest": 9.0}
    assert lines_alt(torch.tensor([[1.0, 5.0, 2.0], [0.0, torch.nan, 9.0]])) == expected


CURVE_WORDS: Any = {"x_title": "distance", "y_title": "similarity", "theme": "light"}
GROUPS = ["rows", "turns", "biases"]


def curves(count: int) -> list[Curve]:
    return [Curve(f"scheme {index}", f"s{index}", index % 3) for index in range(count)]


def values(count: int, points: int = 20) -> torch.Tensor:
    return torch.linspace(1, 0, points) * torch.arange(1.0, count + 1)[:, None]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_fourteen_lines_each_have_their_numbers_and_their_label(sent: Sent, theme: Theme) -> None:
    found = values(14)
    figure = sent(curves_figure(found, curves=curves(14), groups=GROUPS, **(CURVE_WORDS | {"theme": theme})))
    lines = [trace for trace in figure["data"] if not trace.get("showlegend", True)]
    for line, expected in zip(lines, found.numpy(), strict=True):
        np.testing.assert_array_equal(line["y"], expected)
    labels = "".join(note["text"] for note in figure["layout"]["annotations"])
    assert all(f">s{index}<" in labels for index in range(14))


def test_no_two_lines_of_a_group_look_alike(sent: Sent) -> None:
    lines = sent(curves_figure(values(14), curves=curves(14), groups=GROUPS, **CURVE_WORDS))["data"][:14]
    looks = [(line["line"]["color"], line["line"]["dash"]) for line in lines]
    assert len(set(looks)) == 14


def test_the_one_in_front_keeps_its_colour_and_the_others_are_grey(sent: Sent) -> None:
    figure = sent(curves_figure(values(5), curves=curves(5), groups=GROUPS, front=3, **CURVE_WORDS))
    colours = [trace["line"]["color"] for trace in figure["data"]]
    assert colours == [RULE["light"]] * 3 + [SERIES["light"][0]] + [RULE["light"]]
    assert figure["data"][3]["line"]["width"] > figure["data"][0]["line"]["width"]
    assert figure["data"][3]["line"]["dash"] == "solid"


def test_the_legend_names_only_groups_that_have_a_line(sent: Sent) -> None:
    two = [Curve("a", "a", 0), Curve("b", "b", 2)]
    figure = sent(curves_figure(values(2), curves=two, groups=GROUPS, **CURVE_WORDS))
    assert [trace["name"] for trace in figure["data"][2:]] == ["rows", "biases"]
    assert len(sent(curves_figure(values(2), curves=two, groups=(), **CURVE_WORDS))["data"]) == 2


def test_a_line_that_ends_early_says_so_at_its_own_end(sent: Sent) -> None:
    found = values(2)
    found[1, 5:] = torch.nan
    how: Any = {"ended_text": "{name} ends here", "edge": (4, "unseen")}
    layout = sent(curves_figure(found, curves=curves(2), groups=GROUPS, **how, **CURVE_WORDS))["layout"]
    assert (layout["shapes"][0]["x0"], layout["shapes"][0]["x1"]) == (4, 19)
    whole, ended, unseen = layout["annotations"]
    assert unseen["text"] == "unseen"
    assert (whole["text"], whole["xref"], whole["x"]) == ("<b>s0</b>", "paper", 1)
    assert (ended["text"], ended["x"], ended["xanchor"]) == ("<b>s1 ends here</b>", 4, "left")
    low, high = layout["yaxis"]["range"]
    assert low + ended["y"] * (high - low) == pytest.approx(float(found[1, 4]), rel=1e-5)


def test_a_long_line_is_thinned_but_keeps_its_edge(sent: Sent) -> None:
    found = values(1, 2_000)
    line = sent(curves_figure(found, curves=curves(1), groups=GROUPS, edge=(777, "unseen"), **CURVE_WORDS))["data"][0]
    assert len(line["x"]) < 420
    assert {0, 776, 777, 1_999} <= set(line["x"].tolist())
    np.testing.assert_array_equal(line["y"], found[0].numpy()[line["x"]])


def test_a_logarithmic_axis_has_its_marks_in_their_places(sent: Sent) -> None:
    found = torch.tensor([[1.0, 10.0, 1000.0]])
    layout = sent(
        curves_figure(found, curves=curves(1), groups=(), logarithmic=True, level=(100.0, "known"), **CURVE_WORDS)
    )["layout"]
    low, high = layout["yaxis"]["range"]
    assert layout["yaxis"]["type"] == "log"
    assert (low < 0, high > 3) == (True, True)
    assert layout["shapes"][0]["y0"] == 100.0
    assert layout["annotations"][1]["y"] == pytest.approx(2)


def test_names_are_shown_as_written(sent: Sent) -> None:
    figure = sent(curves_figure(values(1), curves=[Curve("<b>&", "<i>", 0)], groups=GROUPS, **CURVE_WORDS))
    assert figure["data"][0]["name"] == "&lt;b&gt;&amp;"
    assert figure["layout"]["annotations"][0]["text"] == "<b>&lt;i&gt;</b>"
