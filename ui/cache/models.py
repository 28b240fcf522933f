"""Tokenizers of models: of the Hub, of the server's folders, and those that visitors have loaded; made once for all."""

import os
from pathlib import Path
from weakref import WeakValueDictionary

from embedlib.checkpoints import FileTokenizer, is_model_id, open_tokenizer
from ui.cache.bounded import memo
from ui.cache.minilm import MINILM, minilm_model

FOLDER_VARIABLE = "EMBEDLIB_MODELS"
_BYTES_PER_PIECE = 300  # about what one takes, in Rust and here

# What visitors have loaded, by a hash of it, as long as one of their sessions holds it.
loaded_tokenizers: "WeakValueDictionary[str, FileTokenizer]" = WeakValueDictionary()


def is_model_source(name: str) -> bool:
    """Tell whether a tokenizer's name is a model: "owner/name" of the Hub, or "./" and a folder of the server's."""
    return name.startswith("./") or ("/" in name and is_model_id(name))


def models_folder() -> str:
    """Return the folder of models that every visitor may open; "" for none."""
    return os.environ.get(FOLDER_VARIABLE, "")


def _key(source: str) -> tuple[object, ...]:
    if not source.startswith("./"):
        return (source,)
    try:
        about = Path(models_folder(), source, "tokenizer.json").stat()
    except (OSError, ValueError):
        return (source,)
    return source, about.st_mtime_ns, about.st_size


@memo(400_000_000, size=lambda made: 100_000 + _BYTES_PER_PIECE * made.vocab_size, key=_key)
def model_tokenizer(source: str) -> FileTokenizer:
    """Make the tokenizer of a model; of the Hub's it asks the Hub, so that a page calls it in the background.

    Raises:
        CheckpointError: there is none, or it cannot be read now.
    """
    if source == MINILM:
        return minilm_model().tokenizer()
    if source.startswith("./"):
        return open_tokenizer(source.removeprefix("./"), root=models_folder())
    return open_tokenizer(source)
