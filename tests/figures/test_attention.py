"""All heads at once: each square holds one head's weights, and a point in its middle stands for it."""

import numpy as np
import torch

from embedlib.figures import all_heads_figure, lines_figure
from tests.figures.conftest import Sent

WEIGHTS = torch.rand(2, 3, 5, 5, generator=torch.Generator().manual_seed(0))
WORDS = {"x_title": "head", "y_title": "layer"}


def test_each_square_holds_its_heads_weights_and_gaps_are_empty(sent: Sent) -> None:
    figure = sent(all_heads_figure(WEIGHTS, chosen=(1, 2), theme="light", **WORDS))
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


def test_points_that_are_not_counted_have_names_on_the_axis() -> None:
    figure = lines_figure(
        torch.rand(1, 3), names=[""], points=["E", "0", "1"], x_title="layer", y_title="", theme="light"
    )
    assert figure.layout.xaxis.labelalias == {"0": "E", "1": "0", "2": "1"}
    assert figure.layout.xaxis.tickvals == (0, 1, 2)
