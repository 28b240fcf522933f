"""Special tokens: those of an encoding, and texts in which their names count as tokens or as plain text."""

from collections.abc import Iterable, Mapping

from embedlib.tokenizers.base import Token, Tokenizer, utf8_bytes
from embedlib.tokenizers.bpe import ENCODINGS, definition


def special_tokens(name: str) -> dict[str, int]:
    """Return the special tokens of a tiktoken encoding, name -> id, by id; empty for other tokenizers.

    No vocabulary is read, so it works for an encoding that is not on this machine.
    """
    if name not in ENCODINGS:
        return {}
    specials: dict[str, int] = definition(ENCODINGS[name], {})["special_tokens"]
    return dict(sorted(specials.items(), key=lambda item: item[1]))


def add_special_tokens(known: Mapping[str, int], names: Iterable[str], *, vocab_size: int) -> dict[str, int]:
    """Add special tokens that a vocabulary lacks, with ids from vocab_size on, as before a fine-tuning.

    Each new token needs one row more in the embedding matrix.
    """
    extended = dict(known)
    for name in names:
        extended.setdefault(name, vocab_size + len(extended) - len(known))
    return extended


def tokenize_parts(tokenizer: Tokenizer, parts: Iterable[tuple[str, int | None]]) -> list[Token]:
    """Tokenize (text, id) parts: an id makes a part one special token, None makes it plain text.

    Neighbours that are both plain are tokenized as one text. Offsets count from the start of the whole text; a special
    token's bytes are its name.
    """
    tokens: list[Token] = []
    plain, start = "", 0

    def flush() -> int:
        tokens.extend(Token(t.id, t.bytes, t.start + start, t.stop + start) for t in tokenizer.tokenize(plain))
        return start + len(utf8_bytes(plain))

    for text, token_id in parts:
        if token_id is None:
            plain += text
            continue
        start, plain = flush(), ""
        data = utf8_bytes(text)
        tokens.append(Token(token_id, data, start, start + len(data)))
        start += len(data)
    flush()
    return tokens


def tokenize_typed(tokenizer: Tokenizer, text: str, specials: Mapping[str, int]) -> list[Token]:
    """Tokenize a text in which the names of special tokens count as these tokens.

    This is tiktoken's allowed_special="all", for any tokenizer. A program that does this with a stranger's text lets
    the stranger write special tokens.
    """
    return tokenize_parts(tokenizer, split_specials(text, specials))


def split_specials(text: str, specials: Mapping[str, int]) -> list[tuple[str, int | None]]:
    """Cut a text at the names of special tokens into parts for tokenize_parts.

    The longer of two names at one place counts.
    """
    import re

    if not specials:
        return [(text, None)] if text else []
    names = sorted((name for name in specials if name), key=len, reverse=True)
    parts = re.split(f"({'|'.join(map(re.escape, names))})", text)
    return [(part, specials.get(part) if index % 2 else None) for index, part in enumerate(parts) if part]
