"""Errors of formulas, with a sentence for each that a page translates."""

from typing import Any

from embedlib.errors import CodedError, shorten_middle
from embedlib.i18n import N_

# code -> sentence. Names in braces are the keys of an error's values.
FORMULA_ERRORS: dict[str, str] = {
    # before anything is computed
    "nothing": N_("Write a formula."),
    "too_long": N_("At most {limit:,} characters."),
    "too_many": N_("At most {limit:,} names, numbers and operators."),
    "too_deep": N_("At most {limit:,} nested brackets."),
    "character": N_("{found} is not supported: use {instead}."),
    "number": N_("{found} is no number below 1e308."),
    "before": N_("A value is missing before {found}."),
    "after": N_("A value is missing after {found}."),
    "between": N_("Before {found}, add one of {instead}."),
    "unclosed": N_("{found} is not closed: add {instead}."),
    "unopened": N_("{found} closes nothing: remove it."),
    "construct": N_("{found} is not supported: use {instead}."),
    "name": N_("{found} is unknown: use {choices}, or add a parameter."),
    "arguments": N_("{found} takes {wanted} values, not {given:,}."),
    "parameter": N_("Write a = 1 (0..2), a ~ 1, a[h] ~ 1 or a[h, 8] ~ 1."),
    "taken": N_("{found} is taken: choose another name."),
    "range": N_("{found} must be between {least:g} and {greatest:g}."),
    "heads": N_("{found} needs one value or {heads:,}."),
    "pairs": N_("Heads need two dimensions."),
    "too_much": N_("Too much to compute: shorten the text."),
    # what comes of it
    "infinite": N_("{found} is not finite at {place}: use where(…)."),
    "undefined": N_("{found} is not finite at {place}: use where(…)."),
    "entry": N_("{found} is outside the table at {place}: use clip(…)."),
    "overflow": N_("{found} exceeds {dtype} at {place}: use clip(…)."),
}


class FormulaError(CodedError):
    """A formula that cannot be read or computed; the message is one plain English sentence.

    Attributes:
        line: "rows", "bias", "turn", "scale" or "parameters".
        start: index of the first wrong character.
        stop: one past the last; equal to start where something is missing.
        code: a key of FORMULA_ERRORS.
        values: fill the sentence. Text in it may come from the formula: treat it as foreign.
        reason: the sentence in English.
    """

    def __init__(self, code: str, /, *, line: str, start: int = 0, stop: int | None = None, **values: Any) -> None:
        shown = {name: repr(shorten_middle(value)) if name == "found" else value for name, value in values.items()}
        self.reason = FORMULA_ERRORS[code].format(**shown)
        super().__init__(code, f"{line}: {self.reason}", **values)
        self.line, self.start, self.stop = line, start, start if stop is None else stop
