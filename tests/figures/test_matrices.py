from typing import Any

import numpy as np
import pytest
import torch

from embedlib.colours import DIVERGING, Theme, colour_limit, plotly_scale
from embedlib.figures import (
    MatrixPanel,
    all_heads_figure,
    heads_alt,
    heads_figure,
    heatmap_alt,
    heatmap_figure,
    panels_figure,
    sum_figure,
)
from tests.figures.conftest import Sent

WORDS: Any = {"x_title": "dimension", "y_title": "token", "theme": "light"}


def test_every_cell_is_the_tensors_own_value_in_float32(sent: Sent) -> None:
    matrix = torch.randn(7, 5, dtype=torch.float64)
    z = sent(heatmap_figure(matrix, **WORDS))["data"][0]["z"]
    assert z.dtype == np.float32
    np.testing.assert_array_equal(z, matrix.to(torch.float32).numpy())


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.int64])
def test_other_dtypes_are_widened_and_transposed_ones_keep_their_order(sent: Sent, dtype: torch.dtype) -> None:
    matrix = (10 * torch.randn(3, 4)).to(dtype).T.requires_grad_(dtype.is_floating_point)
    np.testing.assert_array_equal(
        sent(heatmap_figure(matrix, **WORDS))["data"][0]["z"], matrix.detach().float().numpy()
    )


def test_a_figure_does_not_change_with_the_tensor_it_was_made_from(sent: Sent) -> None:
    matrix = torch.ones(2, 2)
    figure = heatmap_figure(matrix, **WORDS)
    matrix.zero_()
    np.testing.assert_array_equal(sent(figure)["data"][0]["z"], np.ones((2, 2)))


def test_fifty_rows_of_768_are_sent_in_less_than_300_kilobytes() -> None:
    figure = heatmap_figure(torch.randn(50, 768), y_labels=[f"token {row}" for row in range(50)], **WORDS)
    assert len(figure.to_json(validate=False).encode()) <= 300_000


def test_the_colours_are_symmetric_about_zero(sent: Sent) -> None:
    matrix = torch.randn(20, 20)
    matrix[0, 0] = 40.0  # beyond the limit
    layout = sent(heatmap_figure(matrix, **WORDS))["layout"]
    limit = colour_limit(matrix)
    assert (layout["coloraxis"]["cmin"], layout["coloraxis"]["cmax"]) == (-limit, limit)
    assert [tuple(stop) for stop in layout["coloraxis"]["colorscale"]] == plotly_scale(DIVERGING["light"])
    assert layout["coloraxis"]["colorbar"]["ticktext"][2].startswith("≥ ")


def test_a_given_limit_that_holds_all_values_is_shown_without_more_or_less(sent: Sent) -> None:
    bar = sent(heatmap_figure(torch.tensor([[1.0, -2.0]]), limit=2, **WORDS))["layout"]["coloraxis"]["colorbar"]
    assert bar["ticktext"] == ["−2", "0", "2"]


def test_equal_labels_stay_apart_and_all_are_escaped(sent: Sent) -> None:
    axis = sent(heatmap_figure(torch.ones(3, 2), y_labels=["the", "the", "<b>"], **WORDS))["layout"]["yaxis"]
    assert axis["labelalias"] == {"0": "the", "1": "the", "2": "&lt;b&gt;"}
    assert list(axis["tickvals"]) == [0, 1, 2]
    assert axis["range"] == [2.5, -0.5]


def test_the_chosen_row_is_outlined_bold_and_never_thinned_out(sent: Sent) -> None:
    layout = sent(heatmap_figure(torch.ones(200, 2), y_labels=["x"] * 200, chosen=101, **WORDS))["layout"]
    assert 101 in layout["yaxis"]["tickvals"]
    assert len(layout["yaxis"]["tickvals"]) <= 33
    assert layout["yaxis"]["labelalias"]["101"] == "<b>x</b>"
    assert len(layout["yaxis"]["labelalias"]) == 200
    (outline,) = layout["shapes"]
    assert (outline["y0"], outline["y1"]) == (100.5, 101.5)


def test_masked_values_are_left_out_of_the_limit_and_of_the_numbers(sent: Sent) -> None:
    matrix = torch.tensor([[0.5, -torch.inf], [-1.0, torch.nan]])
    layout = sent(heatmap_figure(matrix, **WORDS))["layout"]
    assert layout["coloraxis"]["cmax"] == 1.0
    assert layout["plot_bgcolor"] != "rgba(0,0,0,0)", "a gap must not look like a zero"
    assert heatmap_alt(matrix) == {"rows": 2, "columns": 2, "lowest": -1.0, "highest": 0.5}


