"""Matrices side by side: what the browser is sent of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.components.payload import SharedData
from embedlib.i18n import N_

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "hint": N_("Point at a cell to see its numbers."),
    "hint_touch": N_("Tap a cell to see its numbers."),
    "cell": N_("{rows} {row}, {columns} {column}"),
    "masked": N_("masked"),
    "outside": N_("no such cell"),
    "at_least": N_("≥ {limit}"),
    "at_most": N_("≤ {limit}"),
}

ROUNDING = 1e-5  # relative, in float32: 1.0000001 is not beyond 1


@dataclass(frozen=True, eq=False)
class Panel:
    """One matrix with its texts."""

    title: str
    place: str
    """Where the scheme acts, in two or three words; shown in the colour of `group`."""
    group: int
    """Index of the colour."""
    note: str
    """A sentence or two under the title."""
    alt: str
    """Alt text."""
    values: Tensor | None = None
    """(rows, columns); -inf and NaN are masked. None: the note says why nothing is drawn."""
    limit: float = 1.0
    """The colours run from -limit to +limit; the scale marks values beyond, and has no side that no value is on."""
    under: str = ""
    """Caption: the range of the values."""
    down: str = ""
    """Title of the axis that runs down."""
    across: str = ""
    """Title of the axis that runs across."""
    rows: str = ""
    """Name of one row, such as "query"."""
    columns: str = ""
    """Name of one column, such as "key"."""
    positions: bool = False
    """Whether columns are positions too."""
    named: bool = False
    """Whether the rows, which are then those of `tokens`, have their labels beside them, and as many columns too."""

    @cached_property
    def sign(self) -> int:
        """The sign of all values, rounding apart: 1 if none is below 0, -1 if none is above, 0 if they have both."""
        values, least = self._unmasked_values(), self.limit * ROUNDING
        return 1 if not (values < -least).any() else -1 if not (values > least).any() else 0

    def description(self) -> dict[str, object]:
        """Return the panel's data for the browser, without its numbers."""
        limit, values = self.limit * (1 + ROUNDING), self._unmasked_values()
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "values"} | {
            "shape": None if self.values is None else list(self.values.shape),
            "sign": self.sign,
            "beyond": [bool((values < -limit).any()), bool((values > limit).any())],
        }

    def _unmasked_values(self) -> NDArray[np.float32]:
        numbers: NDArray[np.float32] = np.frombuffer(self.value_bytes(), "<f4")
        return numbers[~np.isnan(numbers)]

    def value_bytes(self) -> bytes:
        """Return its values as float32 bytes, masked ones as NaN, which JSON lacks."""
        if self.values is None:
            return b""
        values = self.values.detach().to("cpu", torch.float32).numpy()
        return np.where(np.isfinite(values), values, np.float32(np.nan)).astype("<f4", copy=False).tobytes()


class Panels(tuple[Panel, ...]):
    """Panels with their cached data for the browser."""

    @cached_property
    def header(self) -> str:
        """The descriptions as a JSON array."""
        return json.dumps([panel.description() for panel in self], allow_nan=False)

    @cached_property
    def value_data(self) -> SharedData:
        """All matrices, concatenated."""
        return SharedData(b"".join(panel.value_bytes() for panel in self))


def grid_header(
    *,
    chosen: int | None,
    front: int | None = None,
    tokens: Sequence[str],
    linked: bool = True,
    colours: Sequence[str],
    group_colours: Sequence[str],
    labels: Mapping[str, str],
) -> dict[str, Any]:
    """Return what all panels share, for the browser.

    The row `chosen` is marked in every panel, and the panel `front` is highlighted; `tokens` are the labels of the
    first rows, which are positions; `linked` says whether the page's other views mark the same rows; `group_colours`
    has a colour for each group.
    """
    return {
        "chosen": chosen,
        "front": front,
        "tokens": list(tokens),
        "linked": linked,
        "colours": list(colours),
        "groups": list(group_colours),
        "labels": dict(labels),
    }
