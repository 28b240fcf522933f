import math

import pytest
import torch

from embedlib.measures.profiles import (
    far_profile,
    profile_or_none,
    relative_similarity,
    scale_to_origin,
    standard_similarity,
    standardise,
)
from embedlib.positional import SCHEMES, make_scheme

SIZES = {"d_model": 32, "n_heads": 4}


@pytest.mark.parametrize("name", SCHEMES)
def test_distance_zero_is_one_for_every_scheme_that_has_a_similarity(name: str) -> None:
    actual = relative_similarity(make_scheme(name, **SIZES), 12)
    if actual is not None:
        assert actual.shape == (12, 12)
        assert torch.isfinite(actual).all()
        assert float(actual.diagonal().mean()) == pytest.approx(1, abs=1e-5)


def test_rope_keeps_the_mean_cosine_of_its_turns() -> None:
    actual = profile_or_none(make_scheme("rope", **SIZES), 9)
    assert actual is not None
    for delta in range(9):
        turns = [math.cos(delta * 10_000 ** (-2 * pair / 8)) for pair in range(4)]
        assert float(actual[delta]) == pytest.approx(sum(turns) / 4, abs=1e-6)


def test_alibi_multiplies_a_weight_by_the_exponential_of_its_mean_slope() -> None:
    actual = far_profile(make_scheme("alibi", **SIZES), trained=4, length=10)
    assert actual is not None
    mean = (1 / 4 + 1 / 16 + 1 / 64 + 1 / 256) / 4
    for delta in range(10):
        assert float(actual[delta]) == pytest.approx(math.exp(-mean * delta), rel=1e-5)


def test_a_learned_table_ends_where_training_ended() -> None:
    actual = far_profile(make_scheme("learned", **SIZES), trained=4, length=10)
    assert actual is not None
    assert actual[:4].isfinite().all()
    assert actual[4:].isnan().all()


def test_the_scheme_that_does_nothing_has_no_profile() -> None:
    scheme = make_scheme("none", **SIZES)
    assert profile_or_none(scheme, 5) is None
    assert relative_similarity(scheme, 5) is None
    assert far_profile(scheme, trained=4, length=8) is None


def test_products_have_no_unit_where_distance_zero_is_not_among_the_greatest() -> None:
    profile = torch.tensor([1.0, -3.0, 0.5])
    assert scale_to_origin(profile, profile, logits=False) is None
    assert scale_to_origin(torch.zeros(3), torch.zeros(3), logits=False) is None
    assert scale_to_origin(torch.zeros(3), torch.zeros(3), logits=True) is not None


def test_a_standard_profile_has_mean_zero_and_variance_one() -> None:
    actual = standardise(torch.tensor([4.0, 2.0, 0.0, -2.0]))
    assert actual is not None
    expected = [value / math.sqrt(5) for value in (3, 1, -1, -3)]
    torch.testing.assert_close(actual, torch.tensor(expected))
    assert standardise(torch.full((4,), 0.3)) is None


@pytest.mark.parametrize("name", ["sinusoidal", "rope", "alibi", "t5", "transformer_xl"])
def test_similarities_as_z_scores_have_the_profiles_z_scores_as_their_mean_by_distance(name: str) -> None:
    scheme = make_scheme(name, **SIZES)
    actual, own = standard_similarity(scheme, 12), profile_or_none(scheme, 12)
    assert actual is not None
    assert own is not None
    similarity = scheme.similarity(12).detach()
    for query in range(12):
        for key in range(12):
            expected = (float(similarity[query, key]) - float(own.mean())) / float(own.std(correction=0))
            assert float(actual[query, key]) == pytest.approx(expected, abs=1e-4)
    by_distance = torch.stack([actual.diagonal(-distance).mean() for distance in range(12)])
    torch.testing.assert_close(by_distance, standardise(own), rtol=0, atol=1e-4)


@pytest.mark.parametrize("name", ["none", "cope"])
def test_there_are_no_z_scores_where_there_is_no_similarity(name: str) -> None:
    assert standard_similarity(make_scheme(name, **SIZES), 5) is None
