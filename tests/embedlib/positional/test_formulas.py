"""The formula of every scheme, written once more as a plain loop over Python numbers, against its attention."""

import cmath
import math
from collections.abc import Callable
from functools import cache

import pytest
import torch
from torch import Tensor

from embedlib.positional import SCHEMES, PositionalScheme, make_scheme
from tests.oracles.attention import dot, loop_attend, loop_logits

Logit = Callable[[int, int, int], float]
Oracle = Callable[[PositionalScheme, Tensor, Tensor, int], Logit]
T5_STARTS = [*range(9), 12, 16, 23, 32, 46, 64, 91]
ALIBI_SLOPES = {1: [2**-8], 2: [2**-4, 2**-8], 3: [2**-4, 2**-8, 2**-2], 5: [2**-2, 2**-4, 2**-6, 2**-8, 2**-1]}


def plain(scheme: PositionalScheme, q: Tensor, k: Tensor, offset: int) -> Logit:
    return lambda h, i, j: dot(q[h, i], k[h, j]) / math.sqrt(scheme.head_dim)


def biased(bias: Callable[[PositionalScheme, int, int, int], float], scale: float | None = None) -> Oracle:
    """Add a bias(scheme, head, i, j) that knows positions only."""

    def oracle(scheme: PositionalScheme, q: Tensor, k: Tensor, offset: int) -> Logit:
        divisor = scale or math.sqrt(scheme.head_dim)
        return lambda h, i, j: dot(q[h, i], k[h, j]) / divisor + bias(scheme, h, i + offset, j + offset)

    return oracle


def alibi(scheme: PositionalScheme, h: int, i: int, j: int) -> float:
    return -ALIBI_SLOPES[scheme.n_heads][h] * abs(i - j)


def kerple(scheme: PositionalScheme, h: int, i: int, j: int) -> float:
    r1, r2 = math.exp(weights(scheme, "raw_r1")[h]), float(weights(scheme, "raw_r2")[h])
    if scheme.parameter_values["form"] == "logarithmic":
        return -r1 * math.log(1 + math.exp(r2) * abs(i - j))
    return -r1 * abs(i - j) ** (2 / (1 + math.exp(-r2)))


