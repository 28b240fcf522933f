from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
import torch
from torch import Tensor

from embedlib.figures import ProjectionText, projection_alt, projection_figure
from tests.figures.conftest import Sent

TEXT = ProjectionText("row", "added", "sum", "{token}\nposition {position}, row", "{token}\nposition {position}, sum")


def draw(rows: Tensor, sums: Tensor | None, chosen: int | None = None, labels: list[str] | None = None) -> go.Figure:
    titles = [f"PC {axis + 1}" for axis in range(rows.shape[1])]
    names = labels or [f"t{index}" for index in range(len(rows))]
    return projection_figure(rows, sums, labels=names, axis_titles=titles, text=TEXT, theme="light", chosen=chosen)


def named(figure: dict[str, Any], name: str) -> dict[str, Any]:
    (trace,) = [trace for trace in figure["data"] if trace.get("name") == name]
    return trace


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("count", [1, 5, 60, 600])
def test_points_are_the_rows_and_the_sums_and_carry_their_positions(sent: Sent, axes: int, count: int) -> None:
    rows, sums = torch.randn(count, axes), torch.randn(count, axes)
    figure = sent(draw(rows, sums, chosen=0))
    for name, points in (("row", rows), ("sum", sums)):
        trace = named(figure, name)
        for axis, letter in enumerate("xyz"[:axes]):
            np.testing.assert_array_equal(np.float32(trace[letter]), points[:, axis].numpy())
        np.testing.assert_array_equal(trace["customdata"], np.arange(count))


@pytest.mark.parametrize("axes", [2, 3])
def test_each_arrow_goes_from_a_row_to_its_sum_and_then_stops(sent: Sent, axes: int) -> None:
    rows, sums = torch.randn(4, axes), torch.randn(4, axes)
    arrows = named(sent(draw(rows, sums)), "added")
    for axis, letter in enumerate("xyz"[:axes]):
        line = arrows[letter].reshape(4, 3)
        np.testing.assert_array_equal(line[:, 0], rows[:, axis].numpy())
        np.testing.assert_array_equal(line[:, 1], sums[:, axis].numpy())
        assert np.isnan(line[:, 2]).all()


def test_heads_in_the_plane_turn_with_their_arrows_and_sit_at_the_ends_alone(sent: Sent) -> None:
    marker = named(sent(draw(torch.randn(3, 2), torch.randn(3, 2))), "added")["marker"]
    assert (marker["symbol"], marker["angleref"]) == ("arrow", "previous")
    np.testing.assert_array_equal(marker["size"], [0, 10, 0] * 3)


def test_heads_in_space_are_cones_along_the_arrows_with_their_tips_at_the_sums(sent: Sent) -> None:
    rows, sums = torch.randn(5, 3), torch.randn(5, 3)
    (cones,) = [trace for trace in sent(draw(rows, sums))["data"] if trace["type"] == "cone"]
    along = (sums - rows) / (sums - rows).norm(dim=1, keepdim=True)
    assert cones["anchor"] == "tip"
    np.testing.assert_array_equal(np.stack([cones[letter] for letter in "xyz"]), sums.T.numpy())
    np.testing.assert_allclose(np.stack([cones[letter] for letter in "uvw"]), along.T.numpy(), rtol=1e-5, atol=1e-6)


def test_more_than_500_tokens_have_no_heads_and_need_no_code_made_at_run_time(sent: Sent) -> None:
    figure = sent(draw(torch.randn(501, 2), torch.randn(501, 2)))
    assert {trace["type"] for trace in figure["data"]} == {"scatter"}
    assert named(figure, "added")["mode"] == "lines"
    assert all("text" not in trace for trace in figure["data"])


def test_a_scheme_that_adds_nothing_shows_rows_alone(sent: Sent) -> None:
    for axes in (2, 3):
        figure = sent(draw(torch.randn(4, axes), None))
        assert [trace["name"] for trace in figure["data"]] == ["row"]
        assert figure["layout"]["showlegend"] is False


def test_the_plane_has_one_scale_and_space_has_one_scale(sent: Sent) -> None:
    assert sent(draw(torch.randn(4, 2), None))["layout"]["yaxis"]["scaleanchor"] == "x"
    scene = sent(draw(torch.randn(4, 3) * torch.tensor([1.0, 5.0, 0.2]), None))["layout"]["scene"]
    spans = [np.ptp(scene[f"{letter}axis"]["range"]) for letter in "xyz"]
    ratios = [scene["aspectratio"][letter] for letter in "xyz"]
    np.testing.assert_allclose(np.array(spans) / ratios, max(spans), rtol=1e-6)


def test_the_chosen_token_has_rings_at_both_ends_and_a_bold_escaped_name(sent: Sent) -> None:
    rows, sums = torch.randn(50, 3), torch.randn(50, 3)
    figure = sent(draw(rows, sums, chosen=7, labels=["<b>x</b>"] * 50))
    (rings,) = [trace for trace in figure["data"] if trace.get("marker", {}).get("symbol") == "circle-open"]
    np.testing.assert_array_equal([rings[letter] for letter in "xyz"], torch.stack([rows[7], sums[7]]).T.numpy())
    assert rings["hoverinfo"] == "skip"
    (sign,) = figure["layout"]["scene"]["annotations"]
    assert sign["text"] == "<b>&lt;b&gt;x&lt;/b&gt;</b>"
    assert [sign[letter] for letter in "xyz"] == rows[7].tolist()


def test_names_in_space_are_escaped_and_equal_rows_are_named_once(sent: Sent) -> None:
    rows = torch.tensor([[0.0, 0, 0], [1, 1, 1], [0, 0, 0]])
    notes = sent(draw(rows, None, chosen=2, labels=["the", "&", "the"]))["layout"]["scene"]["annotations"]
    assert [note["text"] for note in notes] == ["&amp;", "<b>the</b>"]


def test_a_hover_says_token_and_position_and_which_of_the_two_points(sent: Sent) -> None:
    figure = sent(draw(torch.randn(2, 2), torch.randn(2, 2), labels=["<a>", "&"]))
    assert named(figure, "row")["hovertext"] == ["&lt;a&gt;", "&amp;"]
    assert named(figure, "row")["hovertemplate"].startswith("<b>%{hovertext}</b><br>position %{customdata}, row<")
    assert named(figure, "sum")["hovertemplate"].startswith("<b>%{hovertext}</b><br>position %{customdata}, sum<")


def test_a_click_greys_nothing(sent: Sent) -> None:
    for name in ("row", "sum"):
        trace = named(sent(draw(torch.randn(3, 2), torch.randn(3, 2))), name)
        assert trace["unselected"]["marker"]["opacity"] == 1


def test_a_single_point_has_room_around_it(sent: Sent) -> None:
    assert sent(draw(torch.tensor([[2.0, 3.0]]), None))["layout"]["xaxis"]["range"] == [1.0, 3.0]


def test_the_projection_in_numbers() -> None:
    rows = torch.tensor([[3.0, 4.0], [-3.0, -4.0]])
    shares = projection_alt(rows, rows + torch.tensor([0.0, 2.0]), [0.5, 0.25])
    assert shares == {"tokens": 2, "axes": 2, "share": 75.0, "arrow": 2.0, "spread": 5.0}
    assert projection_alt(rows, None, [0.5, 0.25])["arrow"] == 0.0
