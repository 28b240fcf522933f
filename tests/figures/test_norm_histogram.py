from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest
import torch

from embedlib.figures.norms import MOST, norm_histogram_figure

Sent = Callable[[go.Figure], dict[str, Any]]
WORDS: Any = {
    "names": ("rows", "expected", "within a spread"),
    "x_title": "length",
    "y_title": "rows",
    "theme": "light",
}


def test_each_column_counts_the_rows_between_its_edges(sent: Sent) -> None:
    norms = torch.rand(200, generator=torch.Generator().manual_seed(2)) + 3
    ground, columns, upright = sent(norm_histogram_figure(norms, expected=3.5, spread=0.3, **WORDS))["data"]
    assert ground["name"] == "within a spread", "the legend names it"
    assert len(columns["y"]) == 15
    ends = [centre + width / 2 for centre, width in zip(columns["x"], columns["width"], strict=True)]
    begins = [centre - width / 2 for centre, width in zip(columns["x"], columns["width"], strict=True)]
    for begin, end, count in zip(begins, ends, columns["y"], strict=True):
        inside = sum(begin <= length < end for length in norms.double().tolist())
        assert abs(inside - count) <= 1, "only the very edge may fall on the other side"
    assert sum(columns["y"]) == 200
    assert upright["x"] == [3.5, 3.5]


def test_the_expected_length_is_in_sight_where_no_row_has_it(sent: Sent) -> None:
    spec = sent(norm_histogram_figure(torch.tensor([1.0, 1.1]), expected=9.0, spread=1.0, **WORDS))
    low, high = spec["layout"]["xaxis"]["range"]
    assert low < 1.0
    assert high > 10.0
    assert spec["data"][0]["x"] == [8.0, 8.0, 10.0, 10.0]


def test_a_large_table_has_no_more_columns_than_a_phone_can_show(sent: Sent) -> None:
    spec = sent(norm_histogram_figure(torch.rand(50_257), expected=0.5, spread=0.0, title="t", **WORDS))
    assert len(spec["data"][0]["y"]) == MOST
    assert len(spec["data"]) == 2, "where rows do not spread there is no ground"


@pytest.mark.parametrize(("title", "above"), [("", 32), ("t", 76)])
def test_the_legend_leaves_plotlys_buttons_their_line(sent: Sent, title: str, above: int) -> None:
    layout = sent(norm_histogram_figure(torch.rand(50), expected=0.5, spread=0.1, title=title, **WORDS))["layout"]
    assert (1 - layout["legend"]["y"]) * layout["height"] == pytest.approx(above)
    assert layout["margin"]["t"] > above + 20


def test_a_single_row_is_drawn_and_passes_plotlys_own_check() -> None:
    figure = norm_histogram_figure(torch.tensor([2.0]), expected=2.0, spread=0.0, **WORDS)
    go.Figure(figure.to_dict())


@pytest.mark.parametrize("norms", [torch.ones(0), torch.ones(2, 2), torch.tensor([1.0, torch.nan])])
def test_what_is_no_list_of_lengths_is_refused(norms: torch.Tensor) -> None:
    with pytest.raises(ValueError, match=r"it must be \(n_rows,\)"):
        norm_histogram_figure(norms, expected=1.0, spread=0.1, **WORDS)


def test_a_negative_spread_is_refused() -> None:
    with pytest.raises(ValueError, match="spread=-1 must be at least 0"):
        norm_histogram_figure(torch.ones(2), expected=1.0, spread=-1, **WORDS)
