"""Where angles are computed."""

import torch

from embedlib.positional.rotation import float64_device


def test_angles_are_computed_on_the_cpu_where_the_device_has_no_float64() -> None:
    assert float64_device(torch.device("mps")) == torch.device("cpu")
    assert float64_device(torch.device("cuda", 1)) == torch.device("cuda", 1)
    assert float64_device(None) == torch.device("cpu")
