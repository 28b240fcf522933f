"""The matrix with the rows that are picked, and the same rows by a product with one-hot vectors."""

import streamlit as st
import torch
from plotly.graph_objects import Figure
from torch import Tensor
from torch.nn import functional

from embedlib.embedding import INITIALISATIONS, lookup
from embedlib.figures import DIVERGING, MatrixPanel, panels_figure
from embedlib.i18n import N_
from ui.components import embedding_matrix as matrix_component
from ui.components import one_hot_product as product_component
from ui.components.browser import should_draw_section
from ui.components.embedding_matrix import MatrixRow, embedding_matrix
from ui.components.one_hot_product import MAX_COLUMNS, MAX_TOKENS, one_hot_product, rows_to_draw
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.embedding_layer.written import bytes_written
from ui.export import parts_csv, take_along
from ui.i18n import _, between, named, ngettext, translated
from ui.settings import state
from ui.shared.page import current_theme, late_block, own_block
from ui.shared.rows import LEARNED, minilm_sentence, take_picked, trained_sentence, width_sentence
from ui.shared.token_choice import token_choice

NUMBERS = 96  # dimensions beside the matrix: a few as numbers, the rest as colours


def matrix_and_rows(request: Request) -> None:
    """Show E as a strip, and each token's row beside it."""
    st.write(_size(request))
    chips = cache.chips_of(request)
    trained = cache.trained_tokens(request) if request.matrix == "trained" else [True] * len(chips)
    embedding_matrix(
        cache.strip_of(request),
        vocab_size=request.vocab_size,
        d_model=request.d_model,
        rows=[
            MatrixRow(chip.position, chip.id, chip.label, by_chance=not is_trained)
            for chip, is_trained in zip(chips, trained, strict=True)
        ],
        values=cache.rows_of(request)[:, :NUMBERS],
        colours=DIVERGING[current_theme()],
        limit=cache.limit_of(request),
        labels=translated(matrix_component.LABELS),
        key="embedding-matrix",
    )
    st.caption(_origin(request))
    take_picked(lambda: cache.rows_of(request), request.token_ids, [chip.label for chip in chips])


@late_block("layer-product", N_("Lookup or one-hot product"), height=1180, phone=2274)
def two_ways(request: Request) -> None:
    """Show picking and multiplying step by step, and that a linear layer does the latter."""
    first, last = stretch(len(request.token_ids), token_choice(cache.chips_of(request), key="token-chips"))
    if last - first < len(request.token_ids):
        st.caption(
            _("Tokens {first}–{last} of {count}: choose another above.").format(
                first=first, last=last - 1, count=len(request.token_ids)
            )
        )
    ids = request.token_ids[first:last]
    drawn = rows_to_draw(ids, request.vocab_size)
    columns = slice(0, min(request.d_model, MAX_COLUMNS))
    table = cache.table_of(request)
    labels = translated(product_component.LABELS)
    one_hot_product(
        lookup(table, torch.tensor(drawn, device=table.device)).cpu()[:, columns],
        cache.rows_of(request)[first:last, columns],
        cache.product_of(request, first, last)[:, columns],
        rows=drawn,
        row_names=[cache.name_of(request, row) for row in drawn],
        vocab_size=request.vocab_size,
        d_model=request.d_model,
        positions=range(first, last),
        ids=ids,
        labels_of_tokens=[chip.label for chip in cache.chips_of(request)[first:last]],
        colours=DIVERGING[current_theme()],
        limit=cache.limit_of(request),
        labels=labels,
        key="one-hot-product",
    )
    _take_product(request, first, last, labels)
    _linear(request, first, last)


