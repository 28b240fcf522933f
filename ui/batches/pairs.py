"""Inputs and targets of the batch side by side."""

import streamlit as st

from ui.batches.batch import Batch, batch_csv
from ui.batches.heights import NARROW, WIDE, pairs_height
from ui.batches.request import Request
from ui.components import window_pairs as pairs_component
from ui.components.window_pairs import MAX_COLUMNS, MAX_ROWS, window_pairs
from ui.export import download
from ui.i18n import _, ngettext, translated
from ui.shared.page import keep_room

KEY = "window-pairs"


def inputs_and_targets(request: Request, batch: Batch) -> None:
    """Show the batch's ids twice, the second time one token further."""
    st.header(_("Inputs, and their targets one token further"))
    st.write(
        _(
            "A model is taught to answer each token with the next one. So every window of inputs comes with a window "
            "of targets: the same stretch of the text, one token further."
        )
    )
    wide, narrow = (pairs_height(*batch.inputs.shape, width=width) for width in (WIDE, NARROW))
    keep_room(KEY, wide=wide, narrow=narrow, until_drawn=True)
    window_pairs(
        batch.inputs,
        batch.targets,
        starts=batch.starts.tolist(),
        texts=texts_of(batch),
        labels=translated(pairs_component.LABELS),
        key=KEY,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        download(_("Numbers (CSV)"), lambda: batch_csv(batch), f"batch-{request.batch + 1}.csv", key="batch-csv")
        count = batch.inputs.numel()
        st.caption(
            ngettext(
                "The file has the whole batch: {count:,} input with its target.",
                "The file has the whole batch: {count:,} inputs with their targets.",
                count,
            ).format(count=count),
            width="content",
        )


def texts_of(batch: Batch) -> dict[int, str]:
    """Write each id that is drawn as a short text."""
    found: dict[int, str] = {}
    n_samples, max_length = batch.inputs.shape
    for sample in range(min(n_samples, MAX_ROWS)):
        inputs, targets = batch.inputs[sample].tolist(), batch.targets[sample].tolist()
        for position in range(min(max_length, MAX_COLUMNS)):
            found.setdefault(inputs[position], batch.label(sample, position))
            found.setdefault(targets[position], batch.label(sample, position + 1))
    return found
