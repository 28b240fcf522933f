"""What chance gives the first axis of a round cloud is what it is seen to give."""

import pytest
import torch

from embedlib.projection import fit_pca, greatest_share_by_chance


@pytest.mark.parametrize(("n_samples", "n_features"), [(4000, 200), (500, 500), (300, 1200)])
def test_the_first_axis_of_normal_rows_holds_that_share(n_samples: int, n_features: int) -> None:
    rows = torch.randn(n_samples, n_features, generator=torch.Generator().manual_seed(0))
    seen = float(fit_pca(rows, 1).explained_variance_ratio[0])
    assert greatest_share_by_chance(n_samples, n_features) == pytest.approx(seen, rel=0.03)


def test_a_share_is_at_most_all_and_sizes_are_checked() -> None:
    assert greatest_share_by_chance(2, 1) == 1.0
    with pytest.raises(ValueError, match="n_samples=1 must be at least 2"):
        greatest_share_by_chance(1, 5)
