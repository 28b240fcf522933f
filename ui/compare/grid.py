"""The pictures of the schemes side by side under one pointer, to look at and to take along."""

from collections.abc import Callable, Hashable, Mapping

from plotly.graph_objects import Figure
from torch import Tensor

from embedlib.figures.colours import DIVERGING, SERIES
from embedlib.figures.panels import MatrixPanel, panels_figure
from ui.cache.bounded import BoundedCache
from ui.compare.request import Comparison
from ui.compare.tables import matrices_csv
from ui.components import matrix_grid as grid_component
from ui.components.matrix_grid import Panel, matrix_grid
from ui.export.take_along import take_along
from ui.i18n import _, language, translated
from ui.shared import theme
from ui.shared.schemes import GROUP_COLOURS

_Panels = Mapping[str, Panel]


def _bytes(panels: _Panels) -> int:
    """Count each matrix twice, as it is computed and as it is sent; sentences take little beside it."""
    return 10_000 + sum(2 * panel.values.nbytes for panel in panels.values() if panel.values is not None)


# Most controls leave most pictures alone: to look at 45 matrices anew takes 5 ms of 35.
_kept: BoundedCache[tuple[Hashable, ...], _Panels] = BoundedCache(64_000_000, _bytes)


def grid(
    build: Callable[[], _Panels],
    shown: Comparison,
    *,
    shows: tuple[Hashable, ...],
    key: str,
    title: str,
    again: Callable[[], Mapping[str, Tensor | None]],
) -> None:
    """Draw the panels, and offer them and their numbers under them.

    Args:
        build: describes each scheme's picture, with or without values.
        shown: what is compared.
        shows: all that decides the pictures, besides the schemes and the language.
        key: Streamlit key, and part of the name of the files.
        title: heading of the figure that is taken along.
        again: finds the panels' values once more, when somebody takes them along.
    """
    look = theme.current()
    panels = _kept.get((key, shows, tuple(shown.keys), language()), build)
    matrix_grid(
        list(panels.values()),
        chosen=shown.position,
        front=shown.front,
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
