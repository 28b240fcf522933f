"""Text files: their UTF-8 content, or one plain sentence about the error."""

import codecs
from typing import Any, Literal

from embedlib.errors import CodedError, fill_sentence
from embedlib.i18n import N_

Code = Literal["empty", "too_large", "binary", "not_utf8"]

# code -> sentence. Names in braces are the keys of an error's values. Sizes are in MB, of a million bytes.
TEXT_ERRORS: dict[str, str] = {
    "empty": N_("{file} has no text: choose another."),
    "too_large": N_("{file} has {found_mb:,.1f} MB, over the limit of {limit_mb:,.1f}: choose a smaller one."),
    "binary": N_("{file} is no text: save it as .txt."),
    "not_utf8": N_("{file} is not UTF-8: save it as UTF-8."),
}

# How some files begin that are often taken for text: PDF, .zip and .docx, old Office, .gz, images, .rtf.
_BEGINNINGS = (
    *(b"%PDF-", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\x1f\x8b"),
    *(b"\x89PNG", b"\xff\xd8\xff", b"{\\rtf"),
)
_SAMPLE = 65_536  # bytes that are examined to detect the kind
# Control characters of plain text: tab, line feed, vertical tab, form feed, carriage return, escape.
_ALLOWED = frozenset((0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1B))
_CONTROLS = bytes(code for code in range(0x20) if code not in _ALLOWED)


def _text_error(code: Code, file: str, **values: Any) -> CodedError:
    return CodedError(code, fill_sentence(TEXT_ERRORS[code], {"file": file, **values}, quote=repr), file=file, **values)


def check_text_size(size: int, *, limit: int, name: str) -> None:
    """Refuse a file by its size in bytes, before it is read: CodedError "too_large" or "empty"."""
    if size > limit:
        raise _text_error("too_large", file=name, found_mb=size / 1e6, limit_mb=limit / 1e6)
    if size == 0:
        raise _text_error("empty", file=name)


def read_text(data: bytes, *, limit: int, name: str = "the file") -> str:
    """Decode a file's bytes, at most `limit`, as UTF-8 text; line ends stay, a byte order mark is removed.

    CodedError if it is empty, too large, binary, or in another encoding.

    Source: Unicode 16, §23.8 (byte order marks), https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-23/
    """
    check_text_size(len(data), limit=limit, name=name)
    if _is_utf_16_or_32(data):
        raise _text_error("not_utf8", file=name)
    if _is_binary(data):
        raise _text_error("binary", file=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _text_error("not_utf8", file=name) from None
    if not text.strip():
        raise _text_error("empty", file=name)
    return text


def _is_utf_16_or_32(data: bytes) -> bool:
    """Detect UTF-16 and UTF-32 by their byte order mark, or by the offsets of zero bytes."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)):  # UTF-32-LE's begins with one
        return True
    sample = data[:_SAMPLE]
    zeros = [sample[offset::4].count(0) / max(1, len(sample[offset::4])) for offset in range(4)]
    # Letters of most scripts are below U+0800 or at least mostly come with ASCII spaces and line ends.
    return len(sample) >= 4 and any(
        min(zeros[offset] for offset in high) > least and max(zeros[offset] for offset in low) < 0.1
        for high, low, least in (((0, 1), (3,), 0.9), ((2, 3), (0,), 0.9), ((0, 2), (1, 3), 0.4), ((1, 3), (0, 2), 0.4))
    )


def _is_binary(data: bytes) -> bool:
    """Return whether a file is no text in any encoding."""
    if data.startswith(_BEGINNINGS) or b"\x00" in data:
        return True
    sample = data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls > len(sample) / 50
