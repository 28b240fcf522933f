"""Every cached call of the tokens page: vocabularies trained here, tokens, and where they lie over the characters."""

from dataclasses import dataclass
from functools import lru_cache

from embedlib.alignment import Alignment, Counts, align, counts
from embedlib.bpe import ENCODINGS
from embedlib.corpus import reference_manual
from embedlib.merge_steps import MergeRules, merge_rules
from embedlib.special_tokens import special_tokens, tokenize_typed
from embedlib.tokenizers import Token, Tokenizer
from embedlib.trained_tokenizers import TrainedTokenizer, train_tokenizer
from ui import cache
from ui.bounded_cache import BoundedCache
from ui.tokens.settings import TRAINED_HERE

MANUAL = "manual"
_BYTES_PER_PIECE = 300  # about what one takes, in Rust and here

_trained: BoundedCache[tuple[str, str, int], TrainedTokenizer] = BoundedCache(
    100_000_000, lambda made: 100_000 + _BYTES_PER_PIECE * made.vocab_size
)
_rules: BoundedCache[tuple[str, str, int], MergeRules] = BoundedCache(
    200_000_000, lambda made: 200 * len(made.token_ids)
)


@dataclass(frozen=True, slots=True)
class Cutter:
    """A tokenizer, by all that decides how it cuts.

    Attributes:
        name: in CUTTERS.
        corpus: what its vocabulary is made from: the text itself, or MANUAL; "" for one that needs neither.
        pieces: how many it was asked to have; 0 where nobody asks.
    """

    name: str
    corpus: str = ""
    pieces: int = 0

    @property
    def trained(self) -> bool:
        """Whether it is trained here."""
        return self.name in TRAINED_HERE

    @property
    def is_encoding(self) -> bool:
        """Whether it is one of tiktoken's."""
        return self.name in ENCODINGS


@lru_cache(maxsize=1)
def manual() -> str:
    """Return Python's reference manual."""
    return reference_manual()


def tokenizer_of(cutter: Cutter) -> Tokenizer:
    """Return a tokenizer, trained where it has to be.

    Raises:
        TrainingRefused: there is no such vocabulary.
        ValueError: a text without a word, for "words".
    """
    if not cutter.trained:
        return cache.tokenizer_for(cutter.name, cutter.corpus)
    return trained(cutter)


def trained(cutter: Cutter) -> TrainedTokenizer:
    """Return a tokenizer that is trained here, once for all who ask for the same."""
    key = (cutter.name, cutter.corpus, cutter.pieces)
    text = manual() if cutter.corpus == MANUAL else cutter.corpus
    return _trained.get(key, lambda: train_tokenizer(cutter.name, text, vocab_size=cutter.pieces))


@lru_cache(maxsize=8)
def specials_of(name: str) -> dict[str, int]:
    """Return the special tokens of an encoding and their ids; none of any other tokenizer."""
    return special_tokens(name)


@lru_cache(maxsize=128)
def tokens_of(cutter: Cutter, text: str, specials: bool) -> list[Token]:
    """Cut a text; with `specials` the names of an encoding's special tokens are these tokens."""
    return tokenize_typed(tokenizer_of(cutter), text, specials_of(cutter.name) if specials else {})


@lru_cache(maxsize=16)
def alignment_of(cutters: tuple[Cutter, ...], text: str, specials: bool) -> Alignment:
    """Lay what several tokenizers make of a text over its characters."""
    return align(text, {cutter.name: tokens_of(cutter, text, specials) for cutter in cutters})


@lru_cache(maxsize=128)
def counts_of(cutter: Cutter, text: str, specials: bool) -> Counts:
    """Count a text and what a tokenizer makes of it."""
    return counts(text, tokens_of(cutter, text, specials))


def rules_of(cutter: Cutter) -> MergeRules:
    """Return the merges of a byte-pair encoding, tiktoken's or trained here."""

    def read() -> MergeRules:
        return merge_rules(trained(cutter) if cutter.trained else cutter.name)

    return _rules.get((cutter.name, cutter.corpus, cutter.pieces), read)
