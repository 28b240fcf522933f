from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest
import torch

from embedlib.figures.norms import starts_figure

Sent = Callable[[go.Figure], dict[str, Any]]
NORMS = [torch.tensor([9.0, 12.0, 10.0]), torch.tensor([0.2, 0.1])]
WORDS: Any = {"legend_names": ("measured", "expected"), "x_title": "length", "theme": "light"}


def test_ranges_run_from_the_shortest_to_the_longest_row_and_diamonds_stand_at_the_law(sent: Sent) -> None:
    spec = sent(starts_figure(NORMS, [10.5, 0.15], names=["a", "<b>"], **WORDS))
    ranges, expected = spec["data"]
    found = torch.tensor([value for value in ranges["x"] if value is not None])
    torch.testing.assert_close(found, torch.tensor([9.0, 12.0, 0.1, 0.2]))
    assert ranges["x"][2] is None, "the line of one way does not run into that of the next"
    assert ranges["customdata"][0] == ["a", "9", "12", "10.5"]
    assert ranges["customdata"][3] == ["&lt;b&gt;", "0.1", "0.2", "0.15"]
    assert expected["x"] == [10.5, 0.15]
    assert expected["y"] == [ranges["y"][0], ranges["y"][3]]
    assert {note["text"] for note in spec["layout"]["annotations"]} == {"<b>a</b>", "<b>&lt;b&gt;</b>"}


def test_the_scale_is_logarithmic_holds_everything_and_writes_its_numbers_out(sent: Sent) -> None:
    axis = sent(starts_figure(NORMS, [10.5, 0.01], names=["a", "b"], **WORDS))["layout"]["xaxis"]
    assert axis["type"] == "log"
    low, high = (10**end for end in axis["range"])
    assert low < 0.01
    assert high > 12
    assert [float(text) for text in axis["ticktext"]] == pytest.approx(axis["tickvals"])
    assert 3 <= len(axis["tickvals"]) <= 9
    close = sent(starts_figure([torch.tensor([7.1, 7.3])], [7.2], names=["a"], **WORDS))["layout"]["xaxis"]
    assert close["nticks"] == 6, "between two numbers of the scale Plotly finds its own"


def test_the_chosen_way_is_underlined_and_the_figure_passes_plotlys_own_check(sent: Sent) -> None:
    figure = starts_figure(NORMS, [10.5, 0.15], names=["a", "b"], chosen=1, title="t", **WORDS)
    go.Figure(figure.to_dict())
    assert [note["text"] for note in sent(figure)["layout"]["annotations"]] == ["<b>a</b>", "<u><b>b</b></u>"]


@pytest.mark.parametrize(
    ("norms", "expected"), [([], []), ([torch.zeros(2)], [1.0]), ([torch.ones(0)], [1.0]), ([torch.ones(2)], [0.0])]
)
def test_lengths_that_have_no_logarithm_are_refused(norms: list[torch.Tensor], expected: list[float]) -> None:
    with pytest.raises(ValueError, match="every length must be above 0"):
        starts_figure(norms, expected, names=["a"] * len(norms), **WORDS)


def test_names_and_laws_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="labels has 1 entries for 2 rows"):
        starts_figure(NORMS, [1.0, 1.0], names=["a"], **WORDS)
    with pytest.raises(ValueError, match="labels has 2 entries for 1 rows"):
        starts_figure(NORMS, [1.0], names=["a", "b"], **WORDS)
