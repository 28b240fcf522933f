"""Plotly's own words and number formats, in the language of the page."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from plotly.graph_objects import Figure

from embedlib.figures import CONFIG, axes_and_colorbars, figure_traces
from embedlib.i18n import N_
from ui.i18n import _, language, language_tag, localise_number, separator

# Tooltips of a figure's buttons, and the hint after the first zoom, as Plotly names them.
_WORDS = (
    N_("Zoom"),
    N_("Pan"),
    N_("Zoom in"),
    N_("Zoom out"),
    N_("Reset axes"),
    N_("Orbital rotation"),
    N_("Turntable rotation"),
    N_("Reset camera to default"),
    N_("Double-click to zoom back out"),
)
_NUMBERS = {"fr": {"decimal": ",", "thousands": "\u202f"}}  # number symbols of ticks and hovers
_TENTHS = (*range(1, 10), 15, 25, 35, 45)  # tenths of a per cent
_NUMBER = re.compile(r"(?:[≤≥] )?[−-]?\d{1,3}(?:,\d{3})*(?:\.\d+)?")
# In hover templates: between a name and its number, and between two numbers that may have a decimal comma.
_BEFORE_NUMBER = re.compile(r"(?<!\s): (?=\(?%{)")
_BETWEEN_NUMBERS = re.compile(r"(?<=f}), (?=%{)")


def plotly_config() -> dict[str, Any]:
    """Return the Plotly config of every figure, on screen and in files.

    Each caller gets a dictionary of its own: Plotly's `to_html` writes into it.
    """
    return CONFIG | ({} if language() == "en" else _locale(language_tag(), language()))


@cache
def _locale(tag: str, language: str) -> dict[str, Any]:
    words = {word: str(_(word)) for word in _WORDS}
    return {"locale": tag, "locales": {tag: {"dictionary": words, "format": _NUMBERS.get(language, {})}}}


def localise_figure(draw: Callable[..., Figure], *of: Any, **how: Any) -> Figure:
    """Draw a figure, and localise the ticks and hovers that Plotly does not: texts, per cent, separators."""
    figure = draw(*of, **how)
    if language() not in _NUMBERS:
        return figure
    for ticks in axes_and_colorbars(figure):
        texts = _property(ticks, "ticktext")
        if texts is not None and list(ticks["tickvals"]) != list(range(len(texts))):  # else names of tokens or models
            ticks["ticktext"] = [localise_number(text) if _NUMBER.fullmatch(text) else text for text in texts]
        if str(_property(ticks, "tickformat")).endswith("%"):
            ticks["labelalias"] = _per_cent(language())
    for trace in figure_traces(figure):
        if isinstance(said := _property(trace, "hovertemplate"), str):
            said = _BETWEEN_NUMBERS.sub(separator("; "), said)
            trace["hovertemplate"] = _BEFORE_NUMBER.sub(separator(": "), said)
    return figure


def _property(part: Any, name: str) -> Any:
    return part[name] if name in part else None


@cache
def _per_cent(language: str) -> dict[str, str]:
    """Map the percentages at which Plotly has ticks to the language's notation."""
    shares = {f"{share:g}%" for share in (*range(21), *range(25, 101, 5), *(step / 10 for step in _TENTHS))}
    return {share.replace(".", _NUMBERS[language]["decimal"]): localise_number(share) for share in shares}
