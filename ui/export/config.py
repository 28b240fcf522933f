"""What Plotly itself says and how it writes numbers, in the language of the page."""

from functools import cache
from typing import Any

from embedlib.figures import CONFIG
from embedlib.i18n import N_
from ui.i18n import _, language, tag

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
_NUMBERS = {"fr": {"decimal": ",", "thousands": "\u202f"}}  # what the ticks and hovers of a figure are written with


def plotly_config() -> dict[str, Any]:
    """Return what every figure is drawn with, on the screen and in files: in English embedlib's own."""
    return CONFIG if language() == "en" else _config(tag(), language())


@cache
def _config(tag: str, language: str) -> dict[str, Any]:
    words = {word: str(_(word)) for word in _WORDS}
    return CONFIG | {"locale": tag, "locales": {tag: {"dictionary": words, "format": _NUMBERS.get(language, {})}}}
