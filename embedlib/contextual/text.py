"""A text as a model reads it: its tokens, the special ones around them, and the tokens of each word."""

import re
from dataclasses import dataclass

from embedlib.checkpoints import FileTokenizer
from embedlib.tokenizers import Token
from embedlib.tokenizers.unicode import byte_offsets

WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or adjacent signs, and its tokens: tokens[first:stop]."""

    text: str
    first: int
    stop: int


@dataclass(frozen=True, slots=True)
class TextTokens:
    """The tokens of a text in a model's own ids.

    Attributes:
        tokens: special ones around the text have start == stop.
        special: for each token whether it is one of those.
        words: those that have a token, in order.
        n_truncated: number of tokens of the text that were cut off.
    """

    text: str
    tokens: tuple[Token, ...]
    special: tuple[bool, ...]
    words: tuple[Word, ...]
    n_truncated: int

    @property
    def token_ids(self) -> tuple[int, ...]:
        """The id of each token."""
        return tuple(token.id for token in self.tokens)

    def find(self, word: str) -> list[Word]:
        """Return the uses of a word, ignoring case."""
        return [use for use in self.words if use.text.casefold() == word.strip().casefold()]


def text_tokens(tokenizer: FileTokenizer, text: str, limit: int) -> TextTokens:
    """Cut a text into tokens, at most `limit` with the special ones, which all stay."""
    before, after = tokenizer.special_around
    tokens = tokenizer.tokenize(text)
    kept = tokens[: max(0, limit - len(before) - len(after))]
    end = len(text.encode())
    first, last = (
        [Token(token_id, tokenizer.token_bytes(token_id), offset, offset) for token_id in ids]
        for ids, offset in ((before, 0), (after, end))
    )
    all_tokens = (*first, *kept, *last)
    special = (*[True] * len(first), *[False] * len(kept), *[True] * len(last))
    return TextTokens(text, all_tokens, special, _words(text, all_tokens), len(tokens) - len(kept))


def _words(text: str, tokens: tuple[Token, ...]) -> tuple[Word, ...]:
    at, words = byte_offsets(text), []
    for match in WORD.finditer(text):
        start, stop = at[match.start()], at[match.end()]
        own = [index for index, token in enumerate(tokens) if max(token.start, start) < min(token.stop, stop)]
        if own:
            words.append(Word(match.group(), own[0], own[-1] + 1))
    return tuple(words)
