"""Settings that show one thing each; the first is the batch that courses print."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from embedlib.examples import LONG_TEXT
from embedlib.messages import N_
from ui import state
from ui.batches.settings import SETTINGS
from ui.i18n import _
from ui.pipeline.text_input import current_text, put_text


@dataclass(frozen=True)
class BatchExample:
    """What to look at, English and marked for translation; the text to type, if any; what differs from the defaults."""

    title: str
    text: str | None
    settings: dict[str, Any]


LESSON = {"tokenizer": "gpt2", "d_model": 256, "seed": 123}
EXAMPLES: dict[str, BatchExample] = {
    "lesson": BatchExample(
        N_("8 windows of 4, d_model 256"), LONG_TEXT, {**LESSON, "batches_source": "text", "max_length": 4, "stride": 4}
    ),
    "overlap": BatchExample(
        N_("Stride 1: windows overlap"), LONG_TEXT, {**LESSON, "batches_source": "text", "max_length": 4, "stride": 1}
    ),
    "gaps": BatchExample(
        N_("Stride 6: tokens are skipped"),
        LONG_TEXT,
        {**LESSON, "batches_source": "text", "max_length": 4, "stride": 6},
    ),
    "shuffled": BatchExample(
        N_("A whole manual, shuffled"),
        None,
        {**LESSON, "batches_source": "manual", "max_length": 16, "stride": 16, "shuffle": True, "drop_last": True},
    ),
}

_KEY = "batches_example"
# What one changes by looking around.
_LOOKED_AT = {"batch", "batch_place", "batch_token", *(name for name in SETTINGS if name.startswith("block"))}


def load_example() -> None:
    """Draw the examples; a chosen one sets all that it is about, and stays chosen for as long as that holds."""
    name = st.session_state.get(_KEY)
    if name is not None and not _holds(EXAMPLES[name]):
        st.session_state[_KEY] = None
    st.pills(
        _("Load example"),
        list(EXAMPLES),
        key=_KEY,
        format_func=lambda name: _(EXAMPLES[name].title),
        on_change=_take,
    )


def _settings(example: BatchExample) -> dict[str, Any]:
    """Return all that an example sets."""
    return {name: rule.default for name, rule in SETTINGS.items()} | example.settings


def _holds(example: BatchExample) -> bool:
    """Tell whether the page still shows an example, whichever of its batches and from wherever."""
    text_holds = example.text is None or current_text().text == example.text
    return text_holds and all(
        state.get(name) == value for name, value in _settings(example).items() if name not in _LOOKED_AT
    )


def _take() -> None:
    name = st.session_state[_KEY]
    if name is None:
        return
    example = EXAMPLES[name]
    state.dismiss_notices()
    state.put(**_settings(example))
    if example.text is not None:
        put_text(example.text)
