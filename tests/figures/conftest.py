"""What all tests of figures need: the figure as a browser receives it."""

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

Sent = Callable[[go.Figure], dict[str, Any]]


def decoded(value: Any) -> Any:
    """Plotly's typed arrays as NumPy arrays, at any depth."""
    if isinstance(value, list):
        return [decoded(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "bdata" in value:
        array = np.frombuffer(base64.b64decode(value["bdata"]), dtype=np.dtype(value["dtype"]).newbyteorder("<"))
        return array.reshape([int(size) for size in str(value.get("shape", array.size)).split(",")])
    return {name: decoded(item) for name, item in value.items()}


@pytest.fixture
def sent() -> Sent:
    """The figure's data and layout after the way through JSON, with arrays as arrays, once Plotly has checked them."""

    def checked(figure: go.Figure) -> dict[str, Any]:
        go.Figure(figure.to_dict())
        found: dict[str, Any] = decoded(json.loads(figure.to_json(validate=False)))
        return found

    return checked
