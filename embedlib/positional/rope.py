"""Rotary positions: each pair of query and key columns is turned by an angle that grows with the position."""

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, check_positions
from embedlib.positional.parameters import Parameter
from embedlib.positional.rope_scaling import SCALINGS, RopeScaling, scaled_frequencies
from embedlib.positional.rotation import PAIRINGS, position_angles, rotate_pairs


class RotaryPositions(PositionalScheme):
    """Turns q and k so that their product depends on the distance between them (RoPE).

    Its similarity is the product of an all-ones query with an all-ones key, over head_dim: the mean over pairs of
    cos(delta·theta), where columns that are not turned count with angle 0, that is with 1.

    Attributes:
        rotary_dim: how many columns of each head are turned.
        scaling: how frequencies are changed for texts longer than those in training.

    Source: Su et al. 2021, https://arxiv.org/abs/2104.09864; rotary_fraction as in GPT-NeoX,
    https://arxiv.org/abs/2204.06745; scalings as in ``RopeScaling``
    """

    name = "rope"
    title = N_("Rotary (RoPE)")
    acts_on = frozenset({"query_key"})
    summary = N_("Rotates pairs of query and key columns; q·k then depends only on the distance.")
    formula = (
        r"\tilde q_m = R_m q_m,\quad \tilde k_n = R_n k_n,\quad "
        r"\tilde q_m^\top \tilde k_n = q_m^\top R_{n-m} k_n,\quad \theta_i = b^{-2i/d}"
    )
    source = "Su et al. 2021 (RoFormer), §3.2, https://arxiv.org/abs/2104.09864"
    past_training = "unseen angles"
    used_by = N_("GPT-J, GPT-NeoX, LLaMA, Mistral, Qwen2")
    PARAMETERS = (
        Parameter(
            name="pairing",
            default="interleaved",
            choices=PAIRINGS,
            summary=N_("Adjacent columns, or one from each half."),
        ),
        Parameter(
            name="base",
            default=10_000.0,
            minimum=1.0,
            summary=N_("Wavelengths grow from 2π towards 2π·base."),
        ),
        Parameter(
            name="rotary_fraction",
            default=1.0,
            minimum=0.0,
            maximum=1.0,
            summary=N_("Rotated fraction of each head."),
        ),
        Parameter(
            name="scaling",
            default="none",
            choices=SCALINGS,
            summary=N_("Slows rotations for texts longer than in training."),
        ),
        Parameter(
            name="factor",
            default=4.0,
            minimum=1.0,
            maximum=1000.0,
            summary=N_("Longest text divided by trained length."),
            only_with=("scaling", SCALINGS[1:]),
        ),
        Parameter(
            name="original_max_seq_len",
            default=1024,
            minimum=1,
            summary=N_("Trained length, in tokens."),
            only_with=("scaling", ("dynamic_ntk", "yarn", "llama3")),
        ),
        Parameter(
            name="low_freq_factor",
            default=1.0,
            minimum=0.01,
            maximum=10.0,
            summary=N_("Fewer turns over the trained length: slowed."),
            only_with=("scaling", ("llama3",)),
        ),
        Parameter(
            name="high_freq_factor",
            default=4.0,
            minimum=0.01,
            maximum=100.0,
            summary=N_("More turns over the trained length: unchanged."),
            only_with=("scaling", ("llama3",)),
        ),
        Parameter(
            name="beta_fast",
            default=32.0,
            minimum=0.01,
            maximum=1000.0,
            summary=N_("More turns over the trained length: unchanged."),
            only_with=("scaling", ("yarn",)),
        ),
        Parameter(
            name="beta_slow",
            default=1.0,
            minimum=0.01,
            maximum=10.0,
            summary=N_("Fewer turns over the trained length: slowed."),
            only_with=("scaling", ("yarn",)),
        ),
        Parameter(
            name="truncate",
            default=True,
            summary=N_("Round the ramp's ends to whole pairs."),
            only_with=("scaling", ("yarn",)),
        ),
        Parameter(
            name="attention_factor",
            default=0.0,
            minimum=0.0,
            maximum=100.0,
            summary=N_("Factor of rotated columns; 0: computed."),
            only_with=("scaling", ("yarn",)),
        ),
        Parameter(
            name="mscale",
            default=0.0,
            minimum=0.0,
            maximum=100.0,
            summary=N_("DeepSeek's numerator of the attention factor; 0: unset."),
            only_with=("scaling", ("yarn",)),
        ),
        Parameter(
            name="mscale_all_dim",
            default=0.0,
            minimum=0.0,
            maximum=100.0,
            summary=N_("DeepSeek's denominator of the attention factor; 0: unset."),
            only_with=("scaling", ("yarn",)),
        ),
    )

    pairing: str
    base: float
    rotary_fraction: float
    scaling: RopeScaling  # made of the parameters from here on
    factor: float
    original_max_seq_len: int
    low_freq_factor: float
    high_freq_factor: float
    beta_fast: float
    beta_slow: float
    truncate: bool
    attention_factor: float
    mscale: float
    mscale_all_dim: float

    def build(self) -> None:
        """Check the sizes; angles are computed when asked for."""
        # The small number keeps .29 · 100 at 29, which is 28.999999999999996 in floating point.
        self.rotary_dim = int(self.head_dim * self.rotary_fraction + 1e-9)
        if self.rotary_dim < 2 or self.rotary_dim % 2:
            raise ValueError(
                f"rotary_fraction={self.rotary_fraction} of head_dim={self.head_dim} (d_model={self.d_model}, "
                f"n_heads={self.n_heads}) is {self.rotary_dim} columns: it must be even and at least 2, as they are "
                "turned in pairs; "
                "choose a d_model that is an even multiple of n_heads, or another fraction"
            )
        self.scaling = RopeScaling(
            kind=str(self.parameter_values["scaling"]),
            factor=self.factor,
            original_max_seq_len=self.original_max_seq_len,
            low_freq_factor=self.low_freq_factor,
            high_freq_factor=self.high_freq_factor,
            beta_fast=self.beta_fast,
            beta_slow=self.beta_slow,
            truncate=self.truncate,
            attention_factor=self.attention_factor,
            mscale=self.mscale,
            mscale_all_dim=self.mscale_all_dim,
        )
        self.scaling.check_rotation(self.rotary_dim, self.base)

    def angles(self, seq_len: int, *, offset: int = 0, device: torch.device | None = None) -> Tensor:
        """Return by how much each pair is turned at each position, scaling included.

        Returns: (seq_len, rotary_dim/2) float64, radians. dynamic_ntk reads offset + seq_len as the length at hand.
        """
        check_positions(seq_len, offset)
        place = self.device if device is None else device
        frequencies = scaled_frequencies(
            self.rotary_dim, self.scaling, base=self.base, seq_len=offset + seq_len, device=place
        )
        return position_angles(frequencies, seq_len, offset=offset)  # (seq_len, rotary_dim/2)

    def rotate(self, q: Tensor, k: Tensor, *, offset: int = 0) -> tuple[Tensor, Tensor]:
        """Turn queries and keys by their position; norms stay, but yarn multiplies turned columns by its amplitude."""
        self.check_heads(q=q, k=k)
        angle = self.angles(q.shape[-2], offset=offset, device=q.device)  # (seq_len, rotary_dim/2)
        amplitude = self.scaling.amplitude()
        turned_q = rotate_pairs(q, angle, pairing=self.pairing, amplitude=amplitude)
        return turned_q, rotate_pairs(k, angle, pairing=self.pairing, amplitude=amplitude)

    def _similarity(self, seq_len: int) -> Tensor:
        # One for each distance; both q and k carry the amplitude.
        turned = 2 * self.angles(seq_len).cos().sum(-1) * self.scaling.amplitude() ** 2  # (seq_len,)
        by_distance = ((turned + self.head_dim - self.rotary_dim) / self.head_dim).to(self.dtype).to(self.device)
        position = torch.arange(seq_len, device=self.device)
        return by_distance[(position[:, None] - position).abs()]  # (seq_len, seq_len)
