"""One text split by several tokenizers: a row of chips for each, under the characters, and where they differ."""

import json
from collections.abc import Callable

from embedlib.components.payload import pack_text
from embedlib.components.token_rows import LABELS, PackedRows, TokenRow, pack_rows
from ui.components import register
from ui.components._shared.reports import resolve_choice

__all__ = ["LABELS", "PackedRows", "TokenRow", "pack_rows", "token_rows"]

_component = register("token-rows", "token_rows")


def token_rows(rows: PackedRows, *, chosen: int | None, key: str, on_chosen: Callable[[], None]) -> int | None:
    """Draw the rows and return the selected column.

    The page's shared pointer counts columns: tokens over the hovered or selected character are highlighted in each row.
    Tokens that share a character split its column equally. See `reports.resolve_choice` for `chosen`, which any view of
    the page can set.
    """
    chosen, turn = resolve_choice(key, "chosen", chosen)
    if chosen is not None and not 0 <= chosen < rows.count:
        chosen = None
    text = f'{rows.header[:-1]}, "chosen": {json.dumps(chosen)}, "turn": {turn}}}'
    _component(key=key, data=pack_text(text, tail=rows.numbers), on_chosen_change=on_chosen)
    return chosen
