"""A small encoder with random weights: enough to see whether a scheme distinguishes the order of tokens."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor

from embedlib.positional import PositionalScheme
from embedlib.transformer.attention import check_rows
from embedlib.transformer.layer import Layer, layer_norm, random_layers

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
    """Run (…, seq_len, d_model) token rows through an encoder with random weights; no gradients.

    Each layer is pre-norm: attention under the scheme, then a feed-forward part with GELU, each added to its input.
    Weights are normal(0, 1/sqrt(inputs)), drawn in float32 on the CPU from the seed alone, so all schemes share them.
    The scheme, in the dtype and on the device of rows, adds its positions first, and acts in every layer. Each row of
    the output is normalised to mean 0, variance 1.
    """
    check_rows(rows)
    layers = _weights(n_layers, seed, rows)
    runs = (
        [_Run(text, scheme, causal) for text in rows.flatten(0, -3)] if rows.ndim > 2 else [_Run(rows, scheme, causal)]
    )
    return torch.stack(_states(runs, layers, offset=offset)[-1]).view(rows.shape)


def _weights(n_layers: int, seed: int, like: Tensor) -> list[Layer]:
    if n_layers < 1:
        raise ValueError(f"n_layers={n_layers} must be at least 1")
    return random_layers(n_layers, seed=seed, like=like)


@dataclass(frozen=True, eq=False, slots=True)
class _Run:
    """One text under one scheme, with the causal mask or without; of `end_only` nothing but the last row is read."""

    rows: Tensor  # (seq_len, d_model)
    scheme: PositionalScheme
    causal: bool
    end_only: bool = False

    @property
    def read(self) -> slice:
        return slice(-1, None) if self.end_only else slice(None)


@torch.no_grad()
def _states(runs: Sequence[_Run], layers: Sequence[Layer], *, offset: int) -> list[list[Tensor]]:
    """Return the hidden states of each run after each layer, normalised, (seq_len, d_model) or (1, d_model).

    All runs share each product but attention's, however long they are; those whose scheme adds nothing to the same rows
    have the first q, k and v in common.
    """
    different: list[Tensor] = []  # (seq_len, d_model) each
    of = []  # which of these is a run's
    for run in runs:
        rows = run.scheme.encode(run.rows, offset=offset)
        known = (number for number, one in enumerate(different) if one is rows)
        of.append(next(known, len(different)))
        if of[-1] == len(different):
            different.append(rows)
    states = []
    for number, layer in enumerate(layers, 1):
        sizes = [len(rows) for rows in different]
        q, k, v = (
            torch.split(part, sizes, dim=-2) for part in layer.heads(torch.cat(different), runs[0].scheme.n_heads)
        )
        mixed = [
            run.scheme.attend(q[i], k[i], v[i], causal=run.causal, offset=offset)
            for run, i in zip(runs, of, strict=True)
        ]  # (n_heads, seq_len, head_dim) each
        given = [different[i] for i in of]
        if number == len(layers):  # of the other rows only keys and values are read
            given = [rows[run.read] for run, rows in zip(runs, given, strict=True)]
            mixed = [part[:, run.read] for run, part in zip(runs, mixed, strict=True)]
        sizes = [len(rows) for rows in given]
        x = layer.output(torch.cat(given), torch.cat(mixed, dim=-2))  # (rows of all runs, d_model)
        different, of = list(torch.split(x, sizes)), list(range(len(runs)))
        states.append([rows[run.read] for run, rows in zip(runs, torch.split(layer_norm(x), sizes), strict=True)])
    return states


def pooled_vector(
    rows: Tensor,
    scheme: PositionalScheme,
    *,
    seed: int,
    n_layers: int = 2,
    causal: bool = False,
    offset: int = 0,
) -> Tensor:
    """Return one vector for a text, (…, d_model) float64 on the CPU: the input of a classifier on top of the encoder.

    Without a mask it is the mean of all hidden states. Under a causal mask it is the hidden state of one more row, the
    same for every text, that stands at the end and sees all tokens, as the end-of-text token of a decoder does. The
    scheme is copied to float64 on the CPU.

    Facts, for whole texts: without a mask, "none" cannot see any change of order, and a bias by |i - j| alone cannot
    see a reversal; a scheme that knows only distances cannot see a shift, that is another offset. Under a causal mask
    one layer of "none" cannot see order, two layers can, because in the second the rows differ by the rows before them.
    """
    check_rows(rows)
    layers = _weights(n_layers, seed, torch.empty(rows.shape[-1], dtype=torch.float64))
    return pooled_vectors(rows, [scheme], layers, seed=seed, causal=causal, offset=offset)[-1, 0]


def pooled_vectors(
    rows: Tensor,
    schemes: Sequence[PositionalScheme],
    layers: Sequence[Layer],
    *,
    seed: int,
    causal: bool | Sequence[bool] = False,
    offset: int = 0,
) -> Tensor:
    """Compute ``pooled_vector`` under several schemes at once, after each layer: a fraction of the time of one by one.

    (n_layers, n_schemes, …, d_model), of the layers' dtype, on the CPU.

    Args:
        schemes: at least 1, all of the same n_heads; those of ``cast_copy`` are not copied again.
        layers: at least 1, of ``random_layers``, on the CPU; the computation has their dtype, and is exact in float64
            but for ROUNDING.
        seed: of the row at the end; that of the layers gives the numbers of ``pooled_vector``.
        causal: as for ``pooled_vector``; where there are several, one for each scheme.
    """
    check_rows(rows)
    dtype = layers[0].w_o.dtype
    texts = rows.detach().to("cpu", dtype).reshape(-1, *rows.shape[-2:])  # (n_texts, seq_len, d_model)
    end = torch.empty(rows.shape[-1], dtype=torch.float32).normal_(generator=torch.Generator().manual_seed(seed))
    end_row = end.to(dtype).expand(len(texts), 1, -1)
    inputs = {False: list(texts), True: list(torch.cat([texts, end_row], dim=-2))}  # with the mask, a row more
    masks = [causal] * len(schemes) if isinstance(causal, bool) else causal
    runs = [
        _Run(text, scheme, masked, end_only=masked)
        for scheme, masked in zip((cast_copy(dtype, scheme) for scheme in schemes), masks, strict=True)
        for text in inputs[masked]
    ]
    states = _states(runs, layers, offset=offset)
    # The mean of one row is that row.
    vectors = torch.stack([torch.stack([rows.mean(dim=0) for rows in state]) for state in states])
    return vectors.view(len(layers), len(schemes), *rows.shape[:-2], rows.shape[-1])


def relative_change(a: Tensor, b: Tensor) -> float:
    """Return ‖a - b‖ / ‖a‖ of two (d_model,) vectors in float64; exactly 0 up to ROUNDING.

    Sums over the same numbers in another order differ by their rounding, and by no more than ROUNDING = 1e-12.
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
    """Return the scheme in float64 on the CPU, a copy if it is not: theoretical zeros are then 0 but for rounding."""
    return cast_copy(torch.float64, scheme)


def cast_copy(dtype: torch.dtype, scheme: PositionalScheme) -> PositionalScheme:
    """Return the scheme in a dtype on the CPU; a copy if it is not."""
    return scheme if scheme.dtype == dtype and scheme.device.type == "cpu" else _copy_module(dtype, scheme)


def _copy_module(dtype: torch.dtype, module: Module) -> Module:
    """Copy a module with its tensors in a dtype, all else shared: a deep copy takes ten times as long."""
    twin = copy.copy(module)
    twin._parameters = {
        name: None if tensor is None else torch.nn.Parameter(_cast(dtype, tensor), requires_grad=False)
        for name, tensor in module._parameters.items()
    }
    twin._buffers = {name: None if tensor is None else _cast(dtype, tensor) for name, tensor in module._buffers.items()}
    twin._modules = {
        name: None if part is None else _copy_module(dtype, part) for name, part in module._modules.items()
    }
    return twin


def _cast(dtype: torch.dtype, tensor: Tensor) -> Tensor:
    copied = tensor.detach().cpu()
    return copied.to(dtype) if copied.is_floating_point() else copied
