"""KERPLE: a bias that falls with distance by a law with two learned numbers for each head."""

from typing import Literal

import torch
from torch import Tensor, nn

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme
from embedlib.positional.parameters import SEED, Parameter

Form = Literal["logarithmic", "power"]
FORMS: tuple[Form, ...] = ("logarithmic", "power")

LEAST = 0.01  # where the released code stops r1 and r2 from falling further
GREATEST_EXPONENT = 2.0  # past it -r1·distance^r2 is no longer a kernel of the kind the paper needs


class KerplePositions(PositionalScheme):
    """Subtracts r1·ln(1 + r2·distance) or r1·distance^r2, with r1 and r2 learned for each head.

    What is trained are the logarithm of r1 and of r2, and in the power form r2 = 2·sigmoid(raw), so that every step
    leaves r1 and r2 positive, and r2 at most 2 as an exponent. Fresh ones are uniform as in the released code, drawn on
    the CPU: logarithmic r1 from (0, 2) and r2 from (0, 1), power r1 from (0, 1) and r2 from (0, 2), none below 0.01.

    Attributes:
        raw_r1: (n_heads,) trainable.
        raw_r2: (n_heads,) trainable.

    Source: Chi et al. 2022, https://arxiv.org/abs/2205.09921; released code https://github.com/chijames/KERPLE

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("kerple", d_model=8, n_heads=2)
    >>> scheme.similarity(3).round(decimals=2)
    tensor([[ 0.0000, -0.1400, -0.2600],
            [-0.1400,  0.0000, -0.1400],
            [-0.2600, -0.1400,  0.0000]])
    """

    name = "kerple"
    title = N_("KERPLE")
    acts_on = frozenset({"score"})
    summary = N_(
        "A penalty is subtracted from each attention score that follows a learned curve of the distance, one for "
        "each head."
    )
    formula = (
        r"\mathrm{logit}_{mn} = \frac{q_m \cdot k_n}{\sqrt{d}} - r_1 \ln(1 + r_2\,|m-n|), \quad \text{or } "
        r"\frac{q_m \cdot k_n}{\sqrt{d}} - r_1\,|m-n|^{r_2}, \qquad r_1, r_2 > 0"
    )
    source = "Chi et al. 2022, https://arxiv.org/abs/2205.09921"
    past_training = "continues"
    used_by = N_("its paper’s models")
    PARAMETERS = (
        Parameter(
            name="form",
            default="logarithmic",
            choices=FORMS,
            summary=N_("Power 1 is ALiBi with trained slopes; logarithmic curves flatten."),
        ),
        SEED,
    )

    form: str
    seed: int

    def build(self) -> None:
        """Draw fresh r1 and r2."""
        generator = torch.Generator().manual_seed(self.seed)
        strength, bend = (2.0, 1.0) if self.form == "logarithmic" else (1.0, 2.0)
        r1 = (strength * torch.rand(self.n_heads, dtype=torch.float32, generator=generator)).clamp(min=LEAST)
        r2 = (bend * torch.rand(self.n_heads, dtype=torch.float32, generator=generator)).clamp(min=LEAST)
        self.raw_r1 = nn.Parameter(r1.log())
        self.raw_r2 = nn.Parameter(r2.log() if self.form == "logarithmic" else (r2 / GREATEST_EXPONENT).logit())

    @property
    def r1(self) -> Tensor:
        """Strength of each head, (n_heads,), above 0."""
        return self.raw_r1.exp()

    @property
    def r2(self) -> Tensor:
        """Bend of each head, (n_heads,), above 0; in the power form an exponent of at most 2."""
        return self.raw_r2.exp() if self.form == "logarithmic" else GREATEST_EXPONENT * self.raw_r2.sigmoid()

    def distance_bias(self, distance: Tensor) -> Tensor:
        """Return minus the law of |distance| for each head, at most 0; gradients flow back into r1 and r2."""
        far = distance.abs()
        r1, r2 = self.r1.to(far.dtype)[:, None], self.r2.to(far.dtype)[:, None]  # (n_heads, 1) each
        return -r1 * ((r2 * far).log1p() if self.form == "logarithmic" else far**r2)  # (n_heads, n)
