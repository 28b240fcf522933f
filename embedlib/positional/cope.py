"""Contextual positions: a key's distance is how many keys between it and the query the query chooses to count."""

from typing import Literal

import torch
from torch import Tensor

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, check_positions, normal_weights
from embedlib.positional.parameters import SEED, Parameter

Gates = Literal["paper", "code"]
GATES: tuple[Gates, ...] = ("paper", "code")


class CopePositions(PositionalScheme):
    """Opens a gate sigmoid(q_m·k_n) for each key; the gates from n to m add up to a position, and q_m·e[p] is added.

    Positions are fractions, clamped to the last vector; between two of them q_m·e is interpolated. It is added after
    the scaling, like a bias. The paper's formula puts q·k into the gate, its listing q·k/sqrt(head_dim). The sum from n
    to m exists for keys up to the query, so the scheme is causal only, and gates of later keys are closed. Vectors are
    shared by all heads; fresh ones are normal(0, 1/sqrt(head_dim)), drawn on the CPU. Positions depend on the content,
    so similarity is not defined.

    Attributes:
        vectors: (n_vectors, head_dim) e, trainable; row p is position p.

    Source: Golovneva et al. 2024, formula and listing, https://arxiv.org/abs/2405.18719

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("cope", d_model=8, n_heads=2)
    >>> scheme.scores(torch.ones(2, 3, 4), torch.ones(2, 3, 4)).shape
    torch.Size([2, 3, 3])
    """

    name = "cope"
    title = N_("Contextual (CoPE)")
    acts_on = frozenset({"content"})
    causal_only = True
    summary = N_("Distance is counted by content: each query decides which keys in between count.")
    formula = (
        r"g_{mn} = \sigma(q_m \cdot k_n),\quad p_{mn} = \min\Big(\sum_{t=n}^{m} g_{mt},\, p_{\max}\Big),\quad "
        r"\mathrm{logit}_{mn} = \frac{q_m \cdot k_n}{\sqrt{d}} + q_m \cdot e[p_{mn}]"
    )
    source = "Golovneva et al. 2024, https://arxiv.org/abs/2405.18719"
    past_training = "saturates"
    used_by = N_("its paper’s models")
    PARAMETERS = (
        Parameter(
            name="gates",
            default="paper",
            choices=GATES,
            summary=N_("Gate input: q·k (paper) or q·k/√d (code)."),
        ),
        Parameter(
            name="n_vectors",
            default=64,
            minimum=1,
            maximum=65_536,
            summary=N_("Position vectors; farther keys share the last."),
        ),
        SEED,
    )

    gates: str
    n_vectors: int
    seed: int

    def build(self) -> None:
        """Draw fresh vectors."""
        generator = torch.Generator().manual_seed(self.seed)
        self.vectors = normal_weights(self.n_vectors, self.head_dim, std=self.head_dim**-0.5, generator=generator)

    def positions(self, q: Tensor, k: Tensor) -> Tensor:
        """Return how many keys from j to i query i counts, (…, n_heads, seq_len, seq_len) in [0, n_vectors - 1].

        0 for keys after the query; at least float32.
        """
        self.check_heads(q=q, k=k)
        seq_len = q.shape[-2]
        check_positions(seq_len, 0)
        logits = q @ k.transpose(-1, -2)  # (…, n_heads, seq_len, seq_len)
        if self.gates == "code":
            logits = logits * self.logit_scale()
        # Masked before the sigmoid: a later key's gate is exactly 0, and the sum towards the query cannot see it.
        later = torch.ones(seq_len, seq_len, dtype=torch.bool, device=q.device).triu(1)
        opened = logits.to(torch.promote_types(q.dtype, torch.float32)).masked_fill(later, float("-inf")).sigmoid()
        counted = opened.flip(-1).cumsum(-1).flip(-1)  # the sum over t >= j, where t > i adds nothing
        return counted.clamp(max=self.n_vectors - 1)

    def content_scores(self, q: Tensor, k: Tensor, *, causal: bool = True) -> Tensor:
        """Return q_m·e[p_mn], divided by ``logit_scale()`` because it is added after the scaling."""
        if not causal:
            raise ValueError(f"causal={causal} is not defined for scheme {self.name!r}: use causal=True")
        position = self.positions(q, k)  # (…, n_heads, seq_len, seq_len)
        at_vectors = q @ self.vectors.to(q).T  # (…, n_heads, seq_len, n_vectors): q·e at whole positions
        below, above = position.floor().long(), position.ceil().long()
        part = (position - below).to(q.dtype)  # gradients reach the gates through this
        interpolated = at_vectors.gather(-1, below) * (1 - part) + at_vectors.gather(-1, above) * part
        return interpolated / self.logit_scale()

    def terms(self, q: Tensor, k: Tensor) -> dict[str, Tensor]:
        """Return the two terms, whose sum is the logits before the mask."""
        added = self.content_scores(q, k)
        parts = {r"\frac{q_m \cdot k_n}{\sqrt{d}}": q @ k.transpose(-1, -2), r"q_m \cdot e[p_{mn}]": added}
        return {name: part * self.logit_scale() for name, part in parts.items()}
