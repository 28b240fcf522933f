"""Schemes of the library, written as formulas: examples to start from, and proof that the language suffices."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class StartingPoint:
    """A scheme of the library as a formula; on the screen it has that scheme's title and ``arguments``.

    Attributes:
        name: the key in STARTING_POINTS.
        scheme: the key of SCHEMES that it equals, with ``arguments`` as parameters.
        lines: arguments of make_scheme("formula", …): lines, pairing, parameters.
    """

    name: str
    scheme: str
    lines: Mapping[str, str]
    arguments: Mapping[str, str | float] = field(default_factory=dict)


# Buckets of T5: distances below 8 have one each, those from 8 to 128 share eight, later keys have sixteen of their own.
_NEAR = "abs(q - k)"
_BUCKET = f"where({_NEAR} < 8, {_NEAR}, min(15, floor(8 + 8 * log({_NEAR} / 8) / log(16) + 1e-9))) + 16 * (q - k < 0)"
# What T5Positions(weights="trained") has in them, the mean of its four heads.
_IN_BUCKETS = (
    "0.4, 2.4, 1.8, 1.3, 0.6, -0.5, -0.4, -0.8, -1.3, -1.5, -1.9, -2.5, -3.2, -3.2, -3.3, -3.1, "
    "0.5, 2.2, 2.1, 0.6, 0.5, 0.0, -0.5, -0.7, -1.0, -1.3, -1.8, -2.4, -3.2, -3.1, -3.2, -3.0"
)
_BASE = "base = 10000.0 (10..1e6)"
_RATIO = "factor = 4.0 (1..32)"
_INTERLEAVED = "where(even(i), sin(p / base**(i / d)), cos(p / base**((i - 1) / d)))"
_SLOWEST = "base**(-mod(i, d / 2) / max(d / 2 - 1, 1))"
_WAVE = "10000**(-4 * mod(i, d / 4) / d)"
_PLACE = "where(i < d / 2, mod(p, width), floor(p / width))"

STARTING_POINTS: dict[str, StartingPoint] = {
    point.name: point
    for point in (
        StartingPoint("sinusoidal", "sinusoidal", {"rows": _INTERLEAVED, "parameters": _BASE}),
        StartingPoint(
            "tensor2tensor",
            "sinusoidal",
            {"rows": f"where(i < d / 2, sin(p * {_SLOWEST}), cos(p * {_SLOWEST}))", "parameters": _BASE},
            {"layout": "tensor2tensor"},
        ),
        StartingPoint(
            "sinusoidal_2d",
            "sinusoidal_2d",
            {
                "rows": f"where(even(floor(4 * i / d)), sin({_PLACE} * {_WAVE}), cos({_PLACE} * {_WAVE}))",
                "parameters": "width = 14.0 (1..64)",
            },
        ),
        StartingPoint(
            "rope",
            "rope",
            {"turn": "p * base**(-2 * i / d)", "parameters": _BASE},
        ),
        StartingPoint(
            "rope_halves",
            "rope",
            {"turn": "p * base**(-2 * i / d)", "pairing": "halves", "parameters": _BASE},
            {"pairing": "halves"},
        ),
        StartingPoint(
            "rope_linear",
            "rope",
            {"turn": "p / factor * base**(-2 * i / d)", "parameters": f"{_BASE}\n{_RATIO}"},
            {"scaling": "linear", "factor": 4.0},
        ),
        StartingPoint(
            "rope_ntk",
            "rope",
            {"turn": "p * (base * factor**(d / (d - 2)))**(-2 * i / d)", "parameters": f"{_BASE}\n{_RATIO}"},
            {"scaling": "ntk", "factor": 4.0},
        ),
        # Of a number of heads that is no power of two: the slopes of the next lower one P, then every other of 2P.
        StartingPoint(
            "alibi",
            "alibi",
            {
                "bias": "-abs(q - k) * where(h < 2**floor(log(H + 0.5) / log(2)), "
                "2**(-8 * (h + 1) / 2**floor(log(H + 0.5) / log(2))), "
                "2**(-4 * (2 * (h - 2**floor(log(H + 0.5) / log(2))) + 1) / 2**floor(log(H + 0.5) / log(2))))",
            },
        ),
        StartingPoint(
            "kerple",
            "kerple",
            {
                "bias": "-exp(log_r1) * log(1 + exp(log_r2) * abs(q - k))",
                "parameters": "log_r1[h] ~ 0.0\nlog_r2[h] ~ -0.7",
            },
        ),
        StartingPoint(
            "t5",
            "t5",
            {"bias": f"t[{_BUCKET}]", "scale": "1", "parameters": f"t[h, 32] ~ {_IN_BUCKETS}"},
        ),
        StartingPoint(
            "sandwich",
            "sandwich",
            {"bias": "(sum(cos((q - k) * 10000**(-2 * (i + 1) / d))) - d / 2) * H / (8 * (h + 1))"},
        ),
    )
}
