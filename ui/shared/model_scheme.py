"""A model's own positional scheme, copied to the settings of a page, so that its link includes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from embedlib.checkpoints import CheckpointError, positional_scheme
from embedlib.positional import SCHEMES
from embedlib.tables import TableError
from ui.i18n import _
from ui.markdown import as_code
from ui.settings import state
from ui.shared.model_choice import (
    Model,
    model_control,
    model_in_view,
    model_sentence,
    split_model_setting,
)
from ui.shared.model_rows import check_position_tables

SETTING = "scheme_model"
_FOUND, _FROM = "scheme_of_model", "scheme_from"
_HEADS = 4  # of a rotation, which is the same for all


@dataclass(frozen=True)
class ModelScheme:
    """The scheme of a model.

    Attributes:
        name: key of SCHEMES.
        values: settings of its parameters, by their names.
        sizes: d_model, heads and positions that a page can show it with.
        entry: as a comparison has it.
    """

    name: str
    values: dict[str, Any]
    sizes: dict[str, int]
    entry: str


def read_model_scheme(model: Model) -> ModelScheme:
    """Read a model's scheme from its config.json.

    Raises:
        CheckpointError: its scheme is unknown, or too large for a page.
    """
    name, arguments = positional_scheme(model.checkpoint.config, source=model.title)
    given: dict[str, Any] = {}
    if name == "learned":
        check_position_tables(model.checkpoint)
        length = min(state.get("positions"), max(2, model.checkpoint.n_positions))
        sizes = {"d_model": model.checkpoint.d_model, "heads": 1, "positions": length}
        return _fit_scheme(name, {"weights": model.source}, sizes, model.title)
    if f"{name}.weights" in state.SETTINGS:
        given["weights"] = "random"
    return _fit_scheme(name, arguments | given, _sizes(name, arguments), model.title)


def scheme_from_config(arguments: Mapping[str, Any], source: str) -> ModelScheme:
    """Convert the rotation of a config.json; raises CheckpointError if it is too large for a page.

    Args:
        arguments: RopeConfig.arguments.
        source: the model's name in errors.
    """
    return _fit_scheme("rope", arguments, _sizes("rope", arguments), source)


def _fit_scheme(name: str, arguments: Mapping[str, Any], sizes: dict[str, int], source: str) -> ModelScheme:
    for size in ("d_model", "heads"):
        if sizes[size] > state.maximum(size):
            raise CheckpointError(
                "unsupported", source=source, found=f"{size} = {sizes[size]:,}, over {state.maximum(size):,}"
            )
    rules = {p.name: state.SETTINGS[f"{name}.{p.name}"] for p in SCHEMES[name].PARAMETERS}
    given = {parameter: value for parameter, value in arguments.items() if parameter in rules}
    values = {parameter: given.get(parameter, rule.default) for parameter, rule in rules.items()}
    written = {parameter: rules[parameter].format(value) for parameter, value in given.items()}
    for parameter, raw in written.items():
        try:
            if rules[parameter].parse(raw) != given[parameter]:
                raise ValueError(raw)
        except (ValueError, KeyError) as error:
            raise CheckpointError("unsupported", source=source, found=f"{parameter} {raw}") from error
    own = [f"{parameter}={raw}" for parameter, raw in written.items() if values[parameter] != rules[parameter].default]
    return ModelScheme(
        name,
        {f"{name}.{parameter}": value for parameter, value in values.items()},
        sizes,
        f"{name}:{';'.join(own)}" if own else name,
    )


def _sizes(name: str, arguments: Mapping[str, Any]) -> dict[str, int]:
    """Fit a model's sizes to what a page can show: whole heads of a rotation, all heads of a bias."""
    most, n_heads = state.maximum("d_model"), arguments["n_heads"]
    head_dim = arguments["d_model"] // n_heads
    if name != "rope":
        return {"d_model": n_heads * max(1, min(head_dim, most // n_heads)), "heads": n_heads}
    sizes = {"d_model": head_dim, "heads": 1}
    for heads in range(2, min(_HEADS, n_heads) + 1):
        if n_heads % heads == 0 and heads * head_dim <= most:
            sizes = {"d_model": heads * head_dim, "heads": heads}
    return sizes


def apply_model_scheme() -> None:
    """Apply the scheme that the last run read from a model; call it before any control is drawn."""
    setting = st.session_state.pop(_FOUND, None)
    if setting is not None:
        st.session_state[_FROM] = state.get(SETTING), setting
        state.put(**setting, **{SETTING: None})


def model_scheme_control(page_settings: Callable[[ModelScheme], Mapping[str, Any]]) -> None:
    """Draw the choice of a model whose scheme the page adopts as soon as the model is open.

    Args:
        page_settings: returns the page's settings for a scheme.
    """
    wanted = model_control(SETTING, label=_("Scheme of a model"), optional=True)
    if wanted is None:
        source, setting = st.session_state.get(_FROM, ("", {}))
        if source and all(state.get(name) == value for name, value in setting.items()):
            st.caption(_("As in {name}.").format(name=as_code(source)))
        return
    model = model_in_view(SETTING)
    if model is None or model.source != split_model_setting(wanted)[0]:
        return
    try:
        st.session_state[_FOUND] = dict(page_settings(read_model_scheme(model)))
    except TableError as error:
        st.error(model_sentence(error))
        return
    st.rerun()
