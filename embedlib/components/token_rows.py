"""One text split by several tokenizers: what the browser is sent of the rows."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from embedlib.i18n import N_
from embedlib.tokenizers import AlignedRow, Token, TokenCounts, token_label

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_(
        "The text, and under it a row of tokens for each tokenizer. Arrows move from character to "
        "character; Enter keeps one."
    ),
    "counts": N_("Tokens by tokenizer"),
    "tokenizer": N_("Tokenizer"),
    "tokens": N_("Tokens"),
    "characters_per_token": N_("Characters per token"),
    "bytes_per_token": N_("Bytes per token"),
    "unknown": N_("{count} of them unknown"),
    "all_unknown": N_("all unknown"),
    "here": N_("Token that holds ‘{character}’"),
    "nothing_here": N_("no token"),
    "part_of": N_("part {part} of {parts}"),
    "parts_here": N_("{parts} tokens"),
    "hint": N_("Point at a character to see the token that holds it in each row; click to keep it."),
    "hint_touch": N_("Tap a character to see the token that holds it in each row."),
    "one_of_chosen": N_("{tokenizer}: ‘{label}’ {id}"),
    "none_of_chosen": N_("{tokenizer}: {words}"),
    "crowd": N_("{count} more tokens"),
    "line": N_("Line {first} of {count}"),
    "lines": N_("Lines {first}–{last} of {count}"),
    "lines_before": N_("Previous lines"),
    "lines_next": N_("Next lines"),
    "readout": N_("{tokenizer}, {number} of {count}: ‘{label}’, id {id}"),
    "empty": N_("There is no text yet: type one above."),
    "all_agree": N_("The tokenizers cut the text in the same places"),
    "some_empty": N_("The tokenizers cut the text in the same places, but {names} drop the spaces"),
    "place": N_("Difference {number} of {count} between the tokenizers"),
    "one_place": N_("The tokenizers disagree in 1 place"),
    "no_place": N_("The tokenizers disagree in {count} places"),
    "before": N_("Previous difference"),
    "next": N_("Next difference"),
    "stored_order": N_("Characters stand in the order in which they are stored."),
}


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The tokens of one tokenizer, in columns: column c is the text's displayed character c."""

    title: str
    """The tokenizer's name."""
    first: Sequence[int]
    """Per token, the column that it begins in, at least where the one before ends."""
    last: Sequence[int]
    """Per token, the column that it ends in, at least `first`."""
    ids: Sequence[int]
    """Per token, its id."""
    characters_per_token: float | None
    """As the head of the row says it; None without tokens."""
    bytes_per_token: float | None
    """As the head of the row says it; None without tokens."""
    labels: Mapping[int, str] = field(default_factory=dict)
    """Index of a token -> how it is written, where that is not simply its characters: "⟨E6 97⟩", "##ing", "[UNK]"."""
    unknown: int = 0
    """How many of its tokens stand for what the tokenizer does not know, and so hold nothing of the text."""


@dataclass(frozen=True, slots=True)
class PackedRows:
    """The encoded rows, without the selection."""

    header: str
    """A JSON object."""
    numbers: bytes
    """First and last columns and ids of each row, as little-endian int32."""
    count: int
    """Characters of the text."""

    @property
    def size(self) -> int:
        """Bytes of the header, with four per character, and of the numbers."""
        return 4 * len(self.header) + len(self.numbers)


def token_row(
    title: str,
    tokens: Sequence[Token],
    aligned: AlignedRow,
    counts: TokenCounts,
    *,
    names: Mapping[int, str],
    unknown: int = 0,
) -> TokenRow:
    """Describe the tokens of one tokenizer.

    Args:
        title: the tokenizer's name.
        tokens: of the text.
        aligned: the same tokens in columns.
        counts: of the text and its tokens.
        names: the vocabulary's spelling by token id, "##ing" or "[UNK]"; empty where that is the text itself.
        unknown: how many tokens stand for what the tokenizer does not know.
    """
    if names:
        spelled = {token_id: token_label(name.encode()) for token_id, name in names.items()}
        labels = {
            at: spelled[token.id] for at, token in enumerate(tokens) if spelled[token.id] != token_label(token.bytes)
        }
    else:
        shared = np.flatnonzero((aligned.first_parts > 1) | (aligned.last_parts > 1)).tolist()
        labels = {at: token_label(tokens[at].bytes) for at in shared}
    return TokenRow(
        title=title,
        first=aligned.first.tolist(),
        last=aligned.last.tolist(),
        ids=[token.id for token in tokens],
        characters_per_token=counts.characters_per_token,
        bytes_per_token=counts.bytes_per_token,
        unknown=unknown,
        labels=labels,
    )


def pack_rows(
    characters: Sequence[str],
    rows: Sequence[TokenRow],
    *,
    differing: Sequence[tuple[int, int]],
    labels: Mapping[str, str],
) -> PackedRows:
    """Encode the rows for token_rows; deterministic, so that it can be cached.

    `differing` are stretches (first column, one past the last) in which the rows are split at different places, in
    order and apart from each other.
    """
    header = {
        "characters": list(characters),
        "rows": [_row_header(row) for row in rows],
        "differing": [list(stretch) for stretch in differing],
        "labels": dict(labels),
    }
    numbers = torch.tensor(
        [n for row in rows for part in (row.first, row.last, row.ids) for n in part], dtype=torch.int32
    )
    return PackedRows(json.dumps(header, allow_nan=False), numbers.numpy().astype("<i4").tobytes(), len(characters))


def _row_header(row: TokenRow) -> dict[str, object]:
    return {
        "title": row.title,
        "count": len(row.ids),
        "characters_per_token": row.characters_per_token,
        "bytes_per_token": row.bytes_per_token,
        "unknown": row.unknown,
        "labels": {str(index): label for index, label in row.labels.items()},
    }
