"""The block-Krylov method: right where it answers; what converges slowly is left to the others."""

from functools import cache

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy.fft import dct
from torch import Tensor

from embedlib.projection import Pca, fit_pca

N_SAMPLES, N_FEATURES = 2300, 2000
RANK = np.arange(1, N_FEATURES + 1)
SPECTRA = {
    "fast decay": 0.8 ** np.minimum(RANK, 100),
    "power law": 1.0 / RANK,
    "clusters of equal variances": np.where(RANK <= 2, 9.0, np.where(RANK <= 6, 4.0, 1.0 / RANK)),
    "rank 5": np.where(RANK <= 5, 1.0 / RANK, 0),
    "three spikes on a flat floor": np.where(RANK <= 3, 100.0 / RANK, 0.2),
}
# As far apart as a sample's variances are where those of the whole are equal.
FLOOR = 2 - (RANK / N_FEATURES) ** (2 / 3)
FLAT = {"flat": FLOOR, "one spike on a flat floor": np.where(RANK == 1, 100.0, FLOOR)}


@cache
def waves(n_samples: int) -> NDArray[np.float64]:
    """Give orthonormal columns (n_samples, n_samples - 1) whose mean is 0: those of the cosine transform."""
    return np.asarray(dct(np.eye(n_samples), norm="ortho", axis=0).T[:, 1:])


def mirrored(x: Tensor, *, seed: int) -> Tensor:
    """Mirror rows twice, so that no axis is a direction."""
    generator = torch.Generator().manual_seed(seed)
    for _ in range(2):
        across = torch.randn(x.shape[1], dtype=x.dtype, generator=generator)
        across /= torch.linalg.vector_norm(across)
        x = x - 2 * torch.outer(x @ across, across)
    return x


def table_of(
    variances: NDArray[np.float64],
    *,
    n_samples: int = N_SAMPLES,
    n_features: int = N_FEATURES,
    mean: Tensor | float = 0,
) -> Tensor:
    """Make a table with just these variances, the greatest first, along `directions`; (n_samples, n_features)."""
    strengths = np.sqrt(variances * (n_samples - 1))
    x = torch.zeros(n_samples, n_features, dtype=torch.float64)
    x[:, : len(variances)] = torch.from_numpy(waves(n_samples)[:, : len(variances)] * strengths)
    return (mirrored(x, seed=0) + mean).float()


def directions(count: int, n_features: int = N_FEATURES) -> Tensor:
    """Give the first principal axes of each table of `table_of`, (count, n_features)."""
    return mirrored(torch.eye(count, n_features, dtype=torch.float64), seed=0)


def assert_exact(pca: Pca, variances: NDArray[np.float64], *, mean: Tensor | float = 0, angle: float = 1e-4) -> None:
    count, n_features = pca.components.shape
    values, axes = torch.from_numpy(variances[:count].copy()), directions(count, n_features)
    torch.testing.assert_close(pca.explained_variance.double(), values, rtol=1e-6, atol=0)
    assert pca.total_variance == pytest.approx(variances.sum(), rel=1e-5)
    outside = pca.components.double() - pca.components.double() @ axes.T @ axes
    assert torch.linalg.matrix_norm(outside, 2) < angle
    torch.testing.assert_close(pca.mean.double(), torch.zeros(n_features).double() + mean, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", SPECTRA)
def test_variances_and_directions_are_the_exact_ones(name: str) -> None:
    pca = fit_pca(table_of(SPECTRA[name]), 6 if name.startswith("clusters") else 3)
    assert pca.method == "block Krylov"
    assert_exact(pca, SPECTRA[name])


def test_a_mean_far_greater_than_the_differences_does_no_harm() -> None:
    mean = 30 * torch.randn(N_FEATURES, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    pca = fit_pca(table_of(SPECTRA["power law"], mean=mean))
    assert pca.method == "block Krylov"
    assert_exact(pca, SPECTRA["power law"], mean=mean)


def test_flat_spectra_are_left_to_the_covariance() -> None:
    for variances in FLAT.values():
        pca = fit_pca(table_of(variances))
        assert pca.method == "covariance"
        assert_exact(pca, variances, angle=1e-3)  # neighbouring variances differ by 1e-3


def test_three_asked_of_a_rank_of_two_are_left_to_the_covariance_and_explain_nothing() -> None:
    pca = fit_pca(table_of(np.where(RANK <= 2, 1.0 / RANK, 0)))
    assert pca.method == "covariance"
    assert pca.explained_variance_ratio[2] == 0


def test_the_global_generator_is_left_alone_and_the_answer_is_the_same_to_the_bit() -> None:
    x = table_of(SPECTRA["fast decay"])
    torch.manual_seed(5)
    before = torch.get_rng_state()
    one = fit_pca(x)
    assert torch.equal(torch.get_rng_state(), before)
    torch.manual_seed(6)
    assert torch.equal(fit_pca(x).components, one.components)


def test_a_table_wider_than_long_is_done_without_its_gram_matrix() -> None:
    variances = SPECTRA["fast decay"][:1999]
    pca = fit_pca(table_of(variances, n_samples=2000, n_features=2500))
    assert pca.method == "block Krylov"
    assert_exact(pca, variances)
