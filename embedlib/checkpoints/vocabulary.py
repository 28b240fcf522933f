"""Tokens of a model's rows: labels, words, the order of frequency, and unused tokens."""

import re
from dataclasses import dataclass

import torch
from torch import Tensor

from embedlib.checkpoints.tokenizer import FileTokenizer
from embedlib.tokenizers.labels import token_label

# Room that vocabularies keep for later: BERT's [unused12], Gemma's <unused12>, Llama's reserved ones, fairseq's filler.
UNUSED = re.compile(r"[\[<]\|?(unused|reserved)[\w ]*\|?[\]>]|madeupword\d+", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, eq=False, slots=True)
class Vocabulary:
    """A model's tokens, row by row.

    Attributes:
        labels: of each row's token; "" for rows without one.
        words: row of each word that is a token of its own, as it is spelled.
        unused: (n_unused,) int64 rows that training never looked up: reserved tokens, and rows without a token.
        ranked: (n_ranked,) int64 rows by falling frequency in the vocabulary's training text.
    """

    labels: list[str]
    words: dict[str, int]
    unused: Tensor
    ranked: Tensor


def read_vocabulary(tokenizer: FileTokenizer, n_rows: int) -> Vocabulary:
    """Read the tokens of a table's rows; tokens without a row are left out.

    Vocabularies list what they learned by falling frequency: byte pairs in the order of their merges, WordPiece and
    Unigram by count or score. Special tokens and single signs are listed apart, often by their codes, and have no rank.

    Source: Sennrich et al. 2016, §3.2, https://arxiv.org/abs/1508.07909
    """
    pieces, (continuation, begins, ends) = tokenizer.pieces(), tokenizer.marks
    labels = [""] * n_rows
    words: dict[str, int] = {}
    unused, ranked = [], []
    for row in range(n_rows):
        try:
            label = token_label(tokenizer.token_bytes(row))
        except ValueError:  # no token: a table is often filled up to a round number of rows
            unused.append(row)
            continue
        piece = pieces.get(row)
        if piece is None or UNUSED.fullmatch(piece):
            labels[row] = label
            if UNUSED.fullmatch(piece or label):
                unused.append(row)
            continue
        continues = bool(continuation) and piece.startswith(continuation)
        labels[row] = continuation + label if continues else label
        bare = piece.removeprefix(continuation)
        if len(bare) > 1 and not re.fullmatch(r"\[\w+\]|<.+>", bare, re.ASCII):
            ranked.append(row)
        if not continues and piece.startswith(begins) and piece.endswith(ends):
            word = piece.removeprefix(begins).removesuffix(ends)
            if word.isalpha():
                words.setdefault(word, row)
    return Vocabulary(labels, words, torch.tensor(unused, dtype=torch.int64), torch.tensor(ranked, dtype=torch.int64))
