"""What training and scoring ask of every task, and a batch of it."""

from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Sequences of one length, and what should follow their last positions.

    Attributes:
        inputs: (batch_size, seq_len) int64 token ids.
        targets: (batch_size, n_scored) int64: what follows each of the last n_scored positions, which alone are scored.
    """

    inputs: Tensor
    targets: Tensor


@runtime_checkable
class Task(Protocol):
    """What training and scoring ask of a task; all lengths are the task's own, see ``seq_len``.

    Attributes:
        kind: key of TASKS.
        shortest: least length in training.
        longest: greatest length in training: past it nothing was met.
    """

    kind: ClassVar[str]

    @property
    def shortest(self) -> int:
        """Least length in training."""

    @property
    def longest(self) -> int:
        """Greatest length in training."""

    @property
    def vocab_size(self) -> int:
        """Number of token ids."""

    @property
    def longest_possible(self) -> int | None:
        """Greatest length that can be asked for; None where there is no end."""

    def seq_len(self, length: int) -> int:
        """Return how many positions a sequence of this length has."""

    def batch(self, length: int, batch_size: int, *, generator: torch.Generator) -> Batch:
        """Draw sequences to train on.

        Args:
            length: of all of them, in the task's own count.
            batch_size: how many, at least 1.
            generator: draws them, on the CPU.

        Returns:
            A Batch on the CPU.

        Raises:
            ValueError: a length that the task does not have.
        """

    def held_out(self, length: int, n_sequences: int, *, seed: int) -> Batch:
        """Return sequences to score with, the same for every scheme.

        Args:
            length: of all of them, in the task's own count.
            n_sequences: how many, at least 1.
            seed: decides them, where they are drawn.

        Returns:
            A Batch on the CPU.

        Raises:
            ValueError: a length that the task does not have.
        """


def check_whole(name: str, value: object, least: int, most: int | None) -> None:
    """Raise ValueError unless a number is whole and within its range; None means that it has no end."""
    if type(value) is not int or value < least or (most is not None and value > most):
        upper = "" if most is None else f" and at most {most}"
        raise ValueError(f"{name}={value!r} must be a whole number, at least {least}{upper}")
