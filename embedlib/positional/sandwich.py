"""Sandwich: the product of two sinusoidal rows, as a bias, with another temperature for each head."""

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme
from embedlib.positional.rotation import float64_device

BASE = 10_000.0


class SandwichPositions(PositionalScheme):
    """Adds the dot product of two sinusoidal rows, less that of a row with itself; no parameters, any length.

    Its waves are k = 1 … d_model/2: the fastest of the sinusoidal rows (k = 0, one radian per position) is missing, and
    the slowest turns by 1/10000 exactly. The paper sets the number of waves apart from d_model; here it is d_model/2.

    Source: Chi et al. 2022, https://arxiv.org/abs/2212.10356

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("sandwich", d_model=8, n_heads=2)
    >>> scheme.similarity(3).round(decimals=2)
    tensor([[0., -0., -0.],
            [-0., 0., -0.],
            [-0., -0., 0.]])
    """

    name = "sandwich"
    title = N_("Sandwich")
    acts_on = frozenset({"score"})
    summary = N_("The dot product of two sinusoidal rows is added to each attention score, scaled for each head.")
    formula = (
        r"\mathrm{logit}_{mn} = \frac{q_m \cdot k_n}{\sqrt{d_h}} + \frac{H}{8(h+1)}\, w_{mn}, \qquad "
        r"w_{mn} = \sum_{i=1}^{d/2} \cos\frac{m-n}{10000^{2i/d}} - \frac{d}{2}, \qquad h = 0 \dots H-1"
    )
    source = "Chi et al. 2022, https://arxiv.org/abs/2212.10356"
    past_training = "unseen angles"
    used_by = N_("its paper’s models")

    def build(self) -> None:
        """Check the sizes; the bias is computed on demand."""
        if self.d_model % 2:
            raise ValueError(f"d_model={self.d_model} must be even and at least 2 (sine/cosine pairs)")

    def distance_bias(self, distance: Tensor) -> Tensor:
        """Return (sum of cos(distance · frequency) - d_model/2) / (8h/n_heads) for h = 1 … n_heads, the heads in order.

        Computed in float64.
        """
        exact = distance.to(float64_device(distance.device), torch.float64)
        wave = torch.arange(1, self.d_model // 2 + 1, dtype=exact.dtype, device=exact.device)  # (d_model/2,)
        frequency = torch.pow(BASE, -2 * wave / self.d_model)
        products = torch.outer(exact, frequency).cos().sum(-1) - self.d_model / 2  # (n,)
        head = torch.arange(1, self.n_heads + 1, dtype=exact.dtype, device=exact.device)[:, None]  # (n_heads, 1)
        return (products / (8 * head / self.n_heads)).to(distance)  # (n_heads, n)
