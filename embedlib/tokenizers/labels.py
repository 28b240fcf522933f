"""Visible and harmless labels of tokens, and the bytes that the labels of other tables stand for."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from embedlib.tokenizers.base import Token, Tokenizer

MARKS = {" ": "·", "\n": "↵", "\t": "⇥", "\x7f": "␡"} | {
    chr(code): chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)
}
# Categories without a picture: controls, format (zero width, bidi), unassigned, private use; spaces and separators.
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Zs", "Zl", "Zp"})
# Characters that are blank, or vanish, though their category says letter, mark or symbol; and the replacement
# character, which would look as if a byte had been lost here.
BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\ufffd"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))  # variation selectors
)
CARRIER = "◌"  # what a mark is put on when there is nothing before it
# convention -> what labels of other tables begin with where a word begins; "##" where none does.
WORD_MARKS = {"gpt2": "Ġ", "sentencepiece": "▁", "wordpiece": "##", "visible": "·", "spaces": " "}
MIN_MARKED_SHARE = 0.02  # share of labels; in any vocabulary of pieces its mark is on a tenth or more
SIGNS = {mark: sign for sign, mark in MARKS.items()}
ESCAPED = re.compile("(⟨U\\+[0-9A-F]{4,6}⟩|⟨[0-9A-F]{2}(?: [0-9A-F]{2})*⟩)")
BYTE = re.compile("(<0x[0-9A-F]{2}>)")


@dataclass(frozen=True, slots=True)
class SplitCharacter:
    """Characters that are split between tokens start_token … stop_token - 1.

    Attributes:
        text: the shared characters, whole, as they are in the text.
        label: the same, safe to show.
    """

    start_token: int
    stop_token: int
    text: str
    label: str


def character_label(character: str) -> str:
    """Return a grapheme cluster as a visible text.

    Unlike `token_label`, it keeps several characters as they are, such as an emoji with its joiners, if the first of
    them is visible.
    """
    first = character[0]
    return character if len(character) > 1 and token_label(first.encode()) == first else token_label(character.encode())


def token_label(token_bytes: bytes) -> str:
    """Return a token's bytes as a visible text.

    Characters as they are; "·" for a space, "↵" line feed, "⇥" tab, pictures ("␍") for other control characters;
    "⟨U+200D⟩" for anything else invisible or with an effect on the direction of the text; a combining mark with nothing
    before it on "◌"; and "⟨E6 97⟩" for incomplete characters. Never U+FFFD; "" only for b"".
    """
    label: list[str] = []
    carried = False  # whether the last sign shown can carry a mark
    # surrogateescape turns each byte that is not part of a whole character into one surrogate.
    for broken, run in groupby(token_bytes.decode("utf-8", "surrogateescape"), key=_is_escaped):
        if broken:
            label.append(f"⟨{''.join(run).encode('utf-8', 'surrogateescape').hex(' ').upper()}⟩")
            carried = False
            continue
        for character in run:
            sign = _visible_sign(character)
            if sign == character and not carried and unicodedata.category(character)[0] == "M":
                sign = CARRIER + character
            carried = sign.endswith(character)
            label.append(sign)
    return "".join(label)


def token_labels(tokens: Sequence[Token]) -> list[str]:
    """Return the token_label of each token."""
    return [token_label(token.bytes) for token in tokens]


def vocabulary_spellings(tokenizer: Tokenizer, token_ids: Iterable[int]) -> dict[int, str]:
    """Return tokens' spellings in the vocabulary, "##ing", "▁the" or "[UNK]", by id; {} for a tokenizer of bytes."""
    if getattr(tokenizer, "is_spelled_by_bytes", True):
        return {}
    piece: Callable[[int], str] = tokenizer.piece  # type: ignore[attr-defined]
    return {token_id: piece(token_id) for token_id in token_ids}


def split_characters(tokens: Sequence[Token]) -> list[SplitCharacter]:
    """Find the runs of tokens that share characters, in order, without overlap."""
    try:
        b"".join(token.bytes for token in tokens).decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(
            f"tokens, {len(tokens)} of them, begin or end inside a character: give all the tokens of a text, and cut "
            "the list afterwards"
        ) from None
    runs = []
    start = 0
    while start < len(tokens):
        stop = start + 1
        while stop < len(tokens) and _is_continuation_byte(tokens[stop].bytes[:1]):
            stop += 1
        if stop - start > 1:
            text = _shared_text([token.bytes for token in tokens[start:stop]])
            runs.append(SplitCharacter(start, stop, text, token_label(text.encode())))
        start = stop
    return runs


