"""Random samples of rows that contain the chosen ones, and independent random streams."""

import hashlib
from collections.abc import Iterable

import numpy as np
import torch
from numpy.typing import NDArray


def sample_rows(n_rows: int, limit: int, *, always: Iterable[int] = (), seed: int = 0) -> NDArray[np.int64]:
    """Choose at most `limit` rows: those in `always`, and the rest uniformly without replacement.

    The rule: the seed puts all rows in a random order; the chosen ones move to its front; the first `limit` are taken.
    So a greater limit only adds rows, and another choice exchanges at most as many rows as were chosen. If more are
    chosen than the limit, exactly those are returned.

    Args:
        n_rows: at least 0.
        limit: at least 0; from n_rows on, every row is chosen.
        always: row ids in [0, n_rows), in any order; one given twice counts once.
        seed: at least 0.

    Returns:
        (min(n_rows, max(limit, number of chosen rows)),) int64, rising.

    Raises:
        ValueError: n_rows, limit or seed < 0, or an id out of range.

    >>> from embedlib import sample_rows
    >>> len(sample_rows(1_000, 5, always=[7]))
    5
    >>> 7 in sample_rows(1_000, 5, always=[7])
    True
    """
    for name, value in (("n_rows", n_rows), ("limit", limit), ("seed", seed)):
        if value < 0:
            raise ValueError(f"{name}={value} must be at least 0")
    chosen = np.unique(np.fromiter(always, dtype=np.int64))
    if len(chosen) and not (chosen[0] >= 0 and chosen[-1] < n_rows):
        raise ValueError(f"always has ids in [{chosen[0]}, {chosen[-1]}]: they must be in [0, n_rows={n_rows})")
    if limit >= n_rows:
        return np.arange(n_rows, dtype=np.int64)
    order = np.random.default_rng(seed).permutation(n_rows)
    is_chosen = np.zeros(n_rows, dtype=bool)
    is_chosen[chosen] = True
    drawn = order[~is_chosen[order]][: max(limit - len(chosen), 0)]
    return np.sort(np.concatenate([chosen, drawn]))


def stream(seed: int, *purpose: str | int) -> torch.Generator:
    """Return a fresh generator on the CPU, seeded by the seed and a purpose, independent of all others.

    Step 300 of a run draws the same whether 299 steps came before it or a file was loaded, and draws for one purpose do
    not change those of another.
    """
    digest = hashlib.blake2b(repr((seed, *purpose)).encode(), digest_size=8).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest, "little") >> 1)  # in [0, 2^63)
