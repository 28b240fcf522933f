"""Seeds come to their mean, their least and their greatest, whatever is missing."""

import math

import numpy as np
import torch

from embedlib.extrapolation.seeds import seed_spread


def test_it_is_what_numpy_finds_without_the_missing_ones() -> None:
    values = torch.rand(3, 4, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    values[0, 1, 2] = values[2, 0] = torch.nan
    actual, given = seed_spread(values), values.numpy()
    np.testing.assert_allclose(actual.mean.numpy(), np.nanmean(given, axis=1), rtol=1e-12)
    np.testing.assert_array_equal(actual.least.numpy(), np.nanmin(given, axis=1))
    np.testing.assert_array_equal(actual.greatest.numpy(), np.nanmax(given, axis=1))
    np.testing.assert_array_equal(actual.count.numpy(), (~np.isnan(given)).sum(1))
    np.testing.assert_array_equal(actual.half.numpy(), (np.nanmax(given, axis=1) - np.nanmin(given, axis=1)) / 2)


def test_where_no_seed_has_a_number_there_is_none() -> None:
    for values in (torch.full((2, 3, 1), torch.nan), torch.empty(2, 0, 1)):
        actual = seed_spread(values)
        assert actual.count.tolist() == [[0], [0]]
        assert all(math.isnan(x) for bound in (actual.mean, actual.least, actual.greatest) for x in bound.flatten())


def test_the_mean_of_equal_numbers_is_that_number() -> None:
    actual = seed_spread(torch.full((1, 3, 1), 0.1, dtype=torch.float64))
    assert actual.least == actual.mean == actual.greatest == 0.1


def test_an_endless_number_stays_one() -> None:
    actual = seed_spread(torch.tensor([[1.0], [math.inf]]))
    assert (actual.least.item(), actual.mean.item(), actual.greatest.item()) == (1.0, math.inf, math.inf)
