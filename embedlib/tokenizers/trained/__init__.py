"""Tokenizers that learn their vocabulary from a text on the spot: byte pairs, WordPiece, Unigram."""

from collections.abc import Callable
from typing import Protocol

from embedlib.tokenizers.base import Tokenizer, utf8_bytes
from embedlib.tokenizers.trained.bpe import TrainedBytePairs, train_byte_pairs
from embedlib.tokenizers.trained.segmentation import Match, Split, best_splits, longest_matches
from embedlib.tokenizers.trained.unigram import MAX_UNIGRAM_CHARACTERS, UnigramTokenizer, train_unigram
from embedlib.tokenizers.trained.wordpiece import MAX_WORD_CHARACTERS, WordPieceTokenizer, train_wordpiece


class TrainedTokenizer(Tokenizer, Protocol):
    """A tokenizer whose vocabulary was learned from a text.

    It is immutable, so that threads may share it, and it can be pickled. Of each Token of
    ``tokenize`` the bytes are the text's own, ``text.encode()[start:stop] == bytes``, and never empty.
    """

    @property
    def requested_size(self) -> int:
        """Requested number of tokens; vocab_size is smaller where the text does not suffice for it."""

    @property
    def learned_from(self) -> int:
        """Number of characters, from the text's beginning, used for training."""

    @property
    def unknown_id(self) -> int | None:
        """The id of text outside the vocabulary; None where there is none."""

    @property
    def is_spelled_by_bytes(self) -> bool:
        """Whether `piece` writes one letter per byte, "Ġthe", and so adds nothing to the bytes."""

    def piece(self, token_id: int) -> str:
        """Return the vocabulary's own spelling of an id: "Ġthe", "##ing", "▁the", "[UNK]"."""


# name -> what trains it on a text, given how many tokens the vocabulary may hold.
TRAINED: dict[str, Callable[[str, int], TrainedTokenizer]] = {
    "bpe": train_byte_pairs,
    "wordpiece": train_wordpiece,
    "unigram": train_unigram,
}


def train_tokenizer(kind: str, text: str, *, vocab_size: int) -> TrainedTokenizer:
    """Learn a vocabulary from a text by Hugging Face's `tokenizers`; the same text gives the same one, always.

    "bpe" merges bytes, as GPT-2 does, and knows every text; "wordpiece" greedily takes the longest piece, as BERT does;
    "unigram" finds the most probable pieces, as SentencePiece does. All keep case and accents as they are.

    Args:
        kind: a key of TRAINED.
        text: for training. "unigram" learns its pieces from the first MAX_UNIGRAM_CHARACTERS characters
            of a longer text, and its alphabet from all.
        vocab_size: most tokens of the vocabulary: at least its alphabet, which is 256 bytes for "bpe" and
            the text's own characters for the others.

    Returns:
        The tokenizer, called as its kind. 1,000 tokens of a text of 465,000 characters take less than a second each.

    Raises:
        ValueError: kind is not in TRAINED, or text holds a lone surrogate.
        CodedError: vocab_size is too small for the alphabet, or text holds nothing to learn from.

    >>> from embedlib import train_tokenizer
    >>> tokenizer = train_tokenizer("bpe", "low lower lowest", vocab_size=260)
    >>> [token.bytes for token in tokenizer.tokenize("low")]
    [b'low']
    """
    if kind not in TRAINED:
        raise ValueError(f"kind={kind!r} is not a tokenizer that is trained: choose among {', '.join(TRAINED)}")
    utf8_bytes(text)
    return TRAINED[kind](text, vocab_size)