def test_a_square_has_square_cells(sent: Sent) -> None:
    layout = sent(heatmap_figure(torch.eye(9), square=True, **WORDS))["layout"]
    assert layout["yaxis"]["scaleanchor"] == "x"


def test_a_last_row_apart_has_its_own_numbers_and_its_own_limit(sent: Sent) -> None:
    matrix = torch.randn(4, 30)
    matrix[-1] *= 50
    figure = sent(heatmap_figure(matrix, last_apart=True, **WORDS))
    above, last = figure["data"]
    np.testing.assert_array_equal(above["z"], matrix[:-1].numpy())
    np.testing.assert_array_equal(last["z"], matrix[-1:].numpy())
    assert last["y0"] == 3
    assert figure["layout"]["coloraxis"]["cmax"] == colour_limit(matrix[:-1])
    assert figure["layout"]["coloraxis2"]["cmax"] == colour_limit(matrix[-1])


SUM_WORDS: Any = {"names": ("token", "position", "<i>input</i>"), "x_title": "dimension", "theme": "dark"}


def test_the_three_heatmaps_are_the_three_tensors_and_add_up(sent: Sent) -> None:
    token, position = torch.randn(4, 6), torch.randn(4, 6)
    data = sent(sum_figure(token, position, token + position, labels=list("abcd"), **SUM_WORDS))["data"]
    for trace, part in zip(data, (token, position, token + position), strict=True):
        np.testing.assert_array_equal(trace["z"], part.numpy())
    np.testing.assert_array_equal(data[0]["z"] + data[1]["z"], data[2]["z"])


def test_all_three_share_one_scale_and_one_zoom(sent: Sent) -> None:
    token, position = torch.randn(4, 6), 9 * torch.randn(4, 6)
    figure = sent(sum_figure(token, position, token + position, labels=list("abcd"), **SUM_WORDS))
    limit = colour_limit(token, position, token + position)
    assert {trace["coloraxis"] for trace in figure["data"]} == {"coloraxis"}
    assert (figure["layout"]["coloraxis"]["cmin"], figure["layout"]["coloraxis"]["cmax"]) == (-limit, limit)
    assert [figure["layout"][f"xaxis{number}"]["matches"] for number in (2, 3)] == ["x", "x"]
    assert [figure["layout"][f"yaxis{number}"]["matches"] for number in (2, 3)] == ["y", "y"]


def test_plus_and_equals_stand_between_escaped_names(sent: Sent) -> None:
    part = torch.ones(1, 2)
    notes = sent(sum_figure(part, part, part, labels=["a"], **SUM_WORDS))["layout"]["annotations"]
    assert [note["text"] for note in notes] == [
        "<b>token</b>",
        "<b>position</b>",
        "<b>&lt;i&gt;input&lt;/i&gt;</b>",
        "<b>+</b>",
        "<b>=</b>",
    ]


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


def test_rows_and_columns_of_a_panel_can_have_numbers_of_their_own(sent: Sent) -> None:
    panel = MatrixPanel("E", torch.eye(3)[:, :2], 1.0, "dimension", "row", columns=[5, 9], rows=[0, 1996, 30_521])
    layout = sent(panels_figure([panel], theme="light"))["layout"]
    assert layout["yaxis"]["labelalias"] == {"0": "0", "1": "1996", "2": "30521"}
    assert (layout["xaxis"]["labelalias"], layout["xaxis"]["dtick"]) == ({"0": "5", "1": "9"}, 1)


def test_panels_of_one_limit_share_a_scale(sent: Sent) -> None:
    figure = sent(panels_figure(panels(), theme="dark"))
    scales = [trace["coloraxis"] for trace in figure["data"]]
    assert scales[0] == scales[2] != scales[1]
    assert [figure["layout"][scale]["cmax"] for scale in scales] == [2.0, 11.0, 2.0]
    assert [figure["layout"][scale]["cmin"] for scale in scales] == [-2.0, -11.0, -2.0]


def test_the_chosen_row_is_outlined_where_there_is_one(sent: Sent) -> None:
    shapes = sent(panels_figure(panels(), theme="light", chosen=2))["layout"]["shapes"]
    assert [shape["yref"] for shape in shapes] == ["y2", "y3"]


