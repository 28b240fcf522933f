from typing import Any

import numpy as np
import pytest
import torch

from embedlib.figures import lines_alt, lines_figure, moves_figure
from embedlib.figures.layout import BUTTONS
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


def test_figures_without_a_head_leave_room_for_plotlys_buttons(sent: Sent) -> None:
    hovers: Any = {"hover_text": "{token}", "alone_text": "{token}"}
    for figure in (
        lines_figure(torch.randn(2, 5), names=["a", "b"], **WORDS),
        lines_figure(torch.randn(2, 5), names=["a", "b"], chosen=4, chosen_name="4", **WORDS),
        moves_figure(["a"], ["a"], [(0, 0)], names=("First", "Second"), theme="dark", **hovers),
    ):
        assert sent(figure)["layout"]["margin"]["t"] >= BUTTONS


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


def test_more_lines_than_can_be_told_apart_are_refused() -> None:
    with pytest.raises(ValueError, match="values has 7 lines: at most 6"):
        lines_figure(torch.randn(7, 3), names=[""] * 7, **WORDS)


def test_lines_in_numbers() -> None:
    expected = {"lines": 2, "points": 3, "lowest": 0.0, "highest": 9.0}
    assert lines_alt(torch.tensor([[1.0, 5.0, 2.0], [0.0, torch.nan, 9.0]])) == expected
