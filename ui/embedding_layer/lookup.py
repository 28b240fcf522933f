"""The matrix E with the rows that ids pick, and the same rows by a product with one-hot vectors."""

import numpy as np
import streamlit as st
import torch
from torch.nn import functional

from embedlib.embedding import INITIALISATIONS, lookup
from embedlib.figures import DIVERGING, MatrixPanel, heatmap_figure, panels_figure
from embedlib.i18n import N_
from embedlib.tables import float32_rows
from ui.components import embedding_matrix as matrix_component
from ui.components import one_hot_product as product_component
from ui.components.embedding_matrix import MatrixRow, embedding_matrix
from ui.components.one_hot_product import MAX_COLUMNS, MAX_TOKENS, one_hot_product, rows_to_draw
from ui.embed import embeddable, embedded_section
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.export import Blocks, Drawing, Parts, figure_drawing, save_menu
from ui.i18n import _, label_sentence, separator, translate_labels
from ui.shared.formats import format_bytes
from ui.shared.origin import trained_sentence, with_reason
from ui.shared.page import current_theme, section
from ui.shared.token_choice import token_choice


@embeddable("layer-matrix")
def matrix_and_rows(request: Request) -> None:
    """Show E as a strip, and each token's row beside it."""
    st.write(_size_sentence(request))
    chips = cache.token_chips(request)
    trained = cache.trained_tokens(request) if request.matrix == "trained" else [True] * len(chips)
    save_menu(rows_of_tokens, request)
    embedding_matrix(
        cache.sampled_strip(request),
        rows=[
            MatrixRow(chip.position, chip.id, chip.label, by_chance=not is_trained)
            for chip, is_trained in zip(chips, trained, strict=True)
        ],
        values=cache.token_rows(request),
        colours=DIVERGING[current_theme()],
        limit=cache.colour_range(request),
        labels=translate_labels(matrix_component.LABELS),
        key="embedding-matrix",
    )
    st.caption(_origin(request))


def rows_of_tokens(request: Request) -> Drawing:
    """Draw the rows of E that the ids pick."""
    rows, chips = cache.token_rows(request), cache.token_chips(request)
    ids, labels = [chip.id for chip in chips], [chip.label for chip in chips]
    heading = ["position", "token_id", "token", *(f"dim_{column}" for column in range(rows.shape[1]))]
    return figure_drawing(
        "rows-of-tokens",
        _("Rows of the tokens"),
        Blocks(
            heading,
            [[np.arange(len(ids)), np.array(ids), labels, *float32_rows(rows).T]],
            by_name={"token_ids": torch.tensor(ids), "rows": rows},
        ),
        heatmap_figure,
        rows,
        x_title=_("dimension"),
        y_title=_("token"),
        y_labels=labels,
    )


@section(
    "layer-product",
    N_("Lookup or one-hot product"),
    lead=N_(
        "There are two ways from an id to its row. A lookup goes to the row and copies it. A product takes a one-hot "
        "vector, which has a 1 at the place of the id and 0 everywhere else: each row of the matrix is multiplied by "
        "the number at its place in the vector, and all rows are added up. Each row times 0 vanishes; the row times 1 "
        "is left."
    ),
)
def lookup_and_product(request: Request) -> None:
    """Show lookup and one-hot product step by step, and that a linear layer computes the latter."""
    first, last = drawn_tokens(len(request.token_ids), token_choice(cache.token_chips(request), key="token-chips"))
    ids = request.token_ids[first:last]
    drawn = rows_to_draw(ids, request.vocab_size)
    columns = slice(0, min(request.d_model, MAX_COLUMNS))
    table = cache.full_matrix(request)
    if last - first < len(request.token_ids):
        st.caption(
            _(
                "Drawn are tokens {first} to {last} of {count}, counted from 0; choose another token above to see it."
            ).format(first=first, last=last - 1, count=len(request.token_ids))
        )
    save_menu(product_panels, request, first, last)
    one_hot_product(
        lookup(table, torch.tensor(drawn, device=table.device)).cpu()[:, columns],
        cache.token_rows(request)[first:last, columns],
        cache.product_rows(request, first, last)[:, columns],
        rows=drawn,
        row_names=[cache.row_label(request, row) for row in drawn],
        vocab_size=request.vocab_size,
        d_model=request.d_model,
        positions=range(first, last),
        ids=ids,
        labels_of_tokens=[chip.label for chip in cache.token_chips(request)[first:last]],
        colours=DIVERGING[current_theme()],
        limit=cache.colour_range(request),
        labels=translate_labels(product_component.LABELS),
        key="one-hot-product",
    )
    _show_linear_layer(request, first, last)


