"""Byte-pair encoding by tiktoken, with vocabulary files that are checked and never downloaded implicitly."""

import base64
import importlib.util
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from embedlib.tokenizers.base import ArrayTokenizer, SpanArrays, checked_ids, decode_utf8, utf8_bytes
from embedlib.tokenizers.vocabularies import read_vocabulary

if TYPE_CHECKING:
    from tiktoken import Encoding

# name -> the encoding as tiktoken publishes it. GPT-2's own two files say the same as r50k_base's one.
ENCODINGS = {"gpt2": "r50k_base", "r50k_base": "r50k_base", "cl100k_base": "cl100k_base", "o200k_base": "o200k_base"}


class BytePairTokenizer(ArrayTokenizer):
    """A tiktoken encoding behind the interface of all tokenizers.

    The time of encoding depends most on the longest run that the pattern does not cut: 20,000 times "a" takes 3 ms,
    200,000 times 60 ms (tiktoken 0.14, one core); older versions are quadratic in that run. There is no limit here, so
    set one for text from strangers.
    """

    def __init__(self, name: str, encoding: "Encoding") -> None:
        self.name = name
        self.vocab_size: int = encoding.max_token_value + 1
        self._encoding = encoding

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, in which "<|endoftext|>" and the like are plain text."""
        utf8_bytes(text)  # tiktoken would replace what cannot be encoded
        return self._encoding.encode_ordinary(text)

    def span_arrays(self, text: str) -> SpanArrays:
        """Return ids, starts and stops of a text's tokens as arrays; special tokens in it are plain text."""
        utf8_bytes(text)
        token_ids = self._encoding.encode_to_numpy(text, disallowed_special=()).astype(np.int64)
        lengths = np.zeros(self.vocab_size, np.int64)
        occurring = np.flatnonzero(np.bincount(token_ids, minlength=1))  # only these are asked for their length
        lengths[occurring] = [len(self.token_bytes(token_id)) for token_id in occurring.tolist()]
        stops = np.cumsum(lengths[token_ids])
        return token_ids, stops - lengths[token_ids], stops

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of some ids."""
        return decode_utf8(b"".join(self.token_bytes(token_id) for token_id in token_ids))

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of an id, a special token's name; ValueError for the few ids without a token."""
        (token_id,) = checked_ids([token_id], self.vocab_size)
        try:
            return self._encoding.decode_single_token_bytes(token_id)
        except KeyError:
            raise ValueError(f"token_id={token_id} stands for nothing in {self.name}: choose another") from None


def byte_pair_tokenizer(name: str) -> BytePairTokenizer:
    """Make one of ENCODINGS from the vocabulary file on this machine; nothing is downloaded.

    The last encoding stays in memory, and is reused while the file is the same.
    """
    if name not in ENCODINGS:
        raise ValueError(f"name={name!r} is not a byte-pair encoding: choose among {', '.join(ENCODINGS)}")
    return BytePairTokenizer(name, _cached_encoding(ENCODINGS[name], read_vocabulary(ENCODINGS[name])))


@lru_cache(maxsize=1)
def _cached_encoding(encoding: str, data: bytes) -> "Encoding":
    from tiktoken import Encoding  # here, so that importing embedlib does not import it

    return Encoding(**definition(encoding, parse_vocabulary(data)))


def parse_vocabulary(data: bytes) -> dict[bytes, int]:
    """Parse a checked .tiktoken file: on each line a token's bytes in base64, and its rank.

    The rank is both a token's id and the order in which pairs are merged. tiktoken.load.load_tiktoken_bpe reads the
    same from a path, but first copies the file to TIKTOKEN_CACHE_DIR or the temporary folder, and fails where that is
    not writable.
    """
    pairs = (line.split() for line in data.splitlines())
    return {base64.b64decode(token): int(rank) for token, rank in pairs}


def definition(encoding: str, ranks: dict[bytes, int]) -> dict[str, Any]:
    """Return tiktoken's own definition of an encoding, with `ranks` in place of its download."""
    spec = importlib.util.find_spec("tiktoken_ext.openai_public")
    if spec is None or spec.loader is None:
        raise ImportError("tiktoken_ext.openai_public is missing: install tiktoken again")
    # A copy of our own: the module that others import stays as it is.
    definitions = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(definitions)
    vars(definitions)["load_tiktoken_bpe"] = lambda url, expected_hash=None: ranks
    definition: dict[str, Any] = definitions.ENCODING_CONSTRUCTORS[encoding]()
    return definition
