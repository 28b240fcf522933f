"""How much memory a result holds on to."""

import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def bytes_of(value: Any) -> int:
    """Return about how many bytes a result takes: tensors, arrays, and what holds them."""
    if hasattr(value, "nbytes"):
        return int(value.nbytes)
    if isinstance(value, Mapping):
        return sum(bytes_of(part) for part in value.values())
    if isinstance(value, (tuple, list)):
        return sum(bytes_of(part) for part in value)
    if is_dataclass(value):
        return sum(bytes_of(getattr(value, part.name)) for part in fields(value))
    return sys.getsizeof(value)
