"""Relative vectors: against the paper's formula as a plain loop."""

import pytest
import torch
from torch import Tensor

from embedlib.positional import PositionalScheme, make_scheme
from embedlib.positional.shaw import ShawPositions
from tests.oracles.attention import dot


def shaw(n_heads: int, head_dim: int, max_distance: int) -> PositionalScheme:
    return make_scheme("shaw", d_model=n_heads * head_dim, n_heads=n_heads, max_distance=max_distance, seed=5).double()


def vectors(scheme: PositionalScheme) -> tuple[Tensor, Tensor]:
    weights = {name: weight.detach() for name, weight in scheme.named_parameters()}
    return weights["key_vectors"], weights["value_vectors"]


def test_distances_past_the_limit_share_one_vector() -> None:
    index = ShawPositions(d_model=2, n_heads=1, max_distance=2).distance_index(5)
    assert index.tolist() == [[2, 3, 4, 4, 4], [1, 2, 3, 4, 4], [0, 1, 2, 3, 4], [0, 0, 1, 2, 3], [0, 0, 0, 1, 2]]


def test_there_are_2k_plus_1_vectors_of_each_kind_and_gradients_reach_both() -> None:
    scheme = make_scheme("shaw", d_model=12, n_heads=3, max_distance=2)
    q, k, v = torch.randn(3, 3, 6, 4, generator=torch.Generator().manual_seed(0))
    scheme.attend(q, k, v, causal=False).square().sum().backward()
    for weight in scheme.parameters():
        assert weight.shape == (5, 4)
        assert weight.grad is not None
        assert (weight.grad.abs().sum(dim=1) > 0).all()
    assert len(list(scheme.parameters())) == 2


def test_similarity_is_each_vector_against_the_centre_one() -> None:
    scheme = shaw(2, 4, 3)
    key_vectors, _ = vectors(scheme)
    similarity = scheme.similarity(9)
    assert not similarity.requires_grad
    for i in range(9):
        for j in range(9):
            row = max(-3, min(3, j - i)) + 3
            assert float(similarity[i, j]) == pytest.approx(dot(key_vectors[row], key_vectors[3]))
