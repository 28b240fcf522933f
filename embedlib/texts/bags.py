"""Two texts as bags of tokens: the shared ones and their moves, and the shared rows."""

from collections import Counter, defaultdict, deque
from collections.abc import Sequence

from torch import Tensor


def matched_tokens(first: Sequence[int], second: Sequence[int]) -> list[tuple[int, int]]:
    """Pair the token ids of one text with equal ones of another, each at most once: (position in first, in second).

    Equal tokens at the same position are paired first; the others in the order in which they come. The pairs are
    ascending, as many as the two bags share.
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
    """Count the rows that two matrices of one width and dtype share, in any order, equal to the bit."""
    if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[1] or first.dtype != second.dtype:
        raise ValueError(
            f"first is {first.dtype} of shape {tuple(first.shape)}, second {second.dtype} of {tuple(second.shape)}: "
            "both must have two dimensions, one width and one dtype"
        )
    return (_count_rows(first) & _count_rows(second)).total()


def _count_rows(rows: Tensor) -> Counter[bytes]:
    # Adding 0 turns -0.0 into 0.0: equal numbers then have equal bytes.
    return Counter(row.tobytes() for row in (rows.detach().cpu() + 0).numpy())
