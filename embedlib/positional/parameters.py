"""Parameters of schemes: descriptions for a page's controls, and validation of values."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TypeGuard

from embedlib.i18n import N_

ParameterValue = bool | int | float | str | tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One keyword parameter of a scheme, beyond d_model, n_heads and max_seq_len.

    Attributes:
        default: its type (bool, int, float, str or a tuple of floats) is the parameter's.
        choices: the values allowed, or None where any is.
        minimum: least value allowed, or None.
        maximum: greatest value allowed, or None.
        summary: one plain sentence, English, marked for translation.
        only_with: another parameter of the scheme and the values of it that read this one, none for all but "", or None
            where it is always read. A value that is not read is checked all the same.
    """

    name: str
    default: ParameterValue
    choices: tuple[ParameterValue, ...] | None = None
    minimum: float | None = None
    maximum: float | None = None
    summary: str = ""
    only_with: tuple[str, tuple[ParameterValue, ...]] | None = None

    def is_read(self, values: Mapping[str, object]) -> bool:
        """Return whether a scheme with these values of its parameters reads this one; see ``only_with``."""
        if self.only_with is None:
            return True
        value, reading = values[self.only_with[0]], self.only_with[1]
        return value in reading if reading else value != ""

    def validate(self, value: object) -> ParameterValue:
        """Return the value in the parameter's own type; a whole number passes as a float, a bool never as a number."""
        typed = self._as_type(value)
        if self.choices is not None and typed not in self.choices:
            raise ValueError(f"{self.name}={value!r} must be {self._requirement()}")
        for number in typed if isinstance(typed, tuple) else () if isinstance(typed, str) else (typed,):
            if not math.isfinite(number):
                raise ValueError(f"{self.name}={value} must be finite")
            if self.minimum is not None and number < self.minimum:
                raise ValueError(f"{self.name}={value} must be at least {self.minimum:g}")
            if self.maximum is not None and number > self.maximum:
                raise ValueError(f"{self.name}={value} must be at most {self.maximum:g}")
        return typed

    def _as_type(self, value: object) -> ParameterValue:
        """Convert without loss, or raise with the expected type."""
        kind = type(self.default)
        if kind is bool and isinstance(value, bool):
            return value
        if kind is int and isinstance(value, Integral) and not isinstance(value, bool):
            return int(value)
        if kind is float and _is_number(value):
            return float(value)
        if kind is str and isinstance(value, str):
            return value
        if kind is tuple and isinstance(value, Sequence) and all(_is_number(one) for one in value):
            return tuple(float(one) for one in value)
        raise ValueError(f"{self.name}={value!r} must be {self._requirement()}")

    def _requirement(self) -> str:
        """Name the choices, or else the type."""
        if self.choices is not None:
            return f"one of {', '.join(str(choice) for choice in self.choices)}"
        kinds = {bool: "True or False", int: "a whole number", float: "a number", str: "a string", tuple: "numbers"}
        return kinds[type(self.default)]


def _is_number(value: object) -> TypeGuard[Real]:
    return isinstance(value, Real) and not isinstance(value, bool)


SEED = Parameter(name="seed", default=0, minimum=0, maximum=2**63 - 1, summary=N_("Same seed, same random numbers."))


def validate_parameters(
    scheme: str, parameters: tuple[Parameter, ...], given: Mapping[str, object]
) -> dict[str, ParameterValue]:
    """Check every given value and fill in the defaults, in the order of the parameters."""
    names = [parameter.name for parameter in parameters]
    for name in given:
        if name not in names:
            takes = f"choose among {', '.join(names)}" if names else "it takes none"
            raise ValueError(f"{name}={given[name]!r} is not a parameter of scheme {scheme!r}: {takes}")
    return {
        parameter.name: parameter.validate(given.get(parameter.name, parameter.default)) for parameter in parameters
    }
