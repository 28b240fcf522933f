"""Relative position vectors after Shaw: one for each clipped distance, added to the keys and to the values."""

from typing import ClassVar

import torch
from torch import Tensor, nn

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, check_positions
from embedlib.positional.parameters import Parameter

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
    """

    name: ClassVar[str] = "shaw"
    title: ClassVar[str] = N_("Relative vectors (Shaw)")
    acts_on: ClassVar[frozenset[str]] = frozenset({"content"})
    summary: ClassVar[str] = N_(
        "Adds a trained vector for the distance, up to a limit, to each key and to each value that a query looks at."
    )
    formula: ClassVar[str] = (
        r"e_{ij} = \frac{q_i \cdot (k_j + a^K_{c(j-i)})}{\sqrt{d}},\quad "
        r"z_i = \sum_j \mathrm{softmax}(e_i)_j\,(v_j + a^V_{c(j-i)}),\quad c(x) = \max(-k, \min(k, x))"
    )
    source: ClassVar[str] = "Shaw et al. 2018, §3, https://arxiv.org/abs/1803.02155"
    past_training: ClassVar[str] = "saturates"
    used_by: ClassVar[str] = N_("Music Transformer")
    PARAMETERS: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "max_distance",
            16,
            minimum=1,
            maximum=MAX_DISTANCE,
            summary=N_("Farther keys share the vector of this distance."),
        ),
        Parameter("seed", 0, minimum=0, maximum=2**63 - 1, summary=N_("Seed of the random vectors.")),
    )

    def __init__(
        self, *, d_model: int, n_heads: int, max_seq_len: int = 1024, max_distance: int = 16, seed: int = 0
    ) -> None:
        """Draw fresh vectors.

        Args:
            d_model: width of the token rows.
            n_heads: number of attention heads; divides d_model.
            max_seq_len: kept, but no limit here.
            max_distance: k, in [1, MAX_DISTANCE].
            seed: of the draw, in [0, 2^63).

        Raises:
            ValueError: a size or parameter out of range.
        """
        super().__init__(
            d_model=d_model, n_heads=n_heads, max_seq_len=max_seq_len, max_distance=max_distance, seed=seed
        )
        self.max_distance = max_distance
        generator = torch.Generator().manual_seed(int(seed))
        shape = (2 * max_distance + 1, self.head_dim)
        std = self.head_dim**-0.5
        self.key_vectors = nn.Parameter(torch.empty(shape, dtype=torch.float32).normal_(std=std, generator=generator))
        self.value_vectors = nn.Parameter(torch.empty(shape, dtype=torch.float32).normal_(std=std, generator=generator))

    def distance_index(self, seq_len: int, *, device: torch.device | None = None) -> Tensor:
        """Return which of the 2k+1 vectors each pair uses.

        Args:
            seq_len: number of positions, at least 1.
            device: where it ends up; None means the scheme's.

        Returns:
            (seq_len, seq_len) int64 in [0, 2k]: clip(j - i, -k, k) + k.

        Raises:
            ValueError: seq_len below 1.
        """
        check_positions(seq_len, 0)
        position = torch.arange(seq_len, device=self.device if device is None else device)
        key_minus_query = position - position[:, None]  # (seq_len, seq_len)
        return key_minus_query.clamp(-self.max_distance, self.max_distance) + self.max_distance

    def content_scores(self, q: Tensor, k: Tensor, *, causal: bool = True, offset: int = 0) -> Tensor:
        """Return q_i · aK[clip(j - i)], before scaling.

        Args:
            q: (…, n_heads, seq_len, head_dim) queries.
            k: (…, n_heads, seq_len, head_dim) keys; only their shape counts.
            causal: makes no difference: no entry reads another key.
            offset: makes no difference: only distances count.

        Returns:
            (…, n_heads, seq_len, seq_len).

        Raises:
            ValueError: q or k of another shape.
        """
        self.check_heads(q=q, k=k)
        by_distance = q @ self.key_vectors.to(q).T  # (…, n_heads, seq_len, 2k+1)
        index = self.distance_index(q.shape[-2], device=q.device)
        return by_distance.gather(-1, index.expand(*q.shape[:-1], -1))  # (…, n_heads, seq_len, seq_len)

    def terms(self, q: Tensor, k: Tensor, *, causal: bool = True, offset: int = 0) -> dict[str, Tensor]:
        """Return the two terms of the logits, whose sum is the logits before the mask.

        Args:
            q: (…, n_heads, seq_len, head_dim) queries.
            k: (…, n_heads, seq_len, head_dim) keys.
            causal: makes no difference.
            offset: makes no difference.

        Returns:
            Twice (…, n_heads, seq_len, seq_len), scaled, in the order of the formula.

        Raises:
            ValueError: q or k of another shape.
        """
        with_vectors = self.content_scores(q, k, causal=causal, offset=offset)  # checks the shapes
        parts = {
            r"\frac{q_i \cdot k_j}{\sqrt{d}}": q @ k.transpose(-1, -2),
            r"\frac{q_i \cdot a^K_{c(j-i)}}{\sqrt{d}}": with_vectors,
        }
        return {name: part * self.logit_scale() for name, part in parts.items()}

    def attend(self, q: Tensor, k: Tensor, v: Tensor, *, causal: bool = True, offset: int = 0) -> Tensor:
        """Mix the values, each with the vector of its distance added.

        Args:
            q: (…, n_heads, seq_len, head_dim) queries.
            k: (…, n_heads, seq_len, head_dim) keys.
            v: (…, n_heads, seq_len, head_dim) values.
            causal: True hides keys after the query.
            offset: makes no difference.

        Returns:
            (…, n_heads, seq_len, head_dim).

        Raises:
            ValueError: q, k or v of another shape.
        """
        self.check_heads(q=q, k=k, v=v)
        weights = self.scores(q, k, causal=causal, offset=offset).softmax(-1)  # (…, n_heads, seq_len, seq_len)
        # Weights that share a vector are summed first: (…, seq_len, 2k+1) instead of (…, seq_len, seq_len, head_dim).
        index = self.distance_index(q.shape[-2], device=q.device).expand(weights.shape)
        by_distance = weights.new_zeros(*weights.shape[:-1], 2 * self.max_distance + 1)
        by_distance = by_distance.scatter_add(-1, index, weights)  # (…, n_heads, seq_len, 2k+1)
        return weights @ v + by_distance @ self.value_vectors.to(v)

    def _similarity(self, seq_len: int) -> Tensor:
        to_centre = self.key_vectors @ self.key_vectors[self.max_distance]  # (2k+1,)
        return to_centre[self.distance_index(seq_len)]  # (seq_len, seq_len)
