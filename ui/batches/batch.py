"""The batch in view: where its windows lie, its ids, as many of its vectors as are drawn, and both as tables."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from embedlib.embedding import lookup
from embedlib.tables import float32_rows
from ui.batches import cache
from ui.batches.request import Request
from ui.cache.minilm import minilm_positions, minilm_table
from ui.components.tensor_block import drawn_shape
from ui.export import blocks_csv


@dataclass(frozen=True)
class Batch:
    """One batch of windows."""

    request: Request
    starts: Tensor  # (n_samples,) int64, the place in the text at which each window begins
    inputs: Tensor  # (n_samples, max_length) int64
    targets: Tensor  # the same, one token further

    def place(self, sample: int, position: int) -> int:
        """Return where in the text an input stands; the target there is one further."""
        return int(self.starts[sample]) + position

    def label(self, sample: int, position: int) -> str:
        """Show an input as a short text; one position past the last is the last target."""
        return self.request.tokenized.label(self.place(sample, position))


@dataclass(frozen=True)
class Block:
    """The corner of a batch's block that is drawn: three tensors (n_samples, n_positions, n_dimensions) float32."""

    token: Tensor
    position: Tensor  # the same for every sample
    input: Tensor  # their sum


def batch_in_view(request: Request) -> Batch:
    """Cut the windows of the batch in view."""
    plan, ids = request.plan, request.tokenized.spans.ids
    inputs, targets = plan.batch(ids, request.batch)
    return Batch(request, plan.windows(request.batch) * plan.stride, inputs, targets)


def block_of(batch: Batch) -> Block:
    """Look up the vectors of a batch: its first samples, places and dimensions, as far as they are drawn."""
    request = batch.request
    n_samples, n_positions, width = drawn_shape((*batch.inputs.shape, request.d_model))
    ids = batch.inputs[:n_samples, :n_positions]
    if has_learned_positions(request):
        table, rows = minilm_table(), minilm_positions()
    else:
        sizes = request.tokenized.vocab_size, request.d_model, request.seed
        table, rows = cache.tables_of(*sizes, request.plan.max_length)
        if request.table == "trained":
            table, _known = cache.trained_of(request.source, request.tokenizer, request.seed)
        elif request.table == "minilm":
            table = minilm_table()
    token = lookup(table, ids.to(table.device))[..., :width].cpu()  # (n_samples, n_positions, width)
    position = rows[:n_positions, :width].cpu().expand(token.shape)
    return Block(token, position, token + position)


def has_learned_positions(request: Request) -> bool:
    """Tell whether MiniLM has a row for each position of a window, and they are shown."""
    return request.table == "minilm" and request.plan.max_length <= len(minilm_positions())


def trained_inputs(batch: Batch) -> list[bool]:
    """Tell which tokens of the block have trained rows, as far as they are drawn, sample by sample."""
    request = batch.request
    n_samples, n_positions, _width = drawn_shape((*batch.inputs.shape, request.d_model))
    _table, known = cache.trained_of(request.source, request.tokenizer, request.seed)
    ids = batch.inputs[:n_samples, :n_positions].flatten()
    return [bool(trained) for trained in known[ids.to(known.device)]]


def batch_csv(batch: Batch) -> str:
    """Write one line per place of the batch: sample, position, where in the text, input and target, id and text."""
    n_samples, max_length = batch.inputs.shape
    samples, positions = np.divmod(np.arange(n_samples * max_length), max_length)
    places = batch.starts.numpy()[samples] + positions
    return blocks_csv(
        ["sample", "position", "token_in_text", "input_id", "input", "target_id", "target"],
        [
            [
                *(samples, positions, places),
                *(batch.inputs.flatten().numpy(), _labels(batch, batch.inputs.flatten().numpy(), places)),
                *(batch.targets.flatten().numpy(), _labels(batch, batch.targets.flatten().numpy(), places + 1)),
            ]
        ],
    )


def block_csv(batch: Batch, block: Block) -> str:
    """Write one line per part of the sum, sample and position of what is drawn, with its numbers."""
    n_samples, n_positions, width = block.input.shape
    parts = {"token": block.token, "position": block.position, "input": block.input}
    samples, positions = np.divmod(np.arange(n_samples * n_positions), n_positions)
    ids = batch.inputs[:n_samples, :n_positions].flatten().numpy()
    return blocks_csv(
        ["sample", "position", "token_id", "part", *(f"dim_{column}" for column in range(width))],
        [
            [samples, positions, ids, [part] * len(ids), *float32_rows(numbers.flatten(0, 1)).T]
            for part, numbers in parts.items()
        ],
    )


def _labels(batch: Batch, ids: NDArray[np.int64], places: NDArray[np.int64]) -> list[str]:
    """Write each token as a short text, each id once: 512 x 1,024 tokens have a few thousand."""
    _unique, first, which = np.unique(ids, return_index=True, return_inverse=True)
    labels = [batch.request.tokenized.label(int(place)) for place in places[first]]
    return [labels[index] for index in which]
