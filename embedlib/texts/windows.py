"""Windows over a text's ids, with the next id as target: how training data is cut."""

from collections.abc import Sequence

import torch
from torch import Tensor


def sliding_windows(token_ids: Sequence[int] | Tensor, *, max_length: int, stride: int) -> tuple[Tensor, Tensor]:
    """Cut ids into windows of equal length, each with its targets one id further on.

    Only whole windows are made: ids at the end that do not fill one are left out. Windows overlap by
    ``max_length - stride`` ids where stride is the smaller, and skip ids where it is the larger.

    Args:
        token_ids: (n_ids,) integers, at least ``max_length + 1`` of them.
        max_length: ids per window, at least 1.
        stride: ids from one window's start to the next one's, at least 1.

    Returns:
        inputs and targets, each (n_windows, max_length) int64 on the device of token_ids, sharing no memory with it;
        ``targets[w, i]`` is the id that follows ``inputs[w, i]`` in the text.

    Raises:
        ValueError: max_length or stride < 1, or token_ids not one-dimensional, not integers, or too few.
    """
    if max_length < 1:
        raise ValueError(f"max_length={max_length} must be at least 1")
    if stride < 1:
        raise ValueError(f"stride={stride} must be at least 1")
    ids = torch.as_tensor(token_ids)
    if ids.dim() != 1:
        raise ValueError(f"token_ids.shape={tuple(ids.shape)} must be (n_ids,): pass one text at a time")
    if len(ids) <= max_length:
        raise ValueError(
            f"token_ids has {len(ids)} ids: a window of max_length={max_length} and its targets need {max_length + 1}; "
            "give a longer text or a smaller max_length"
        )
    if ids.is_floating_point() or ids.is_complex() or ids.dtype == torch.bool:
        raise ValueError(f"token_ids.dtype={ids.dtype} must be an integer type, such as torch.int64")

    windows = ids.to(torch.int64).unfold(0, max_length + 1, stride)  # (n_windows, max_length + 1)
    return windows[:, :-1].clone(), windows[:, 1:].clone()  # (n_windows, max_length) each
