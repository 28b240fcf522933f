"""Probes: how well a linear map reads positions from the hidden states under a scheme."""

import torch
from torch import Tensor

from embedlib.measures.context import LONGEST, MeasureContext, has_positions
from embedlib.positional import PositionalScheme

# Ridge penalty per sample; hidden states have variance 1. Without it what cannot be read scores well below chance.
_PENALTY = 0.2


def probe_both(hidden: Tensor, *, n_train: int, alpha: float = 1.0) -> tuple[float, float] | None:
    """Return R² of ridge probes of each position from its hidden state, and of the distance i - j from h_i - h_j.

    R² is the share of the variance explained on held-out sequences, those after the first `n_train`: at most 1; the
    mean as prediction gives 0, worse is below. None for a single position.

    All ordered pairs i, j of a sequence count, i = j too. They need not be listed to be fitted: over them, the sums of
    products of differences are 2·seq_len times the sums of products of deviations from the sequence's own mean.

    Source: Hoerl and Kennard 1970, https://doi.org/10.1080/00401706.1970.10488634
    """
    if hidden.shape[1] < 2:
        return None
    exact = hidden.detach().to(torch.float64)
    train, test = exact[:n_train], exact[n_train:]
    gram, within, target = _products(train)
    absolute, relative = _solve(torch.stack([gram, within]), target.expand(2, -1), alpha)
    return _absolute_r2(train, test, absolute), _relative_r2(test, relative)


def _products(train: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return XᵀX for deviations from the mean of all, XᵀX for deviations from each sequence's own mean, and Xᵀy.

    They are (d_model, d_model), twice, and (d_model,). With y the position's deviation from its mean, whose sum over a
    sequence is 0, Xᵀy is the same for both.
    """
    own_mean = train.mean(dim=1)  # (n_train, d_model)
    mean = own_mean.mean(dim=0)
    deviations = (train - mean).flatten(0, 1)  # (n_train · seq_len, d_model)
    gram = deviations.T @ deviations
    between = own_mean - mean
    target = _positions(train)[1] @ train.sum(dim=0)
    return gram, gram - train.shape[1] * (between.T @ between), target


def _absolute_r2(train: Tensor, test: Tensor, weights: Tensor) -> float:
    """Return R² of the positions that the weights read from held-out hidden states."""
    _, from_mean = _positions(test)
    # The intercept takes the mean of the hidden states that were fitted to the mean position.
    error = (test - train.mean(dim=(0, 1))) @ weights - from_mean  # (n_test, seq_len)
    return _r2(error, from_mean.expand_as(error))


def _relative_r2(test: Tensor, weights: Tensor) -> float:
    """Return R² of the distances that the weights read from differences of held-out hidden states."""
    position, _ = _positions(test)
    # No intercept: with each pair there is the same pair the other way round.
    miss = test @ weights - position  # (n_test, seq_len)
    error = miss[:, :, None] - miss[:, None, :]  # (n_test, seq_len, seq_len)
    distance = position[:, None] - position  # (seq_len, seq_len)
    return _r2(error, distance.expand_as(error))


def _positions(hidden: Tensor) -> tuple[Tensor, Tensor]:
    """Return the positions of a sequence, and their deviations from the mean, (seq_len,) float64 each."""
    position = torch.arange(hidden.shape[1], dtype=torch.float64, device=hidden.device)
    return position, position - position.mean()


def _solve(gram: Tensor, target: Tensor, alpha: float) -> Tensor:
    """Solve (XᵀX + alpha) w = Xᵀy, (…, n_features)."""
    penalty = alpha * torch.eye(gram.shape[-1], dtype=gram.dtype, device=gram.device)
    # Symmetric and positive, so Cholesky does it in half the work; LAPACK's batched LU has been seen to fail on two
    # matrices of 1,024 columns ("Pivots given to lu_solve must all be greater or equal to 1").
    factor = torch.linalg.cholesky(gram + penalty)
    return torch.cholesky_solve(target[..., None], factor)[..., 0]


def _r2(error: Tensor, from_mean: Tensor) -> float:
    return 1 - float(error.square().sum() / from_mean.square().sum())


def probe_states(scheme: PositionalScheme, context: MeasureContext) -> Tensor | None:
    """Return hidden states of shuffled texts, (n_sequences, seq_len, d_model) float32, about 768 tokens.

    Tokens are drawn at random with replacement, so that they are independent of their positions, and run through one
    layer with random weights under a causal mask, which every scheme supports. None where the scheme has not so many
    positions.
    """
    if not has_positions(scheme, min(context.seq_len, LONGEST)):
        return None
    layer = context.shuffled_layer
    return layer.output(*layer.attend(scheme, causal=True))


def probes_r2(scheme: PositionalScheme, context: MeasureContext) -> dict[str, float | None]:
    """Return R² of positions and distances read from ``probe_states``, by their names in MEASURES.

    At most 1, by chance 0 ± 0.1; None where not defined.
    """
    hidden = probe_states(scheme, context)
    both = None
    if hidden is not None:
        n_train = len(hidden) * 3 // 4
        both = probe_both(hidden, n_train=n_train, alpha=_PENALTY * n_train * hidden.shape[1])
    return dict(zip(("probe_absolute_r2", "probe_relative_r2"), both or (None, None), strict=True))
