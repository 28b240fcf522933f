"""Cost of t-SNE and UMAP, each against its well-known package."""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bench.table import Row
from bench.timing import interleave, ratio, wall_seconds
from embedlib import trustworthiness
from embedlib.projection import tsne, umap, umap_available
from embedlib.texts import reference_manual, words
from embedlib.word2vec import cooccurrence_table

MAPPED = 2_000


def rows() -> Iterator[Row]:
    """Compare t-SNE and UMAP with their well-known packages: time and trustworthiness."""
    from sklearn.manifold import TSNE

    table = cooccurrence_table(words(reference_manual()), d_model=64).vectors[:MAPPED]
    array = table.numpy()
    yield from _map_row(
        f"t-SNE of {MAPPED} x 64, perplexity 30, 1,000 steps",
        lambda: tsne(table, perplexity=30, n_iter=1_000),
        lambda: TSNE(perplexity=30, max_iter=1_000, random_state=0).fit_transform(array),
        "scikit-learn TSNE",
        table,
    )
    if umap_available():
        from umap import UMAP

        yield from _map_row(
            f"UMAP of {MAPPED} x 64, 15 neighbours",
            lambda: umap(table, n_neighbors=15),
            lambda: UMAP(n_neighbors=15, random_state=0, n_jobs=1).fit_transform(array),
            "umap-learn",
            table,
        )


def _map_row(
    what: str, mine: Callable[[], Tensor], theirs: Callable[[], NDArray[np.float32]], name: str, table: Tensor
) -> Iterator[Row]:
    mine(), theirs()  # both compile at their first call
    ours, other = interleave(lambda: wall_seconds(mine), lambda: wall_seconds(theirs), rounds=2)
    yield Row(what, str(ours), f"{name}: {other}", ratio(ours, other), 1.0)
    trusted = [trustworthiness(table, points, k=10) for points in (mine(), torch.from_numpy(theirs()))]
    alternative = f"{name}: {trusted[1]:.4f}"
    # A share of the distance from 1 that theirs has: more than 1.1 of it would be a worse picture.
    yield Row(f"{what}: trustworthiness", f"{trusted[0]:.4f}", alternative, (1 - trusted[0]) / (1 - trusted[1]), 1.1)
