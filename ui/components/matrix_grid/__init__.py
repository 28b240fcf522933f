"""Small multiples: matrices side by side with a shared pointer and readouts."""

import json
from collections.abc import Mapping

from embedlib.components.matrix_grid import LABELS, Panel, Panels, grid_header
from embedlib.components.payload import pack_text
from ui.components import register
from ui.components._shared.data import serve

__all__ = ["LABELS", "Panel", "Panels", "grid_header", "matrix_grid"]

_component = register("matrix-grid", "matrix_grid")


def matrix_grid(panels: Panels, header: Mapping[str, object], *, key: str) -> None:
    """Draw the panels in as many columns as fit, with the header that `grid_header` makes for all of them."""
    text = f'{json.dumps(header, allow_nan=False)[:-1]}, "panels": {panels.header}}}'
    _component(key=key, data=pack_text(text, b"", shared=serve(panels.value_data)))
