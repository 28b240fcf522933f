from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest
import torch

from embedlib.figures.moves import row_moves_figure

Sent = Callable[[go.Figure], dict[str, Any]]
REASONS = ["still", "read", "softmax", "momentum", "decay"]
MOVES = torch.tensor([0.0, 0.5, 0.001, 0.25])
WHY = torch.tensor([0, 1, 4, 1])
WORDS: Any = {
    "row_ids": [3, 10, 20, 30],
    "labels": ["a", "<b>", "c", "d"],
    "reasons": REASONS,
    "x_title": "rows",
    "y_title": "move",
    "theme": "light",
}


def test_each_reason_that_occurs_has_its_rows_its_shape_and_its_name(sent: Sent) -> None:
    stems, *marks = sent(row_moves_figure(MOVES, WHY, **WORDS))["data"]
    assert [trace["name"] for trace in marks] == ["still", "read", "decay"]
    assert len({trace["marker"]["symbol"] for trace in marks}) == 3
    assert len({trace["marker"]["color"] for trace in marks}) == 3
    assert marks[1]["x"] == [1, 3]
    assert marks[1]["y"] == [0.5, 0.25]
    assert marks[1]["customdata"] == [[10, "0.5", 1], [30, "0.25", 3]]
    assert marks[1]["hovertext"] == ["&lt;b&gt;", "d"]
    assert [value for value in stems["y"] if value] == pytest.approx([0.5, 0.001, 0.25])


def test_moves_begin_at_zero(sent: Sent) -> None:
    low, high = sent(row_moves_figure(MOVES, WHY, **WORDS))["layout"]["yaxis"]["range"]
    assert low == 0
    assert high > 0.5


def test_on_a_logarithmic_scale_what_stood_still_lies_below_all_that_moved(sent: Sent) -> None:
    spec = sent(row_moves_figure(MOVES, WHY, logarithmic=True, **WORDS))
    low, high = spec["layout"]["yaxis"]["range"]
    assert spec["layout"]["yaxis"]["type"] == "log"
    assert 10**high > 0.5
    still = spec["data"][1]
    assert still["y"] == [pytest.approx(10**low)]
    assert still["y"][0] < 0.001
    assert still["customdata"][0][1] == "0", "its hover says what it is"


@pytest.mark.parametrize("logarithmic", [False, True])
def test_a_step_that_moved_nothing_passes_plotlys_own_check(logarithmic: bool) -> None:
    figure = row_moves_figure(
        torch.zeros(4), torch.zeros(4, dtype=torch.int64), logarithmic=logarithmic, chosen=2, title="t", **WORDS
    )
    go.Figure(figure.to_dict())


def test_the_chosen_rows_ground_is_marked(sent: Sent) -> None:
    layout = sent(row_moves_figure(MOVES, WHY, chosen=2, **WORDS))["layout"]
    assert (layout["shapes"][0]["x0"], layout["shapes"][0]["x1"]) == (1.5, 2.5)
    assert layout["xaxis"]["labelalias"]["2"] == "<b>c</b>"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"moves": torch.zeros(0), "why": torch.zeros(0)}, r"must be \(n_shown,\)"),
        ({"moves": torch.zeros(3)}, r"must be \(n_shown,\)"),
        ({"moves": torch.tensor([0.0, -1.0, 0.0, 0.0])}, "none of it below 0"),
        ({"why": torch.tensor([0, 5, 0, 0])}, "from 0 to 4"),
        ({"why": torch.tensor([0, -1, 0, 0])}, "from 0 to 4"),
        ({"labels": ["a"]}, "labels has 1 entries for 4 rows"),
        ({"row_ids": [1]}, "labels has 1 entries for 4 rows"),
        ({"chosen": 4}, "chosen=4 must be None"),
        ({"reasons": [*REASONS, "f"]}, "at most 5"),
    ],
)
def test_parts_that_do_not_fit_are_refused(change: dict[str, Any], sentence: str) -> None:
    arguments: dict[str, Any] = {"moves": MOVES, "why": WHY} | WORDS | change
    with pytest.raises(ValueError, match=sentence):
        row_moves_figure(arguments.pop("moves"), arguments.pop("why"), **arguments)
