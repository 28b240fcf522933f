"""The numbers of the tokens page as tables that other programs read."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from embedlib.tokenizers import LanguageCount, Token


def tokens_csv(tokenizations: Mapping[str, Sequence[Token]]) -> str:
    """Write one line per tokenizer and token: its position, id and bytes, and where it lies in the text's UTF-8 bytes.

    The bytes are in hex: as text a spreadsheet could take them for a formula.
    """
    lines = (
        [name, position, token.id, token.bytes.hex(" "), token.start, token.stop]
        for name, tokens in tokenizations.items()
        for position, token in enumerate(tokens)
    )
    return _csv(["tokenizer", "position", "token_id", "bytes", "start", "stop"], lines)


def languages_csv(counted: Mapping[str, Sequence[LanguageCount]]) -> str:
    """Write one line per tokenizer and language: tokens, unknown ones among them, characters, bytes, ratio."""
    lines = (
        [name, one.language, one.tokens, one.unknown, one.characters, one.bytes, _number(one.ratio)]
        for name, languages in counted.items()
        for one in languages
    )
    return _csv(["tokenizer", "language", "tokens", "unknown", "characters", "bytes", "ratio_to_english"], lines)


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)


def _csv(heading: list[str], lines: Iterable[Sequence[object]]) -> str:
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(lines)
    return target.getvalue()
