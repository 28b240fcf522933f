"""The charts of the pipeline page: what a BERT adds to a token, where the rows lie, and how long they are."""

from functools import partial

import streamlit as st
import torch
from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.figures import (
    ProjectionText,
    Theme,
    heatmap_figure,
    norms_alt,
    norms_figure,
    projection_alt,
    projection_figure,
)
from embedlib.pipeline import InputEmbeddings
from ui import cache
from ui.cache import Request
from ui.cache.minilm import minilm_input
from ui.components.browser import chart_link
from ui.export import chart, columns_csv, parts_csv
from ui.i18n import _, between, named, number
from ui.markdown import as_code
from ui.settings import controls, state
from ui.shared.page import current_theme, principal_titles

TERMS = ("token", "type", "position", "total", "output")  # of BertInput, in the order in which they are added
PROJECTION_KEY = "projection"
NORMS_KEY = "norms"


def first_layer_chart(request: Request, chosen: int | None, title: str) -> None:
    """Show one token's way into MiniLM's first layer: three rows, their sum and its LayerNorm, each with its length."""
    token_ids = tuple(cache.embedded(request).token_ids.tolist())
    terms, place = minilm_input(token_ids), 0 if chosen is None or chosen >= len(token_ids) else chosen
    names = (_("token"), _("type"), _("position"), _("sum"), _("LayerNorm"))
    lengths = [float(getattr(terms, term)[place].norm()) for term in TERMS]
    labels = [f"{name} {number(length, '.3g')}" for name, length in zip(names, lengths, strict=True)]
    dimension, look = _("dimension"), current_theme()

    def draw(title: str = "", theme: Theme = look) -> Figure:
        rows = torch.stack([getattr(minilm_input(token_ids), name)[place] for name in TERMS])
        return heatmap_figure(
            rows,
            x_title=dimension,
            y_title="",
            theme=theme,
            y_labels=labels,
            height=380,
            title=title,
            last_apart=True,
        )

    def table() -> str:
        return parts_csv(arrays(), column="dim")

    def arrays() -> dict[str, Tensor]:
        return {name: getattr(minilm_input(token_ids), name) for name in TERMS}

    alt = between("; ").join(labels)
    shows = (token_ids, place, tuple(labels))
    chart("first-layer", draw, alt=alt, table=table, arrays=arrays, title=title, shows=shows)
    caption = _(
        "Vector lengths for {label} at position {place}. MiniLM itself puts [CLS] first, so tokens "
        "stand one position later."
    )
    st.caption(caption.format(label=as_code(cache.labels_of(request)[place]), place=place))


def projection_chart(request: Request, embeddings: InputEmbeddings, chosen: int | None) -> None:
    """Show every token's row, and an arrow to row + position, along the same principal axes."""
    controls.control("view", titles={"2d": _("2-D"), "3d": _("3-D")}, collapsed=True)
    projection = cache.projected(request)
    n_axes = 3 if state.get("view") == "3d" else 2
    rows, sums = projection.before[:, :n_axes], projection.after[:, :n_axes]
    ratios = projection.explained_variance_ratio[:n_axes].tolist()
    moved = sums if embeddings.position_vectors.any() else None
    draw = partial(
        projection_figure,
        rows,
        moved,
        labels=cache.labels_of(request),
        axis_titles=principal_titles(ratios),
        text=ProjectionText(
            rows=_("token row"),
            positions=_("+ position"),
            sums=_("input"),
            hover_row=_("{token}\nrow of token {position}"),
            hover_sum=_("{token}\ninput at position {position}"),
        ),
        theme=current_theme(),
        chosen=chosen if n_axes == 3 else None,  # in 2-D the browser marks it
    )
    alt = _("{tokens} tokens, {axes} axes with {share:.0f}% of the variance; mean arrow {arrow:.2f}.").format(
        **projection_alt(rows, moved, ratios)
    )
    chart_link(PROJECTION_KEY, tokens=len(rows), labels=cache.labels_of(request))
    tables = {"row": rows, "input": sums}
    chart(
        PROJECTION_KEY,
        draw,
        alt=alt,
        table=lambda: parts_csv(tables, column="pc", tokens=cache.embedded(request).tokens),
        arrays=lambda: tables,
        title=_("Projection of the rows"),
    )


def norms_chart(request: Request, embeddings: InputEmbeddings) -> None:
    """Show how long each token row, position row and input row is."""
    vectors = (embeddings.token_embeddings, embeddings.position_vectors, embeddings.input_embeddings)
    token_norms, position_norms, input_norms = (part.norm(dim=1) for part in vectors)
    adds = bool(position_norms.any())
    parts = (token_norms, position_norms if adds else None, input_norms if adds else None)
    draw = partial(
        norms_figure,
        *parts,
        labels=cache.labels_of(request),
        names=(_("token row"), _("position row"), _("input")),
        x_title=_("token"),
        y_title=_("length"),
        hover_text="{token}\n" + named("{name}", "{norm}"),
        theme=current_theme(),
    )
    sentence = (
        _("Mean lengths: token {token:.2f}, position {position:.2f} ({ratio:.0%}), input {sum:.2f}.")
        if adds
        else _("Mean length of token rows: {token:.2f}.")
    ).format(**norms_alt(*parts))
    chart_link(NORMS_KEY, tokens=len(token_norms))
    columns = {"token": token_norms, "position": position_norms, "input": input_norms}
    chart(
        NORMS_KEY,
        draw,
        alt=sentence,
        table=lambda: columns_csv(columns, row="position"),
        arrays=lambda: columns,
        name="lengths",
        title=_("Vector lengths"),
    )
    st.caption(sentence)
