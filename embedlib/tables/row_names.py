"""The rows of a table by what they stand for: a word, whichever way the table writes it."""

import re
from collections.abc import Sequence

# How tables of word pieces mark a piece that begins a word: GPT-2's vocabulary file, SentencePiece, a plain space.
WORD_STARTS = ("Ġ", "▁", " ")
_PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_")


class RowNames:
    """Find rows by name.

    Args:
        names: one per row; of equal names the first row is found.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self._exact: dict[str, int] = {}
        self._folded: dict[str, int] = {}
        for row, name in enumerate(names):
            self._exact.setdefault(name, row)
            self._folded.setdefault(_bare(name).casefold(), row)

    def find(self, word: str) -> int | None:
        """Return the row of a word: with its mark if it is given with one, else as a whole word, else in another case.

        Args:
            word: as a reader would write it; spaces around it do not count unless the table has that very name.

        Returns:
            The row, or None where the table has no such word.
        """
        bare = word.strip()
        marked = [word] if word.startswith(WORD_STARTS) else []
        for name in (*marked, *(start + bare for start in WORD_STARTS), word, bare):
            if name in self._exact:
                return self._exact[name]
        return self._folded.get(bare.casefold()) if bare else None

    def rows_of(self, text: str) -> list[tuple[str, int | None]]:
        """Cut a text into words and signs, and find the row of each.

        Args:
            text: any text.

        Returns:
            (word, row or None) in the order of the text.
        """
        return [(piece, self.find(piece)) for piece in _PIECE.findall(text)]


def _bare(name: str) -> str:
    """Return a name without the mark that begins a word."""
    return name[1:] if len(name) > 1 and name.startswith(WORD_STARTS) else name
