from typing import Any

import numpy as np
import pytest
import torch

from embedlib.figures import heatmap_alt, heatmap_figure
from embedlib.figures.colours import DIVERGING, colour_limit, plotly_scale
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
