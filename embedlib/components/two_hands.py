"""Rotary positions as two hands of a clock: what the browser is sent of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from torch import Tensor

from embedlib.i18n import N_

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_("Two hands on a circle; the angle between them is {angle} rad, their product {product}."),
    "query": N_("query"),
    "key": N_("key"),
    "position": N_("at position {position}"),
    "together": N_("Move both hands together"),
    "start": N_("Where the hands start, at position 0"),
    "start_same": N_("both at the right, whatever the tokens"),
    "start_tokens": N_("at the rows of two tokens"),
    "start_tokens_note": N_(
        "Each hand starts as its token’s row in the first head (random rows, seed {seed}). A trained model would first "
        "multiply the rows by its weights."
    ),
    "query_rotation": N_("The query’s hand is rotated by"),
    "key_rotation": N_("The key’s hand is rotated by"),
    "between": N_("The angle between them is"),
    "rotation": N_("{positions} × {frequency} = {angle} rad"),
    "rotation_from": N_("{start} + {positions} × {frequency} = {angle} rad"),
    "product": N_("Product of this pair (dimensions {first}, {second})"),
    "score": N_("Attention score: the sum of all {count} pairs"),
    "pair": N_("dims {first}, {second}"),
    "pairs": N_("All pairs of one head: each turns at its own speed. Choose one to see it above."),
    "opening": N_("Move a hand: both are rotated by the same angle, so what lies between them stays as it is."),
    "opening_apart": N_(
        "Move one hand: the distance changes, and with it the angle between the hands and the product."
    ),
    "stays": N_(
        "Both moved by {shift} positions, and each hand was rotated by {turned} rad. The angle between them did not "
        "change, and neither did the product: it depends on the distance alone."
    ),
    "changed": N_(
        "The distance is now {distance}. The angle between the hands has changed, and so has the product. Move both "
        "hands together to see that only the distance counts."
    ),
    "mirrored": N_(
        "The distance is now {distance}: as far as before, but on the other side. The angle has changed its sign only, "
        "and both hands start in one direction, so the product stays as it was. Let them start at the rows of two "
        "tokens, and the side counts."
    ),
    "unnoticed": N_(
        "The distance is now {distance}. The angle between the hands has changed, but the product of this pair, to two "
        "decimals, has not."
    ),
}


def hands_data(
    frequencies: Tensor,  # (n_pairs,) float64, radians by which a pair is rotated per position
    *,
    columns: Sequence[tuple[int, int]],  # dimensions of each pair
    amplitude: float,  # factor of the rotated query and of the rotated key
    n_positions: int,
    tokens: Sequence[str],  # of the reader's text, at the first positions
    rows: Tensor | None,  # (n_tokens, n_pairs, 2) rows of these tokens, where the hands can start
    seed: int,  # of the rows
    query: int,  # position of the query at first
    labels: Mapping[str, str],  # translations of LABELS
) -> dict[str, Any]:
    """Return the two hands of one pair and of all pairs, which the browser rotates."""
    return {
        "frequencies": frequencies.tolist(),
        "amplitude": amplitude,
        "columns": [list(pair) for pair in columns],
        "n_positions": n_positions,
        "tokens": list(tokens),
        "rows": [] if rows is None else rows.tolist(),
        "seed": seed,
        "query": query,
        "key": max(0, query - 5),
        "labels": dict(labels),
    }
