"""A batch's inputs and targets side by side as grids of tokens, the targets one token further on."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from embedlib.i18n import N_
from ui.components import register

__all__ = ["LABELS", "MAX_COLUMNS", "MAX_ROWS", "window_pairs"]

MAX_ROWS = 16
MAX_COLUMNS = 64

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "inputs": N_("Inputs"),
    "targets": N_("Targets"),
    "shape": N_("{rows} sequences × {columns} positions"),
    "sample": N_("sequence"),
    "position": N_("position"),
    "both": N_(
        "In sequence {sample} the model reads ‘{before}’ at position {target} and has to predict "
        "‘{token}’ (id {id}), which is its next input, at position {input}."
    ),
    "first": N_(
        "‘{token}’ (id {id}) is the first input of sequence {sample}; from it the model has to predict "
        "‘{after}’ (id {after_id})."
    ),
    "last": N_(
        "‘{token}’ (id {id}) is the last target of sequence {sample}, to be predicted after ‘{before}’; "
        "the sequence itself does not read it."
    ),
    "lay": N_("Lay the targets over the inputs"),
    "back": N_("Move them apart"),
    "shown": N_("Drawn are {rows} of {all_rows} sequences and {columns} of {all_columns} positions."),
}

_component = register("window-pairs", "window_pairs")


def window_pairs(
    inputs: Tensor,  # (batch, max_length) integers
    targets: Tensor,  # the same shape, the ids one further on
    *,
    starts: Sequence[int],  # position in the text of each sample's first token
    texts: Mapping[int, str],  # how each id among those drawn is written
    labels: Mapping[str, str],  # translations of LABELS
    key: str,
) -> None:
    """Draw the batch's inputs and targets; only the first MAX_ROWS samples and MAX_COLUMNS positions are sent."""
    ids = [drawn.cpu().long()[:MAX_ROWS, :MAX_COLUMNS] for drawn in (inputs, targets)]
    needed = sorted({token_id for drawn in ids for token_id in drawn.flatten().tolist()})
    data = {
        "inputs": ids[0].tolist(),
        "targets": ids[1].tolist(),
        "starts": [int(start) for start in starts[:MAX_ROWS]],
        "texts": {str(token_id): texts[token_id] for token_id in needed},
        "shape": list(inputs.shape),
        "labels": dict(labels),
    }
    _component(key=key, data=data)
