"""Tables and tokens as they are saved: columns of texts and of tokens, which Plotly does not draw."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from html import escape

Cell = str | Sequence[tuple[str, str]]  # a text, or tokens, each with the note under it
Grid = Mapping[str, Sequence[Cell]]  # columns by their names, all of one length; names of "" are not written

GRID_STYLE = (
    "table { border-collapse: collapse } :is(th, td) { border-bottom: 1px solid #c9ced6; padding: .3rem .9rem .3rem 0;"
    " text-align: left; vertical-align: top } .token { background: #eef3f8; border: 1px solid #8a94a3;"
    " border-radius: .4rem; display: inline-block; margin: .1rem .2rem .1rem 0; padding: .1rem .5rem;"
    " text-align: center; unicode-bidi: plaintext } .token small { display: block }"
)


def strip_markup(text: str) -> str:
    """Remove the markdown of `as_code` and of bold letters from a text."""
    return re.sub(r"(`+) ?(.+?) ?\1(?!`)|\*\*(.+?)\*\*", lambda found: found[2] or found[3], text)


def strip_grid_markup(grid: Grid) -> Grid:
    """Remove the markdown from all texts of a grid."""
    return {
        name: [strip_markup(cell) if isinstance(cell, str) else cell for cell in cells] for name, cells in grid.items()
    }


def grid_rows(grid: Grid) -> list[tuple[Cell, ...]]:
    """Return the grid's rows."""
    return list(zip(*grid.values(), strict=True))


def grid_html(grid: Grid) -> str:
    """Return the grid as a standalone HTML table."""
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in grid)
    head = f"<thead><tr>{names}</tr></thead>" if any(grid) else ""
    rows = ("".join(f"<td{_direction(cell)}>{_cell(cell)}</td>" for cell in row) for row in grid_rows(grid))
    return f"<table>{head}<tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody></table>"


def _direction(cell: Cell) -> str:
    """Return the `dir` attribute of a cell whose first letter is right-to-left; bytes and special tokens have none."""
    texts = [cell] if isinstance(cell, str) else [text for text, _note in cell if not re.match(r"[⟨\[<]", text)]
    first = next((character for text in texts for character in text if character.isalpha()), " ")
    return ' dir="rtl"' if unicodedata.bidirectional(first) in {"R", "AL"} else ""


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return escape(cell)
    notes = (f"<small>{escape(note)}</small>" if note else "" for _text, note in cell)
    return "".join(
        f'<span class="token">{escape(text)}{note}</span> ' for (text, _note), note in zip(cell, notes, strict=True)
    )
