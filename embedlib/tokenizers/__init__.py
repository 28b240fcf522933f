"""Every tokenizer by name."""

from collections.abc import Callable
from functools import partial

from embedlib.tokenizers.base import Token, Tokenizer
from embedlib.tokenizers.bpe import byte_pair_tokenizer
from embedlib.tokenizers.simple import ByteTokenizer, ListTokenizer, cut_characters, cut_words

__all__ = ["TOKENIZERS", "Token", "Tokenizer", "get_tokenizer"]


def get_tokenizer(name: str, *, text: str | None = None) -> Tokenizer:
    """Make a tokenizer.

    Args:
        name: a key of TOKENIZERS.
        text: where "characters" and "words" take their vocabulary from; the others do without.

    Returns:
        A new tokenizer. Keep it: gpt2 takes 0.1 s to make, those with larger vocabularies more.

    Raises:
        ValueError: name is not in TOKENIZERS; or text is needed and missing, empty, or not encodable.
        VocabularyUnavailable: cl100k_base or o200k_base is not on this machine; vocabularies.download gets it.
    """
    if name not in TOKENIZERS:
        raise ValueError(f"name={name!r} is not a tokenizer: choose among {', '.join(TOKENIZERS)}")
    return TOKENIZERS[name](text)


def _bytes(text: str | None) -> Tokenizer:
    return ByteTokenizer()


def _byte_pairs(text: str | None, *, name: str) -> Tokenizer:
    return byte_pair_tokenizer(name)


def _characters(text: str | None) -> Tokenizer:
    return ListTokenizer("characters", cut_characters, between="", text=_required("characters", text))


def _words(text: str | None) -> Tokenizer:
    return ListTokenizer("words", cut_words, between=" ", text=_required("words", text))


def _required(name: str, text: str | None) -> str:
    if text is None:
        raise ValueError(f"text=None: {name!r} makes its vocabulary from a text; pass get_tokenizer({name!r}, text=…)")
    return text


# name -> factory; what it is given is the text that a vocabulary may be made from.
TOKENIZERS: dict[str, Callable[[str | None], Tokenizer]] = {
    "gpt2": partial(_byte_pairs, name="gpt2"),
    "r50k_base": partial(_byte_pairs, name="r50k_base"),
    "cl100k_base": partial(_byte_pairs, name="cl100k_base"),
    "o200k_base": partial(_byte_pairs, name="o200k_base"),
    "bytes": _bytes,
    "characters": _characters,
    "words": _words,
}
