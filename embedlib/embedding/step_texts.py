"""The texts of training steps: one text cut into a part for each, and how much one step takes."""

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

MAX_NUMBERS = 2**22  # of a table: 50,257 x 64 fits; each step keeps a copy
MAX_LOGITS = 2**24  # of a step: 333 tokens with 50,257 logits each


class StepRefused(ValueError):
    """A training step that is not taken.

    Attributes:
        code: "too_few_tokens", "table_too_large", "too_many_tokens", "tied_needs_dense".
        value: what there was: tokens, numbers of the table, tokens of a step; 0 for "tied_needs_dense".
        limit: the least or the most that there may be of it.
    """

    def __init__(
        self,
        code: Literal["too_few_tokens", "table_too_large", "too_many_tokens", "tied_needs_dense"],
        message: str,
        value: int = 0,
        limit: int = 0,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.value = value
        self.limit = limit


def step_texts(token_ids: Tensor, n_steps: int) -> list[Tensor]:
    """Cut a text into one part for each step; each part begins with the token that the one before was to predict.

    Args:
        token_ids: (n_tokens,), at least n_steps + 1.
        n_steps: at least 1.

    Returns:
        n_steps tensors of ids, so that each pair of neighbours is in exactly one of them.

    Raises:
        StepRefused: fewer tokens than that, "too_few_tokens".
        ValueError: n_steps below 1.
    """
    if n_steps < 1:
        raise ValueError(f"n_steps={n_steps} must be at least 1")
    if len(token_ids) < n_steps + 1:
        raise StepRefused(
            "too_few_tokens",
            f"token_ids has {len(token_ids)} ids: {n_steps} steps need {n_steps + 1}; type more, or take fewer steps",
            len(token_ids),
            n_steps + 1,
        )
    pairs = torch.arange(len(token_ids) - 1).tensor_split(n_steps)
    return [token_ids[int(part[0]) : int(part[-1]) + 2] for part in pairs]


def check_texts(table: Tensor, texts: Sequence[Tensor], *, sparse: bool, tied: bool) -> None:
    """Raise what ``train_rows`` raises for a table and the texts of its steps."""
    if sparse and tied:
        raise StepRefused(
            "tied_needs_dense",
            "optimizer='sparse_adam' with tied=True: the logits give every row a gradient; choose another optimizer",
        )
    if table.numel() > MAX_NUMBERS:
        raise StepRefused(
            "table_too_large",
            f"table has {table.numel()} numbers, and at most {MAX_NUMBERS} are trained here: choose a smaller d_model "
            "or a smaller vocabulary",
            table.numel(),
            MAX_NUMBERS,
        )
    most = MAX_LOGITS // len(table) + 1
    for token_ids in texts:
        if len(token_ids) < 2:
            raise StepRefused(
                "too_few_tokens",
                f"a step has {len(token_ids)} ids: it needs 2, one to look up and the next to predict",
                len(token_ids),
                2,
            )
        if len(token_ids) > most:
            raise StepRefused(
                "too_many_tokens",
                f"a step has {len(token_ids)} ids, and at most {most} fit beside {len(table)} logits each: take fewer",
                len(token_ids),
                most,
            )
        outside = token_ids[(token_ids < 0) | (token_ids >= len(table))]
        if len(outside):
            raise ValueError(f"token_id={int(outside[0])} is outside the table: ids run from 0 to {len(table) - 1}")
