"""Distances against frequencies."""

import math
from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest
import torch

from embedlib.figures.moves import moved_points_figure

Sent = Callable[[go.Figure], dict[str, Any]]
WORDS = ["the", "<b>", "cat", "dog"]
MOVES, COUNTS = torch.tensor([2.0, 3.0, 8.0, 8.0]), torch.tensor([40_000, 900, 100, 101])
TITLES: dict[str, Any] = {"x_title": "x", "y_title": "y", "theme": "light"}


def test_each_row_is_a_point_and_the_chosen_one_stands_out(sent: Sent) -> None:
    spec = sent(moved_points_figure(MOVES, COUNTS, words=WORDS, named=[], chosen=1, **TITLES))
    points, chosen = spec["data"]
    assert points["x"].tolist() == [40_000, 900, 100, 101]
    assert points["y"].tolist() == [2, 3, 8, 8]
    assert points["customdata"].tolist() == [0, 1, 2, 3]
    assert points["hovertext"] == ["the", "&lt;b&gt;", "cat", "dog"]
    assert (chosen["x"].tolist(), chosen["y"].tolist(), chosen["customdata"].tolist()) == ([900], [3], [1])
    assert chosen["marker"]["size"] > points["marker"]["size"]
    (name,) = spec["layout"]["annotations"]
    assert (name["text"], name["x"], name["y"]) == ("<b>&lt;b&gt;</b>", pytest.approx(math.log10(900)), 3)


def test_names_that_would_touch_one_before_are_left_out(sent: Sent) -> None:
    layout = sent(moved_points_figure(MOVES, COUNTS, words=WORDS, named=[0, 2, 3], **TITLES))["layout"]
    assert [name["text"] for name in layout["annotations"]] == ["<b>the</b>", "<b>cat</b>"]
    chosen = sent(moved_points_figure(MOVES, COUNTS, words=WORDS, named=[0, 2, 3], chosen=3, **TITLES))["layout"]
    assert [name["text"] for name in chosen["annotations"]] == ["<b>dog</b>", "<b>the</b>"]


def test_all_points_lie_inside_and_distances_begin_at_0(sent: Sent) -> None:
    layout = sent(moved_points_figure(MOVES, COUNTS, words=WORDS, named=[], highest=20.0, **TITLES))["layout"]
    assert layout["xaxis"]["type"] == "log"
    assert layout["xaxis"]["range"][0] < 2
    assert layout["xaxis"]["range"][1] > math.log10(40_000)
    assert layout["yaxis"]["range"][0] <= 0
    assert layout["yaxis"]["range"][1] > 20


def test_rows_that_all_stood_still_pass_plotlys_own_check() -> None:
    go.Figure(
        moved_points_figure(
            torch.zeros(4), torch.ones(4), words=WORDS, named=[0], chosen=0, title="t", **TITLES
        ).to_dict()
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"moves": torch.zeros(3)}, r"must be \(n_rows,\) both"),
        ({"moves": torch.tensor([0.0, -1.0, 0.0, 0.0])}, "moves must be at least 0"),
        ({"counts": torch.zeros(4)}, "counts at least 1"),
        ({"words": ["a"]}, "labels has 1 entries for 4 rows"),
    ],
)
def test_parts_that_do_not_fit_are_refused(change: dict[str, Any], sentence: str) -> None:
    arguments: dict[str, Any] = {"moves": MOVES, "counts": COUNTS, "words": WORDS, "named": []} | TITLES | change
    with pytest.raises(ValueError, match=sentence):
        moved_points_figure(arguments.pop("moves"), arguments.pop("counts"), **arguments)
