"""Two ways to the same rows: lookup in E, and one-hot rows times E, step by step."""

from collections.abc import Mapping, Sequence

from torch import Tensor

from embedlib.components.payload import STEPS, pack
from embedlib.i18n import N_
from ui.components import register

__all__ = ["LABELS", "MAX_COLUMNS", "MAX_TOKENS", "one_hot_product", "rows_to_draw"]

MAX_TOKENS = 8  # drawn row by row; longer texts are windowed by the page
MAX_COLUMNS = 1_024  # dimensions that are sent; the first of a wider table
WHOLE = 12  # a table of at most so many rows is drawn whole
FEW = 8  # minimal number of drawn rows of a larger one

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = STEPS | {
    "figure": N_(
        "One-hot rows of {tokens} tokens times the matrix E. Arrows move from number to number; Enter "
        "chooses the token, Escape leaves."
    ),
    "one_hot": N_("one-hot rows"),
    "table": N_("embedding matrix E"),
    "result": N_("token rows"),
    "id": N_("id"),
    "dimension": N_("dimension"),
    "gap": N_("⋮ rows left out: {count}"),
    "dimensions_shown": N_("dimensions {first}–{last} of {d_model}"),
    "all_dimensions": N_("all {d_model} dimensions"),
    "scroll_dimensions": N_("First dimension"),
    "rows_shown": N_("Drawn: {shown} of the {vocab_size} rows of E"),
    "all_rows": N_("all rows of E"),
    "readout_place": N_("The one-hot row of ‘{label}’ (id {id}) has {value} at place {row}."),
    "readout_table": N_("row {row} of E, dimension {dimension}: {value}"),
    "readout_result": N_("‘{label}’, dimension {dimension}: 1 · {factor} + 0 · all other rows = {value}"),
    "equal": N_(
        "The lookup copies {copied} numbers. The product makes {tokens} × {vocab_size} × {d_model} = "
        "{products} multiplications, {zeros} of them by 0. Of {count} numbers that were compared "
        "{equal} are equal."
    ),
    "step": N_("Step {number} of {count}: {name}"),
    "step_0": N_("Ids"),
    "step_0_text": N_("The id of each token is a row number of the embedding matrix E."),
    "step_1": N_("Pick"),
    "step_1_text": N_("A lookup copies that row, and this is all an embedding layer does."),
    "step_2": N_("One-hot"),
    "step_2_text": N_(
        "Now the other way: the id becomes a one-hot row, as long as the vocabulary, with 1 at the "
        "place of the id and 0 everywhere else."
    ),
    "step_3": N_("One product"),
    "step_3_text": N_(
        "Each number of the one-hot row multiplies its row of E. All rows times 0 vanish; the one row times 1 stays."
    ),
    "step_4": N_("All"),
    "step_4_text": N_("The same is done for every token."),
    "step_5": N_("Equal"),
    "step_5_text": N_("Lookup and product give the same numbers; the lookup skips all the zeros."),
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
    # A single row between two is drawn: to say that it is left out takes as much room.
    return sorted(chosen | {row + 1 for row in chosen if row + 2 in chosen})


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
