"""Tasks of a decoder: sorting, looking back, and the next character, with the positions that are scored."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from embedlib.errors import CodedError
from embedlib.random import stream

MAX_VALUES = 65_536
MAX_LENGTH = 8_192  # in training
MAX_CHARACTERS = 1_024  # one id each; a text with more gives its rarest one id together


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Sequences of one length, and the targets of their last positions.

    Attributes:
        inputs: (batch_size, seq_len) int64 token ids.
        targets: (batch_size, n_scored) int64: the next tokens of the last n_scored positions, which alone are scored.
    """

    inputs: Tensor
    targets: Tensor


def check_whole(name: str, value: object, least: int, most: int | None) -> None:
    """Raise ValueError unless a number is whole and within its range; None is no upper limit."""
    if type(value) is not int or value < least or (most is not None and value > most):
        upper = "" if most is None else f" and at most {most}"
        raise ValueError(f"{name}={value!r} must be a whole number, at least {least}{upper}")


@dataclass(frozen=True)
class BackTask:
    """Repeat the value that stood some positions before.

    A sequence of length n is n values, drawn with repetition; from position ``back`` on each is scored by the value
    ``back`` positions before it. The answer depends on positions alone.

    Attributes:
        n_values: values 0 … n_values - 1.
        back: at least 1.
        shortest: fewest positions in training, above back.
        longest: most positions in training.
    """

    kind: ClassVar[str] = "k_back"
    n_values: int = 16
    back: int = 3
    shortest: int = 8
    longest: int = 32

    def __post_init__(self) -> None:
        check_whole("n_values", self.n_values, 2, MAX_VALUES)
        check_whole("back", self.back, 1, MAX_LENGTH - 1)
        check_whole("shortest", self.shortest, self.back + 1, MAX_LENGTH)
        check_whole("longest", self.longest, self.shortest, MAX_LENGTH)

    @property
    def vocab_size(self) -> int:
        """The values."""
        return self.n_values

    @property
    def longest_possible(self) -> int | None:
        """None: no limit."""
        return None

    def seq_len(self, length: int) -> int:
        """Return length."""
        return length

    def batch(self, length: int, batch_size: int, *, generator: torch.Generator) -> Batch:
        """Draw values uniformly, on the CPU."""
        check_whole("length", length, self.back + 1, None)
        values = torch.randint(self.n_values, (batch_size, length), generator=generator)
        return Batch(values, values[:, : -self.back])

    def held_out(self, length: int, n_sequences: int, *, seed: int) -> Batch:
        """Draw from a random stream that training does not use."""
        return self.batch(length, n_sequences, generator=stream(seed, "held out", self.kind, length))


@dataclass(frozen=True)
class SortTask:
    """Read distinct values, then a separator, then write the values in rising order.

    A sequence of length n is n values, the separator, and n - 1 of the answer, 2n positions; the last n are scored,
    each given the right answer so far. The next value does not depend on the order of the values, so a decoder without
    positions is at no disadvantage.

    Attributes:
        n_values: values 0 … n_values - 1 are sorted; n_values itself is the separator.
        shortest: fewest values in training, at least 1.
        longest: most values in training.
    """

    kind: ClassVar[str] = "sort"
    n_values: int = 64
    shortest: int = 1
    longest: int = 10

    def __post_init__(self) -> None:
        check_whole("n_values", self.n_values, 2, MAX_VALUES)
        check_whole("shortest", self.shortest, 1, self.n_values)
        check_whole("longest", self.longest, self.shortest, self.n_values)

    @property
    def vocab_size(self) -> int:
        """The values and the separator."""
        return self.n_values + 1

    @property
    def longest_possible(self) -> int:
        """All values, for they are distinct."""
        return self.n_values

    def seq_len(self, length: int) -> int:
        """Return 2·length."""
        return 2 * length

    def batch(self, length: int, batch_size: int, *, generator: torch.Generator) -> Batch:
        """Draw distinct values in uniformly random order, on the CPU."""
        check_whole("length", length, 1, self.n_values)
        order = torch.rand(batch_size, self.n_values, generator=generator)
        values = order.topk(length, dim=1).indices  # (batch_size, length)
        answer = values.sort(dim=1).values
        separator = torch.full((batch_size, 1), self.n_values)
        return Batch(torch.cat([values, separator, answer[:, :-1]], dim=1), answer)

    def held_out(self, length: int, n_sequences: int, *, seed: int) -> Batch:
        """Draw from a random stream that training does not use; short sequences may occur in training all the same."""
        return self.batch(length, n_sequences, generator=stream(seed, "held out", self.kind, length))


