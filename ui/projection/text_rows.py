"""The reader's text as rows of the table in view, and the chips that stand for them."""

from dataclasses import dataclass
from functools import lru_cache

from embedlib.tokenizers.labels import token_label
from ui import cache
from ui.components.token_chips import Chip
from ui.projection.shown_table import ShownTable
from ui.shared.chips import chips
from ui.shared.text.prepared import MAX_TOKENS

MAX_POINTS = 200  # a line through more points than that is a scribble


@dataclass(frozen=True, slots=True)
class TextRow:
    """One token of the text that has a row.

    Attributes:
        position: in the text, counted over all its tokens.
        row: in the table.
    """

    position: int
    row: int


@dataclass(frozen=True, slots=True)
class TextRows:
    """A text as the table in view reads it.

    Attributes:
        chips: one per token or word, known to the table or not.
        rows: those that have a row, at most MAX_POINTS.
        unknown: the words that have none, each once.
        total: how many tokens or words have a row.
    """

    chips: list[Chip]
    rows: list[TextRow]
    unknown: list[str]
    total: int


def text_rows(table: ShownTable, text: str) -> TextRows:
    """Cut a text as the table does: by its tokenizer, or else into words."""
    if table.names.tokenizer is not None:
        cut = _token_chips(text, table.names.tokenizer) if text else []
        return _limited(cut, [(chip.position, chip.id) for chip in cut], [])
    found = table.names.found.rows_of(text)[:MAX_TOKENS]
    return _limited(
        [_word_chip(position, word, row) for position, (word, row) in enumerate(found)],
        [(position, row) for position, (_, row) in enumerate(found) if row is not None],
        list(dict.fromkeys(word for word, row in found if row is None)),
    )


@lru_cache(maxsize=32)
def _token_chips(text: str, tokenizer: str) -> list[Chip]:
    return chips(cache.tokens_of(text, tokenizer)[:MAX_TOKENS])


def _limited(chips: list[Chip], rows: list[tuple[int, int]], unknown: list[str]) -> TextRows:
    kept = [TextRow(position, row) for position, row in rows[:MAX_POINTS]]
    return TextRows(chips, kept, unknown, len(rows))


def _word_chip(position: int, word: str, row: int | None) -> Chip:
    return Chip(
        position=position,
        id=row or 0,
        label=token_label(word.encode("utf-8", "replace")),
        bytes_hex=word.encode("utf-8", "replace").hex(" ").upper(),
        space_before=position > 0,
        part=1,
        parts=1,
        group=None,
        character="",
        known=row is not None,
    )
