"""Training steps on an embedding matrix: the rows that move, how far, and reasons."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from embedlib.embedding.optimizers import ROW_OPTIMIZERS, RowUpdates
from embedlib.errors import CodedError

MAX_TRAINED_NUMBERS = 2**22  # of a table: 50,257 x 64 fits; each step keeps a copy
MAX_LOGITS = 2**24  # of a step: 333 tokens with 50,257 logits each
# Why a row has moved; where two reasons come together, the one that stands first after "still".
MOVE_REASONS = ("still", "looked_up", "softmax", "momentum", "decay")
# Press & Wolf 2017, https://arxiv.org/abs/1608.05859; Inan et al. 2017, https://arxiv.org/abs/1611.01462
TIED_LOGITS = r"\text{logits} = h\,E^{\top}"
UNTIED_LOGITS = r"\text{logits} = h\,W^{\top}"


def step_texts(token_ids: Tensor, n_steps: int) -> list[Tensor]:
    """Cut (n_tokens,) ids into one part for each step; each begins with the last target of the one before.

    Each pair of neighbours is in exactly one part. CodedError "too_few_tokens" for less than n_steps + 1 tokens.
    """
    if n_steps < 1:
        raise ValueError(f"n_steps={n_steps} must be at least 1")
    if len(token_ids) < n_steps + 1:
        raise CodedError(
            "too_few_tokens",
            f"token_ids has {len(token_ids)} ids: {n_steps} steps need {n_steps + 1}; type more, or take fewer steps",
            value=len(token_ids),
            limit=n_steps + 1,
        )
    pairs = torch.arange(len(token_ids) - 1).tensor_split(n_steps)
    return [token_ids[int(part[0]) : int(part[-1]) + 2] for part in pairs]


def check_texts(table: Tensor, texts: Sequence[Tensor], *, sparse: bool, tied: bool) -> None:
    """Raise the errors of ``train_rows`` for a table and the texts of its steps."""
    if sparse and tied:
        raise CodedError(
            "tied_needs_dense",
            "optimizer='sparse_adam' with tied=True: the logits give every row a gradient; choose another optimizer",
        )
    if table.numel() > MAX_TRAINED_NUMBERS:
        raise CodedError(
            "table_too_large",
            f"table has {table.numel()} numbers, and at most {MAX_TRAINED_NUMBERS} are trained here: choose a "
            "smaller d_model or a smaller vocabulary",
            value=table.numel(),
            limit=MAX_TRAINED_NUMBERS,
        )
    most = MAX_LOGITS // len(table) + 1
    for token_ids in texts:
        if len(token_ids) < 2:
            raise CodedError(
                "too_few_tokens",
                f"a step has {len(token_ids)} ids: it needs 2, one to look up and the next to predict",
                value=len(token_ids),
                limit=2,
            )
        if len(token_ids) > most:
            raise CodedError(
                "too_many_tokens",
                f"a step has {len(token_ids)} ids, and at most {most} fit beside {len(table)} logits each: take fewer",
                value=len(token_ids),
                limit=most,
            )
        outside = token_ids[(token_ids < 0) | (token_ids >= len(table))]
        if len(outside):
            raise ValueError(f"token_id={int(outside[0])} is outside the table: ids run from 0 to {len(table) - 1}")


@dataclass(frozen=True, eq=False)
class RowStep:
    """Result of one training step on a table.

    Attributes:
        token_ids: (n_inputs + 1,) int64, the text of the step: all but the last are looked up, all but the first are
            targets.
        loss: mean cross entropy before the step, in nats.
        counts: (vocab_size,) int64, number of lookups of each row.
        gradient_norms: (vocab_size,) float32, Euclidean length of each row's gradient.
        lookup_norms: (vocab_size,) float32, length of its part through the lookup.
        output_norms: (vocab_size,) float32, length of its part through the logits; zeros unless tied.
        moves: (vocab_size,) float32, how far each row moved.
        reasons: (vocab_size,) int64, index into MOVE_REASONS: "looked_up" in this step; "softmax" for a gradient
            through tied logits alone; "momentum" for one of earlier steps; "decay" where weight decay alone would have
            given the very same numbers, because the gradient is 0 or too small to change a float32.
        table: (vocab_size, d_model) float32 after the step.
    """

    token_ids: Tensor
    loss: float
    counts: Tensor
    gradient_norms: Tensor
    lookup_norms: Tensor
    output_norms: Tensor
    moves: Tensor
    reasons: Tensor
    table: Tensor


def output_weights(vocab_size: int, d_model: int, *, seed: int = 0) -> Tensor:
    """Draw untied output weights, normal(0, 1/√d_model), (vocab_size, d_model) float32."""
    generator = torch.Generator().manual_seed(seed)
    return torch.empty(vocab_size, d_model).normal_(std=d_model**-0.5, generator=generator)


def train_rows(
    table: Tensor,
    texts: Sequence[Tensor],
    *,
    optimizer: str = "sgd",
    learning_rate: float | None = None,
    tied: bool = False,
) -> list[RowStep]:
    """Train the smallest language model step by step: the next token's logits are products of rows.

    The model: look up a token's row h, logits ``h @ output.T`` of the next token, mean cross entropy. The output
    weights, ``output_weights``, are trained beside the table, or are the table itself where tied. One RowStep per text.

    Args:
        table: (vocab_size, d_model) float32, at most MAX_TRAINED_NUMBERS numbers; it is not changed.
        texts: for each step (n,) token ids, at least 2, at most MAX_LOGITS / vocab_size + 1.
        optimizer: a name in ROW_OPTIMIZERS.
        learning_rate: None takes the optimizer's usual one.

    Raises:
        CodedError: a text too short or too long, a table too large, or tied with "sparse_adam": the logits give every
            row a gradient, so there is no sparse one.
        ValueError: another argument out of its range, or ids outside the table.
    """
    if optimizer not in ROW_OPTIMIZERS:
        raise ValueError(f"optimizer={optimizer!r} is unknown: choose among {', '.join(ROW_OPTIMIZERS)}")
    kind = ROW_OPTIMIZERS[optimizer]
    rate = kind.learning_rate if learning_rate is None else learning_rate
    if not 0 < rate < float("inf"):
        raise ValueError(f"learning_rate={rate} must be above 0")
    check_texts(table, texts, sparse=kind.sparse, tied=tied)
    rows = table.detach().clone()
    weights = None if tied else output_weights(*table.shape)
    updates = RowUpdates(optimizer, rows, learning_rate=rate)
    kept = 1 - rate * kind.weight_decay
    # Every row of the output weights has a gradient, so the rule for sparse ones is not for them.
    dense = "adam" if kind.sparse else optimizer
    output_updates = None if weights is None else RowUpdates(dense, weights, learning_rate=rate)
    had_gradient = torch.zeros(len(table), dtype=torch.bool)
    steps: list[RowStep] = []
    for token_ids in texts:
        gradients = _gradients(rows, weights, token_ids.long())
        before = rows.clone()
        looked_up = torch.bincount(token_ids[:-1].long()).nonzero()[:, 0]
        updates.step(gradients.total, looked_up)
        if output_updates is not None:
            output_updates.step(gradients.output, looked_up)
        updated = (rows != before * kept).any(dim=1)  # (vocab_size,), by more than decay
        steps.append(_describe_step(token_ids.long(), gradients, before, rows.clone(), had_gradient, updated))
        had_gradient |= steps[-1].gradient_norms > 0
    return steps


@dataclass(frozen=True, eq=False)
class _Gradients:
    """Gradients of the loss through the lookup and through the output weights; `total` of the table."""

    loss: float
    lookup: Tensor
    output: Tensor
    tied: bool

    @property
    def total(self) -> Tensor:
        return self.lookup + self.output if self.tied else self.lookup


def _gradients(rows: Tensor, weights: Tensor | None, token_ids: Tensor) -> _Gradients:
    """Differentiate once; tied weights are used under two names, which separates the gradients through each."""
    read = rows.detach().requires_grad_()
    written = (rows if weights is None else weights).detach().requires_grad_()
    hidden = functional.embedding(token_ids[:-1], read)  # (n_inputs, d_model)
    loss = functional.cross_entropy(hidden @ written.T, token_ids[1:])
    lookup, output = torch.autograd.grad(loss, (read, written))
    return _Gradients(float(loss.detach()), lookup, output, weights is None)


def _describe_step(
    token_ids: Tensor, gradients: _Gradients, before: Tensor, after: Tensor, had_gradient: Tensor, updated: Tensor
) -> RowStep:
    """Describe a step; (vocab_size,) bool: rows with a gradient in an earlier step, rows moved by more than decay."""
    counts = torch.bincount(token_ids[:-1], minlength=len(before))
    norms, lookup_norms, moves = (_lengths(part) for part in (gradients.total, gradients.lookup, after - before))
    output_norms = _lengths(gradients.output) if gradients.tied else torch.zeros_like(norms)
    reasons = torch.full_like(counts, MOVE_REASONS.index("decay"))
    reasons[updated & had_gradient] = MOVE_REASONS.index("momentum")
    reasons[updated & (norms > 0)] = MOVE_REASONS.index("softmax")
    reasons[counts > 0] = MOVE_REASONS.index("looked_up")
    reasons[moves == 0] = MOVE_REASONS.index("still")
    return RowStep(token_ids, gradients.loss, counts, norms, lookup_norms, output_norms, moves, reasons, after)


def _lengths(matrix: Tensor) -> Tensor:
    """Return row lengths, (n_rows,) float32, with squares in float64, where those of tiny numbers are not yet zero."""
    lengths: Tensor = torch.linalg.vector_norm(matrix, dim=1, dtype=torch.float64)
    return lengths.float()


def rows_to_show(steps: Sequence[RowStep], *, limit: int = 150) -> Tensor:
    """Choose at most `limit` rows for a figure, rising: those looked up in any step, then others evenly spaced.

    Where more were looked up, the most frequent ones.
    """
    if not steps or limit < 1:
        raise ValueError(f"steps={len(steps)} and limit={limit} must both be at least 1")
    counts = torch.stack([step.counts for step in steps]).sum(dim=0)  # (vocab_size,)
    frequent = counts.sort(descending=True, stable=True).indices[: int((counts > 0).sum())][:limit]
    others = (counts == 0).nonzero()[:, 0]
    room = min(limit - len(frequent), len(others))
    spaced = others[torch.arange(room) * len(others) // max(room, 1)]
    return torch.cat([frequent, spaced]).sort().values


def gradient_bytes(vocab_size: int, d_model: int, n_rows: int) -> tuple[int, int]:
    """Return the float32 bytes of a table's gradient: dense, V·d numbers; sparse, n_rows·d numbers and their ids."""
    return 4 * vocab_size * d_model, n_rows * (4 * d_model + 8)
