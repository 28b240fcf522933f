"""Learned absolute positions: a second embedding table, looked up by position."""

from typing import ClassVar

import torch
from torch import Tensor, nn

from embedlib.i18n import N_
from embedlib.positional.base import PositionalScheme, check_positions
from embedlib.positional.parameters import Parameter


class LearnedPositions(PositionalScheme):
    """One trainable row per position, up to max_seq_len and no further.

    A fresh table is normal(0, std), drawn on the CPU. With std=1 it is bit-equal to
    ``torch.manual_seed(seed); torch.nn.Embedding(max_seq_len, d_model).weight``; the global random state is left alone.

    Attributes:
        table: (max_seq_len, d_model) float32, trainable.

    Source: Devlin et al. 2018, §3.2, https://arxiv.org/abs/1810.04805; Radford et al. 2019 (GPT-2),
    https://github.com/openai/gpt-2
    """

    name: ClassVar[str] = "learned"
    title: ClassVar[str] = N_("Learned positions")
    acts_on: ClassVar[frozenset[str]] = frozenset({"embedding"})
    any_length: ClassVar[bool] = False
    summary: ClassVar[str] = N_(
        "Adds a row of a second table, one row per position, trained like the first. "
        "Past the last row there is nothing to add."
    )
    formula: ClassVar[str] = r"x_i = E[t_i] + P[i], \qquad P \in \mathbb{R}^{L \times d}"
    source: ClassVar[str] = (
        "Devlin et al. 2018 (BERT), §3.2, https://arxiv.org/abs/1810.04805; "
        "Radford et al. 2019 (GPT-2), https://github.com/openai/gpt-2"
    )
    past_training: ClassVar[str] = "undefined"
    used_by: ClassVar[str] = N_("GPT-2, BERT, RoBERTa, OPT")
    PARAMETERS: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "std",
            1.0,
            minimum=0.0,
            summary=N_("Spread of the fresh rows: 1 in torch.nn.Embedding, 0.02 in GPT-2."),
        ),
        Parameter("seed", 0, minimum=0, maximum=2**63 - 1, summary=N_("Seed of the random rows.")),
    )

    def __init__(self, *, d_model: int, n_heads: int, max_seq_len: int = 1024, std: float = 1.0, seed: int = 0) -> None:
        """Draw a fresh table.

        Args:
            d_model: width of the token rows, at least 1.
            n_heads: number of attention heads; divides d_model.
            max_seq_len: number of rows, at least 1.
            std: standard deviation of the rows, at least 0.
            seed: of the draw, in [0, 2^63).

        Raises:
            ValueError: a size or parameter out of range.
        """
        super().__init__(d_model=d_model, n_heads=n_heads, max_seq_len=max_seq_len, std=std, seed=seed)
        generator = torch.Generator().manual_seed(int(seed))
        rows = torch.empty(max_seq_len, d_model, dtype=torch.float32).normal_(generator=generator)
        self.table = nn.Parameter(rows * std)

    def position_table(self, seq_len: int, *, offset: int = 0) -> Tensor:
        """Return rows offset … offset + seq_len - 1 of the table; gradients flow back into it.

        Args:
            seq_len: number of positions, at least 1.
            offset: the first position, at least 0.

        Returns:
            (seq_len, d_model), a view of the table.

        Raises:
            ValueError: seq_len or offset out of range, or any position at or past max_seq_len, which has no row.
        """
        check_positions(seq_len, offset)
        if offset + seq_len > self.max_seq_len:
            raise ValueError(
                f"seq_len={seq_len} at offset={offset} asks for position {offset + seq_len - 1}, which is undefined: "
                f"this table ends at position {self.max_seq_len - 1}; shorten the text or raise "
                f"max_seq_len={self.max_seq_len}"
            )
        return self.table[offset : offset + seq_len]  # (seq_len, d_model)
