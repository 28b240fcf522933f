"""What a picture of points is given beside the points, and what of it cannot be drawn."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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

    def __post_init__(self) -> None:
        """Check the ends.

        Raises:
            ValueError: an end that is not finite, low above high, a logarithmic scale that does not start above 0.
        """
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            raise ValueError(f"low={self.low} and high={self.high} must be finite, low the lesser: give them in order")
        if self.logarithmic and self.low <= 0:
            raise ValueError(f"low={self.low} must be above 0 on a logarithmic scale: leave smaller values out")


@dataclass(frozen=True, slots=True)
class Extent:
    """What a picture is told of points that it has none of, because they are too many."""

    box: Rectangle
    """That all points lie in; the picture begins with it."""
    n_points: int
    window: Rectangle | None
    """What is shown at first, and where `turn` has changed; None for all."""
    turn: int
    """Number of the page's last wish for a window."""
    counted: tuple[NDArray[np.uint32], Rectangle] | None
    """How many points lie in each cell, (rows, columns) from the bottom up, and where the cells are; None where the
    points are there."""


@dataclass(frozen=True, slots=True)
class PathPoint:
    """One token of the text."""

    position: int
    """In the text, from 0: what every view of the page knows the token by."""
    label: str
    before: tuple[float, float, float]
    """Where the token's row lies, in the units of the coordinates."""
    after: tuple[float, float, float] | None = None
    """Where it lies with its position added; None where nothing is added."""


def check_looks(
    indices: NDArray[np.uint8], palette: Sequence[str], dimensions: int, axes: Sequence[str], height: int
) -> None:
    """Check colours, axes and size.

    Raises:
        ValueError: colours that are not (n,) uint8 or not in the palette, a palette that is none, neither 2 nor 3
            dimensions, an axis without a title, a height below 200.
    """
    if indices.dtype != np.uint8 or indices.ndim != 1:
        raise ValueError(f"colours has dtype {indices.dtype} and shape {indices.shape}: give (n,) uint8")
    if not 1 <= len(palette) <= 256 or any(len(colour) != 7 or colour[0] != "#" for colour in palette):
        raise ValueError(f"palette={list(palette)[:8]} must be 1 to 256 colours, each as #rrggbb")
    if len(indices) and int(indices.max()) >= len(palette):
        raise ValueError(f"colours reaches {indices.max()} but the palette has {len(palette)} colours")
    if dimensions not in (2, 3) or len(axes) < dimensions:
        raise ValueError(f"dimensions={dimensions} with {len(axes)} axes: give 2 or 3, and a title for each axis")
    if not (math.isfinite(height) and height >= 200):
        raise ValueError(f"height={height} must be at least 200 px")


def checked_indices(name: str, indices: Sequence[int] | NDArray[np.integer], n_points: int) -> NDArray[np.int64]:
    """Return indices of points as an array.

    Raises:
        ValueError: one is not in 0..n_points-1; the message calls them `name`.
    """
    array = np.asarray(indices, dtype=np.int64)
    if len(array) and not 0 <= array.min() <= array.max() < n_points:
        raise ValueError(f"{name} reach from {array.min()} to {array.max()}: give indices in 0..{n_points - 1}")
    return array


def ranked(highlighted: NDArray[np.uint8] | Sequence[int], n_points: int) -> NDArray[np.int64]:
    """Return the indices, best first, of a mask or of a list.

    Raises:
        ValueError: a mask that is not (n_points,), an index out of range.
    """
    if isinstance(highlighted, np.ndarray):
        if highlighted.shape != (n_points,):
            raise ValueError(f"highlighted has shape {highlighted.shape}: a mask must be ({n_points},)")
        return np.flatnonzero(highlighted).astype(np.int64)
    return checked_indices("highlighted", list(highlighted), n_points)
