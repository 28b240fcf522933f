"""Token rows plus position rows give input rows, in five steps; or what a scheme does instead of adding."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.payload import STEPS, pack

__all__ = ["LABELS", "MAX_ROWS", "ROTATION", "SCORES", "vector_sum"]

MAX_ROWS = 64

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = STEPS | {
    "figure": N_("{rows} tokens × {columns} dimensions: arrow keys, Enter"),
    "token_rows": N_("token rows"),
    "position_rows": N_("position rows"),
    "input_rows": N_("input rows"),
    "dimension": N_("dimension"),
    "tokens_shown": N_("tokens {first}–{last} of {total}"),
    "in_sight": N_("{first}–{last} in sight"),
    "readout": N_("token {position} ‘{label}’, {axis} {column}: {sum}"),
    "masked": N_("masked"),
    "readout_hint": N_("Point at a cell to see its numbers."),
    "clipped": N_("Numbers beyond ±{limit} have the last colour."),
    "own_scale": N_("colours to ±{limit}"),
    "no_addition": N_("No positions are added."),
    "step": N_("Step {number} of {count}: {name}"),
    "step_0": N_("Tokens"),
    "step_0_text": N_("Each token has an id."),
    "step_1": N_("Rows"),
    "step_1_text": N_("Each id picks a row of E."),
    "step_2": N_("Positions"),
    "step_2_text": N_("Each position has a row."),
    "step_3": N_("Addition"),
    "step_3_text": N_("Added number by number."),
    "step_4": N_("Sum"),
    "step_4_text": N_("The sum enters the first layer."),
}
# For a scheme that rotates queries and keys.
ROTATION = LABELS | {
    "token_rows": N_("queries"),
    "position_rows": N_("angles"),
    "input_rows": N_("rotated queries"),
    "readout_pair": N_(
        "token {position} ‘{label}’, dimensions {first}, {second}: {before} rotated by {angle} rad become {after}"
    ),
    "step_2": N_("Angles"),
    "step_2_text": N_("Angles grow with the position."),
    "step_3": N_("Rotation"),
    "step_3_text": N_("Pairs of dimensions rotate by their angle."),
    "step_4": N_("Result"),
    "step_4_text": N_("Keys rotate too: scores depend on distance."),
}
# For a scheme that changes scores.
SCORES = LABELS | {
    "figure": N_("{rows} queries × {columns} keys: arrow keys, Enter"),
    "token_rows": N_("scores"),
    "position_rows": N_("position term"),
    "input_rows": N_("scores + position"),
    "dimension": N_("key"),
    "step_1": N_("Scores"),
    "step_1_text": N_("Each query times its own and earlier keys."),
    "step_2_text": N_("Each pair of positions has a number."),
    "step_3_text": N_("Added to the score."),
    "step_4_text": N_("Softmax of a row gives attention weights."),
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
    limits: Sequence[float],
    adds: bool,
    labels: Mapping[str, str],
    key: str,
    rotated: Tensor | None = None,
    pairs: tuple[int, int] | None = None,
    causal: bool = False,
) -> None:
    """Draw token rows, position rows and their sum, which the browser computes as ``Math.fround(a + b)``.

    That is the float32 sum to the bit: float64 holds the sum of two float32 exactly enough that rounding it once more
    gives the same float32 as adding them in float32 does. The rows are finite, (n_rows, n_columns) float32, at most
    MAX_ROWS: the page sends a window of longer texts.

    Args:
        limits: where the colour scale ends, of token rows, position rows and input rows.
        adds: whether the scheme adds anything.
        rotated: the token rows after rotation; position_rows are then angles from -π to π.
        pairs: of a rotation, how many columns lie between the two of a pair, and how many columns rotate.
        causal: columns are keys, the same tokens as the rows, and those after a row's own are masked.
    """
    n_rows, n_columns = token_rows.shape
    header = {
        "n_rows": n_rows,
        "n_columns": n_columns,
        "tokens": list(labels_of_tokens),
        "ids": [str(token_id) for token_id in ids],
        "first_position": first_position,
        "total": total,
        "colours": list(colours),
        "limits": list(limits),
        "adds": adds,
        "pairs": pairs,
        "causal": causal,
        "labels": dict(labels),
    }
    _component(key=key, data=pack(header, [token_rows, position_rows, *([] if rotated is None else [rotated])]))
