"""The place of every row, nearest first: to a row of the table, or to where an analogy points."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional


class Places(NamedTuple):
    """How near every row of a table is to one direction.

    Attributes:
        similarities: (n_rows,) float32 cosines in [-1, 1]; 0 for a row of zeros.
        places: (n_rows,) int64; 1 is the nearest, among equal ones the lower row first, 0 stands for a row left out.
    """

    similarities: Tensor
    places: Tensor

    def first(self, k: int) -> list[int]:
        """Return the k nearest rows, or all that were not left out where those are fewer."""
        order = self.places.argsort(stable=True)
        left_out = int((self.places == 0).sum())
        return order[left_out : left_out + k].tolist()


def places_around(rows: Tensor, row: int) -> Places:
    """Order all other rows of a table by how near they are to one, by cosine.

    All rows are worked out in float64 at once, which suits tables that change between one call and the next; for large
    ones nearest_neighbours finds the first few in blocks.

    Args:
        rows: (n_rows, d_model) finite floats, on any device.
        row: in [0, n_rows); it is left out.

    Returns:
        Places on the CPU.

    Raises:
        ValueError: there is no such row.
    """
    _check(rows, [row])
    unit = _unit(rows)
    return _ordered(unit @ unit[row], [row])


def places_of_answers(rows: Tensor, a: int, b: int, c: int) -> Places:
    """Order the rows of a table by how near they are to a - b + c, as embedlib.neighbours.analogies.analogy does.

    Args:
        rows: as for places_around.
        a: row number, such as king's.
        b: such as man's: taken away.
        c: such as woman's: added.

    Returns:
        Places on the CPU, a, b and c left out.

    Raises:
        ValueError: one of the rows does not exist.

    Source: Mikolov et al. 2013, Linguistic Regularities in Continuous Space Word Representations, §4.
    """
    _check(rows, [a, b, c])
    unit = _unit(rows)
    query = functional.normalize(unit[a] - unit[b] + unit[c], dim=0, eps=torch.finfo(torch.float64).tiny)
    return _ordered(unit @ query, [a, b, c])


def _unit(rows: Tensor) -> Tensor:
    """Scale rows to length 1, float64 on the CPU; a row of zeros stays zeros."""
    unit: Tensor = functional.normalize(rows.detach().cpu().double(), dim=1, eps=torch.finfo(torch.float64).tiny)
    return unit


def _ordered(similar: Tensor, left_out: Sequence[int]) -> Places:
    cosines = similar.clamp(-1, 1).float()
    counted = similar.clone()
    counted[list(left_out)] = -torch.inf
    order = counted.argsort(descending=True, stable=True)  # (n_rows,)
    places = torch.empty(len(similar), dtype=torch.int64)
    places[order] = torch.arange(1, len(similar) + 1)
    places[list(left_out)] = 0
    return Places(cosines, places)


def _check(rows: Tensor, asked: Sequence[int]) -> None:
    if not all(0 <= row < len(rows) for row in asked):
        raise ValueError(f"rows={list(asked)} must all be in [0, n_rows={len(rows)})")
