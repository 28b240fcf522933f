"""MiniLM, shared by all visitors: model, tables and tokenizer are loaded once."""

import functools
import os

import torch
from torch import Tensor

from embedlib.checkpoints import BertInput, Checkpoint, CheckpointError, FileTokenizer, bert_input, minilm
from embedlib.device import pick_device
from ui.cache.bounded import BoundedCache, memo

MINILM = "minilm"  # the model that is installed beside the app, as settings name it
OPTION = "EMBEDDING_EXPLORER_ROWS"  # "grammar": pages open with the grammar's table though MiniLM is there


@functools.cache
def _open_minilm() -> Checkpoint | CheckpointError:
    """Open the model, or cache the error: hashing its weights takes 0.1 s."""
    try:
        return minilm()
    except CheckpointError as error:
        return error


def has_minilm() -> bool:
    """Return whether MiniLM is installed as it was published."""
    return isinstance(_open_minilm(), Checkpoint)


def opens_with_minilm() -> bool:
    """Return whether pages open with MiniLM's rows: it is installed and the administrator has not opted out."""
    return os.environ.get(OPTION) != "grammar" and has_minilm()


def minilm_error() -> CheckpointError | None:
    """Return why MiniLM cannot be opened; None if it can, or if the administrator has opted out."""
    opened = _open_minilm()
    return opened if isinstance(opened, CheckpointError) and os.environ.get(OPTION) != "grammar" else None


def minilm_model() -> Checkpoint:
    """Return the model; raises CheckpointError if it cannot be opened."""
    opened = _open_minilm()
    if isinstance(opened, CheckpointError):
        raise opened
    return opened


@memo(100_000_000)
def minilm_tokenizer() -> FileTokenizer:
    """Return its tokenizer, which takes 0.4 s to build."""
    return minilm_model().tokenizer()


@memo()
def minilm_pieces() -> list[str]:
    """Return the vocabulary's spelling of each token, such as "##ing", by id."""
    tokenizer = minilm_tokenizer()
    return [tokenizer.piece(row) for row in range(tokenizer.vocab_size)]


@memo(100_000_000)
def minilm_table() -> Tensor:
    """Return all its token rows, (30522, 384) float32 on the device."""
    model = minilm_model()
    return model.rows(torch.arange(model.vocab_size), dtype=torch.float32).to(pick_device().device)


@memo()
def minilm_positions() -> Tensor:
    """Return its position rows, (512, 384) float32 on the device."""
    return minilm_model().position_table(dtype=torch.float32).to(pick_device().device)


@memo()
def minilm_input(token_ids: tuple[int, ...]) -> BertInput:
    """Compute the input of its first layer for these tokens."""
    return bert_input(minilm_model(), list(token_ids))


_positions: BoundedCache[str, Tensor] = BoundedCache(64_000_000, lambda rows: rows.nbytes)


def cache_positions(source: str, rows: Tensor) -> None:
    """Cache the position rows of a model, (n_positions, d_model), under its name in settings."""
    _positions.get(source, lambda: rows.float().to(pick_device().device))


def cached_positions(source: str) -> Tensor | None:
    """Return a model's position rows, (n_positions, d_model) float32; None if they are not loaded."""
    if source == MINILM:
        return minilm_positions() if has_minilm() else None
    return _positions.find(source)
