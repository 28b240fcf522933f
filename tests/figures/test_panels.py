from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
import torch

from embedlib.figures.panels import MatrixPanel, panels_figure

Sent = Callable[[go.Figure], dict[str, Any]]


def panels() -> list[MatrixPanel]:
    """Three matrices of three shapes; the first and the last share a limit."""
    masked = torch.tensor([[1.0, -torch.inf], [0.5, -0.25]])
    return [
        MatrixPanel("<one>", masked, 2.0, "key", "query"),
        MatrixPanel("two", torch.arange(12.0).view(3, 4), 11.0, "dimension", "position"),
        MatrixPanel("three", torch.full((5, 1), -1.0), 2.0, "dimension", "position"),
    ]


def test_each_panel_is_its_matrix_with_axes_of_its_own(sent: Sent) -> None:
    figure = sent(panels_figure(panels(), theme="light"))
    for trace, panel, mark in zip(figure["data"], panels(), ("", "2", "3"), strict=True):
        np.testing.assert_array_equal(trace["z"].astype(np.float32), panel.values.numpy())
        assert (trace["xaxis"], trace["yaxis"]) == (f"x{mark}", f"y{mark}")
        n_rows, n_columns = panel.values.shape
        across, down = figure["layout"][f"xaxis{mark}"], figure["layout"][f"yaxis{mark}"]
        assert (across["range"], down["range"]) == ([-0.5, n_columns - 0.5], [n_rows - 0.5, -0.5])
        assert (across["title"]["text"], down["title"]["text"]) == (panel.x_title, panel.y_title)
    assert [note["text"] for note in figure["layout"]["annotations"]] == [
        "<b>&lt;one&gt;</b>",
        "<b>two</b>",
        "<b>three</b>",
    ]


def test_panels_of_one_limit_share_a_scale(sent: Sent) -> None:
    figure = sent(panels_figure(panels(), theme="dark"))
    scales = [trace["coloraxis"] for trace in figure["data"]]
    assert scales[0] == scales[2] != scales[1]
    assert [figure["layout"][scale]["cmax"] for scale in scales] == [2.0, 11.0, 2.0]
    assert [figure["layout"][scale]["cmin"] for scale in scales] == [-2.0, -11.0, -2.0]


def test_the_chosen_row_is_outlined_where_there_is_one(sent: Sent) -> None:
    shapes = sent(panels_figure(panels(), theme="light", chosen=2))["layout"]["shapes"]
    assert [shape["yref"] for shape in shapes] == ["y2", "y3"]


@pytest.mark.parametrize(
    ("given", "chosen", "message"),
    [
        ([], None, "panels is empty"),
        ([MatrixPanel("a", torch.zeros(3), 1.0, "", "")], None, "values has shape"),
        ([MatrixPanel("a", torch.zeros(0, 3), 1.0, "", "")], None, "values has shape"),
        ([MatrixPanel("a", torch.zeros(2, 2), 0.0, "", "")], None, "limit=0.0 must be above 0"),
        (panels(), 5, "chosen=5"),
    ],
)
def test_what_cannot_be_drawn_is_refused(given: list[MatrixPanel], chosen: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        panels_figure(given, theme="light", chosen=chosen)
