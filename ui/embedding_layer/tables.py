"""The numbers of the embedding layer's page as tables that other programs read."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from torch import Tensor

from embedlib.embedding import BYTES_PER_NUMBER, MOVE_REASONS, LookupCost, ModelSize, RowStep


def cost_csv(cost: LookupCost) -> str:
    """Write one line per way: seconds and bytes as measured, and the operations that it takes."""
    return _csv(
        ["way", "vocab_size", "d_model", "n_tokens", "seconds", "bytes", "operations"],
        [
            ["lookup", cost.vocab_size, cost.d_model, cost.n_tokens, cost.lookup_seconds, cost.lookup_bytes, 0],
            [
                "one_hot",
                cost.vocab_size,
                cost.d_model,
                cost.n_tokens,
                cost.slow_seconds,
                cost.product_bytes,
                cost.flops,
            ],
        ],
    )


def starts_csv(norms: Mapping[str, Tensor], expected: Mapping[str, float]) -> str:
    """Write one line per initialisation: the expected length of a row, and the shortest, mean and longest drawn."""
    lines = (
        [name, expected[name], float(found.min()), float(found.mean()), float(found.max())]
        for name, found in norms.items()
    )
    return _csv(["start", "expected", "shortest", "mean", "longest"], lines)


def moves_csv(step: RowStep, rows: Sequence[int]) -> str:
    """Write one line per row: how often it was looked up, its gradient, how far it moved, and why."""
    lines = (
        [
            row,
            int(step.counts[row]),
            float(step.gradient_norms[row]),
            float(step.moves[row]),
            MOVE_REASONS[step.why[row]],
        ]
        for row in rows
    )
    return _csv(["row", "looked_up", "gradient", "moved", "why"], lines)


def models_csv(models: Iterable[ModelSize]) -> str:
    """Write one line per model: its table's size in numbers and bytes, and its share of the whole."""
    lines = (
        [
            model.name,
            model.vocab_size,
            model.d_model,
            int(model.tied),
            model.table_parameters,
            *(model.table_bytes(kind) for kind in BYTES_PER_NUMBER),
            "" if model.parameters is None else model.parameters,
            "" if model.share is None else model.share,
        ]
        for model in models
    )
    kinds = [f"bytes_{kind}" for kind in BYTES_PER_NUMBER]
    return _csv(["model", "vocab_size", "d_model", "tied", "table_parameters", *kinds, "parameters", "share"], lines)


def _csv(heading: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(lines)
    return target.getvalue()
