from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest

from embedlib.figures.bars import bars_figure
from embedlib.figures.colours import MUTED, POSITION

Sent = Callable[[go.Figure], dict[str, Any]]
WORDS: Any = {"x_title": "change", "theme": "light"}


def test_bars_are_the_values_and_zero_and_nothing_are_told_apart_in_words(sent: Sent) -> None:
    figure = bars_figure([0.25, 0.0, None], names=["a", "<b>", "c"], said=["25 %", "0: blind", "not defined"], **WORDS)
    spec = sent(figure)
    assert spec["data"][0]["x"] == [0.25, 0, 0]
    written = {note["text"]: note for note in spec["layout"]["annotations"]}
    assert set(written) == {"<b>a</b>", "<b>&lt;b&gt;</b>", "<b>c</b>", "25 %", "<b>0: blind</b>", "not defined"}
    assert written["25 %"]["x"] == 0.25
    assert written["<b>0: blind</b>"]["font"]["color"] == POSITION["light"]
    assert written["not defined"]["font"]["color"] == MUTED["light"]
    assert spec["layout"]["xaxis"]["range"][0] == 0


def test_the_figure_passes_plotlys_own_check() -> None:
    figure = bars_figure([0.0], names=["a"], said=["0"], chosen=0, title="t", **WORDS)
    go.Figure(figure.to_dict())


@pytest.mark.parametrize("values", [[], [-0.1], [float("nan")]])
def test_what_cannot_be_a_length_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="values="):
        bars_figure(values, names=["a"] * len(values), said=["a"] * len(values), **WORDS)


def test_hatched_bars_are_told_from_the_others() -> None:
    figure = bars_figure([1.0, 2.0], names=["a", "b"], said=["1", "2"], hatched=[1], **WORDS)
    assert list(figure.data[0].marker.pattern.shape) == ["", "/"]
