"""Charts of the pipeline page: the sum that BERT feeds its first layer, and the rows' directions and lengths."""

import streamlit as st
import torch
from torch import Tensor

from embedlib.checkpoints import BertInput
from embedlib.figures import (
    ProjectionText,
    colour_limit,
    heatmap_figure,
    norms_alt,
    norms_figure,
    projection_alt,
    projection_figure,
)
from embedlib.i18n import N_
from ui import cache
from ui.cache import Request
from ui.cache.minilm import minilm_input
from ui.components.browser import is_narrow, link_chart
from ui.export import Columns, Drawing, Parts, figure_drawing, show
from ui.i18n import _, join_sentences, label_sentence, separator
from ui.markdown import as_code
from ui.settings import controls, state
from ui.shared.page import principal_titles, section

BALANCED = 0.8  # of two lengths, as a share; below it the longer one decides


@section(
    "rows-first-layer",
    N_("Input of the first layer"),
    lead=N_(
        "MiniLM does two more things with the input rows before its first layer, the first of six rounds in which the "
        "tokens look at each other. It adds a third row, the type row, which says to which part of the input a token "
        "belongs and is the same for all tokens of your text. Then a step called LayerNorm (layer normalization) "
        "shifts and scales the numbers of each sum, so that they have mean 0 and the same spread in all tokens, and "
        "multiplies each dimension by a learned factor."
    ),
)
def show_first_layer(request: Request, chosen: int | None) -> None:
    """Show the sum that enters MiniLM's first layer for one token."""
    token_ids = tuple(cache.embed_request(request).token_ids.tolist())
    place = 0 if chosen is None or chosen >= len(token_ids) else chosen
    show(first_layer_input, token_ids, place)
    label = as_code(cache.token_labels(request)[place])
    terms = minilm_input(token_ids)
    lengths = _lengths_sentence(terms, place)
    scale = _(
        "The numbers after LayerNorm are so much larger that the lowest strip has a colour scale of its own: its "
        "strongest colours stand for ±{limit:g} and beyond."
    ).format(limit=colour_limit(terms.output[place]))
    caption = _("Shown is {label} at position {place}: choose another token above to compare.")
    st.caption(join_sentences(lengths, scale, caption.format(label=label, place=place)))


def _lengths_sentence(terms: BertInput, place: int) -> str:
    """Return how long each of the rows of a token is."""
    lengths = {
        name: float(getattr(terms, name)[place].norm()) for name in ("token", "type", "position", "total", "output")
    }
    return _(
        "The token row is {token:.2f} long (square its numbers, add up, take the square root), the type row "
        "{type:.2f}, the position row {position:.2f}; their sum is {total:.2f} long, and after LayerNorm {output:.2f}."
    ).format(**lengths)


def first_layer_input(token_ids: tuple[int, ...], place: int) -> Drawing:
    """Draw three rows of a token, their sum and its LayerNorm, each with its length."""
    terms = minilm_input(token_ids)
    names = {
        "token": _("token"),
        "type": _("+ type"),
        "position": _("+ position"),
        "total": _("= sum"),
        "output": _("LayerNorm"),
    }
    parts: dict[str, Tensor] = {term: getattr(terms, term) for term in names}  # (n_tokens, d_model) each
    rows = torch.stack([part[place] for part in parts.values()])
    labels = list(names.values())
    return figure_drawing(
        "first-layer",
        _("Input of the first layer"),
        Parts(parts, column="dim"),
        heatmap_figure,
        rows,
        alt=_lengths_sentence(terms, place),
        x_title=_("dimension"),
        y_title="",
        y_labels=labels,
        height=380,
        last_apart=True,
    )


@section(
    "rows-projection",
    N_("Projection of the rows"),
    lead=N_(
        "A row is a point in a space with as many axes as the row has numbers. Here this space is flattened onto the "
        "axes along which the token rows differ most, the principal components (PC). Where the scheme adds position "
        "rows, an arrow leads from each token row to its input row."
    ),
)
def show_projection(request: Request, chosen: int | None) -> None:
    """Show every token's row, and an arrow to row + position, along the same principal axes."""
    controls.control("view", titles={"2d": _("2-D"), "3d": _("3-D")}, collapsed=True)
    labels = cache.token_labels(request)
    link_chart("projection", tokens=len(labels), labels=labels)
    flat = state.get("view") == "2d"
    show(
        projected_rows, request, 2 if flat else 3, None if flat else chosen, is_narrow()
    )  # in 2-D the browser marks it
    st.caption(_projection_sentence(request, 2 if flat else 3))


def _longest_arrow(arrows: Tensor) -> int | None:
    """Return which arrow is at least twice as long as most are; None where none is."""
    longest = int(arrows.argmax())
    return longest if len(arrows) > 2 and arrows[longest] > 2 * arrows.median() else None


