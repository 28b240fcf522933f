import numpy as np
import pytest
import torch
from torch import Tensor

from embedlib.projection import MissingExtra, by_umap, umap, umap_available
from embedlib.projection.map_init import find_start
from tests.embedlib.projection.crowds import three_crowds

pytestmark = pytest.mark.filterwarnings("ignore:Tensorflow not installed:ImportWarning")
installed = pytest.mark.skipif(not umap_available(), reason="umap-learn is not installed: requirements-umap.txt")


@installed
@pytest.mark.parametrize(("n_components", "min_dist"), [(2, 0.1), (3, 0.5)])
def test_points_move_exactly_as_umap_learn_moves_them(n_components: int, min_dist: float) -> None:
    from umap.layouts import optimize_layout_euclidean
    from umap.umap_ import find_ab_params, make_epochs_per_sample

    start = find_start(
        three_crowds(), k=14, n_components=n_components, metric="euclidean", seed=0, report=lambda share: None
    )
    graph = by_umap._graph(start)
    ours = by_umap._first_points(start)
    theirs = ours.copy()
    by_umap._move(ours, graph, min_dist=min_dist, n_epochs=40, seed=9, moved=lambda done: None)

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


@installed
def test_rows_that_are_there_many_times_give_a_picture() -> None:
    points = umap(three_crowds().repeat_interleave(5, dim=0))
    assert bool(points.isfinite().all())
    assert float(points.std()) > 1


@installed
def test_rows_on_one_line_and_the_fewest_rows_give_a_picture() -> None:
    line = torch.arange(60.0)[:, None] * torch.tensor([1.0, 2.0, 3.0])
    assert bool(umap(line).isfinite().all())
    assert bool(umap(three_crowds()[:3], n_neighbors=3).isfinite().all())


@pytest.mark.parametrize(
    ("x", "settings", "sentence"),
    [
        (torch.zeros(5), {}, r"x has shape \(5,\): it must be \(n_samples, n_features\)"),
        (torch.randn(2, 4), {}, "n_samples=2 must be at least 3"),
        (torch.randn(10, 4), {}, "n_neighbors=15 must be between 2 and n_samples=10"),
        (torch.randn(10, 4), {"n_neighbors": 1}, "n_neighbors=1 must be between 2 and"),
        (torch.randn(50, 4), {"min_dist": 1.0}, "min_dist=1 must be between 0 and 0.99"),
        (torch.randn(50, 4), {"min_dist": float("nan")}, "min_dist=nan must be between 0 and 0.99"),
        (torch.randn(50, 4), {"n_components": 4}, "n_components=4 must be 2 or 3"),
        (torch.randn(50, 4), {"metric": "dot"}, "metric='dot' must be one of euclidean, cosine"),
    ],
)
def test_what_cannot_be_mapped_is_said(x: Tensor, settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        umap(x, **settings)  # type: ignore[arg-type]


@installed
def test_rows_without_any_difference_are_refused() -> None:
    with pytest.raises(ValueError, match="all n_samples=20 rows of x are equal"):
        umap(torch.ones(20, 4))


def test_a_missing_package_is_one_sentence_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_umap, "find_spec", lambda name: None)
    assert not umap_available()
    with pytest.raises(MissingExtra, match=r"is not installed: run bin/environment requirements-umap\.txt"):
        umap(three_crowds())
