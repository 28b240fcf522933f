"""Relative vectors: their similarity as a plain loop; `test_formulas` has the logits."""

import pytest

from embedlib.positional import make_scheme
from tests.oracles.attention import dot


def test_similarity_is_each_vector_against_the_centre_one() -> None:
    scheme = make_scheme("shaw", d_model=8, n_heads=2, max_distance=3, seed=5).double()
    key_vectors = scheme.get_parameter("key_vectors").detach()
    similarity = scheme.similarity(9)
    for i in range(9):
        for j in range(9):
            row = max(-3, min(3, j - i)) + 3
            assert float(similarity[i, j]) == pytest.approx(dot(key_vectors[row], key_vectors[3]))
