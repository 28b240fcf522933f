"""Segmentations of a word: the pieces that WordPiece tries, and the best-scoring splits of Unigram."""

from dataclasses import dataclass
from itertools import pairwise

from embedlib.tokenizers.trained.unigram import MARK, MAX_PIECE, UnigramTokenizer
from embedlib.tokenizers.trained.wordpiece import CONTINUATION, MAX_WORD_CHARACTERS, WordPieceTokenizer


@dataclass(frozen=True, slots=True)
class Match:
    """One step of WordPiece.

    Attributes:
        tried: the pieces that were looked up, in the vocabulary's spelling, longest first; only the last may be in it.
        piece: the longest piece in the vocabulary; None where there is none, and the whole word is unknown.
    """

    tried: tuple[str, ...]
    piece: str | None


@dataclass(frozen=True, slots=True)
class Split:
    """One way to split a word into Unigram's pieces.

    Attributes:
        pieces: in the vocabulary's spelling; joined they are the word with its mark.
        scores: the logarithm of each one's probability.
    """

    pieces: tuple[str, ...]
    scores: tuple[float, ...]

    @property
    def score(self) -> float:
        """The logarithm of the product of the probabilities: the sum of the scores."""
        return sum(self.scores)


def longest_matches(tokenizer: WordPieceTokenizer, word: str) -> list[Match]:
    """Split one word of 1 … MAX_WORD characters as WordPiece does, with the pieces tried on the way.

    One entry for each piece; the last has none where the word is unknown.

    Source: Devlin et al. 2019, §3, https://arxiv.org/abs/1810.04805
    """
    if not 1 <= len(word) <= MAX_WORD_CHARACTERS:
        raise ValueError(
            f"word has {len(word)} characters, it must have 1 … {MAX_WORD_CHARACTERS}: choose a shorter one"
        )
    known = frozenset(tokenizer.pieces)
    matches: list[Match] = []
    start = 0
    while start < len(word):
        tried = []
        for stop in range(len(word), start, -1):
            tried.append((CONTINUATION if start else "") + word[start:stop])
            if tried[-1] in known:
                matches.append(Match(tuple(tried), tried[-1]))
                start = stop
                break
        else:
            return [*matches, Match(tuple(tried), None)]
    return matches


def best_splits(tokenizer: UnigramTokenizer, word: str, count: int = 2) -> list[Split]:
    """Return the most probable splits of a word, at most `count`, the best first; none with a character unknown.

    Source: Kudo 2018, §3.1, https://arxiv.org/abs/1804.10959; n-best by Viterbi's recursion over the places of a cut.
    """
    known = dict(zip(tokenizer.pieces[1:], tokenizer.scores[1:], strict=True))
    text = MARK + word
    # At each place the best ways to it: (score, the places of the cuts so far).
    ways: list[list[tuple[float, tuple[int, ...]]]] = [[(0.0, (0,))]]
    for stop in range(1, len(text) + 1):
        reaching = [
            (score + known[piece], (*cuts, stop))
            for start in range(max(0, stop - MAX_PIECE - 1), stop)
            if (piece := text[start:stop]) in known
            for score, cuts in ways[start]
        ]
        ways.append(sorted(reaching, key=lambda way: -way[0])[:count])
    splits = []
    for _score, cuts in ways[-1]:
        pieces = tuple(text[start:stop] for start, stop in pairwise(cuts))
        splits.append(Split(pieces, tuple(map(known.__getitem__, pieces))))
    return splits
