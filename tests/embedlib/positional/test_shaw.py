"""Relative vectors: against the paper's formula as a plain loop."""

import pytest
from torch import Tensor

from embedlib.positional import PositionalScheme, make_scheme
from tests.oracles.attention import dot


def shaw(n_heads: int, head_dim: int, max_distance: int) -> PositionalScheme:
    return make_scheme("shaw", d_model=n_heads * head_dim, n_heads=n_heads, max_distance=max_distance, seed=5).double()


def vectors(scheme: PositionalScheme) -> tuple[Tensor, Tensor]:
    weights = {name: weight.detach() for name, weight in scheme.named_parameters()}
    return weights["key_vectors"], weights["value_vectors"]


def test_similarity_is_each_vector_against_the_centre_one() -> None:
    scheme = shaw(2, 4, 3)
    key_vectors, _ = vectors(scheme)
    similarity = scheme.similarity(9)
    assert not similarity.requires_grad
    for i in range(9):
        for j in range(9):
            row = max(-3, min(3, j - i)) + 3
            assert float(similarity[i, j]) == pytest.approx(dot(key_vectors[row], key_vectors[3]))
