"""Leakage: the share of a text's held-out part that occurs in the training part."""

_MOST = 20_000  # windows that are looked up; of more, as many as that, evenly


def repeated_share(text: str, n_training: int, *, length: int = 64) -> float:
    """Return the share of the held-out windows that occur in the training part, character for character.

    0 where either part is shorter than a window. Of many windows an evenly spaced sample is looked up.
    """
    if length < 1 or not 0 <= n_training <= len(text):
        raise ValueError(f"length={length} must be at least 1, n_training={n_training} from 0 to {len(text)}")
    starts = range(n_training, len(text) - length + 1)
    held_out = [text[start : start + length] for start in starts[:: max(1, -(-len(starts) // _MOST))]]
    sample = set(held_out)
    training = (text[start : start + length] for start in range(n_training - length + 1))
    repeated = {window for window in training if window in sample}
    return sum(window in repeated for window in held_out) / max(1, len(held_out))
