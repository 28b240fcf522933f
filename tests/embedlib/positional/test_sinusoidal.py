"""Sinusoids: against three other implementations, the printed numbers, and the facts a page shows."""

import math
import re

import pytest
import torch
from torch import Tensor
from transformers.models.distilbert.modeling_distilbert import create_sinusoidal_embeddings
from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding
from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding
from transformers.models.whisper.modeling_whisper import sinusoids

from embedlib.positional import halves_order, make_scheme, sinusoidal_frequencies, sinusoidal_table
from embedlib.positional.sinusoidal import LAYOUTS

SIZES = [(7, 6), (50, 64), (256, 128)]


def close(actual: Tensor, expected: Tensor, atol: float = 1e-6) -> None:
    torch.testing.assert_close(actual, expected, rtol=0, atol=atol)


@pytest.mark.parametrize(("seq_len", "d_model"), SIZES)
def test_interleaved_is_distilberts(seq_len: int, d_model: int) -> None:
    theirs = torch.empty(seq_len, d_model)
    create_sinusoidal_embeddings(seq_len, d_model, theirs)
    close(sinusoidal_table(seq_len, d_model), theirs)


@pytest.mark.parametrize(("seq_len", "d_model"), SIZES)
def test_halves_is_marians(seq_len: int, d_model: int) -> None:
    theirs = MarianSinusoidalPositionalEmbedding(seq_len, d_model).create_weight()
    close(sinusoidal_table(seq_len, d_model, layout="halves"), theirs)


@pytest.mark.parametrize(("seq_len", "d_model"), SIZES)
def test_tensor2tensor_is_m2m_100s_and_whispers(seq_len: int, d_model: int) -> None:
    table = sinusoidal_table(seq_len, d_model, layout="tensor2tensor")
    # Theirs take float32 angles, off by about seq_len · 6e-8.
    close(table, M2M100SinusoidalPositionalEmbedding.get_embedding(seq_len, d_model), atol=2e-5)
    close(table, sinusoids(seq_len, d_model), atol=2e-5)


@pytest.mark.parametrize("base", [100.0, 10_000.0, 500_000.0])
@pytest.mark.parametrize(("seq_len", "d_model"), [(5, 4), (9, 10)])
def test_interleaved_is_the_papers_formula(seq_len: int, d_model: int, base: float) -> None:
    expected = torch.zeros(seq_len, d_model)
    for position in range(seq_len):
        for i in range(d_model // 2):
            expected[position, 2 * i] = math.sin(position / base ** (2 * i / d_model))
            expected[position, 2 * i + 1] = math.cos(position / base ** (2 * i / d_model))
    close(sinusoidal_table(seq_len, d_model, base=base), expected)


def test_row_1_at_width_8_has_the_printed_digits() -> None:
    interleaved = torch.tensor([0.8414710, 0.5403023, 0.0998334, 0.9950042, 0.0099998, 0.9999500, 0.001, 0.9999995])
    close(sinusoidal_table(2, 8)[1], interleaved, atol=1.5e-7)  # printed from float32, whose step below 1 is 6e-8
    tensor2tensor = torch.tensor([0.8414710, 0.0463992, 0.0021544, 0.0001, 0.5403023, 0.9989229])
    close(sinusoidal_table(2, 8, layout="tensor2tensor")[1, :6], tensor2tensor, atol=1.5e-7)


def test_position_2_of_four_by_six_begins_with_the_sine_and_cosine_of_2() -> None:
    table = make_scheme("sinusoidal", d_model=6, n_heads=1).position_table(4)
    assert table.shape == (4, 6)
    assert [f"{value:.3f}" for value in table[2, :2].tolist()] == ["0.909", "-0.416"]


def test_halves_are_the_interleaved_columns_in_another_order() -> None:
    interleaved, halves = sinusoidal_table(30, 16), sinusoidal_table(30, 16, layout="halves")
    assert torch.equal(interleaved[:, halves_order(16)], halves)
    assert not torch.allclose(interleaved, halves)


def test_tensor2tensor_reaches_one_over_base_and_the_paper_stays_above() -> None:
    assert float(sinusoidal_frequencies(64, layout="tensor2tensor")[-1]) == pytest.approx(1e-4, rel=1e-12)
    assert float(sinusoidal_frequencies(64)[-1]) == pytest.approx(1e-4 ** (62 / 64), rel=1e-12)
    assert sinusoidal_frequencies(2, layout="tensor2tensor").tolist() == [1.0]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_angles_hold_at_position_100_000(layout: str) -> None:
    row = sinusoidal_table(1, 8, layout=layout, offset=100_000)[0]
    for frequency in sinusoidal_frequencies(8, layout=layout).tolist():
        nearest = (row - math.sin(100_000 * frequency)).abs().min()
        assert nearest < 1e-6


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_offset_takes_rows_out_of_the_longer_table(layout: str) -> None:
    assert torch.equal(sinusoidal_table(6, 12, layout=layout, offset=5), sinusoidal_table(11, 12, layout=layout)[5:])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("seq_len", "d_model"), SIZES)
