"""Drawings: figures and tables with their numbers, shown and saved."""

from ui.export.config import localise_figure
from ui.export.drawing import Drawing, figure_drawing
from ui.export.grids import GRID_STYLE, Cell, Grid, strip_grid_markup
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
    decode_token,
)
from ui.export.offers import Offer, offers_in
from ui.export.programs import notebook, show_program
from ui.export.show import (
    Keyed,
    download,
    save_menu,
    save_table,
    set_data_source,
    show,
    show_clickable,
    show_lists,
    show_texts,
)

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
    "decode_token",
    "download",
    "figure_drawing",
    "localise_figure",
    "notebook",
    "offers_in",
    "save_menu",
    "save_table",
    "set_data_source",
    "show",
    "show_clickable",
    "show_lists",
    "show_program",
    "show_texts",
    "strip_grid_markup",
]
