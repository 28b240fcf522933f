import pytest
import torch

from embedlib.positional import SCHEMES, make_scheme
from embedlib.positional.conventions import agreements


def test_halves_are_a_permutation_of_the_paper_and_tensor2tensor_is_not() -> None:
    actual = {one.other: one for one in agreements(make_scheme("sinusoidal", d_model=16, n_heads=1), 20)}
    assert set(actual) == {"halves", "tensor2tensor"}
    assert all(one.difference > 0.5 for one in actual.values())
    assert actual["halves"].permuted_difference == 0
    assert actual["tensor2tensor"].permuted_difference > 0.1


@pytest.mark.parametrize("pairing", ["interleaved", "halves"])
@pytest.mark.parametrize("fraction", [1.0, 0.5])
def test_the_two_pairings_of_rope_are_a_permutation_apart(pairing: str, fraction: float) -> None:
    scheme = make_scheme("rope", d_model=32, n_heads=2, pairing=pairing, rotary_fraction=fraction)
    (one,) = agreements(scheme, 20)
    assert one.difference > 0.5
    assert one.permuted_difference == 0
    assert torch.equal(one.compared, one.interleaved[:, one.order])
    assert one.order.sort().values.tolist() == list(range(16))


def test_the_numbers_are_those_of_the_scheme() -> None:
    scheme = make_scheme("sinusoidal", d_model=8, n_heads=1, base=500.0, layout="halves")
    one = next(one for one in agreements(scheme, 5) if one.other == "halves")
    assert torch.equal(one.compared, scheme.position_table(5))


def test_a_formula_has_a_pairing_where_it_turns_something() -> None:
    sizes = {"d_model": 16, "n_heads": 2}
    assert agreements(make_scheme("formula", **sizes, rows="p * i", bias="k - q", scale="q + 1"), 6) == []
    (one,) = agreements(make_scheme("formula", **sizes, rows="p * i", turn="p / (i + 1)"), 6)
    (same,) = agreements(make_scheme("formula", **sizes, turn="p / (i + 1)"), 6)
    assert one.difference == same.difference > 0.5
    assert torch.equal(one.compared, same.compared)


@pytest.mark.parametrize("name", SCHEMES)
def test_every_scheme_can_be_asked(name: str) -> None:
    scheme = make_scheme(name, d_model=64, n_heads=4)
    switches = {"layout", "pairing"} & {parameter.name for parameter in scheme.PARAMETERS}
    assert bool(agreements(scheme, 6)) == bool(switches)
