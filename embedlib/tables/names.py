"""Rows of a table by name: the row of a word, however the table spells it, and a search among all names."""

import mmap
import re
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import overload

import numpy as np

from embedlib.errors import CodedError
from embedlib.tables.errors import TableError

# How tables of word pieces mark a piece that begins a word: GPT-2's vocabulary file, SentencePiece, a plain space.
WORD_STARTS = ("Ġ", "▁", " ")
MAX_MATCHES = 2**16  # of many names, by one search
_PIECE_BYTES = 2**22  # of a text file, looked through at once
_FOUND_KEPT = 10_000  # words that are looked up once
_PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_")


class RowNames:
    """Finds rows by name, in memory; of equal names the first."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self._exact: dict[str, int] = {}
        self._folded: dict[str, int] = {}
        for row, name in enumerate(names):
            self._exact.setdefault(name, row)
            bare = name[1:] if len(name) > 1 and name.startswith(WORD_STARTS) else name
            self._folded.setdefault(bare.casefold(), row)

    def find(self, word: str) -> int | None:
        """Return the row of a word: with the mark that begins a word, else exactly, else in another case; or None."""
        bare = word.strip()
        marked = [word] if word.startswith(WORD_STARTS) else []
        for name in (*marked, *(start + bare for start in WORD_STARTS), word, bare):
            if name in self._exact:
                return self._exact[name]
        return self._folded.get(bare.casefold()) if bare else None

    def find_words(self, text: str) -> list[tuple[str, int | None]]:
        """Split a text into words and punctuation, and return each with its row or None."""
        return [(piece, self.find(piece)) for piece in _PIECE.findall(text)]


class ManyNames(Sequence[str]):
    """Names of a table larger than memory, each made on access."""

    @abstractmethod
    def name(self, row: int) -> str:
        """Return the name of a row."""

    @abstractmethod
    def find_row(self, name: str) -> int | None:
        """Return the first row of exactly this name, or None."""

    @abstractmethod
    def matching_rows(self, query: str, most: int) -> list[int]:
        """Return up to `most` rows whose names contain a text, ignoring the case of ASCII letters; best first."""

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        """Return the name of a row, or those of several."""
        if isinstance(at, slice):
            return [self.name(row) for row in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        return self.name(int(at) % len(self))


class NumberNames(ManyNames):
    """Rows named by their numbers."""

    def __init__(self, n_rows: int) -> None:
        self._n_rows = n_rows

    def __len__(self) -> int:
        """Count the rows."""
        return self._n_rows

    def name(self, row: int) -> str:
        """Write the number."""
        return str(row)

    def find_row(self, name: str) -> int | None:
        """Read a number as `name` writes it."""
        plain = name.isascii() and name.isdecimal() and len(name) <= len(str(self._n_rows))
        row = int(name) if plain and (name == "0" or name[0] != "0") else self._n_rows
        return row if row < self._n_rows else None

    def matching_rows(self, query: str, most: int) -> list[int]:
        """Return rows whose number starts with the digits typed, an exact match first."""
        first = self.find_row(query.strip())
        rows: list[int] = []
        power = 1
        while first is not None and first * power < self._n_rows and len(rows) < most and (first or power == 1):
            rows += range(first * power, min((first + 1) * power, self._n_rows, first * power + most - len(rows)))
            power *= 10
        return rows


class LineNames(ManyNames):
    """Rows named by the lines of a memory-mapped UTF-8 file, in which other bytes become U+FFFD."""

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise TableError("file", file=path.name, known=(".txt",)) from error
        except ValueError as error:  # no bytes to map
            raise TableError("damaged", file=path.name, format=".txt") from error
        ends = [np.empty(0, dtype=np.int64)]
        for start in range(0, len(self._text), _PIECE_BYTES):
            piece = np.frombuffer(self._text[start : start + _PIECE_BYTES], dtype=np.uint8)
            ends.append(np.flatnonzero(piece == ord("\n")) + start)
        if self._text[len(self._text) - 1] != ord("\n"):
            ends.append(np.array([len(self._text)]))
        self._ends = np.concatenate(ends)  # (n_lines,) offsets of the line ends

    def __len__(self) -> int:
        """Count the lines."""
        return len(self._ends)

    def name(self, row: int) -> str:
        """Read the line."""
        return self._text[self._line_start(row) : int(self._ends[row])].decode("utf-8", "replace").removesuffix("\r")

    def find_row(self, name: str) -> int | None:
        """Scan the file for a line."""
        query = name.encode("utf-8", "replace")
        at = -1
        while query and (at := self._text.find(query, at + 1)) >= 0:
            row = int(np.searchsorted(self._ends, at))
            if at == self._line_start(row) and self.name(row) == name:
                return row
        return None

    def matching_rows(self, query: str, most: int) -> list[int]:
        """Return lines equal to the text, then those that begin with it, then those that contain it."""
        folded_query = query.encode("utf-8", "replace").lower()
        pattern = re.compile(re.escape(folded_query))
        rows: list[int] = []
        line = 0  # the first of the piece
        while line < len(self) and len(rows) < most:
            stop = min(
                max(int(np.searchsorted(self._ends, self._line_start(line) + _PIECE_BYTES)), line + 1), len(self)
            )
            start = self._line_start(line)
            piece = self._text[start : int(self._ends[stop - 1])].lower()
            found = np.array([match.start() for match in pattern.finditer(piece)], dtype=np.int64)
            rows += np.unique(np.searchsorted(self._ends, found + start)).tolist()[: most - len(rows)]
            line = stop
        return sorted(rows, key=lambda row: _match_rank(self.name(row).casefold(), query.casefold()))

    def _line_start(self, row: int) -> int:
        return int(self._ends[row - 1]) + 1 if row else 0


class ManyRowNames(RowNames):
    """Finds rows of a table larger than memory by their exact names."""

    def __init__(self, names: ManyNames) -> None:
        self.names = names
        self._found: dict[str, int | None] = {}  # by word: a text is looked up again at each keystroke

    def find(self, word: str) -> int | None:
        """Return the first row of exactly this name, without the spaces around it, or None."""
        bare = word.strip()
        if bare not in self._found:
            if len(self._found) >= _FOUND_KEPT:
                self._found = {}
            self._found[bare] = self.names.find_row(bare) if isinstance(self.names, ManyNames) else None
        return self._found[bare]


def search_names(names: Sequence[str], query: str, *, expression: bool = False, timeout: float = 1.0) -> list[int]:
    """Return the indices of names that contain a text in any case, or match a regular expression anywhere.

    Of a text, exact matches come first, then names that begin with it, then the others; of an expression, in order. Of
    ManyNames, the first MAX_MATCHES that their `matching_rows` finds; nothing matches "". An expression is
    case-sensitive unless it says (?i), and has `timeout` seconds for all names together: CodedError "pattern" if it is
    not well formed, "timeout" if it takes longer.
    """
    if not query:
        return []
    if isinstance(names, ManyNames) and not expression:
        return names.matching_rows(query, MAX_MATCHES)
    return _search_expression(names, query, timeout) if expression else _search_text(names, query)


def _search_text(names: Sequence[str], query: str) -> list[int]:
    folded_query = query.casefold()
    matches = [(index, folded) for index, name in enumerate(names) if folded_query in (folded := name.casefold())]
    return [index for index, _ in sorted(matches, key=lambda entry: _match_rank(entry[1], folded_query))]


def _match_rank(name: str, folded_query: str) -> int:
    bare, folded_query = name.strip(), folded_query.strip()
    return 0 if bare == folded_query else 1 if bare.startswith(folded_query) else 2


def _search_expression(names: Sequence[str], query: str, timeout: float) -> list[int]:
    import time

    import regex  # knows a timeout, which the standard library's re does not

    try:
        pattern = regex.compile(query)
    except regex.error as error:
        raise CodedError(
            "pattern",
            f"the expression is not well formed: {error.msg}; correct it, or search for the text itself",
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
        raise CodedError("timeout", f"the expression took longer than {timeout:g} s: make it simpler") from error
    return indices
