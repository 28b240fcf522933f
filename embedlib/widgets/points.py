"""The widget of points: rows of a table with names, to search, mark and follow to their neighbours."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
import traitlets
from torch import Tensor

from embedlib.colours import KINDS, SEQUENTIAL, TOKEN, gradient
from embedlib.components.cloud import (
    LABELS,
    Gradient,
    Kind,
    Points,
    Search,
    coordinates_data,
    names_data,
    read_search,
    read_selection,
    search_texts,
)
from embedlib.components.payload import SharedData
from embedlib.errors import CodedError
from embedlib.neighbours import nearest_neighbours
from embedlib.notebook import points_html
from embedlib.projection import fit_pca
from embedlib.tables import search_names
from embedlib.tokenizers import token_label
from embedlib.widgets.widget import ChoiceWidget, as_matrix

MAX_POINTS = 65_536  # GPT-2's whole vocabulary fits
MAX_NUMBERS = 1 << 28  # of the rows, which stay in Python
HEIGHT = 480  # px
OFFERED = 8  # matches to choose from
NAMED = 12  # points at most with names in the static picture, and the chosen one
NEIGHBOURS = 10


class Cloud(ChoiceWidget):
    """Points in a notebook, of which one is chosen and some are selected."""

    selected = traitlets.List(traitlets.Int())

    def __init__(
        self, vectors: Tensor, names: Sequence[str], points: dict[str, Any], texts: Any, **traits: Any
    ) -> None:
        """Make a widget; `points` are the arguments of Points that stay, `texts` is what a search reads."""
        self._vectors, self._names, self._points, self._texts = vectors, names, points, texts
        self._neighbours: list[tuple[int, float]] = []
        self._search: dict[str, Any] = {"text": "", "expression": False, "turn": 0}
        super().__init__(_component="point_cloud", n_choices=len(names), **traits)
        self.on_msg(self._receive)
        self._update(None)

    @property
    def chosen_name(self) -> str | None:
        """Name of the chosen point; None where none is chosen."""
        return None if self.chosen is None else self._names[self.chosen]

    @property
    def selected_names(self) -> list[str]:
        """Names of the selected points."""
        return [self._names[index] for index in self.selected]

    @property
    def neighbours(self) -> list[tuple[int, float]]:
        """The chosen point's nearest rows in all dimensions, each with its cosine; none where none is chosen."""
        return self._neighbours

    @traitlets.validate("selected")  # type: ignore[untyped-decorator]
    def _check_selected(self, proposal: Any) -> list[int]:
        selected = sorted(set(proposal["value"]))
        if selected and not 0 <= selected[0] <= selected[-1] < len(self._names):
            raise ValueError(f"selected has an index outside 0 … {len(self._names) - 1}: give indices of points")
        return selected

    @traitlets.observe("chosen")  # type: ignore[untyped-decorator]
    def _find_neighbours(self, _change: Any) -> None:
        self._neighbours, count = [], min(NEIGHBOURS, len(self._names) - 1)
        if self.chosen is not None and count:
            query = self._vectors[self.chosen][None]
            nearest = nearest_neighbours(self._vectors, query, count, exclude=[self.chosen])
            self._neighbours = list(zip(nearest.ids[0].tolist(), nearest.similarities[0].tolist(), strict=True))
        self._update(None)

    @traitlets.observe("selected")  # type: ignore[untyped-decorator]
    def _update(self, _change: Any) -> None:
        text, expression = self._search["text"], self._search["expression"]
        matches = self._matches() if expression and text else None
        found = matches or []
        shown = Points(
            **self._points,
            chosen=self.chosen,
            neighbours=self._neighbours,
            marked=self.selected,
            highlighted=matches,
            search=Search(
                text,
                expression,
                self._texts,
                count=None if not expression or not text else "" if matches is None else f"{len(found):,}",
                first=[(row, _label(self._names[row])) for row in found[:OFFERED]],
            ),
        )
        with self.hold_sync():
            self._header = shown.header(self.chosen, 0, self._search["turn"], serve=lambda data: data)
            self._tail = shown.colours.tobytes() + shown.masks

    def _matches(self) -> list[int] | None:
        """Return the points whose names match the regular expression; None where it cannot be searched for."""
        try:
            return search_names(self._names, self._search["text"], expression=True)
        except CodedError:
            return None

    def _receive(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """Apply what the browser reports; it can send anything."""
        name, value = (content.get("name"), content.get("value")) if isinstance(content, Mapping) else (None, None)
        if name == "selection" and (selected := read_selection(value, len(self._names))) is not None:
            self.selected = selected
        elif name == "search" and isinstance(value, Mapping) and (search := read_search(value)):
            turn = value.get("turn")
            self._search = {"text": search[0], "expression": search[1], "turn": turn if type(turn) is int else 0}
            self._update(None)


def cloud(
    vectors: Tensor | Any,
    names: Sequence[str] | Sequence[bytes] | None = None,
    *,
    points: Tensor | Any = None,
    groups: Sequence[str] | Sequence[float] | Any = None,
    title: str = "group",
    axes: Sequence[str] | None = None,
    chosen: int | None = None,
    selected: Sequence[int] = (),
) -> Cloud:
    """Show the rows of a table as points to search, choose and select, each with its nearest rows.

    Args:
        vectors: (n_rows, d_model): a tensor, an array or lists. The nearest rows are found among them.
        names: of the rows, as text or a token's bytes; their numbers if None.
        points: (n_rows, 2 or 3) coordinates, such as a map by t-SNE; None takes the rows themselves if they have 2 or 3
            columns, else their first three principal components.
        groups: what the points are coloured by: names of at most nine groups, or numbers.
        title: of the numbers that the points are coloured by.
        axes: titles of the 2 or 3 axes.
        chosen: index of the chosen row; None for none.
        selected: indices of the selected rows.

    Returns:
        A widget whose trait ``chosen`` is the index of the row that is chosen, or None, and whose ``selected`` has
        those selected by box or lasso; ``chosen_name``, ``selected_names`` and ``neighbours`` follow them.

    Raises:
        ValueError: NaN or infinity, a shape that does not fit, more than 65,536 rows, ten groups, or no such row.

    >>> from embedlib.widgets import cloud
    >>> widget = cloud([[0.0, 1.0], [1.0, 0.0], [1.0, 0.2]], ["a", "b", "c"], chosen=1)
    >>> widget.neighbours[0][0]
    2
    """
    rows = as_matrix(vectors, "vectors", n_rows=MAX_POINTS, n_cells=MAX_NUMBERS)
    count = len(rows)
    labels = [_text(name) for name in (range(count) if names is None else names)]
    if len(labels) != count:
        raise ValueError(f"names has {len(labels):,} entries but vectors {count:,} rows: give one for each")
    titles = ["x", "y", "z"]
    if points is not None:
        coordinates = as_matrix(points, "points", n_rows=MAX_POINTS, n_cells=MAX_NUMBERS)
    elif rows.shape[1] in (2, 3):
        coordinates = rows
    elif count < 2:
        raise ValueError("vectors has one row, which has no principal components: give at least two, or points")
    else:
        pca = fit_pca(rows, min(3, rows.shape[1]))
        coordinates = pca.transform(rows).float()
        titles = [f"PC {at + 1} ({share:.0%})" for at, share in enumerate(pca.explained_variance_ratio.tolist())]
    if coordinates.shape[1] == 1:
        coordinates = torch.cat([coordinates, torch.zeros_like(coordinates)], 1)
    dimensions = coordinates.shape[1]
    if len(coordinates) != count or dimensions not in (2, 3):
        shape = " × ".join(map(str, coordinates.shape))
        raise ValueError(f"points has shape {shape}: give 2 or 3 columns for each of the {count:,} rows of vectors")
    titles = [*titles, "y"][:dimensions] if axes is None else list(axes)
    if len(titles) != dimensions:
        raise ValueError(f"axes has {len(titles)} titles: give {dimensions}, one for each axis")
    colours, legend, palettes = _colours(groups, count, title)
    shown = [_label(name) for name in labels]
    texts = search_texts(labels, shown)
    padded = torch.nn.functional.pad(coordinates, (0, 3 - dimensions)).numpy()
    parts = [names_data(np.arange(count), shown), coordinates_data(padded)]
    some = range(0, count, max(1, -(-count // NAMED)))
    named = [chosen, *some] if chosen is not None and 0 <= chosen < count else [*some]
    return Cloud(
        rows,
        labels,
        {
            "data": ".".join(part.address for part in parts),
            "colours": colours,
            "palette": palettes["light"],
            "legend": legend,
            "dimensions": dimensions,
            "axes": titles,
            "labels": LABELS,
            "height": HEIGHT,
            "landmarks": "all",
        },
        texts,
        chosen=chosen,
        selected=list(selected),
        _shared={part.address: part.content for part in (*parts, *([texts] if isinstance(texts, SharedData) else []))},
        _themes={theme: {"palette": palette} for theme, palette in palettes.items()},
        summary=f"{count:,} points, {dimensions} axes: {', '.join(titles)}",
        static_html=points_html(
            f"{count:,} points along {titles[0]} and {titles[1]}",
            coordinates,
            shown,
            [palettes["light"][colour] for colour in colours.tolist()],
            named,
        ),
    )


def _text(name: object) -> str:
    """Return a name as text; of a token's bytes what can be read, or else its label."""
    if not isinstance(name, bytes):
        return str(name)
    try:
        return name.decode()
    except UnicodeDecodeError:
        return token_label(name)


def _label(name: str) -> str:
    """Return a name as it is, or with marks for what cannot be seen in it."""
    return name if name.isprintable() and name == name.strip() else token_label(name.encode("utf-8", "replace"))


def _colours(
    groups: Any, count: int, title: str
) -> tuple[np.ndarray[Any, np.dtype[np.uint8]], list[Kind] | Gradient, dict[str, list[str]]]:
    """Return each point's index in the palette, the legend, and the palette of each theme."""
    if groups is None:
        return np.zeros(count, np.uint8), [], {"light": [TOKEN["light"]], "dark": [TOKEN["dark"]]}
    values = np.asarray(groups.detach().cpu() if isinstance(groups, Tensor) else groups)
    if values.shape != (count,):
        raise ValueError(f"groups has shape {values.shape}: give one entry for each of the {count:,} rows")
    if values.dtype.kind in "fiu":
        numbers = values.astype(np.float64)
        if not np.isfinite(numbers).all():
            raise ValueError("groups holds NaN or infinity: replace them, such as by numpy.nan_to_num(groups)")
        low, high = float(numbers.min()), float(numbers.max())
        indices = ((numbers - low) / ((high - low) or 1.0) * 255).round().astype(np.uint8)
        return (
            indices,
            Gradient(title, low, high),
            {"light": gradient(SEQUENTIAL["light"]), "dark": gradient(SEQUENTIAL["dark"])},
        )
    found = Counter(map(str, values.tolist()))
    if len(found) > len(KINDS["light"]):
        raise ValueError(f"groups has {len(found)} different names: give at most {len(KINDS['light'])}, or numbers")
    index = {name: at for at, name in enumerate(found)}
    kinds = [Kind(at, name, found[name]) for name, at in index.items()]
    palettes = {"light": list(KINDS["light"]), "dark": list(KINDS["dark"])}
    return np.array([index[str(value)] for value in values.tolist()], np.uint8), kinds, palettes