def product_panels(request: Request, first: int, last: int) -> Drawing:
    """Draw the one-hot rows of tokens first to last - 1, the rows of E beside which they stand, and their product."""
    ids, table, limit = (
        torch.tensor(request.token_ids[first:last]),
        cache.full_matrix(request),
        cache.colour_range(request),
    )
    drawn = torch.tensor(rows_to_draw(ids.tolist(), request.vocab_size))
    one_hot = (ids[:, None] == drawn).float()  # (n_tokens, n_drawn), all others are zero
    rows = lookup(table, drawn.to(table.device)).cpu()  # (n_drawn, d_model)
    product = cache.product_rows(request, first, last)  # (n_tokens, d_model)
    labels, row, token = translate_labels(product_component.LABELS), _("row"), _("token")
    panels = [
        MatrixPanel(labels["one_hot"], one_hot, 1.0, row, token, columns=drawn.tolist(), rows=range(first, last)),
        MatrixPanel(labels["table"], rows[:, :MAX_COLUMNS], limit, labels["dimension"], row, rows=drawn.tolist()),
        MatrixPanel(
            labels["result"], product[:, :MAX_COLUMNS], limit, labels["dimension"], token, rows=range(first, last)
        ),
    ]
    return figure_drawing(
        "one-hot-product",
        _("Lookup or one-hot product"),
        Parts(
            {"product": product},
            column="dim",
            first=first,
            more={"token_ids": ids, "rows": drawn, "one_hot": one_hot, "E": rows},
        ),
        panels_figure,
        panels,
        columns=3,
        hover_text="{name}\n" + label_sentence(separator(", ").join(["{row}", "{column}"]), "{value}"),
    )


def drawn_tokens(count: int, chosen: int | None) -> tuple[int, int]:
    """Return which tokens are drawn row by row, first and last + 1: the chosen one is among them."""
    if count <= MAX_TOKENS or chosen is None or chosen < MAX_TOKENS:
        return 0, min(count, MAX_TOKENS)
    first = min(chosen // MAX_TOKENS * MAX_TOKENS, count - MAX_TOKENS)
    return first, first + MAX_TOKENS


@section("layer-linear", N_("As a linear layer without bias"), heading=st.subheader)
def _show_linear_layer(request: Request, first: int, last: int) -> None:
    """Show that a linear layer without bias gives the looked-up rows for one-hot rows of tokens first to last − 1."""
    table = cache.full_matrix(request)
    layer = torch.nn.Linear(request.vocab_size, request.d_model, bias=False, device="meta")
    layer.weight = torch.nn.Parameter(table.T, requires_grad=False)  # a linear layer keeps Eᵀ
    ids = torch.tensor(request.token_ids[first:last], device=table.device)
    one_hot = functional.one_hot(ids, request.vocab_size).to(table.dtype)  # (last - first, vocab_size)
    same = torch.equal(layer(one_hot).cpu(), cache.token_rows(request)[first:last])
    sentence = _(
        "A linear layer multiplies its input by a matrix of learned numbers; with a bias it also adds a learned "
        "vector. So an embedding layer is a linear layer without bias whose inputs are one-hot vectors."
    )
    st.write(sentence)
    with st.expander(_("For implementers"), expanded=bool(embedded_section())):
        st.latex(r"\text{onehot}(i)\, E = E_{i}")
        checked = _(
            "For the {tokens:,} tokens drawn above, `torch.nn.Linear({vocab_size}, {d_model}, bias=False)` with the "
            "weights Eᵀ gives {tokens:,} × {d_model} = {count:,} numbers, and they are those of the rows of E: "
            "**{compared}**."
        )
        st.write(
            checked.format(
                vocab_size=request.vocab_size,
                d_model=request.d_model,
                tokens=last - first,
                count=(last - first) * request.d_model,
                compared=_("equal bit for bit") if same else _("equal except last bits"),
            )
        )


def _size_sentence(request: Request) -> str:
    count = request.vocab_size * request.d_model
    size = _(
        "**The embedding matrix E has {rows:,} rows, one for each token of the vocabulary, and {d_model:,} "
        "dimensions.** That is {rows:,} × {d_model:,} = {count:,} parameters, numbers that training has to "
        "find, and {size} of memory in float32."
    ).format(rows=request.vocab_size, d_model=request.d_model, count=count, size=format_bytes(4 * count))
    read = _("Ids that are looked up: {tokens:,}; different rows that they pick: {different:,}.").format(
        tokens=len(request.token_ids), different=len(set(request.token_ids))
    )
    return size + separator(" ") + read


def _origin(request: Request) -> str:
    def trained_note() -> str:
        labels = [chip.label for chip in cache.token_chips(request)]
        of = None if request.typed else cache.trained_count(request)  # ids that are typed are no text's tokens
        return trained_sentence(labels, cache.trained_tokens(request), seed=request.seed, of=of)

    random = _("Here the rows are random, as before training (“{start}”, seed {seed}).").format(
        start=_(INITIALISATIONS[request.start].title), seed=request.seed
    )
    return request.origin.sentence(trained=trained_note, random=with_reason(random, table="layer_matrix"))
