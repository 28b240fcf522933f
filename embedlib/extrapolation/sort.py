"""Sort distinct values: the answer does not depend on where they stood."""

from dataclasses import dataclass
from typing import ClassVar

import torch

from embedlib.extrapolation.base import Batch, check_whole
from embedlib.streams import stream

MOST_VALUES = 65_536


@dataclass(frozen=True)
class SortTask:
    """Read distinct values, then a separator, then write the values in rising order.

    A sequence of length n is n values, the separator, and n - 1 of the answer, 2n positions; the last n are scored,
    each given the right answer so far. Which value comes next does not depend on where the values stood, so a decoder
    without positions is at no loss here.

    Attributes:
        n_values: values 0 … n_values - 1 are sorted; n_values itself is the separator.
        shortest: fewest values in training, at least 1.
        longest: most values in training.

    Raises:
        ValueError: a number out of range.
    """

    kind: ClassVar[str] = "sort"
    n_values: int = 64
    shortest: int = 1
    longest: int = 10

    def __post_init__(self) -> None:
        check_whole("n_values", self.n_values, 2, MOST_VALUES)
        check_whole("shortest", self.shortest, 1, self.n_values)
        check_whole("longest", self.longest, self.shortest, self.n_values)

    @property
    def vocab_size(self) -> int:
        """The values and the separator."""
        return self.n_values + 1

    @property
    def longest_possible(self) -> int:
        """All values, as none comes twice."""
        return self.n_values

    def seq_len(self, length: int) -> int:
        """Return 2·length."""
        return 2 * length

    def batch(self, length: int, batch_size: int, *, generator: torch.Generator) -> Batch:
        """Draw values without repetition, every order as likely as any other; see ``Task.batch``."""
        check_whole("length", length, 1, self.n_values)
        order = torch.rand(batch_size, self.n_values, generator=generator)
        values = order.topk(length, dim=1).indices  # (batch_size, length)
        answer = values.sort(dim=1).values
        separator = torch.full((batch_size, 1), self.n_values)
        return Batch(torch.cat([values, separator, answer[:, :-1]], dim=1), answer)

    def held_out(self, length: int, n_sequences: int, *, seed: int) -> Batch:
        """Draw from a stream that training never draws from; short ones may have been met there all the same."""
        return self.batch(length, n_sequences, generator=stream(seed, "held out", self.kind, length))
