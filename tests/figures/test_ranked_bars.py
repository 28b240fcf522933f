"""Names in order, each with its bar."""

from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest

from embedlib.figures.bars import LINE, RankedBar, ranked_bars_figure
from embedlib.figures.colours import RULE, TOKEN

Sent = Callable[[go.Figure], dict[str, Any]]
BARS = [
    RankedBar("queen", 0.8, "0.80 royals", "412", marked=True, detail="d"),
    RankedBar("<b>", -0.1, "−0.10", "3"),
    RankedBar("a word of many letters, too many", 0.4, "0.40"),
]


def test_bars_are_as_long_as_their_values_and_none_where_those_are_below_0(sent: Sent) -> None:
    spec = sent(ranked_bars_figure(BARS, theme="light", longest=1.0, room=0.5))
    (bars,) = spec["data"]
    assert bars["x"] == [0.8, 0.0, 0.4]
    assert bars["y"] == [0, 1, 2]
    assert bars["customdata"] == [[0, "412", "d"], [1, "3", ""], [2, "", ""]]
    assert bars["marker"]["color"] == [TOKEN["light"], RULE["light"], RULE["light"]]
    assert spec["layout"]["xaxis"]["range"] == [0, 2.0]
    assert spec["layout"]["yaxis"]["range"] == [2.5, -0.5], "the first at the top"
    assert spec["layout"]["yaxis"]["ticktext"] == ["<b>queen</b>", "&lt;b&gt;", "a word of many letter…"]


def test_words_stand_beside_bars_and_at_the_end_of_lines(sent: Sent) -> None:
    notes = sent(ranked_bars_figure(BARS, theme="light", longest=1.0, heads=("left", "right")))["layout"]["annotations"]
    assert [(note["text"], note["xanchor"]) for note in notes] == [
        ("left", "left"),
        ("right", "right"),
        ("<b>0.80 royals</b>", "left"),
        ("412", "right"),
        ("−0.10", "left"),
        ("3", "right"),
        ("0.40", "left"),
    ]
    assert [note["x"] for note in notes[2:]] == [0.8, 1, 0.0, 1, 0.4]


def test_the_figure_keeps_its_height_and_its_scale(sent: Sent) -> None:
    few = sent(ranked_bars_figure(BARS, theme="light", longest=1.0, least=10))["layout"]
    many = sent(ranked_bars_figure(BARS * 3 + BARS[:1], theme="light", longest=1.0, least=10))["layout"]
    assert few["height"] == many["height"] > 10 * LINE
    assert few["yaxis"]["range"] == many["yaxis"]["range"] == [9.5, -0.5]
    own = sent(ranked_bars_figure(BARS, theme="light", room=0.5, all_coloured=True))
    assert own["layout"]["xaxis"]["range"] == [0, 1.6], "the longest of these where none is given"
    assert set(own["data"][0]["marker"]["color"]) == {TOKEN["light"]}


def test_bars_without_any_length_pass_plotlys_own_check() -> None:
    go.Figure(ranked_bars_figure([RankedBar("a", 0.0, "0")], theme="dark", title="t").to_dict())


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="give at least one"):
        ranked_bars_figure([], theme="light")
    with pytest.raises(ValueError, match=r"longest=0\.0 must be above 0"):
        ranked_bars_figure(BARS, theme="light", longest=0.0)
    with pytest.raises(ValueError, match=r"room=1\.5 in \(0, 1\]"):
        ranked_bars_figure(BARS, theme="light", room=1.5)
