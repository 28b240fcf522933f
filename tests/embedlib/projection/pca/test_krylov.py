"""The block-Krylov method: right to 1e-4 where it answers, and silent where it cannot know."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from scipy.fft import dct
from torch import Tensor

from embedlib.projection import Pca, fit_pca
from embedlib.projection.pca.krylov import (
    ANGLE_TOLERANCE,
    VARIANCE_TOLERANCE,
    RitzPairs,
    _least_start,
    _misses,
    _reach_of_a_missed_one,
    shortfall,
    solve_krylov,
)
from embedlib.projection.pca.moments import moments, scatter_times
from embedlib.projection.pca.sources import open_table

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


def assert_exact(pca: Pca, variances: NDArray[np.float64], *, mean: Tensor | float = 0, angle: float = 1e-3) -> None:
    count, n_features = pca.components.shape
    values, axes = torch.from_numpy(variances[:count].copy()), directions(count, n_features)
    torch.testing.assert_close(pca.explained_variance.double(), values, rtol=1e-4, atol=0)
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
        x = table_of(variances)
        assert solve_krylov(open_table(x), 3) is None
    pca = fit_pca(x)
    assert pca.method == "covariance"
    assert_exact(pca, variances)


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


def test_it_takes_a_tenth_of_the_operations_of_the_covariance_at_4096(monkeypatch: pytest.MonkeyPatch) -> None:
    n_vectors = []

    def counted(table: object, of: object, vectors: Tensor) -> Tensor:
        n_vectors.append(vectors.shape[1])
        return strengths[:, None] * vectors

    strengths = 0.8 ** torch.arange(4096, dtype=torch.float64).clamp(max=100)
    monkeypatch.setattr("embedlib.projection.pca.krylov.scatter_times", counted)
    rows = torch.ones(1, 4096).expand(4100, 4096)
    of = moments(open_table(torch.randn(2, 4096, generator=torch.Generator().manual_seed(0))), with_scatter=False)
    whole = type(of)(4100, of.mean, float(strengths.sum()), None, None)
    monkeypatch.setattr("embedlib.projection.pca.krylov.moments", lambda table, with_scatter: whole)
    solved = solve_krylov(open_table(rows), 3)
    assert solved is not None
    torch.testing.assert_close(solved.variance, strengths[:3], rtol=1e-4, atol=0)
    # 4 n d k operations for k vectors; the covariance takes n d d.
    assert 4 * sum(n_vectors) / 4096 <= 0.1


@pytest.mark.parametrize("offset", [0.0, 50.0])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_products_with_the_scatter_need_no_scatter(offset: float, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(0)
    x = (torch.randn(3000, 40, generator=generator) + offset).to(dtype)
    vectors = torch.randn(40, 5, dtype=torch.float64, generator=generator)
    table = open_table(x)
    centred = x.double() - x.double().mean(dim=0)
    expected = centred.T @ (centred @ vectors)
    actual = scatter_times(table, moments(table, with_scatter=False), vectors)
    torch.testing.assert_close(actual, expected, rtol=0, atol=1e-5 * float(expected.abs().max()))


def test_the_rounding_of_a_products_mean_part_does_not_add_up_over_the_rows() -> None:
    x = torch.randn(3000, 4096, generator=torch.Generator().manual_seed(0)) + 1.4
    vectors = torch.tensor([1.0, 1.05, 1.1, 1.2], dtype=torch.float64).repeat(4096, 1) / 64
    table = open_table(x)
    of = moments(table, with_scatter=False)
    assert of.shift is None
    centred = x.double() - x.double().mean(dim=0)
    expected = centred.T @ (centred @ vectors)
    torch.testing.assert_close(scatter_times(table, of, vectors), expected, rtol=0, atol=3e-5 * float(expected.max()))


def ritz_of(
    variances: NDArray[np.float64], start: NDArray[np.float64], n_passes: int
) -> tuple[RitzPairs, NDArray[np.float64]]:
    """Give the pairs, and their vectors (n, m), of a matrix whose eigenvectors are the axes; in float64."""
    space = [np.linalg.qr(start)[0]]
    for _ in range(n_passes):
        image = variances[:, None] * space[-1]
        for _ in range(2):
            image -= np.hstack(space) @ (np.hstack(space).T @ image)
        space.append(np.linalg.qr(image)[0])
    basis, following = np.hstack(space[:-1]), space[-1]
    values, vectors = np.linalg.eigh(basis.T @ (variances[:, None] * basis))
    residuals = following.T @ (variances[:, None] * (basis @ vectors))
    width = start.shape[1]
    norm = float(np.linalg.norm(start, 2))
    pairs = RitzPairs(values[::-1], vectors[:width, ::-1], residuals[:, ::-1], norm, float(variances.sum()))
    return pairs, (basis @ vectors)[:, ::-1]


@pytest.mark.parametrize(
    "decay", [0.3, *(pytest.param(decay, marks=pytest.mark.thorough) for decay in (0.6, 1.0, 1.5))]
)
def test_where_the_certificate_is_given_the_variances_are_right(decay: float) -> None:
    variances = np.arange(1, 301.0) ** -decay
    given = 0
    for seed in range(4):
        start = np.random.default_rng(seed).standard_normal((300, 16))
        for n_passes in range(2, 8):
            ritz, _ = ritz_of(variances, start, n_passes)
            if shortfall(ritz, 3) <= 1:
                given += 1
                np.testing.assert_allclose(ritz.values[:3], variances[:3], rtol=1e-4)
    assert given


@pytest.mark.parametrize("seen", [1e-2, 1e-4, 1e-6, 1e-8])
@pytest.mark.parametrize("n_passes", [1, 2, 3])
def test_a_missed_direction_can_have_no_more_of_the_start_than_is_said(seen: float, n_passes: int) -> None:
    variances = np.append(0.7 ** np.arange(300.0), 0.84)  # the last is the second greatest, and hardly in the start
    start = np.vstack([np.random.default_rng(0).standard_normal((300, 16)), np.full(16, seen)])
    ritz, _ = ritz_of(variances, start, n_passes)
    order = np.argsort(-variances)
    missed = 0
    for above in range(1, 12):
        line = (ritz.values[above] + ritz.values[above - 1]) / 2
        if np.sum(variances > line) > above:
            missed += 1
            shares = np.linalg.qr(start)[0].T[:, order[: above + 1]]  # the eigenvectors are the axes
            assert np.linalg.svd(shares)[1][-1] <= _reach_of_a_missed_one(ritz, above, line)
    assert missed or n_passes == 3


@pytest.mark.parametrize("decay", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("n_passes", [4, 5])  # earlier the bounds hold too, and say little
def test_the_bounds_hold_where_as_many_eigenvalues_as_is_said_lie_above_the_line(decay: float, n_passes: int) -> None:
    variances = np.arange(1, 301.0) ** -decay
    ritz, vectors = ritz_of(variances, np.random.default_rng(0).standard_normal((300, 16)), n_passes)
    line = (variances[2] + variances[3]) / 2
    assert ritz.values[2] > line
    variance, angle = _misses(ritz, 3, 3, line)
    actual = (variances[:3] / ritz.values[:3] - 1).max()
    assert actual <= variance * VARIANCE_TOLERANCE <= 100 * actual
    actual = np.linalg.norm(vectors[3:, :3], 2)  # the exact ones are the first three axes
    assert actual <= angle * ANGLE_TOLERANCE <= 100 * actual


def test_a_certificate_is_not_given_on_residuals_alone() -> None:
    variances = np.arange(1, 301.0) ** -1.0
    ritz, _ = ritz_of(variances, np.random.default_rng(0).standard_normal((300, 16)), 6)
    assert shortfall(ritz, 3) <= 1
    # The same residuals, from a start that was nearly blind to what is not found.
    assert shortfall(replace(ritz, start_norm=ritz.start_norm * 1e6), 3) > 1


@pytest.mark.parametrize("n_directions", [1, 4, 9])
def test_a_random_start_sees_more_of_fixed_directions_than_is_counted_on(n_directions: int) -> None:
    generator = np.random.default_rng(0)
    least = min(np.linalg.svd(generator.standard_normal((16, n_directions)))[1][-1] for _ in range(3000))
    assert 0 < _least_start(16, n_directions, start_norm=1.0) < least
