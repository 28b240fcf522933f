"""Text into tokens, rows of an embedding matrix and positional vectors: small, exact, and the same on any device."""

from embedlib.device import Device, pick_device
from embedlib.embedding import embedding_table, lookup, one_hot_lookup
from embedlib.neighbours import (
    METRICS,
    Analogy,
    Neighbours,
    along,
    analogy,
    meaning_axis,
    midpoint,
    nearest_neighbours,
    neighbour_distances,
    rank_of,
    row_norms,
)
from embedlib.pipeline import InputEmbeddings, embed_text
from embedlib.positional import SCHEMES, PositionalScheme, make_scheme
from embedlib.projection import (
    Pca,
    SampledFaithfulness,
    continuity,
    fit_pca,
    kept_neighbours,
    sampled_faithfulness,
    trustworthiness,
)
from embedlib.random import sample_rows
from embedlib.texts import sliding_windows
from embedlib.tokenizers import TOKENIZERS, Token, Tokenizer, TokenSpans, get_tokenizer, token_spans
from embedlib.tokenizers.trained import TRAINED, TrainedTokenizer, train_tokenizer

__all__ = [
    "METRICS",
    "SCHEMES",
    "TOKENIZERS",
    "TRAINED",
    "Analogy",
    "Device",
    "InputEmbeddings",
    "Neighbours",
    "Pca",
    "PositionalScheme",
    "SampledFaithfulness",
    "Token",
    "TokenSpans",
    "Tokenizer",
    "TrainedTokenizer",
    "along",
    "analogy",
    "continuity",
    "embed_text",
    "embedding_table",
    "fit_pca",
    "get_tokenizer",
    "kept_neighbours",
    "lookup",
    "make_scheme",
    "meaning_axis",
    "midpoint",
    "nearest_neighbours",
    "neighbour_distances",
    "one_hot_lookup",
    "pick_device",
    "rank_of",
    "row_norms",
    "sample_rows",
    "sampled_faithfulness",
    "sliding_windows",
    "token_spans",
    "train_tokenizer",
    "trustworthiness",
]
