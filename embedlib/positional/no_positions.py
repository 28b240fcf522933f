"""No positions at all: only the causal mask remains."""

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme


class NoPositions(PositionalScheme):
    """Adds nothing anywhere (NoPE).

    Source: Haviv et al. 2022, https://arxiv.org/abs/2203.16634; Kazemnejad et al. 2023, https://arxiv.org/abs/2305.19466

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("none", d_model=8, n_heads=2)
    >>> scheme.similarity(3).round(decimals=2)
    tensor([[0., 0., 0.],
            [0., 0., 0.],
            [0., 0., 0.]])
    """

    name = "none"
    title = N_("No positions (NoPE)")
    acts_on = frozenset()
    summary = N_(
        "Nothing is added. Attention alone cannot tell one order from another; only a mask that hides later tokens "
        "lets it show."
    )
    formula = r"x_p = E[t_p]"
    source = (
        "Haviv et al. 2022, https://arxiv.org/abs/2203.16634; Kazemnejad et al. 2023, https://arxiv.org/abs/2305.19466"
    )
    past_training = "continues"
    used_by = N_("layers of Llama 4 and SmolLM3")

    def _similarity(self, seq_len: int) -> Tensor:
        return torch.zeros(seq_len, seq_len, dtype=self.dtype, device=self.device)
