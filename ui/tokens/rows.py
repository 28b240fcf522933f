"""Several tokenizers on one text, row by row under its characters."""

from functools import lru_cache

import numpy as np

from embedlib.alignment import AlignedRow, Alignment
from embedlib.labels import token_label
from embedlib.tokenizers import Token
from ui import state
from ui.bounded_cache import BoundedCache
from ui.components import token_rows as rows_component
from ui.components.token_rows import TokenRow, token_rows
from ui.i18n import translated
from ui.tokens.cache import Cutter, alignment_of, counts_of, tokens_of, trained
from ui.tokens.labels import character_label
from ui.tokens.request import Request
from ui.tokens.titles import title_of

# Which cut (nearly) everywhere: beside them every word would be a place of disagreement.
FINE = ("characters", "bytes")

Cuts = tuple[list[int], list[int], list[int], dict[int, str]]
_cuts: BoundedCache[tuple[Cutter, str, bool], Cuts] = BoundedCache(
    64_000_000, lambda made: 200 + 100 * len(made[0]) + 150 * len(made[3])
)


def side_by_side(request: Request) -> int | None:
    """Draw a row for each tokenizer; return the chosen character's column."""
    aligned = alignment_of(request.cutters, request.text, request.specials)
    chosen = token_rows(
        [character_label(column) for column in aligned.columns],
        [row_of(request, cutter) for cutter in request.cutters],
        differing=differing(request),
        chosen=state.get("character"),
        labels=translated(rows_component.LABELS),
        key="token-rows",
        on_chosen=state.dismiss_notices,
    )
    state.put(character=chosen)
    return chosen


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
        characters_per_token=counted.characters_per_token or 0.0,
        bytes_per_token=counted.bytes_per_token or 0.0,
        labels=labels,
    )


@lru_cache(maxsize=32)
def _differing(cutters: tuple[Cutter, ...], text: str, specials: bool, names: tuple[str, ...]) -> list[tuple[int, int]]:
    found = alignment_of(cutters, text, specials).disagreements(names)
    return [(int(start), int(stop)) for start, stop in found.stretches[found.disputed]]


def _cuts_of(request: Request, cutter: Cutter) -> Cuts:
    """Return where the tokens begin and end, their ids, and how those are written that are not their characters."""

    def cut() -> Cuts:
        aligned = alignment_of(request.cutters, request.text, request.specials)
        row, tokens = aligned.rows[cutter.name], tokens_of(cutter, request.text, request.specials)
        labels = _labels(cutter, tokens, row, aligned)
        return row.first.tolist(), row.last.tolist(), [token.id for token in tokens], labels

    return _cuts.get((cutter, request.text, request.specials), cut)


def _labels(cutter: Cutter, tokens: list[Token], row: AlignedRow, aligned: Alignment) -> dict[int, str]:
    """Write the tokens that are not simply their characters: parts of a character, "##ing", "[UNK]"."""
    if cutter.name in ("wordpiece", "unigram"):
        tokenizer = trained(cutter)
        pieces = {token.id: tokenizer.piece(token.id) for token in tokens}
        return {
            index: token_label(pieces[token.id].encode())
            for index, token in enumerate(tokens)
            if pieces[token.id].encode() != token.bytes
        }
    cut = np.flatnonzero((row.first_parts > 1) | (row.last_parts > 1)).tolist()
    return {index: token_label(tokens[index].bytes) for index in cut}
