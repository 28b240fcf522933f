"""Numbers and figures as files."""

from ui.export.charts import chart, download, set_data_source, show_figure, shown_table, take_along
from ui.export.config import with_ticks_written
from ui.export.grids import GRID_STYLE, Cell, Grid, without_marks
from ui.export.offers import Arrays, Offer, offers_in
from ui.export.programs import notebook, show_program
from ui.export.tables import (
    blocks_csv,
    cells_csv,
    columns_csv,
    embeddings_csv,
    lines_csv,
    matrices_csv,
    matrix_csv,
    measures_csv,
    parts_csv,
    points_csv,
    readable,
)

__all__ = [
    "GRID_STYLE",
    "Arrays",
    "Cell",
    "Grid",
    "Offer",
    "blocks_csv",
    "cells_csv",
    "chart",
    "columns_csv",
    "download",
    "embeddings_csv",
    "lines_csv",
    "matrices_csv",
    "matrix_csv",
    "measures_csv",
    "notebook",
    "offers_in",
    "parts_csv",
    "points_csv",
    "readable",
    "set_data_source",
    "show_figure",
    "show_program",
    "shown_table",
    "take_along",
    "with_ticks_written",
    "without_marks",
]
