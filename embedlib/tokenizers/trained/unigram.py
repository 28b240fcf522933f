"""Unigram pieces learned from a text: a probability each, the likeliest split of a word, "▁" where a word begins."""

import json
from collections.abc import Iterable
from itertools import cycle, islice

import numpy as np

from embedlib.tokenizers.base import Ints, SpanArrays, checked_ids
from embedlib.tokenizers.pretokenize import Spans, spaced_words
from embedlib.tokenizers.trained.base import PieceTokenizer, check_vocab_size, check_words

UNKNOWN = "<unk>"
MARK = "▁"
MARK_BYTES = len(MARK.encode())
MAX_UNIGRAM_CHARACTERS = 40_000  # to learn pieces from: 0.5 s on one core; the time grows faster than the text
MAX_PIECE = 16  # characters of the longest piece
N_ENDS = 61  # prime, so that few rhythms of a text fall in with it
_BOUNDARY = "\0"  # no piece of the trainer's crosses it
_STEP = 1e-4  # between the scores of characters that no word needed, in the trainer


class UnigramTokenizer(PieceTokenizer):
    """Splits each word into the pieces whose probabilities have the largest product, as SentencePiece does.

    Words are separated by white space. The mark "▁" at a word's beginning stands for the one character of white space
    before it; at the beginning of the text it stands for nothing, and a token of the mark alone is left out there, so
    that no token is empty. Consecutive characters that are not in the vocabulary are one unknown token. `scores` are
    the logarithms of the probabilities; that of "<unk>", the first piece, is not used.

    Source: Kudo 2018, https://arxiv.org/abs/1804.10959; Kudo and Richardson 2018, https://arxiv.org/abs/1808.06226
    """

    def __init__(
        self, pieces: tuple[str, ...], scores: tuple[float, ...], *, requested_size: int, learned_from: int
    ) -> None:
        from tokenizers import models

        # In the model the unknown is spelled as no text of a reader's is, so that "<unk>", when typed, is plain text.
        spelled = [(_BOUNDARY, 0.0), *zip(pieces[1:], scores[1:], strict=True)]
        self.scores = scores
        super().__init__(
            "unigram",
            pieces,
            models.Unigram(spelled, 0, False),
            requested_size=requested_size,
            learned_from=learned_from,
        )

    def _words(self, text: str) -> Spans:
        return spaced_words(text)

    def _spelling(self, word: str) -> str:
        return MARK + word

    def _byte_spans(self, token_ids: Ints, inside: tuple[Ints, Ints], at: tuple[Ints, Ints]) -> SpanArrays:
        word, before = at  # the two are equal where the text begins with a word
        starts = np.where(inside[0] == 0, before, word + inside[0] - MARK_BYTES)
        stops = word + inside[1] - MARK_BYTES
        some = stops > starts
        return token_ids[some], starts[some], stops[some]

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of an id: of "▁the" those of " the", of the unknown token its name."""
        return self.piece(token_id).replace(MARK, " ").encode()

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the pieces joined, with a space for each mark but one at the very beginning."""
        pieces = [self.pieces[token_id] for token_id in checked_ids(token_ids, self.vocab_size)]
        return "".join(pieces).removeprefix(MARK).replace(MARK, " ")


def train_unigram(text: str, vocab_size: int) -> UnigramTokenizer:
    """Learn probable pieces of words: many at first, then the least useful are dropped, round by round.

    The trainer sums in the order of a hash map, which differs from process to process, and where two splits of a word
    are equally good the last bit of a sum decides. It is therefore given all words as one sentence, with boundaries
    that no piece crosses: the order is then the text's. That takes longer, and is why only the beginning of a long text
    is learned from. "<unk>", "▁" and every character of the text are in the vocabulary.
    """
    words = [MARK + word for word in text.split()]
    check_words(len(words), "character but white space")
    alphabet = sorted(set("".join(words)) - {_BOUNDARY})
    check_vocab_size(vocab_size, 1 + len(alphabet), "the alphabet of this text with <unk> and ▁")

    part = text[:MAX_UNIGRAM_CHARACTERS]
    learned = [MARK + word for word in part.split()]
    scores = _scores([*learned, *sorted(set(alphabet) - set("".join(learned)))], alphabet, vocab_size)
    longer = sorted(scores.keys() - {*alphabet, UNKNOWN}, key=lambda piece: (-scores[piece], piece))
    pieces = [*alphabet, *longer[: vocab_size - 1 - len(alphabet)]]
    pieces.sort(key=lambda piece: (-scores[piece], piece))
    return UnigramTokenizer(
        (UNKNOWN, *pieces), (0.0, *map(scores.__getitem__, pieces)), requested_size=vocab_size, learned_from=len(part)
    )


def _scores(words: list[str], alphabet: list[str], vocab_size: int) -> dict[str, float]:
    """Return the logarithm of each piece's probability, the alphabet's among them."""
    from tokenizers import Tokenizer, models, trainers

    parts = [part for word in words for part in word.split(_BOUNDARY) if part]
    ends = _rare_endings(alphabet, min(N_ENDS, len(parts)))
    # Not two boundaries in a row, also where the text itself holds some: they spell the trainer's unknown piece.
    sentence = "".join(part + end + _BOUNDARY for part, end in zip(parts, cycle(ends), strict=False))
    trainer = trainers.UnigramTrainer(
        # With the ends and the boundary. The trainer sets memory aside for what it is asked.
        vocab_size=min(vocab_size, MAX_PIECE * len(sentence)) + len(ends) + 1,
        show_progress=False,
        unk_token=_BOUNDARY * 2,
        max_piece_length=MAX_PIECE,
    )
    learning = Tokenizer(models.Unigram())
    learning.train_from_iterator([sentence], trainer)
    scores: dict[str, float] = dict(json.loads(learning.to_str())["model"]["vocab"])
    del scores[_BOUNDARY * 2]

    # Characters that are pieces only because every text must be known have scores from the least one up, again in the
    # order of a hash map. Those are dealt out anew, by code point.
    characters = [*alphabet, *ends, _BOUNDARY]
    rarest = min(scores.values()) + _STEP * len(characters)
    rare = [sign for sign in characters if scores[sign] <= rarest]
    scores |= dict(zip(rare, sorted(map(scores.__getitem__, rare)), strict=True))
    return {piece: score for piece, score in scores.items() if piece not in {*ends, _BOUNDARY}}


def _rare_endings(alphabet: list[str], n_ends: int) -> list[str]:
    """Return characters that the text lacks, to be put before word boundaries.

    The trainer proposes only pieces that different characters follow, and none with a boundary in it: the usual end of
    a word would never be a piece. With one of these before the boundary, each word ends differently from those around
    it; and as each is followed by a boundary only, none becomes part of a piece.
    """
    known = set(alphabet)
    return list(islice((sign for sign in map(chr, range(0xF0000, 0xFFFFE)) if sign not in known), n_ends))
