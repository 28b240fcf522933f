"""Scalings of RoPE: slower rotations, so that positions past the trained length have angles that occur in training."""

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from embedlib.positional.rotation import geometric_frequencies

Scaling = Literal["none", "linear", "ntk", "dynamic_ntk", "yarn", "llama3", "longrope", "proportional"]
# Those that need a factor and a trained length only: any trained model can be tested under each of them.
SCALINGS: tuple[Scaling, ...] = ("none", "linear", "ntk", "dynamic_ntk", "yarn", "llama3")
ALL_SCALINGS: tuple[Scaling, ...] = (*SCALINGS, "longrope", "proportional")


@dataclass(frozen=True, slots=True)
class RopeScaling:
    """A change of a rotation's frequencies.

    Attributes:
        kind: "none"; "linear" (position interpolation: all frequencies divided by factor); "ntk" (a greater base, so
            that the last pair slows down by factor and the first not at all); "dynamic_ntk" (the same, by as much as
            the current length needs, and nothing up to the original length); "yarn" (fast pairs keep their frequency,
            slow pairs are divided by factor, with a ramp between them over the index of the pair); "llama3" (likewise,
            with a ramp over the number of turns of a pair); "longrope" (each pair divided by a number of its own: one
            list up to the original length, another for all positions of a longer text); "proportional" (only the first
            share of pairs rotates, and the exponents are over all columns).
        factor: how many times longer than in training the text may be, at least 1. longrope takes its amplitude from it
            and proportional divides all frequencies by it.
        original_max_seq_len: length of the texts in training, at least 1: for dynamic_ntk, yarn, llama3 and longrope.
        low_freq_factor: llama3 divides wavelengths above original_max_seq_len / low_freq_factor by factor; above 0.
        high_freq_factor: llama3 keeps wavelengths below original_max_seq_len / high_freq_factor; above low_freq_factor.
        beta_fast: yarn keeps pairs with at least this many turns over the original length; at least beta_slow.
        beta_slow: yarn interpolates pairs with at most this many; above 0.
        truncate: yarn's ramp begins and ends at whole pairs, as in released code; gpt-oss sets it False.
        attention_factor: factor of yarn and longrope on rotated columns; 0 takes it from factor, and in yarn from the
            next two.
        mscale: with mscale_all_dim, of yarn's factor in DeepSeek's models; 0 where it is not set, as there.
        mscale_all_dim: likewise; see ``amplitude``.
        short_factor: longrope's divisor of each pair's frequency in texts up to the original length, above 0; none for
            1 everywhere.
        long_factor: the same in longer texts.
        share: of the pairs that rotate, in (0, 1]: for proportional.

    Source: Chen et al. 2023 (linear), https://arxiv.org/abs/2306.15595; Peng et al. 2023 (ntk, dynamic_ntk, yarn),
    https://arxiv.org/abs/2309.00071; Llama 3.1's released code (llama3), https://arxiv.org/abs/2407.21783; Ding et al.
    2024 (longrope, "su" in older files), https://arxiv.org/abs/2402.13753, as in Phi-3; transformers'
    modeling_rope_utils (proportional, as in Gemma 4)
    """

    kind: str = "none"
    factor: float = 4.0
    original_max_seq_len: int = 1024
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    truncate: bool = True
    attention_factor: float = 0.0
    mscale: float = 0.0
    mscale_all_dim: float = 0.0
    short_factor: tuple[float, ...] = ()
    long_factor: tuple[float, ...] = ()
    share: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in ALL_SCALINGS:
            raise ValueError(f"scaling={self.kind!r} must be one of {', '.join(ALL_SCALINGS)}")
        for name, value in (("factor", self.factor), ("original_max_seq_len", self.original_max_seq_len)):
            if not (math.isfinite(value) and value >= 1):
                raise ValueError(f"{name}={value} must be finite and at least 1")
        if not 0 < self.low_freq_factor < self.high_freq_factor < math.inf:
            raise ValueError(
                f"low_freq_factor={self.low_freq_factor}, high_freq_factor={self.high_freq_factor}: "
                "both must be above 0, and the high one above the low one"
            )
        if not 0 < self.beta_slow <= self.beta_fast < math.inf:
            raise ValueError(
                f"beta_slow={self.beta_slow}, beta_fast={self.beta_fast}: "
                "both must be above 0, and the fast one at least the slow one"
            )
        for name in ("attention_factor", "mscale", "mscale_all_dim"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name}={getattr(self, name)} must be finite and at least 0")
        for name in ("short_factor", "long_factor"):
            if not all(0 < number < math.inf for number in getattr(self, name)):
                raise ValueError(f"{name} must be finite numbers above 0")
        if not 0 < self.share <= 1:
            raise ValueError(f"share={self.share} must be above 0 and at most 1")

    def check_rotation(self, rotary_dim: int, base: float) -> None:
        """Raise ValueError where this scaling is undefined for so few columns, or for so small a base."""
        if self.kind in ("ntk", "dynamic_ntk") and rotary_dim < 4:
            raise ValueError(f"rotary_dim={rotary_dim} must be at least 4 for scaling={self.kind!r}")
        if self.kind == "yarn" and base <= 1:
            raise ValueError(f"base={base} must be above 1 for scaling='yarn'")
        if self.kind != "longrope":
            return
        if self.original_max_seq_len < 2:
            raise ValueError(
                f"original_max_seq_len={self.original_max_seq_len} must be at least 2 for scaling='longrope'"
            )
        for name in ("short_factor", "long_factor"):
            if len(getattr(self, name)) not in (0, rotary_dim // 2):
                raise ValueError(
                    f"{name} has {len(getattr(self, name))} numbers: give {rotary_dim // 2}, one for each pair of "
                    f"rotary_dim={rotary_dim}"
                )

    def amplitude(self) -> float:
        """Return the factor on rotated columns; logits take its square.

        1 unless kind is "yarn" or "longrope". Then attention_factor where it is set. Else for longrope √(1 + ln(factor)
        / ln(original_max_seq_len)). Else for yarn, with m(x) = 0.1·x·ln(factor) + 1, m(mscale) / m(mscale_all_dim)
        where both are set, or m(1).
        """
        if self.kind not in ("yarn", "longrope"):
            return 1.0
        if self.attention_factor:
            return self.attention_factor
        if self.kind == "longrope":
            return math.sqrt(1 + math.log(self.factor) / math.log(self.original_max_seq_len))
        log = 0.1 * math.log(self.factor)
        if self.mscale and self.mscale_all_dim:
            return (self.mscale * log + 1) / (self.mscale_all_dim * log + 1)
        return log + 1


def scaled_base(rotary_dim: int, scaling: RopeScaling, *, base: float = 10_000.0, seq_len: int = 1) -> float:
    """Return the base after scaling.

    base · s^(D/(D-2)) for ntk, base · (s·L'/L - (s - 1))^(D/(D-2)) for dynamic_ntk with L' at least L, else base. s is
    factor, L original_max_seq_len.
    """
    scaling.check_rotation(rotary_dim, base)
    if scaling.kind == "ntk":
        return float(base * scaling.factor ** (rotary_dim / (rotary_dim - 2)))
    if scaling.kind == "dynamic_ntk":
        times = max(seq_len, scaling.original_max_seq_len) / scaling.original_max_seq_len
        return float(base * (scaling.factor * times - (scaling.factor - 1)) ** (rotary_dim / (rotary_dim - 2)))
    return base


def scaled_frequencies(
    rotary_dim: int,
    scaling: RopeScaling,
    *,
    base: float = 10_000.0,
    seq_len: int = 1,
    device: torch.device | None = None,
) -> Tensor:
    """Return the frequency of each pair after scaling, (rotary_dim/2,) float64, radians per position.

    In (0, 1], but longrope may exceed 1, and proportional has 0 for pairs that do not rotate.
    """
    base = scaled_base(rotary_dim, scaling, base=base, seq_len=seq_len)
    plain = geometric_frequencies(rotary_dim, base=base, device=device)  # (rotary_dim/2,)
    if scaling.kind == "linear":
        return plain / scaling.factor
    if scaling.kind == "proportional":
        n_turned = int(scaling.share * rotary_dim / 2 + 1e-9)
        return torch.cat([plain[:n_turned] / scaling.factor, torch.zeros_like(plain[n_turned:])])
    if scaling.kind == "longrope":
        divisors = scaling.long_factor if seq_len > scaling.original_max_seq_len else scaling.short_factor
        return plain / torch.tensor(divisors or 1.0, dtype=plain.dtype, device=plain.device)
    if scaling.kind == "yarn":
        interpolated = _yarn_ramp(plain, rotary_dim, scaling, base)
    elif scaling.kind == "llama3":
        interpolated = _llama3_ramp(plain, scaling)
    else:
        return plain
    return plain * (1 - interpolated) + plain / scaling.factor * interpolated


def _yarn_ramp(plain: Tensor, rotary_dim: int, scaling: RopeScaling, base: float) -> Tensor:
    """Return a ramp from 0 to 1 over the index of the pair."""

    def pair_that_turns(times: float) -> float:
        return rotary_dim * math.log(scaling.original_max_seq_len / (times * 2 * math.pi)) / (2 * math.log(base))

    low, high = pair_that_turns(scaling.beta_fast), pair_that_turns(scaling.beta_slow)
    if scaling.truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, rotary_dim - 1)
    width = high - low if high != low else 0.001  # a step
    pair = torch.arange(len(plain), dtype=plain.dtype, device=plain.device)
    return ((pair - low) / width).clamp(0, 1)  # (rotary_dim/2,)


def _llama3_ramp(plain: Tensor, scaling: RopeScaling) -> Tensor:
    """Return a ramp from 1 to 0 over the number of turns of a pair in the original length."""
    turns = scaling.original_max_seq_len * plain / (2 * math.pi)  # (rotary_dim/2,)
    kept = (turns - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor)
    return 1 - kept.clamp(0, 1)
