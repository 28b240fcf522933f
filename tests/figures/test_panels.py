from typing import Any

import numpy as np
import pytest
import torch

from embedlib.figures import heads_alt, heads_figure
from embedlib.figures.colours import DIVERGING, Theme
from embedlib.figures.panels import MatrixPanel, panels_figure
from tests.figures.conftest import Sent


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


WORDS: Any = {"x_title": "key", "y_title": "query", "theme": "light"}


def slopes() -> torch.Tensor:
    """A causal bias of five heads over six positions, as a plain loop."""
    bias = torch.full((5, 6, 6), -torch.inf)
    for head in range(5):
        for query in range(6):
            for key in range(query + 1):
                bias[head, query, key] = -(query - key) / 2 ** (head + 1)
    return bias


def test_each_head_is_its_matrix_with_gaps_where_it_is_masked(sent: Sent) -> None:
    bias = slopes()
    figure = sent(heads_figure(bias, names=[f"head {head}" for head in range(5)], **WORDS))
    assert len(figure["data"]) == 5
    for trace, matrix in zip(figure["data"], bias.numpy(), strict=True):
        np.testing.assert_array_equal(trace["z"], np.where(np.isfinite(matrix), matrix, np.nan))
        assert (trace["coloraxis"], trace["hoverongaps"]) == ("coloraxis", False)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_masked_does_not_look_like_zero(sent: Sent, theme: Theme) -> None:
    layout = sent(heads_figure(slopes(), names=list("abcde"), **(WORDS | {"theme": theme})))["layout"]
    assert layout["plot_bgcolor"] not in (*DIVERGING[theme], "rgba(0,0,0,0)")


def test_the_scale_reaches_the_largest_value_of_all_heads(sent: Sent) -> None:
    axis = sent(heads_figure(slopes(), names=list("abcde"), **WORDS))["layout"]["coloraxis"]
    assert (axis["cmin"], axis["cmax"]) == (-2.5, 2.5)
    assert axis["colorbar"]["ticktext"] == ["−2.5", "0", "2.5"]


def test_all_heads_zoom_together_and_outline_the_chosen_query(sent: Sent) -> None:
    layout = sent(heads_figure(slopes(), names=list("abcde"), chosen=3, **WORDS))["layout"]
    assert {layout[f"xaxis{mark}"]["matches"] for mark in "2345"} == {"x"}
    assert {layout[f"yaxis{mark}"]["matches"] for mark in "2345"} == {"y"}
    assert [shape["yref"] for shape in layout["shapes"]] == ["y", "y2", "y3", "y4", "y5"]


def test_a_bias_that_is_masked_throughout_is_drawn_empty(sent: Sent) -> None:
    nothing = torch.full((1, 3, 3), -torch.inf)
    assert sent(heads_figure(nothing, names=["a"], **WORDS))["layout"]["coloraxis"]["cmax"] == 1.0
    assert heads_alt(nothing) == {"heads": 1, "positions": 3, "lowest": 0.0, "highest": 0.0}


def test_heads_in_numbers() -> None:
    assert heads_alt(slopes()) == {"heads": 5, "positions": 6, "lowest": -2.5, "highest": 0.0}


def test_fewer_and_lower_squares_in_a_row_suit_a_phone(sent: Sent) -> None:
    layout = sent(heads_figure(slopes(), names=list("abcde"), columns=2, cell=100, **WORDS))["layout"]
    assert len({layout[f"xaxis{mark}"]["domain"][0] for mark in ("", "2", "3", "4", "5")}) == 2
    low, high = layout["yaxis"]["domain"]
    plotted = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    assert (high - low) * plotted == pytest.approx(100, abs=1)
