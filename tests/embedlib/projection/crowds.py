"""Rows in three crowds, far apart in sixteen dimensions."""

import numpy as np
import torch
from torch import Tensor

SIZE = 40


def three_crowds(seed: int = 7) -> Tensor:
    generator = np.random.default_rng(seed)
    centres = generator.normal(size=(3, 16)) * 6
    widths = 2 * 0.7 ** np.arange(16)  # a crowd is long in few directions, so that two dimensions can hold it
    rows = np.repeat(centres, SIZE, axis=0) + generator.normal(size=(3 * SIZE, 16)) * widths
    return torch.from_numpy(rows.astype(np.float32))


def crowds_apart(points: Tensor) -> bool:
    """Tell whether every point's nearest other is of its own crowd, and the nearest ten as well."""
    distances = torch.cdist(points.double(), points.double())
    nearest = distances.fill_diagonal_(torch.inf).topk(10, largest=False).indices  # (n_samples, 10)
    crowd = torch.arange(len(points)) // SIZE
    return bool((crowd[nearest] == crowd[:, None]).all())
