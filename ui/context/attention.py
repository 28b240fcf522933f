"""The model's attention over the reader's text: all heads, the one that looks back by one token, and one head large."""

from functools import partial
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from embedlib.contextual import Positions, attention_by_distance
from embedlib.figures import (
    MatrixPanel,
    all_heads_figure,
    colour_limit,
    heatmap_figure,
    lines_figure,
    panels_figure,
)
from ui.components.matrix_grid import Panel
from ui.context.layers import text_in_view, token_grid, token_labels
from ui.context.model import SHUFFLE_SEED, longest_shift, run_layers, tokenize
from ui.export import Columns, Drawing, Matrices, Matrix, Parts, figure_drawing, save_menu, show, show_clickable
from ui.i18n import _, label_sentence
from ui.settings import controls, state
from ui.shared.opened_model import OpenedModel

LOOKS_BACK = 0.5  # mean weight on the token before from which a head is said to look at it
NAMED = 24  # tokens at most along the axes of the large picture


def attention_heads(opened: OpenedModel) -> None:
    """Draw all heads, the chosen one under its own positions and others, and how the weight falls with the distance."""
    text = text_in_view()
    if not text.strip():
        st.info(_("The text has no tokens: type something."))
        return
    n_layers, n_heads = opened.model.n_layers, opened.model.n_heads
    layer, head = min(state.get("context_attention"), n_layers) - 1, min(state.get("context_head"), n_heads - 1)
    _show_previous_head(opened, text, layer, head)
    left, right = st.columns([5, 8], gap="large")
    with left:
        controls.control("context_attention", st.slider, 1, n_layers, value=layer + 1)
        controls.control("context_head", st.slider, 0, n_heads - 1, value=head)
        _show_one_head(opened, text, layer, head)
    with right:
        show_clickable(partial(_choose_head, opened.model.n_heads), all_heads, opened, text, layer, head)
    _show_with_other_positions(opened, text, layer, head)
    st.subheader(_("How far the head looks"))
    st.write(_distance_sentence(opened))
    show(weight_by_distance, opened, text, layer, head)


def _distance_sentence(opened: OpenedModel) -> str:
    """Return a sentence on how to read the curve, and how a head that looks one token back shows in it."""
    if opened.model.causal:
        return _(
            "How much attention does a token give to another, by the distance between them? Distance 0 is the token "
            "itself, distance 1 the token before it, and so on. A head that looks only at the token before has weight "
            "1 at distance 1 and 0 elsewhere. At the greatest distance only the last token’s look at the first is left."
        )
    return _(
        "How much attention does a token give to another, by the distance between them? Distance 0 is the token "
        "itself. At distance 1 there are two tokens, the one before and the one after, and the curve shows the mean "
        "of both: a head that looks only at the token before has 0.5 there. At the greatest distance only the first "
        "and the last token are left."
    )


def _show_previous_head(opened: OpenedModel, text: str, layer: int, head: int) -> None:
    """Show which head attends most to the previous token, with a button that selects it."""
    if len(tokenize(opened, text).tokens) < 2:
        return
    weights = previous_weights(run_layers(opened, text).attention)  # (n_layers, n_heads)
    found = divmod(int(weights.argmax()), weights.shape[1])
    most = float(weights[found])
    if most < LOOKS_BACK:
        return
    st.write(
        _(
            "Few heads can be named so simply as this: **{head}** looks one token back. There a token gives "
            "{weight:.2f} of its attention to the token before it, on average. Of all {total} heads {count} give at "
            "least half of it to that token. Which token comes before is a question about order, and a head can answer "
            "it only because the model is given the positions."
        ).format(head=head_title(*found), weight=most, count=int((weights >= LOOKS_BACK).sum()), total=weights.numel())
    )
    if found != (layer, head):
        st.button(
            _("Show {head}").format(head=head_title(*found)),
            key="context-previous-head",
            on_click=state.put,
            kwargs={"context_attention": found[0] + 1, "context_head": found[1]},
        )


