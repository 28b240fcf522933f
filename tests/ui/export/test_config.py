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
from ui.export.config import localise_figure, plotly_config
from ui.i18n import set_run_language

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
    set_run_language(language)
    try:
        config = plotly_config()
    finally:
        set_run_language("en")
    assert CONFIG.items() <= config.items()
    assert "locales" not in config if numbers is None else config["locales"][config["locale"]]["format"] == numbers


def test_what_plotly_adds_for_a_file_is_not_on_the_screen() -> None:
    shown = dict(plotly_config())
    Figure().to_html(config=plotly_config(), include_plotlyjs=False)
    assert plotly_config() == shown


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

    set_run_language(language)
    try:
        layout = localise_figure(draw, tokens=["1.5", "a"]).layout
    finally:
        set_run_language("en")
    assert list(layout.coloraxis.colorbar.ticktext) == said
    assert list(layout.xaxis.ticktext) == ["1.5", "a"]


@pytest.mark.parametrize("kind", [LazyFigure, Figure])
def test_shares_are_written_with_the_space_that_the_language_has(kind: type[Figure]) -> None:
    def draw() -> Figure:
        shares, lengths = {"tickformat": ".0%", "tickvals": [0, 1]}, {"tickformat": "d"}
        return kind({"data": [], "layout": {"xaxis": lengths, "yaxis": shares, "colorway": ["#000000"]}})

    set_run_language("fr")
    try:
        layout = localise_figure(draw).layout
    finally:
        set_run_language("en")
    assert layout.xaxis.labelalias is None
    assert (layout.yaxis.labelalias["75%"], layout.yaxis.labelalias["0,5%"]) == ("75\xa0%", "0,5\xa0%")
    assert localise_figure(draw).layout.yaxis.labelalias is None


@pytest.mark.parametrize("kind", [LazyFigure, Figure])
def test_hovers_have_the_marks_of_the_language(kind: type[Figure]) -> None:
    def draw() -> Figure:
        trace = {"type": "scatter", "hovertemplate": "%{x}: (%{x:.4f}, %{y:.4f})<br>said\xa0: %{y}"}
        return kind({"data": [trace], "layout": {"colorway": ["#000000"]}})

    set_run_language("fr")
    try:
        (trace,) = localise_figure(draw).data
    finally:
        set_run_language("en")
    assert trace.hovertemplate == "%{x}\xa0: (%{x:.4f}\u202f; %{y:.4f})<br>said\xa0: %{y}"
