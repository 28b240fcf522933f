"""Nearest rows of a table in its full space, analogies, and two tables of the same words."""

from embedlib.neighbours.alignment import Alignment, align_tables, centred_unit_rows, shared_neighbours
from embedlib.neighbours.analogies import (
    Analogy,
    RowRanks,
    analogy,
    analogy_ranks,
    axis_coordinates,
    meaning_axis,
    neighbour_rank,
    neighbour_ranks,
)
from embedlib.neighbours.blocks import Table
from embedlib.neighbours.search import (
    METRICS,
    Neighbours,
    nearest_neighbours,
    neighbour_distances,
    ranks,
    row_norms,
    similarity_to,
)
