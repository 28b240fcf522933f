"""Inputs and targets of the batch side by side."""

from ui.batches.batch import Batch, batch_csv
from ui.batches.heights import NARROW, WIDE, pairs_height
from ui.components import window_pairs as pairs_component
from ui.components.window_pairs import MAX_COLUMNS, MAX_ROWS, window_pairs
from ui.export import Grid, take_along
from ui.i18n import _, translated
from ui.shared.page import keep_room

KEY = "window-pairs"


def inputs_and_targets(batch: Batch) -> None:
    """Show the batch's ids twice, the second time one token further."""
    wide, narrow = (pairs_height(*batch.inputs.shape, width=width) for width in (WIDE, NARROW))
    keep_room(KEY, wide=wide, narrow=narrow, until_drawn=True)
    labels = translated(pairs_component.LABELS)
    window_pairs(
        batch.inputs,
        batch.targets,
        starts=batch.starts.tolist(),
        texts=_texts(batch),
        labels=labels,
        key=KEY,
    )

    def grid() -> Grid:
        shown = [chips[:MAX_COLUMNS] for chips in batch.inputs[:MAX_ROWS].tolist()]
        after = [chips[:MAX_COLUMNS] for chips in batch.targets[:MAX_ROWS].tolist()]
        texts = _texts(batch)

        def written(samples: list[list[int]]) -> list[list[tuple[str, str]]]:
            return [[(texts[token_id], str(token_id)) for token_id in sample] for sample in samples]

        numbers = [str(sample) for sample in range(len(shown))]
        return {labels["sample"]: numbers, labels["inputs"]: written(shown), labels["targets"]: written(after)}

    take_along(
        f"batch-{batch.request.batch + 1}",
        grid=grid,
        table=lambda: batch_csv(batch),
        arrays=lambda: {"starts": batch.starts, "inputs": batch.inputs, "targets": batch.targets},
        title=f"{_('Batch')} {batch.request.batch + 1}",
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
