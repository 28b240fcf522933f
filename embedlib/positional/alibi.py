"""ALiBi: a bias that falls linearly with distance, with another slope for each head."""

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme
from embedlib.positional.parameters import Parameter


def alibi_slopes(
    n_heads: int,
    *,
    max_exponent: float = 8.0,
    dtype: torch.dtype = torch.float32,
    device: torch.device | None = None,
) -> Tensor:
    """Return each head's slope, (n_heads,) in (0, 1), all different.

    For a power of two they are 2^(-8h/n_heads), h = 1 … n_heads. Otherwise those of the next lower power P come first,
    then every other slope of 2P (its first, third, …) until there are n_heads. `max_exponent` replaces the 8, as
    alibi_bias_max does in MPT's config.json.

    Source: Press et al. 2021, §3 and the released code, https://arxiv.org/abs/2108.12409
    """
    if n_heads < 1:
        raise ValueError(f"n_heads={n_heads} must be at least 1")
    power = 1 << (n_heads.bit_length() - 1)  # the greatest power of two that is at most n_heads
    slopes = [2 ** (-max_exponent * head / power) for head in range(1, power + 1)]
    slopes += [2 ** (-max_exponent * head / (2 * power)) for head in range(1, 2 * power + 1, 2)][: n_heads - power]
    return torch.tensor(slopes, dtype=dtype, device=device)


def geometric_slopes(n_heads: int, *, max_exponent: float = 8.0) -> Tensor:
    """Return 2^(-max_exponent·h/n_heads) for h = 1 … n_heads, (n_heads,): the paper's formula for any n_heads.

    It equals ``alibi_slopes`` where n_heads is a power of two; elsewhere the released code differs from it.

    Source: Press et al. 2021, §3, https://arxiv.org/abs/2108.12409
    """
    if n_heads < 1:
        raise ValueError(f"n_heads={n_heads} must be at least 1")
    return torch.tensor([2 ** (-max_exponent * head / n_heads) for head in range(1, n_heads + 1)], dtype=torch.float32)


class AlibiPositions(PositionalScheme):
    """Subtracts slope · distance from the logits; nothing is learned, any length.

    Source: Press et al. 2021, https://arxiv.org/abs/2108.12409

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("alibi", d_model=8, n_heads=2)
    >>> scheme.similarity(3).round(decimals=2)
    tensor([[ 0.0000, -0.0300, -0.0700],
            [-0.0300,  0.0000, -0.0300],
            [-0.0700, -0.0300,  0.0000]])
    """

    name = "alibi"
    title = N_("ALiBi")
    acts_on = frozenset({"score"})
    summary = N_(
        "A penalty is subtracted from each attention score: the distance times a slope that each head has for itself."
    )
    formula = (
        r"\mathrm{logit}_{mn} = \frac{q_m \cdot k_n}{\sqrt{d}} - s_h\,|m-n|, \qquad "
        r"s_h = 2^{-8(h+1)/H},\quad h = 0 \dots H-1"
    )
    source = "Press et al. 2021, §3, https://arxiv.org/abs/2108.12409"
    past_training = "continues"
    used_by = N_("BLOOM, MPT")
    PARAMETERS = (
        Parameter(
            name="max_exponent",
            default=8.0,
            minimum=0.01,
            maximum=1000.0,
            summary=N_("The least slope is 2 to minus this number (alibi_bias_max in MPT)."),
        ),
        Parameter(name="divided", default=False, summary=N_("Divides the bias by √(head width) too, as Falcon does.")),
    )

    max_exponent: float
    divided: bool

    def latex(self) -> str:
        """Return the formula with this scheme's exponent and divisor."""
        written = self.formula.replace("{-8(", f"{{-{self.max_exponent:g}(")
        if not self.divided:
            return written
        fraction, bias = r"\frac{q_m \cdot k_n}{\sqrt{d}} - ", r"s_h\,|m-n|,"
        return written.replace(fraction + bias, rf"\frac{{q_m \cdot k_n - {bias[:-1]}}}{{\sqrt{{d}}}},")

    def slopes(self, *, dtype: torch.dtype = torch.float32, device: torch.device | None = None) -> Tensor:
        """Return the slope of each head, (n_heads,), with this scheme's exponent and divisor."""
        slopes = alibi_slopes(self.n_heads, max_exponent=self.max_exponent, dtype=dtype, device=device)
        return slopes / self.head_dim**0.5 if self.divided else slopes

    def distance_bias(self, distance: Tensor) -> Tensor:
        """Return -slope · |distance| for each head, at most 0."""
        slopes = self.slopes(dtype=distance.dtype, device=distance.device)
        return -slopes[:, None] * distance.abs()  # (n_heads, n)
