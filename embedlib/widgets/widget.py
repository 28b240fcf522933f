"""Base classes of the widgets: synchronised traits, and a static picture beside the live view."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import anywidget
import numpy as np
import torch
import traitlets
from torch import Tensor

BUNDLE = Path(__file__).parents[1] / "data" / "widgets.js"  # of ui/components/widgets.ts, by bin/bundle.js
Themed = Mapping[str, Mapping[str, Any]]  # entries of the header for "light" and for "dark"


class ComponentWidget(anywidget.AnyWidget):
    """A component of the app in a notebook."""

    _esm = BUNDLE
    _component = traitlets.Unicode().tag(sync=True)
    _header = traitlets.Dict().tag(sync=True)
    _tail = traitlets.Bytes(None, allow_none=True).tag(sync=True)
    _themes = traitlets.Dict().tag(sync=True)
    _shared = traitlets.Dict().tag(sync=True)
    _view_state = traitlets.Unicode().tag(sync=True)
    _key = traitlets.Unicode().tag(sync=True)  # of the static picture

    def __init__(self, *, summary: str = "", static_html: str = "", **traits: Any) -> None:
        """Make a widget.

        Args:
            summary: what is shown, as text.
            static_html: what is shown, as HTML without scripts.
        """
        self._summary, self._static_html = summary, static_html
        super().__init__(_key=uuid4().hex, **traits)

    @property
    def static_html(self) -> str:
        """The picture as HTML without scripts."""
        return self._static_html

    def __repr__(self) -> str:
        return self._summary

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Return the live widget, with a picture and a text for where it cannot run."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return data | {"text/html": self.static_html, "text/plain": repr(self)}, metadata

    def _ipython_display_(self, **kwargs: Any) -> None:
        """Display two outputs: the live widget, and the static picture that its live view hides.

        In one output with the widget the picture would be lost where a notebook is opened without its kernel, or is
        exported with its widgets' state and read without a network: the widget is preferred, and nothing runs it.
        """
        from IPython.display import display

        bundle, metadata = self._repr_mimebundle_(**kwargs)
        picture = f'<div data-embedlib-still="{self._key}">{bundle.pop("text/html")}</div>'
        display(bundle, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        display({"text/html": picture, "text/plain": ""}, raw=True)  # type: ignore[no-untyped-call]


class ChoiceWidget(ComponentWidget):
    """A component in which one thing is chosen, by its index in the trait `chosen`; None for none."""

    chosen = traitlets.Int(None, allow_none=True).tag(sync=True)

    def __init__(self, *, n_choices: int, **traits: Any) -> None:
        """Make a widget whose `chosen` is below n_choices, or None."""
        self._n_choices = n_choices
        super().__init__(**traits)

    @traitlets.validate("chosen")  # type: ignore[untyped-decorator]
    def _check_chosen(self, proposal: Any) -> int | None:
        chosen: int | None = proposal["value"]
        if chosen is not None and not 0 <= chosen < self._n_choices:
            raise ValueError(f"chosen={chosen} must be in 0 … {self._n_choices - 1}, or None for none")
        return chosen


def as_matrix(values: Any, name: str, *, masks: bool = False, n_rows: int, n_cells: int) -> Tensor:
    """Return (rows, columns) float32 on the CPU of a tensor, an array or nested lists.

    Args:
        values: what a caller gave.
        name: of the argument, for the error.
        masks: whether a cell may be -inf, which is drawn as masked.
        n_rows: the most rows that the widget holds.
        n_cells: the most cells that it holds.

    Raises:
        ValueError: another number of dimensions, no cell, too many, no real numbers, or one that is not finite.
    """
    try:
        matrix = values.detach() if isinstance(values, Tensor) else torch.from_numpy(np.asarray(values))
    except (TypeError, ValueError):
        raise ValueError(f"{name} holds no table of numbers: give a tensor, an array or rows of equal length") from None
    shape = " × ".join(map(str, matrix.shape))
    if matrix.ndim != 2 or not matrix.numel():
        raise ValueError(f"{name} has shape {shape or 'of one number'}: give rows × columns, at least one of each")
    if len(matrix) > n_rows or matrix.numel() > n_cells:
        raise ValueError(
            f"{name} has shape {shape}: the widget holds {n_rows:,} rows and {n_cells:,} numbers; give a part, such as "
            f"{name}[:{min(n_rows, max(1, n_cells // matrix.shape[1])):_}]"
        )
    if matrix.is_complex():
        raise ValueError(f"{name} holds complex numbers: give their real parts, or their lengths by abs()")
    matrix = matrix.to("cpu", torch.float32)
    if not ((matrix.isfinite() | (matrix == -torch.inf)) if masks else matrix.isfinite()).all():
        remedy = "-inf masks a cell; replace" if masks else "replace"
        raise ValueError(f"{name} holds NaN or infinity: {remedy} them, such as by torch.nan_to_num({name})")
    return matrix
