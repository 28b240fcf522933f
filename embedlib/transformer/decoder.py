"""A small decoder to train: pre-norm layers over any positional scheme, and one table for its input and its output."""

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from embedlib.positional import PositionalScheme
from embedlib.random import stream
from embedlib.transformer.layer import Layer, layer_norm, random_layers

# Root mean square of fresh rows as the first layer reads them, about half of a sinusoidal position's, which is .71. In
# 800 steps at d_model 64: with tokens at 1, where the factor is sqrt(d_model), sinusoids are hardly read; with tokens
# at .125, where it is 1, they drown the tokens, and not even the trained lengths are sorted.
ROW_SPREAD = 0.375


class Decoder(nn.Module):
    """Predicts the next token at every position, from the tokens up to it.

    Rows are looked up and multiplied by ROW_SPREAD · sqrt(d_model), positions are added where the scheme adds them, and
    each layer adds to its input its attention to the normalised rows under the scheme, then a feed-forward part with
    GELU. Logits are the products of the normalised hidden states with the rows: input and output share their weights.
    There are no biases, and layer norms have no gains.

    Initial weights are those of ``random_layers``, scaled by 1/sqrt(2·n_layers) in each layer's output, as in GPT-2,
    and smaller in queries where a scheme leaves q·k undivided (T5), as in its release.

    Attributes:
        rows: (vocab_size, d_model) trainable, normal(0, 1/sqrt(d_model)) at the beginning.
        scheme: the positional scheme, whose weights are trained too.

    Source: Vaswani et al. 2017, §3.4 (shared rows with a factor), https://arxiv.org/abs/1706.03762; Radford et al. 2019
    (GPT-2, pre-norm and the smaller start), https://github.com/openai/gpt-2
    """

    def __init__(self, scheme: PositionalScheme, *, vocab_size: int, n_layers: int, seed: int) -> None:
        """Draw float32 weights on the CPU from the seed alone: every scheme and device begins with the same."""
        super().__init__()
        for name, value in (("vocab_size", vocab_size), ("n_layers", n_layers)):
            if value < 1:
                raise ValueError(f"{name}={value} must be at least 1")
        d_model = scheme.d_model
        rows = torch.empty(vocab_size, d_model).normal_(std=d_model**-0.5, generator=stream(seed, "rows"))
        self.rows = nn.Parameter(rows)
        self.scheme = scheme
        share = (2 * n_layers) ** -0.5
        usual = scheme.head_dim**-0.5  # of what q·k is multiplied by; a formula may say 0, or less
        query_scale = usual / max(usual, abs(scheme.logit_scale()))
        self.layers = nn.ModuleList(
            _Weights(layer, share, query_scale) for layer in random_layers(n_layers, seed=seed, like=rows)
        )

    def forward(self, token_ids: Tensor, *, n_scored: int | None = None) -> Tensor:
        """Return the logits of the next token, (batch_size, n_scored, vocab_size), for (batch_size, seq_len) ids.

        `n_scored` takes the last positions only, None all; the last layer skips the others.
        """
        seq_len = token_ids.shape[-1]
        n_scored = seq_len if n_scored is None else n_scored
        if not 1 <= n_scored <= seq_len:
            raise ValueError(f"n_scored={n_scored} must be at least 1 and at most seq_len={seq_len}")
        x = self._first_input(token_ids)  # (batch_size, seq_len, d_model)
        for number, weights in enumerate(self.layers, 1):
            layer = cast("_Weights", weights).layer()
            q, k, v = layer.heads(x, self.scheme.n_heads)
            mixed = self.scheme.attend(q, k, v)  # (batch_size, n_heads, seq_len, head_dim)
            if number == len(self.layers):
                x, mixed = x[..., -n_scored:, :], mixed[..., -n_scored:, :]
            x = layer.output(x, mixed)
        return layer_norm(x) @ self.rows.T

    def attention(self, token_ids: Tensor) -> Tensor:
        """Return the attention weights of every head for (seq_len,) ids, without gradients.

        (n_layers, n_heads, seq_len, seq_len); row = query, each sums to 1.
        """
        weights_by_layer = []
        with torch.no_grad():
            x = self._first_input(token_ids)
            for weights in self.layers:
                layer = cast("_Weights", weights).layer()
                q, k, v = layer.heads(x, self.scheme.n_heads)
                weights_by_layer.append(self.scheme.scores(q, k).softmax(-1))
                x = layer.output(x, self.scheme.attend(q, k, v))
        return torch.stack(weights_by_layer)

    def with_scheme(self, scheme: PositionalScheme) -> "Decoder":
        """Return a decoder that shares these weights under another scheme, as for a scaling after training.

        The scheme's own weights are used unchanged. Training either decoder trains both.
        """
        mine, other = (self.scheme.d_model, self.scheme.n_heads), (scheme.d_model, scheme.n_heads)
        if mine != other:
            raise ValueError(f"scheme has (d_model, n_heads)={other}: this decoder's weights need {mine}")
        twin = Decoder.__new__(Decoder)
        nn.Module.__init__(twin)
        twin.rows, twin.scheme, twin.layers = self.rows, scheme, self.layers
        return twin

    def _first_input(self, token_ids: Tensor) -> Tensor:
        """Return the token rows with their positions, (…, seq_len, d_model)."""
        rows = functional.embedding(token_ids, self.rows) * (ROW_SPREAD * self.scheme.d_model**0.5)
        return self.scheme.encode(rows)


class _Weights(nn.Module):
    """The weights of one layer, as parameters."""

    def __init__(self, layer: Layer, share: float, query_scale: float) -> None:
        super().__init__()
        w_qkv = layer.w_qkv.clone()
        w_qkv[0] *= query_scale
        self.w_qkv = nn.Parameter(w_qkv)
        self.w_o = nn.Parameter(layer.w_o * share)
        self.w_in = nn.Parameter(layer.w_in.clone())
        self.w_out = nn.Parameter(layer.w_out * share)

    def layer(self) -> Layer:
        return Layer(self.w_qkv, self.w_o, self.w_in, self.w_out)
