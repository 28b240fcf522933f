"""How much of a text's held-out part repeats what is trained on: a test on such a part is one of memory."""

import numpy as np
from numpy.typing import NDArray

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no character's place drops out modulo 2^64
_MOST = 20_000  # windows that are looked up; of more, as many as that, evenly


def repeated_share(text: str, n_training: int, *, length: int = 64) -> float:
    """Return the share of the held-out windows that stand somewhere in the part to train on, word for word.

    Args:
        text: whole.
        n_training: how many characters, from the first, are trained on.
        length: of a window, in characters, at least 1.

    Returns:
        In [0, 1]; 0 where either part is shorter than a window. Of many windows some are looked
        up, evenly spread. They are told by 64-bit hashes: of millions, hardly one is taken for another.

    Raises:
        ValueError: a part or a window of negative length.
    """
    if length < 1 or not 0 <= n_training <= len(text):
        raise ValueError(f"length={length} must be at least 1, n_training={n_training} from 0 to {len(text)}")
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    known, asked = (_hashes(part, length) for part in (codes[:n_training], codes[n_training:]))
    if not len(known) or not len(asked):
        return 0.0
    every = np.sort(asked[:: -(-len(asked) // _MOST)])  # few, so that the many of the other part need no sorting
    place = np.searchsorted(every, known).clip(max=len(every) - 1)
    met = np.unique(known[every[place] == known])
    return float(np.isin(every, met).mean())


def _hashes(codes: NDArray[np.uint64], length: int) -> NDArray[np.uint64]:
    """Return one number for each window, modulo 2^64: that of its first half with that of its second."""
    if length == 1 or len(codes) < length:
        return codes if length == 1 else codes[:0]
    half = _hashes(codes, length // 2)
    found = _together(half[: len(half) - length // 2], half[length // 2 :])
    return _together(found[: len(codes) - length + 1], codes[length - 1 :]) if length % 2 else found


def _together(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> NDArray[np.uint64]:
    found = first * _BASE + second
    found ^= found >> np.uint64(29)
    return found
