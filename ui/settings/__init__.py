"""Settings: their kinds, their place in the session and the link, their controls and rules.

Only the kinds are read with the package: the registry reads each page's settings, and these are made of kinds.
"""

from ui.settings.kinds import (
    GREATEST,
    MINILM,
    Choice,
    Flag,
    Model,
    Names,
    OptionalChoice,
    OptionalWhole,
    Real,
    Rows,
    Setting,
    Text,
    Weights,
    Whole,
    Wholes,
    Window,
    joined,
)

__all__ = [
    "GREATEST",
    "MINILM",
    "Choice",
    "Flag",
    "Model",
    "Names",
    "OptionalChoice",
    "OptionalWhole",
    "Real",
    "Rows",
    "Setting",
    "Text",
    "Weights",
    "Whole",
    "Wholes",
    "Window",
    "controls",
    "joined",
    "rules",
    "state",
]