def previous_weights(attention: Tensor) -> Tensor:
    """Return the mean weight that tokens give to the one before them: (…), of attention (…, seq_len, seq_len)."""
    return attention.diagonal(offset=-1, dim1=-2, dim2=-1).mean(-1)


def _show_with_other_positions(opened: OpenedModel, text: str, layer: int, head: int) -> None:
    """Draw the chosen head under its own positions and three others, with the weight of the token before."""
    n_tokens = len(tokenize(opened, text).tokens)
    if n_tokens < 2:
        return
    st.subheader(_("The same head with other positions"))
    st.write(
        _(
            "The same text and the same weights; only the positions that the model is given differ. The number above "
            "each picture is the weight on the token before, on average; with equal attention to all tokens it would "
            "be {chance:.2f}."
        ).format(chance=1 / n_tokens)
    )
    given = positions_by_title(n_tokens, longest_shift(opened, n_tokens))
    labels = token_labels(opened, tokenize(opened, text))
    panels, found = [], []
    for name, positions in given.items():
        weights = run_layers(opened, text, positions).attention[layer, head]
        found.append(float(previous_weights(weights)))
        before = _("{weight:.2f} on the token before").format(weight=found[-1])
        panels.append(_weights_panel(weights, name, label_sentence(name, before), place=before))
    save_menu(head_by_positions, opened, text, layer, head)
    token_grid(panels, labels, key="context-position-grid")
    if found[0] < LOOKS_BACK:
        return
    if found[1] < found[0] / 2:
        st.write(
            _(
                "Without positions the line is gone: the head cannot tell which token comes before. This is why a "
                "transformer needs positions."
            )
        )
    follows = shuffled_weight(opened, text, layer, head)
    if follows >= LOOKS_BACK:
        st.write(
            _(
                "With shuffled positions the head still gives {weight:.2f} to one token: the one that was given the "
                "number before, wherever it stands. It reads the position numbers that it was given, not where the "
                "tokens stand."
            ).format(weight=follows)
        )
    if len(found) > 3 and found[3] >= LOOKS_BACK:
        st.write(
            _(
                "If all positions are larger by the same number, it still finds the token before ({weight:.2f}): what "
                "it reads is how one position differs from the next."
            ).format(weight=found[3])
        )


def positions_by_title(n_tokens: int, most: int) -> dict[str, Positions]:
    """Return the positions under which a head is shown, by their titles; most: the greatest shift of the text."""
    given = {
        _("its own positions"): Positions(),
        _("no positions"): Positions("none"),
        _("shuffled positions"): Positions("shuffled", seed=SHUFFLE_SEED),
    }
    if most:
        shift = min(state.get("context_shift"), most)
        given[_("positions shifted by {shift}").format(shift=shift)] = Positions("shifted", shift=shift)
    return given


def shuffled_weight(opened: OpenedModel, text: str, layer: int, head: int) -> float:
    """Return the mean weight, under shuffled positions, on the token that was given the position before one's own."""
    positions = Positions("shuffled", seed=SHUFFLE_SEED)
    weights = run_layers(opened, text, positions).attention[layer, head]
    order = positions.ids(len(weights)).argsort()  # order[p] is the token that was given position p
    return float(weights[order[1:], order[:-1]].mean())


def head_by_positions(opened: OpenedModel, text: str, layer: int, head: int) -> Drawing:
    """Draw the attention weights of one head under its own positions and others."""
    n_tokens = len(tokenize(opened, text).tokens)
    given = positions_by_title(n_tokens, longest_shift(opened, n_tokens))
    weights = {name: run_layers(opened, text, one).attention[layer, head] for name, one in given.items()}
    return figure_drawing(
        "context-head-positions",
        _("The same head with other positions"),
        Matrices(
            {one.kind: matrix for one, matrix in zip(given.values(), weights.values(), strict=True)}, name="positions"
        ),
        panels_figure,
        [MatrixPanel(name, matrix, 1.0, _("key"), _("query")) for name, matrix in weights.items()],
        hover_text=_("{name}\nrow {row}, column {column}: {value}"),
    )


