"""Axes for moving rows: against scikit-learn, and what they promise where there is little to fit."""

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA

from embedlib.projection.shared import fit_row_axes, kind_means

KINDS = ["a", None, "b", "c", "a", "d", None, "b", "e", "c", "d", "a"]


def drawn(n_rows: int = 12, d_model: int = 5) -> torch.Tensor:
    return torch.randn(n_rows, d_model, generator=torch.Generator().manual_seed(3))


def expected_axes(fitted: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> PCA:
    return PCA(3, svd_solver="full").fit(fitted)


def test_axes_by_kinds_are_principal_components_of_the_mean_row_of_each_kind() -> None:
    rows = drawn()
    numbers = rows.double().numpy()
    names = ["a", "b", "c", "d", "e"]
    means = np.array([np.mean([numbers[i] for i, k in enumerate(KINDS) if k == name], axis=0) for name in names])
    np.testing.assert_allclose(kind_means(rows, KINDS).numpy(), means, rtol=1e-5, atol=1e-6)
    axes, expected = fit_row_axes(rows, kinds=KINDS, step=7), expected_axes(means)
    assert (axes.basis, axes.step) == ("kinds", 7)
    signs = np.sign((axes.components.numpy() * expected.components_).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(axes.components.numpy() * signs, expected.components_, atol=1e-5)
    np.testing.assert_allclose(axes.coordinates(rows).numpy() * signs.T, expected.transform(numbers), atol=1e-5)


@pytest.mark.parametrize("kinds", [None, [None] * 12, ["a", *[None] * 11]])
def test_rows_without_two_kinds_are_fitted_themselves(kinds: list[str | None] | None) -> None:
    rows = drawn()
    axes, expected = fit_row_axes(rows, kinds=kinds, step=0), expected_axes(rows.double().numpy())
    assert axes.basis == "principal"
    np.testing.assert_allclose(np.abs(axes.components.numpy()), np.abs(expected.components_), atol=1e-5)
    np.testing.assert_allclose(axes.shares(rows).numpy(), expected.explained_variance_ratio_, atol=1e-6)


def test_shares_are_of_the_rows_that_are_given_whatever_the_axes_were_fitted_to() -> None:
    axes, others = fit_row_axes(drawn(), kinds=KINDS, step=0), 5 * drawn(9) + 100
    numbers = others.double().numpy()
    centred = numbers - numbers.mean(axis=0)
    whole = (centred**2).sum()
    for axis, share in zip(axes.components.double().numpy(), axes.shares(others).tolist(), strict=True):
        assert share == pytest.approx(sum(float(row @ axis) ** 2 for row in centred) / whole, rel=1e-5)


def test_rows_of_two_columns_lie_in_a_plane_and_equal_rows_at_the_origin() -> None:
    axes = fit_row_axes(drawn(d_model=2), kinds=KINDS, step=0)
    assert axes.components.shape == (3, 2)
    assert axes.coordinates(drawn(d_model=2))[:, 2].tolist() == [0.0] * 12
    still = torch.ones(4, 5)
    axes = fit_row_axes(still, kinds=None, step=0)
    assert axes.coordinates(still).tolist() == [[0.0] * 3] * 4
    assert axes.shares(still).tolist() == [0.0] * 3


def test_kinds_of_other_rows_are_refused() -> None:
    with pytest.raises(ValueError, match=r"kinds=3 of them must be as many as rows=12"):
        fit_row_axes(drawn(), kinds=["a", "b", None], step=0)
