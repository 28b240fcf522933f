"""A model's own position rows: as a matrix, and along their principal axes."""

from contextlib import suppress
from typing import Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from embedlib.figures import SEQUENTIAL, cloud_figure, gradient, heatmap_figure
from embedlib.tables import TableError
from ui.components import point_cloud as cloud_component
from ui.components.browser import should_draw_section
from ui.components.point_cloud import Gradient, Points, point_cloud, point_data
from ui.export import Drawing, LabelledPoints, Matrix, figure_drawing, save_menu, show
from ui.i18n import _, translate_labels
from ui.models.cache import position_pca, read_positions
from ui.models.facts import position_summary
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
            st.info(_("No position table: {scheme}.").format(scheme=position_summary(model)))
        return
    if not should_draw_section("models-positions"):
        return
    table = read_positions(model)
    norms = table.norm(dim=1)
    st.caption(
        _("Row 0 has length {first:.2f}, the others {low:.2f} to {high:.2f}.").format(
            first=norms[0], low=norms[1:].min(), high=norms[1:].max()
        )
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _show_matrix(model)
    with right:
        _show_cloud(model)


def has_position_rows(model: Model) -> bool:
    """Return whether a model has position rows that can be read."""
    with suppress(TableError):
        return len(read_positions(model)) > 0
    return False


def _show_matrix(model: Model) -> None:
    corner = read_positions(model)[:MOST, :MOST]
    st.subheader(_("First {rows} × {columns} numbers").format(rows=corner.shape[0], columns=corner.shape[1]))
    show(position_matrix, model)


def position_matrix(model: Model) -> Drawing:
    """Draw the first rows and columns of the position table."""
    table = read_positions(model)
    return figure_drawing(
        "model-positions",
        _("Position table"),
        Matrix(table, "position", "dim", "positions"),
        heatmap_figure,
        table[:MOST, :MOST],
        x_title=_("dimension"),
        y_title=_("position"),
        hover_text=_("position {position}, dimension {dimension}\n{value}").format(
            position="{row}", dimension="{column}", value="{value}"
        ),
        height=HEIGHT + 60,
    )


def _show_cloud(model: Model) -> None:
    st.subheader(_("Principal axes"))
    controls.control("view", titles={"2d": _("2-D"), "3d": _("3-D")}, collapsed=True)
    pca, points, dimensions = position_pca(model), _principal_points(model), _n_dimensions(model)
    count = len(points)
    ids, labels = np.arange(count), [str(position) for position in range(count)]
    colours, legend = _colours(count), Gradient(_("position"), 0, count - 1)
    named = [*range(0, count, max(1, count // 8))]
    axes = principal_titles(pca.explained_variance_ratio[:dimensions].tolist())
    save_menu(position_map, model)
    cloud = point_cloud(
        Points(
            data=point_data(points, ids, labels, cache_key=f"positions/{model.key}"),
            colours=colours,
            palette=gradient(SEQUENTIAL[current_theme()]),
            legend=legend,
            dimensions=dimensions,
            chosen=st.session_state.get(_CHOSEN),
            axes=axes,
            labels=translate_labels(cloud_component.LABELS),
            height=HEIGHT - 50,
            named=named,
            picture=model.key,
        ),
        key="position-cloud",
        on_change=state.dismiss_notices,
    )
    st.session_state[_CHOSEN] = cloud.chosen


def _principal_points(model: Model) -> NDArray[np.float32]:
    """Return the position rows on their principal axes, (n_positions, 3); missing axes are 0."""
    pca, table = position_pca(model), read_positions(model)
    points = np.zeros((len(table), 3), dtype=np.float32)
    points[:, : len(pca.components)] = pca.transform(table).numpy()
    return points


def _n_dimensions(model: Model) -> Literal[2, 3]:
    return 3 if state.get("view") == "3d" and len(position_pca(model).components) > 2 else 2


def position_map(model: Model) -> Drawing:
    """Draw the position rows along their principal axes, coloured by position."""
    points, dimensions = _principal_points(model), _n_dimensions(model)
    count = len(points)
    ids, labels = np.arange(count), [str(position) for position in range(count)]
    return figure_drawing(
        "position-places",
        _("Principal axes"),
        LabelledPoints(ids, labels, points),
        cloud_figure,
        points[:, :dimensions],
        labels=labels,
        colours=_colours(count),
        palette=gradient(SEQUENTIAL["light"]),
        kinds=[],
        axis_titles=principal_titles(position_pca(model).explained_variance_ratio[:dimensions].tolist()),
        named=[*range(0, count, max(1, count // 8))],
        scale=(_("position"), 0, count - 1),
    )


def _colours(count: int) -> NDArray[np.uint8]:
    return (np.arange(count) * 255 // max(1, count - 1)).astype(np.uint8)
