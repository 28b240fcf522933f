"""The text with other positions than the model was trained with, and what becomes of every layer."""

from functools import partial
from typing import Any

import streamlit as st
import torch

from embedlib.contextual import LayerChanges, Positions, layer_changes
from embedlib.figures import lines_figure
from ui.cache.bounded import memo
from ui.context.layers import text_in_view
from ui.context.model import layers_of, tokens_of
from ui.context.word import layer_names, layers_csv
from ui.export import chart
from ui.i18n import _
from ui.settings import controls, state
from ui.shared.opened_model import OpenedModel
from ui.shared.page import current_theme, text_table
from ui.shared.schemes import label_of, title_of

SHUFFLE_SEED = 0
PositionsCall = tuple[str, tuple[Any, ...]]  # a constructor of Positions, and its arguments


@memo(key=lambda opened, text, positions: (opened.key, text, positions))
def changes_of(opened: OpenedModel, text: str, positions: Positions) -> LayerChanges:
    """Compare a run with other positions with the trained one."""
    return layer_changes(layers_of(opened, text), layers_of(opened, text, positions))


def other_positions(opened: OpenedModel) -> None:
    """Draw how far every layer moves when positions are taken away, shuffled, shifted or replaced."""
    text = text_in_view()
    if not text.strip():
        st.info(_("The text is empty: type something."))
        return
    left, right = st.columns([5, 8], gap="large")
    with left:
        n_tokens = len(tokens_of(opened, text).tokens)
        _positions_controls(opened, n_tokens)
    positions = positions_in_view(opened, n_tokens)
    changes = {name: changes_of(opened, text, made(one)) for name, one in positions.items()}
    moved = torch.stack([change.relative.mean(dim=1) for change in changes.values()])  # (n_kinds, n_layers + 1)
    with left:
        rows = {
            _("Positions"): list(changes),
            _("Sentence vector: cosine"): [f"{change.sentence_cosine:.3f}" for change in changes.values()],
        }
        text_table(rows, alt=_("Other positions"))
    with right:
        chart(
            "context-positions",
            partial(
                lines_figure,
                moved,
                names=list(changes),
                points=layer_names(opened)[1:],
                x_title=_("layer"),
                y_title=_("relative change"),
                theme=current_theme(),
                zero=True,
                height=400,
            ),
            alt=_said(changes),
            table=lambda: layers_csv(layer_names(opened)[1:], dict(zip(changes, moved, strict=True))),
            arrays=lambda: {"relative_change": moved},
            title=_("Other positions"),
            shows=(opened.key, text, tuple(positions.items())),
        )


def _said(changes: dict[str, LayerChanges]) -> str:
    return "; ".join(f"{name}: {change.sentence_cosine:.3f}" for name, change in changes.items())


def _positions_controls(opened: OpenedModel, n_tokens: int) -> None:
    """Choose how far positions are shifted, and what replaces them."""
    if most := _most_shift(opened, n_tokens):
        shift = min(state.get("context_shift"), most)
        st.slider(_("Shift"), 1, most, **controls.fitting_value("context_shift", shift))
    st.selectbox(
        _("Replaced by"),
        replacements(opened),
        format_func=title_of,
        **controls.fitting_value("context_scheme", _scheme(opened)),
    )


def positions_in_view(opened: OpenedModel, n_tokens: int) -> dict[str, PositionsCall]:
    """Return the positions that are compared with the trained ones, by the names of their lines."""
    calls: dict[str, PositionsCall] = {_("zero"): ("none", ()), _("shuffled"): ("shuffled", (SHUFFLE_SEED,))}
    if most := _most_shift(opened, n_tokens):
        shift = min(state.get("context_shift"), most)
        calls[_("shifted by {shift}").format(shift=shift)] = ("shifted", (shift,))
    return calls | {label_of(_scheme(opened)): ("of_scheme", (_scheme(opened),))}


def made(call: PositionsCall) -> Positions:
    """Make the positions that a constructor and its arguments stand for."""
    name, arguments = call
    positions: Positions = getattr(Positions, name)(*arguments)
    return positions


@memo(key=lambda opened: opened.key)
def replacements(opened: OpenedModel) -> list[str]:
    """List the schemes that can replace the model's own."""
    return [name for name, reason in opened.model.schemes().items() if reason is None and name != "none"]


def _scheme(opened: OpenedModel) -> str:
    """Return the scheme that is chosen, or the first that the model can have."""
    chosen, offered = state.get("context_scheme"), replacements(opened)
    return chosen if chosen in offered else offered[0]


def _most_shift(opened: OpenedModel, n_tokens: int) -> int:
    return min(opened.model.max_seq_len - n_tokens, state.greatest("context_shift"))
