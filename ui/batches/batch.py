"""The batch in view: where its windows lie, its ids, as many of its vectors as are drawn, and its numbers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from embedlib.embedding import lookup
from ui.batches import cache
from ui.batches.request import Request
from ui.cache.minilm import minilm_positions, minilm_table
from ui.components.tensor_block import drawn_shape
from ui.export import Blocks


@dataclass(frozen=True)
class Batch:
    """One batch of windows."""

    request: Request
    starts: Tensor  # (n_samples,) int64, the place in the text at which each window begins
    inputs: Tensor  # (n_samples, max_length) int64
    targets: Tensor  # the same, one token further

    def place(self, sample: int, position: int) -> int:
        """Return an input's index in the text; its target's is one greater."""
        return int(self.starts[sample]) + position

    def label(self, sample: int, position: int) -> str:
        """Show an input as a short text; one position past the last is the last target."""
        return self.request.tokenized_text.label(self.place(sample, position))


@dataclass(frozen=True)
class Block:
    """The corner of a batch's block that is drawn: three tensors (n_samples, n_positions, n_dimensions) float32."""

    token: Tensor
    position: Tensor  # the same for every sample
    input: Tensor  # their sum


def batch_in_view(request: Request) -> Batch:
    """Cut the windows of the batch in view."""
    plan, ids = request.plan, request.tokenized_text.spans.ids
    inputs, targets = plan.batch(ids, request.batch)
    return Batch(request, plan.windows(request.batch) * plan.stride, inputs, targets)


def block_in_view(batch: Batch) -> Block:
    """Look up the vectors of a batch: of its first samples, positions and dimensions, as many as are drawn."""
    request = batch.request
    n_samples, n_positions, width = drawn_shape((*batch.inputs.shape, request.d_model))
    ids = batch.inputs[:n_samples, :n_positions]
    if has_learned_positions(request):
        table, rows = minilm_table(), minilm_positions()
    else:
        sizes = request.tokenized_text.vocab_size, request.d_model, request.seed
        table, rows = cache.fresh_tables(*sizes, request.plan.max_length)
        if request.table == "trained":
            table, _known = cache.table_with_trained(request.source, request.tokenizer, request.seed)
        elif request.table == "minilm":
            table = minilm_table()
    token = lookup(table, ids.to(table.device))[..., :width].cpu()  # (n_samples, n_positions, width)
    position = rows[:n_positions, :width].cpu().expand(token.shape)
    return Block(token, position, token + position)


def has_learned_positions(request: Request) -> bool:
    """Return whether MiniLM's position rows are shown: it has one for each position of a window."""
    return request.table == "minilm" and request.plan.max_length <= len(minilm_positions())


def trained_inputs(batch: Batch) -> list[bool]:
    """Return whether each drawn token of the block has a trained row, sample by sample."""
    request = batch.request
    n_samples, n_positions, _width = drawn_shape((*batch.inputs.shape, request.d_model))
    _table, known = cache.table_with_trained(request.source, request.tokenizer, request.seed)
    ids = batch.inputs[:n_samples, :n_positions].flatten()
    return [bool(trained) for trained in known[ids.to(known.device)]]


def batch_numbers(batch: Batch) -> Blocks:
    """Return one line per token of the batch: sample, position, index in the text, input and target, id and text."""
    return Blocks(
        ["sequence", "position", "token_in_text", "input_id", "input", "target_id", "target"],
        lambda: [_columns(batch)],
        {"starts": batch.starts, "inputs": batch.inputs, "targets": batch.targets},
    )


def _columns(batch: Batch) -> list[Any]:
    samples, positions = np.indices(batch.inputs.shape).reshape(2, -1)
    places = batch.starts.numpy()[samples] + positions
    inputs, targets = batch.inputs.flatten().numpy(), batch.targets.flatten().numpy()
    texts = _labels(batch, inputs, places), _labels(batch, targets, places + 1)
    return [samples, positions, places, inputs, texts[0], targets, texts[1]]


def _labels(batch: Batch, ids: NDArray[np.int64], places: NDArray[np.int64]) -> list[str]:
    """Write each token as a short text, each id once: 512 x 1,024 tokens have a few thousand."""
    _unique, first, which = np.unique(ids, return_index=True, return_inverse=True)
    labels = [batch.request.tokenized_text.label(int(place)) for place in places[first]]
    return [labels[index] for index in which]
