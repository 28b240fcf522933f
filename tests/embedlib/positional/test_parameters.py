"""What a scheme can be set to, and what it says when it cannot."""

import numpy as np
import pytest

from embedlib.positional import Parameter, validate_parameters

WHOLE = Parameter(name="seed", default=0, minimum=0, maximum=10)
REAL = Parameter(name="base", default=10_000.0, minimum=1.0)
SWITCH = Parameter(name="bidirectional", default=False)
CHOICE = Parameter(name="layout", default="interleaved", choices=("interleaved", "halves"))
NUMBERS = Parameter(name="short_factor", default=(), minimum=0.5)


@pytest.mark.parametrize(
    ("parameter", "value", "checked"),
    [
        (WHOLE, 3, 3),
        (WHOLE, np.int64(3), 3),
        (REAL, 2, 2.0),
        (REAL, np.float32(2.5), 2.5),
        (SWITCH, True, True),
        (CHOICE, "halves", "halves"),
        (NUMBERS, [1, 2.5], (1.0, 2.5)),
        (NUMBERS, (), ()),
    ],
)
def test_a_value_comes_back_in_the_parameters_own_type(parameter: Parameter, value: object, checked: object) -> None:
    result = parameter.validate(value)
    assert result == checked
    assert type(result) is type(parameter.default)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        (WHOLE, -1, "seed=-1 must be at least 0"),
        (WHOLE, 11, "seed=11 must be at most 10"),
        (WHOLE, 1.0, "seed=1.0 must be a whole number"),
        (WHOLE, True, "seed=True must be a whole number"),
        (REAL, 0.5, "base=0.5 must be at least 1"),
        (REAL, float("nan"), "base=nan must be finite"),
        (REAL, float("inf"), "base=inf must be finite"),
        (REAL, "10", "base='10' must be a number"),
        (REAL, True, "base=True must be a number"),
        (SWITCH, 1, "bidirectional=1 must be True or False"),
        (CHOICE, "thirds", "layout='thirds' must be one of interleaved, halves"),
        (NUMBERS, 1.0, "short_factor=1.0 must be numbers"),
        (NUMBERS, "1 2", "short_factor='1 2' must be numbers"),
        (NUMBERS, [True], r"short_factor=\[True\] must be numbers"),
        (NUMBERS, [1.0, float("nan")], r"short_factor=\[1.0, nan\] must be finite"),
        (NUMBERS, [1.0, 0.0], r"short_factor=\[1.0, 0.0\] must be at least 0.5"),
        (CHOICE, 3, "layout=3 must be one of interleaved, halves"),
    ],
)
def test_a_wrong_value_is_refused_with_the_rule(parameter: Parameter, value: object, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        parameter.validate(value)


def test_missing_values_take_their_defaults_in_order() -> None:
    assert list(validate_parameters("x", (WHOLE, REAL), {"base": 3}).items()) == [("seed", 0), ("base", 3.0)]
