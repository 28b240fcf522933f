"""The numbers of the word order page as tables that other programs read."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from embedlib.tokenizers import Token
from ui.word_order.results import Result


def moves_csv(first: Sequence[Token], second: Sequence[Token], pairs: Sequence[tuple[int, int]]) -> str:
    """Write one line per token: its id, its bytes in hex, its position in each text, empty where it is not there.

    Args:
        first: tokens of one text.
        second: tokens of the other.
        pairs: (position in the first, position in the second) of the tokens that both hold, each position at most once.
    """
    there = dict(pairs)
    in_first = [[*_token(token), position, there.get(position, "")] for position, token in enumerate(first)]
    paired = set(there.values())
    alone = [[*_token(token), "", position] for position, token in enumerate(second) if position not in paired]
    return _csv(["token_id", "bytes", "first", "second"], [*in_first, *alone])


def changes_csv(results: Mapping[str, Result]) -> str:
    """Write one line per scheme: how many rows both texts have, and the relative change of the output."""
    lines = ([name, result.shared, _number(result.change)] for name, result in results.items())
    return _csv(["scheme", "rows_in_both", "relative_change"], lines)


def mask_csv(changes: Mapping[tuple[int, bool], float | None]) -> str:
    """Write one line per encoder without positions: its layers, 1 for the causal mask, and its relative change."""
    lines = ([layers, int(causal), _number(change)] for (layers, causal), change in changes.items())
    return _csv(["layers", "causal", "relative_change"], lines)


def _token(token: Token) -> list[object]:
    """A token's id and bytes: no text, which a spreadsheet could take for a formula."""
    return [token.id, token.bytes.hex(" ")]


def _number(change: float | None) -> str:
    return "" if change is None else repr(change)


def _csv(heading: list[str], lines: Iterable[Sequence[object]]) -> str:
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(lines)
    return target.getvalue()
