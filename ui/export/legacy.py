"""Save menus of figures that are not drawings yet."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from plotly.graph_objects import Figure
from torch import Tensor
from typing_extensions import override

from embedlib.pipeline import InputEmbeddings
from embedlib.tables import float32_rows
from embedlib.tokenizers import Token
from ui.cache.figures import kept_figure
from ui.export.config import with_ticks_written
from ui.export.drawing import KINDS, Drawing
from ui.export.grids import Grid
from ui.export.numbers import Arrays, Columns, Matrices, Matrix, Numbers, Parts, lines_csv, readable, table_csv
from ui.export.show import _menu, show_figure


@dataclass(frozen=True)
class _Numbers(Numbers):
    table: Callable[[], str]
    numbers: Callable[[], Arrays] | None

    @override
    def csv(self) -> str:
        return self.table()

    @override
    def arrays(self) -> Arrays:
        return {} if self.numbers is None else self.numbers()


def chart(
    key: str,
    draw: Callable[..., Figure],
    *,
    alt: str,
    table: Callable[[], str],
    arrays: Callable[[], Arrays] | None = None,
    name: str = "",
    title: str = "",
    source: str = "",
    shows: Hashable = None,
) -> None:
    """Draw a figure, and its save menu."""
    written = partial(with_ticks_written, draw)
    figure = written() if shows is None else kept_figure((key, shows), written)
    show_figure(figure, key=key, alt=alt)
    paper = partial(draw, theme="light", **({"title": title} if title else {}))
    take_along(name or key, table=table, arrays=arrays, figure=paper, title=title, source=source, key=key)


def take_along(
    name: str,
    *,
    table: Callable[[], str] | None = None,
    figure: Callable[..., Figure] | None = None,
    grid: Callable[[], Grid] | None = None,
    arrays: Callable[[], Arrays] | None = None,
    title: str = "",
    source: str = "",
    key: str = "",
) -> None:
    """Write a save menu."""

    def drawing() -> Drawing:
        return Drawing(
            name=name,
            title=title,
            numbers=None if table is None else _Numbers(table, arrays),
            figure=None if figure is None else _any_options(figure),
            grid=None if grid is None else grid(),
        )

    kinds = [kind for kind, needs in KINDS.items() if needs == "numbers" or figure or grid]
    _menu(drawing, name, title, source, kinds, key=key)


def _any_options(figure: Callable[..., Figure]) -> Callable[..., Figure]:
    def drawn(**_options: str) -> Figure:
        return figure()

    return drawn


def matrix_csv(matrix: Tensor, *, row: str, column: str) -> str:
    """Write a matrix."""
    return Matrix(matrix, row, column).csv()


def columns_csv(columns: Mapping[str, Tensor], *, row: str) -> str:
    """Write vectors side by side."""
    return Columns(columns, row).csv()


def parts_csv(parts: Mapping[str, Tensor], *, column: str, tokens: Sequence[Token] = (), first: int = 0) -> str:
    """Write matrices below each other."""
    return Parts(parts, column, tokens, first).csv()


def matrices_csv(matrices: Mapping[str, Tensor]) -> str:
    """Write matrices below each other."""
    return Matrices(matrices).csv()


def embeddings_csv(embeddings: InputEmbeddings) -> str:
    """Write one line per part of the sum and token: position, id, text, bytes in hex, part, then d_model numbers."""
    parts = {
        "token": embeddings.token_embeddings,
        "position": embeddings.position_vectors,
        "input": embeddings.input_embeddings,
    }
    heading = ["position", "token_id", "token", "bytes", "part", *_numbered("dim", embeddings.input_embeddings)]
    count = len(embeddings.tokens)
    columns = [
        np.arange(count),
        np.array([token.id for token in embeddings.tokens]),
        [readable(token.bytes) for token in embeddings.tokens],
        [token.bytes.hex(" ") for token in embeddings.tokens],
    ]
    return table_csv(heading, [[*columns, [part] * count, *_columns(rows)] for part, rows in parts.items()])


def points_csv(ids: NDArray[np.int64], labels: Sequence[str], points: NDArray[np.float32]) -> str:
    """Write one line per point: row, label, and x, y, z."""
    return table_csv(["row", "label", "x", "y", "z"], [[ids, list(labels), *points.T]])


def cells_csv(counts: NDArray[np.uint32], window: tuple[float, float, float, float]) -> str:
    """Write one line per cell that holds rows: the middle of it, x and y, and how many.

    Args:
        counts: (rows, columns) from the bottom up.
        window: left, bottom, right and top of all cells together.
    """
    left, bottom, right, top = window
    up, across = np.nonzero(counts)
    x = left + (across + 0.5) * ((right - left) / counts.shape[1])
    y = bottom + (up + 0.5) * ((top - bottom) / counts.shape[0])
    return table_csv(["x", "y", "rows"], [[x, y, counts[up, across]]])


def measures_csv(measures: Mapping[str, Sequence[float | None]], names: Sequence[str]) -> str:
    """Write one line per scheme under the names of the measures; a measure that is not defined is left empty."""
    return lines_csv(["scheme", *names], ([scheme, *values] for scheme, values in measures.items()))


def _numbered(column: str, matrix: Tensor) -> list[str]:
    return [f"{column}_{index}" for index in range(matrix.shape[1])]


def _columns(matrix: Tensor) -> list[NDArray[np.float32]]:
    return list(float32_rows(matrix).T)
