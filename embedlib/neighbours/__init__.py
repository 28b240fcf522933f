"""Nearest rows of a table in its full space, and analogies."""

from embedlib.neighbours.analogies import (
    Analogy,
    Places,
    along,
    analogy,
    meaning_axis,
    midpoint,
    places_around,
    places_of_answers,
    rank_of,
)
from embedlib.neighbours.search import (
    METRICS,
    Neighbours,
    Table,
    nearest_neighbours,
    neighbour_distances,
    row_norms,
    similarity_to,
)

__all__ = [
    "METRICS",
    "Analogy",
    "Neighbours",
    "Places",
    "Table",
    "along",
    "analogy",
    "meaning_axis",
    "midpoint",
    "nearest_neighbours",
    "neighbour_distances",
    "places_around",
    "places_of_answers",
    "rank_of",
    "row_norms",
    "similarity_to",
]
