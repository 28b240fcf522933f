from typing import Any

import numpy as np
import pytest
import torch

from embedlib.figures import init_norms_figure, length_bands_figure, norm_histogram_figure, norms_alt, norms_figure
from tests.figures.conftest import Sent

WORDS: Any = {"names": ("row", "position", "sum"), "x_title": "token", "y_title": "length", "theme": "light"}


def test_each_part_is_its_tensor_over_the_tokens_positions(sent: Sent) -> None:
    parts = [torch.rand(6, dtype=torch.float64) for _ in range(3)]
    data = sent(norms_figure(*parts, labels=list("abcdef"), **WORDS))["data"]
    for trace, part in zip(data, parts, strict=True):
        np.testing.assert_array_equal(trace["y"], part.float().numpy())
        np.testing.assert_array_equal(trace["x"], np.arange(6))
        np.testing.assert_array_equal(trace["customdata"], np.arange(6))
    assert len({(trace["type"], trace.get("mode")) for trace in data}) == 3, "each part has a shape of its own"


def test_lengths_begin_at_zero_and_nothing_is_cut_off(sent: Sent) -> None:
    figure = sent(norms_figure(torch.tensor([1.0, 2.0]), None, torch.tensor([7.0, 1.0]), labels=["a", "b"], **WORDS))
    low, high = figure["layout"]["yaxis"]["range"]
    assert low == 0
    assert high > 7


def test_a_scheme_that_adds_nothing_shows_rows_alone(sent: Sent) -> None:
    figure = sent(norms_figure(torch.ones(2), None, None, labels=["a", "b"], **WORDS))
    assert [trace["name"] for trace in figure["data"]] == ["row"]
    assert figure["layout"]["showlegend"] is False


def test_the_norms_in_numbers() -> None:
    assert norms_alt(torch.tensor([2.0, 4.0]), torch.tensor([1.0, 2.0]), torch.tensor([3.0, 3.0])) == {
        "tokens": 2,
        "token": 3.0,
        "position": 1.5,
        "sum": 3.0,
        "ratio": 0.5,
    }
    assert norms_alt(torch.zeros(2), None, None)["ratio"] == 0.0


def test_many_tokens_are_drawn_as_lines(sent: Sent) -> None:
    norms = torch.rand(151)
    figure = norms_figure(
        norms,
        norms,
        norms,
        labels=["a"] * 151,
        names=("token", "position", "sum"),
        x_title="token",
        y_title="length",
        theme="light",
    )
    assert [trace["mode"] for trace in sent(figure)["data"]] == ["lines"] * 3


HISTOGRAM: Any = {
    "names": ("rows", "expected", "within a spread"),
    "x_title": "length",
    "y_title": "rows",
    "theme": "light",
}


def test_each_column_counts_the_rows_between_its_edges(sent: Sent) -> None:
    norms = torch.rand(200, generator=torch.Generator().manual_seed(2)) + 3
    ground, columns, upright = sent(norm_histogram_figure(norms, expected=3.5, spread=0.3, **HISTOGRAM))["data"]
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
    spec = sent(norm_histogram_figure(torch.tensor([1.0, 1.1]), expected=9.0, spread=1.0, **HISTOGRAM))
    low, high = spec["layout"]["xaxis"]["range"]
    assert low < 1.0
    assert high > 10.0
    assert spec["data"][0]["x"] == [8.0, 8.0, 10.0, 10.0]


def test_a_large_table_has_no_more_columns_than_a_phone_can_show(sent: Sent) -> None:
    spec = sent(norm_histogram_figure(torch.rand(50_257), expected=0.5, spread=0.0, title="t", **HISTOGRAM))
    assert len(spec["data"][0]["y"]) == 60
    assert len(spec["data"]) == 2, "where rows do not spread there is no ground"


NORMS = [torch.tensor([9.0, 12.0, 10.0]), torch.tensor([0.2, 0.1])]
START_WORDS: Any = {"legend_names": ("measured", "expected"), "x_title": "length", "theme": "light"}


