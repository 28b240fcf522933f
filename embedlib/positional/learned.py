"""Learned absolute positions: a second embedding table, looked up by position."""

from typing import ClassVar

import torch
from torch import Tensor, nn

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, check_positions
from embedlib.positional.parameters import Parameter
from embedlib.positional.trained import (
    IF_RANDOM,
    INITIAL_STD,
    N_TRAINED,
    SEED_IF_RANDOM,
    WEIGHTS,
    trained_values,
)


class LearnedPositions(PositionalScheme):
    """One trainable row per position, up to max_seq_len and no further.

    A fresh table is normal(0, std), drawn on the CPU. With std=1 it is bit-equal to
    ``torch.manual_seed(seed); torch.nn.Embedding(max_seq_len, d_model).weight``; the global random state is left alone.

    With weights="trained", which needs d_model 64, the first 128 rows are those of a small decoder, trained on windows
    of 128 characters. Later rows are as fresh as its rows were at first: normal(0, 0.02), from seed 0.

    Attributes:
        table: (max_seq_len, d_model) float32, trainable.

    Source: Devlin et al. 2018, §3, https://arxiv.org/abs/1810.04805; Radford et al. 2019 (GPT-2),
    https://github.com/openai/gpt-2

    >>> from embedlib import make_scheme
    >>> scheme = make_scheme("learned", d_model=8, n_heads=2)
    >>> scheme.similarity(3).shape
    torch.Size([3, 3])
    """

    name = "learned"
    title = N_("Learned positions")
    acts_on = frozenset({"embedding"})
    any_length = False
    summary = N_("Each position has a row of numbers, learned in training, that is added to the token row.")
    formula = r"x_p = E[t_p] + P[p], \qquad P \in \mathbb{R}^{L \times d}"
    source = (
        "Devlin et al. 2018 (BERT), §3, https://arxiv.org/abs/1810.04805; "
        "Radford et al. 2019 (GPT-2), https://github.com/openai/gpt-2"
    )
    past_training = "undefined"
    used_by = N_("GPT-2, BERT, RoBERTa, OPT")
    PARAMETERS = (
        Parameter(
            name="std",
            default=1.0,
            minimum=0.0,
            summary=N_("Standard deviation of random rows; torch.nn.Embedding: 1, GPT-2: 0.01."),
            only_with=IF_RANDOM,
        ),
        SEED_IF_RANDOM,
        WEIGHTS,
    )
    WEIGHTS: ClassVar = {"trained": {"d_model": 64}}

    std: float
    seed: int
    weights: str

    def build(self) -> None:
        """Draw a fresh table, and copy the trained rows into it with weights="trained"."""
        std, seed = (self.std, self.seed) if self.weights == "random" else (INITIAL_STD, 0)
        generator = torch.Generator().manual_seed(seed)
        rows = torch.empty(self.max_seq_len, self.d_model, dtype=torch.float32).normal_(generator=generator) * std
        if self.weights == "trained":
            rows[:N_TRAINED] = trained_values("learned")[: self.max_seq_len]
        self.table = nn.Parameter(rows)

    def position_table(self, seq_len: int, *, offset: int = 0) -> Tensor:
        """Return rows offset … offset + seq_len - 1, a view of the table; gradients flow back into it.

        Raises:
            ValueError: seq_len or offset out of range, or a position at or past max_seq_len, which has no row.
        """
        check_positions(seq_len, offset)
        if offset + seq_len > self.max_seq_len:
            raise ValueError(
                f"seq_len={seq_len} at offset={offset} asks for position {offset + seq_len - 1}, which is undefined: "
                f"this table ends at position {self.max_seq_len - 1}; shorten the text or raise "
                f"max_seq_len={self.max_seq_len}"
            )
        return self.table[offset : offset + seq_len]  # (seq_len, d_model)

    @classmethod
    def from_rows(cls, rows: Tensor, *, n_heads: int = 1) -> "LearnedPositions":
        """Make the scheme of rows that a model has learned, (max_seq_len, d_model).

        Its other parameters have no effect. The table is a float32 copy on the device of the rows.
        """
        if rows.ndim != 2 or not rows.is_floating_point():
            raise ValueError(f"rows is {rows.dtype} of shape {tuple(rows.shape)}: it must be (max_seq_len, d_model)")
        scheme = cls(d_model=rows.shape[1], n_heads=n_heads, max_seq_len=rows.shape[0]).to(rows.device)
        scheme.table = nn.Parameter(rows.detach().to(torch.float32, copy=True))
        return scheme
