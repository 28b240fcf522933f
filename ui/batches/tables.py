"""The batch and its block as tables that other programs read."""

import numpy as np
from numpy.typing import NDArray

from embedlib.tables.writing import float32_rows
from ui.batches.batch import Batch, Block
from ui.export.tables import blocks_csv


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
    labels = [batch.request.read.label(int(place)) for place in places[first]]
    return [labels[index] for index in which]
