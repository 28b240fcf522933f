"""Why position rows are added to token rows, and not appended to them."""

from html import escape

import streamlit as st
import torch
from torch import Tensor
from torch.nn.functional import normalize

from embedlib.i18n import N_
from ui import cache
from ui.cache.bounded import memo
from ui.cache.minilm import MINILM, minilm_pieces, minilm_positions, minilm_table, opens_with_minilm
from ui.export import Lines, save_table
from ui.i18n import _, number, separator
from ui.shared.page import section, text_table
from ui.word_order.request import MAX_TOKENS, Request

_STYLE = """
.text-table.addition {
  td { white-space: nowrap; }
  .boxes { display: flex; }
  .box { --hue: light-dark(#0067a8, #5cb3f0); align-items: center; border: 2px solid var(--hue); display: flex; }
  .box { background: color-mix(in srgb, var(--hue) 22%, transparent); justify-content: center; width: 6rem; }
  .matrix .box { background: none; border-color: currentColor; height: 3.5rem; }
  .position { --hue: light-dark(#c24a00, #ff9a52); }
  .sum { --hue: light-dark(#2a7a2e, #7cc47f); }
}
@media (max-width: 640px) {
  .st-key-order-read-back td:first-child { white-space: nowrap; }
  .text-table.addition {
    thead { display: none; }
    tr { display: grid; padding-block: 0.5rem; }
    td { border: none; padding-left: 0.375rem; &::before { content: attr(data-name); display: block; } }
  }
}
"""


@section(
    "order-added",
    N_("Why positions are added, not appended"),
    lead=N_(
        "A model has to know of each token which one it is and where it stands. Its token row and its position row "
        "could stand side by side, as one row of twice as many numbers. Models with position rows add them instead: "
        "one row, with as many numbers as before, says both. More numbers would cost something in every layer: each "
        "layer adds its result to the row that it got, so the row keeps its many numbers from the first layer to the "
        "last, and each matrix that reads it has to be as wide."
    ),
)
def show_addition(request: Request) -> None:
    """Show what adding saves, and that both rows can be read back from their sum."""
    _show_comparison(request.d_model)
    st.write(
        _(
            "Is anything lost by adding? A layer reads a row by its matrix W: it multiplies the row, number by number, "
            "by each row w of W, and adds up. So **w · (token + position) = w · token + w · position**. A w that gives "
            "0 with position rows reads the token alone; a w that gives 0 with token rows reads the position alone."
        )
    )
    st.write(
        _(
            "An example with three numbers: the token is (2, 1, 3), and three position rows are (1, 0, −1), (2, 0, −2) "
            "and (3, 0, −3). The row w = (1, 2, 1) gives 7 with the token and 0 with each position, so it gives 7 with "
            "each sum. The row w = (1, 1, −1) gives 0 with the token and 2, 4 and 6 with the positions, so it gives 2, "
            "4 and 6 with the sums."
        )
    )
    st.write(
        _(
            "Training can find rows w of both kinds. Position rows are much alike; here they are multiples of one row, "
            "so a w that gives 0 with one gives 0 with all. Token rows are not alike, but where a row has hundreds of "
            "numbers, most of them stand at about 90° to the w that reads positions, and it gives nearly 0 with them. "
            "If W₁ and W₂ are equal, both lines of the table give the same: **adding is appending with one matrix for "
            "both parts.**"
        )
    )
    if opens_with_minilm():
        _show_read_back(request.first)
    st.caption(
        _(
            "Query and key are both made from such sums, and (a + b) · (c + d) = a·c + a·d + b·c + b·d. So their "
            "product, the score, has four parts: token with token, token with position, position with token, and "
            "position with position. A head can learn to use one of them. The page “Context” shows a head that finds "
            "the token before by its position."
        )
    )


