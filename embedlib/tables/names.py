"""The rows of a table by name: of a word, whichever way the table writes it, and by a search among all names."""

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


class SearchError(ValueError):
    """A search that cannot be made; `code` is "pattern" or "timeout", `detail` what the pattern lacks."""

    def __init__(self, message: str, *, code: str, detail: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.detail = detail


def search_names(names: Sequence[str], wanted: str, *, expression: bool = False, timeout: float = 1.0) -> list[int]:
    """Return which names contain a text, or match a regular expression anywhere.

    Args:
        names: any strings.
        wanted: the text, found in any case; or the expression, in which case counts unless it says (?i).
        expression: whether `wanted` is a regular expression.
        timeout: seconds for all names together, after which an expression is given up.

    Returns:
        Indices of the names: those that are the text itself first, then those that begin with it, then the others,
        each group in order; for an expression simply in order. Empty where `wanted` is empty.

    Raises:
        SearchError: an expression that is not well formed (code "pattern"), or one that takes too long ("timeout").
    """
    if not wanted:
        return []
    return _matching(names, wanted, timeout) if expression else _containing(names, wanted)


def _containing(names: Sequence[str], wanted: str) -> list[int]:
    sought = wanted.casefold()
    matches = [(index, folded) for index, name in enumerate(names) if sought in (folded := name.casefold())]

    def rank(entry: tuple[int, str]) -> int:
        bare = entry[1].strip()
        return 0 if bare == sought.strip() else 1 if bare.startswith(sought.strip()) else 2

    return [index for index, _ in sorted(matches, key=rank)]


def _matching(names: Sequence[str], wanted: str, timeout: float) -> list[int]:
    import time

    import regex  # knows a timeout, which the standard library's re does not

    try:
        pattern = regex.compile(wanted)
    except regex.error as error:
        raise SearchError(
            f"the expression is not well formed: {error.msg}; correct it, or search for the text itself",
            code="pattern",
            detail=str(error.msg),
        ) from error
    stop = time.monotonic() + timeout
    indices = []
    try:
        for index, name in enumerate(names):
            left = stop - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if pattern.search(name, timeout=left, concurrent=True):  # concurrent: other threads run meanwhile
                indices.append(index)
    except TimeoutError as error:
        raise SearchError(f"the expression took longer than {timeout:g} s: make it simpler", code="timeout") from error
    return indices
