"""Every tokenizer by name, and analyses of a text's tokens: alignment, labels, kinds, merges and bytes."""

from collections.abc import Callable

from embedlib.tokenizers.alignment import AlignedRow, Alignment, Disagreements, TokenCounts, align, token_counts
from embedlib.tokenizers.base import Token, Tokenizer
from embedlib.tokenizers.bpe import ENCODINGS, BytePairTokenizer, byte_pair_tokenizer
from embedlib.tokenizers.bpe_merges import MAX_PIECE_BYTES, MergeRules, MergeStep, merge_rules, merge_steps, pre_tokens
from embedlib.tokenizers.byte_view import ByteView, CharacterView, CodePointView, byte_view
from embedlib.tokenizers.chat import CHAT_FORMATS, ChatFormat, ChatMessage, ChatPiece, ChatRole, chat_pieces, piece_ids
from embedlib.tokenizers.kinds import SCRIPTS, TOKEN_KINDS, character_counts, token_kinds, token_scripts
from embedlib.tokenizers.labels import (
    SplitCharacter,
    character_label,
    label_bytes,
    split_characters,
    token_label,
    token_labels,
    vocabulary_spellings,
)
from embedlib.tokenizers.languages import (
    LANGUAGES,
    REFERENCE_LANGUAGE,
    SENTENCES,
    Language,
    LanguageCount,
    all_sentences,
    tokens_by_language,
)
from embedlib.tokenizers.pretokenize import Spans, bert_words, characters, spaced_words, words
from embedlib.tokenizers.simple import ByteTokenizer, ListTokenizer
from embedlib.tokenizers.spans import TokenSpans, token_spans
from embedlib.tokenizers.special import (
    add_special_tokens,
    special_tokens,
    split_specials,
    tokenize_parts,
    tokenize_typed,
)
from embedlib.tokenizers.vocabularies import VocabularyUnavailable, cache_folder, download_vocabulary, has_vocabulary


def get_tokenizer(name: str, *, text: str | None = None) -> Tokenizer:
    """Make a tokenizer by name.

    Args:
        name: a key of TOKENIZERS.
        text: the vocabulary of "characters" and "words"; unused by the others.

    Returns:
        A new tokenizer. Keep it: gpt2 takes 0.1 s to make, those with larger vocabularies more; only the one of them
        that was made last is there again at once.

    Raises:
        ValueError: name is not in TOKENIZERS; or text is needed and missing, empty, or not encodable.
        VocabularyUnavailable: cl100k_base or o200k_base is not on this machine; download_vocabulary gets it.

    >>> from embedlib import get_tokenizer
    >>> get_tokenizer("gpt2").encode("the cat")
    [1169, 3797]
    >>> get_tokenizer("characters", text="abba").encode("ba")
    [1, 0]
    """
    if name not in TOKENIZERS:
        raise ValueError(f"name={name!r} is not a tokenizer: choose among {', '.join(TOKENIZERS)}")
    return TOKENIZERS[name](text)


def _byte_pairs(name: str) -> Callable[[str | None], Tokenizer]:
    return lambda text: byte_pair_tokenizer(name)


def _list_tokenizer(name: str, split: Callable[[str], Spans], between: str) -> Callable[[str | None], Tokenizer]:
    def make(text: str | None) -> Tokenizer:
        if text is None:
            raise ValueError(
                f"text=None: {name!r} makes its vocabulary from a text; pass get_tokenizer({name!r}, text=…)"
            )
        return ListTokenizer(name, split, between=between, text=text)

    return make


# name -> factory; what it is given is the text that a vocabulary may be made from.
TOKENIZERS: dict[str, Callable[[str | None], Tokenizer]] = {
    **{name: _byte_pairs(name) for name in ENCODINGS},
    "bytes": lambda text: ByteTokenizer(),
    "characters": _list_tokenizer("characters", characters, ""),
    "words": _list_tokenizer("words", words, " "),
}
