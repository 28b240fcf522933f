"""What t-SNE and UMAP promise of their pictures: both in one file, so that UMAP is compiled in one process alone."""

import re
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.manifold import trustworthiness
from torch import Tensor

from embedlib.progress import Cancelled
from embedlib.projection import (
    MAX_POINTS,
    by_umap,
    largest_perplexity,
    tsne,
    umap,
    umap_available,
)
from embedlib.projection.map_init import find_start
from tests.embedlib.projection.crowds import crowds_apart, three_crowds

Map = Callable[..., Tensor]
needs_umap = pytest.mark.skipif(not umap_available(), reason="umap-learn is not installed: requirements-umap.txt")
quick = partial(tsne, perplexity=10, n_iter=101)
compiled = (needs_umap, pytest.mark.thorough)  # Numba takes 15 s for a first picture
MAPS = pytest.mark.parametrize("draw", [pytest.param(quick, id="tsne"), pytest.param(umap, id="umap", marks=compiled)])

pytestmark = pytest.mark.filterwarnings("ignore:Tensorflow not installed:ImportWarning")


def check_picture(draw: Map, n_components: int = 2, **settings: object) -> None:
    x = three_crowds()
    points = draw(x, n_components=n_components, **settings)
    assert points.shape == (120, n_components)
    assert points.dtype == torch.float32
    assert crowds_apart(points)
    metric = str(settings.get("metric", "euclidean"))
    assert trustworthiness(x.numpy(), points.numpy(), n_neighbors=10, metric=metric) >= 0.95


@MAPS
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (1, 2))])
def test_crowds_stay_apart_and_neighbours_together(draw: Map, seed: int) -> None:
    check_picture(partial(tsne, perplexity=15) if draw is quick else draw, seed=seed)


@MAPS
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_three_dimensions_do_as_well(draw: Map, metric: str) -> None:
    check_picture(partial(tsne, perplexity=15, n_iter=300) if draw is quick else draw, n_components=3, metric=metric)


@MAPS
def test_a_seed_gives_the_same_bits_whatever_the_threads_and_another_seed_others(draw: Map) -> None:
    x = three_crowds()
    threads = torch.get_num_threads()
    actual = draw(x, seed=3)
    torch.set_num_threads(1)
    try:
        again = draw(x.numpy(), seed=3)
    finally:
        torch.set_num_threads(threads)
    assert torch.equal(actual, again)
    assert not torch.equal(actual, draw(x, seed=4))


