"""The batch and its block as tables that other programs read."""

import csv
import io
from collections.abc import Iterable
from typing import Any

from embedlib.table_files.writing import float32_rows
from ui.batches.batch import Batch, Block


def batch_csv(batch: Batch) -> str:
    """Write one line per place of the batch: sample, position, where in the text, input and target, id and text."""
    n_samples, max_length = batch.inputs.shape
    inputs, targets = batch.inputs.tolist(), batch.targets.tolist()
    return _csv(
        ["sample", "position", "token_in_text", "input_id", "input", "target_id", "target"],
        (
            [
                sample,
                position,
                batch.place(sample, position),
                inputs[sample][position],
                batch.label(sample, position),
                targets[sample][position],
                batch.label(sample, position + 1),
            ]
            for sample in range(n_samples)
            for position in range(max_length)
        ),
    )


def block_csv(batch: Batch, block: Block) -> str:
    """Write one line per part of the sum, sample and position of what is drawn, with its numbers."""
    n_samples, n_positions, width = block.input.shape
    parts = {"token": block.token, "position": block.position, "input": block.input}
    rows = {part: float32_rows(numbers.flatten(0, 1)) for part, numbers in parts.items()}
    inputs = batch.inputs.tolist()
    return _csv(
        ["sample", "position", "token_id", "part", *(f"dim_{column}" for column in range(width))],
        (
            [sample, position, inputs[sample][position], part, *map(str, rows[part][sample * n_positions + position])]
            for part in parts
            for sample in range(n_samples)
            for position in range(n_positions)
        ),
    )


def _csv(heading: list[str], lines: Iterable[list[Any]]) -> str:
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(lines)
    return target.getvalue()
