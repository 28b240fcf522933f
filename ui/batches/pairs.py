"""Inputs and targets of the batch side by side."""

import streamlit as st
from torch import Tensor

from ui.batches.batch import Batch, batch_numbers
from ui.batches.heights import NARROW, WIDE, pairs_height
from ui.components import window_pairs as pairs_component
from ui.components.window_pairs import MAX_COLUMNS, MAX_ROWS, window_pairs
from ui.embed import embeddable
from ui.export import save_table
from ui.i18n import _, translate_labels
from ui.markdown import as_code
from ui.shared.page import reserve_height

KEY = "window-pairs"


@embeddable("batches-pairs")
def inputs_and_targets(batch: Batch) -> None:
    """Show the batch's ids twice, the second time one token further."""
    st.write(_predictions_sentence(batch))
    wide, narrow = (pairs_height(*batch.inputs.shape, width=width) for width in (WIDE, NARROW))
    reserve_height(KEY, wide=wide, narrow=narrow, until_drawn=True)
    labels, texts = translate_labels(pairs_component.LABELS), _token_texts(batch)

    def label_pairs(ids: Tensor) -> list[list[tuple[str, str]]]:
        samples = ids[:MAX_ROWS, :MAX_COLUMNS].tolist()
        return [[(texts[token_id], str(token_id)) for token_id in sample] for sample in samples]

    inputs, number = label_pairs(batch.inputs), batch.request.batch + 1
    save_table(
        f"batch-{number}",
        f"{_('Batch')} {number}",
        {
            labels["sample"]: list(map(str, range(len(inputs)))),
            labels["inputs"]: inputs,
            labels["targets"]: label_pairs(batch.targets),
        },
        numbers=batch_numbers(batch),
    )
    window_pairs(batch.inputs, batch.targets, starts=batch.starts.tolist(), texts=texts, labels=labels, key=KEY)


def _predictions_sentence(batch: Batch) -> str:
    """Return how many predictions a window has to practise on, with the first of them."""
    length = batch.inputs.shape[1]
    first, second, third = (as_code(batch.label(0, min(place, length))) for place in range(3))
    if length == 1:
        return _(
            "Each window gives one prediction to practise on: in sequence 0, {first} → {second}. The number "
            "under a token is its id, its place in the vocabulary."
        ).format(first=first, second=second)
    return _(
        "Each window gives {length:,} predictions to practise on. In sequence 0, for example: {first} → {second}, "
        "then {first} {second} → {third}. The number under a token is its id, its place in the "
        "vocabulary."
    ).format(length=length, first=first, second=second, third=third)


def _token_texts(batch: Batch) -> dict[int, str]:
    """Write each id that is drawn as a short text."""
    texts: dict[int, str] = {}
    n_samples, max_length = batch.inputs.shape
    for sample in range(min(n_samples, MAX_ROWS)):
        inputs, targets = batch.inputs[sample].tolist(), batch.targets[sample].tolist()
        for position in range(min(max_length, MAX_COLUMNS)):
            texts.setdefault(inputs[position], batch.label(sample, position))
            texts.setdefault(targets[position], batch.label(sample, position + 1))
    return texts
