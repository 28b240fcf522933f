"""Sinusoids: against three other implementations, and the formula that a page shows."""

import math
import re

import pytest
import torch
from torch import Tensor
from transformers.models.distilbert.modeling_distilbert import create_sinusoidal_embeddings
from transformers.models.m2m_100.modeling_m2m_100 import M2M100SinusoidalPositionalEmbedding
from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding
from transformers.models.whisper.modeling_whisper import sinusoids

from embedlib.positional import make_scheme, sinusoidal_frequencies, sinusoidal_table
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


@pytest.mark.parametrize("layout", LAYOUTS)
def test_angles_hold_at_position_100_000(layout: str) -> None:
    row = sinusoidal_table(1, 8, layout=layout, offset=100_000)[0]
    for frequency in sinusoidal_frequencies(8, layout=layout).tolist():
        nearest = (row - math.sin(100_000 * frequency)).abs().min()
        assert nearest < 1e-6


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
