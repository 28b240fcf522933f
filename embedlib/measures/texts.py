"""The texts that measures make of one: with its tokens in another order, and of its tokens drawn at random."""

import torch
from torch import Tensor

# Shuffled sequences are cut to this length, and as many are drawn as make this many tokens.
LONGEST = 32
_TOKENS = 768


def reordered(rows: Tensor) -> dict[str, Tensor]:
    """Return a text as it is, and in other orders.

    Args:
        rows: (seq_len, d_model).

    Returns:
        Name to rows, (seq_len, d_model): "as it is"; "swap", where the first token and the one nearest the middle that
        differs from it have changed places, unless all are the same; "reversal", read from its end, unless that reads
        the same.
    """
    texts = {"as it is": rows}
    order = _swap_order(rows)
    if order is not None:
        texts["swap"] = rows[order]
    reversed_rows = rows.flip(0)
    if not torch.equal(reversed_rows, rows):
        texts["reversal"] = reversed_rows
    return texts


def shuffled(rows: Tensor, *, seed: int) -> Tensor:
    """Return texts of tokens drawn from one at random with replacement, which tell nothing about where they stand.

    Args:
        rows: (seq_len, d_model).
        seed: of the draw, in [0, 2^63).

    Returns:
        (n_sequences, at most 32, d_model) float32 on the CPU, about 768 tokens.
    """
    length = min(len(rows), LONGEST)
    generator = torch.Generator().manual_seed(seed)
    choice = torch.randint(len(rows), (_TOKENS // length, length), generator=generator)
    return rows.detach().to("cpu", torch.float32)[choice]


def _swap_order(rows: Tensor) -> Tensor | None:
    """Return the order of rows in which two different ones have changed places, (seq_len,)."""
    position = torch.arange(len(rows))
    different = position[(rows != rows[0]).any(dim=1).cpu()]
    if not len(different):
        return None
    second = different[(different - len(rows) // 2).abs().argmin()]
    order = position.clone()
    order[0], order[second] = second, 0
    return order.to(rows.device)
