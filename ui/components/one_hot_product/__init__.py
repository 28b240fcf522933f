"""Two ways to the same rows: lookup in E, and one-hot rows times E, step by step."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.payload import STEPS, pack

__all__ = ["LABELS", "MAX_COLUMNS", "MAX_TOKENS", "one_hot_product", "rows_to_draw"]

MAX_TOKENS = 8  # drawn row by row; longer texts are windowed by the page
MAX_COLUMNS = 1_024  # dimensions that are sent; the first of a wider table
WHOLE = 12  # a table of at most so many rows is drawn whole
FEW = 8  # minimal number of drawn rows of a larger one

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = STEPS | {
    "figure": N_("{tokens} one-hot rows × E: arrow keys, Enter, Escape"),
    "one_hot": N_("one-hot rows"),
    "table": N_("matrix E"),
    "result": N_("token rows"),
    "id": N_("id"),
    "dimension": N_("dimension"),
    "gap": N_("⋮ {count} more"),
    "dimensions_shown": N_("dimensions {first}–{last} of {d_model}"),
    "all_dimensions": N_("all {d_model} dimensions"),
    "scroll_dimensions": N_("First dimension"),
    "rows_shown": N_("{shown} of {vocab_size} rows of E"),
    "all_rows": N_("all rows of E"),
    "readout_place": N_("‘{label}’, id {id}: {value} at place {row}"),
    "readout_table": N_("row {row} of E, dimension {dimension}: {value}"),
    "readout_result": N_("‘{label}’, dimension {dimension}: 1 · {factor} + 0 · others = {value}"),
    "equal": N_(
        "Lookup: {copied} copies; product: {tokens} × {vocab_size} × {d_model} = {products} "
        "multiplications; equal: {equal} of {count}."
    ),
    "step": N_("Step {number} of {count}: {name}"),
    "step_0": N_("Ids"),
    "step_0_text": N_("Each id picks a row of E."),
    "step_1": N_("Pick"),
    "step_1_text": N_("The lookup copies that row."),
    "step_2": N_("One-hot"),
    "step_2_text": N_("1 at the id, 0 elsewhere."),
    "step_3": N_("One product"),
    "step_3_text": N_("Entries multiply their rows."),
    "step_4": N_("All"),
    "step_4_text": N_("Same for every token."),
    "step_5": N_("Equal"),
    "step_5_text": N_("Both give the same numbers."),
}

_component = register("one-hot-product", "one_hot_product", styles=["_shared/stepper.css"])


def rows_to_draw(ids: Sequence[int], vocab_size: int) -> list[int]:
    """Return the rows of E to draw: all of a small table; else those of the tokens, its ends and neighbours."""
    if vocab_size <= WHOLE:
        return list(range(vocab_size))
    chosen = set(ids)
    beside = [token_id + step for token_id in dict.fromkeys(ids) for step in (-1, 1)]
    for candidate in (0, vocab_size - 1, *beside):
        if len(chosen) < FEW and 0 <= candidate < vocab_size:
            chosen.add(candidate)
    return sorted(chosen)


def one_hot_product(
    table_rows: Tensor,  # (n_drawn, k) float32, the first k dimensions of the rows of E that are drawn
    looked_up: Tensor,  # (n_tokens, k) float32, 1..MAX_TOKENS tokens
    product: Tensor,  # (n_tokens, k) float32
    *,
    rows: Sequence[int],  # n_drawn ids, ascending, every one of `ids` among them: see rows_to_draw
    row_names: Sequence[str],  # the token of each drawn row; "" for none
    vocab_size: int,
    d_model: int,
    positions: Sequence[int],  # of the tokens in the text
    ids: Sequence[int],  # of the tokens
    labels_of_tokens: Sequence[str],
    colours: Sequence[str],  # stops of the diverging scale as "#rrggbb", an odd number
    limit: float,  # of the colour scale on both sides, above 0
    labels: Mapping[str, str],  # translations of LABELS
    key: str,
) -> None:
    """Draw one-hot rows times E beside the looked-up rows; the browser compares them bit by bit."""
    header = {
        "rows": list(rows),
        "row_names": list(row_names),
        "vocab_size": vocab_size,
        "d_model": d_model,
        "k": looked_up.shape[1],
        "positions": list(positions),
        "ids": list(ids),
        "tokens": list(labels_of_tokens),
        "colours": list(colours),
        "limit": limit,
        "labels": dict(labels),
    }
    _component(key=key, data=pack(header, [table_rows, looked_up, product]))