def _take_product(request: Request, first: int, last: int, labels: dict[str, str]) -> None:
    ids, title = request.token_ids[first:last], _("Lookup or one-hot product")

    def arrays() -> dict[str, Tensor]:
        drawn = torch.tensor(rows_to_draw(ids, request.vocab_size))
        table = cache.table_of(request)
        return {
            "token_ids": torch.tensor(ids),
            "rows": drawn,
            "one_hot": (torch.tensor(ids)[:, None] == drawn).float(),  # (n_tokens, n_drawn), all others are zero
            "E": lookup(table, drawn.to(table.device)).cpu(),  # (n_drawn, d_model)
            "product": cache.product_of(request, first, last),  # (n_tokens, d_model)
        }

    def figure() -> Figure:
        found, token, dimension = arrays(), _("token"), labels["dimension"]
        limit = cache.limit_of(request)
        panels = [
            MatrixPanel(labels["one_hot"], found["one_hot"], 1.0, x_title=_("row"), y_title=token),
            MatrixPanel(labels["table"], found["E"][:, :MAX_COLUMNS], limit, x_title=dimension, y_title=_("row")),
            MatrixPanel(labels["result"], found["product"][:, :MAX_COLUMNS], limit, x_title=dimension, y_title=token),
        ]
        hover_text = "{name}\n" + named(between(", ").join(["{row}", "{column}"]), "{value}")
        return panels_figure(panels, theme="light", columns=3, hover_text=hover_text, title=title)

    take_along(
        "one-hot-product",
        figure=figure,
        table=lambda: parts_csv({"product": cache.product_of(request, first, last)}, column="dim", first=first),
        arrays=arrays,
        title=title,
    )


def stretch(count: int, chosen: int | None) -> tuple[int, int]:
    """Return which tokens are drawn row by row, first and last + 1: the chosen one is among them."""
    if count <= MAX_TOKENS or chosen is None or chosen < MAX_TOKENS:
        return 0, min(count, MAX_TOKENS)
    first = min(chosen // MAX_TOKENS * MAX_TOKENS, count - MAX_TOKENS)
    return first, first + MAX_TOKENS


@own_block
def _linear(request: Request, first: int, last: int) -> None:
    """Feed the one-hot rows of the same tokens to a linear layer without bias, and say what came of it."""
    st.subheader(_("As a linear layer without bias"))
    if not should_draw_section("layer-linear", height=99, phone=115):
        return
    table = cache.table_of(request)
    layer = torch.nn.Linear(request.vocab_size, request.d_model, bias=False, device="meta")
    layer.weight = torch.nn.Parameter(table.T, requires_grad=False)  # a linear layer keeps Eᵀ
    ids = torch.tensor(request.token_ids[first:last], device=table.device)
    one_hot = functional.one_hot(ids, request.vocab_size).to(table.dtype)  # (last - first, vocab_size)
    same = torch.equal(layer(one_hot).cpu(), cache.rows_of(request)[first:last])
    st.latex(r"\text{onehot}(i)\, E = E_{i}")
    sentence = _(
        "`torch.nn.Linear({vocab_size}, {d_model}, bias=False)` with weights Eᵀ: {count:,} numbers **{compared}**."
    )
    st.write(
        sentence.format(
            vocab_size=request.vocab_size,
            d_model=request.d_model,
            count=(last - first) * request.d_model,
            compared=_("equal bit for bit") if same else _("equal except last bits"),
        )
    )


def _size(request: Request) -> str:
    count = request.vocab_size * request.d_model
    tokens, different = len(request.token_ids), len(set(request.token_ids))
    rows = ngettext("{vocab_size:,} row", "{vocab_size:,} rows", request.vocab_size)
    return " · ".join(
        (
            _("**E: {rows} × {d_model:,} dimensions**").format(
                rows=rows.format(vocab_size=request.vocab_size), d_model=request.d_model
            ),
            ngettext("{count:,} parameter", "{count:,} parameters", count).format(count=count),
            _("{size} in float32").format(size=bytes_written(4 * count)),
            ngettext("{count:,} token", "{count:,} tokens", tokens).format(count=tokens)
            + between(", ")
            + ngettext("{count:,} row", "{count:,} different rows", different).format(count=different),
        )
    )


def _origin(request: Request) -> str:
    if request.by_hand:
        return _("Numbers by hand.")
    if request.matrix == "trained":
        labels = [chip.label for chip in cache.chips_of(request)]
        trained = cache.trained_tokens(request)
        of = None if request.typed else cache.trained_count(request)  # ids that are typed are no text's tokens
        return trained_sentence(labels, trained, seed=request.seed, of=of)
    if request.matrix == "minilm":
        return minilm_sentence()
    origin = _("Random (“{start}”, seed {seed}).").format(
        start=_(INITIALISATIONS[request.start].title), seed=request.seed
    )
    return (
        origin + between(" ") + width_sentence(table="layer_matrix") if state.get("layer_matrix") in LEARNED else origin
    )
