"""The numbers that tell schemes apart: known values, plain loops, and where each is not defined."""

import math

import pytest
import torch
from scipy.stats import spearmanr

from embedlib.measures import (
    MEASURES,
    MeasureContext,
    compute_measures,
    mean_by_distance,
    position_rows,
    receptive_fields,
    similarity_matrix,
)
from embedlib.measures.context import reordered_texts, shuffled_texts
from embedlib.positional import SCHEMES, PositionalScheme, make_scheme
from embedlib.transformer.encoder import pooled_vector, relative_change


def context_of(seq_len: int, d_model: int = 64, seed: int = 0) -> MeasureContext:
    return MeasureContext(seq_len, torch.randn(seq_len, d_model, generator=torch.Generator().manual_seed(seed)), seed)


def scheme_of(name: str, d_model: int = 64, n_heads: int = 4, **parameters: object) -> PositionalScheme:
    return make_scheme(name, d_model=d_model, n_heads=n_heads, **parameters)


def measure(name: str, scheme: PositionalScheme, context: MeasureContext) -> float | None:
    return MEASURES[name].compute(scheme, context)


def number(name: str, scheme: PositionalScheme, context: MeasureContext) -> float:
    value = measure(name, scheme, context)
    assert value is not None
    return value


@pytest.mark.parametrize(("name", "n"), [("learned", 9), ("sinusoidal_2d", 12), ("shaw", 20), ("xpos", 9)])
def test_toeplitz_r2_is_the_diagonals_means_as_a_loop(name: str, n: int) -> None:
    scheme = scheme_of(name)
    matrix = similarity_matrix(scheme, n)
    assert matrix is not None
    pairs = [(i, j) for i in range(n) for j in range(n) if j < i or (j > i and not scheme.causal_only)]
    bands: dict[int, list[float]] = {}
    for i, j in pairs:
        bands.setdefault(i - j, []).append(float(matrix[i, j]))
    whole = [value for band in bands.values() for value in band]
    mean = sum(whole) / len(whole)
    within = sum((value - sum(band) / len(band)) ** 2 for band in bands.values() for value in band)
    total = sum((value - mean) ** 2 for value in whole)
    expected = 1 - within / (len(whole) - len(bands)) / (total / (len(whole) - 1))
    assert number("toeplitz_r2", scheme, context_of(n)) == pytest.approx(expected, abs=1e-9)


def test_keys_after_the_query_do_not_count_where_a_scheme_has_none() -> None:
    scheme = scheme_of("formula", bias="-log(1 + q - k)")  # NaN for later keys
    assert number("toeplitz_r2", scheme, context_of(10)) == pytest.approx(1, abs=1e-12)
    assert number("monotonicity", scheme, context_of(10)) == pytest.approx(-1, abs=1e-12)


@pytest.mark.parametrize("name", ["none", "alibi", "t5", "kerple", "shaw"])
@pytest.mark.parametrize(("seq_len", "d_model", "n_heads"), [(3, 64, 4), (64, 64, 4), (11, 72, 1), (11, 24, 3)])
def test_logits_of_these_do_not_move_to_the_bit(name: str, seq_len: int, d_model: int, n_heads: int) -> None:
    assert number("shift_std", scheme_of(name, d_model, n_heads), context_of(seq_len, d_model)) == 0


@pytest.mark.parametrize("name", ["sinusoidal", "learned", "rope", "transformer_xl", "cope"])
def test_shift_std_is_the_spread_of_logits_computed_one_by_one(name: str) -> None:
    seq_len, d_model, n_heads = 7, 8, 2
    scheme = scheme_of(name, d_model, n_heads)
    drawn = torch.randn(2, 4, 1, d_model, generator=torch.Generator().manual_seed(3)).double()
    exact = scheme_of(name, d_model, n_heads).double()
    squares = []
    for a, b in zip(drawn[0], drawn[1], strict=True):
        q, k = (exact.encode(row.expand(seq_len, -1)).view(seq_len, n_heads, -1).transpose(0, 1) for row in (a, b))
        logits = exact.scores(q, k).detach()
        for delta in (1, 2, 4):
            for head in range(n_heads):
                values = [float(logits[head, m, m - delta]) for m in range(delta, seq_len)]
                mean = sum(values) / len(values)
                squares.append((delta, sum((value - mean) ** 2 for value in values) / len(values)))
    by_delta = [sum(v for d, v in squares if d == delta) / (4 * n_heads) for delta in (1, 2, 4)]
    expected = math.sqrt(sum(by_delta) / 3)
    assert number("shift_std", scheme, context_of(seq_len, d_model, 3)) == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize("name", ["sinusoidal", "learned", "rope"])
