"""Charts of the pipeline page: the sum that BERT feeds its first layer, and the rows' directions and lengths."""

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import ProjectionText, heatmap_figure, norms_alt, norms_figure, projection_alt, projection_figure
from embedlib.i18n import N_
from ui import cache
from ui.cache import Request
from ui.cache.minilm import minilm_input
from ui.components.browser import link_chart
from ui.export import Columns, Drawing, Parts, figure_drawing, show
from ui.i18n import _, label_sentence, number, separator
from ui.markdown import as_code
from ui.settings import controls, state
from ui.shared.page import principal_titles, section


@section("rows-first-layer", N_("Input of the first layer"))
def show_first_layer(request: Request, chosen: int | None) -> None:
    """Show the sum that enters MiniLM's first layer for one token."""
    token_ids = tuple(cache.embed_request(request).token_ids.tolist())
    place = 0 if chosen is None or chosen >= len(token_ids) else chosen
    show(first_layer_input, token_ids, place)
    caption = _(
        "Vector lengths for {label} at position {place}. MiniLM itself puts [CLS] first, so tokens "
        "stand one position later."
    )
    st.caption(caption.format(label=as_code(cache.token_labels(request)[place]), place=place))


def first_layer_input(token_ids: tuple[int, ...], place: int) -> Drawing:
    """Draw three rows of a token, their sum and its LayerNorm, each with its length."""
    terms = minilm_input(token_ids)
    names = {
        "token": _("token"),
        "type": _("type"),
        "position": _("position"),
        "total": _("sum"),
        "output": _("LayerNorm"),
    }
    parts: dict[str, Tensor] = {term: getattr(terms, term) for term in names}  # (n_tokens, d_model) each
    rows = torch.stack([part[place] for part in parts.values()])
    labels = [f"{name} {number(float(row.norm()), '.3g')}" for name, row in zip(names.values(), rows, strict=True)]
    return figure_drawing(
        "first-layer",
        _("Input of the first layer"),
        Parts(parts, column="dim"),
        heatmap_figure,
        rows,
        alt=separator("; ").join(labels),
        x_title=_("dimension"),
        y_title="",
        y_labels=labels,
        height=380,
        last_apart=True,
    )


@section("rows-projection", N_("Projection of the rows"))
def show_projection(request: Request, chosen: int | None) -> None:
    """Show every token's row, and an arrow to row + position, along the same principal axes."""
    controls.control("view", titles={"2d": _("2-D"), "3d": _("3-D")}, collapsed=True)
    labels = cache.token_labels(request)
    link_chart("projection", tokens=len(labels), labels=labels)
    flat = state.get("view") == "2d"
    show(projected_rows, request, 2 if flat else 3, None if flat else chosen)  # in 2-D the browser marks it


def projected_rows(request: Request, n_axes: int, chosen: int | None) -> Drawing:
    """Draw the token rows and the input rows along principal axes, the chosen token ringed."""
    embeddings, found = cache.embed_request(request), cache.project_request(request)
    rows, sums = found.before[:, :n_axes], found.after[:, :n_axes]
    shares = found.explained_variance_ratio[:n_axes].tolist()
    moved = sums if embeddings.position_vectors.any() else None
    sentence = _("{tokens} tokens, {axes} axes with {share:.0f}% of the variance; mean arrow {arrow:.2f}.")
    return figure_drawing(
        "projection",
        _("Projection of the rows"),
        Parts({"row": rows, "input": sums}, column="pc", tokens=embeddings.tokens),
        projection_figure,
        rows,
        moved,
        alt=sentence.format(**projection_alt(rows, moved, shares)),
        labels=cache.token_labels(request),
        axis_titles=principal_titles(shares),
        text=ProjectionText(
            rows=_("token row"),
            positions=_("+ position"),
            sums=_("input"),
            hover_row=_("{token}\nrow of token {position}"),
            hover_sum=_("{token}\ninput at position {position}"),
        ),
        chosen=chosen,
    )


@section("rows-norms", N_("Vector lengths"))
def show_lengths(request: Request) -> None:
    """Show how long each token row, position row and input row is."""
    link_chart("norms", tokens=len(cache.token_labels(request)))
    show(lengths, request)
    st.caption(_mean_lengths(_norms(request)))


def lengths(request: Request) -> Drawing:
    """Draw the lengths of the rows by position; where nothing is added, of the token rows alone."""
    norms = _norms(request)
    return figure_drawing(
        "lengths",
        _("Vector lengths"),
        Columns(norms, row="position"),
        norms_figure,
        *_drawn_lengths(norms),
        key="norms",
        alt=_mean_lengths(norms),
        labels=cache.token_labels(request),
        names=(_("token row"), _("position row"), _("input")),
        x_title=_("token"),
        y_title=_("length"),
        hover_text="{token}\n" + label_sentence("{name}", "{norm}"),
    )


def _norms(request: Request) -> dict[str, Tensor]:
    embeddings = cache.embed_request(request)
    parts = {
        "token": embeddings.token_embeddings,
        "position": embeddings.position_vectors,
        "input": embeddings.input_embeddings,
    }
    return {name: part.norm(dim=1) for name, part in parts.items()}


def _drawn_lengths(norms: dict[str, Tensor]) -> tuple[Tensor, Tensor | None, Tensor | None]:
    if norms["position"].any():
        return norms["token"], norms["position"], norms["input"]
    return norms["token"], None, None


def _mean_lengths(norms: dict[str, Tensor]) -> str:
    drawn = _drawn_lengths(norms)
    if drawn[1] is None:
        sentence = _("Mean length of token rows: {token:.2f}.")
    else:
        sentence = _("Mean lengths: token {token:.2f}, position {position:.2f} ({ratio:.0%}), input {sum:.2f}.")
    return sentence.format(**norms_alt(*drawn))
