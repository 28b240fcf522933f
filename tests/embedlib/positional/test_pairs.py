"""Which columns pair up."""

import pytest
import torch

from embedlib.positional import halves_order
from embedlib.positional.rotation import float64_device, split_pairs


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