def _projection_sentence(request: Request, n_axes: int) -> str:
    """Return how much of the rows the axes show, and which arrow is the longest."""
    found = cache.project_request(request)
    share = float(found.explained_variance_ratio[:n_axes].sum())
    sentence = _(
        "The picture shows {share:.0%} of the differences between the token rows (of their variance); the rest lies "
        "along axes that are not drawn."
    ).format(share=share)
    arrows = (found.after - found.before)[:, :n_axes].norm(dim=1)
    if (longest := _longest_arrow(arrows)) is None:
        return sentence
    return (
        sentence
        + separator(" ")
        + _("The longest arrow is that of {token} at position {position}.").format(
            token=as_code(cache.token_labels(request)[longest]), position=longest
        )
    )


def projected_rows(request: Request, n_axes: int, chosen: int | None, narrow: bool) -> Drawing:
    """Draw the token rows and the input rows along principal axes, the chosen token ringed."""
    embeddings, found = cache.embed_request(request), cache.project_request(request)
    rows, sums = found.before[:, :n_axes], found.after[:, :n_axes]
    shares = found.explained_variance_ratio[:n_axes].tolist()
    moved = sums if embeddings.position_vectors.any() else None
    longest = _longest_arrow((sums - rows).norm(dim=1))
    sentence = _(
        "{tokens} tokens on {axes} axes, which hold {share:.0f}% of the variance; an arrow is {arrow:.2f} "
        "long on average."
    )
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
            positions=_("+ position row"),
            sums=_("input row"),
            hover_row=_("{token}\ntoken row (position {position})"),
            hover_sum=_("{token}\ninput row at position {position}"),
            remark=None
            if longest is None
            else (longest, _("position {position} moves its token farthest").format(position=longest)),
        ),
        chosen=chosen,
        narrow=narrow,
    )


@section(
    "rows-norms",
    N_("Vector lengths"),
    lead=N_(
        "A row has a length, as an arrow has: square its numbers, add up, take the square root. In a sum the longer of "
        "two rows decides how the result looks: compare the bars, the token rows, with the line of the position rows."
    ),
)
def show_lengths(request: Request) -> None:
    """Show how long each token row, position row and input row is."""
    link_chart("norms", tokens=len(cache.token_labels(request)))
    show(lengths, request)
    st.caption(_mean_lengths_sentence(_norms(request)))


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
        alt=_mean_lengths_sentence(norms),
        labels=cache.token_labels(request),
        names=(_("token row"), _("position row"), _("input row")),
        x_title=_("tokens of the text"),
        y_title=_("length of the row"),
        hover_text="{token}\n" + label_sentence("{name}", "{norm}"),
        remark=_remark(norms),
    )


def _norms(request: Request) -> dict[str, Tensor]:
    embeddings = cache.embed_request(request)
    parts = {
        "token_row": embeddings.token_embeddings,
        "position_row": embeddings.position_vectors,
        "input_row": embeddings.input_embeddings,
    }
    return {name: part.norm(dim=1) for name, part in parts.items()}


def _drawn_lengths(norms: dict[str, Tensor]) -> tuple[Tensor, Tensor | None, Tensor | None]:
    if norms["position_row"].any():
        return norms["token_row"], norms["position_row"], norms["input_row"]
    return norms["token_row"], None, None


def _longest_outlier(norms: dict[str, Tensor]) -> tuple[int, float] | None:
    """Return the position whose row is longer than its token's, if most are shorter, and the ratio of the two."""
    if float(norms["position_row"].mean() / norms["token_row"].mean().clamp(min=1e-9)) >= BALANCED:
        return None
    times = norms["position_row"] / norms["token_row"].clamp(min=1e-9)
    longest = int(times.argmax())
    return (longest, float(times[longest])) if times[longest] > 1 else None


def _remark(norms: dict[str, Tensor]) -> tuple[int, str] | None:
    if (outlier := _longest_outlier(norms)) is None:
        return None
    words = _("position {position}: {times:.1f} times as long as the token row")
    return outlier[0], words.format(position=outlier[0], times=outlier[1])


def _mean_lengths_sentence(norms: dict[str, Tensor]) -> str:
    """Return how long the rows are on average, what follows from it, and where a position row is an outlier."""
    drawn = _drawn_lengths(norms)
    means = norms_alt(*drawn)
    if drawn[1] is None:
        return _("On average a token row is {token:.2f} long; nothing is added to it.").format(**means)
    sentences = [
        _(
            "On average a token row is {token:.2f} long, a position row {position:.2f} and their sum, the "
            "input row, {sum:.2f}."
        ).format(**means)
    ]
    ratio = means["ratio"]
    if ratio < BALANCED:
        sentences.append(_("Position rows are shorter, so an input row still looks mostly like its token row."))
    elif ratio <= 1 / BALANCED:
        sentences.append(_("So both count about equally in an input row."))
    else:
        sentences.append(_("Position rows are longer, so an input row looks mostly like its position row."))
    if (outlier := _longest_outlier(norms)) is not None:
        longest, times = outlier
        sentences.append(
            _(
                "Position {position} is an exception: there the position row is {times:.1f} times as long as "
                "the token row."
            ).format(position=longest, times=times)
        )
    return separator(" ").join(sentences)
