"""Transformer-XL's relative attention: key and distance each meet the query, and each a vector shared by all."""

from functools import partial

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, cached_by_length, check_positions, normal_weights
from embedlib.positional.parameters import SEED
from embedlib.positional.rotation import join_pairs
from embedlib.positional.sinusoidal import sinusoidal_frequencies


class TransformerXLPositions(PositionalScheme):
    """Adds three terms to q·k: q·W_R R_delta, u·k and v·W_R R_delta, where R_delta is a row of sinusoids per distance.

    R has all sines first, as in the released code; W_R and the vectors u and v, one for each head, are learned. Fresh
    ones are drawn on the CPU, W_R normal(0, 1/sqrt(d_model)), u and v standard normal, so that the four terms are of
    one order for queries and keys of unit variance. Its similarity is the term that depends on positions alone,
    v·W_R R_delta/sqrt(head_dim), averaged over the heads, both directions seen.

    Attributes:
        relative_projection: (n_heads, head_dim, d_model) W_R, trainable.
        content_vector: (n_heads, head_dim) u, trainable.
        position_vector: (n_heads, head_dim) v, trainable.

    Source: Dai et al. 2019, §3.3, https://arxiv.org/abs/1901.02860

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("transformer_xl", d_model=8, n_heads=2)
    >>> scheme.similarity(3).shape
    torch.Size([3, 3])
    """

    name = "transformer_xl"
    title = N_("Transformer-XL")
    acts_on = frozenset({"content"})
    summary = N_("Products with sinusoids of the distance and with learned biases are added to each attention score.")
    formula = r"e_{mn} = \frac{q_m \cdot k_n + q_m \cdot W_R R_{m-n} + u \cdot k_n + v \cdot W_R R_{m-n}}{\sqrt{d}}"
    source = "Dai et al. 2019, §3.3, https://arxiv.org/abs/1901.02860"
    past_training = "unseen angles"
    used_by = N_("Transformer-XL, XLNet")
    PARAMETERS = (SEED,)

    seed: int

    def build(self) -> None:
        """Draw fresh weights."""
        sinusoidal_frequencies(self.d_model)  # raises here rather than at first use
        generator = torch.Generator().manual_seed(self.seed)

        draw = partial(normal_weights, generator=generator)
        self.relative_projection = draw(self.n_heads, self.head_dim, self.d_model, std=self.d_model**-0.5)
        self.content_vector = draw(self.n_heads, self.head_dim, std=1.0)
        self.position_vector = draw(self.n_heads, self.head_dim, std=1.0)

    def distance_rows(self, seq_len: int, *, device: torch.device | None = None) -> Tensor:
        """Return R, a row of sinusoids for each distance of seq_len positions: (2·seq_len - 1, d_model) in [-1, 1].

        float64 (float32 on a device without it); row r is for distance i - j = r - (seq_len - 1), so keys after the
        query come first.
        """
        check_positions(seq_len, 0)
        place = torch.device(self.device if device is None else device)
        frequencies = sinusoidal_frequencies(self.d_model, device=place)  # (d_model/2,)
        distance = torch.arange(1 - seq_len, seq_len, dtype=torch.float64, device=frequencies.device)
        angle = torch.outer(distance, frequencies)  # (2·seq_len - 1, d_model/2)
        rows = join_pairs(angle.sin(), angle.cos(), "halves")
        return rows.to(place, torch.float32) if place.type == "mps" else rows.to(place)

    def content_scores(self, q: Tensor, k: Tensor, *, causal: bool = True) -> Tensor:
        """Return q·W_R R_delta + u·k + v·W_R R_delta, before scaling."""
        self.check_heads(q=q, k=k)
        by_distance = self._distance_term(q + self.position_vector.to(q)[:, None])  # (…, n_heads, seq_len, 2·seq_len-1)
        return _gather_distances(by_distance) + self._key_term(k)[..., None, :]

    def terms(self, q: Tensor, k: Tensor) -> dict[str, Tensor]:
        """Return the four terms, whose sum is the logits before the mask."""
        self.check_heads(q=q, k=k)
        shape = (*q.shape[:-1], q.shape[-2])  # (…, n_heads, seq_len, seq_len)
        vector = self.position_vector.to(q)[:, None].expand(q.shape)
        parts = {
            r"\frac{q_m \cdot k_n}{\sqrt{d}}": q @ k.transpose(-1, -2),
            r"\frac{q_m \cdot W_R R_{m-n}}{\sqrt{d}}": _gather_distances(self._distance_term(q)),
            r"\frac{u \cdot k_n}{\sqrt{d}}": self._key_term(k)[..., None, :].expand(shape),
            r"\frac{v \cdot W_R R_{m-n}}{\sqrt{d}}": _gather_distances(self._distance_term(vector)),
        }
        return {name: part * self.logit_scale() for name, part in parts.items()}

    def _key_term(self, k: Tensor) -> Tensor:
        """Return u·k_j, (…, n_heads, seq_len)."""
        return (k @ self.content_vector.to(k)[..., None]).squeeze(-1)

    def _distance_term(self, x: Tensor) -> Tensor:
        """Return x_i·W_R R for every distance, (…, n_heads, seq_len, 2·seq_len - 1), in the order of R."""
        return x @ self._project_positions(x.shape[-2], x.dtype, x.device)

    @cached_by_length
    def _project_positions(self, seq_len: int, dtype: torch.dtype, device: torch.device) -> Tensor:
        """Return W_R R, (n_heads, head_dim, 2·seq_len - 1)."""
        rows = self.distance_rows(seq_len, device=device).to(dtype)  # (2·seq_len - 1, d_model)
        return self.relative_projection.to(rows) @ rows.T

    def _similarity(self, seq_len: int) -> Tensor:
        vector = self.position_vector[:, None].expand(-1, seq_len, -1)  # (n_heads, seq_len, head_dim)
        return _gather_distances(self._distance_term(vector)).mean(0) * self.logit_scale()


def _gather_distances(by_distance: Tensor) -> Tensor:
    """Gather each pair's distance from (…, seq_len, 2·seq_len - 1): (…, seq_len, seq_len)."""
    position = torch.arange(by_distance.shape[-2], device=by_distance.device)
    row = position[:, None] - position + len(position) - 1  # (seq_len, seq_len): i - j + seq_len - 1
    return by_distance.gather(-1, row.expand(*by_distance.shape[:-1], -1))