def test_uniqueness_and_smoothness_are_the_distances_as_a_loop(name: str) -> None:
    scheme, n = scheme_of(name), 11
    rows = position_rows(scheme, n)
    assert rows is not None
    points = rows.tolist()
    distances = [math.dist(points[i], points[j]) for i in range(n) for j in range(i)]
    steps = [math.dist(points[i], points[i + 1]) for i in range(n - 1)]
    assert number("uniqueness", scheme, context_of(n)) == pytest.approx(min(distances), rel=1e-9)
    expected = (sum(steps) / len(steps)) / (sum(distances) / len(distances))
    assert number("smoothness", scheme, context_of(n)) == pytest.approx(expected, rel=1e-9)


def test_two_equal_rows_are_not_unique() -> None:
    assert number("uniqueness", scheme_of("learned", std=0.0), context_of(5)) == 0
    assert measure("smoothness", scheme_of("learned", std=0.0), context_of(5)) is None


def test_rotations_are_as_far_apart_as_their_matrices() -> None:
    scheme = scheme_of("rope", d_model=16, n_heads=2)
    rows = position_rows(scheme, 6)
    assert rows is not None
    basis = torch.eye(8, dtype=torch.float64)[:, None, None].expand(8, 2, 6, 8)
    turned = scheme.double().rotate(basis, basis)[0][:, 0]  # (8, 6, 8)
    for i in range(6):
        for j in range(6):
            apart = (turned[:, i] - turned[:, j]).square().sum().sqrt() / math.sqrt(8)
            assert math.dist(rows[i].tolist(), rows[j].tolist()) == pytest.approx(float(apart), abs=1e-12)


@pytest.mark.parametrize("name", ["sinusoidal", "learned", "rope", "alibi", "t5", "fire", "sandwich", "shaw", "xpos"])
def test_monotonicity_is_scipys_spearman(name: str) -> None:
    scheme = scheme_of(name)
    matrix = similarity_matrix(scheme, 60)
    assert matrix is not None
    theirs = spearmanr(range(60), mean_by_distance(matrix).tolist()).statistic
    assert number("monotonicity", scheme, context_of(60)) == pytest.approx(theirs, abs=1e-12)


def test_the_norm_ratio_is_of_the_rows_as_they_are() -> None:
    context = context_of(20)
    token = sum(math.hypot(*row) for row in context.rows.tolist()) / 20
    assert number("norm_ratio", scheme_of("sinusoidal"), context) == pytest.approx(math.sqrt(32) / token, rel=1e-6)
    scaled = MeasureContext(20, context.rows * 8, 0)
    assert number("norm_ratio", scheme_of("sinusoidal"), scaled) == pytest.approx(math.sqrt(32) / token / 8, rel=1e-6)
    assert measure("norm_ratio", scheme_of("sinusoidal"), MeasureContext(3, torch.zeros(3, 64), 0)) is None


@pytest.mark.parametrize("name", ["alibi", "t5", "kerple", "fire", "sandwich"])
@pytest.mark.parametrize("share", [0.5, 0.99, 1.0])
def test_the_receptive_field_is_the_least_sum_that_is_enough(name: str, share: float) -> None:
    scheme, n = scheme_of(name), 30
    fields = receptive_fields(scheme, n, share=share)
    assert fields is not None
    bias = scheme.bias(n).detach()
    for head in range(4):
        weights = [math.exp(float(bias[head, n - 1, n - 1 - delta])) for delta in range(n)]
        whole = sum(weights)
        least = next(w for w in range(1, n + 1) if sum(weights[:w]) >= share * whole * (1 - 1e-15))
        assert int(fields[head]) == least
    if share == 0.99:
        assert number("receptive_field", scheme, context_of(n)) == pytest.approx(sum(fields.tolist()) / 4)


