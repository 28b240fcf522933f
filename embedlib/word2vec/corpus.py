"""A text as numbered words in sentences: the training data of word vectors."""

import re
from array import array
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
import torch
from torch import Tensor

from embedlib.errors import CodedError
from embedlib.texts import words

# Fewer than these teach nothing that a reader could see: no ten neighbours, or each word beside a handful of others.
MIN_WORDS = 200
MIN_ROWS = 12

_SENTENCE_END = re.compile(r"[.!?…。！？।؟]+|\n\s*\n")


@dataclass(frozen=True, eq=False)
class WordCorpus:
    """The words of a text, each as the number of its row.

    Attributes:
        words: of the rows, the most frequent first, equally frequent ones in order.
        counts: (vocab_size,) int64, frequency of each.
        ids: (n_words,) int64, the text in order, without rare words.
        sentence: (n_words,) int64, rising: number of each word's sentence.
    """

    words: tuple[str, ...]
    counts: Tensor
    ids: Tensor
    sentence: Tensor

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the words, their order and their sentences, in hex."""
        digest = sha256("\n".join(self.words).encode())
        for part in (self.ids, self.sentence):
            digest.update(part.numpy().astype("<i8").tobytes())
        return digest.hexdigest()


def word_corpus(text: str, *, min_count: int = 5, most_words: int = 10_000) -> WordCorpus:
    """Number the words of a text, sentence by sentence.

    Args:
        text: words as embedlib.texts.corpus.words finds them, sentences end at . ! ? and at empty lines.
        min_count: rarer words are left out, as if they were not there; at least 1.
        most_words: most different words, the most frequent ones; at least MIN_ROWS.

    Raises:
        CodedError: fewer than MIN_WORDS words, fewer than MIN_ROWS of them with min_count, or no two of these in
            one sentence.
    """
    if min_count < 1:
        raise ValueError(f"min_count={min_count} must be at least 1")
    if most_words < MIN_ROWS:
        raise ValueError(f"most_words={most_words} must be at least {MIN_ROWS}")
    number: dict[str, int] = {}
    numbered, lengths = array("q"), []
    for part in _SENTENCE_END.split(text):
        numbers = [number.setdefault(word, len(number)) for word in words(part)]
        numbered.extend(numbers)
        lengths.append(len(numbers))
    n_met = np.bincount(np.asarray(numbered), minlength=1)  # of each word, in the order in which they are first met
    _check_vocabulary(len(numbered), int((n_met >= min_count).sum()), min_count)
    frequent = [(word, int(n_met[index])) for word, index in number.items() if n_met[index] >= min_count]
    kept = sorted(frequent, key=lambda pair: (-pair[1], pair[0]))[:most_words]
    row = np.full(len(number), -1)
    row[[number[word] for word, _ in kept]] = np.arange(len(kept))
    ids, sentence = row[np.asarray(numbered)], np.repeat(np.arange(len(lengths)), lengths)  # (n_words,)
    ids, sentence = ids[ids >= 0], sentence[ids >= 0]
    if not (sentence[1:] == sentence[:-1]).any():
        raise CodedError(
            "no_neighbours",
            "text has no sentence with 2 words that are met often enough, so that no word has a neighbour: give a "
            "longer one, or lower min_count",
            least=2,
            found=1,
        )
    words_kept, counts = zip(*kept, strict=True)
    return WordCorpus(words_kept, torch.tensor(counts), torch.from_numpy(ids), torch.from_numpy(sentence))


def _check_vocabulary(n_words: int, n_rows: int, min_count: int) -> None:
    if n_words < MIN_WORDS:
        raise CodedError(
            "text_too_short",
            f"text has {n_words} words and must have at least {MIN_WORDS} to learn from: give a longer one",
            least=MIN_WORDS,
            found=n_words,
        )
    if n_rows < MIN_ROWS:
        raise CodedError(
            "too_few_words",
            f"text has {n_rows} different words that are met min_count={min_count} times or more and must have at "
            f"least {MIN_ROWS}: give a longer one, or lower min_count",
            least=MIN_ROWS,
            found=n_rows,
        )
