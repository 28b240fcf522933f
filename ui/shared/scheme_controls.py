"""Controls of a positional scheme, its weights and its parameters."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from embedlib.positional import SCHEMES, Parameter
from ui import cache
from ui.cache.minilm import has_minilm
from ui.i18n import _, separator
from ui.markdown import as_code
from ui.settings import MINILM, MINILM_WIDTH, Choice, Numbers, controls, state
from ui.shared.model_rows import positions_ready
from ui.shared.own_scheme import own_editor, write_your_own
from ui.shared.schemes import (
    MINILM_ENTRY,
    available_schemes,
    frozen_labels,
    has_model_rows,
    scheme_or_class,
    scheme_title,
)


def has_heads(scheme: str) -> bool:
    """Return whether a scheme acts in attention, where there are heads."""
    return bool(scheme_or_class(scheme).acts_on - {"embedding"})


def scheme_choice(with_minilm: bool = False, /, *, d_model: int, n_heads: int) -> None:
    """Draw the choice of a positional scheme, and of its weights if these sizes allow several.

    Args:
        with_minilm: whether to list MiniLM's positions too, which also set their width.
        d_model: row width.
        n_heads: number of attention heads.
    """
    schemes = available_schemes([state.get("scheme")])
    if with_minilm and has_minilm():
        schemes.insert(schemes.index("learned") + 1, MINILM_ENTRY)
    controls.control(
        "scheme", st.selectbox, schemes, titles=frozen_labels(schemes, scheme_title), on_change=_choose_scheme
    )
    weights_control(state.get("scheme"), d_model=d_model, n_heads=n_heads)
    own_editor([state.get("scheme")])
    write_your_own(lambda entry: {"scheme": entry})


def _choose_scheme() -> None:
    if state.get("scheme") == MINILM_ENTRY:
        state.put(**{"scheme": "learned", "learned.weights": MINILM}, d_model=MINILM_WIDTH)


def weights_control(scheme: str, *, d_model: int, n_heads: int) -> None:
    """Draw the choice of a scheme's weights for these sizes; the tooltip lists the sizes of the others."""
    setting = f"{scheme}.weights"
    if not scheme_or_class(scheme).WEIGHTS:
        return
    if has_model_rows(f"{scheme}:weights={state.get(setting)}"):
        positions_ready(state.get(setting), key="positions_of_model")  # until then others are used
    trained = cache.available_weights(scheme, state.get(setting))
    offered, values = [*trained, "random"], state.scheme_parameters(scheme)
    fitting = [one for one in offered if _weights(scheme, d_model, n_heads, values | {"weights": one}) == one]
    titles = {"minilm": _("MiniLM’s"), "trained": _("trained"), "random": _("random")}
    sizes = (separator(", ").join(f"{name} = {size}" for name, size in needed.items()) for needed in trained.values())
    controls.control(
        setting,
        st.segmented_control,
        fitting,
        label=_("Weights"),
        titles=lambda one: titles.get(one) or as_code(one),
        required=True,
        disabled=len(fitting) == 1,
        help=None
        if fitting == offered
        else _("There are trained weights only for {sizes}.").format(sizes=separator("; ").join(sizes)),
        value=_weights(scheme, d_model, n_heads, values),
    )


def _weights(scheme: str, d_model: int, n_heads: int, parameters: Mapping[str, Any]) -> str:
    return str(cache.fit_weights(scheme, d_model, n_heads, parameters)["weights"])


def parameter_controls(scheme: str, *, d_model: int, n_heads: int) -> None:
    """Draw the controls of the parameters that a scheme uses, except its weights."""
    values = state.scheme_parameters(scheme)
    in_view = cache.fit_weights(scheme, d_model, n_heads, values)
    for parameter in SCHEMES[scheme].PARAMETERS if scheme in SCHEMES else ():
        if parameter.name in values and parameter.name != "weights" and parameter.is_read(in_view):
            _parameter_control(scheme, parameter)


def _parameter_control(scheme: str, parameter: Parameter) -> None:
    key = f"{scheme}.{parameter.name}"
    rule = state.SETTINGS[key]
    help_text = _(parameter.summary) if parameter.summary else None
    match rule:
        case Numbers():  # a model brings them
            st.caption(_("{name}: {count:,} numbers").format(name=parameter.name, count=len(state.get(key))))
        case Choice():
            controls.control(key, st.selectbox, rule.options, label=parameter.name, help=help_text)
        case _other:
            controls.control(key, label=parameter.name, help=help_text)
