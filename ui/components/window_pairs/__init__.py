"""A batch's inputs and targets side by side as grids of tokens, the targets one token further on."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.payload import check_labels

MAX_ROWS = 16
MAX_COLUMNS = 64

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "inputs": N_("Inputs"),
    "targets": N_("Targets"),
    "shape": N_("({rows}, {columns})"),
    "sample": N_("sample"),
    "position": N_("position"),
    "hint": N_("Point at a token: an arrow leads from where it is the target to where it is the next input."),
    "both": N_(
        "sample {sample}: ‘{token}’ ({id}) is the target at position {target}, after ‘{before}’, and the input at"
        " position {input}"
    ),
    "first": N_("sample {sample}: ‘{token}’ ({id}) is the first input; its target is ‘{after}’ ({after_id})"),
    "last": N_("sample {sample}: ‘{token}’ ({id}) is the last target, after ‘{before}’, and none of the inputs"),
    "lay": N_("Lay the targets on the inputs"),
    "back": N_("Put them back"),
    "laid": N_("Shifted by one, every target is the next input. Only the last one of each sample is new."),
    "shown": N_("The first {rows} of {all_rows} samples and {columns} of {all_columns} positions are drawn."),
}

_component = register("window-pairs", "window_pairs")


def window_pairs(
    inputs: Tensor,
    targets: Tensor,
    *,
    starts: Sequence[int],
    texts: Mapping[int, str],
    labels: Mapping[str, str],
    key: str,
) -> None:
    """Draw the batch's inputs and targets; a token under the pointer is lit in both, and in every view of the page.

    Only the first MAX_ROWS samples and MAX_COLUMNS positions are sent and drawn, which a line under them says.

    Args:
        inputs: (batch, max_length) integers, the ids of the windows.
        targets: (batch, max_length) integers, the ids one further on.
        starts: one per sample, place in the text of its first token.
        texts: how each id among those drawn is written on the screen.
        labels: the entries of LABELS, translated.
        key: Streamlit key, without "__".

    Raises:
        ValueError: labels lacks an entry, ids that are not two matrices of one shape, starts that do not fit them, or
            an id without a text.
    """
    check_labels(labels, LABELS)
    if inputs.ndim != 2 or inputs.numel() == 0 or inputs.shape != targets.shape:
        raise ValueError(
            f"inputs has shape {tuple(inputs.shape)} and targets {tuple(targets.shape)}: give (batch, max_length) for"
            " both, not empty"
        )
    if len(starts) != len(inputs):
        raise ValueError(f"{len(starts)} starts for {len(inputs)} samples: give one for each")
    ids = [drawn.cpu().long()[:MAX_ROWS, :MAX_COLUMNS] for drawn in (inputs, targets)]
    needed = sorted({token_id for drawn in ids for token_id in drawn.flatten().tolist()})
    missing = [token_id for token_id in needed if token_id not in texts]
    if missing:
        raise ValueError(f"texts lacks id {missing[0]}: give the text of every id that is drawn")
    data = {
        "inputs": ids[0].tolist(),
        "targets": ids[1].tolist(),
        "starts": [int(start) for start in starts[:MAX_ROWS]],
        "texts": {str(token_id): texts[token_id] for token_id in needed},
        "shape": list(inputs.shape),
        "labels": dict(labels),
    }
    _component(key=key, data=data)
