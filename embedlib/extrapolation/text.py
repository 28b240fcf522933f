"""Guess the next character of a text: the last tenth is held out, and windows of any length are scored there."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from embedlib.extrapolation.base import Batch, check_whole

MOST_CHARACTERS = 1_024  # one id each; a text with more gives its rarest one id together
MOST_LENGTH = 8_192  # in training


class TextTooShort(ValueError):
    """A text that is too short to train on, or to be tested at a length.

    Attributes:
        code: "text_too_short".
        n_characters: how many it has.
        least: how many it must have.
        length: of the windows that do not fit.
    """

    def __init__(self, n_characters: int, least: int, length: int) -> None:
        super().__init__(
            f"text has {n_characters} characters: windows of length={length} need at least {least}, because its last "
            "tenth is held out; give more text, or choose a shorter length"
        )
        self.code = "text_too_short"
        self.n_characters, self.least, self.length = n_characters, least, length

    def __reduce__(self) -> tuple[type["TextTooShort"], tuple[int, int, int]]:
        """Pickle the numbers; ValueError alone would keep the sentence only."""
        return TextTooShort, (self.n_characters, self.least, self.length)


@dataclass(frozen=True)
class TextTask:
    """Guess every next character in windows of one length.

    The last tenth of the text is held out: training never sees it. All positions of a window are scored, so the early
    ones, which see little before them, count in the perplexity of every length.

    Attributes:
        text: at least 10·(length + 1) characters.
        length: characters in a window in training, in [1, 8192].
        characters: those with an id of their own, in the order of their code points, which is that of the ids.
        ids: (n,) int64, the text as ids; not compared, the text is.

    Raises:
        TextTooShort: the held-out tenth is shorter than one window and the character after it.
        ValueError: length out of range.
    """

    kind: ClassVar[str] = "text"
    text: str = field(repr=False)
    length: int = 64
    characters: str = field(init=False, repr=False, compare=False)
    ids: Tensor = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_whole("length", self.length, 1, MOST_LENGTH)
        self._check_length(self.length)
        # Half a surrogate pair is a code point like any other here.
        codes = np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        found, counts = np.unique(codes, return_counts=True)
        kept = np.sort(found[np.argsort(-counts, kind="stable")[:MOST_CHARACTERS]])
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
        """How many characters, from the first, are trained on."""
        return len(self.text) - len(self.text) // 10

    @property
    def longest_possible(self) -> int:
        """The held-out tenth in one window, but for its last character, which is only guessed."""
        return len(self.text) // 10 - 1

    def seq_len(self, length: int) -> int:
        """Return length."""
        return length

    def batch(self, length: int, batch_size: int, *, generator: torch.Generator) -> Batch:
        """Cut windows that begin anywhere in the part to train on; see ``Task.batch``."""
        self._check_length(length)
        starts = torch.randint(self.n_training - length, (batch_size,), generator=generator)
        return self._windows(starts, length)

    def held_out(self, length: int, n_sequences: int, *, seed: int = 0) -> Batch:
        """Cut windows evenly over the held-out tenth, the same whatever the seed; many of them overlap."""
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
            raise TextTooShort(len(self.text), 10 * (length + 1), length)
