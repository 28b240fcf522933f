"""What chance gives the first axis of a round cloud is what it is seen to give."""

import numpy as np
import pytest

from embedlib.projection import chance_variance_share

SIZES = [(3, 2), (5, 3), (7, 8), (12, 2), (20, 5), (20, 9), (4, 64), (100, 2), (50, 50), (30, 768), (1000, 64)]


@pytest.mark.parametrize(("n_samples", "n_features"), SIZES)
def test_the_first_axis_of_normal_rows_holds_that_share_on_average(n_samples: int, n_features: int) -> None:
    shares = []
    for seed in range(400 if n_samples * n_features < 1000 else 20):
        rows = np.random.default_rng([7, seed]).standard_normal((n_samples, n_features))
        variances = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2
        shares.append(variances[0] / variances.sum())
    assert chance_variance_share(n_samples, n_features) == pytest.approx(np.mean(shares), rel=0.03)


def test_one_axis_holds_all_and_sizes_are_checked() -> None:
    assert chance_variance_share(2, 1) == chance_variance_share(2, 900) == chance_variance_share(900, 1) == 1.0
    with pytest.raises(ValueError, match="n_samples=1 must be at least 2"):
        chance_variance_share(1, 5)
