from typing import Any

from embedlib.colours import MUTED, POSITION, RULE, TOKEN
from embedlib.figures.bars import LINE, RankedBar, bars_figure, model_shares_figure, ranked_bars_figure
from tests.figures.conftest import Sent

WORDS: Any = {"x_title": "change", "theme": "light"}


def test_bars_are_the_values_and_zero_and_nothing_are_told_apart_in_words(sent: Sent) -> None:
    figure = bars_figure(
        [0.25, 0.0, None], names=["a", "<b>", "c"], value_texts=["25 %", "0: blind", "not defined"], **WORDS
    )
    spec = sent(figure)
    assert spec["data"][0]["x"] == [0.25, 0, 0]
    written = {note["text"]: note for note in spec["layout"]["annotations"]}
    assert set(written) == {"<b>a</b>", "<b>&lt;b&gt;</b>", "<b>c</b>", "25 %", "<b>0: blind</b>", "not defined"}
    assert written["25 %"]["x"] == 0.25
    assert written["<b>0: blind</b>"]["font"]["color"] == POSITION["light"]
    assert written["not defined"]["font"]["color"] == MUTED["light"]
    assert spec["layout"]["xaxis"]["range"][0] == 0


def test_hatched_bars_are_told_from_the_others() -> None:
    figure = bars_figure([1.0, 2.0], names=["a", "b"], value_texts=["1", "2"], hatched=[1], **WORDS)
    assert list(figure.data[0].marker.pattern.shape) == ["", "/"]


PARTS = [(30.0, 0.0, 70.0), (1.0, 1.0, 2.0)]
SHARE_WORDS: Any = {
    "names": ["a", "<b>"],
    "value_texts": ["30 of 100", "1 of 4"],
    "part_names": ("table", "output", "rest"),
    "x_title": "share",
    "theme": "light",
}


def test_each_bar_is_the_whole_model_in_three_parts(sent: Sent) -> None:
    spec = sent(model_shares_figure(PARTS, **SHARE_WORDS))
    assert [trace["name"] for trace in spec["data"]] == ["table", "output", "rest"]
    assert [trace["x"] for trace in spec["data"]] == [[0.3, 0.25], [0.0, 0.25], [0.7, 0.5]]
    assert spec["layout"]["barmode"] == "stack"
    assert spec["layout"]["xaxis"]["range"] == [0, 1]
    assert [trace["marker"]["pattern"]["shape"] for trace in spec["data"]] == ["", "/", ""]
    texts = [note["text"] for note in spec["layout"]["annotations"]]
    assert texts[0].startswith("<b>a</b>")
    assert "30 of 100" in texts[0]
    assert texts[1].startswith("<b>&lt;b&gt;</b>")


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
