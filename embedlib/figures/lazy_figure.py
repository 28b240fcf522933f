"""A figure that goes to the browser without detours, and becomes one of Plotly's when anything else is asked of it."""

import base64
from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

Spec = dict[str, Any]

# How plotly.js names the types of its typed arrays; others are left to Plotly.
_TYPES = {"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "float32": "f4", "float64": "f8"}


class LazyFigure(go.Figure):  # type: ignore[misc]  # plotly's figures are untyped
    """A plotly figure whose `to_dict`, which is all that a browser needs, is written from its specification at once.

    Plotly would copy and look at every entry three times, which for a chart of fifteen lines takes 12 ms instead of
    one. Every other attribute makes it a figure like any other first.

    Args:
        spec: "data" and "layout" as plotly.js reads them, with NumPy arrays for numbers; the figure keeps a copy.
    """

    def __init__(self, spec: Spec) -> None:
        self.__dict__["_spec"] = _each(spec, np.ndarray.copy)

    def __getattr__(self, name: str) -> Any:
        """Build the figure when something is asked of it that only Plotly knows."""
        if "_spec" not in self.__dict__:  # it has been built, or is just being copied
            raise AttributeError(name)
        # Plotly checks nothing here, for that takes most of the time; a test checks every figure.
        super().__init__(self.__dict__.pop("_spec"), _validate=False)
        return getattr(self, name)

    def __reduce__(self) -> tuple[type[go.Figure], tuple[Spec]]:
        """Be copied and pickled as one of Plotly's figures."""
        return go.Figure, (self.to_dict(),)

    def to_dict(self) -> Spec:
        """Return the figure as plotly.js reads it, with the numbers as typed arrays."""
        if "_spec" not in self.__dict__:
            built: Spec = super().to_dict()
            return built
        form: Spec = _each(self.__dict__["_spec"], _typed_array)
        return form


def _each(value: Any, change: Callable[[NDArray[Any]], Any]) -> Any:
    """Copy dicts and the lists that hold some, with every array changed."""
    if isinstance(value, dict):
        return {name: _each(entry, change) for name, entry in value.items()}
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, list | tuple) and any(isinstance(entry, dict | np.ndarray) for entry in value):
        return [_each(entry, change) for entry in value]
    return value


def _typed_array(values: NDArray[Any]) -> Any:
    """Write an array as plotly.js reads it; one without numbers stays as it is."""
    name = _TYPES.get(str(values.dtype))
    if name is None or not values.size:
        return values
    form = {"dtype": name, "bdata": base64.b64encode(values.tobytes()).decode("ascii")}
    return form if values.ndim == 1 else form | {"shape": ", ".join(map(str, values.shape))}
