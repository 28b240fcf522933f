"""The embedding matrix E: its random initialisation, and two ways to read rows from it."""

import torch
from torch import Tensor
from torch.nn import functional

from embedlib.errors import check_ints, check_memory


def embedding_table(
    vocab_size: int, d_model: int, *, seed: int | torch.Generator = 123, device: torch.device | None = None
) -> Tensor:
    """Draw a fresh table from the standard normal distribution, as torch.nn.Embedding does.

    Bit-equal to ``torch.manual_seed(seed); torch.nn.Embedding(vocab_size, d_model).weight``, while the global
    random state stays as it was. The draw is always made on the CPU, so every device holds the same numbers.

    Args:
        vocab_size: number of rows, at least 1.
        seed: a seed, or a CPU generator to continue, as for a second layer made after a first one.
        device: where the table ends up; None means CPU.

    Returns:
        (vocab_size, d_model) float32.

    Raises:
        ValueError: vocab_size or d_model below 1, or a seed that is no int.
        CodedError: not enough memory for the table.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Embedding.html

    >>> from embedlib import embedding_table
    >>> embedding_table(50, 8, seed=1).shape
    torch.Size([50, 8])
    """
    check_ints(vocab_size=vocab_size, d_model=d_model)
    if vocab_size < 1:
        raise ValueError(f"vocab_size={vocab_size} must be at least 1")
    if d_model < 1:
        raise ValueError(f"d_model={d_model} must be at least 1")
    if not isinstance(seed, torch.Generator):
        check_ints(seed=seed)
        seed = torch.Generator().manual_seed(seed)
    with check_memory(vocab_size=vocab_size, d_model=d_model):
        table = torch.empty(vocab_size, d_model, dtype=torch.float32).normal_(generator=seed)
    return table.to(device)


def lookup(table: Tensor, token_ids: Tensor) -> Tensor:
    """Return the rows of a table for some token ids.

    Args:
        table: (vocab_size, d_model).
        token_ids: (…,) integers in [0, vocab_size).

    Returns:
        (…, d_model), the dtype and device of the table.

    Raises:
        ValueError: ids that are not integers, or one outside the table; it names the first.

    >>> from embedlib import lookup
    >>> lookup(torch.tensor([[0.0, 1.0], [2.0, 3.0]]), torch.tensor([1, 0, 1])).tolist()
    [[2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]
    """
    return functional.embedding(_checked_ids(table, token_ids), table)


def one_hot_lookup(table: Tensor, token_ids: Tensor) -> Tensor:
    """Look up rows as a linear layer would, by one-hot vectors: equal numbers, at vocab_size times the work.

    Args:
        table: (vocab_size, d_model), finite.
        token_ids: (…,) integers in [0, vocab_size); the one-hot matrix takes vocab_size numbers for each.

    Returns:
        (…, d_model), equal to ``lookup(table, token_ids)``.

    Raises:
        ValueError: ids that are not integers, or one outside the table; it names the first.

    >>> from embedlib import one_hot_lookup
    >>> one_hot_lookup(torch.tensor([[0.0, 1.0], [2.0, 3.0]]), torch.tensor([1, 0, 1])).tolist()
    [[2.0, 3.0], [0.0, 1.0], [2.0, 3.0]]
    """
    one_hot = functional.one_hot(_checked_ids(table, token_ids), table.shape[0]).to(table.dtype)  # (…, vocab_size)
    return one_hot @ table


def _checked_ids(table: Tensor, token_ids: Tensor) -> Tensor:
    """Return the ids as int64, which torch indexes by."""
    if token_ids.is_floating_point() or token_ids.is_complex() or token_ids.dtype == torch.bool:
        raise ValueError(f"token_ids.dtype={token_ids.dtype} must be an integer type, such as torch.int64")
    outside = token_ids[(token_ids < 0) | (token_ids >= table.shape[0])]
    if outside.numel():
        raise ValueError(f"token_id={int(outside[0])} is outside the table: ids run from 0 to {table.shape[0] - 1}")
    return token_ids.long()
