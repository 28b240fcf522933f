"""Token rows plus position rows give input rows: what the browser is sent of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from embedlib.components.payload import STEPS
from embedlib.i18n import N_

MAX_ROWS = 64

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = STEPS | {
    "figure": N_(
        "Rows of {rows} tokens, {columns} dimensions each. Arrows move from number to number; Enter chooses the token."
    ),
    "token_rows": N_("token rows"),
    "position_rows": N_("position rows"),
    "input_rows": N_("input rows"),
    "dimension": N_("dimension"),
    "tokens_shown": N_("Shown: tokens {first} to {last} of {total}"),
    "in_sight": N_("In view: tokens {first} to {last}; scroll for more"),
    "readout": N_("token {position} ‘{label}’, {axis} {column}: {sum}"),
    "masked": N_("masked"),
    "readout_hint": N_("Point at a cell to see its numbers."),
    "readout_hint_touch": N_("Tap a cell to see its numbers."),
    "clipped": N_("The colours end at ±{limit}; larger numbers have the strongest colour."),
    "own_scale": N_("colours end at ±{limit}"),
    "no_addition": N_("Nothing is added: this scheme has no position rows."),
    "step": N_("Step {number} of {count}: {name}"),
    "step_0": N_("Tokens"),
    "step_0_text": N_(
        "Each token of the text has a number, its id. The id is only a place in a list; a larger one is not more of "
        "anything."
    ),
    "step_1": N_("Rows"),
    "step_1_text": N_(
        "The id is a row number in the embedding matrix E, a table with one row for each token of the vocabulary."
    ),
    "step_2": N_("Positions"),
    "step_2_text": N_("A second table has one row for each position; it is the same whatever token stands there."),
    "step_3": N_("Addition"),
    "step_3_text": N_("The token row and the position row are added, number by number."),
    "step_4": N_("Sum"),
    "step_4_text": N_(
        "Each sum, an input row, says which token it is and where it stands. The model starts from these."
    ),
}
# For a scheme that rotates queries and keys.
ROTATION = LABELS | {
    "token_rows": N_("queries"),
    "position_rows": N_("angles"),
    "input_rows": N_("rotated queries"),
    "step_1": N_("Queries"),
    "step_1_text": N_(
        "Each token picks its row of the embedding matrix E. The row serves as its query; a real model first "
        "multiplies it by a learned matrix."
    ),
    "readout_pair": N_(
        "token {position} ‘{label}’, dimensions {first}, {second}: {before} rotated by {angle} rad become {after}"
    ),
    "step_2": N_("Angles"),
    "step_2_text": N_("Each pair of dimensions gets an angle that grows with the position."),
    "step_3": N_("Rotation"),
    "step_3_text": N_("In each query every pair of dimensions is rotated by its angle, like the hand of a clock."),
    "step_4": N_("Result"),
    "step_4_text": N_(
        "Keys are rotated in the same way. The product of a query and a key depends on the angle between them. "
        "Tokens at the same distance are always rotated against each other by the same angle, so only the distance "
        "counts."
    ),
}
# For a scheme that changes scores.
SCORES = LABELS | {
    "figure": N_(
        "Scores of {rows} queries and {columns} keys. Arrows move from score to score; Enter chooses the token."
    ),
    "token_rows": N_("scores"),
    "position_rows": N_("position term"),
    "input_rows": N_("scores + position"),
    "dimension": N_("key"),
    "step_1": N_("Scores"),
    "step_1_text": N_(
        "A score is the dot product of a query and a key, made smaller by a fixed factor. A query meets "
        "its own key and earlier ones only."
    ),
    "step_2_text": N_("The scheme turns the distance of a query and a key into a number."),
    "step_3_text": N_("This number is added to the score."),
    "step_4_text": N_(
        "A softmax turns each row of these scores into attention weights: positive numbers that add up to 1."
    ),
}


def sum_header(
    shape: Sequence[int],
    *,
    labels_of_tokens: Sequence[str],
    ids: Sequence[int | str],
    first_position: int,
    total: int,
    colours: Sequence[str],
    limits: Sequence[float],
    adds: bool,
    labels: Mapping[str, str],
    pairs: tuple[int, int] | None = None,
    causal: bool = False,
    places: Sequence[int] | None = None,
) -> dict[str, Any]:
    """Return the header of the rows' payload; the numbers follow it: token rows, position rows, and rotated rows.

    Args:
        shape: of the rows, (n_rows, n_columns), at most MAX_ROWS of them.
        limits: where the colour scale ends, of token rows, position rows and input rows.
        adds: whether the scheme adds anything.
        pairs: of a rotation, how many columns lie between the two of a pair, and how many columns rotate.
        causal: columns are keys, the same tokens as the rows, and those after a row's own are masked.
        places: each token's position in its sequence, where it differs from its place in the text.
    """
    n_rows, n_columns = shape
    return {
        "n_rows": n_rows,
        "n_columns": n_columns,
        "tokens": list(labels_of_tokens),
        "ids": [str(token_id) for token_id in ids],
        "first_position": first_position,
        "places": list(range(first_position, first_position + n_rows) if places is None else places),
        "total": total,
        "colours": list(colours),
        "limits": list(limits),
        "adds": adds,
        "pairs": pairs,
        "causal": causal,
        "labels": dict(labels),
    }
