"""Types of what a picture of points shows beside the points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ui.components._shared.data import SharedData

Rectangle = tuple[float, float, float, float]  # left, bottom, right, top, in the units of the coordinates


@dataclass(frozen=True, slots=True)
class Kind:
    """One line of the legend."""

    index: int
    """Into the palette."""
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Gradient:
    """A legend for a palette whose colours run from the least to the greatest value."""

    title: str
    low: float
    """What the first colour means."""
    high: float
    """What the last colour means."""
    logarithmic: bool = False
    """Whether equal steps along the palette are equal factors; low and high are the true values all the same."""


@dataclass(frozen=True, slots=True)
class Extent:
    """A summary of points that are too many for the browser."""

    box: Rectangle
    """The bounding box of all points, shown first."""
    n_points: int
    window: Rectangle | None
    """The initial view, also after a change of `turn`; None for all."""
    turn: int
    """Number of the page's last request for a view."""
    counted: tuple[NDArray[np.uint32], Rectangle] | None
    """Points per cell, (rows, columns) from the bottom up, and the cells' box; None if the browser has the points."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token of the text."""

    position: int
    """In the text, from 0: identifies the token in every view of the page."""
    label: str
    place: tuple[float, float, float]
    """In the units of the coordinates."""


@dataclass(frozen=True, slots=True)
class Search:
    """The user's search among the names of the points."""

    text: str
    expression: bool
    """Whether the text is a regular expression."""
    texts: SharedData | Literal["labels"] | None
    """What the browser searches, by `search_texts`: it finds what `search_names` of embedlib finds, as one types. None
    where it has not the names of all rows, so that Python searches; as it does for an expression."""
    count: str | None = None
    """How many rows Python found, formatted, "" where the search cannot be done; None where the browser searches."""
    first: Sequence[tuple[int, str]] = ()
    """The best of them: row and label."""


def to_indices(highlighted: NDArray[np.uint8] | Sequence[int]) -> NDArray[np.int64]:
    """Return the indices, best first, of a mask or of a list."""
    if isinstance(highlighted, np.ndarray):
        return np.flatnonzero(highlighted).astype(np.int64)
    return np.asarray(highlighted, dtype=np.int64)
