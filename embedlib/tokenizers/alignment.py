"""Several tokenizations of one text, laid over its characters as they are read."""

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass

import numpy as np

from embedlib.tokenizers.aligned_rows import AlignedRow, Ints, aligned_row
from embedlib.tokenizers.base import Token
from embedlib.tokenizers.disagreements import Disagreements, find_disagreements
from embedlib.tokenizers.graphemes import byte_starts, graphemes
from embedlib.tokenizers.spans import TokenSpans

__all__ = ["AlignedRow", "Alignment", "Counts", "Disagreements", "align", "counts"]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many tokens a text becomes, and what of it there is in one of them.

    Attributes:
        tokens: number of tokens.
        characters: of the text, as they are read.
        code_points: of the text, as Python's len counts them.
        bytes: of the text in UTF-8.
    """

    tokens: int
    characters: int
    code_points: int
    bytes: int

    @property
    def characters_per_token(self) -> float | None:
        """Characters as they are read for each token; None without tokens."""
        return self.characters / self.tokens if self.tokens else None

    @property
    def bytes_per_token(self) -> float | None:
        """Bytes for each token; None without tokens."""
        return self.bytes / self.tokens if self.tokens else None


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Several tokenizations of one text over its columns.

    Attributes:
        columns: the text's characters as they are read, in the order in which they are stored; joined, the text.
        starts: (n_columns + 1,) where each begins in the text's UTF-8 bytes, and the number of bytes.
        rows: for each tokenizer, where its tokens lie.
    """

    columns: list[str]
    starts: Ints
    rows: dict[str, AlignedRow]

    def counts(self, name: str) -> Counts:
        """Count the text and one tokenizer's tokens, as `counts` does, without reading the text again.

        Args:
            name: a key of rows.
        """
        code_points = sum(map(len, self.columns))
        return Counts(len(self.rows[name].first), len(self.columns), code_points, int(self.starts[-1]))

    def disagreements(self, names: Sequence[str] | None = None) -> Disagreements:
        """Find the places where some tokenizers cut and others do not.

        White space that belongs to no token is no cut by itself: "the" and "cat" beside a space of nobody's agree with
        "the" and " cat". Only a token that goes from before such a space to after it disagrees.

        Args:
            names: those to compare, keys of rows; None compares all. With bytes or characters among them nearly every
                word is a disagreement.

        Returns:
            Places, columns and stretches; of one tokenizer or none, no disagreement.

        Raises:
            ValueError: a name is not among the rows.
        """
        chosen = tuple(self.rows if names is None else names)
        for name in chosen:
            if name not in self.rows:
                raise ValueError(f"name={name!r} is not aligned here: choose among {', '.join(self.rows)}")
        return find_disagreements({name: self.rows[name] for name in chosen}, len(self.columns))


def counts(text: str, tokens: Sized) -> Counts:
    """Count a text and its tokens.

    Args:
        text: all of it, white space between tokens too.
        tokens: its tokens, their ids, or TokenSpans.

    Returns:
        The numbers.
    """
    return Counts(len(tokens), len(graphemes(text)), len(text), len(text.encode()))


def align(text: str, tokenizations: Mapping[str, Sequence[Token] | TokenSpans]) -> Alignment:
    """Lay several tokenizations of a text over its characters.

    Args:
        text: the text that was tokenized.
        tokenizations: for each tokenizer its tokens, in order, one by one or as TokenSpans.

    Returns:
        The columns and, for each tokenizer, where its tokens lie. 20,000 characters by nine tokenizers take some
        tens of milliseconds.

    Raises:
        ValueError: tokens that lie outside the text or are not in its order.
    """
    columns = graphemes(text)
    starts = byte_starts(columns)
    column_of_byte = np.repeat(np.arange(len(columns)), np.diff(starts))
    rows = {name: aligned_row(name, tokens, column_of_byte, len(columns)) for name, tokens in tokenizations.items()}
    return Alignment(columns, starts, rows)
