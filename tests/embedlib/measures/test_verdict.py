"""What a verdict says of a scheme, against what is known on paper and against loops over all pairs."""

import math
from typing import Any

import pytest
import torch

from embedlib.measures import Verdict, verdict
from embedlib.measures.verdict import MIN_LOGIT_STEP
from embedlib.positional import SCHEMES, LearnedPositions, PositionalScheme, make_scheme


def scheme_of(name: str, d_model: int = 32, n_heads: int = 4, **parameters: Any) -> PositionalScheme:
    return make_scheme(name, d_model=d_model, n_heads=n_heads, **parameters)


def of(name: str, trained: int = 64, **parameters: Any) -> Verdict:
    return verdict(scheme_of(name, **parameters), trained=trained)


ADD_ROWS = {"learned", "sinusoidal", "sinusoidal_2d"}
SAME_BOTH_WAYS = {"none", "alibi", "kerple", "fire", "sandwich"}


@pytest.mark.parametrize("name", SCHEMES)
def test_each_scheme_sees_what_is_known_of_it(name: str) -> None:
    found = of(name, trained=30)
    assert found.shift_sensitive == (name in ADD_ROWS)
    assert found.reversal_sensitive == (None if SCHEMES[name].causal_only else name not in SAME_BOTH_WAYS)
    assert found.scale_sensitive == (name != "none")
    unit = {"none": None}.get(name, "position" if name in ADD_ROWS | {"rope", "xpos"} else "distance")
    assert found.unit == unit
    assert (found.rounding == ()) == (unit is None)
    assert len(found.distinct_distances) == 4


@pytest.mark.parametrize(
    ("parameters", "sees"),
    [
        ({"bias": "-log(1 + abs(q - k))"}, (False, False, True)),
        ({"bias": "0.1 * (k - q)"}, (False, True, True)),
        ({"bias": "-abs(q - k) / (q + 1)"}, (True, True, True)),
        ({"bias": "0.1 * q"}, (False, False, False)),  # the same for all keys of a query
        ({"rows": "1 + 0 * p"}, (False, False, False)),
        ({"bias": "log(q - k + 1)"}, (False, None, True)),  # causal only
        ({"scale": "log(q + 2)"}, (True, True, True)),
    ],
)
def test_a_formula_is_judged_by_what_it_computes(
    parameters: dict[str, str], sees: tuple[bool | None, bool | None, bool | None]
) -> None:
    found = of("formula", **parameters)
    assert (found.shift_sensitive, found.reversal_sensitive, found.scale_sensitive) == sees


@pytest.mark.parametrize(
    ("name", "parameters", "collision", "unique"),
    [
        ("none", {}, (0, 1), 1),
        ("t5", {}, (8, 9), 9),
        ("t5", {"bidirectional": False}, (16, 17), 17),
        ("shaw", {"max_distance": 7}, (7, 8), 8),
        ("alibi", {}, None, 640),
        ("rope", {}, None, 640),
        ("formula", {"rows": "sin(2 * pi * p / 7) + i * cos(2 * pi * p / 7)"}, (0, 7), 7),
        ("formula", {"rows": "max(p, 90)"}, (0, 1), 1),
        ("formula", {"rows": "min(p, 90) + i"}, (90, 91), 91),
        ("formula", {"turn": "pi / 8 * p"}, (0, 16), 16),
        ("formula", {"bias": "-min(q - k, 100) / (h + 1)"}, (100, 101), 101),
        ("formula", {"bias": "-abs(q - k - 5)"}, (4, 6), 6),
    ],
)
def test_the_first_two_that_coincide_are_named(
    name: str, parameters: dict[str, Any], collision: tuple[int, int] | None, unique: int
) -> None:
    found = of(name, **parameters)
    assert (found.collision, found.unique, found.n_compared) == (collision, unique, 640)
    assert found.unique_trained == (unique >= 64)
    assert found.unique_tenfold == (unique >= 640)


