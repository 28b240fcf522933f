"""Sinusoidal positions: a sine and a cosine per wavelength, in the three layouts that are in use."""

import math
from typing import Literal

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, cached_by_length
from embedlib.positional.parameters import Parameter
from embedlib.positional.rotation import (
    BASE,
    check_base,
    float64_device,
    geometric_frequencies,
    join_pairs,
    position_angles,
)

Layout = Literal["interleaved", "halves", "tensor2tensor"]
LAYOUTS: tuple[Layout, ...] = ("interleaved", "halves", "tensor2tensor")


def sinusoidal_frequencies(
    d_model: int, *, base: float = 10_000.0, layout: str = "interleaved", device: torch.device | None = None
) -> Tensor:
    """Return the frequency of each sine/cosine pair, fastest first: (d_model/2,) float64, radians per position.

    "interleaved" and "halves" take base^(-2i/d_model); "tensor2tensor" takes base^(-i/(d_model/2 - 1)), where the last
    pair is exactly base times slower than the first.
    """
    if d_model < 2 or d_model % 2:
        raise ValueError(f"d_model={d_model} must be even and at least 2 (sine/cosine pairs)")
    if layout not in LAYOUTS:
        raise ValueError(f"layout={layout!r} must be one of {', '.join(LAYOUTS)}")
    if layout != "tensor2tensor":
        return geometric_frequencies(d_model, base=base, device=device)
    check_base(base)
    pair = torch.arange(d_model // 2, dtype=torch.float64, device=float64_device(device))  # (d_model/2,)
    return torch.exp(-pair * math.log(base) / max(d_model // 2 - 1, 1))  # one pair alone: frequency 1


def sinusoidal_table(
    seq_len: int,
    d_model: int,
    *,
    base: float = 10_000.0,
    layout: str = "interleaved",
    offset: int = 0,
    dtype: torch.dtype = torch.float32,
    device: torch.device | None = None,
) -> Tensor:
    """Sinusoidal position encodings: one sine/cosine pair per wavelength.

    Returns (seq_len, d_model) of dtype, in [-1, 1], row i for position offset + i; each row has norm sqrt(d_model/2).
    Angles are float64 whatever the dtype is.

    Args:
        d_model: even, because columns come in pairs.
        base: at least 1; wavelengths grow from 2π towards 2π·base, in positions.
        layout: "interleaved" (the paper's: sines in even columns, cosines in odd), "halves" (the same numbers, all
            sines first), or "tensor2tensor" (all sines first, and other frequencies).

    Source: Vaswani et al. 2017, §3.5, https://arxiv.org/abs/1706.03762; tensor2tensor's get_timing_signal_1d,
    https://github.com/tensorflow/tensor2tensor
    """
    frequencies = sinusoidal_frequencies(d_model, base=base, layout=layout, device=device)  # (d_model/2,)
    angle = position_angles(frequencies, seq_len, offset=offset)  # (seq_len, d_model/2)
    pairing = "interleaved" if layout == "interleaved" else "halves"
    return join_pairs(angle.sin(), angle.cos(), pairing).to(dtype).to(device)  # (seq_len, d_model)


class SinusoidalPositions(PositionalScheme):
    """Fixed rows of sines and cosines, added to the token rows; no parameters, any length.

    Source: Vaswani et al. 2017, §3.5, https://arxiv.org/abs/1706.03762

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("sinusoidal", d_model=8, n_heads=2)
    >>> scheme.similarity(3).round(decimals=2)
    tensor([[4.0000, 3.5400, 2.5600],
            [3.5400, 4.0000, 3.5400],
            [2.5600, 3.5400, 4.0000]])
    """

    name = "sinusoidal"
    title = N_("Sinusoidal")
    acts_on = frozenset({"embedding"})
    summary = N_(
        "Each position has a row of sines and cosines, fixed in advance, that is added to the token row. The dot "
        "product of two such rows depends on their distance alone. But query and key are sums, token + position, that "
        "went through learned matrices, so a score depends on where the tokens stand, too."
    )
    formula = r"\mathrm{PE}(p, 2i) = \sin\frac{p}{b^{2i/d}}, \qquad \mathrm{PE}(p, 2i+1) = \cos\frac{p}{b^{2i/d}}"
    source = "Vaswani et al. 2017, §3.5, https://arxiv.org/abs/1706.03762"
    past_training = "unseen angles"
    used_by = N_("Transformer (2017), MarianMT, M2M-100, Whisper’s encoder")
    PARAMETERS = (
        Parameter(
            name="layout",
            default="interleaved",
            choices=LAYOUTS,
            summary=N_("Order of dimensions; tensor2tensor has other wavelengths."),
        ),
        BASE,
    )

    layout: str
    base: float

    def build(self) -> None:
        """Check the sizes; rows are computed on demand."""
        sinusoidal_frequencies(self.d_model, base=self.base, layout=self.layout)  # raises here rather than at first use

    def latex(self) -> str:
        """Return the formula with the columns and the frequencies of this scheme's layout."""
        if self.layout == "interleaved":
            return self.formula
        # One pair alone has frequency 1 in both layouts, so the exponent that would divide by 0 is never shown.
        exponent = "i/(d/2-1)" if self.layout == "tensor2tensor" and self.d_model > 2 else "2i/d"
        angle = rf"\frac{{p}}{{b^{{{exponent}}}}}"
        sine, cosine = rf"\mathrm{{PE}}(p, i) = \sin{angle}", rf"\mathrm{{PE}}(p, i+d/2) = \cos{angle}"
        return rf"{sine}, \qquad {cosine}, \qquad 0 \le i < d/2"

    @cached_by_length
    def position_table(self, seq_len: int, *, offset: int = 0) -> Tensor:
        """Return ``sinusoidal_table`` for this scheme's layout and base; see there."""
        return sinusoidal_table(
            seq_len,
            self.d_model,
            base=self.base,
            layout=self.layout,
            offset=offset,
            dtype=self.dtype,
            device=self.device,
        )
