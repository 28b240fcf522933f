import numpy as np
import torch

from embedlib.figures import circles_figure
from tests.figures.conftest import Sent

ANGLES = torch.outer(torch.arange(10.0), torch.tensor([1.0, 0.1, 0.01]))


def on_circles(angles: torch.Tensor) -> torch.Tensor:
    """(seq_len, n_pairs) angles as (n_pairs, seq_len, 2) points."""
    return torch.stack([angles.cos(), angles.sin()], dim=-1).transpose(0, 1)


def test_every_pair_shows_all_points_on_equal_axes_and_a_hand_per_chosen_position(sent: Sent) -> None:
    points = on_circles(ANGLES)
    figure = sent(circles_figure(points, names=["<a>", "b", "c"], chosen=[2, 5], theme="light"))
    dots = [trace for trace in figure["data"] if "customdata" in trace]
    hands = [trace for trace in figure["data"] if "legendgroup" in trace]
    for pair, trace in enumerate(dots):
        np.testing.assert_array_equal(trace["x"], points[pair, :, 0].numpy())
        np.testing.assert_array_equal(trace["y"], points[pair, :, 1].numpy())
        np.testing.assert_array_equal(trace["customdata"], np.arange(10))
    tips = [(trace["x"][1], trace["y"][1]) for trace in hands]
    assert tips == [tuple(points[pair, position].tolist()) for pair in range(3) for position in (2, 5)]
    assert [figure["layout"][f"yaxis{mark}"]["scaleanchor"] for mark in ("", "2", "3")] == ["x", "x2", "x3"]
    assert figure["layout"]["annotations"][0]["text"] == "<b>&lt;a&gt;</b>"


def test_a_line_follows_the_first_positions_in_their_order_and_is_named_once(sent: Sent) -> None:
    points = on_circles(ANGLES)
    figure = sent(circles_figure(points, names=list("abc"), chosen=[], joined=4, joined_name="0 to 3"))
    lines = [trace for trace in figure["data"] if trace.get("name") == "0 to 3"]
    for pair, trace in enumerate(lines):
        np.testing.assert_array_equal(trace["x"], points[pair, :4, 0].numpy())
        np.testing.assert_array_equal(trace["y"], points[pair, :4, 1].numpy())
    assert [trace["showlegend"] for trace in lines] == [True, False, False]
    assert figure["layout"]["showlegend"]


def test_only_points_of_one_length_get_a_circle(sent: Sent) -> None:
    def rings(points: torch.Tensor) -> int:
        data = sent(circles_figure(points, names=["a"], chosen=[], theme="dark"))["data"]
        return sum(trace["mode"] == "lines" for trace in data)

    assert rings(on_circles(ANGLES)[:1]) == 1
    assert rings(torch.randn(1, 10, 2)) == 0


def test_circles_lie_in_rows_without_touching(sent: Sent) -> None:
    points = on_circles(torch.randn(4, 6))
    layout = sent(circles_figure(points, names=list("abcdef"), chosen=[0], columns=4, theme="light"))["layout"]
    spans = [(layout[f"xaxis{mark}"]["domain"], layout[f"yaxis{mark}"]["domain"]) for mark in ("", *"23456")]
    assert spans[0][0] == spans[4][0]
    assert all(spans[index][0][1] < spans[index + 1][0][0] for index in range(3))
    assert spans[4][1][1] < spans[0][1][0]
    assert all(0 <= low < high <= 1 for span in spans for low, high in span)
