import math
from typing import Any

import pytest
import torch

from embedlib.colours import GROUND, MUTED, POSITION
from embedlib.figures.moves import moved_points_figure, moves_alt, moves_figure, row_moves_figure
from tests.figures.conftest import Sent

WORDS: Any = {"names": ("First", "Second"), "theme": "light"}


def test_a_line_leads_from_each_token_to_its_place_and_shows_whether_it_moved(sent: Sent) -> None:
    data = sent(moves_figure(["a", "b", "c"], ["c", "b", "x"], [(1, 1), (2, 0)], **WORDS))["data"]
    stayed, moved, first, second = data
    assert (stayed["y"], stayed["line"]["color"]) == ([1, 1, 1, 1, None], MUTED["light"])
    assert (moved["y"], moved["line"]["color"]) == ([2, 2, 0, 0, None], POSITION["light"])
    assert first["marker"]["color"] == [GROUND["light"], MUTED["light"], POSITION["light"]]
    assert second["marker"]["color"] == [POSITION["light"], MUTED["light"], GROUND["light"]]


def test_the_lines_are_counted() -> None:
    assert moves_alt([(0, 0), (1, 3), (3, 1)]) == {"pairs": 3, "moved": 2, "stayed": 1}


POINT_WORDS = ["the", "<b>", "cat", "dog"]
MOVES, COUNTS = torch.tensor([2.0, 3.0, 8.0, 8.0]), torch.tensor([40_000, 900, 100, 101])
TITLES: dict[str, Any] = {"x_title": "x", "y_title": "y", "theme": "light"}


def test_each_row_is_a_point_and_the_chosen_one_stands_out(sent: Sent) -> None:
    spec = sent(moved_points_figure(MOVES, COUNTS, words=POINT_WORDS, named=[], chosen=1, **TITLES))
    points, chosen = spec["data"]
    assert points["x"] == [40_000, 900, 100, 101]
    assert points["y"] == [2, 3, 8, 8]
    assert points["customdata"] == [0, 1, 2, 3]
    assert points["hovertext"] == ["the", "&lt;b&gt;", "cat", "dog"]
    assert (chosen["x"], chosen["y"], chosen["customdata"]) == ([900], [3], [1])
    assert chosen["marker"]["size"] > points["marker"]["size"]
    (name,) = spec["layout"]["annotations"]
    assert (name["text"], name["x"], name["y"]) == ("<b>&lt;b&gt;</b>", pytest.approx(math.log10(900)), 3)


def test_names_that_would_touch_one_before_are_left_out(sent: Sent) -> None:
    layout = sent(moved_points_figure(MOVES, COUNTS, words=POINT_WORDS, named=[0, 2, 3], **TITLES))["layout"]
    assert [name["text"] for name in layout["annotations"]] == ["<b>the</b>", "<b>cat</b>"]
    chosen = sent(moved_points_figure(MOVES, COUNTS, words=POINT_WORDS, named=[0, 2, 3], chosen=3, **TITLES))["layout"]
    assert [name["text"] for name in chosen["annotations"]] == ["<b>dog</b>", "<b>the</b>"]


def test_all_points_lie_inside_and_distances_begin_at_0(sent: Sent) -> None:
    layout = sent(moved_points_figure(MOVES, COUNTS, words=POINT_WORDS, named=[], **TITLES))["layout"]
    assert layout["xaxis"]["type"] == "log"
    assert layout["xaxis"]["range"][0] < 2
    assert layout["xaxis"]["range"][1] > math.log10(40_000)
    assert layout["yaxis"]["range"][0] <= 0
    assert layout["yaxis"]["range"][1] > 8


REASONS = ["still", "read", "softmax", "momentum", "decay"]
ROW_MOVES = torch.tensor([0.0, 0.5, 0.001, 0.25])
WHY = torch.tensor([0, 1, 4, 1])
ROW_WORDS: Any = {
    "row_ids": [3, 10, 20, 30],
    "labels": ["a", "<b>", "c", "d"],
    "reasons": REASONS,
    "x_title": "rows",
    "y_title": "move",
    "theme": "light",
}


def test_each_reason_that_occurs_has_its_rows_its_shape_and_its_name(sent: Sent) -> None:
    stems, *marks = sent(row_moves_figure(ROW_MOVES, WHY, **ROW_WORDS))["data"]
    assert [trace["name"] for trace in marks] == ["still", "read", "decay"]
    assert len({trace["marker"]["symbol"] for trace in marks}) == 3
    assert len({trace["marker"]["color"] for trace in marks}) == 3
    assert marks[1]["x"] == [1, 3]
    assert marks[1]["y"] == [0.5, 0.25]
    assert marks[1]["customdata"] == [[10, 0.5, 1], [30, 0.25, 3]]
    assert marks[1]["hovertext"] == ["&lt;b&gt;", "d"]
    assert [value for value in stems["y"] if value] == pytest.approx([0.5, 0.001, 0.25])


def test_moves_begin_at_zero(sent: Sent) -> None:
    low, high = sent(row_moves_figure(ROW_MOVES, WHY, **ROW_WORDS))["layout"]["yaxis"]["range"]
    assert low == 0
    assert high > 0.5


def test_on_a_logarithmic_scale_what_stood_still_lies_below_all_that_moved(sent: Sent) -> None:
    spec = sent(row_moves_figure(ROW_MOVES, WHY, logarithmic=True, **ROW_WORDS))
    low, high = spec["layout"]["yaxis"]["range"]
    assert spec["layout"]["yaxis"]["type"] == "log"
    assert 10**high > 0.5
    still = spec["data"][1]
    assert still["y"] == [pytest.approx(10**low)]
    assert still["y"][0] < 0.001
    assert still["customdata"][0][1] == 0, "its hover says what it is"


def test_the_chosen_rows_ground_is_marked(sent: Sent) -> None:
    layout = sent(row_moves_figure(ROW_MOVES, WHY, chosen=2, **ROW_WORDS))["layout"]
    assert (layout["shapes"][0]["x0"], layout["shapes"][0]["x1"]) == (1.5, 2.5)
    assert layout["xaxis"]["labelalias"]["2"] == "<b>c</b>"
