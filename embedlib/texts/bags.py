"""Two texts as bags: which tokens they share and where each has moved to, and how many rows are in both."""

from collections import Counter, defaultdict, deque
from collections.abc import Sequence

from torch import Tensor


def matched_tokens(first: Sequence[int], second: Sequence[int]) -> list[tuple[int, int]]:
    """Pair the tokens of one text with equal ones of another, each at most once.

    A token that stands at the same position in both is paired with itself; of the others, equal ones are paired in
    the order in which they come.

    Args:
        first: token ids of one text.
        second: token ids of the other.

    Returns:
        (position in first, position in second), ascending; as many as the two bags share.
    """
    stayed = {at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a == b}
    waiting: dict[int, deque[int]] = defaultdict(deque)
    for position, token_id in enumerate(second):
        if position not in stayed:
            waiting[token_id].append(position)
    pairs = [(position, position) for position in stayed]
    for position, token_id in enumerate(first):
        if position not in stayed and waiting[token_id]:
            pairs.append((position, waiting[token_id].popleft()))
    return sorted(pairs)


def shared_rows(first: Tensor, second: Tensor) -> int:
    """Count the rows that two matrices have in common, whatever their order: equal to the bit, each counted once.

    Args:
        first: (n, width).
        second: (m, width), of the same dtype.

    Returns:
        From 0 to min(n, m); n and m both where the two are one bag of rows.
    """
    if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[1] or first.dtype != second.dtype:
        raise ValueError(
            f"first is {first.dtype} of shape {tuple(first.shape)}, second {second.dtype} of {tuple(second.shape)}: "
            "both must have two dimensions, one width and one dtype"
        )
    return (_bag(first) & _bag(second)).total()


def _bag(rows: Tensor) -> Counter[bytes]:
    # Adding 0 turns -0.0 into 0.0: equal numbers then have equal bytes.
    return Counter(row.tobytes() for row in (rows.detach().cpu() + 0).numpy())
