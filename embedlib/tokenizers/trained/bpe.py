"""Byte-pair encoding learned from a text: Hugging Face's trainer, and tiktoken to apply its merges."""

import json
import re
from itertools import pairwise

from embedlib.tokenizers.base import checked_ids
from embedlib.tokenizers.bpe import BytePairTokenizer, definition
from embedlib.tokenizers.labels import byte_letters
from embedlib.tokenizers.trained.base import check_vocab_size, check_words

N_BYTES = 256
MAX_RUN = 1_000  # a run of as many characters is cut for the training, which takes a time quadratic in a piece's length


class TrainedBytePairs(BytePairTokenizer):
    """Byte-pair encoding with merges learned from a text; it encodes every text.

    Ids 0 … 255 are the single bytes, in the order of the characters that GPT-2's files write them as; the ids after
    them are the merges, first to last, so that an id is also its token's rank.
    """

    unknown_id = None
    is_spelled_by_bytes = True

    def __init__(self, merges: tuple[tuple[bytes, bytes], ...], *, requested_size: int, learned_from: int) -> None:
        from tiktoken import Encoding

        alphabet = sorted((character, byte) for byte, character in byte_letters().items())
        tokens = [bytes([byte]) for _, byte in alphabet] + [left + right for left, right in merges]
        # Two pairs could make the same token, which then has one id.
        self.ranks = {token: rank for rank, token in enumerate(dict.fromkeys(tokens))}
        self.merges = merges
        self.pattern: str = definition("r50k_base", {})["pat_str"]
        self.requested_size = requested_size
        self.learned_from = learned_from
        super().__init__("bpe", Encoding("bpe", pat_str=self.pattern, mergeable_ranks=self.ranks, special_tokens={}))

    def piece(self, token_id: int) -> str:
        """Return the vocabulary's own spelling: one printable character per byte, "Ġ" for a space, "Ċ" a line feed."""
        characters = byte_letters()
        return "".join(characters[byte] for byte in self.token_bytes(checked_ids([token_id], self.vocab_size)[0]))


def train_byte_pairs(text: str, vocab_size: int) -> TrainedBytePairs:
    """Learn which pairs of neighbouring tokens to merge, the most frequent first; of equals, that of the lowest ids.

    GPT-2's pattern splits the text first, and no merge crosses a border.

    Source: Sennrich, Haddow and Birch 2016, https://arxiv.org/abs/1508.07909; over bytes as in GPT-2.
    """
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    check_vocab_size(vocab_size, N_BYTES, "the alphabet, 256 single bytes")
    check_words(len(text.strip()), "character but white space")
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False)
    learning = Tokenizer(models.BPE())
    learning.pre_tokenizer = byte_level
    trainer = trainers.BpeTrainer(
        # A text has no more pairs than bytes; the trainer sets memory aside for what it is asked.
        vocab_size=min(vocab_size, N_BYTES + 4 * len(text)),
        show_progress=False,
        initial_alphabet=byte_level.alphabet(),
    )
    learning.train_from_iterator(_split_long_runs(text), trainer)
    written = {character: byte for byte, character in byte_letters().items()}
    merges = tuple(
        (bytes(written[sign] for sign in left), bytes(written[sign] for sign in right))
        for left, right in json.loads(learning.to_str())["model"]["merges"]
    )
    return TrainedBytePairs(merges, requested_size=vocab_size, learned_from=len(text))


def _split_long_runs(text: str) -> list[str]:
    """Split a text inside very long runs of white space or of anything else; most texts stay whole."""
    long_run = rf"\s{{{MAX_RUN}}}(?=\s)|\S{{{MAX_RUN}}}(?=\S)"
    ends = [run.end() for run in re.finditer(long_run, text)]
    return [text[first:last] for first, last in pairwise([0, *ends, len(text)])]
