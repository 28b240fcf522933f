"""How the labels of other people's tables mark where a word begins, and the bytes that such a label stands for."""

import re
from collections.abc import Callable, Sequence

from embedlib.tokenizers.labels import MARKS

MARKED = {"gpt2": "Ġ", "sentencepiece": "▁", "wordpiece": "##", "visible": "·", "spaces": " "}
FEWEST_MARKED = 0.02  # share of labels; in any vocabulary of pieces its mark is on a tenth or more
SIGNS = {mark: sign for sign, mark in MARKS.items()}
ESCAPED = re.compile("(⟨U\\+[0-9A-F]{4,6}⟩|⟨[0-9A-F]{2}(?: [0-9A-F]{2})*⟩)")
BYTE = re.compile("(<0x[0-9A-F]{2}>)")


def label_convention(labels: Sequence[str]) -> str:
    """Tell how a table's labels mark the start of a word.

    Args:
        labels: of all rows, or of a good many.

    Returns:
        The key of CONVENTIONS whose mark most labels begin with: "gpt2" (Ġthe), "sentencepiece" (▁the), "wordpiece"
        (##ing, on what is no start), "visible" (·the, as this library writes labels), "spaces" ( the); or "words" where
        hardly any has a mark, and each is a word by itself.
    """
    marked = {name: sum(label.startswith(mark) for label in labels) for name, mark in MARKED.items()}
    best = max(marked, key=lambda name: marked[name])
    return best if marked[best] > FEWEST_MARKED * len(labels) else "words"


def token_bytes_of(labels: Sequence[str], convention: str | None = None) -> list[bytes]:
    """Give the bytes that labels stand for, those of a word's start with a space before them.

    Args:
        labels: one per row.
        convention: a key of CONVENTIONS; None finds it by label_convention.

    Returns:
        What token_kinds.kinds and scripts take.

    Raises:
        ValueError: convention is not in CONVENTIONS.
    """
    if convention is None:
        convention = label_convention(labels)
    if convention not in CONVENTIONS:
        raise ValueError(f"convention={convention!r} is not known: choose among {', '.join(CONVENTIONS)}")
    return CONVENTIONS[convention](labels)


def _gpt2(labels: Sequence[str]) -> list[bytes]:
    """Read GPT-2's letters for bytes: a printable byte is its own Latin-1 character, the others follow from Ā on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printable]
    letters = {chr(byte): byte for byte in printable} | {chr(0x100 + index): byte for index, byte in enumerate(others)}

    def read(label: str) -> bytes:
        try:
            return bytes(letters[letter] for letter in label)
        except KeyError:  # an added token, which is written as it is
            return _encoded(label)

    return list(map(read, labels))


def _sentencepiece(labels: Sequence[str]) -> list[bytes]:
    """Read ▁ as a space, and <0x0A> as the byte."""
    return [
        b"".join(
            bytes.fromhex(part[3:-1]) if BYTE.fullmatch(part) else _encoded(part.replace("▁", " "))
            for part in BYTE.split(label)
        )
        for label in labels
    ]


def _wordpiece(labels: Sequence[str]) -> list[bytes]:
    return [
        _encoded(label[2:]) if label.startswith("##") and label != "##" else _encoded(f" {label}") for label in labels
    ]


def _visible(labels: Sequence[str]) -> list[bytes]:
    """Read what labels.token_label writes: signs for blanks, ⟨E6 97⟩ for bytes, ⟨U+200D⟩ for what cannot be seen."""
    return [b"".join(map(_visible_part, ESCAPED.split(label))) for label in labels]


def _visible_part(part: str) -> bytes:
    if not ESCAPED.fullmatch(part):
        return _encoded("".join(SIGNS.get(character, character) for character in part))
    if part.startswith("⟨U+"):
        code = int(part[3:-1], 16)
        return _encoded(chr(code) if code <= 0x10FFFF else part)
    return bytes.fromhex(part[1:-1])


def _spaces(labels: Sequence[str]) -> list[bytes]:
    return list(map(_encoded, labels))


def _words(labels: Sequence[str]) -> list[bytes]:
    return [_encoded(f" {label}") for label in labels]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


# name -> the bytes of some labels, where those of a word's start begin with a space.
CONVENTIONS: dict[str, Callable[[Sequence[str]], list[bytes]]] = {
    "gpt2": _gpt2,
    "sentencepiece": _sentencepiece,
    "wordpiece": _wordpiece,
    "visible": _visible,
    "spaces": _spaces,
    "words": _words,
}
