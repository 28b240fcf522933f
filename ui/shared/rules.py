"""Incompatible settings, each as one translated sentence with the remedy."""

import math
from collections.abc import Mapping
from typing import Any

from embedlib.examples import BY_HAND_POSITIONS, BY_HAND_ROWS, EXAMPLES, in_language
from embedlib.positional import FormulaError, FormulaPositions
from embedlib.positional.formula import FORMULA_ERRORS
from embedlib.tokenizers import Token
from ui import cache
from ui.i18n import _, language, separator
from ui.markdown import as_code, as_text
from ui.settings import state
from ui.shared.schemes import has_model_rows, scheme_or_class, scheme_title


def broken_scheme_rule(entry: str, *, d_model: int, n_heads: int, n_positions: int = 0) -> str | None:
    """Return why a scheme or entry cannot be built with these sizes; None if it can.

    Args:
        entry: the scheme, perhaps with settings of its own.
        d_model: row width.
        n_heads: number of attention heads.
        n_positions: how many it must have at least.
    """
    values = state.scheme_parameters(entry)
    scheme, _colon, own = entry.partition(":")
    if scheme == FormulaPositions.name and d_model % n_heads == 0:
        fault = cache.formula_fault(scheme, d_model, n_heads, tuple(values.items()), max(4, n_positions))
        return None if fault is None else formula_problem(entry, fault)
    if not _exists(scheme, d_model, n_heads, tuple(values.items())):
        return _reason(scheme, d_model, n_heads, values)
    if own and has_model_rows(entry):
        width = cache.available_weights(scheme, values["weights"]).get(values["weights"], {}).get("d_model")
        if width != d_model:
            return _("{scheme} needs d_model = {width}.").format(scheme=scheme_title(entry), width=width)
    made = cache.cached_scheme(scheme, d_model, n_heads, tuple(values.items()))
    if made.any_length or n_positions <= made.max_seq_len:
        return None
    return _("{scheme} has {count:,} positions: use fewer.").format(scheme=scheme_title(entry), count=made.max_seq_len)


def formula_sentence(fault: FormulaError) -> str:
    """Describe the error of a formula, as markdown with its text as code."""
    written = {
        name: (as_code if name in ("found", "place") else as_text)(value) if isinstance(value, str) else value
        for name, value in fault.values.items()
    }
    return _(FORMULA_ERRORS[fault.code]).format(**written)


def formula_problem(entry: str, fault: FormulaError) -> str:
    """Return the scheme, the line and the error of a formula, as markdown."""
    names = {"scheme": scheme_title(entry), "line": as_code(fault.line)}
    return _("{scheme}, {line}: {problem}").format(**names, problem=formula_sentence(fault))


def _exists(scheme: str, d_model: int, n_heads: int, parameters: tuple[tuple[str, Any], ...] = ()) -> bool:
    try:
        cache.cached_scheme(scheme, d_model, n_heads, parameters)
    except ValueError:
        return False
    return True


def _reason(scheme: str, d_model: int, n_heads: int, values: Mapping[str, Any]) -> str:
    """Return the violated rule with the nearest valid width; if no size is at fault, the parameters are."""
    if d_model % n_heads:
        # An even head width suits every scheme, so that those compared share one sentence.
        if choices := [str(heads) for heads in range(1, 65) if d_model % (2 * heads) == 0]:
            return _("{heads} heads do not divide d_model = {d_model}: choose among {choices}.").format(
                heads=n_heads, d_model=d_model, choices=separator(", ").join(choices)
            )
        return _("{heads} heads do not divide d_model = {d_model}: try d_model = {nearest}.").format(
            heads=n_heads, d_model=d_model, nearest=_nearest_width(scheme, d_model, n_heads, upwards=True)
        )
    if pairs := len(values.get("short_factor", ())):  # of LongRoPE: a number for each pair of a head
        width = round(2 * pairs / values["rotary_fraction"]) * n_heads
        if width != d_model:
            return _("{scheme} needs d_model = {width}.").format(scheme=scheme_title(scheme), width=width)
    title, turns = scheme_title(scheme), "query_key" in scheme_or_class(scheme).acts_on
    nearest = _nearest_width(scheme, d_model, n_heads, upwards=turns or d_model < 8)
    if nearest in (None, d_model):
        return _("{scheme} does not support these parameters: reset them.").format(scheme=title)
    if turns:
        sentence = _(
            "{scheme} needs an even head width, not {d_model} / {heads} = {head_dim}: try d_model = {nearest}."
        )
    else:
        sentence = _("{scheme} needs d_model divisible by {divisor}, not {d_model}: try {nearest}.")
    return sentence.format(
        scheme=title,
        d_model=d_model,
        heads=n_heads,
        head_dim=d_model // n_heads,
        divisor=2 if d_model % 2 else 4,
        nearest=nearest,
    )


def _nearest_width(scheme: str, d_model: int, n_heads: int, *, upwards: bool) -> int | None:
    """Return the nearest d_model that a scheme with default parameters can have."""
    first, second = (1, -1) if upwards else (-1, 1)
    divisible = math.ceil(d_model / n_heads) * n_heads
    for step in range(4):  # no rule is narrower than multiples of four
        for sign in (first, second):
            width = divisible + sign * step * n_heads
            if 2 <= width <= state.maximum("d_model") and _exists(scheme, width, n_heads):
                return width
    return None


def broken_by_hand_rule(tokens: list[Token]) -> str | None:
    """Return why the by-hand table cannot embed these words; None if it can."""
    words = [token.bytes.decode() for token in tokens]
    unknown = next((word for word in words if word not in BY_HAND_ROWS), None)
    if unknown is not None:
        return _("The matrix has rows for {words} only: use these.").format(
            words=separator(", ").join(in_language(EXAMPLES["nlp"].text, language()).split())
        )
    if len(words) > len(BY_HAND_POSITIONS):
        return _("{limit} positions, {count} words: shorten the text.").format(
            limit=len(BY_HAND_POSITIONS), count=len(words)
        )
    return None