def sandwich(scheme: PositionalScheme, h: int, i: int, j: int) -> float:
    waves = range(1, scheme.d_model // 2 + 1)
    products = sum(math.cos((i - j) / 10_000 ** (2 * wave / scheme.d_model)) - 1 for wave in waves)
    return products / (8 * (h + 1) / scheme.n_heads)


def fire(scheme: PositionalScheme, h: int, i: int, j: int) -> float:
    c, limit = abs(float(weights(scheme, "c"))), abs(float(weights(scheme, "stretch")))
    limit = max(limit * float(scheme.parameter_values["threshold"]), i)
    share = math.log(c * abs(i - j) + 1) / math.log(c * limit + 1)
    first = zip(weights(scheme, "hidden_weight").tolist(), weights(scheme, "hidden_bias").tolist(), strict=True)
    hidden = [max(0.0, weight * share + bias) for weight, bias in first]
    return sum(out * unit for out, unit in zip(weights(scheme, "output_weight")[h].tolist(), hidden, strict=True))


def t5(scheme: PositionalScheme, h: int, i: int, j: int) -> float:
    bucket = len([start for start in T5_STARTS if start <= abs(i - j)]) - 1 + (16 if j > i else 0)
    return float(weights(scheme, "table")[bucket, h])


def turned(scheme: PositionalScheme, q: Tensor, k: Tensor, offset: int) -> Logit:
    """RoPE and, where it fades, xPos: each pair of columns as one complex number."""
    width = scheme.head_dim // 2

    def pair(x: Tensor, p: int) -> complex:
        halves = scheme.parameter_values["pairing"] == "halves"
        return complex(x[p], x[p + width]) if halves else complex(x[2 * p], x[2 * p + 1])

    def logit(h: int, i: int, j: int) -> float:
        total = 0.0
        for p in range(width):
            turn = cmath.exp(1j * (i - j) * 10_000 ** (-p / width))
            left = ((p / width + 0.4) / 1.4) ** ((i - j) / 512) if scheme.name == "xpos" else 1
            total += (pair(q[h, i], p) * turn * pair(k[h, j], p).conjugate()).real * left
        return total / math.sqrt(scheme.head_dim)

    return logit


def shaw(scheme: PositionalScheme, q: Tensor, k: Tensor, offset: int) -> Logit:
    vectors = weights(scheme, "key_vectors")
    return lambda h, i, j: dot(q[h, i], k[h, j] + vectors[clipped(scheme, i, j)]) / math.sqrt(scheme.head_dim)


def clipped(scheme: PositionalScheme, i: int, j: int) -> int:
    limit = int(scheme.parameter_values["max_distance"])
    return max(-limit, min(limit, j - i)) + limit


def transformer_xl(scheme: PositionalScheme, q: Tensor, k: Tensor, offset: int) -> Logit:
    u, v, projection = (weights(scheme, name) for name in ("content_vector", "position_vector", "relative_projection"))

    @cache
    def relative(h: int, distance: int) -> Tensor:
        angles = [distance * 10_000 ** (-2 * p / scheme.d_model) for p in range(scheme.d_model // 2)]
        row = torch.tensor([*map(math.sin, angles), *map(math.cos, angles)], dtype=torch.float64)
        return torch.tensor([dot(line, row) for line in projection[h]], dtype=torch.float64)

    def logit(h: int, i: int, j: int) -> float:
        return (dot(q[h, i] + u[h], k[h, j]) + dot(q[h, i] + v[h], relative(h, i - j))) / math.sqrt(scheme.head_dim)

    return logit


def deberta(scheme: PositionalScheme, q: Tensor, k: Tensor, offset: int) -> Logit:
    names = ("distance_vectors", "key_projection", "query_projection")
    table, to_key, to_query = (weights(scheme, name) for name in names)
    span = int(scheme.parameter_values["span"])

    @cache
    def relative(h: int, distance: int) -> tuple[Tensor, ...]:
        row = table[max(-span, min(span - 1, distance)) + span]
        return tuple(torch.tensor([dot(x, row) for x in to[h]], dtype=torch.float64) for to in (to_key, to_query))

    def logit(h: int, i: int, j: int) -> float:
        sign = 1 if scheme.parameter_values["p2c"] == "code" else -1
        total = dot(q[h, i], k[h, j]) + dot(q[h, i], relative(h, i - j)[0])
        return (total + dot(k[h, j], relative(h, sign * (i - j))[1])) / math.sqrt(3 * scheme.head_dim)

    return logit


def cope(scheme: PositionalScheme, q: Tensor, k: Tensor, offset: int) -> Logit:
    e, root = weights(scheme, "vectors"), math.sqrt(scheme.head_dim)
    divisor = root if scheme.parameter_values["gates"] == "code" else 1.0

    def logit(h: int, i: int, j: int) -> float:
        counted = sum(1 / (1 + math.exp(-dot(q[h, i], k[h, t]) / divisor)) for t in range(j, i + 1))
        position = min(counted, len(e) - 1)
        below, above = math.floor(position), math.ceil(position)
        part = position - below
        added = (1 - part) * dot(q[h, i], e[below]) + part * dot(q[h, i], e[above])
        return dot(q[h, i], k[h, j]) / root + added

    return logit


def weights(scheme: PositionalScheme, name: str) -> Tensor:
    return scheme.get_parameter(name).detach()


ORACLES: dict[str, Oracle] = {
    "none": plain,
    "learned": plain,
    "sinusoidal": plain,
    "sinusoidal_2d": plain,
    "rope": turned,
    "xpos": turned,
    "alibi": biased(alibi),
    "t5": biased(t5, scale=1.0),
    "kerple": biased(kerple),
    "fire": biased(fire),
    "sandwich": biased(sandwich),
    "shaw": shaw,
    "transformer_xl": transformer_xl,
    "deberta": deberta,
    "cope": cope,
}
OTHERS: list[tuple[str, dict[str, object]]] = [
    ("rope", {"pairing": "halves"}),
    ("xpos", {"pairing": "halves"}),
    ("kerple", {"form": "power"}),
    ("fire", {"threshold": 4.0}),
    ("fire", {"threshold": 8.5}),
    ("shaw", {"max_distance": 2}),
    ("deberta", {"p2c": "paper", "span": 3}),
    ("deberta", {"span": 4}),
    ("cope", {"gates": "code", "n_vectors": 3}),
    ("cope", {"n_vectors": 4}),
]


@pytest.mark.parametrize(("name", "parameters"), [(name, {}) for name in SCHEMES] + OTHERS)
@pytest.mark.parametrize(("seq_len", "n_heads", "head_dim", "offset"), [(1, 1, 4, 0), (9, 3, 4, 6), (20, 5, 8, 0)])
@pytest.mark.parametrize("causal", [True, False])
def test_attention_is_the_formula_as_a_loop(
    name: str, parameters: dict[str, object], seq_len: int, n_heads: int, head_dim: int, offset: int, causal: bool
) -> None:
    generator = torch.Generator().manual_seed(seq_len)
    q, k, v = torch.randn(3, n_heads, seq_len, head_dim, dtype=torch.float64, generator=generator)
    seed = {"seed": 5} if any(parameter.name == "seed" for parameter in SCHEMES[name].PARAMETERS) else {}
    scheme = make_scheme(name, d_model=n_heads * head_dim, n_heads=n_heads, **seed, **parameters).double()
    causal = causal or scheme.causal_only
    expected = loop_logits(q, k, ORACLES[name](scheme, q, k, offset), causal=causal)
    torch.testing.assert_close(scheme.scores(q, k, causal=causal, offset=offset), expected, rtol=0, atol=1e-9)
    added = weights(scheme, "value_vectors") if name == "shaw" else None
    mixed = loop_attend(expected, lambda h, i, j: v[h, j] if added is None else v[h, j] + added[clipped(scheme, i, j)])
    torch.testing.assert_close(scheme.attend(q, k, v, causal=causal, offset=offset), mixed, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "weight", "symbol"),
    [
        ("deberta", "key_projection", "K^r"),
        ("deberta", "query_projection", "Q^r"),
        ("transformer_xl", "relative_projection", "W_R"),
        ("transformer_xl", "content_vector", r"u \cdot"),
        ("transformer_xl", "position_vector", r"v \cdot"),
        ("shaw", "key_vectors", "a^K"),
        ("cope", "vectors", "e["),
    ],
)
def test_a_term_is_what_the_weights_in_its_name_give(name: str, weight: str, symbol: str) -> None:
    q, k = torch.randn(2, 3, 7, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    scheme = make_scheme(name, d_model=12, n_heads=3).double().requires_grad_(False)
    before = scheme.terms(q, k)
    scheme.get_parameter(weight).zero_()
    for part, term in scheme.terms(q, k).items():
        assert torch.equal(term, torch.zeros_like(term) if symbol in part else before[part])
