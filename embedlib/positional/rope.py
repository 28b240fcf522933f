"""Rotary positions: each pair of query and key columns is rotated by an angle that grows with the position."""

from dataclasses import fields
from typing import Any

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, cached_by_length, check_positions
from embedlib.positional.parameters import Parameter, ParameterValue
from embedlib.positional.rope_scaling import ALL_SCALINGS, RopeScaling, scaled_frequencies
from embedlib.positional.rotation import BASE, PAIRING, position_angles, rotate_pairs

_LLAMA3, _YARN, _LONGROPE = ("llama3",), ("yarn",), ("longrope",)


def _setting(
    scalings: tuple[str, ...],
    name: str,
    default: ParameterValue,
    minimum: float | None,
    maximum: float | None,
    summary: str,
) -> Parameter:
    only_with = ("scaling", scalings)
    return Parameter(name=name, default=default, minimum=minimum, maximum=maximum, summary=summary, only_with=only_with)


class RotaryPositions(PositionalScheme):
    """Rotates q and k so that their product depends on the distance between them (RoPE).

    Its similarity is the product of an all-ones query with an all-ones key, over head_dim: the mean over pairs of
    cos(delta·theta), where columns that are not rotated count with angle 0, that is with 1.

    Attributes:
        rotary_dim: number of rotated columns in each head; all of them under "proportional", some by angle 0.
        scaling: how frequencies are changed for texts longer than those in training.

    Source: Su et al. 2021, https://arxiv.org/abs/2104.09864; rotary_fraction as in GPT-NeoX,
    https://arxiv.org/abs/2204.06745; scalings as in ``RopeScaling``

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("rope", d_model=8, n_heads=2)
    >>> scheme.similarity(3).round(decimals=2)
    tensor([[1.0000, 0.7700, 0.2900],
            [0.7700, 1.0000, 0.7700],
            [0.2900, 0.7700, 1.0000]])
    """

    name = "rope"
    title = N_("Rotary (RoPE)")
    acts_on = frozenset({"query_key"})
    summary = N_(
        "Each pair of numbers in query and key is rotated by an angle that grows with the position. The "
        "product of a query and a key then depends on how far apart they stand, and not on where."
    )
    formula = (
        r"\tilde q_m = R_m q_m,\quad \tilde k_n = R_n k_n,\quad "
        r"\tilde q_m^\top \tilde k_n = q_m^\top R_{n-m} k_n,\quad \theta_i = b^{-2i/d}"
    )
    source = "Su et al. 2021 (RoFormer), §3.2, https://arxiv.org/abs/2104.09864"
    past_training = "unseen angles"
    used_by = N_("GPT-J, GPT-NeoX, LLaMA, Mistral, Qwen2")
    PARAMETERS = (
        PAIRING,
        BASE,
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
            choices=ALL_SCALINGS,
            summary=N_("Slows rotations for texts longer than in training."),
        ),
        _setting(ALL_SCALINGS[1:], "factor", 4.0, 1.0, 100_000.0, N_("Longest text divided by trained length.")),
        _setting(
            ("dynamic_ntk", "yarn", "llama3", "longrope"), "original_max_seq_len", 1024, 1, None, N_("Trained length.")
        ),
        _setting(_LLAMA3, "low_freq_factor", 1.0, 0.01, 10.0, N_("Pairs with fewer turns in training are slowed.")),
        _setting(_LLAMA3, "high_freq_factor", 4.0, 0.01, 100.0, N_("Pairs with more turns in training are unchanged.")),
        _setting(_YARN, "beta_fast", 32.0, 0.01, 1000.0, N_("Pairs with more turns in training are unchanged.")),
        _setting(_YARN, "beta_slow", 1.0, 0.01, 10.0, N_("Pairs with fewer turns in training are slowed.")),
        _setting(_YARN, "truncate", True, None, None, N_("Rounds the bounds of slowing to whole pairs.")),
        _setting(
            (*_YARN, *_LONGROPE),
            "attention_factor",
            0.0,
            0.0,
            100.0,
            N_("Multiplies rotated dimensions; 0 takes it from factor."),
        ),
        _setting(_YARN, "mscale", 0.0, 0.0, 100.0, N_("DeepSeek’s numerator of attention_factor; 0: unused.")),
        _setting(
            _YARN, "mscale_all_dim", 0.0, 0.0, 100.0, N_("DeepSeek’s denominator of attention_factor; 0: unused.")
        ),
        _setting(_LONGROPE, "short_factor", (), 1e-6, None, N_("Divides each frequency up to the trained length.")),
        _setting(_LONGROPE, "long_factor", (), 1e-6, None, N_("Divides each frequency in longer texts.")),
    )

    pairing: str
    base: float
    rotary_fraction: float
    scaling: RopeScaling  # made of the parameters after it

    def build(self) -> None:
        """Check the sizes; angles are computed on demand."""
        # The small number keeps .29 · 100 at 29, which is 28.999999999999996 in floating point.
        self.rotary_dim = int(self.head_dim * self.rotary_fraction + 1e-9)
        if self.rotary_dim < 2 or self.rotary_dim % 2:
            raise ValueError(
                f"rotary_fraction={self.rotary_fraction} of head_dim={self.head_dim} (d_model={self.d_model}, "
                f"n_heads={self.n_heads}) is {self.rotary_dim} columns: it must be even and at least 2, as they are "
                "turned in pairs; "
                "choose a d_model that is an even multiple of n_heads, or another fraction"
            )
        values: dict[str, Any] = {field.name: self.parameter_values.get(field.name) for field in fields(RopeScaling)}
        values |= {"kind": self.parameter_values["scaling"], "share": 1.0}
        if values["kind"] == "proportional":
            values["share"], self.rotary_dim = self.rotary_dim / self.head_dim, self.head_dim
        self.scaling = RopeScaling(**values)
        self.scaling.check_rotation(self.rotary_dim, self.base)

    @cached_by_length
    def angles(self, seq_len: int, *, offset: int = 0, device: torch.device | None = None) -> Tensor:
        """Return the angle of each pair at each position, scaling included: (seq_len, rotary_dim/2) float64, radians.

        dynamic_ntk reads offset + seq_len as the current length.
        """
        check_positions(seq_len, offset)
        place = self.device if device is None else device
        frequencies = scaled_frequencies(
            self.rotary_dim, self.scaling, base=self.base, seq_len=offset + seq_len, device=place
        )
        return position_angles(frequencies, seq_len, offset=offset)  # (seq_len, rotary_dim/2)

    def rotate(self, q: Tensor, k: Tensor, *, offset: int = 0) -> tuple[Tensor, Tensor]:
        """Rotate queries and keys by their position.

        Norms stay, but yarn multiplies rotated columns by its amplitude.
        """
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
