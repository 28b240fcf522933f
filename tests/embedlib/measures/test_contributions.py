import math

import pytest
import torch

from embedlib.measures.contributions import PLACES, content_on_rows, pick_head, place_of, turned_units
from embedlib.positional import SCHEMES, make_scheme
from embedlib.transformer.attention import random_qk


def test_every_scheme_is_shown_at_the_first_place_it_acts_in() -> None:
    assert place_of(SCHEMES["none"]) is None
    for name, scheme in SCHEMES.items():
        acts = [place for place in PLACES if place in scheme.acts_on]
        assert place_of(scheme) == (acts[0] if acts else None), name


def test_turned_units_are_sine_and_cosine_of_each_pair() -> None:
    found = turned_units(make_scheme("rope", d_model=8, n_heads=1), 5)
    assert found.shape == (5, 8)
    for position in range(5):
        for pair in range(4):
            angle = position * 10_000 ** (-2 * pair / 8)
            assert float(found[position, 2 * pair]) == pytest.approx(math.sin(angle), abs=1e-6)
            assert float(found[position, 2 * pair + 1]) == pytest.approx(math.cos(angle), abs=1e-6)


def test_content_on_rows_is_what_shaw_adds_to_the_logits_of_the_text() -> None:
    scheme = make_scheme("shaw", d_model=8, n_heads=2)
    rows = torch.empty(5, 8).normal_(generator=torch.Generator().manual_seed(1))
    found = content_on_rows(scheme, rows, seed=3)
    q, _ = random_qk(rows, 2, 3)
    vectors = scheme.get_parameter("key_vectors").detach()
    for head in range(2):
        for query in range(5):
            for key in range(5):
                if key > query:
                    assert found[head, query, key] == -torch.inf
                    continue
                expected = float(q[head, query] @ vectors[key - query + 16]) / 2
                assert float(found[head, query, key]) == pytest.approx(expected, abs=1e-5)


def test_one_head_or_the_mean_of_all() -> None:
    matrices = torch.arange(12.0).reshape(3, 2, 2)
    assert torch.equal(pick_head(matrices, 2), matrices[2])
    assert torch.equal(pick_head(matrices, -1), torch.tensor([[4.0, 5.0], [6.0, 7.0]]))
