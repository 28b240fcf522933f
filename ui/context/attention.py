"""The model's attention over the reader's text: all heads at once, one of them large, and weight by distance."""

from functools import partial

import streamlit as st
import torch
from torch import Tensor

from embedlib.contextual import attention_by_distance
from embedlib.figures import DIVERGING, SERIES, all_heads_figure, colour_limit, heatmap_figure, lines_figure
from ui.components import matrix_grid as grid_component
from ui.components.matrix_grid import Panel, matrix_grid
from ui.context.layers import labels_of, text_in_view
from ui.context.model import layers_of, tokens_of
from ui.export import chart, columns_csv, matrix_csv, parts_csv, take_along
from ui.export.config import plotly_config
from ui.i18n import _, named, translated
from ui.settings import controls, state
from ui.shared.opened_model import OpenedModel
from ui.shared.page import current_theme

NAMED = 24  # tokens at most along the axes of the large picture
_KEY = "context-heads"


def attention_of_heads(opened: OpenedModel) -> None:
    """Draw all heads, the chosen one, and how the weight falls with the distance."""
    text = text_in_view()
    if not text.strip():
        st.info(_("The text has no tokens: type something."))
        return
    weights = layers_of(opened, text).attention  # (n_layers, n_heads, seq_len, seq_len)
    n_layers, n_heads = weights.shape[:2]
    layer, head = min(state.get("context_attention"), n_layers) - 1, min(state.get("context_head"), n_heads - 1)
    left, right = st.columns([5, 8], gap="large")
    with left:
        controls.control("context_attention", st.slider, 1, n_layers, value=layer + 1)
        controls.control("context_head", st.slider, 0, n_heads - 1, value=head)
        _one_head(opened, text, layer, head)
    with right:
        _all_heads(weights, layer, head)
        _by_distance(opened, text, weights, layer, head)


def _one_head(opened: OpenedModel, text: str, layer: int, head: int) -> None:
    labels = labels_of(opened, tokens_of(opened, text))
    look, title = current_theme(), _("layer {layer}, head {head}").format(layer=layer + 1, head=head)

    def weights() -> Tensor:
        return layers_of(opened, text).attention[layer, head]

    highest = float(weights().max())
    panel = Panel(
        title=title,
        place="",
        group=1,
        note="",
        alt=_("{name}: weights up to {highest:.2f}, {count} tokens.").format(
            name=title, count=len(labels), highest=highest
        ),
        values=weights(),
        limit=1.0,
        unsigned=True,
        rows=_("query"),
        columns=_("key"),
        positions=True,
        named=len(labels) <= NAMED,
    )
    matrix_grid(
        [panel],
        chosen=state.get("token"),
        tokens=labels,
        colours=DIVERGING[look],
        group_colours=SERIES[look],
        labels=translated(grid_component.LABELS),
        key="context-head-grid",
    )
    query, key = _("query"), _("key")
    take_along(
        "context-head",
        table=lambda: matrix_csv(weights(), row="query", column="key"),
        arrays=lambda: {"weights": weights()},
        title=title,
        figure=lambda: heatmap_figure(
            weights(),
            x_title=key,
            y_title=query,
            theme="light",
            y_labels=labels,
            limit=1.0,
            square=True,
            title=title,
        ),
    )


def _all_heads(weights: Tensor, layer: int, head: int) -> None:
    draw = partial(
        all_heads_figure,
        weights,
        chosen=(layer, head),
        x_title=_("head"),
        y_title=_("layer"),
        limit=min(1.0, colour_limit(weights)),
        hover_text=_("layer {layer}, head {head}"),
    )
    st.plotly_chart(
        draw(theme=current_theme()),
        key=_KEY,
        theme=None,
        config=plotly_config() | {"displayModeBar": False},
        alt=_("Click a head to enlarge it."),
        on_select=partial(_choose_head, weights.shape[1]),
        selection_mode="points",
    )
    parts = {f"layer_{at + 1}_head_{of}": one for at, heads in enumerate(weights) for of, one in enumerate(heads)}
    take_along(
        _KEY,
        table=lambda: parts_csv(parts, column="key"),
        figure=partial(draw, theme="light"),
        arrays=lambda: {"weights": weights},
        title=_("Attention"),
    )


def _choose_head(n_heads: int) -> None:
    selected = st.session_state.get(_KEY)
    points = selected["selection"]["points"] if selected else []
    if points:
        layer, head = divmod(points[0]["point_index"], n_heads)
        state.put(context_attention=layer + 1, context_head=head)


def _by_distance(opened: OpenedModel, text: str, weights: Tensor, layer: int, head: int) -> None:
    by_head = attention_by_distance(weights)  # (n_layers, n_heads, seq_len)
    means = torch.stack([by_head[layer, head], by_head[layer].mean(dim=0), by_head.mean(dim=(0, 1))])  # (3, seq_len)
    names = [_("this head"), _("this layer"), _("all layers")]
    chart(
        "context-distance",
        partial(
            lines_figure,
            means,
            names=names,
            x_title=_("distance"),
            y_title=_("mean weight"),
            hover_text="{name}\n" + named("{x}", "{y}"),
            theme=current_theme(),
            zero=True,
            height=300,
        ),
        alt=_("Mean weight by distance: {first:.2f} at 0.").format(first=float(means[0, 0])),
        table=lambda: columns_csv(dict(zip(["head", "layer", "model"], means, strict=True)), row="distance"),
        arrays=lambda: {"mean_weights": means},
        title=_("Attention by distance"),
        shows=(opened.key, text, layer, head),
    )
