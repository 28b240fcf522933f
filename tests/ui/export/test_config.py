"""Plotly speaks the language of the page, and every font ends with those that have Chinese."""

import re
import tomllib
from pathlib import Path

import plotly
import pytest
from plotly.graph_objects import Figure

from embedlib.figures import CONFIG
from embedlib.figures.layout import FONT, LazyFigure
from tests.ui.marked import CLOSE, OPEN, speak_marked
from ui.export.config import plotly_config, with_ticks_written
from ui.i18n import speak

ROOT = Path(__file__).parents[3]
CHINESE = ["Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "sans-serif"]


def test_plotlys_own_words_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    speak_marked(monkeypatch)
    config = plotly_config()
    words = config["locales"][config["locale"]]["dictionary"]
    own = Path(plotly.__file__).with_name("package_data").joinpath("plotly.min.js").read_text(encoding="utf-8")
    assert words
    for word, said in words.items():
        assert f'"{word}"' in own, f"Plotly does not say {word!r}"
        assert said == f"{OPEN}{word}{CLOSE}"


@pytest.mark.parametrize(
    ("language", "numbers"), [("fr", {"decimal": ",", "thousands": "\u202f"}), ("zh", {}), ("en", None)]
)
def test_ticks_are_written_as_the_language_does(language: str, numbers: dict[str, str] | None) -> None:
    speak(language)
    try:
        config = plotly_config()
    finally:
        speak("en")
    assert CONFIG.items() <= config.items()
    assert "locales" not in config if numbers is None else config["locales"][config["locale"]]["format"] == numbers


def test_every_font_ends_with_those_that_have_chinese() -> None:
    paper = (ROOT / "ui/components/paper/sheet.ts").read_text(encoding="utf-8")
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]["font"]
    drawn = re.search(r'FONT =\s+"(.+)";', paper)
    assert drawn is not None
    for stack in (FONT, theme, drawn[1]):
        assert [name.strip(" '") for name in stack.split(",")][-4:] == CHINESE


@pytest.mark.parametrize("kind", [LazyFigure, Figure])
@pytest.mark.parametrize(("language", "said"), [("fr", ["≤ −0,25", "0", "≥ 0,25"]), ("en", ["≤ −0.25", "0", "≥ 0.25"])])
def test_ticks_that_are_texts_are_written_as_the_language_does(
    language: str, said: list[str], kind: type[Figure]
) -> None:
    def draw(tokens: list[str]) -> Figure:
        bar = {"tickvals": [-0.25, 0, 0.25], "ticktext": ["≤ −0.25", "0", "≥ 0.25"]}
        names = {"tickvals": list(range(len(tokens))), "ticktext": tokens}
        spec = {"data": [], "layout": {"coloraxis": {"colorbar": bar}, "xaxis": names, "colorway": ["#000000"]}}
        return kind(spec)

    speak(language)
    try:
        layout = with_ticks_written(draw, tokens=["1.5", "a"]).layout
    finally:
        speak("en")
    assert list(layout.coloraxis.colorbar.ticktext) == said
    assert list(layout.xaxis.ticktext) == ["1.5", "a"]


@pytest.mark.parametrize("kind", [LazyFigure, Figure])
def test_shares_are_written_with_the_space_that_the_language_has(kind: type[Figure]) -> None:
    def draw() -> Figure:
        shares, lengths = {"tickformat": ".0%", "tickvals": [0, 1]}, {"tickformat": "d"}
        return kind({"data": [], "layout": {"xaxis": lengths, "yaxis": shares, "colorway": ["#000000"]}})

    speak("fr")
    try:
        layout = with_ticks_written(draw).layout
    finally:
        speak("en")
    assert layout.xaxis.labelalias is None
    assert (layout.yaxis.labelalias["75%"], layout.yaxis.labelalias["0,5%"]) == ("75\xa0%", "0,5\xa0%")
    assert with_ticks_written(draw).layout.yaxis.labelalias is None


@pytest.mark.parametrize("kind", [LazyFigure, Figure])
def test_hovers_have_the_marks_of_the_language(kind: type[Figure]) -> None:
    def draw() -> Figure:
        trace = {"type": "scatter", "hovertemplate": "%{x}: (%{x:.4f}, %{y:.4f})<br>said\xa0: %{y}"}
        return kind({"data": [trace], "layout": {"colorway": ["#000000"]}})

    speak("fr")
    try:
        (trace,) = with_ticks_written(draw).data
    finally:
        speak("en")
    assert trace.hovertemplate == "%{x}\xa0: (%{x:.4f}\u202f; %{y:.4f})<br>said\xa0: %{y}"
