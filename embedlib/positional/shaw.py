"""Relative position vectors after Shaw: one for each clipped distance, added to the keys and to the values."""

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, cached_by_length, check_positions, normal_weights
from embedlib.positional.parameters import SEED, Parameter

# 17 MB of vectors at the widest row of the app, 1,024; and the intermediate of a query with each of them stays small.
MAX_DISTANCE = 1_024


class ShawPositions(PositionalScheme):
    """Learns 2k+1 vectors for the keys and 2k+1 for the values, shared by all heads; k = max_distance.

    Key j reads as k_j + aK[clip(j - i, -k, k)] to query i, and its value as v_j + aV[clip(j - i, -k, k)]. Fresh vectors
    are normal(0, 1/sqrt(head_dim)), drawn on the CPU, so that a unit-variance query times aK has unit variance.
    Its similarity is aK[clip(j - i)]·aK[0], in no way symmetric.

    Attributes:
        key_vectors: (2k+1, head_dim) aK, trainable; row k is distance 0, rows after it keys after the query.
        value_vectors: (2k+1, head_dim) aV, trainable, likewise.

    Source: Shaw et al. 2018, §3, https://arxiv.org/abs/1803.02155

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("shaw", d_model=8, n_heads=2)
    >>> scheme.similarity(3).shape
    torch.Size([3, 3])
    """

    name = "shaw"
    title = N_("Relative vectors (Shaw)")
    acts_on = frozenset({"content"})
    summary = N_("A learned vector for each distance is added to the key, and another to the value.")
    formula = (
        r"e_{mn} = \frac{q_m \cdot (k_n + a^K_{c(n-m)})}{\sqrt{d}},\quad "
        r"z_m = \sum_n \mathrm{softmax}(e_m)_n\,(v_n + a^V_{c(n-m)}),\quad c(x) = \max(-k, \min(k, x))"
    )
    source = "Shaw et al. 2018, §3, https://arxiv.org/abs/1803.02155"
    past_training = "saturates"
    used_by = N_("Music Transformer")
    PARAMETERS = (
        Parameter(
            name="max_distance",
            default=16,
            minimum=1,
            maximum=MAX_DISTANCE,
            summary=N_("Farther keys share the vector of this distance."),
        ),
        SEED,
    )

    max_distance: int
    seed: int

    def build(self) -> None:
        """Draw fresh vectors."""
        generator = torch.Generator().manual_seed(self.seed)
        shape = (2 * self.max_distance + 1, self.head_dim)
        self.key_vectors = normal_weights(*shape, std=self.head_dim**-0.5, generator=generator)
        self.value_vectors = normal_weights(*shape, std=self.head_dim**-0.5, generator=generator)

    @cached_by_length
    def distance_index(self, seq_len: int, *, device: torch.device | None = None) -> Tensor:
        """Return the index of each pair's vector, (seq_len, seq_len) int64 in [0, 2k]: clip(j - i, -k, k) + k."""
        check_positions(seq_len, 0)
        position = torch.arange(seq_len, device=self.device if device is None else device)
        key_minus_query = position - position[:, None]  # (seq_len, seq_len)
        return key_minus_query.clamp(-self.max_distance, self.max_distance) + self.max_distance

    def content_scores(self, q: Tensor, k: Tensor, *, causal: bool = True) -> Tensor:
        """Return q_i · aK[clip(j - i)], before scaling."""
        self.check_heads(q=q, k=k)
        by_distance = q @ self.key_vectors.to(q).T  # (…, n_heads, seq_len, 2k+1)
        index = self.distance_index(q.shape[-2], device=q.device)
        return by_distance.gather(-1, index.expand(*q.shape[:-1], -1))  # (…, n_heads, seq_len, seq_len)

    def terms(self, q: Tensor, k: Tensor) -> dict[str, Tensor]:
        """Return the two terms of the logits, whose sum is the logits before the mask."""
        with_vectors = self.content_scores(q, k)  # checks the shapes
        parts = {
            r"\frac{q_m \cdot k_n}{\sqrt{d}}": q @ k.transpose(-1, -2),
            r"\frac{q_m \cdot a^K_{c(n-m)}}{\sqrt{d}}": with_vectors,
        }
        return {name: part * self.logit_scale() for name, part in parts.items()}

    def mix(self, weights: Tensor, v: Tensor) -> Tensor:
        """Return the values mixed, each with the vector of its distance added."""
        # Weights that share a vector are summed first: (…, seq_len, 2k+1) instead of (…, seq_len, seq_len, head_dim).
        index = self.distance_index(v.shape[-2], device=v.device).expand(weights.shape)
        by_distance = weights.new_zeros(*weights.shape[:-1], 2 * self.max_distance + 1)
        by_distance = by_distance.scatter_add(-1, index, weights)  # (…, n_heads, seq_len, 2k+1)
        return weights @ v + by_distance @ self.value_vectors.to(v)

    def _similarity(self, seq_len: int) -> Tensor:
        to_centre = self.key_vectors @ self.key_vectors[self.max_distance]  # (2k+1,)
        return to_centre[self.distance_index(seq_len)]  # (seq_len, seq_len)