def test_probes_read_added_rows_and_little_else() -> None:
    context = context_of(64)
    for name in ("probe_absolute_r2", "probe_relative_r2"):
        assert 0.7 < number(name, scheme_of("sinusoidal"), context) < 1
        assert 0.4 < number(name, scheme_of("learned"), context) < 1
        for blind in ("none", "rope", "alibi"):
            values = [number(name, scheme_of(blind), context_of(64, seed=seed)) for seed in range(6)]
            assert sum(values) / 6 == pytest.approx(0, abs=0.08)


EXACT = {
    "none": {"swap": 0, "reversal": 0, "shift": 0},
    "alibi": {"reversal": 0, "shift": 0},
    "kerple": {"reversal": 0, "shift": 0},
    "sandwich": {"reversal": 0, "shift": 0},
    "rope": {"shift": 0},
    "t5": {"shift": 0},
    "shaw": {"shift": 0},
    "deberta": {"shift": 0},
    "transformer_xl": {"shift": 0},
    "sinusoidal": {},
    "learned": {},
}


@pytest.mark.parametrize("seq_len", [5, 24])
@pytest.mark.parametrize("name", EXACT)
def test_word_order_is_seen_or_exactly_not(name: str, seq_len: int) -> None:
    for change in ("swap", "reversal", "shift"):
        value = number(f"word_order_{change}", scheme_of(name), context_of(seq_len))
        if change in EXACT[name]:
            assert value == 0
        else:
            assert value > 1e-4


def test_what_leaves_the_text_as_it_was_is_no_change_of_order() -> None:
    row = torch.randn(1, 64, generator=torch.Generator().manual_seed(0))
    other = -row
    scheme = scheme_of("sinusoidal")
    same = MeasureContext(3, row.repeat(3, 1), 0)
    assert measure("word_order_swap", scheme, same) is None
    assert measure("word_order_reversal", scheme, same) is None
    palindrome = MeasureContext(5, torch.cat([row, other, row, other, row]), 0)
    assert measure("word_order_reversal", scheme, palindrome) is None
    assert (
        number("word_order_swap", scheme, palindrome) > 0
    )  # the token in the middle is the first's like: another goes


@pytest.mark.parametrize("seq_len", [1, 2, 3, 9, 40])
def test_measures_taken_together_are_those_taken_one_by_one_whatever_was_measured_before(seq_len: int) -> None:
    shared, state = context_of(seq_len, 24), torch.random.get_rng_state()
    for name in SCHEMES:
        scheme = scheme_of(name, 24, 3)
        together = compute_measures(scheme, shared, MEASURES)
        assert list(together) == list(MEASURES)
        assert together == {key: measure(key, scheme, context_of(seq_len, 24)) for key in MEASURES}
        assert all(value is None or math.isfinite(value) for value in together.values())
        assert scheme.dtype == torch.float32
    assert torch.equal(torch.random.get_rng_state(), state)
    scheme = scheme_of("rope", 24, 3)
    assert list(compute_measures(scheme, shared, ["word_order_shift", "toeplitz_r2"])) == [
        "word_order_shift",
        "toeplitz_r2",
    ]
    with pytest.raises(ValueError, match="name='length' must be one of toeplitz_r2, shift_std"):
        compute_measures(scheme, shared, ["length"])


def test_word_order_is_two_texts_through_the_encoder_one_by_one() -> None:
    context = context_of(9, 24)
    rows = context.rows
    swapped = rows[[4, 1, 2, 3, 0, 5, 6, 7, 8]]
    for name in ("sinusoidal", "rope", "deberta"):
        scheme = scheme_of(name, 24, 3)
        before = pooled_vector(rows, scheme, seed=0, n_layers=1)
        for change, after in (
            ("swap", pooled_vector(swapped, scheme, seed=0, n_layers=1)),
            ("reversal", pooled_vector(rows.flip(0), scheme, seed=0, n_layers=1)),
            ("shift", pooled_vector(rows, scheme, seed=0, n_layers=1, offset=16)),
        ):
            expected = relative_change(before, after)
            assert number(f"word_order_{change}", scheme, context) == pytest.approx(expected, abs=1e-12)


