"""WordPiece learned from a text: the longest piece first, and "##" before pieces that continue a word."""

from collections.abc import Iterable
from itertools import chain

from embedlib.tokenizers.base import Ints, SpanArrays, checked_ids
from embedlib.tokenizers.pretokenize import Spans, bert_words
from embedlib.tokenizers.trained.base import PieceTokenizer, check_vocab_size, check_words

UNKNOWN = "[UNK]"
CONTINUATION = "##"
MAX_WORD_CHARACTERS = 100  # characters of the longest word that is cut into pieces, as in BERT; a longer one is unknown


class WordPieceTokenizer(PieceTokenizer):
    """Splits each word greedily, as BERT does: its longest prefix in the vocabulary, then the longest of the rest.

    A word with a character that the vocabulary lacks at that place is one unknown token, as a whole; "[UNK]" is the
    first of `pieces`.

    Source: Devlin et al. 2019, §3, https://arxiv.org/abs/1810.04805
    """

    def __init__(self, pieces: tuple[str, ...], *, requested_size: int, learned_from: int) -> None:
        from tokenizers import models

        model = models.WordPiece(
            {piece: token_id for token_id, piece in enumerate(pieces)},
            unk_token=UNKNOWN,
            max_input_chars_per_word=MAX_WORD_CHARACTERS,
            continuing_subword_prefix=CONTINUATION,
        )
        super().__init__("wordpiece", pieces, model, requested_size=requested_size, learned_from=learned_from)

    def _words(self, text: str) -> Spans:
        return bert_words(text)

    def _spelling(self, word: str) -> str:
        return word

    def _byte_spans(self, token_ids: Ints, inside: tuple[Ints, Ints], at: tuple[Ints, Ints]) -> SpanArrays:
        return token_ids, at[0] + inside[0], at[0] + inside[1]

    def token_bytes(self, token_id: int) -> bytes:
        """Return the bytes of an id: of "##ing" those of "ing", of the unknown token its name."""
        piece = self.piece(token_id)
        return (piece[len(CONTINUATION) :] if _continues_word(piece) else piece).encode()

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the pieces joined, with one space before each that begins a word, for ids do not record spaces."""
        pieces = [self.pieces[token_id] for token_id in checked_ids(token_ids, self.vocab_size)]
        joined = "".join(piece[len(CONTINUATION) :] if _continues_word(piece) else f" {piece}" for piece in pieces)
        return joined.removeprefix(" ")


def train_wordpiece(text: str, vocab_size: int) -> WordPieceTokenizer:
    """Learn pieces of words, as Hugging Face's trainer does: by merging the most frequent pair of neighbours.

    The vocabulary begins with "[UNK]" and every character, those that continue a word once more with "##".
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    spans = zip(*(offsets.tolist() for offsets in bert_words(text)), strict=True)
    words = [text[start:stop] for start, stop in spans if stop - start <= MAX_WORD_CHARACTERS]
    check_words(len(words), f"word of at most {MAX_WORD_CHARACTERS} characters")
    distinct = set(words)
    characters = sorted(set(chain.from_iterable(distinct)))
    going_on = [CONTINUATION + sign for sign in sorted(set(chain.from_iterable(word[1:] for word in distinct)))]
    alphabet = [UNKNOWN, *characters, *going_on]
    check_vocab_size(vocab_size, len(alphabet), "the alphabet of this text with [UNK] and the characters inside words")

    learning = Tokenizer(models.WordPiece(unk_token=UNKNOWN))
    learning.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=min(vocab_size, len(alphabet) + len(text)),
        show_progress=False,
        continuing_subword_prefix=CONTINUATION,
        # Ids break ties, and the trainer numbers what goes on with a word in the order of a hash map, which is another
        # in each process; given beforehand, the alphabet has an order of its own.
        special_tokens=alphabet,
    )
    learning.train_from_iterator([" ".join(words)], trainer)
    ids = learning.get_vocab(with_added_tokens=False)
    return WordPieceTokenizer(
        tuple(sorted(ids, key=ids.__getitem__)), requested_size=vocab_size, learned_from=len(text)
    )


def _continues_word(piece: str) -> bool:
    """Return whether a piece continues a word: "##" with more behind it, for a "#" of the text is a word of its own."""
    return len(piece) > len(CONTINUATION) and piece.startswith(CONTINUATION)
