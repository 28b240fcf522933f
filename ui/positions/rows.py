"""The rows that a scheme adds, as one matrix."""

from functools import partial

import streamlit as st

from embedlib.figures.heatmap import heatmap_alt, heatmap_figure
from embedlib.positional import SCHEMES
from ui.cache.schemes import SchemeKey
from ui.export.tables import matrix_csv
from ui.i18n import _
from ui.positions.chart import chart, file_name
from ui.shared import theme


def rows_chart(key: SchemeKey, n_positions: int, position: int) -> None:
    """Show one row for each position, the marked one outlined."""
    st.header(_("One row for each position"))
    table = key.scheme().position_table(n_positions).cpu()  # (n_positions, d_model)
    alt = _("{rows} positions by {columns} dimensions, from {lowest:.2f} to {highest:.2f}.")
    chart(
        table,
        partial(
            heatmap_figure,
            x_title=_("dimension"),
            y_title=_("position"),
            theme=theme.current(),
            chosen=position,
            hover_text=_("position {row}, dimension {column}\n{value}"),
            height=520,
        ),
        again=lambda: key.scheme().position_table(n_positions).cpu(),
        table=partial(matrix_csv, row="position", column="dim"),
        key="table",
        name=file_name(key.name, "position-rows"),
        title=_("{scheme}: one row for each position").format(scheme=_(SCHEMES[key.name].title)),
        alt=alt.format(**heatmap_alt(table)),
    )
