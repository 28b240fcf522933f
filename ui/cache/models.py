"""Tokenizers of models: from the Hub, from the server's folder, or uploaded; each is built once for all visitors."""

import os
from pathlib import Path
from weakref import WeakValueDictionary

from embedlib.checkpoints import FileTokenizer, is_model_id, open_tokenizer
from ui.cache.bounded import memo
from ui.cache.minilm import MINILM, minilm_model

FOLDER_VARIABLE = "EMBEDLIB_MODELS"
_BYTES_PER_PIECE = 300  # about, in Rust and Python together

# Uploaded tokenizers by their hash, alive while a session holds them.
loaded_tokenizers: "WeakValueDictionary[str, FileTokenizer]" = WeakValueDictionary()


def is_model_source(name: str) -> bool:
    """Return whether a tokenizer's name is a model: "owner/name" of the Hub, or "./folder" of the server."""
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
    """Return the tokenizer of a model; one of the Hub is downloaded, so pages call it in the background.

    Raises:
        CheckpointError: the model has no tokenizer, or it cannot be read now.
    """
    if source == MINILM:
        return minilm_model().tokenizer()
    if source.startswith("./"):
        return open_tokenizer(source.removeprefix("./"), root=models_folder())
    return open_tokenizer(source)
