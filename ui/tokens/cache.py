"""Cached calls of the tokens page: vocabularies trained here, tokens, and their alignment with characters."""

from dataclasses import dataclass

from embedlib.errors import CodedError
from embedlib.grammar import grammar_text
from embedlib.tokenizers import (
    ENCODINGS,
    Alignment,
    MergeRules,
    Token,
    TokenCounts,
    Tokenizer,
    align,
    merge_rules,
    special_tokens,
    token_counts,
    tokenize_typed,
)
from embedlib.tokenizers.trained import MAX_UNIGRAM_CHARACTERS, TrainedTokenizer, train_tokenizer
from ui import cache
from ui.cache.bounded import memo
from ui.cache.models import is_model_source, loaded_tokenizers
from ui.settings import OWN_TOKENIZER as OWN
from ui.settings import TRAINED_HERE
from ui.shared.text.source import manual_text

_BYTES_PER_PIECE = 300  # about what one takes, in Rust and here
_BYTES_PER_TOKEN = 150


@dataclass(frozen=True, slots=True)
class TokenizerSpec:
    """Everything that decides how a tokenizer splits; corpus: the reader's text where it is the training text.

    `pieces` is the requested size and `train_on` "sentences", "manual" or "text", for one that is trained here.
    """

    name: str
    corpus: str = ""
    pieces: int = 0
    train_on: str = ""

    @property
    def is_trained_here(self) -> bool:
        """True if the tokenizer is trained by this app."""
        return self.name in TRAINED_HERE

    @property
    def is_from_model(self) -> bool:
        """True if the tokenizer is a model's own, from its tokenizer.json."""
        return self.name in ("minilm", OWN) or is_model_source(self.name)

    @property
    def is_encoding(self) -> bool:
        """True if the tokenizer is one of tiktoken's."""
        return self.name in ENCODINGS


@memo()
def training_text(train_on: str) -> str:
    """Return a training text of tokenizers: as much as Unigram can use, the same for all three."""
    if train_on == "manual":
        return manual_text()[:MAX_UNIGRAM_CHARACTERS]
    # The manual has the punctuation and the digits that the sentences lack.
    return grammar_text(1_000)[:30_000] + training_text("manual")[:10_000]


def _learned_text(spec: TokenizerSpec) -> str:
    return spec.corpus if spec.train_on == "text" else training_text(spec.train_on)


def load_tokenizer(spec: TokenizerSpec) -> Tokenizer:
    """Return a tokenizer, trained where it has to be, or raise CodedError; ValueError for "words" without any."""
    if spec.name == OWN:
        return loaded_tokenizers[spec.corpus]
    if not spec.is_trained_here:
        return cache.tokenizer_for(spec.name, spec.corpus)
    return train_shared(spec)


@memo(100_000_000, size=lambda made: 100_000 + _BYTES_PER_PIECE * made.vocab_size)
def train_shared(spec: TokenizerSpec) -> TrainedTokenizer:
    """Train a tokenizer, once for all visitors with the same settings."""
    return train_tokenizer(spec.name, _learned_text(spec), vocab_size=spec.pieces)


@memo()
def least_pieces(spec: TokenizerSpec) -> int | None:
    """Return the smallest vocabulary that a tokenizer can be trained to; None where there is nothing to learn from."""
    try:
        train_tokenizer(spec.name, _learned_text(spec), vocab_size=1)
    except CodedError as error:
        return error.values["least"] if error.code == "vocabulary_too_small" else None
    return 1


@memo()
def encoding_specials(name: str) -> dict[str, int]:
    """Return the special tokens of an encoding and their ids; none of any other tokenizer."""
    return special_tokens(name)


@memo(64_000_000, size=lambda made: 200 + _BYTES_PER_TOKEN * len(made))
def tokenize(spec: TokenizerSpec, text: str, specials: bool) -> list[Token]:
    """Cut a text into tokens; with `specials`, names of special tokens in it become these tokens."""
    return tokenize_typed(load_tokenizer(spec), text, encoding_specials(spec.name) if specials else {})


@memo(
    64_000_000,
    size=lambda made: 200 + 80 * len(made.columns) + 64 * sum(len(row.first) for row in made.rows.values()),
)
def align_tokens(specs: tuple[TokenizerSpec, ...], text: str, specials: bool) -> Alignment:
    """Align several tokenizers' tokens of a text with its characters."""
    return align(text, {spec.name: tokenize(spec, text, specials) for spec in specs})


@memo()
def count_tokens(spec: TokenizerSpec, text: str, specials: bool) -> TokenCounts:
    """Count a text's characters, bytes and tokens."""
    return token_counts(text, tokenize(spec, text, specials))


@memo()
def count_unknown(spec: TokenizerSpec, text: str, specials: bool) -> int:
    """Count the unknown tokens, which stand for text that the vocabulary lacks."""
    unknown_id = getattr(load_tokenizer(spec), "unknown_id", None)
    if unknown_id is None:
        return 0
    return sum(token.id == unknown_id for token in tokenize(spec, text, specials))


@memo(200_000_000, size=lambda made: 200 * len(made.token_ids))
def cached_merge_rules(spec: TokenizerSpec) -> MergeRules:
    """Return the merges of a byte-pair encoding, tiktoken's or trained here."""
    return merge_rules(train_shared(spec) if spec.is_trained_here else spec.name)
