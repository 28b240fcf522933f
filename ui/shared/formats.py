"""Bytes, seconds and counts in readable units."""

import math

from ui.i18n import _, language, number


def format_bytes(count: float) -> str:
    """Format a number of bytes with three digits, in powers of a thousand."""
    if count < 1_000:
        return _("{count:.0f} bytes").format(count=count)
    for limit, unit in ((1e6, _("{value} kB")), (1e9, _("{value} MB")), (1e12, _("{value} GB"))):
        if count < 0.9995 * limit:
            return unit.format(value=three_digits(count / limit * 1_000))
    return _("{value} TB").format(value=three_digits(count / 1e12))


def format_seconds(seconds: float) -> str:
    """Format a duration with three digits."""
    if seconds < 0.9995e-3:
        return _("{value} µs").format(value=three_digits(seconds * 1e6))
    if seconds < 0.9995:
        return _("{value} ms").format(value=three_digits(seconds * 1e3))
    return _("{value} s").format(value=three_digits(seconds))


def format_count(count: float) -> str:
    """Format a count: all digits up to a million, then three or four and a power of (ten) thousand.

    Source: for Chinese Unicode CLDR, language zh, compact decimal formats: 万, 亿, 万亿.
    """
    if count < 1e6:
        return number(count, ",.0f")
    if language() == "zh":
        for limit, power, unit in ((1e8, 1e4, "万"), (1e12, 1e8, "亿"), (math.inf, 1e12, "万亿")):
            if count < 0.99995 * limit:
                return f"{three_digits(count / power)} {unit}"
    for limit, said in ((1e9, _("{value} million")), (1e12, _("{value} billion"))):
        if count < 0.9995 * limit:
            return said.format(value=three_digits(count / limit * 1_000))
    return _("{value} trillion").format(value=three_digits(count / 1e12))


def three_digits(value: float) -> str:
    """Format a positive number with three digits, without an exponent."""
    if value >= 100:
        return number(value, ",.0f")
    return number(value, ".1f" if value >= 10 else ".2f")
