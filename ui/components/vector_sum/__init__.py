"""Token rows plus position rows give input rows: three heatmaps, one scale, one pointer, five steps."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.payload import check_labels, check_scale, pack

MAX_ROWS = 64

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_(
        "Heatmaps of {rows} tokens by {d_model} dimensions: token rows plus position rows give input rows."
        " Arrow keys move from cell to cell, Page Up and Page Down by a window, Enter chooses the token, Escape leaves."
    ),
    "token_rows": N_("token rows"),
    "position_rows": N_("position rows"),
    "input_rows": N_("input rows"),
    "dimension": N_("dimension"),
    "dimensions_shown": N_("dimensions {first}–{last} of {d_model}"),
    "all_dimensions": N_("all {d_model} dimensions"),
    "tokens_shown": N_("tokens {first}–{last} of {total}"),
    "all_tokens": N_("all {total} tokens"),
    "in_sight": N_("{first}–{last} in sight"),
    "scroll_dimensions": N_("First dimension shown"),
    "fewer": N_("Fewer, wider columns"),
    "more": N_("More, narrower columns"),
    "readout": N_("token {position} ‘{label}’, dimension {dimension}: {sum}"),
    "readout_hint": N_("Point at a cell to see its sum."),
    "scale": N_("One scale for all three; values beyond ±{limit} are drawn in the end colour."),
    "scale_all": N_("One scale for all three, from −{limit} to {limit}."),
    "no_addition": N_("This scheme adds nothing to the rows, so the position rows are all zero."),
    "play": N_("Play the steps"),
    "pause": N_("Pause"),
    "back": N_("Step back"),
    "forward": N_("Step forward"),
    "timeline": N_("Step"),
    "step": N_("Step {number} of {count}: {name}"),
    "step_0": N_("Tokens"),
    "step_0_text": N_("The text is cut into tokens; each has an id."),
    "step_1": N_("Rows"),
    "step_1_text": N_("Each id picks its row of the matrix E."),
    "step_2": N_("Positions"),
    "step_2_text": N_("Each place in the text has a row of its own, whatever token stands there."),
    "step_3": N_("Plus signs"),
    "step_3_text": N_("The two rows are equally wide, so they can be added number by number."),
    "step_4": N_("Sum"),
    "step_4_text": N_("Their sum is what the first layer of the transformer reads."),
    "save": N_("Save image"),
    "file_name": N_("input-embeddings.png"),
}

_component = register("vector_sum", "vector_sum", styles=["_shared/stepper.css"])


def vector_sum(
    token_rows: Tensor,
    position_rows: Tensor,
    *,
    labels_of_tokens: Sequence[str],
    ids: Sequence[int | str],
    first_position: int,
    total: int,
    colours: Sequence[str],
    limit: float,
    adds: bool,
    labels: Mapping[str, str],
    key: str,
) -> None:
    """Draw token rows, position rows and their sum, which the browser computes as ``Math.fround(a + b)``.

    That is the float32 sum to the bit: float64 holds the sum of two float32 exactly enough that rounding it once more
    gives the same float32 as adding them in float32 does.

    Args:
        token_rows: (n_rows, d_model) float32, finite; n_rows 1..MAX_ROWS. Longer texts are windowed by the page.
        position_rows: (n_rows, d_model) float32, finite.
        labels_of_tokens: n_rows, how each token is written on the screen.
        ids: n_rows, of the tokens.
        first_position: position in the text of the first row, from 0.
        total: how many tokens the whole text has.
        colours: stops of the diverging scale as "#rrggbb", an odd number.
        limit: where the scale ends on both sides, above 0.
        adds: whether the scheme adds position rows; False shows the label "no_addition".
        labels: translations of every entry of LABELS.
        key: of the element.

    Raises:
        ValueError: tensors that are not float32 of one shape, too many rows, sizes that do not agree, a scale or labels
            that cannot be drawn.
    """
    check_scale(colours, limit)
    check_labels(labels, LABELS)
    _check_rows(token_rows, position_rows)
    n_rows, d_model = token_rows.shape
    if len(labels_of_tokens) != n_rows or len(ids) != n_rows:
        raise ValueError(f"{len(labels_of_tokens)} labels and {len(ids)} ids for {n_rows} rows: give one each per row")
    if first_position < 0 or first_position + n_rows > total:
        raise ValueError(
            f"first_position={first_position} with {n_rows} rows does not lie within total={total}: give the first"
            " row's position in the text and the number of its tokens"
        )
    header = {
        "n_rows": n_rows,
        "d_model": d_model,
        "tokens": list(labels_of_tokens),
        "ids": [str(token_id) for token_id in ids],
        "first_position": first_position,
        "total": total,
        "colours": list(colours),
        "limit": limit,
        "adds": adds,
        "labels": dict(labels),
    }
    _component(key=key, data=pack(header, [token_rows, position_rows]))


def _check_rows(token_rows: Tensor, position_rows: Tensor) -> None:
    for name, rows in (("token_rows", token_rows), ("position_rows", position_rows)):
        if rows.dtype != torch.float32:
            raise ValueError(f"{name} is {rows.dtype} but must be torch.float32, else the sum on the screen is another")
        if rows.ndim != 2 or rows.shape != token_rows.shape or rows.numel() == 0:
            raise ValueError(f"{name} has shape {tuple(rows.shape)}: give (n_rows, d_model), the same for both")
    if token_rows.shape[0] > MAX_ROWS:
        raise ValueError(f"token_rows has {token_rows.shape[0]} rows but at most {MAX_ROWS} are drawn: send a window")
