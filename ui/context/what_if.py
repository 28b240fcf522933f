"""The text with other positions than the model was trained with, and how far every layer's vectors change."""

from dataclasses import fields
from typing import Any

import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from embedlib.contextual import LayerChanges, Positions, layer_changes
from embedlib.figures import lines_figure
from embedlib.positional import FormulaError, FormulaPositions
from ui.cache.bounded import memo
from ui.components.browser import is_narrow
from ui.context.layers import text_in_view
from ui.context.model import SHUFFLE_SEED, longest_shift, run_layers, tokenize
from ui.context.word import by_layer_lines, layer_names, layer_numbers
from ui.export import Drawing, figure_drawing, save_table, show
from ui.i18n import _, label_sentence, number, separator
from ui.settings import controls, state
from ui.shared import rules
from ui.shared.opened_model import OpenedModel
from ui.shared.own_scheme import own_editor, show_scheme_problem, write_your_own
from ui.shared.page import text_table
from ui.shared.schemes import frozen_labels, scheme_label, scheme_title


@memo(key=lambda opened, text, positions: (opened.key, text, positions))
def position_changes(opened: OpenedModel, text: str, positions: Positions) -> LayerChanges:
    """Compare a run with other positions with the trained one."""
    return layer_changes(run_layers(opened, text), run_layers(opened, text, positions))


def other_positions(opened: OpenedModel) -> None:
    """Draw how far every layer's vectors move when positions are removed, shuffled, shifted or replaced."""
    text = text_in_view()
    if not text.strip():
        st.info(_("The text has no tokens: type something."))
        return
    left, right = st.columns([5, 8], gap="large")
    with left:
        n_tokens = len(tokenize(opened, text).tokens)
        _positions_controls(opened, n_tokens)
    _positions, changes = compared_positions(opened, text, say=right)
    with right:
        show(changes_by_layer, opened, text)
    with right if is_narrow() else left:  # a phone's window is for the slider and the chart
        rows = {
            _("Positions given to the model"): list(changes),
            _("Cosine of the sentence vector with the right one"): [
                number(change.sentence_cosine, ".3f") for change in changes.values()
            ],
        }
        save_table("context-sentence", _("Other positions"), rows)
        text_table(rows, alt=_("Other positions"))
    with st.container(key="context-own"):
        own_editor([_chosen_scheme(opened)], wide=True)


def changes_by_layer(opened: OpenedModel, text: str) -> Drawing:
    """Draw how far other positions move the vectors of each layer."""
    _positions, changes = compared_positions(opened, text)
    moved = torch.stack([change.relative.mean(dim=1) for change in changes.values()])  # (n_kinds, n_layers + 1)
    layers = layer_names(opened)[1:]
    return figure_drawing(
        "context-positions",
        _("Other positions"),
        by_layer_lines(layer_numbers(opened), dict(zip(changes, moved, strict=True))),
        lines_figure,
        moved,
        alt=_cosines_sentence(changes),
        names=list(changes),
        points=layers,
        x_title=_("input, then after each layer"),
        y_title=_("how far the vectors move, ÷ their length"),
        hover_text="{name}\n" + label_sentence("{x}", "{y}"),
        zero=True,
        height=400,
    )


def _cosines_sentence(changes: dict[str, LayerChanges]) -> str:
    return separator("; ").join(
        name + separator(": ") + number(change.sentence_cosine, ".3f") for name, change in changes.items()
    )


def _positions_controls(opened: OpenedModel, n_tokens: int) -> None:
    """Draw the controls of how far positions are shifted, and what replaces them."""
    if most := longest_shift(opened, n_tokens):
        shift = min(state.get("context_shift"), most)
        controls.control("context_shift", st.slider, 1, most, value=shift)
    scheme, offered = _chosen_scheme(opened), _candidate_schemes(opened)
    controls.control("context_scheme", st.selectbox, offered, titles=frozen_labels(offered, scheme_title), value=scheme)
    write_your_own(lambda entry: {"context_scheme": entry})


def compared_positions(
    opened: OpenedModel, text: str, *, say: DeltaGenerator | None = None
) -> tuple[dict[str, Positions], dict[str, LayerChanges]]:
    """Return the positions compared with the trained ones, and the changes they cause, by the names of their lines.

    Args:
        opened: the model.
        text: with a token.
        say: container for the reason why the reader's own scheme is left out; None to show none.
    """
    positions = {
        _("no positions"): Positions("none"),
        _("shuffled"): Positions("shuffled", seed=SHUFFLE_SEED),
    }
    if most := longest_shift(opened, len(tokenize(opened, text).tokens)):
        shift = min(state.get("context_shift"), most)
        positions[_("shifted by {shift}").format(shift=shift)] = Positions("shifted", shift=shift)
    scheme = _chosen_scheme(opened)
    label = scheme_label(scheme)
    if label in positions:  # so its author called it
        label = f"{label} ({_(FormulaPositions.title)})"
    own = state.own_scheme(scheme)
    parameters = {} if own is None else own.arguments
    positions[label] = Positions("scheme", scheme=scheme.partition(":")[0], parameters=parameters)
    changes = {}
    for name, given in list(positions.items()):
        try:
            changes[name] = position_changes(opened, text, given)
        except FormulaError as fault:
            del positions[name]
            if say is not None:
                with say:
                    show_scheme_problem(rules.formula_problem(scheme, fault), scheme)
    return positions, changes


def position_arguments(positions: Positions) -> dict[str, Any]:
    """Return the arguments that make these positions, without defaults."""
    changed = [field.name for field in fields(positions) if getattr(positions, field.name) != field.default]
    given = {name: getattr(positions, name) for name in changed}
    return given | ({"parameters": dict(positions.parameters)} if positions.parameters else {})


def _candidate_schemes(opened: OpenedModel) -> list[str]:
    """List the schemes that can replace the model's own: the library's, then those that the reader has written."""
    return [*_library_candidates(opened), *(one.entry for one in state.get("formulas"))]


@memo(key=lambda opened: opened.key)
def _library_candidates(opened: OpenedModel) -> list[str]:
    """List the library's schemes that can replace the model's own."""
    return [name for name in opened.model.schemes() if name != "none"]


def _chosen_scheme(opened: OpenedModel) -> str:
    """Return the chosen scheme, or the first that fits the model."""
    chosen, offered = state.get("context_scheme"), _candidate_schemes(opened)
    return chosen if chosen in offered else offered[0]
