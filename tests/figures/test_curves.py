from typing import Any

import numpy as np
import pytest
import torch

from embedlib.figures.colours import RULE, SERIES, Theme
from embedlib.figures.curves import Curve, curves_alt, curves_figure
from tests.figures.conftest import Sent

WORDS: Any = {"x_title": "distance", "y_title": "similarity", "theme": "light"}
GROUPS = ["rows", "turns", "biases"]


def curves(count: int) -> list[Curve]:
    return [Curve(f"scheme {index}", f"s{index}", index % 3) for index in range(count)]


def values(count: int, points: int = 20) -> torch.Tensor:
    return torch.linspace(1, 0, points) * torch.arange(1.0, count + 1)[:, None]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_fourteen_lines_each_have_their_numbers_and_their_label(sent: Sent, theme: Theme) -> None:
    found = values(14)
    figure = sent(curves_figure(found, curves=curves(14), groups=GROUPS, **(WORDS | {"theme": theme})))
    lines = [trace for trace in figure["data"] if not trace.get("showlegend", True)]
    for line, expected in zip(lines, found.numpy(), strict=True):
        np.testing.assert_array_equal(line["y"], expected)
    labels = "".join(note["text"] for note in figure["layout"]["annotations"])
    assert all(f">s{index}<" in labels for index in range(14))


def test_no_two_lines_of_a_group_look_alike(sent: Sent) -> None:
    lines = sent(curves_figure(values(14), curves=curves(14), groups=GROUPS, **WORDS))["data"][:14]
    looks = [(line["line"]["color"], line["line"]["dash"]) for line in lines]
    assert len(set(looks)) == 14


def test_the_one_in_front_keeps_its_colour_and_the_others_are_grey(sent: Sent) -> None:
    figure = sent(curves_figure(values(5), curves=curves(5), groups=GROUPS, front=3, **WORDS))
    colours = [trace["line"]["color"] for trace in figure["data"]]
    assert colours == [RULE["light"]] * 3 + [SERIES["light"][0]] + [RULE["light"]]
    assert figure["data"][3]["line"]["width"] > figure["data"][0]["line"]["width"]


def test_the_legend_names_only_groups_that_have_a_line(sent: Sent) -> None:
    two = [Curve("a", "a", 0), Curve("b", "b", 2)]
    figure = sent(curves_figure(values(2), curves=two, groups=GROUPS, **WORDS))
    assert [trace["name"] for trace in figure["data"][2:]] == ["rows", "biases"]
    assert len(sent(curves_figure(values(2), curves=two, groups=(), **WORDS))["data"]) == 2


def test_a_line_that_ends_early_says_so_at_its_own_end(sent: Sent) -> None:
    found = values(2)
    found[1, 5:] = torch.nan
    how: Any = {"ended_text": "{name} ends here", "edge": (4, "unseen")}
    layout = sent(curves_figure(found, curves=curves(2), groups=GROUPS, **how, **WORDS))["layout"]
    assert (layout["shapes"][0]["x0"], layout["shapes"][0]["x1"]) == (4, 19)
    whole, ended, unseen = layout["annotations"]
    assert unseen["text"] == "unseen"
    assert (whole["text"], whole["xref"], whole["x"]) == ("<b>s0</b>", "paper", 1)
    assert (ended["text"], ended["x"], ended["xanchor"]) == ("<b>s1 ends here</b>", 4, "left")
    low, high = layout["yaxis"]["range"]
    assert low + ended["y"] * (high - low) == pytest.approx(float(found[1, 4]), rel=1e-5)


def test_a_long_line_is_thinned_but_keeps_its_edge(sent: Sent) -> None:
    found = values(1, 2_000)
    line = sent(curves_figure(found, curves=curves(1), groups=GROUPS, edge=(777, "unseen"), **WORDS))["data"][0]
    assert len(line["x"]) < 420
    assert {0, 776, 777, 1_999} <= set(line["x"].tolist())
    np.testing.assert_array_equal(line["y"], found[0].numpy()[line["x"]])


def test_a_logarithmic_axis_has_its_marks_in_their_places(sent: Sent) -> None:
    found = torch.tensor([[1.0, 10.0, 1000.0]])
    layout = sent(curves_figure(found, curves=curves(1), groups=(), logarithmic=True, level=(100.0, "known"), **WORDS))[
        "layout"
    ]
    low, high = layout["yaxis"]["range"]
    assert layout["yaxis"]["type"] == "log"
    assert (low < 0, high > 3) == (True, True)
    assert layout["shapes"][0]["y0"] == 100.0
    assert layout["annotations"][1]["y"] == pytest.approx(2)


def test_names_are_shown_as_written(sent: Sent) -> None:
    figure = sent(curves_figure(values(1), curves=[Curve("<b>&", "<i>", 0)], groups=GROUPS, **WORDS))
    assert figure["data"][0]["name"] == "&lt;b&gt;&amp;"
    assert figure["layout"]["annotations"][0]["text"] == "<b>&lt;i&gt;</b>"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"curves": curves(3)}, "3"),
        ({"curves": [Curve("a", "a", 0), Curve("b", "b", 3)]}, "group must be from 0 to 2"),
        ({"front": 2}, "front=2 must be None or a line from 0 to 1"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], message: str) -> None:
    arguments = {"curves": curves(2), "groups": GROUPS, **WORDS, **changes}
    with pytest.raises(ValueError, match=message):
        curves_figure(values(2), **arguments)


def test_curves_in_numbers() -> None:
    expected = {"lines": 2, "points": 2, "lowest": -2.0, "highest": 1.0}
    assert curves_alt(torch.tensor([[1.0, torch.nan], [-2.0, 0.0]])) == expected
