"""The pictures of the schemes side by side under one pointer, to look at and to take along."""

from collections.abc import Callable, Mapping

from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.figures.colours import DIVERGING, SERIES
from embedlib.figures.panels import MatrixPanel, panels_figure
from ui import theme
from ui.compare.request import Comparison
from ui.compare.tables import matrices_csv
from ui.components import matrix_grid as grid_component
from ui.components.matrix_grid import Panel, matrix_grid
from ui.i18n import _, translated
from ui.take_along import take_along

GROUP_COLOURS = (0, 1, 2, 3, 5)  # of SERIES


def grid(
    panels: Mapping[str, Panel],
    shown: Comparison,
    *,
    key: str,
    title: str,
    again: Callable[[], Mapping[str, Tensor | None]],
) -> None:
    """Draw the panels, and offer them and their numbers under them.

    Args:
        panels: for each scheme its picture, with or without values.
        shown: what is compared.
        key: Streamlit key, and part of the name of the files.
        title: heading of the figure that is taken along.
        again: finds the panels' values once more, when somebody takes them along.
    """
    look = theme.current()
    matrix_grid(
        list(panels.values()),
        chosen=shown.position,
        tokens=shown.tokens,
        colours=DIVERGING[look],
        group_colours=[SERIES[look][index] for index in GROUP_COLOURS],
        labels=translated(grid_component.LABELS),
        key=key,
    )
    # The words of the pictures without their values, which are looked up again.
    words = {
        name: (
            f"{panel.title} ({'0–' if panel.unsigned else '±'}{panel.limit:.3g})",
            panel.limit,
            panel.columns,
            panel.rows,
        )
        for name, panel in panels.items()
        if panel.values is not None
    }
    hover_text = _("{name}\nrow {row}, column {column}: {value}")

    def matrices() -> dict[str, Tensor]:
        return {name: matrix for name, matrix in again().items() if matrix is not None}

    def figure() -> Figure:
        drawn = [
            MatrixPanel(name, matrix, limit, x_title, y_title)
            for matrix, (name, limit, x_title, y_title) in zip(matrices().values(), words.values(), strict=True)
        ]
        return panels_figure(drawn, theme=look, chosen=shown.position, hover_text=hover_text, title=title)

    if words:
        take_along(f"compare-{key}", table=lambda: matrices_csv(matrices()), figure=figure)
