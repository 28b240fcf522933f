"""Drawings: figures and tables with their numbers, as they are shown and saved."""

from ui.export.config import with_ticks_written
from ui.export.drawing import Drawing
from ui.export.grids import GRID_STYLE, Cell, Grid, without_marks
from ui.export.legacy import (
    cells_csv,
    chart,
    columns_csv,
    embeddings_csv,
    matrices_csv,
    matrix_csv,
    measures_csv,
    parts_csv,
    points_csv,
    take_along,
)
from ui.export.numbers import (
    Arrays,
    Blocks,
    Columns,
    LabelledPoints,
    Lines,
    Matrices,
    Matrix,
    Numbers,
    Parts,
    lines_csv,
    readable,
)
from ui.export.numbers import table_csv as blocks_csv
from ui.export.offers import Offer, offers_in
from ui.export.programs import notebook, show_program
from ui.export.show import Keyed, download, save_menu, save_table, show, show_figure, show_texts, source_is
from ui.export.show import show_texts as shown_table

__all__ = [
    "GRID_STYLE",
    "Arrays",
    "Blocks",
    "Cell",
    "Columns",
    "Drawing",
    "Grid",
    "Keyed",
    "LabelledPoints",
    "Lines",
    "Matrices",
    "Matrix",
    "Numbers",
    "Offer",
    "Parts",
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
    "save_menu",
    "save_table",
    "show",
    "show_figure",
    "show_program",
    "show_texts",
    "shown_table",
    "source_is",
    "take_along",
    "with_ticks_written",
    "without_marks",
]
