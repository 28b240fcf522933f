"""Text into tokens, rows of an embedding matrix and positional vectors: small, exact, and the same on any device."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from embedlib.device import Device as Device
    from embedlib.device import pick_device as pick_device
    from embedlib.embedding import embedding_table as embedding_table
    from embedlib.embedding import lookup as lookup
    from embedlib.embedding import one_hot_lookup as one_hot_lookup
    from embedlib.neighbours import METRICS as METRICS
    from embedlib.neighbours import Analogy as Analogy
    from embedlib.neighbours import Neighbours as Neighbours
    from embedlib.neighbours import along as along
    from embedlib.neighbours import analogy as analogy
    from embedlib.neighbours import meaning_axis as meaning_axis
    from embedlib.neighbours import nearest_neighbours as nearest_neighbours
    from embedlib.neighbours import neighbour_distances as neighbour_distances
    from embedlib.neighbours import neighbour_rank as neighbour_rank
    from embedlib.neighbours import row_norms as row_norms
    from embedlib.pipeline import InputEmbeddings as InputEmbeddings
    from embedlib.pipeline import embed_text as embed_text
    from embedlib.positional import SCHEMES as SCHEMES
    from embedlib.positional import PositionalScheme as PositionalScheme
    from embedlib.positional import make_scheme as make_scheme
    from embedlib.projection import Pca as Pca
    from embedlib.projection import SampledFaithfulness as SampledFaithfulness
    from embedlib.projection import fit_pca as fit_pca
    from embedlib.projection import kept_neighbours as kept_neighbours
    from embedlib.projection import sampled_faithfulness as sampled_faithfulness
    from embedlib.projection import trustworthiness as trustworthiness
    from embedlib.random import sample_rows as sample_rows
    from embedlib.texts import sliding_windows as sliding_windows
    from embedlib.tokenizers import TOKENIZERS as TOKENIZERS
    from embedlib.tokenizers import Token as Token
    from embedlib.tokenizers import Tokenizer as Tokenizer
    from embedlib.tokenizers import TokenSpans as TokenSpans
    from embedlib.tokenizers import get_tokenizer as get_tokenizer
    from embedlib.tokenizers import token_spans as token_spans
    from embedlib.tokenizers.trained import TRAINED as TRAINED
    from embedlib.tokenizers.trained import TrainedTokenizer as TrainedTokenizer
    from embedlib.tokenizers.trained import train_tokenizer as train_tokenizer

# Where each name lives; a package is imported when a name of it is first used.
_HOMES = {
    "device": "Device pick_device",
    "embedding": "embedding_table lookup one_hot_lookup",
    "neighbours": "METRICS Analogy Neighbours along analogy meaning_axis nearest_neighbours "
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
