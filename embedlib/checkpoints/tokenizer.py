"""A model's own tokenizer, from its tokenizer.json: the model's ids, and each token's bytes in the text."""

import json
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import accumulate, pairwise
from math import prod
from operator import add
from typing import Any

from embedlib.checkpoints.files import CheckpointError
from embedlib.tables.table import LFS_POINTER
from embedlib.tokenizers.base import Token, checked_ids, decode_utf8, utf8_bytes
from embedlib.tokenizers.labels import byte_letters
from embedlib.tokenizers.unicode import byte_offsets

SPACE = "▁"  # how SentencePiece spells a space
MAX_GROWTH = 100  # times a text's length that a normalizer or a decoder may make of it; real ones come to 4


def _damaged_error() -> CheckpointError:
    return CheckpointError("damaged", file="tokenizer.json", format="tokenizer")


def _call_rust(work: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Call the tokenizers package, which raises a bare Exception on a contradictory file, or panics."""
    try:
        return work(*arguments, **named)
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":  # no Exception, and of no module
            raise _damaged_error() from error
        raise


def _length_factor(step: dict[str, Any]) -> float:
    """Return the most by which a normalizer or a decoder can multiply the length of a text."""
    match step:
        case {"normalizers": [*steps]} | {"decoders": [*steps]}:
            return prod(map(_length_factor, steps))
        case {"type": "Replace", "pattern": {"String": str(old)}, "content": str(new)} if old:
            return max(1, len(new) / len(old))
        case {"type": "Replace", "content": str(new)}:  # a pattern may match between any two characters
            return 1 + len(new)
        case {"type": "Prepend", "prepend": str(new)}:
            return max(1, len(new))
    return 1


class FileTokenizer:
    """A tokenizer of a model, without special tokens around the text, truncation or padding.

    A special token that the text itself spells, such as "[CLS]", is one token, as it is for the model. The bytes of a
    Token are the text's own; a token that only marks the beginning of a word has none.

    Attributes:
        vocab_size: one more than the largest id.
        special_around: the special tokens before and after a text in the model's training, which it does not add.

    Raises:
        CheckpointError: it is not such a file, or makes a text more than MAX_GROWTH times as long.
    """

    def __init__(self, name: str, content: bytes) -> None:
        from tokenizers import Tokenizer

        if content.startswith(LFS_POINTER):
            raise CheckpointError("lfs", file="tokenizer.json")
        self.name = name
        self._tokenizer: Any = _call_rust(Tokenizer.from_buffer, content)
        for part in (self._tokenizer.normalizer, self._tokenizer.decoder):
            if part is not None and _length_factor(json.loads(part.__getstate__())) > MAX_GROWTH:
                raise _damaged_error()
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        marked = _call_rust(self._tokenizer.encode, "a")
        own = [index for index, special in enumerate(marked.special_tokens_mask) if not special]
        first, stop = (own[0], own[-1] + 1) if own else (len(marked.ids), len(marked.ids))
        self.special_around: tuple[list[int], list[int]] = marked.ids[:first], marked.ids[stop:]
        self._tokenizer.post_processor = None  # it adds special tokens, or trims spaces off what a token covers
        ids = self._tokenizer.get_vocab(with_added_tokens=True).values()
        if not ids:
            raise _damaged_error()
        self.vocab_size: int = max(ids) + 1
        model, parts = self._tokenizer.model, (self._tokenizer.pre_tokenizer, self._tokenizer.decoder)
        # As JSON: what these parts print is cut at 100 bytes, and panics where that is inside a character.
        steps = b"".join(part.__getstate__() for part in parts if part is not None)
        # Of Unigram's models the file alone tells it.
        is_unigram = type(model).__name__ == "Unigram"
        self._unknown = _call_rust(json.loads, content)["model"].get("unk_id") if is_unigram else None
        self._is_byte_level = b'"type":"ByteLevel"' in steps
        self._falls_back = b'"type":"ByteFallback"' in steps
        self._prefix = getattr(model, "continuing_subword_prefix", None) or ""
        self._suffix = getattr(model, "end_of_word_suffix", None) or ""
        self._added = set(self._tokenizer.get_added_tokens_decoder())

    def encode(self, text: str) -> list[int]:
        """Return the model's ids of a text, in order.

        ValueError for a lone surrogate, CheckpointError if the file turns out to contradict itself.
        """
        utf8_bytes(text)
        ids: list[int] = _call_rust(self._tokenizer.encode, text, add_special_tokens=False).ids
        return ids

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of some ids, special tokens included, as the model's own decoder joins them."""
        ids = checked_ids(token_ids, self.vocab_size)
        if self._suffix and (self._is_byte_level or self._tokenizer.decoder is None):  # as transformers' CLIPTokenizer
            ends = [b" " * self.piece(token_id).endswith(self._suffix) for token_id in ids]
            return decode_utf8(b"".join(map(add, map(self.token_bytes, ids), ends))).strip()
        if self._is_byte_level:
            return decode_utf8(b"".join(map(self.token_bytes, ids)))
        text: str = _call_rust(self._tokenizer.decode, ids, skip_special_tokens=False)
        return text

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of an id: of "##ing" those of "ing", of "▁the" and "Ġthe" those of " the"."""
        (checked,) = checked_ids([token_id], self.vocab_size)
        piece = self._tokenizer.id_to_token(checked)
        if piece is None:
            raise ValueError(f"token_id={checked} has no token in this vocabulary: choose another")
        if checked in self._added:
            return utf8_bytes(piece)
        piece = piece.removesuffix(self._suffix)
        if self._is_byte_level:
            return b"".join(bytes([self._bytes[sign]]) if sign in self._bytes else sign.encode() for sign in piece)
        if self._falls_back and len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">"):
            return bytes([int(piece[3:5], 16)])
        if self._prefix and len(piece) > len(self._prefix):
            piece = piece.removeprefix(self._prefix)
        return utf8_bytes(piece.replace(SPACE, " "))

    @cached_property
    def unknown_id(self) -> int | None:
        """The id of text that the vocabulary lacks; None where there is no such token."""
        name: str | None = getattr(self._tokenizer.model, "unk_token", None)
        token_id = self._unknown if name is None else self._tokenizer.token_to_id(name)
        return token_id if type(token_id) is int and 0 <= token_id < self.vocab_size else None

    @property
    def is_spelled_by_bytes(self) -> bool:
        """Whether `piece` writes one letter per byte, "Ġthe", and so adds nothing to the bytes."""
        return self._is_byte_level and not self._suffix

    def piece(self, token_id: int) -> str:
        """Return the vocabulary's own spelling of a token, "##ing", "Ġthe", "▁the", "[UNK]"; "" without one."""
        return self._tokenizer.id_to_token(token_id) or ""

    def names(self, token_ids: Iterable[int]) -> dict[int, str]:
        """Return readable names of tokens, by id: "the" for "The" in a vocabulary without capitals, "##ing", " the".

        Bytes of incomplete characters are surrogates, as "surrogateescape" has them.
        """
        return {token_id: self._name(token_id) for token_id in token_ids}

    def _name(self, token_id: int) -> str:
        piece = self.piece(token_id).removesuffix(self._suffix)
        continues = len(piece) > len(self._prefix) and piece.startswith(self._prefix) and token_id not in self._added
        return self._prefix * continues + self.token_bytes(token_id).decode("utf-8", "surrogateescape")

    def pieces(self) -> dict[int, str]:
        """Return the vocabulary's own spelling of each learned token, by id: "##ing", "Ġthe", "▁the"."""
        learned: dict[str, int] = self._tokenizer.get_vocab(with_added_tokens=False)
        return {token_id: piece for piece, token_id in learned.items() if token_id not in self._added}

    @property
    def marks(self) -> tuple[str, str, str]:
        """Prefix of pieces inside a word, prefix of those that begin one, suffix of those that end one; "" for none."""
        begins = "Ġ" if self._is_byte_level else SPACE
        has_begins = not (self._prefix or self._suffix) and any(
            piece.startswith(begins) for piece in self.pieces().values()
        )
        return self._prefix, begins if has_begins else "", self._suffix

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of a text, with their bytes, starts and stops."""
        data = utf8_bytes(text)
        encoding = _call_rust(self._tokenizer.encode, text, add_special_tokens=False)
        ids = encoding.ids  # asked once: each time makes the whole list
        at = byte_offsets(text)
        spans = [(int(at[start]), int(at[stop])) for start, stop in encoding.offsets]
        placed: list[tuple[int, int]] = []
        first, end = 0, 0  # the group of tokens that cover each other begins there, and ends here
        for index, (start, stop) in enumerate(spans):
            if start >= end or index == first:
                placed += self._split_shared_bytes(ids[first:index], spans[first:index])
                first = index
            end = max(end, stop)
        placed += self._split_shared_bytes(ids[first:], spans[first:])
        return [
            Token(token_id, data[start:stop], start, stop) for token_id, (start, stop) in zip(ids, placed, strict=True)
        ]

    def _split_shared_bytes(self, ids: list[int], spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Divide a character's bytes among the tokens that share it, whose spans all cover it."""
        if len(ids) < 2:
            return spans
        start, stop = min(span[0] for span in spans), max(span[1] for span in spans)
        lengths = [len(self.token_bytes(token_id)) for token_id in ids]
        if sum(lengths) == stop - start + 1 and self.token_bytes(ids[0]).startswith(b" "):
            lengths[0] -= 1  # a mark at the text's beginning, where no space is
        if sum(lengths) != stop - start:  # characters that the model spells otherwise: all belong to the first
            lengths = [stop - start] + [0] * (len(ids) - 1)
        return list(pairwise(accumulate(lengths, initial=start)))

    @cached_property
    def _bytes(self) -> dict[str, int]:
        return {letter: byte for byte, letter in byte_letters().items()}
