"""Principal components: against scikit-learn, and at the edges where it gives up."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA
from torch import Tensor

from embedlib.projection import Pca, fit_pca


def spread(n_samples: int, n_features: int, dtype: torch.dtype = torch.float64, seed: int = 0) -> Tensor:
    """Give rows whose variances fall by a tenth from direction to direction, so that directions are well defined."""
    generator = torch.Generator().manual_seed(seed)
    rows = torch.randn(n_samples, n_features, dtype=torch.float64, generator=generator)
    turn = torch.linalg.qr(torch.randn(n_features, n_features, dtype=torch.float64, generator=generator)).Q
    return (rows * 0.9 ** torch.arange(n_features) @ turn + 0.5).to(dtype)


def assert_is_sklearns(ours: Pca, x: Tensor, solver: str, atol: float) -> None:
    theirs = PCA(len(ours.components), svd_solver=solver).fit(x.double().numpy())

    def close(actual: Tensor, expected: object) -> None:
        torch.testing.assert_close(actual.double(), torch.as_tensor(expected), rtol=0, atol=atol)

    close(ours.mean, theirs.mean_)
    close(ours.components, theirs.components_)
    close(ours.explained_variance_ratio, theirs.explained_variance_ratio_)
    close(ours.transform(x), theirs.transform(x.double().numpy()))


@pytest.mark.parametrize("solver", ["full", "covariance_eigh"])
@pytest.mark.parametrize(
    ("n_samples", "n_features", "method"),
    [
        (50, 8, "covariance"),
        (9, 8, "covariance"),
        (500, 300, "covariance"),
        (8, 8, "gram"),
        (20, 64, "gram"),
        (100, 768, "gram"),
    ],
)
def test_it_is_scikit_learns(n_samples: int, n_features: int, method: str, solver: str) -> None:
    x = spread(n_samples, n_features)
    pca = fit_pca(x)
    assert pca.method == method
    assert_is_sklearns(pca, x, solver, atol=1e-8)


@pytest.mark.parametrize("n_components", [1, 2, 8])
def test_any_number_of_components_is(n_components: int) -> None:
    assert_is_sklearns(fit_pca(spread(60, 8), n_components), spread(60, 8), "full", atol=1e-10)


@pytest.mark.parametrize("offset", [0.0, 100.0])
def test_a_large_float32_table_is_right_even_far_from_zero(offset: float) -> None:
    x = spread(40_000, 64, torch.float32) + offset
    assert x.numel() > 2**19  # past which products are float32
    assert_is_sklearns(fit_pca(x), x, "full", atol=1e-4)


@pytest.mark.parametrize("shape", [(900, 16), (40_000, 16), (12, 64)])
def test_points_keep_their_places_where_the_mean_is_far_more_than_float32_can_tell(shape: tuple[int, int]) -> None:
    x = (spread(*shape) + 1e6).float()  # steps of 1/16 there, and so is the rounding of a mean
    exact = x.double().numpy()
    pca = fit_pca(x, 2)
    expected = (exact - exact.mean(axis=0)) @ pca.components.double().numpy().T
    span = expected.max() - expected.min()
    for placed in (pca.transform(x), pca.transform(x.numpy()), pca.transform(lambda: [x])):
        assert abs(placed.double().numpy() - expected).max() < 1e-5 * span


def test_a_large_float32_table_with_fewer_rows_than_columns_is_right() -> None:
    generator = torch.Generator().manual_seed(0)
    strengths = torch.tensor([300.0, 200, 100])
    x = torch.randn(1200, 3, generator=generator) * strengths @ torch.randn(3, 2000, generator=generator)
    x += torch.randn(1200, 2000, generator=generator)
    pca = fit_pca(x)
    assert pca.method == "gram"
    theirs = PCA(3, svd_solver="full").fit(x.double().numpy())
    torch.testing.assert_close(pca.components.double(), torch.from_numpy(theirs.components_), rtol=0, atol=1e-5)


def test_the_same_rows_give_the_same_bits_and_float32_stays_float32() -> None:
    x = spread(100, 768, torch.float32)
    one, two = fit_pca(x), fit_pca(x.clone())
    for name in ("mean", "components", "explained_variance_ratio"):
        assert torch.equal(getattr(one, name), getattr(two, name))
        assert getattr(one, name).dtype == torch.float32
    assert one.transform(x).dtype == torch.float32


def test_coordinates_are_centred_on_the_fitted_rows_and_other_rows_can_be_placed() -> None:
    x, others = spread(30, 6), spread(4, 6, seed=1)
    pca = fit_pca(x)
    torch.testing.assert_close(pca.transform(x).mean(dim=0), torch.zeros(3, dtype=torch.float64), rtol=0, atol=1e-12)
    placed = pca.transform(others.reshape(2, 2, 6))
    assert placed.shape == (2, 2, 3)
    expected = [[float((row - pca.mean) @ axis) for axis in pca.components] for row in others]
    torch.testing.assert_close(placed.reshape(4, 3), torch.tensor(expected, dtype=torch.float64))


def test_two_points_lie_on_one_axis_and_the_others_explain_nothing() -> None:
    x = torch.tensor([[1.0, 2, 3, 4], [2.0, 4, 1, 4]])
    pca = fit_pca(x)
    torch.testing.assert_close(pca.explained_variance_ratio, torch.tensor([1.0, 0, 0]))
    torch.testing.assert_close(pca.components @ pca.components.T, torch.eye(3), rtol=0, atol=1e-6)
    placed = pca.transform(x)
    torch.testing.assert_close(placed[:, 0].abs(), torch.full((2,), 1.5))
    torch.testing.assert_close(placed[:, 1:], torch.zeros(2, 2), rtol=0, atol=1e-6)


@pytest.mark.parametrize(("n_samples", "n_features"), [(20, 30), (50, 8), (400, 300)])
def test_past_the_rank_of_the_data_components_explain_exactly_nothing(n_samples: int, n_features: int) -> None:
    x = spread(n_samples, 2) @ spread(2, n_features, seed=1)
    pca = fit_pca(x, 5)
    assert (pca.explained_variance_ratio[:2] > 0).all()
    assert pca.explained_variance_ratio[2:].tolist() == [0, 0, 0]
    torch.testing.assert_close(pca.explained_variance_ratio.sum(), torch.tensor(1.0, dtype=torch.float64))
    torch.testing.assert_close(pca.components @ pca.components.T, torch.eye(5, dtype=torch.float64), rtol=0, atol=1e-12)
    torch.testing.assert_close(pca.transform(x) @ pca.components + pca.mean, x)


@pytest.mark.parametrize("n_samples", [2, 3, 50])
@pytest.mark.parametrize("value", [0.0, 0.1, -1e6, 1e-30])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_equal_rows_have_a_basis_that_explains_nothing(n_samples: int, value: float, dtype: torch.dtype) -> None:
    x = torch.full((n_samples, 8), value, dtype=dtype) * torch.arange(1, 9, dtype=dtype)
    pca = fit_pca(x)
    assert pca.explained_variance_ratio.tolist() == [0, 0, 0]
    torch.testing.assert_close(pca.components, torch.eye(8, dtype=dtype)[:3])
    torch.testing.assert_close(pca.transform(x), torch.zeros(n_samples, 3, dtype=dtype), rtol=0, atol=1e-9)


def test_a_large_table_of_equal_rows_too() -> None:
    pca = fit_pca(torch.full((40_000, 64), 0.1))
    assert pca.explained_variance_ratio.tolist() == [0, 0, 0]


def test_small_differences_on_a_large_offset_are_still_seen() -> None:
    x = torch.tensor([[1e6, 5.0], [1e6 + 1, 5.0], [1e6 + 2, 5.0]])
    pca = fit_pca(x, 2)
    torch.testing.assert_close(pca.explained_variance_ratio, torch.tensor([1.0, 0.0]))
    torch.testing.assert_close(pca.transform(x)[:, 0], torch.tensor([-1.0, 0.0, 1.0]))


def test_very_small_rows_are_not_taken_for_equal_ones() -> None:
    x = spread(30, 6)
    torch.testing.assert_close(fit_pca(x * 1e-20).components, fit_pca(x).components)


@pytest.mark.parametrize("dtype", [torch.int64, torch.float16, torch.bfloat16])
def test_other_number_types_are_read_too(dtype: torch.dtype) -> None:
    x = (spread(30, 6) * 10).to(dtype)
    pca = fit_pca(x)
    assert pca.components.dtype == torch.float32
    torch.testing.assert_close(pca.components, fit_pca(x.double()).components.float())


def test_gradients_are_not_followed() -> None:
    assert not fit_pca(torch.nn.Parameter(spread(9, 4))).components.requires_grad


def large_with(value: float) -> Tensor:
    x = torch.zeros(40_000, 64)
    x[30_000:, 5] = value
    return x


NOT_FINITE = "x has entries that are not finite"
REFUSED: list[tuple[Tensor, int, str]] = [
    (torch.zeros(5), 3, r"x has shape \(5,\): it must be \(n_samples, n_features\)"),
    (torch.zeros(1, 5), 3, "n_samples=1 must be at least 2"),
    (torch.zeros(0, 5), 3, "n_samples=0"),
    (torch.zeros(5, 2), 3, "n_components=3 must be between 1 and n_features=2"),
    (torch.zeros(5, 2), 0, "n_components=0 must be between 1 and n_features=2"),
    *((torch.tensor([[1.0, value], [0.0, 1.0], [2.0, 2.0]]), 1, NOT_FINITE) for value in (torch.nan, torch.inf)),
    *((large_with(value), 1, NOT_FINITE) for value in (torch.nan, torch.inf)),
    (large_with(1e30), 1, "so large that their squares overflow"),
    (torch.zeros(3, 3, dtype=torch.complex64), 1, "complex64: it must be real"),
]


@pytest.mark.parametrize(
    "source", [lambda x: x, Tensor.numpy, lambda x: lambda: [x]], ids=["tensor", "array", "blocks"]
)
@pytest.mark.parametrize(("x", "n_components", "message"), REFUSED)
def test_what_cannot_be_fitted_is_refused_with_the_rule(
    x: Tensor, n_components: int, message: str, source: Callable[[Tensor], Any]
) -> None:
    with pytest.raises(ValueError, match=message):
        fit_pca(source(x), n_components)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (
            lambda: [torch.ones(9, 4), torch.ones(9, 5)],
            r"a block has shape \(9, 5\): every block must be \(n_rows, n_features=4\)",
        ),
        (list, "n_samples=0: x gave no rows"),
        (np.full((9, 4), "a"), "x is <U1: it must be numbers"),
        (np.zeros((2, 3, 4)), r"x has shape \(2, 3, 4\): it must be \(n_samples, n_features\)"),
    ],
)
def test_what_is_no_table_is_refused(x: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        fit_pca(x)


def test_rows_of_another_width_are_refused() -> None:
    with pytest.raises(ValueError, match=r"x has shape \(2, 5\): it must be \(…, n_features=4\)"):
        fit_pca(spread(9, 4)).transform(torch.zeros(2, 5))


def test_the_whole_variance_and_what_each_component_explains_are_told() -> None:
    x = spread(60, 8)
    theirs = PCA(3, svd_solver="full").fit(x.numpy())
    pca = fit_pca(x)
    assert pca.total_variance == pytest.approx(x.var(dim=0).sum().item(), rel=1e-12)
    torch.testing.assert_close(pca.explained_variance, torch.from_numpy(theirs.explained_variance_))


@pytest.mark.parametrize("n_features", [64, pytest.param(2000, marks=pytest.mark.thorough)])
def test_small_variances_beside_a_very_large_one_are_right_in_float32(n_features: int) -> None:
    strengths = torch.full((n_features,), 1e-4)
    strengths[:3] = torch.tensor([1e3, 1.0, 0.7])
    turn = torch.linalg.qr(torch.randn(n_features, n_features, generator=torch.Generator().manual_seed(1))).Q
    rows = torch.randn(1200 if n_features == 2000 else 40_000, n_features, generator=torch.Generator().manual_seed(0))
    x = rows * strengths @ turn
    pca = fit_pca(x)
    exact = torch.linalg.svdvals(x.double() - x.double().mean(dim=0))[:3] ** 2 / (len(x) - 1)
    torch.testing.assert_close(pca.explained_variance.double(), exact, rtol=1e-5, atol=0)


def test_the_branches_for_a_device_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [spread(50, 8), spread(40_000, 64, torch.float32), spread(40_000, 64, torch.float32) + 100]
    tables += [spread(20, 64), spread(400, 2000, torch.float32), spread(9000, 64).half()]
    expected = [fit_pca(x) for x in tables]
    monkeypatch.setattr("embedlib.projection.pca._for_blas", lambda rows: rows)
    for x, host in zip(tables, expected, strict=True):
        pca = fit_pca(x)
        assert pca.method == host.method
        torch.testing.assert_close(pca.mean, host.mean, rtol=0, atol=1e-5)
        torch.testing.assert_close(pca.components, host.components, rtol=0, atol=1e-4)
        torch.testing.assert_close(pca.explained_variance_ratio, host.explained_variance_ratio, rtol=1e-5, atol=0)
        torch.testing.assert_close(pca.transform(x), host.transform(x), rtol=0, atol=1e-3)