def _show_one_head(opened: OpenedModel, text: str, layer: int, head: int) -> None:
    labels, weights = token_labels(opened, tokenize(opened, text)), run_layers(opened, text).attention[layer, head]
    title = head_title(layer, head)
    alt = _("{name}: weights up to {highest:.2f}, {count} tokens.").format(
        name=title, count=len(labels), highest=float(weights.max())
    )
    save_menu(one_head, opened, text, layer, head)
    token_grid([_weights_panel(weights, title, alt, group=1)], labels, key="context-head-grid")


def _weights_panel(weights: Tensor, title: str, alt: str, *, place: str = "", group: int = 0) -> Panel:
    """Describe attention weights, (seq_len, seq_len), as a panel."""
    return Panel(
        title=title,
        place=place,
        group=group,
        note="",
        alt=alt,
        values=weights,
        limit=1.0,
        rows=_("query"),
        columns=_("key"),
        positions=True,
        named=len(weights) <= NAMED,
    )


def head_title(layer: int, head: int) -> str:
    """Return the name of a head; layers count from 0 here and from 1 on the page."""
    return _("layer {layer}, head {head}").format(layer=layer + 1, head=head)


def one_head(opened: OpenedModel, text: str, layer: int, head: int) -> Drawing:
    """Draw the attention weights of one head."""
    weights = run_layers(opened, text).attention[layer, head]
    return figure_drawing(
        "context-head",
        head_title(layer, head),
        Matrix(weights, "query", "key", "weights"),
        heatmap_figure,
        weights,
        x_title=_("key"),
        y_title=_("query"),
        y_labels=token_labels(opened, tokenize(opened, text)),
        limit=1.0,
        square=True,
    )


def all_heads(opened: OpenedModel, text: str, layer: int, head: int) -> Drawing:
    """Draw the attention weights of all heads, the chosen one framed."""
    weights = run_layers(opened, text).attention  # (n_layers, n_heads, seq_len, seq_len)
    by_name = {f"layer_{at + 1}_head_{of}": one for at, heads in enumerate(weights) for of, one in enumerate(heads)}
    return figure_drawing(
        "context-heads",
        _("Attention"),
        Parts(by_name, column="key"),
        all_heads_figure,
        weights,
        alt=_("The attention weights of all heads; choose one to see it large."),
        chosen=(layer, head),
        x_title=_("head (from 0)"),
        y_title=_("layer (from 1; 0 is the input)"),
        limit=min(1.0, colour_limit(weights)),
        hover_text=_("layer {layer}, head {head}"),
    )


def _choose_head(n_heads: int, point: dict[str, Any]) -> None:
    layer, head = divmod(point["point_index"], n_heads)
    state.put(context_attention=layer + 1, context_head=head)


def weight_by_distance(opened: OpenedModel, text: str, layer: int, head: int) -> Drawing:
    """Draw how the mean attention weight falls with the distance: of one head, its layer, and all layers."""
    by_head = attention_by_distance(run_layers(opened, text).attention)  # (n_layers, n_heads, seq_len)
    means = torch.stack([by_head[layer, head], by_head[layer].mean(dim=0), by_head.mean(dim=(0, 1))])  # (3, seq_len)
    return figure_drawing(
        "context-distance",
        _("Attention by distance"),
        Columns(dict(zip(["head", "layer", "model"], means, strict=True)), row="distance"),
        lines_figure,
        means,
        alt=_("This head gives a token itself a weight of {first:.2f} on average.").format(first=float(means[0, 0])),
        names=[_("this head"), _("mean, this layer"), _("mean, all layers")],
        x_title=_("distance between the two tokens"),
        y_title=_("mean attention weight"),
        hover_text="{name}\n" + label_sentence("{x}", "{y}"),
        zero=True,
        height=300,
    )
