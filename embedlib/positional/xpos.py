"""xPos: a rotation whose pairs also fade with distance, the fast ones sooner."""

import math

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, cached_by_length
from embedlib.positional.rotation import BASE, PAIRING, rotary_angles, rotate_pairs

SCALE_BASE = 512  # positions over which pair i fades by zeta_i


class XposPositions(PositionalScheme):
    """Rotates q and k as RoPE does; multiplies pair i of q at m by zeta_i^(m/512), that of k at n by zeta_i^(-n/512).

    In their product zeta_i^((m - n)/512) is left, zeta_i = (2i/head_dim + 0.4)/1.4. Below 1, it fades with distance;
    for keys after the query it would grow, so the scheme is causal only. Its similarity is the product of an all-ones
    query with an all-ones key, over head_dim, taken both ways as for the earlier key. Some implementations count
    positions from the middle of the sequence: their q and k differ from these, their products do not.

    Source: Sun et al. 2022, https://arxiv.org/abs/2212.10554

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("xpos", d_model=8, n_heads=2)
    >>> scheme.similarity(3).round(decimals=2)
    tensor([[1.0000, 0.7700, 0.2900],
            [0.7700, 1.0000, 0.7700],
            [0.2900, 0.7700, 1.0000]])
    """

    name = "xpos"
    title = N_("xPos")
    acts_on = frozenset({"query_key"})
    causal_only = True
    summary = N_("Like RoPE, but the products also shrink with the distance, sooner in fast pairs.")
    formula = (
        r"\tilde q_m = \zeta^{m/512} \odot R_m q_m,\quad \tilde k_n = \zeta^{-n/512} \odot R_n k_n,\quad "
        r"\zeta_i = \frac{2i/d + 0.4}{1.4},\quad \theta_i = b^{-2i/d}"
    )
    source = "Sun et al. 2022 (A Length-Extrapolatable Transformer), https://arxiv.org/abs/2212.10554"
    past_training = "unseen angles"
    used_by = N_("LeX Transformer, Kosmos-1")
    PARAMETERS = (PAIRING, BASE)

    pairing: str
    base: float

    def build(self) -> None:
        """Check the sizes; angles are computed on demand."""
        if self.head_dim % 2:
            raise ValueError(
                f"head_dim={self.head_dim} (d_model={self.d_model}, n_heads={self.n_heads}) must be even, "
                "as columns are turned in pairs: choose a d_model that is an even multiple of n_heads"
            )

    @cached_by_length
    def angles(self, seq_len: int, *, offset: int = 0, device: torch.device | None = None) -> Tensor:
        """Return ``rotary_angles`` for this scheme, (seq_len, head_dim/2) float64; device None means the scheme's."""
        place = self.device if device is None else device
        return rotary_angles(seq_len, self.head_dim, base=self.base, offset=offset, device=place)

    def decay(self, *, device: torch.device | None = None) -> Tensor:
        """Return zeta, the factor of each pair after 512 positions: (head_dim/2,) float64 in [2/7, 1)."""
        pair = torch.arange(0, self.head_dim, 2, dtype=torch.float64, device=device)  # (head_dim/2,), 2i
        return (pair / self.head_dim + 0.4) / 1.4

    def rotate(self, q: Tensor, k: Tensor, *, offset: int = 0) -> tuple[Tensor, Tensor]:
        """Rotate queries and keys by their position, and scale them by it, in opposite ways."""
        self.check_heads(q=q, k=k)
        seq_len = q.shape[-2]
        angle = self.angles(seq_len, offset=offset, device=q.device)  # (seq_len, head_dim/2)
        last, limit = offset + seq_len - 1, self._last_position(k.dtype)
        if last > limit:
            raise ValueError(
                f"seq_len={seq_len} at offset={offset} asks for position {last}: {k.dtype} holds the scale of keys up "
                f"to position {limit} only; shorten the text or use a wider dtype"
            )
        grown, faded = self._scales(seq_len, offset, angle.device)
        turned_q = rotate_pairs(q, angle, pairing=self.pairing, amplitude=faded)
        return turned_q, rotate_pairs(k, angle, pairing=self.pairing, amplitude=grown)

    @cached_by_length
    def _scales(self, seq_len: int, offset: int, device: torch.device) -> tuple[Tensor, Tensor]:
        """Return the factors of keys and of queries, (seq_len, head_dim/2) each."""
        position = torch.arange(offset, offset + seq_len, dtype=torch.float64, device=device)
        power = (position / SCALE_BASE)[:, None]  # (seq_len, 1)
        decay = self.decay(device=device)
        return decay**-power, decay**power

    def _last_position(self, dtype: torch.dtype) -> int:
        """Return the greatest position where keys of up to 1,024 stay finite in dtype; 0.4/1.4 is the least zeta."""
        return int(math.log(torch.finfo(dtype).max / 1024) / math.log(1.4 / 0.4) * SCALE_BASE)

    def _similarity(self, seq_len: int) -> Tensor:
        angle = self.angles(seq_len)  # (seq_len, head_dim/2), one row for each distance
        distance = torch.arange(seq_len, dtype=torch.float64, device=angle.device)
        faded = angle.cos() * self.decay(device=angle.device) ** (distance / SCALE_BASE)[:, None]
        by_distance = faded.mean(-1).to(self.dtype).to(self.device)  # (seq_len,)
        position = torch.arange(seq_len, device=self.device)
        return by_distance[(position[:, None] - position).abs()]  # (seq_len, seq_len)
