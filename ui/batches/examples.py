"""Examples of the batches page, settings that show one thing each; the first is the batch that courses print."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from embedlib.i18n import N_
from ui.i18n import _, separator
from ui.settings import state
from ui.shared.examples import examples, title_with_examples

_OWN = state.own_settings("batches")


@dataclass(frozen=True)
class BatchExample:
    """An example: its English title, and the settings that differ from the defaults."""

    title: str
    settings: dict[str, Any]
    shared: dict[str, Any]


_ESSAY = {"batches_source": "example", "max_length": 4, "batch_size": 8}
GPT2 = {"tokenizer": "gpt2"}
EXAMPLES: dict[str, BatchExample] = {
    "lesson": BatchExample(
        N_("8 windows of 4 tokens, 256 dimensions"),
        _ESSAY | {"stride": 4},
        GPT2 | {"d_model": 256, "seed": 123, "table": "random"},
    ),
    "overlap": BatchExample(N_("Stride 1: windows overlap"), _ESSAY | {"stride": 1}, GPT2),
    "gaps": BatchExample(N_("Stride 6: some tokens are skipped"), _ESSAY | {"stride": 6}, GPT2),
    "shuffled": BatchExample(
        N_("Python’s manual, shuffled"),
        # 8,688 windows leave a rest, which drop_last then drops.
        {
            "batches_source": "manual",
            "max_length": 16,
            "stride": 16,
            "batch_size": 10,
            "shuffle": True,
            "drop_last": True,
        },
        GPT2,
    ),
}

# What one changes by looking around.
_LOOKED_AT = {"batch", "batch_place", "batch_token", *(name for name in _OWN if name.startswith("block"))}


def title_and_examples() -> None:
    """Draw the title with the examples."""
    title_with_examples(_examples, key="batches-head")


def _examples() -> None:
    shown = next((name for name, example in EXAMPLES.items() if _is_example_shown(example)), None)
    titles = {name: _(example.title) for name, example in EXAMPLES.items()}
    examples(titles, lambda name: state.put(**_settings(EXAMPLES[name])), shown=shown, key="batches_example")
    if shown is not None:
        shared = separator(", ").join(f"{name} = {value}" for name, value in EXAMPLES[shown].shared.items())
        st.caption(_("This example also changes settings that all pages share: {settings}.").format(settings=shared))


def _settings(example: BatchExample) -> dict[str, Any]:
    return {name: rule.default for name, rule in _OWN.items()} | example.settings | example.shared


def _is_example_shown(example: BatchExample) -> bool:
    """Return whether the page still shows an example, in any batch and at any scroll position."""
    return all(state.get(name) == value for name, value in _settings(example).items() if name not in _LOOKED_AT)
