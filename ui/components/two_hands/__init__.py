"""Rotary positions as two hands of a clock: the product of query and key depends on their distance."""

from collections.abc import Mapping

from embedlib.components.two_hands import LABELS, hands_data
from ui.components import register

__all__ = ["LABELS", "hands_data", "two_hands"]

_component = register("two-hands", "two_hands")


def two_hands(data: Mapping[str, object], *, key: str) -> None:
    """Draw the two hands of one pair and of all pairs, from `hands_data`; the browser rotates them."""
    _component(key=key, data=data)