def _shared_text(pieces: list[bytes]) -> str:
    """Return the characters across the pieces' borders, without the whole ones before the first and after the last."""
    data = b"".join(pieces)
    start = len(pieces[0]) - 1
    while _is_continuation_byte(data[start : start + 1]):
        start -= 1
    stop = len(data) - len(pieces[-1])
    while _is_continuation_byte(data[stop : stop + 1]):
        stop += 1
    return data[start:stop].decode("utf-8")


def _is_continuation_byte(byte: bytes) -> bool:
    """Return whether a byte, 10xxxxxx in UTF-8, continues a character that began before it."""
    return bool(byte) and byte[0] & 0xC0 == 0x80


def _is_escaped(character: str) -> bool:
    return "\udc80" <= character <= "\udcff"


def _visible_sign(character: str) -> str:
    """Return a character itself if it is visible and harmless, else a sign for it."""
    if character in MARKS:
        return MARKS[character]
    if character in BLANK or unicodedata.category(character) in UNSEEN:
        return f"⟨U+{ord(character):04X}⟩"
    return character


def label_convention(labels: Sequence[str]) -> str:
    """Return the key of CONVENTIONS whose mark most labels of a table begin with, "words" where hardly any has one.

    "gpt2" (Ġthe), "sentencepiece" (▁the), "wordpiece" (##ing, inside words), "visible" (·the, as this library writes
    labels), "spaces" ( the).
    """
    marked = {name: sum(label.startswith(mark) for label in labels) for name, mark in WORD_MARKS.items()}
    best = max(marked, key=lambda name: marked[name])
    return best if marked[best] > MIN_MARKED_SHARE * len(labels) else "words"


def label_bytes(labels: Sequence[str]) -> list[bytes]:
    """Return the bytes of a table's labels, in the convention that they follow; a space begins those of a word."""
    return CONVENTIONS[label_convention(labels)](labels)


def _gpt2_bytes(labels: Sequence[str]) -> list[bytes]:
    letters = {letter: byte for byte, letter in byte_letters().items()}

    def read(label: str) -> bytes:
        try:
            return bytes(letters[letter] for letter in label)
        except KeyError:  # an added token, which is written as it is
            return _encode(label)

    return list(map(read, labels))


def byte_letters() -> dict[int, str]:
    """Return the letter that GPT-2's files write each byte as: itself where Latin-1 can print it, else from Ā on.

    Source: `bytes_to_unicode` of https://github.com/openai/gpt-2/blob/master/src/encoder.py
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = [byte for byte in range(0x100) if byte not in printable]
    stand_ins = {byte: chr(0x100 + number) for number, byte in enumerate(others)}
    return {byte: stand_ins.get(byte, chr(byte)) for byte in range(0x100)}


def _sentencepiece_bytes(labels: Sequence[str]) -> list[bytes]:
    """Read ▁ as a space, and <0x0A> as the byte."""
    return [
        b"".join(
            bytes.fromhex(part[3:-1]) if BYTE.fullmatch(part) else _encode(part.replace("▁", " "))
            for part in BYTE.split(label)
        )
        for label in labels
    ]


def _wordpiece_bytes(labels: Sequence[str]) -> list[bytes]:
    return [
        _encode(label[2:]) if label.startswith("##") and label != "##" else _encode(f" {label}") for label in labels
    ]


def _visible_bytes(labels: Sequence[str]) -> list[bytes]:
    """Read the labels that token_label writes: signs for blanks, ⟨E6 97⟩ for bytes, ⟨U+200D⟩ for code points."""
    return [b"".join(map(_visible_part, ESCAPED.split(label))) for label in labels]


def _visible_part(part: str) -> bytes:
    if not ESCAPED.fullmatch(part):
        return _encode("".join(SIGNS.get(character, character) for character in part))
    if part.startswith("⟨U+"):
        code = int(part[3:-1], 16)
        return _encode(chr(code) if code <= 0x10FFFF else part)
    return bytes.fromhex(part[1:-1])


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace")


# name -> the bytes of some labels, where those of a word's start begin with a space.
CONVENTIONS: dict[str, Callable[[Sequence[str]], list[bytes]]] = {
    "gpt2": _gpt2_bytes,
    "sentencepiece": _sentencepiece_bytes,
    "wordpiece": _wordpiece_bytes,
    "visible": _visible_bytes,
    "spaces": lambda labels: list(map(_encode, labels)),
    "words": lambda labels: [_encode(f" {label}") for label in labels],
}
