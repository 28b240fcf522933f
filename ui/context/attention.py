"""The model's attention over the reader's text: all heads at once, one of them large, and weight by distance."""

from functools import partial

import streamlit as st
import torch

from embedlib.contextual import attention_by_distance
from embedlib.figures import DIVERGING, SERIES, all_heads_figure, colour_limit, heatmap_figure, lines_figure
from ui.components import matrix_grid as grid_component
from ui.components.matrix_grid import Panel, Panels, matrix_grid
from ui.context.layers import text_in_view, token_labels
from ui.context.model import run_layers, tokenize
from ui.export import Columns, Drawing, Matrix, Parts, figure_drawing, save_menu, show
from ui.export.config import plotly_config
from ui.i18n import _, label_sentence, translate_labels
from ui.settings import controls, state
from ui.shared.opened_model import OpenedModel
from ui.shared.page import current_theme

NAMED = 24  # tokens at most along the axes of the large picture
_KEY = "context-heads"


def attention_heads(opened: OpenedModel) -> None:
    """Draw all heads, the chosen one, and how the weight falls with the distance."""
    text = text_in_view()
    if not text.strip():
        st.info(_("The text has no tokens: type something."))
        return
    n_layers, n_heads = opened.model.n_layers, opened.model.n_heads
    layer, head = min(state.get("context_attention"), n_layers) - 1, min(state.get("context_head"), n_heads - 1)
    left, right = st.columns([5, 8], gap="large")
    with left:
        controls.control("context_attention", st.slider, 1, n_layers, value=layer + 1)
        controls.control("context_head", st.slider, 0, n_heads - 1, value=head)
        _show_one_head(opened, text, layer, head)
    with right:
        _show_all_heads(opened, text, layer, head)
        show(weight_by_distance, opened, text, layer, head)


def _show_one_head(opened: OpenedModel, text: str, layer: int, head: int) -> None:
    labels, weights = token_labels(opened, tokenize(opened, text)), run_layers(opened, text).attention[layer, head]
    look, title = current_theme(), head_title(layer, head)
    panel = Panel(
        title=title,
        place="",
        group=1,
        note="",
        alt=_("{name}: weights up to {highest:.2f}, {count} tokens.").format(
            name=title, count=len(labels), highest=float(weights.max())
        ),
        values=weights,
        limit=1.0,
        unsigned=True,
        rows=_("query"),
        columns=_("key"),
        positions=True,
        named=len(labels) <= NAMED,
    )
    save_menu(one_head, opened, text, layer, head)
    matrix_grid(
        Panels([panel]),
        chosen=state.get("token"),
        tokens=labels,
        colours=DIVERGING[look],
        group_colours=SERIES[look],
        labels=translate_labels(grid_component.LABELS),
        key="context-head-grid",
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


def _show_all_heads(opened: OpenedModel, text: str, layer: int, head: int) -> None:
    heads = all_heads(opened, text, layer, head)
    save_menu(all_heads, opened, text, layer, head)
    st.plotly_chart(
        heads.draw(theme=current_theme()),
        key=_KEY,
        theme=None,
        config=plotly_config() | {"displayModeBar": False},
        alt=heads.alt,
        on_select=partial(_choose_head, opened.model.n_heads),
        selection_mode="points",
    )


def all_heads(opened: OpenedModel, text: str, layer: int, head: int) -> Drawing:
    """Draw the attention weights of all heads, the chosen one framed."""
    weights = run_layers(opened, text).attention  # (n_layers, n_heads, seq_len, seq_len)
    by_name = {f"layer_{at + 1}_head_{of}": one for at, heads in enumerate(weights) for of, one in enumerate(heads)}
    return figure_drawing(
        _KEY,
        _("Attention"),
        Parts(by_name, column="key"),
        all_heads_figure,
        weights,
        alt=_("Click a head to enlarge it."),
        chosen=(layer, head),
        x_title=_("head"),
        y_title=_("layer"),
        limit=min(1.0, colour_limit(weights)),
        hover_text=_("layer {layer}, head {head}"),
    )


def _choose_head(n_heads: int) -> None:
    selected = st.session_state.get(_KEY)
    points = selected["selection"]["points"] if selected else []
    if points:
        layer, head = divmod(points[0]["point_index"], n_heads)
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
        alt=_("Mean weight by distance: {first:.2f} at 0.").format(first=float(means[0, 0])),
        names=[_("this head"), _("this layer"), _("all layers")],
        x_title=_("distance"),
        y_title=_("mean weight"),
        hover_text="{name}\n" + label_sentence("{x}", "{y}"),
        zero=True,
        height=300,
    )
