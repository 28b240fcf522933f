"""Inputs and targets of the batch side by side."""

from ui.batches.batch import Batch, batch_csv
from ui.batches.heights import NARROW, WIDE, pairs_height
from ui.components import window_pairs as pairs_component
from ui.components.window_pairs import MAX_COLUMNS, MAX_ROWS, window_pairs
from ui.export import take_along
from ui.i18n import translated
from ui.shared.page import keep_room

KEY = "window-pairs"


def inputs_and_targets(batch: Batch) -> None:
    """Show the batch's ids twice, the second time one token further."""
    wide, narrow = (pairs_height(*batch.inputs.shape, width=width) for width in (WIDE, NARROW))
    keep_room(KEY, wide=wide, narrow=narrow, until_drawn=True)
    window_pairs(
        batch.inputs,
        batch.targets,
        starts=batch.starts.tolist(),
        texts=_texts(batch),
        labels=translated(pairs_component.LABELS),
        key=KEY,
    )
    take_along(
        f"batch-{batch.request.batch + 1}",
        table=lambda: batch_csv(batch),
        arrays=lambda: {"starts": batch.starts, "inputs": batch.inputs, "targets": batch.targets},
    )


def _texts(batch: Batch) -> dict[int, str]:
    """Write each id that is drawn as a short text."""
    texts: dict[int, str] = {}
    n_samples, max_length = batch.inputs.shape
    for sample in range(min(n_samples, MAX_ROWS)):
        inputs, targets = batch.inputs[sample].tolist(), batch.targets[sample].tolist()
        for position in range(min(max_length, MAX_COLUMNS)):
            texts.setdefault(inputs[position], batch.label(sample, position))
            texts.setdefault(targets[position], batch.label(sample, position + 1))
    return texts
