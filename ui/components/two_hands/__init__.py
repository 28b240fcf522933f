"""Rotary positions as two hands of a clock: the product of query and key depends on their distance."""

from typing import Any

from torch import Tensor

from embedlib.components.two_hands import LABELS, hands_data
from ui.components import register

__all__ = ["LABELS", "two_hands"]

_component = register("two-hands", "two_hands")


def two_hands(frequencies: Tensor, *, key: str, **data: Any) -> None:
    """Draw the two hands of one pair and of all pairs; the browser rotates them. `hands_data` has the arguments."""
    _component(key=key, data=hands_data(frequencies, **data))