def test_other_orders_have_the_same_tokens_and_shuffled_texts_only_those() -> None:
    rows = torch.arange(5.0)[:, None].expand(-1, 2)
    orders = {name: text[:, 0].tolist() for name, text in reordered_texts(rows).items()}
    assert orders == {"as it is": [0, 1, 2, 3, 4], "swap": [2, 1, 0, 3, 4], "reversal": [4, 3, 2, 1, 0]}
    texts = shuffled_texts(rows.double(), seed=3)
    assert texts.shape == (153, 5, 2)
    assert texts.dtype == torch.float32
    assert set(texts.flatten().tolist()) == {0, 1, 2, 3, 4}
    assert shuffled_texts(torch.zeros(50, 2), seed=3).shape == (24, 32, 2)


NOT_DEFINED = {
    "none": {"toeplitz_r2", "uniqueness", "smoothness", "monotonicity", "norm_ratio", "receptive_field"},
    "learned": {"receptive_field"},
    "sinusoidal": {"receptive_field"},
    "rope": {"norm_ratio", "receptive_field"},
    "alibi": {"uniqueness", "smoothness", "norm_ratio"},
    "xpos": {"uniqueness", "smoothness", "norm_ratio", "receptive_field"}
    | {"word_order_swap", "word_order_reversal", "word_order_shift"},
}
# A measure that is added later says in its own test where it is not defined.
EXAMINED = {"shift_std", "probe_absolute_r2", "probe_relative_r2"}.union(*NOT_DEFINED.values())


@pytest.mark.parametrize("name", NOT_DEFINED)
def test_not_defined_is_said_where_it_is_and_only_there(name: str) -> None:
    context = context_of(40)
    undefined = {key for key in EXAMINED if measure(key, scheme_of(name), context) is None}
    assert undefined == NOT_DEFINED[name]


def test_past_the_rows_of_a_learned_table_nothing_is_defined_but_what_is_cut_shorter() -> None:
    short = scheme_of("learned", max_seq_len=20)
    assert all(measure(name, short, context_of(40)) is None for name in EXAMINED)
    within = {name for name in EXAMINED if measure(name, short, context_of(20)) is not None}
    assert within == EXAMINED - {"receptive_field", "word_order_shift"}  # the shift asks for position 35


def test_mistakes_are_refused_and_not_called_undefined() -> None:
    with pytest.raises(ValueError, match=r"rows has shape \(4, 8\): it must be \(seq_len=5, d_model\)"):
        MeasureContext(5, torch.zeros(4, 8), 0)
    with pytest.raises(ValueError, match="d_model=64"):
        measure("word_order_swap", scheme_of("none"), context_of(6, 32))
    with pytest.raises(ValueError, match="d_model=64"):
        measure("probe_absolute_r2", scheme_of("none"), context_of(6, 32))
    with pytest.raises(ValueError, match="seq_len=0 must be at least 1"):
        similarity_matrix(scheme_of("none"), 0)
    with pytest.raises(ValueError, match="share=0 must be above 0"):
        receptive_fields(scheme_of("alibi"), 5, share=0)


def test_the_registry_is_keyed_by_name_and_says_how_to_read_each() -> None:
    assert list(MEASURES) == [entry.name for entry in MEASURES.values()]
    assert all(entry.title and entry.summary.endswith(".") and entry.basis for entry in MEASURES.values())


@pytest.mark.parametrize("name", MEASURES)
def test_what_a_measure_reads_is_what_changes_it(name: str) -> None:
    schemes = [scheme_of(scheme) for scheme in ("sinusoidal", "learned", "alibi")]
    text, short = context_of(200), context_of(40)
    other = MeasureContext(200, context_of(200, seed=1).rows, 0)  # another text, the same seed
    reads = MEASURES[name].reads_text
    assert any(measure(name, scheme, text) != measure(name, scheme, other) for scheme in schemes) == reads
    counts = {"first 32": 32, "first 128": 128}
    limit = next((count for words, count in counts.items() if words in MEASURES[name].basis), None)
    if limit == 128:
        cut = MeasureContext(128, text.rows[:128], 0)
        assert all(measure(name, scheme, text) == measure(name, scheme, cut) for scheme in schemes)
    elif limit is None:
        assert any(measure(name, scheme, short) != measure(name, scheme, text) for scheme in schemes)
