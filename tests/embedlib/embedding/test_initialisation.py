import math

import pytest
import torch
from torch import nn

from embedlib.embedding import INITIALISATIONS, initial_table, row_norm_law

SIZES = [(1, 1), (3, 2), (6, 3), (300, 64)]
SEEDED = {
    "normal_1": lambda table: nn.init.normal_(table),
    "normal_0.02": lambda table: nn.init.normal_(table, mean=0.0, std=0.02),
    "uniform": lambda table: nn.init.uniform_(table, -0.05, 0.05),
    "xavier_uniform": lambda table: nn.init.xavier_uniform_(table),
    "xavier_normal": lambda table: nn.init.xavier_normal_(table),
}


@pytest.mark.parametrize("name", INITIALISATIONS)
@pytest.mark.parametrize("size", SIZES)
def test_a_table_is_bit_equal_to_torchs_own_after_a_seed(name: str, size: tuple[int, int]) -> None:
    torch.manual_seed(7)
    expected = SEEDED[name](torch.empty(size))
    before = torch.random.get_rng_state()
    assert torch.equal(initial_table(name, *size, seed=7), expected)
    assert torch.equal(torch.random.get_rng_state(), before), "the global random state is left alone"


@pytest.mark.parametrize("name", INITIALISATIONS)
def test_numbers_are_as_large_as_the_law_says(name: str) -> None:
    table = initial_table(name, 2000, 48, seed=1)
    law = row_norm_law(name, 2000, 48)
    assert float(table.std()) == pytest.approx(law.entry_std, rel=0.02)
    norms = table.double().norm(dim=1)
    standard_error = law.std / math.sqrt(2000)
    assert float(norms.mean()) == pytest.approx(law.mean, abs=5 * standard_error)
    assert float(norms.std()) == pytest.approx(law.std, rel=0.1)


@pytest.mark.parametrize("d_model", [1, 2, 3, 64, 768, 4096])
def test_normal_rows_are_as_long_as_the_chi_distribution_says(d_model: int) -> None:
    chi = math.sqrt(2) * math.exp(math.lgamma((d_model + 1) / 2) - math.lgamma(d_model / 2))
    for name, scale in (("normal_1", 1.0), ("normal_0.02", 0.02)):
        law = row_norm_law(name, 10, d_model)
        assert law.mean == pytest.approx(scale * chi, rel=1e-8)
        assert law.std == pytest.approx(scale * math.sqrt(d_model - chi**2), rel=1e-4)


def test_uniform_rows_are_as_long_as_geometry_says() -> None:
    assert row_norm_law("uniform", 10, 1).mean == pytest.approx(0.05 / 2, rel=1e-9)
    # The mean distance of a square's points from its middle, and of a cube's (Robbins).
    square = (math.sqrt(2) + math.asinh(1)) / 3
    assert row_norm_law("uniform", 10, 2).mean == pytest.approx(0.05 * square, rel=1e-9)
    cube = (6 * math.sqrt(3) + 12 * math.log(2 + math.sqrt(3)) - math.pi) / 24 / 2
    assert row_norm_law("uniform", 10, 3).mean == pytest.approx(2 * 0.05 * cube, rel=1e-9)
