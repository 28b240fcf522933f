"""A small encoder with random weights: enough to see whether a scheme lets the order of tokens through."""

import copy
from typing import TypeVar

import torch
from torch import Tensor

from embedlib.positional import PositionalScheme
from embedlib.transformer.attention import check_rows
from embedlib.transformer.layer import normalised, random_layers

Module = TypeVar("Module", bound=torch.nn.Module)

# A relative change up to here is rounding. Sums in another order, or angles at shifted positions, move the pooled
# row by at most 2e-15 of its length (every scheme, 3 to 256 tokens, shifts up to 1,000); what a scheme does see
# moves it by 8e-5 and more.
ROUNDING = 1e-12


def hidden_states(
    rows: Tensor,
    scheme: PositionalScheme,
    *,
    seed: int,
    n_layers: int = 2,
    causal: bool = False,
    offset: int = 0,
) -> Tensor:
    """Run token rows through an encoder with random weights.

    Each layer is pre-norm: attention under the scheme, then a feed-forward part with GELU, each added to its input.
    Weights are normal(0, 1/sqrt(inputs)), drawn in float32 on the CPU from the seed alone, so all schemes share them.

    Args:
        rows: (…, seq_len, d_model) token rows, without positions.
        scheme: adds its positions to the rows first, and acts in the attention of every layer; in the dtype and on
            the device of rows.
        seed: of the weights, in [0, 2^63).
        n_layers: at least 1.
        causal: True hides keys after the query.
        offset: position of the first row, at least 0.

    Returns:
        (…, seq_len, d_model), dtype and device of rows, without gradients; each row normalised to mean 0, variance 1.

    Raises:
        ValueError: n_layers below 1, rows that do not fit the scheme, more positions than it has, or causal=False for
            a scheme that is causal only.
    """
    check_rows(rows)
    if n_layers < 1:
        raise ValueError(f"n_layers={n_layers} must be at least 1")
    with torch.no_grad():
        x = scheme.encode(rows, offset=offset)  # (…, seq_len, d_model)
        for layer in random_layers(n_layers, seed=seed, like=rows):
            q, k, v = layer.heads(x, scheme.n_heads)
            mixed = scheme.attend(q, k, v, causal=causal, offset=offset)  # (…, n_heads, seq_len, head_dim)
            x = layer.output(x, mixed)
        return normalised(x)


def pooled(
    rows: Tensor,
    scheme: PositionalScheme,
    *,
    seed: int,
    n_layers: int = 2,
    causal: bool = False,
    offset: int = 0,
) -> Tensor:
    """Return one vector for a text, in float64: what a classifier on top of the encoder would see.

    Without a mask it is the mean of all hidden states. Under a causal mask it is the hidden state of one more row, the
    same for every text, that stands at the end and sees all tokens, as the end-of-text token of a decoder does.

    Facts, for whole texts: without a mask, "none" cannot see any change of order, and a bias by |i - j| alone cannot
    see a reversal; a scheme that knows only distances cannot see a shift, that is another offset. Under a causal mask
    one layer of "none" cannot see order, two layers can, because in the second the rows differ by what they saw.

    Args:
        rows: (…, seq_len, d_model) token rows, without positions.
        scheme: computed with as a float64 copy on the CPU; itself left alone.
        seed: of the weights and of the row at the end, in [0, 2^63).
        n_layers: at least 1.
        causal: True hides keys after the query.
        offset: position of the first row, at least 0.

    Returns:
        (…, d_model) float64, on the CPU.

    Raises:
        ValueError: as ``hidden_states``.
    """
    check_rows(rows)
    exact_rows = rows.detach().to("cpu", torch.float64)
    if causal:
        end = torch.empty(rows.shape[-1], dtype=torch.float32).normal_(generator=torch.Generator().manual_seed(seed))
        end_row = end.to(torch.float64).expand(*rows.shape[:-2], 1, -1)
        exact_rows = torch.cat([exact_rows, end_row], dim=-2)  # (…, seq_len + 1, d_model)
    states = hidden_states(exact_rows, float64_copy(scheme), seed=seed, n_layers=n_layers, causal=causal, offset=offset)
    return states[..., -1, :] if causal else states.mean(dim=-2)


def relative_change(a: Tensor, b: Tensor) -> float:
    """Return how far b is from a, in lengths of a.

    Args:
        a: (d_model,) before, not all zeros.
        b: (d_model,) after.

    Returns:
        ‖a - b‖ / ‖a‖ in float64; exactly 0 where that is at most ROUNDING = 1e-12, since sums over the same numbers in
        another order differ by their rounding, and by no more than that.

    Raises:
        ValueError: a and b of different shapes, or a all zeros.
    """
    if a.shape != b.shape:
        raise ValueError(f"a has shape {tuple(a.shape)} and b {tuple(b.shape)}: they must be the same")
    before, after = a.detach().to("cpu", torch.float64), b.detach().to("cpu", torch.float64)
    length = float(torch.linalg.vector_norm(before))
    if length == 0:
        raise ValueError("a is all zeros: a change relative to it is not defined")
    change = float(torch.linalg.vector_norm(before - after)) / length
    return 0.0 if change <= ROUNDING else change


def float64_copy(scheme: PositionalScheme) -> PositionalScheme:
    """Return a copy of the scheme in float64 on the CPU, where what is 0 in theory is 0 but for rounding."""
    return _in_float64(scheme)


def _in_float64(module: Module) -> Module:
    """Copy a module with its tensors in float64, all else shared: a deep copy takes ten times as long."""
    twin = copy.copy(module)
    twin._parameters = {
        name: None if tensor is None else torch.nn.Parameter(_exact(tensor), requires_grad=False)
        for name, tensor in module._parameters.items()
    }
    twin._buffers = {name: None if tensor is None else _exact(tensor) for name, tensor in module._buffers.items()}
    twin._modules = {name: None if part is None else _in_float64(part) for name, part in module._modules.items()}
    return twin


def _exact(tensor: Tensor) -> Tensor:
    copy = tensor.detach().cpu()
    return copy.double() if copy.is_floating_point() else copy
