"""One layer of a small encoder, with random weights."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from embedlib.positional import PositionalScheme
from embedlib.transformer.attention import check_rows, join_heads, split_heads

# Width of the feed-forward part, in units of d_model.
_EXPANSION = 2


@dataclass(frozen=True, eq=False, slots=True)
class Layer:
    """Attention, then a feed-forward part with GELU; each reads normalised rows and is added to its input.

    Attributes:
        w_qkv: (3, d_model, d_model), of the queries, the keys and the values.
        w_o: (d_model, d_model), of the heads' output.
        w_in: (d_model, 2·d_model).
        w_out: (2·d_model, d_model).
    """

    w_qkv: Tensor
    w_o: Tensor
    w_in: Tensor
    w_out: Tensor

    def to(self, dtype: torch.dtype) -> "Layer":
        """Return a copy of the weights in another dtype."""
        return Layer(*(weight.to(dtype) for weight in (self.w_qkv, self.w_o, self.w_in, self.w_out)))

    def heads(self, x: Tensor, n_heads: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values for attention, each (…, n_heads, seq_len, head_dim)."""
        normal = layer_norm(x)
        q, k, v = (split_heads(normal @ weight, n_heads) for weight in self.w_qkv)
        return q, k, v

    def output(self, x: Tensor, mixed: Tensor) -> Tensor:
        """Return the next rows, from x, (…, seq_len, d_model), and the heads' mixed values."""
        x = x + join_heads(mixed) @ self.w_o  # (…, seq_len, d_model)
        return x + functional.gelu(layer_norm(x) @ self.w_in) @ self.w_out


class SharedLayer:
    """One layer for texts under many schemes: the parts that no scheme changes are computed once.

    Those are the weights and, for schemes that add nothing to the rows, queries, keys and values. The numbers are those
    of ``hidden_states`` with one layer. `rows` are (n_texts, seq_len, d_model) token rows, without positions.
    """

    def __init__(self, rows: Tensor, *, seed: int) -> None:
        """Draw the weights."""
        check_rows(rows)
        if rows.ndim != 3:
            raise ValueError(f"rows has shape {tuple(rows.shape)}: it must be (n_texts, seq_len, d_model)")
        self.rows = rows
        (self._layer,) = random_layers(1, seed=seed, like=rows)
        self._heads: dict[int, tuple[Tensor, ...]] = {}

    def attend(
        self, scheme: PositionalScheme, *, causal: bool, n_texts: int | None = None, offset: int = 0
    ) -> tuple[Tensor, Tensor]:
        """Return the attention of the first texts, for ``output``; without gradients.

        The rows with their positions, (n_texts, seq_len, d_model), and the mixed values, (n_texts, n_heads, seq_len,
        head_dim).
        """
        with torch.no_grad():
            rows = self.rows[:n_texts]
            x = scheme.encode(rows, offset=offset)
            if x is not rows:
                q, k, v = self._layer.heads(x, scheme.n_heads)
            else:
                q, k, v = (shared[:n_texts] for shared in self._shared_heads(scheme.n_heads))
            return x, scheme.attend(q, k, v, causal=causal, offset=offset)

    def output(self, x: Tensor, mixed: Tensor) -> Tensor:
        """Return the hidden states, (n_texts, seq_len, d_model), from the result of ``attend``; no scheme is read."""
        with torch.no_grad():
            return layer_norm(self._layer.output(x, mixed))

    def _shared_heads(self, n_heads: int) -> tuple[Tensor, ...]:
        if n_heads not in self._heads:
            # In the order of memory that products of matrices ask for, or each scheme would put them into it again.
            self._heads[n_heads] = tuple(part.contiguous() for part in self._layer.heads(self.rows, n_heads))
        return self._heads[n_heads]


def random_layers(n_layers: int, *, seed: int, like: Tensor) -> list[Layer]:
    """Draw the weights of layers, normal(0, 1/sqrt(inputs)), in float32 on the CPU from the seed alone.

    They have the dtype and device of `like`, (…, d_model); one layer is drawn after the other.
    """
    width = like.shape[-1]
    generator = torch.Generator().manual_seed(seed)

    def draw(count: int, inputs: int, outputs: int) -> Tensor:
        drawn = torch.empty(count, inputs, outputs, dtype=torch.float32)
        return drawn.normal_(std=inputs**-0.5, generator=generator).to(like)

    layers = []
    for _ in range(n_layers):
        square = draw(4, width, width)
        w_in, w_out = draw(1, width, _EXPANSION * width)[0], draw(1, _EXPANSION * width, width)[0]
        layers.append(Layer(square[:3], square[3], w_in, w_out))
    return layers


def layer_norm(x: Tensor) -> Tensor:
    """Normalise rows to mean 0 and variance 1, (…, d_model)."""
    return functional.layer_norm(x, x.shape[-1:])