@pytest.mark.parametrize("seed", range(6))
def test_a_collision_is_that_of_a_loop_over_all_pairs(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randint(0, 3, (60, 4), generator=generator).float()
    scheme = LearnedPositions.from_rows(rows)
    pairs = [(i, j) for j in range(60) for i in range(j) if torch.equal(rows[i], rows[j])]
    found = verdict(scheme, trained=50)
    assert found.collision == pairs[0]
    assert found.n_compared == 60
    assert found.unique_trained is (pairs[0][1] >= 50)


def test_where_there_are_no_more_positions_nothing_is_said_of_them() -> None:
    found = verdict(LearnedPositions.from_rows(torch.randn(40, 4)), trained=30)
    assert (found.unique_trained, found.unique_tenfold, found.n_compared) == (True, None, 40)
    assert (found.last_row, found.costs) == (39, ())
    broken = of("formula", rows="1 / (p - 100) + p")
    assert (broken.n_compared, broken.n_rounded, broken.unique_tenfold) == (100, 100, None)
    broken = of("formula", bias="1 / (q - k - 50) + q")
    assert (broken.n_compared, broken.unique_trained, broken.distinct_distances[0] <= 50) == (50, None, True)


def test_heads_tell_apart_what_a_loop_tells_apart() -> None:
    scheme = scheme_of("formula", bias="-4 * (q - k)**0.5 / 4**h")
    expected = []
    for head in range(4):
        reach = next(
            d for d in range(1, 99) if 4 * (math.sqrt(d) - math.sqrt(d - 1)) / 4**head < MIN_LOGIT_STEP or d == 64
        )
        expected.append(reach)
    assert verdict(scheme, trained=64).distinct_distances == tuple(expected)
    assert expected[0] == 64 > expected[3]
    assert of("none").distinct_distances == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("parameters", "half", "brain"),
    [
        ({"rows": "p"}, (2048, 65_520), (256, None)),
        ({"rows": "p / 2**20"}, (2048, None), (256, None)),
        ({"bias": "-abs(q - k)"}, (2048, 65_520), (256, None)),
        ({"rows": "where(p < 5, p, 5)"}, (None, None), (None, None)),  # equal before rounding
        ({"rows": "2**100 * p"}, (None, 1), (256, None)),
        ({"rows": "where(p < 2048, p, p - 1 + 2**-20)"}, (2047, 65_521), (256, None)),  # where two blocks meet
    ],
)
def test_rounding_merges_neighbours_where_the_type_ends(
    parameters: dict[str, str], half: tuple[int | None, int | None], brain: tuple[int | None, int | None]
) -> None:
    found = of("formula", **parameters)
    assert found.n_rounded == 131_072
    assert [(one.dtype, one.first_merged, one.first_overflow) for one in found.rounding] == [
        ("float16", *half),
        ("bfloat16", *brain),
    ]


def test_rounding_of_a_bias_is_that_of_a_loop() -> None:
    scheme = scheme_of("kerple")
    r1, r2 = (weights.double().tolist() for weights in (scheme.r1, scheme.r2))
    before: list[float] = []
    merged = None
    for distance in range(2000):
        exact = [-one * math.log(1 + two * distance) for one, two in zip(r1, r2, strict=True)]
        rounded = torch.tensor(exact, dtype=torch.float64).half().tolist()
        if rounded == before:
            merged = distance - 1
            break
        before = rounded
    assert verdict(scheme).rounding[0].first_merged == merged is not None


def test_a_bias_of_single_distances_is_that_of_the_matrix() -> None:
    for name in ("alibi", "kerple", "sandwich", "t5", "formula"):
        parameters = {"bias": "-a * (k - q) * (h + 1)", "parameters": "a ~ 2"} if name == "formula" else {}
        scheme = scheme_of(name, **parameters).double()
        bias = scheme.bias(9, causal=False)
        single = scheme.distance_bias(torch.arange(-8, 9, dtype=torch.float64))
        assert single is not None
        for i in range(9):
            for j in range(9):
                torch.testing.assert_close(bias[:, i, j], single[:, i - j + 8], rtol=1e-14, atol=1e-14)
    assert scheme_of("fire").distance_bias(torch.zeros(1)) is None
    assert scheme_of("formula", bias="q * k").distance_bias(torch.zeros(1)) is None


def test_costs_are_counted_from_shapes() -> None:
    length, width, heads = 4096, 32, 4
    pairs, logits = length * heads * width // heads // 2, heads * length**2
    counted = {name: of(name).costs[0] for name in ("none", "sinusoidal", "rope", "alibi", "shaw")}
    assert {name: (cost.numbers, cost.operations) for name, cost in counted.items()} == {
        "none": (0, 0),
        "sinusoidal": (length * width, length * width),
        "rope": (2 * length * 4, 2 * pairs * 6),
        "alibi": (logits, logits),
        "shaw": (2 * logits, 2 * logits * 2 * 8),
    }
    assert all(cost.bytes == 2 * cost.numbers for cost in counted.values())
    assert [cost.seq_len for cost in of("rope").costs] == [4096, 32_768]


@pytest.mark.parametrize(
    ("end", "seen"), [(8, (None, None, None)), (20, (None, True, None)), (26, (None, True, True)), (40, (True,) * 3)]
)
def test_a_formula_that_ends_is_judged_by_the_positions_that_it_has(end: int, seen: tuple[bool | None, ...]) -> None:
    found = of("formula", trained=6, rows=f"sin(p) * sqrt({end} - 1 - p)")
    assert (found.shift_sensitive, found.reversal_sensitive, found.scale_sensitive) == seen
    assert found.n_compared == end


@pytest.mark.parametrize("trained", [1, 13_108])
def test_a_length_out_of_range_is_refused(trained: int) -> None:
    with pytest.raises(ValueError, match=f"trained={trained} must be from 2 to 13107"):
        of("rope", trained=trained)
