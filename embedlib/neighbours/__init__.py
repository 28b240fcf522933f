"""Nearest rows of a table in its full space, analogies, and two tables of the same words."""

from embedlib.neighbours.alignment import Alignment, align_tables, prepared_rows, shared_neighbours
from embedlib.neighbours.analogies import (
    Analogy,
    Places,
    along,
    analogy,
    analogy_places,
    meaning_axis,
    neighbour_rank,
    places_around,
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

__all__ = [
    "METRICS",
    "Alignment",
    "Analogy",
    "Neighbours",
    "Places",
    "Table",
    "align_tables",
    "along",
    "analogy",
    "analogy_places",
    "meaning_axis",
    "nearest_neighbours",
    "neighbour_distances",
    "neighbour_rank",
    "places_around",
    "prepared_rows",
    "ranks",
    "row_norms",
    "shared_neighbours",
    "similarity_to",
]
