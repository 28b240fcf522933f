"""MiniLM for all visitors: opened once, its tables read once, its tokenizer made once."""

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
    """Open it, or remember why it cannot be had: its weights are hashed, which takes 0.1 s."""
    try:
        return minilm()
    except CheckpointError as error:
        return error


def has_minilm() -> bool:
    """Tell whether MiniLM is installed as it was published."""
    return isinstance(_open_minilm(), Checkpoint)


def opens_with_minilm() -> bool:
    """Tell whether pages open with MiniLM's rows: it is there, and the administrator wants no others."""
    return os.environ.get(OPTION) != "grammar" and has_minilm()


def minilm_error() -> CheckpointError | None:
    """Return why pages do not open with MiniLM's rows; None where they do, or the administrator wants others."""
    opened = _open_minilm()
    return opened if isinstance(opened, CheckpointError) and os.environ.get(OPTION) != "grammar" else None


def minilm_model() -> Checkpoint:
    """Return the model; CheckpointError where it cannot be had."""
    opened = _open_minilm()
    if isinstance(opened, CheckpointError):
        raise opened
    return opened


@memo(100_000_000)
def minilm_tokenizer() -> FileTokenizer:
    """Make its tokenizer, which takes 0.4 s."""
    return minilm_model().tokenizer()


@memo()
def minilm_pieces() -> list[str]:
    """Return each token as its vocabulary spells it, "##ing", by id."""
    tokenizer = minilm_tokenizer()
    spelled = tokenizer.pieces()
    return [spelled.get(row) or tokenizer.token_bytes(row).decode() for row in range(tokenizer.vocab_size)]


@memo(100_000_000)
def minilm_table() -> Tensor:
    """Read all its token rows, (30522, 384) float32 on the device."""
    model = minilm_model()
    return model.rows(torch.arange(model.vocab_size), dtype=torch.float32).to(pick_device().device)


@memo()
def minilm_positions() -> Tensor:
    """Read its position rows, (512, 384) float32 on the device."""
    return minilm_model().position_table(dtype=torch.float32).to(pick_device().device)


@memo()
def minilm_input(token_ids: tuple[int, ...]) -> BertInput:
    """Compute what its first layer is given for these tokens."""
    return bert_input(minilm_model(), list(token_ids))


_positions: BoundedCache[str, Tensor] = BoundedCache(64_000_000, lambda rows: rows.nbytes)


def cache_positions(source: str, rows: Tensor) -> None:
    """Keep the position rows of a model, (n_positions, d_model), under what settings call it."""
    _positions.get(source, lambda: rows.float().to(pick_device().device))


def cached_positions(source: str) -> Tensor | None:
    """Return a model's position rows, (n_positions, d_model) float32; None where they are not at hand."""
    if source == MINILM:
        return minilm_positions() if has_minilm() else None
    return _positions.find(source)