def test_every_row_has_norm_root_of_half_the_width(layout: str, seq_len: int, d_model: int) -> None:
    norms = sinusoidal_table(seq_len, d_model, layout=layout).norm(dim=1)
    close(norms, torch.full((seq_len,), math.sqrt(d_model / 2)), atol=1e-5)


def test_products_of_rows_depend_on_their_distance_alone() -> None:
    table = sinusoidal_table(400, 128, dtype=torch.float64)
    for delta, product in [(0, 64), (1, 62.09368), (10, 42.82002), (100, 30.54345)]:
        products = (table[delta:] * table[: len(table) - delta]).sum(dim=1)
        close(products, torch.full_like(products, product), atol=5e-6)


def test_neighbours_are_all_equally_far_apart() -> None:
    table = sinusoidal_table(300, 64)
    close((table[1:] - table[:-1]).norm(dim=1), torch.full((299,), 1.47185), atol=6e-6)


@pytest.mark.parametrize(("d_model", "first_rise"), [(64, 5), (128, 11), (512, 43)])
def test_similarity_does_not_fall_for_ever(d_model: int, first_rise: int) -> None:
    by_distance = make_scheme("sinusoidal", d_model=d_model, n_heads=1).double().similarity(64)[:, 0]
    rises = (by_distance[1:] > by_distance[:-1]).nonzero().flatten()
    assert int(rises[0]) == first_rise


def test_a_shift_is_a_rotation_of_each_pair() -> None:
    table = sinusoidal_table(40, 10, dtype=torch.float64)
    for i, frequency in enumerate(sinusoidal_frequencies(10).tolist()):
        angle = 7 * frequency
        turn = torch.tensor([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]).double()
        pair = table[:, 2 * i : 2 * i + 2]
        close(pair[7:], pair[:-7] @ turn.T, atol=1e-7)


def test_it_is_periodic_smooth_and_unique() -> None:
    table = sinusoidal_table(128, 64, dtype=torch.float64)
    assert table[44, 0] == pytest.approx(float(table[0, 0]), abs=0.02)  # 44 is close to seven turns of 2π
    distances = torch.cdist(table, table)
    away = ~torch.eye(128, dtype=torch.bool)
    assert distances[away].min() > 1.4  # no two rows alike
    assert float(distances.diagonal(1).mean() / distances[away].mean()) == pytest.approx(0.2792, abs=5e-5)


def test_similarity_is_the_product_of_the_rows_and_exactly_banded() -> None:
    scheme = make_scheme("sinusoidal", d_model=64, n_heads=2)
    similarity = scheme.similarity(50)
    table = scheme.position_table(50)
    close(similarity, torch.tensor([[float(a @ b) for b in table] for a in table]), atol=1e-4)
    close(similarity[1:, 1:], similarity[:-1, :-1], atol=1e-4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"d_model": 7}, "d_model=7 must be even"),
        ({"d_model": 0}, "d_model=0 must be even and at least 2"),
        ({"seq_len": 0}, "seq_len=0 must be at least 1"),
        ({"offset": -1}, "offset=-1 must be at least 0"),
        ({"base": 0.0}, "base=0.0 must be finite and at least 1"),
        ({"base": math.nan, "layout": "tensor2tensor"}, "base=nan must be finite"),
        ({"layout": "thirds"}, "layout='thirds' must be one of interleaved, halves, tensor2tensor"),
    ],
)
def test_wrong_arguments_are_refused_with_the_rule(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sinusoidal_table(**{"seq_len": 4, "d_model": 8, **arguments})


@pytest.mark.parametrize("layout", ["interleaved", "halves", "tensor2tensor"])
@pytest.mark.parametrize("d_model", [2, 4, 10])
def test_the_formula_that_is_shown_gives_the_table(layout: str, d_model: int) -> None:
    scheme = make_scheme("sinusoidal", d_model=d_model, n_heads=1, layout=layout, base=100.0)
    parts = re.findall(r"PE\}\(p, ([^)]+)\) = \\(sin|cos)\\frac\{p\}\{b\^\{([^}]+)\}\}", scheme.latex())
    assert [wave for _, wave, _ in parts] == ["sin", "cos"]
    table, filled = scheme.position_table(6), set()
    for column, wave, exponent in parts:
        for i in range(d_model // 2):
            names = {"i": i, "d": d_model}
            place, power = (eval(term.replace("2i", "2*i"), names) for term in (column, exponent))
            filled.add(int(place))
            for p in range(6):
                expected = getattr(math, wave)(p / 100**power)
                assert float(table[p, int(place)]) == pytest.approx(expected, abs=1e-6)
    assert filled == set(range(d_model))
