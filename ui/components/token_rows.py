"""One text cut by several tokenizers: a row of chips for each, under one line of characters, and where they differ."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import streamlit as st
import torch

from embedlib.messages import N_
from ui.components import assets
from ui.components.choice import chosen_now
from ui.components.heat import check_labels, pack

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "figure": N_(
        "One text cut by several tokenizers, a row for each. Left and right arrow go from token to token, up and down"
        " from tokenizer to tokenizer, Page Up and Page Down from line to line, Enter chooses the character."
    ),
    "counts": N_("How many tokens each tokenizer makes of the text"),
    "tokenizer": N_("Tokenizer"),
    "tokens": N_("Tokens"),
    "characters_per_token": N_("Characters per token"),
    "bytes_per_token": N_("Bytes per token"),
    "here": N_("Token here"),
    "nothing_here": N_("no token"),
    "part_of": N_("part {part} of {parts}"),
    "parts_here": N_("{parts} tokens for one character"),
    "hint": N_("Point at a character to see which token holds it in each row; choose it to keep it."),
    "readout": N_("{tokenizer}, token {number} of {count}: ‘{label}’, id {id}"),
    "empty": N_("There is no text yet."),
    "all_agree": N_("All rows are cut at the same places."),
    "place": N_("Place {number} of {count} where the rows are cut differently"),
    "one_place": N_("1 place where the rows are cut differently, underlined with a wave"),
    "no_place": N_("{count} places where the rows are cut differently, underlined with a wave"),
    "before": N_("Place before"),
    "next": N_("Next place"),
    "stored_order": N_(
        "Characters stand in the order in which they are stored, left to right, also where one reads otherwise."
    ),
}

_files = assets(
    "token_rows",
    "lasting",
    "heat",
    "icons",
    "choice",
    "token_rows_columns",
    "token_rows_lines",
    "token_rows_head",
    "token_rows_keys",
)
_component = st.components.v2.component("token-rows", css=_files["css"], js=_files["js"])


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One tokenizer's cuts, in columns: column c is the text's character c as it is read."""

    title: str
    """The tokenizer's name."""
    first: Sequence[int]
    """Per token, the column that it begins in, at least where the one before ends."""
    last: Sequence[int]
    """Per token, the column that it ends in, at least `first`."""
    ids: Sequence[int]
    """Per token, its id."""
    characters_per_token: float
    """As the head of the row says it."""
    bytes_per_token: float
    """As the head of the row says it."""
    labels: Mapping[int, str] = field(default_factory=dict)
    """Index of a token -> how it is written, where that is not simply its characters: "⟨E6 97⟩", "##ing", "[UNK]"."""


def token_rows(
    characters: Sequence[str],
    rows: Sequence[TokenRow],
    *,
    differing: Sequence[tuple[int, int]],
    chosen: int | None,
    labels: Mapping[str, str],
    key: str,
    on_chosen: Callable[[], None],
) -> int | None:
    """Draw the rows and return the column that is chosen.

    The page's one pointer counts columns: what lies over the hovered or chosen character lights up in every row. Tokens
    that share a character share its column, each an equal part of it. Pass back what this returned: a choice in the
    browser, here or in any other view of the page, wins over `chosen` in the one run that it starts.

    Args:
        characters: how each character of the text is written, in order, none of them "".
        rows: one per tokenizer, at least 1.
        differing: stretches (first column, one past the last) in which the rows are cut at different places, in order
            and apart from each other.
        chosen: column to show as chosen; one outside the text counts as None.
        labels: the entries of LABELS, translated.
        key: Streamlit key, without "__".
        on_chosen: called before the run that a choice starts.

    Returns:
        The chosen column, or None.

    Raises:
        ValueError: labels lacks an entry; no rows; a row whose lists differ in length or whose columns do not lie in
            order within the text; a stretch that does not.
    """
    check_labels(labels, LABELS)
    if not rows:
        raise ValueError("rows is empty: give at least one tokenizer")
    for row in rows:
        _check_row(row, len(characters))
    _check_stretches(differing, len(characters))
    chosen, turn = chosen_now(chosen, key=key)
    if chosen is not None and not 0 <= chosen < len(characters):
        chosen = None
    header = {
        "characters": list(characters),
        "rows": [_described(row) for row in rows],
        "differing": [list(stretch) for stretch in differing],
        "chosen": chosen,
        "turn": turn,
        "labels": dict(labels),
    }
    numbers = torch.tensor(
        [n for row in rows for part in (row.first, row.last, row.ids) for n in part], dtype=torch.int32
    )
    _component(key=key, data=pack(header, tail=numbers.numpy().astype("<i4").tobytes()), on_chosen_change=on_chosen)
    return chosen


def _described(row: TokenRow) -> dict[str, object]:
    return {
        "title": row.title,
        "count": len(row.ids),
        "characters_per_token": row.characters_per_token,
        "bytes_per_token": row.bytes_per_token,
        "labels": {str(index): label for index, label in row.labels.items()},
    }


def _check_row(row: TokenRow, n_columns: int) -> None:
    if not len(row.first) == len(row.last) == len(row.ids):
        raise ValueError(
            f"row {row.title!r} has {len(row.first)} first columns, {len(row.last)} last ones and {len(row.ids)} ids:"
            " give one each per token"
        )
    before = 0
    for index, (first, last) in enumerate(zip(row.first, row.last, strict=True)):
        if not before <= first <= last < n_columns:
            raise ValueError(
                f"row {row.title!r} has token {index} in columns {first}..{last}: tokens must not run back and lie in"
                f" 0..{n_columns - 1}"
            )
        before = last


def _check_stretches(differing: Sequence[tuple[int, int]], n_columns: int) -> None:
    edges = [edge for stretch in differing for edge in stretch]
    inside = all(0 <= edge <= n_columns for edge in edges)
    wide = all(start < stop for start, stop in differing)
    apart = all(before[1] <= after[0] for before, after in pairwise(differing))
    if not (inside and wide and apart):
        raise ValueError(f"differing={list(differing)} must be stretches in order, none empty, within 0..{n_columns}")
