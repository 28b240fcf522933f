"""What t-SNE and UMAP both promise of their pictures."""

import threading
from collections.abc import Callable
from functools import partial

import pytest
import torch
from sklearn.manifold import trustworthiness
from torch import Tensor

from embedlib.projection import Cancelled, by_umap, tsne, umap, umap_available
from tests.embedlib.projection.crowds import crowds_apart, three_crowds

Map = Callable[..., Tensor]
needs_umap = pytest.mark.skipif(not umap_available(), reason="umap-learn is not installed: requirements-umap.txt")
quick = partial(tsne, perplexity=10, n_iter=101)
MAPS = pytest.mark.parametrize(
    "draw", [pytest.param(quick, id="tsne"), pytest.param(umap, id="umap", marks=needs_umap)]
)

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