@dataclass(frozen=True)
class TextTask:
    """Predict every next character in windows of one length.

    The last tenth of the text is held out: training never sees it. All positions of a window are scored, so the early
    ones, with little context, count in the perplexity of every length.

    Attributes:
        text: at least 10·(length + 1) characters.
        length: characters in a window in training, in [1, 8192].
        characters: those with an id of their own, in the order of their code points, which is that of the ids.
        ids: (n,) int64, the text as ids; not compared, the text is.

    Raises:
        CodedError: the held-out tenth is shorter than one window and the character after it.
        ValueError: length out of range.
    """

    text: str = field(repr=False)
    length: int = 64
    characters: str = field(init=False, repr=False, compare=False)
    ids: Tensor = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_whole("length", self.length, 1, MAX_LENGTH)
        self._check_length(self.length)
        # Half a surrogate pair is a code point like any other here.
        codes = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        characters, counts = np.unique(codes, return_counts=True)
        kept = np.sort(characters[np.argsort(-counts, kind="stable")[:MAX_CHARACTERS]])
        place = np.searchsorted(kept, codes).clip(max=len(kept) - 1)
        ids = np.where(kept[place] == codes, place, len(kept))
        object.__setattr__(self, "characters", "".join(map(chr, kept.tolist())))
        object.__setattr__(self, "ids", torch.from_numpy(ids.astype(np.int64)))

    @property
    def shortest(self) -> int:
        """Every window has the same length."""
        return self.length

    @property
    def longest(self) -> int:
        """Every window has the same length."""
        return self.length

    @property
    def vocab_size(self) -> int:
        """The characters, and one id for all others together, whether the text has any or not."""
        return len(self.characters) + 1

    @property
    def n_training(self) -> int:
        """Number of characters, from the first on, in the training part."""
        return len(self.text) - len(self.text) // 10

    @property
    def longest_possible(self) -> int:
        """The held-out tenth in one window, but for its last character, which is a target only."""
        return len(self.text) // 10 - 1

    def seq_len(self, length: int) -> int:
        """Return length."""
        return length

    def batch(self, length: int, batch_size: int, *, generator: torch.Generator) -> Batch:
        """Cut windows at random places of the training part, on the CPU."""
        self._check_length(length)
        starts = torch.randint(self.n_training - length, (batch_size,), generator=generator)
        return self._windows(starts, length)

    def held_out(self, length: int, n_sequences: int, *, seed: int = 0) -> Batch:
        """Cut evenly spaced windows of the held-out tenth, the same for every seed; many of them overlap."""
        self._check_length(length)
        last = len(self.text) - length - 1
        starts = torch.linspace(self.n_training, last, n_sequences, dtype=torch.float64).long()
        return self._windows(starts, length)

    def _windows(self, starts: Tensor, length: int) -> Batch:
        ids = self.ids[starts[:, None] + torch.arange(length + 1)]  # (n_windows, length + 1)
        return Batch(ids[:, :-1], ids[:, 1:])

    def _check_length(self, length: int) -> None:
        check_whole("length", length, 1, None)
        if length > self.longest_possible:
            least = 10 * (length + 1)
            raise CodedError(
                "text_too_short",
                f"text has {len(self.text)} characters: windows of length={length} need at least {least}, because its "
                "last tenth is held out; give more text, or choose a shorter length",
                n_characters=len(self.text),
                least=least,
                length=length,
            )


# All lengths are the task's own, see its ``seq_len``; ``held_out`` gives the same sequences to every scheme.
Task = SortTask | BackTask | TextTask
