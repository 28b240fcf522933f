from typing import Any

import numpy as np
import torch

from embedlib.figures import colour_limit, sum_figure
from tests.figures.conftest import Sent

WORDS: Any = {"names": ("token", "position", "<i>input</i>"), "x_title": "dimension", "theme": "dark"}


def test_the_three_heatmaps_are_the_three_tensors_and_add_up(sent: Sent) -> None:
    token, position = torch.randn(4, 6), torch.randn(4, 6)
    data = sent(sum_figure(token, position, token + position, labels=list("abcd"), **WORDS))["data"]
    for trace, part in zip(data, (token, position, token + position), strict=True):
        np.testing.assert_array_equal(trace["z"], part.numpy())
    np.testing.assert_array_equal(data[0]["z"] + data[1]["z"], data[2]["z"])


def test_all_three_share_one_scale_and_one_zoom(sent: Sent) -> None:
    token, position = torch.randn(4, 6), 9 * torch.randn(4, 6)
    figure = sent(sum_figure(token, position, token + position, labels=list("abcd"), **WORDS))
    limit = colour_limit(token, position, token + position)
    assert {trace["coloraxis"] for trace in figure["data"]} == {"coloraxis"}
    assert (figure["layout"]["coloraxis"]["cmin"], figure["layout"]["coloraxis"]["cmax"]) == (-limit, limit)
    assert [figure["layout"][f"xaxis{number}"]["matches"] for number in (2, 3)] == ["x", "x"]
    assert [figure["layout"][f"yaxis{number}"]["matches"] for number in (2, 3)] == ["y", "y"]


def test_plus_and_equals_stand_between_escaped_names(sent: Sent) -> None:
    part = torch.ones(1, 2)
    notes = sent(sum_figure(part, part, part, labels=["a"], **WORDS))["layout"]["annotations"]
    assert [note["text"] for note in notes] == [
        "<b>token</b>",
        "<b>position</b>",
        "<b>&lt;i&gt;input&lt;/i&gt;</b>",
        "<b>+</b>",
        "<b>=</b>",
    ]
