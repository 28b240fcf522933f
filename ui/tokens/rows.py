"""Several tokenizers on one text, row by row under its characters."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from embedlib.tokenizers import Token
from embedlib.tokenizers.alignment import AlignedRow
from embedlib.tokenizers.labels import token_label
from ui.cache.bounded import BoundedCache
from ui.components import token_rows as rows_component
from ui.components.token_rows import PackedRows, TokenRow, packed_rows, token_rows
from ui.i18n import translated
from ui.settings import state
from ui.tokens.cache import Cutter, alignment_of, counts_of, tokens_of, unknown_in
from ui.tokens.labels import SPELLED, character_label, token_name
from ui.tokens.request import Request
from ui.tokens.room import keep_room
from ui.tokens.titles import title_of

# Which cut (nearly) everywhere: beside them every word would be a place of disagreement.
FINE = ("characters", "bytes")

Cuts = tuple[list[int], list[int], list[int], dict[int, str]]
# A long text takes a tenth of a second to pack; most of what a reader changes leaves it as it is.
_packed: BoundedCache[tuple[Request, tuple[str, ...]], PackedRows] = BoundedCache(
    64_000_000, lambda made: 200 + made.size
)


def side_by_side(request: Request) -> int | None:
    """Draw a row for each tokenizer; return the chosen character's column."""
    n_rows = len(request.cutters)
    keep_room("token-rows", wide=160 + 84 * n_rows, narrow=230 + 160 * n_rows)
    as_before = replace(request, closely=request.cutters[0])  # which is looked at closely is not shown here
    labels = translated(rows_component.LABELS)
    chosen = token_rows(
        _packed.get((as_before, tuple(labels.values())), lambda: _pack(request, labels)),
        chosen=state.get("character"),
        key="token-rows",
        on_chosen=state.dismiss_notices,
    )
    state.put(character=chosen)
    return chosen


def _pack(request: Request, labels: dict[str, str]) -> PackedRows:
    aligned = alignment_of(request.cutters, request.text, request.specials)
    return packed_rows(
        [character_label(column) for column in aligned.columns],
        [row_of(request, cutter) for cutter in request.cutters],
        differing=differing(request),
        labels=labels,
    )


def compared(request: Request) -> list[str]:
    """Name the tokenizers among which disagreement is marked: without FINE ones, where two others are left."""
    coarse = [cutter.name for cutter in request.cutters if cutter.name not in FINE]
    return coarse if len(coarse) > 1 else [cutter.name for cutter in request.cutters]


def differing(request: Request) -> list[tuple[int, int]]:
    """Return the stretches of columns that are cut at different places."""
    return _differing(request.cutters, request.text, request.specials, tuple(compared(request)))


def row_of(request: Request, cutter: Cutter) -> TokenRow:
    """Describe what one tokenizer makes of the text."""
    counted = counts_of(cutter, request.text, request.specials)
    first, last, ids, labels = _cuts_of(request, cutter)
    return TokenRow(
        title=title_of(cutter.name),
        first=first,
        last=last,
        ids=ids,
        characters_per_token=counted.characters_per_token,
        bytes_per_token=counted.bytes_per_token,
        unknown=unknown_in(cutter, request.text, request.specials),
        labels=labels,
    )


@lru_cache(maxsize=32)
def _differing(cutters: tuple[Cutter, ...], text: str, specials: bool, names: tuple[str, ...]) -> list[tuple[int, int]]:
    found = alignment_of(cutters, text, specials).disagreements(names)
    return [(int(start), int(stop)) for start, stop in found.stretches[found.disputed]]


def _cuts_of(request: Request, cutter: Cutter) -> Cuts:
    """Return where the tokens begin and end, their ids, and how those are written that are not their characters."""
    aligned = alignment_of(request.cutters, request.text, request.specials)
    row, tokens = aligned.rows[cutter.name], tokens_of(cutter, request.text, request.specials)
    labels = _labels(cutter, tokens, row)
    return row.first.tolist(), row.last.tolist(), [token.id for token in tokens], labels


def _labels(cutter: Cutter, tokens: list[Token], row: AlignedRow) -> dict[int, str]:
    """Write the tokens that are not simply their characters: parts of a character, "##ing", "[UNK]"."""
    if cutter.name in SPELLED:
        names = {token.id: token_name(cutter, token) for token in tokens}
        return {
            index: names[token.id] for index, token in enumerate(tokens) if names[token.id] != token_label(token.bytes)
        }
    cut = np.flatnonzero((row.first_parts > 1) | (row.last_parts > 1)).tolist()
    return {index: token_label(tokens[index].bytes) for index in cut}