HEAD_WORDS: Any = {"x_title": "key", "y_title": "query", "theme": "light"}


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
    figure = sent(heads_figure(bias, names=[f"head {head}" for head in range(5)], **HEAD_WORDS))
    assert len(figure["data"]) == 5
    for trace, matrix in zip(figure["data"], bias.numpy(), strict=True):
        np.testing.assert_array_equal(trace["z"], np.where(np.isfinite(matrix), matrix, np.nan))
        assert (trace["coloraxis"], trace["hoverongaps"]) == ("coloraxis", False)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_masked_does_not_look_like_zero(sent: Sent, theme: Theme) -> None:
    layout = sent(heads_figure(slopes(), names=list("abcde"), **(HEAD_WORDS | {"theme": theme})))["layout"]
    assert layout["plot_bgcolor"] not in (*DIVERGING[theme], "rgba(0,0,0,0)")


def test_the_scale_reaches_the_largest_value_of_all_heads(sent: Sent) -> None:
    axis = sent(heads_figure(slopes(), names=list("abcde"), **HEAD_WORDS))["layout"]["coloraxis"]
    assert (axis["cmin"], axis["cmax"]) == (-2.5, 0)
    assert axis["colorbar"]["ticktext"] == ["−2.5", "0"]


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_scale_has_no_side_without_values_and_each_colour_means_the_same(sent: Sent, sign: int) -> None:
    matrix = torch.arange(6.0).reshape(2, 3)
    both, one = (
        sent(heatmap_figure(shown, limit=5.0, **WORDS))["layout"]["coloraxis"] for shown in (matrix - 2, sign * matrix)
    )
    assert (one["cmin"], one["cmax"]) == ((0, 5) if sign > 0 else (-5, 0))
    assert one["colorbar"]["ticktext"] == (["0", "5"] if sign > 0 else ["−5", "0"])

    def colours(scale: Any) -> dict[float, str]:
        return {
            round(scale["cmin"] + at * (scale["cmax"] - scale["cmin"]), 6): name for at, name in scale["colorscale"]
        }

    assert len(colours(one)) == 4
    assert colours(one).items() <= colours(both).items()


def test_all_heads_zoom_together_and_outline_the_chosen_query(sent: Sent) -> None:
    layout = sent(heads_figure(slopes(), names=list("abcde"), chosen=3, **HEAD_WORDS))["layout"]
    assert {layout[f"xaxis{mark}"]["matches"] for mark in "2345"} == {"x"}
    assert {layout[f"yaxis{mark}"]["matches"] for mark in "2345"} == {"y"}
    assert layout["yaxis"]["scaleanchor"] == "x", "cells are as wide as high"
    assert [shape["yref"] for shape in layout["shapes"]] == ["y", "y2", "y3", "y4", "y5"]


def test_a_bias_that_is_masked_throughout_is_drawn_empty(sent: Sent) -> None:
    nothing = torch.full((1, 3, 3), -torch.inf)
    assert sent(heads_figure(nothing, names=["a"], **HEAD_WORDS))["layout"]["coloraxis"]["cmax"] == 1.0
    assert heads_alt(nothing) == {"heads": 1, "positions": 3, "lowest": 0.0, "highest": 0.0}


def test_heads_in_numbers() -> None:
    assert heads_alt(slopes()) == {"heads": 5, "positions": 6, "lowest": -2.5, "highest": 0.0}


def test_fewer_and_lower_squares_in_a_row_suit_a_phone(sent: Sent) -> None:
    layout = sent(heads_figure(slopes(), names=list("abcde"), columns=2, cell=100, **HEAD_WORDS))["layout"]
    assert len({layout[f"xaxis{mark}"]["domain"][0] for mark in ("", "2", "3", "4", "5")}) == 2
    low, high = layout["yaxis"]["domain"]
    plotted = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    assert (high - low) * plotted == pytest.approx(100, abs=1)


WEIGHTS = torch.rand(2, 3, 5, 5, generator=torch.Generator().manual_seed(0))
ALL_WORDS: Any = {"x_title": "head", "y_title": "layer"}


def test_each_square_holds_its_heads_weights_and_gaps_are_empty(sent: Sent) -> None:
    figure = sent(all_heads_figure(WEIGHTS, chosen=(1, 2), theme="light", **ALL_WORDS))
    picture, points = figure["data"]
    cells = picture["z"]
    assert cells.shape == (11, 17)
    for layer in range(2):
        for head in range(3):
            square = cells[6 * layer : 6 * layer + 5, 6 * head : 6 * head + 5]
            assert np.array_equal(square, WEIGHTS[layer, head].numpy())
            at = 3 * layer + head
            assert (points["x"][at], points["y"][at]) == (6 * head + 2, 6 * layer + 2)
    assert int(np.isnan(cells).sum()) == 11 * 17 - WEIGHTS.numel()
    (outline,) = figure["layout"]["shapes"]
    assert outline["x0"] < 12 < 16 < outline["x1"]
    assert outline["y0"] < 6 < 10 < outline["y1"]
