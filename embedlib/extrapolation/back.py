"""Repeat the value that stood some positions before: the answer depends on positions alone."""

from dataclasses import dataclass
from typing import ClassVar

import torch

from embedlib.extrapolation.base import Batch, check_whole
from embedlib.streams import stream

MOST_VALUES = 65_536
MOST_LENGTH = 8_192  # in training


@dataclass(frozen=True)
class BackTask:
    """Repeat the value that stood some positions before.

    A sequence of length n is n values, drawn with repetition; from position ``back`` on each is scored by the value
    ``back`` positions before it. The answer depends on positions alone.

    Attributes:
        n_values: values 0 … n_values - 1.
        back: how far to look back, at least 1.
        shortest: fewest positions in training, above back.
        longest: most positions in training.

    Raises:
        ValueError: a number out of range.
    """

    kind: ClassVar[str] = "k_back"
    n_values: int = 16
    back: int = 3
    shortest: int = 8
    longest: int = 32

    def __post_init__(self) -> None:
        check_whole("n_values", self.n_values, 2, MOST_VALUES)
        check_whole("back", self.back, 1, MOST_LENGTH - 1)
        check_whole("shortest", self.shortest, self.back + 1, MOST_LENGTH)
        check_whole("longest", self.longest, self.shortest, MOST_LENGTH)

    @property
    def vocab_size(self) -> int:
        """The values."""
        return self.n_values

    @property
    def longest_possible(self) -> None:
        """No end."""
        return

    def seq_len(self, length: int) -> int:
        """Return length."""
        return length

    def batch(self, length: int, batch_size: int, *, generator: torch.Generator) -> Batch:
        """Draw values, each as likely as any other; see ``Task.batch``."""
        check_whole("length", length, self.back + 1, None)
        values = torch.randint(self.n_values, (batch_size, length), generator=generator)
        return Batch(values, values[:, : -self.back])

    def held_out(self, length: int, n_sequences: int, *, seed: int) -> Batch:
        """Draw from a stream that training never draws from."""
        return self.batch(length, n_sequences, generator=stream(seed, "held out", self.kind, length))