def test_ranges_run_from_the_shortest_to_the_longest_row_and_diamonds_stand_at_the_law(sent: Sent) -> None:
    spec = sent(init_norms_figure(NORMS, [10.5, 0.15], names=["a", "<b>"], **START_WORDS))
    ranges, expected = spec["data"]
    found = torch.tensor([value for value in ranges["x"] if value is not None])
    torch.testing.assert_close(found, torch.tensor([9.0, 12.0, 0.1, 0.2]))
    assert ranges["x"][2] is None, "the line of one way does not run into that of the next"
    assert ranges["customdata"][0] == ["a", 9, 12, 10.5]
    assert ranges["customdata"][3] == ["&lt;b&gt;", pytest.approx(0.1), pytest.approx(0.2), 0.15]
    assert expected["x"] == [10.5, 0.15]
    assert expected["y"] == [ranges["y"][0], ranges["y"][3]]
    assert {note["text"] for note in spec["layout"]["annotations"]} == {"<b>a</b>", "<b>&lt;b&gt;</b>"}


def test_the_scale_is_logarithmic_holds_everything_and_writes_its_numbers_out(sent: Sent) -> None:
    axis = sent(init_norms_figure(NORMS, [10.5, 0.01], names=["a", "b"], **START_WORDS))["layout"]["xaxis"]
    assert axis["type"] == "log"
    low, high = (10**end for end in axis["range"])
    assert low < 0.01
    assert high > 12
    assert [float(text) for text in axis["ticktext"]] == pytest.approx(axis["tickvals"])
    assert 3 <= len(axis["tickvals"]) <= 9
    close = sent(init_norms_figure([torch.tensor([7.1, 7.3])], [7.2], names=["a"], **START_WORDS))["layout"]["xaxis"]
    assert close["nticks"] == 6, "between two numbers of the scale Plotly finds its own"


def test_the_chosen_way_is_underlined(sent: Sent) -> None:
    figure = init_norms_figure(NORMS, [10.5, 0.15], names=["a", "b"], chosen=1, **START_WORDS)
    assert [note["text"] for note in sent(figure)["layout"]["annotations"]] == ["<b>a</b>", "<u><b>b</b></u>"]


BAND_WORDS: Any = {
    "names": ("band", "median", "ends", "text"), "x_title": "rank", "y_title": "length", "theme": "light"
}  # fmt: skip


def test_a_band_runs_there_on_its_foot_and_back_on_its_head(sent: Sent) -> None:
    ranks, quantiles = torch.tensor([1.0, 4.0, 90.0]), torch.tensor([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0], [5.0, 6.0, 7.0]])
    points, marked = [(2.0, 8.5, "<b>")], [(4.0, 2.5, "one"), (4.1, 2.5, "two"), (80.0, 1.0, "far")]
    spec = sent(length_bands_figure(ranks, quantiles, points=points, marked=marked, **BAND_WORDS))
    band, middle, ends, text = spec["data"]
    assert band["x"] == [1, 4, 90, 90, 4, 1]
    assert band["y"] == [1, 2, 3, 7, 6, 5]
    assert (middle["x"], middle["y"]) == ([1, 4, 90], [2, 3, 4])
    assert (ends["x"], ends["y"], ends["hovertext"]) == ([2], [8.5], ["&lt;b&gt;"])
    np.testing.assert_allclose(text["x"], [4, 4.1, 80], rtol=1e-6)
    assert text["hovertext"] == ["one", "two", "far"]
    assert [name["text"] for name in spec["layout"]["annotations"]] == ["<b>one</b>", "<b>far</b>"], (
        "names do not touch"
    )
    assert spec["layout"]["yaxis"]["range"][1] > 8.5
    alone = sent(length_bands_figure(ranks[:1], quantiles[:, :1], points=[], marked=[], title="t", **BAND_WORDS))
    assert [trace["name"] for trace in alone["data"]] == ["band", "median"]
