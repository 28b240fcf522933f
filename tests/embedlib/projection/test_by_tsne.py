import threading

import numpy as np
import pytest
import torch
from sklearn.manifold import trustworthiness
from torch import Tensor

from embedlib.projection import MAX_POINTS, Cancelled, largest_perplexity, tsne
from embedlib.projection.map_init import find_start
from tests.embedlib.projection.crowds import crowds_apart, three_crowds


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_crowds_stay_apart_and_neighbours_together(seed: int) -> None:
    x = three_crowds()
    points = tsne(x, perplexity=15, seed=seed)
    assert points.shape == (120, 2)
    assert points.dtype == torch.float32
    assert crowds_apart(points)
    assert trustworthiness(x.numpy(), points.numpy(), n_neighbors=10) >= 0.95


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_three_dimensions_do_as_well(metric: str) -> None:
    x = three_crowds()
    points = tsne(x, perplexity=15, n_components=3, n_iter=300, metric=metric)
    assert points.shape == (120, 3)
    assert crowds_apart(points)
    assert trustworthiness(x.numpy(), points.numpy(), n_neighbors=10, metric=metric) >= 0.95


def test_repulsion_by_fourier_transform_keeps_crowds_apart_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.projection.by_tsne._FOURIER_FROM", 100)
    assert crowds_apart(tsne(three_crowds(), perplexity=15, n_iter=300))


def test_a_seed_gives_the_same_bits_whatever_the_threads_and_another_seed_others() -> None:
    x = three_crowds()
    threads = torch.get_num_threads()
    actual = tsne(x, perplexity=10, n_iter=200, seed=3)
    torch.set_num_threads(1)
    try:
        again = tsne(x.numpy(), perplexity=10, n_iter=200, seed=3)
    finally:
        torch.set_num_threads(threads)
    assert torch.equal(actual, again)
    assert not torch.equal(actual, tsne(x, perplexity=10, n_iter=200, seed=4))


@pytest.mark.thorough
def test_the_descent_is_the_one_of_opentsne() -> None:
    from openTSNE import TSNE

    x = three_crowds().double()
    begun = find_start(x, k=30, n_components=2, metric="euclidean", seed=5, report=lambda share: None).points * 1e-4
    theirs = TSNE(
        perplexity=10,
        initialization=begun,
        early_exaggeration=12,
        early_exaggeration_iter=20,
        initial_momentum=0.8,
        n_iter=40,
        neighbors="exact",
        negative_gradient_method="bh",
    ).fit(x.numpy())
    ours = tsne(x, perplexity=10, n_iter=60, seed=5)
    np.testing.assert_allclose(ours.numpy(), np.asarray(theirs), rtol=1e-3, atol=1e-4 * np.abs(theirs).max())


def test_progress_rises_from_nothing_to_all_and_ends_with_the_result() -> None:
    heard: list[tuple[float, Tensor | None]] = []
    actual = tsne(
        three_crowds(), perplexity=10, n_iter=101, progress=lambda share, points: heard.append((share, points))
    )
    shares = [share for share, _ in heard]
    assert shares[0] == 0
    assert shares[-1] == 1
    assert shares == sorted(shares)
    moving = [points for _, points in heard if points is not None]
    assert all(points is None for _, points in heard[: len(heard) - len(moving)])
    assert len(moving) == 33 // 5 + 68 // 5 + 1
    assert all(points.shape == (120, 2) and points.dtype == torch.float32 for points in moving)
    assert not torch.equal(moving[0], moving[1])
    assert torch.equal(moving[-1], actual)


@pytest.mark.parametrize("when", [0.0, 0.1, 0.5, 1.0])
def test_what_progress_raises_stops_the_work_at_once(when: float) -> None:
    shares: list[float] = []
    before = set(threading.enumerate())

    def stop(share: float, points: Tensor | None) -> None:
        shares.append(share)
        if share >= when:
            raise Cancelled

    with pytest.raises(Cancelled):
        tsne(three_crowds(), perplexity=10, n_iter=100, progress=stop)
    assert [share >= when for share in shares] == [False] * (len(shares) - 1) + [True]
    assert set(threading.enumerate()) <= before


def test_rows_that_are_there_many_times_lie_together() -> None:
    x = three_crowds().repeat_interleave(3, dim=0)
    points = tsne(x, perplexity=10, n_iter=300)
    assert bool(points.isfinite().all())
    spread = points.std()
    triples = points.view(120, 3, 2)
    assert float((triples - triples.mean(dim=1, keepdim=True)).abs().max()) < 0.05 * spread


def test_the_fewest_rows_and_the_greatest_perplexity_give_a_picture() -> None:
    points = tsne(three_crowds()[:7], perplexity=largest_perplexity(7), n_iter=50)
    assert points.shape == (7, 2)
    assert bool(points.isfinite().all())


@pytest.mark.parametrize(
    ("x", "settings", "sentence"),
    [
        (torch.zeros(5), {}, r"x has shape \(5,\): it must be \(n_samples, n_features\)"),
        (torch.randn(6, 4), {}, "n_samples=6 must be at least 7"),
        (torch.randn(50, 4), {}, "perplexity=30 must be between 2 and 16.3333, a third of n_samples=50 less 1"),
        (torch.randn(50, 4), {"perplexity": 1.5}, "perplexity=1.5 must be between 2"),
        (torch.randn(50, 4), {"perplexity": float("nan")}, "perplexity=nan must be between 2"),
        (torch.randn(100, 4), {"n_iter": 49}, "n_iter=49 must be at least 50"),
        (torch.randn(100, 4), {"n_components": 1}, "n_components=1 must be 2 or 3"),
        (torch.randn(100, 2), {"n_components": 3}, "n_components=3 must be at most n_features=2"),
        (torch.randn(100, 4), {"metric": "dot"}, "metric='dot' must be one of euclidean, cosine"),
        (torch.zeros(MAX_POINTS + 1, 2), {}, "n_samples=10001 must be at most MAX_POINTS=10000: take a sample"),
        (torch.ones(100, 4), {}, "all n_samples=100 rows of x are equal: there is nothing to map"),
        (
            torch.arange(1.0, 101)[:, None] * torch.tensor([1.0, 2.0]),
            {"metric": "cosine"},
            "all n_samples=100 rows of x point the same way",
        ),
        (torch.full((100, 4), float("nan")), {}, "not finite"),
    ],
)
def test_what_cannot_be_mapped_is_said(x: Tensor, settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        tsne(x, **settings)  # type: ignore[arg-type]
