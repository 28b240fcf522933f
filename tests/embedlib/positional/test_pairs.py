"""Which columns pair up."""

import pytest
import torch

from embedlib.positional import halves_order
from embedlib.positional.rotation import PAIRINGS, float64_device, join_pairs, split_pairs


def test_the_order_lists_even_columns_and_then_odd_ones() -> None:
    assert halves_order(8).tolist() == [0, 2, 4, 6, 1, 3, 5, 7]


def test_pairs_are_the_columns_that_the_layout_names() -> None:
    x = torch.arange(6.0)
    assert [part.tolist() for part in split_pairs(x, "interleaved")] == [[0, 2, 4], [1, 3, 5]]
    assert [part.tolist() for part in split_pairs(x, "halves")] == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_joining_undoes_splitting(pairing: str) -> None:
    x = torch.randn(2, 3, 10, generator=torch.Generator().manual_seed(0))
    assert torch.equal(join_pairs(*split_pairs(x, pairing), pairing), x)


@pytest.mark.parametrize("width", [0, 1, 7])
def test_an_odd_width_has_no_pairs(width: int) -> None:
    with pytest.raises(ValueError, match=f"width={width} must be even and at least 2"):
        halves_order(width)


def test_an_unknown_pairing_lists_the_two() -> None:
    with pytest.raises(ValueError, match="pairing='thirds' must be one of interleaved, halves"):
        split_pairs(torch.zeros(4), "thirds")


def test_angles_are_computed_on_the_cpu_where_the_device_has_no_float64() -> None:
    assert float64_device(torch.device("mps")) == torch.device("cpu")
    assert float64_device(torch.device("cuda", 1)) == torch.device("cuda", 1)
    assert float64_device(None) == torch.device("cpu")
