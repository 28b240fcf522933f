"""How much of a text's held-out part repeats what is trained on: a test on such a part is one of memory."""

import numpy as np
from numpy.typing import NDArray

_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no character's place drops out modulo 2^64


def repeated_share(text: str, n_training: int, *, length: int = 64) -> float:
    """Return the share of the held-out windows that stand somewhere in the part to train on, word for word.

    Args:
        text: whole.
        n_training: how many characters, from the first, are trained on.
        length: of a window, in characters, at least 1.

    Returns:
        In [0, 1]; 0 where either part is shorter than a window. Windows are told by 64-bit hashes, so that of a text of
        millions of characters one window in a billion may be taken for another.

    Raises:
        ValueError: a part or a window of negative length.
    """
    if length < 1 or not 0 <= n_training <= len(text):
        raise ValueError(f"length={length} must be at least 1, n_training={n_training} from 0 to {len(text)}")
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    known, asked = (_hashes(part, length) for part in (codes[:n_training], codes[n_training:]))
    return float(np.isin(asked, known).mean()) if len(known) and len(asked) else 0.0


def _hashes(codes: NDArray[np.uint64], length: int) -> NDArray[np.uint64]:
    """Return one number for each window, modulo 2^64."""
    count = max(len(codes) - length + 1, 0)
    found = np.zeros(count, dtype=np.uint64)
    for place in range(length):
        found *= _BASE
        found += codes[place : place + count]
        found ^= found >> np.uint64(29)
    return found