def _show_comparison(d_model: int) -> None:
    """Draw a row appended and a row added, each with the matrix that reads it."""
    token, position, total = _("token"), _("position"), _("sum")
    products = _("{first} · token + {second} · position")
    columns = {
        "": [_("appended"), _("added")],
        _("Input row"): [f"{token}, {position}", total],
        _("Matrix that reads it"): ["W₁, W₂", "W"],
        _("What comes out"): [products.format(first="W₁", second="W₂"), products.format(first="W", second="W")],
        _("Numbers in the matrix"): [number(n_rows * d_model, ",") for n_rows in (2 * d_model, d_model)],
    }
    drawings = {
        f"{token}, {position}": _boxes(_box(token) + _box(position, "position")),
        total: _boxes(_box(total, "sum")),
        "W₁, W₂": _boxes(_box("W₁") + _box("W₂"), "matrix"),
        "W": _boxes(_box("W"), "matrix"),
    }
    title = _("A row that is appended and a row that is added, with the matrices that read them")
    save_table("appended-or-added", title, columns)
    names = "".join(f'<th scope="col">{escape(name)}</th>' if name else "<td></td>" for name in columns)
    lines = (
        "".join(
            f'<td data-name="{escape(name)}">{drawings.get(text, escape(text))}</td>'
            for name, text in zip(columns, line, strict=True)
        )
        for line in zip(*columns.values(), strict=True)
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    st.html(
        f'<style>{_STYLE}</style><div class="text-table addition"><table aria-label="{escape(title)}">'
        f"<thead><tr>{names}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _box(text: str, kind: str = "") -> str:
    return f'<span class="box {kind}">{escape(text)}</span>'


def _boxes(boxes: str, kind: str = "") -> str:
    return f'<div class="boxes {kind}">{boxes}</div>'


def _show_read_back(text: str) -> None:
    """Show the angle between both rows of each token in MiniLM, and which rows lie nearest to their sum."""
    ids = [token.id for token in cache.tokenize_text(text, MINILM)[:MAX_TOKENS]]
    if not ids:
        return
    cosines, tokens, positions = read_back(tuple(ids))
    st.write(
        _(
            "And in a trained model? Here MiniLM’s rows for your first sentence are added, and for each sum the "
            "nearest token row and the nearest position row are looked up. If these two are the ones that were added, "
            "nothing is lost. It helps that the added rows stand at about 90° to each other: then adding one hardly "
            "changes how far the sum reaches in the direction of the other, as a step to the north takes nobody to "
            "the east. Rows of hundreds of numbers mostly stand at about 90°, because positive and negative terms of "
            "their product nearly cancel. The cosine of the angle, without the sign, is {cosine:.2f} on average; 0 is "
            "90°, 1 the same direction. (Position 0 belongs to [CLS], which MiniLM puts in front.)"
        ).format(cosine=float(cosines.abs().mean()))
    )
    pieces, angles = minilm_pieces(), cosines.acos().rad2deg().tolist()
    rows = {
        _("Added rows"): [
            _("{token} + position {position}").format(token=pieces[row], position=place)
            for place, row in enumerate(ids, 1)
        ],
        _("Angle between them"): [_("{angle:.0f}°").format(angle=angle) for angle in angles],
        _("Token row nearest to the sum (of {count:,})").format(count=len(pieces)): [pieces[row] for row in tokens],
        _("Position row nearest to the sum (of {count:,})").format(count=len(minilm_positions())): [
            number(position, ",") for position in positions
        ],
    }
    title = _("Token and position read back from their sum")
    lines = [[*line] for line in zip(ids, range(1, len(ids) + 1), cosines.tolist(), tokens, positions, strict=True)]
    heading = ["token_id", "position", "cosine", "nearest_token_id", "nearest_position"]
    save_table("word-order-read-back", title, rows, numbers=Lines(heading, lines))
    with st.container(key="order-read-back"):
        text_table(rows, alt=title)
    found = sum(line[0] == line[3] and line[1] == line[4] for line in lines)
    sentence = _("**For {found} of {count} tokens** the rows nearest to the sum are the two that were added.")
    if found == len(ids):
        sentence += separator(" ") + _("The sum has lost neither of them.")
    st.write(sentence.format(found=found, count=len(ids)))


@memo()
def read_back(token_ids: tuple[int, ...]) -> tuple[Tensor, list[int], list[int]]:
    """Add MiniLM's rows of these tokens and of positions from 1 on, and find the rows nearest to the sums.

    Returns:
        Cosines of token row and position row, (n_tokens,); the nearest token rows, and the nearest position rows.
    """
    rows = minilm_table()[list(token_ids)]  # (n_tokens, d_model)
    added = minilm_positions()[1 : len(token_ids) + 1]
    cosines = (normalize(rows, dim=1) * normalize(added, dim=1)).sum(1)
    tokens, positions = (
        torch.cdist(rows + added, table).argmin(1).tolist() for table in (minilm_table(), minilm_positions())
    )
    return cosines.cpu(), tokens, positions
