"""Leakage: the share of a text's held-out part that occurs in the training part."""

import numpy as np
from numpy.typing import NDArray

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no character's place drops out modulo 2^64
_MOST = 20_000  # windows that are looked up; of more, as many as that, evenly


def repeated_share(text: str, n_training: int, *, length: int = 64) -> float:
    """Return the share of the held-out windows that occur in the training part, character for character.

    0 where either part is shorter than a window. Of many windows an evenly spaced sample is looked up. They are
    compared by 64-bit hashes: among millions, hardly two differ with the same hash.
    """
    if length < 1 or not 0 <= n_training <= len(text):
        raise ValueError(f"length={length} must be at least 1, n_training={n_training} from 0 to {len(text)}")
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    training, held_out = (_hashes(part, length) for part in (codes[:n_training], codes[n_training:]))
    if not len(training) or not len(held_out):
        return 0.0
    # Few, so that the many of the other part need no sorting.
    sample = np.sort(held_out[:: -(-len(held_out) // _MOST)])
    place = np.searchsorted(sample, training).clip(max=len(sample) - 1)
    repeated = np.unique(training[sample[place] == training])
    return float(np.isin(sample, repeated).mean())


def _hashes(codes: NDArray[np.uint64], length: int) -> NDArray[np.uint64]:
    """Return a hash of each window, modulo 2^64, combined from those of its halves."""
    if length == 1 or len(codes) < length:
        return codes if length == 1 else codes[:0]
    half = _hashes(codes, length // 2)
    even = _combine_hashes(half[: len(half) - length // 2], half[length // 2 :])
    return _combine_hashes(even[: len(codes) - length + 1], codes[length - 1 :]) if length % 2 else even


def _combine_hashes(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mixed = first * _BASE + second
    mixed ^= mixed >> np.uint64(29)
    return mixed
