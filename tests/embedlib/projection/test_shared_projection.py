import pytest
import torch
from sklearn.decomposition import PCA

from embedlib.projection.shared import project_together


def test_both_sets_are_projected_as_scikit_learn_does_it() -> None:
    generator = torch.Generator().manual_seed(0)
    before = torch.randn(20, 16, generator=generator)
    after = before + torch.randn(20, 16, generator=generator)
    actual = project_together(before, after)
    oracle = PCA(3, svd_solver="full").fit(torch.cat([before, after]).double().numpy())
    expected = torch.from_numpy(oracle.transform(torch.cat([before, after]).double().numpy())).float()
    signs = torch.sign((expected * torch.cat([actual.before, actual.after])).sum(0))
    torch.testing.assert_close(torch.cat([actual.before, actual.after]), expected * signs, rtol=1e-4, atol=1e-4)
    ratio = torch.from_numpy(oracle.explained_variance_ratio_).float()
    torch.testing.assert_close(actual.explained_variance_ratio, ratio, rtol=1e-4, atol=1e-5)


def test_one_token_has_one_axis_and_its_arrow_keeps_its_length() -> None:
    before, after = torch.tensor([[1.0, 2.0, 2.0]]), torch.tensor([[4.0, 6.0, 2.0]])
    actual = project_together(before, after)
    assert actual.before.shape == (1, 3)
    torch.testing.assert_close((actual.after - actual.before).norm(), torch.tensor(5.0))
    torch.testing.assert_close(actual.explained_variance_ratio, torch.tensor([1.0, 0.0, 0.0]))


def test_equal_points_explain_nothing_and_stay_finite() -> None:
    rows = torch.ones(1, 4)
    actual = project_together(rows, rows)
    assert actual.before.eq(0).all()
    assert actual.explained_variance_ratio.eq(0).all()


def test_narrow_rows_are_padded() -> None:
    assert project_together(torch.randn(5, 2), torch.randn(5, 2)).before.shape == (5, 3)


def test_shapes_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match=r"before is \(2, 3\) but after is \(3, 3\)"):
        project_together(torch.zeros(2, 3), torch.zeros(3, 3))