@MAPS
def test_progress_rises_from_nothing_to_all_and_ends_with_the_result(draw: Map) -> None:
    heard: list[tuple[float, Tensor | None]] = []
    actual = draw(three_crowds(), progress=lambda *state: heard.append(state))
    shares = [share for share, _ in heard]
    assert shares[0] == 0
    assert shares[-1] == 1
    assert shares == sorted(shares)
    moving = [points for _, points in heard if points is not None]
    assert all(points is None for _, points in heard[: len(heard) - len(moving)])
    assert len(moving) == (33 // 5 + 68 // 5 + 1 if draw is quick else by_umap.N_EPOCHS // 5)
    assert all(points.shape == (120, 2) and points.dtype == torch.float32 for points in moving)
    assert not torch.equal(moving[0], moving[1])
    assert torch.equal(moving[-1], actual)


@MAPS
@pytest.mark.parametrize("when", [0.0, 0.1, 0.5, 1.0])
def test_what_progress_raises_stops_the_work_at_once(draw: Map, when: float) -> None:
    shares: list[float] = []
    before = set(threading.enumerate())

    def stop(share: float, points: Tensor | None) -> None:
        shares.append(share)
        if share >= when:
            raise Cancelled

    with pytest.raises(Cancelled):
        draw(three_crowds(), progress=stop)
    assert [share >= when for share in shares] == [False] * (len(shares) - 1) + [True]
    assert set(threading.enumerate()) <= before


@MAPS
@pytest.mark.parametrize(
    ("x", "settings", "sentence"),
    [
        (torch.zeros(5), {}, r"x has shape \(5,\): it must be \(n_samples, n_features\)"),
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
def test_what_cannot_be_mapped_is_said(draw: Map, x: Tensor, settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        draw(x, **settings)


@pytest.mark.parametrize(
    ("draw", "n_samples", "settings", "sentence"),
    [
        (tsne, 6, {}, "n_samples=6 must be at least 7"),
        (tsne, 50, {}, "perplexity=30 must be between 2 and 16.3333, a third of n_samples=50 less 1"),
        (tsne, 50, {"perplexity": 1.5}, "perplexity=1.5 must be between 2"),
        (tsne, 50, {"perplexity": float("nan")}, "perplexity=nan must be between 2"),
        (tsne, 100, {"n_iter": 49}, "n_iter=49 must be at least 50"),
        (umap, 2, {}, "n_samples=2 must be at least 3"),
        (umap, 10, {}, "n_neighbors=15 must be between 2 and n_samples=10"),
        (umap, 10, {"n_neighbors": 1}, "n_neighbors=1 must be between 2 and"),
        (umap, 50, {"min_dist": 1.0}, "min_dist=1 must be between 0 and 0.99"),
        (umap, 50, {"min_dist": float("nan")}, "min_dist=nan must be between 0 and 0.99"),
    ],
)
def test_a_setting_of_its_own_is_refused_with_the_rule(
    draw: Map, n_samples: int, settings: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        draw(torch.randn(n_samples, 4), **settings)


def test_repulsion_by_fourier_transform_keeps_crowds_apart_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.projection.by_tsne._FOURIER_FROM", 100)
    assert crowds_apart(tsne(three_crowds(), perplexity=15, n_iter=150))


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


def test_by_tsne_rows_that_are_there_many_times_lie_together() -> None:
    x = three_crowds().repeat_interleave(3, dim=0)
    points = tsne(x, perplexity=10, n_iter=300)
    assert bool(points.isfinite().all())
    spread = points.std()
    triples = points.view(120, 3, 2)
    assert float((triples - triples.mean(dim=1, keepdim=True)).abs().max()) < 0.05 * spread


def test_by_tsne_the_fewest_rows_and_the_greatest_perplexity_give_a_picture() -> None:
    points = tsne(three_crowds()[:7], perplexity=largest_perplexity(7), n_iter=50)
    assert points.shape == (7, 2)
    assert bool(points.isfinite().all())


@needs_umap
@pytest.mark.parametrize(("n_components", "min_dist"), [(2, 0.1), (3, 0.5)])
def test_points_move_exactly_as_umap_learn_moves_them(n_components: int, min_dist: float) -> None:
    from umap.layouts import optimize_layout_euclidean
    from umap.umap_ import find_ab_params, make_epochs_per_sample

    start = find_start(
        three_crowds(), k=14, n_components=n_components, metric="euclidean", seed=0, report=lambda share: None
    )
    graph = by_umap._graph(start)
    ours = by_umap._initial_points(start)
    theirs = ours.copy()
    by_umap._move(ours, graph, min_dist=min_dist, n_epochs=40, seed=9, on_epoch=lambda done: None)

    kept = graph.data >= graph.data.max() / 40
    a, b = find_ab_params(1.0, min_dist)
    optimize_layout_euclidean(
        theirs,
        theirs,
        graph.row[kept],
        graph.col[kept],
        n_epochs=40,
        n_vertices=120,
        epochs_per_sample=make_epochs_per_sample(graph.data[kept], 40),
        a=a,
        b=b,
        rng_state=by_umap._random_state(9),
        move_other=True,
    )
    np.testing.assert_array_equal(ours, theirs)


@needs_umap
@pytest.mark.thorough
def test_by_umap_rows_that_are_there_many_times_give_a_picture() -> None:
    points = umap(three_crowds().repeat_interleave(5, dim=0))
    assert bool(points.isfinite().all())
    assert float(points.std()) > 1


@needs_umap
@pytest.mark.thorough
def test_by_umap_rows_on_one_line_and_the_fewest_rows_give_a_picture() -> None:
    line = torch.arange(60.0)[:, None] * torch.tensor([1.0, 2.0, 3.0])
    assert bool(umap(line).isfinite().all())
    assert bool(umap(three_crowds()[:3], n_neighbors=3).isfinite().all())


def test_a_missing_package_is_one_sentence_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_umap, "find_spec", lambda name: None)
    assert not umap_available()
    requirements = (Path(__file__).parents[3] / "requirements-umap.txt").read_text(encoding="utf-8")
    (pinned,) = (line for line in requirements.splitlines() if line.startswith("umap-learn=="))
    with pytest.raises(ImportError, match=f"is not installed: pip install {re.escape(pinned)}$"):
        umap(three_crowds())
