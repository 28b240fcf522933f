"""Nearest rows of a table in its full space, analogies, and two tables of the same words."""

from embedlib.neighbours.alignment import Alignment, align_tables, prepared_rows, shared_neighbours
from embedlib.neighbours.analogies import (
    Analogy,
    Places,
    along,
    analogy,
    meaning_axis,
    places_around,
    places_of_answers,
    rank_of,
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
    "meaning_axis",
    "nearest_neighbours",
    "neighbour_distances",
    "places_around",
    "places_of_answers",
    "prepared_rows",
    "rank_of",
    "ranks",
    "row_norms",
    "shared_neighbours",
    "similarity_to",
]
