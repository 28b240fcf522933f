"""What Plotly itself says and how it writes numbers, in the language of the page."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from plotly.graph_objects import Figure

from embedlib.figures import CONFIG, axes_of
from embedlib.i18n import N_
from ui.i18n import _, as_written, language, tag

# Under the buttons of a figure, flat or turned, and after the first zoom; by Plotly's own names.
_WORDS = (
    N_("Zoom"),
    N_("Pan"),
    N_("Zoom in"),
    N_("Zoom out"),
    N_("Reset axes"),
    N_("Orbital rotation"),
    N_("Turntable rotation"),
    N_("Reset camera to default"),
    N_("Reset camera to last save"),
    N_("Double-click to zoom back out"),
)
_NUMBERS = {
    "fr": {"decimal": ",", "thousands": "\u202f", "percent": "\xa0%"}
}  # what the ticks and hovers of a figure are written with
_NUMBER = re.compile(r"(?:[≤≥] )?[−-]?\d{1,3}(?:,\d{3})*(?:\.\d+)?")


def plotly_config() -> dict[str, Any]:
    """Return what every figure is drawn with, on the screen and in files: in English embedlib's own."""
    return CONFIG if language() == "en" else _config(tag(), language())


@cache
def _config(tag: str, language: str) -> dict[str, Any]:
    words = {word: str(_(word)) for word in _WORDS}
    return CONFIG | {"locale": tag, "locales": {tag: {"dictionary": words, "format": _NUMBERS.get(language, {})}}}


def with_ticks_written(draw: Callable[..., Figure], *of: Any, **how: Any) -> Figure:
    """Draw a figure whose ticks that are texts write their numbers as the language does; Plotly writes the others."""
    figure = draw(*of, **how)
    if language() not in _NUMBERS:
        return figure
    for ticks in axes_of(figure):
        texts = ticks["ticktext"] if "ticktext" in ticks else None
        if texts is not None and list(ticks["tickvals"]) != list(range(len(texts))):  # else names of tokens or models
            ticks["ticktext"] = [as_written(text) if _NUMBER.fullmatch(text) else text for text in texts]
    return figure
