import math

import numpy as np
import pytest
import torch

from embedlib.projection.map_init import find_start
from tests.embedlib.projection.crowds import three_crowds


def quiet(share: float) -> None:
    pass


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_the_nearest_others_and_their_distances_are_those_of_a_loop(metric: str) -> None:
    x = three_crowds()[:30].double()
    x[3] = 0
    start = find_start(x, k=29, n_components=2, metric=metric, seed=0, report=quiet)
    for row in range(30):
        distances = {}
        for other in range(30):
            if other == row:
                continue
            a, b = x[row].tolist(), x[other].tolist()
            if metric == "euclidean":
                distances[other] = math.dist(a, b)
            else:
                lengths = math.hypot(*a) * math.hypot(*b)
                dot = sum(first * second for first, second in zip(a, b, strict=True))
                distances[other] = 1 - dot / lengths if lengths else 1.0
        assert set(start.ids[row].tolist()) == set(distances)
        np.testing.assert_allclose(start.distances[row], sorted(distances.values()), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(
            start.distances[row], [distances[other] for other in start.ids[row].tolist()], rtol=1e-9, atol=1e-12
        )


def test_the_first_picture_is_the_one_of_principal_components() -> None:
    x = three_crowds()
    start = find_start(x, k=5, n_components=3, metric="euclidean", seed=0, report=quiet)
    rows = x.double().numpy()
    centred = rows - rows.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    wanted = centred @ directions[:3].T
    wanted /= wanted[:, 0].std()
    signs = np.sign((wanted * start.points).sum(axis=0))
    np.testing.assert_allclose(start.points, wanted * signs, atol=0.06)  # six standard deviations of the jitter


def test_the_report_rises_to_the_end() -> None:
    shares: list[float] = []
    find_start(torch.randn(600, 4), k=3, n_components=2, metric="cosine", seed=0, report=shares.append)
    assert shares == [256 / 600, 512 / 600, 1.0]
