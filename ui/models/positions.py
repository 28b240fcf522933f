"""A model's own position rows: as a matrix, and along their principal axes."""

from contextlib import suppress
from functools import partial
from typing import Literal

import numpy as np
import streamlit as st
import torch

from embedlib.figures import SEQUENTIAL, cloud_figure, gradient, heatmap_alt, heatmap_figure
from embedlib.tables import TableError
from ui.components import point_cloud as cloud_component
from ui.components.browser import comes_near
from ui.components.point_cloud import Gradient, point_cloud, point_data
from ui.export import chart, matrix_csv, points_csv, take_along
from ui.i18n import _, translated
from ui.models.cache import position_pca_of, positions_of
from ui.models.facts import positions_written
from ui.settings import controls, state
from ui.shared.model_choice import Model, position_choice
from ui.shared.page import current_theme, principal_titles

MOST = 128  # positions and columns of the matrix that are drawn
HEIGHT = 460
_CHOSEN = "model_position"


def position_rows(model: Model) -> None:
    """Show the position table of a model that has one."""
    st.header(_("Position table"))
    position_choice(model)
    if model.checkpoint.position_name is None:
        if not model.checkpoint.position_choices:
            st.info(_("No position table: {scheme}.").format(scheme=positions_written(model)))
        return
    if not comes_near("models-positions", height=741, phone=1465):
        return
    table = positions_of(model)
    norms = table.norm(dim=1)
    st.caption(
        _("Row 0 has length {first:.2f}, the others {low:.2f} to {high:.2f}.").format(
            first=norms[0], low=norms[1:].min(), high=norms[1:].max()
        )
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _matrix(model)
    with right:
        _cloud(model)


def has_position_rows(model: Model) -> bool:
    """Return whether a model has position rows that can be read."""
    with suppress(TableError):
        return len(positions_of(model)) > 0
    return False


def _matrix(model: Model) -> None:
    corner = positions_of(model)[:MOST, :MOST]
    st.subheader(_("First {rows} × {columns} numbers").format(rows=corner.shape[0], columns=corner.shape[1]))
    draw = partial(
        heatmap_figure,
        corner,
        x_title=_("dimension"),
        y_title=_("position"),
        theme=current_theme(),
        hover_text=_("position {position}, dimension {dimension}\n{value}").format(
            position="{row}", dimension="{column}", value="{value}"
        ),
        height=HEIGHT + 60,
    )
    chart(
        "model-positions",
        draw,
        alt=_("{rows} × {columns}, {lowest:.2f} to {highest:.2f}.").format(**heatmap_alt(corner)),
        table=lambda: matrix_csv(positions_of(model), row="position", column="dim"),
        arrays=lambda: {"positions": positions_of(model)},
        title=_("Position table"),
        shows=model.key,
    )


def _cloud(model: Model) -> None:
    st.subheader(_("Principal axes"))
    controls.control("view", titles={"2d": _("2-D"), "3d": _("3-D")}, collapsed=True)
    pca = position_pca_of(model)
    dimensions: Literal[2, 3] = 3 if state.get("view") == "3d" and len(pca.components) > 2 else 2
    points = np.zeros((len(positions_of(model)), 3), dtype=np.float32)
    points[:, : len(pca.components)] = pca.transform(positions_of(model)).numpy()
    count = len(points)
    ids, labels = np.arange(count), [str(position) for position in range(count)]
    colours, legend = (ids * 255 // max(1, count - 1)).astype(np.uint8), Gradient(_("position"), 0, count - 1)
    named = [*range(0, count, max(1, count // 8))]
    axes = principal_titles(pca.explained_variance_ratio[:dimensions].tolist())
    cloud = point_cloud(
        point_data(points, ids, labels, key="points", cache_key=f"positions/{model.key}"),
        colours=colours,
        palette=gradient(SEQUENTIAL[current_theme()]),
        legend=legend,
        dimensions=dimensions,
        chosen=st.session_state.get(_CHOSEN),
        neighbours=(),
        highlighted=None,
        path=(),
        moved=False,
        axes=axes,
        labels=translated(cloud_component.LABELS),
        height=HEIGHT - 50,
        key="position-cloud",
        on_change=state.dismiss_notices,
        named=named,
        picture=model.key,
    )
    st.session_state[_CHOSEN] = cloud.chosen
    title = _("Principal axes")
    take_along(
        "position-places",
        table=lambda: points_csv(ids, labels, points),
        figure=lambda: cloud_figure(
            points[:, :dimensions],
            labels=labels,
            colours=colours,
            palette=gradient(SEQUENTIAL["light"]),
            kinds=[],
            axis_titles=axes,
            theme="light",
            named=named,
            scale=(legend.title, legend.low, legend.high),
            title=title,
        ),
        arrays=lambda: {"places": torch.from_numpy(points)},
        title=title,
    )
