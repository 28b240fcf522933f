import numpy as np
import pytest
import torch
from torch import Tensor

from embedlib.projection import MAX_POINTS, largest_perplexity, tsne
from embedlib.projection.map_init import find_start
from tests.embedlib.projection.crowds import crowds_apart, three_crowds


def test_repulsion_by_fourier_transform_keeps_crowds_apart_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.projection.by_tsne._FOURIER_FROM", 100)
    assert crowds_apart(tsne(three_crowds(), perplexity=15, n_iter=300))


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
