"""Text into tokens, rows of an embedding matrix and positional vectors: small, exact, and the same on any device."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from embedlib.device import Device, pick_device
    from embedlib.embedding import embedding_table, lookup, one_hot_lookup
    from embedlib.neighbours import (
        METRICS,
        Analogy,
        Neighbours,
        analogy,
        axis_coordinates,
        meaning_axis,
        nearest_neighbours,
        neighbour_distances,
        neighbour_rank,
        row_norms,
    )
    from embedlib.pipeline import InputEmbeddings, embed_text
    from embedlib.positional import SCHEMES, PositionalScheme, make_scheme
    from embedlib.projection import (
        Pca,
        SampledFaithfulness,
        fit_pca,
        kept_neighbours,
        sampled_faithfulness,
        trustworthiness,
    )
    from embedlib.random import sample_rows
    from embedlib.texts import sliding_windows
    from embedlib.tokenizers import TOKENIZERS, Token, Tokenizer, TokenSpans, get_tokenizer, token_spans
    from embedlib.tokenizers.trained import TRAINED, TrainedTokenizer, train_tokenizer

# Where each name lives; a package is imported when a name of it is first used.
_HOMES = {
    "device": "Device pick_device",
    "embedding": "embedding_table lookup one_hot_lookup",
    "neighbours": "METRICS Analogy Neighbours analogy axis_coordinates meaning_axis nearest_neighbours "
    "neighbour_distances neighbour_rank row_norms",
    "pipeline": "InputEmbeddings embed_text",
    "positional": "SCHEMES PositionalScheme make_scheme",
    "projection": "Pca SampledFaithfulness fit_pca kept_neighbours sampled_faithfulness trustworthiness",
    "random": "sample_rows",
    "texts": "sliding_windows",
    "tokenizers": "TOKENIZERS Token TokenSpans Tokenizer get_tokenizer token_spans",
    "tokenizers.trained": "TRAINED TrainedTokenizer train_tokenizer",
}
__all__ = [name for names in _HOMES.values() for name in names.split()]


def __getattr__(name: str) -> Any:
    if name in _HOMES:  # a package, which is an attribute once it is imported
        return import_module(f"embedlib.{name}")
    home = next((home for home, names in _HOMES.items() if name in names.split()), None)
    if home is None:
        raise AttributeError(f"module 'embedlib' has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"embedlib.{home}"), name)
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
