"""Tensors as tables that other programs read; numbers are written so that reading them gives the same float32."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from embedlib.pipeline import InputEmbeddings
from embedlib.tables import csv_heading, float32_rows, write_columns
from embedlib.tokenizers import Token

_NUMBER = re.compile(r"[-+−]?\d+([.,]\d+)*(e[-+−]?\d+)?", re.ASCII)


def matrix_csv(matrix: Tensor, *, row: str, column: str) -> str:
    """Write a matrix, one line per row, under the headings `row`, `column`_0, `column`_1 and so on."""
    return blocks_csv([row, *_numbered(column, matrix)], [[np.arange(len(matrix)), *_columns(matrix)]])


def columns_csv(columns: Mapping[str, Tensor], *, row: str) -> str:
    """Write vectors of one length side by side, each under its name, one line per entry."""
    vectors = [float32_rows(column) for column in columns.values()]
    return blocks_csv([row, *columns], [[np.arange(len(vectors[0])), *vectors]])


def parts_csv(parts: Mapping[str, Tensor], *, column: str, tokens: Sequence[Token] = (), first: int = 0) -> str:
    """Write matrices of one shape below each other, one line per part and position from the first, with its token."""
    heading = ["position", *["token"][: len(tokens)], "part", *_numbered(column, next(iter(parts.values())))]
    texts = [[readable(token.bytes) for token in tokens]] if tokens else []
    blocks = [
        [np.arange(first, first + len(rows)), *texts, [part] * len(rows), *_columns(rows)]
        for part, rows in parts.items()
    ]
    return blocks_csv(heading, blocks)


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
    return blocks_csv(heading, [[*columns, [part] * count, *_columns(rows)] for part, rows in parts.items()])


def points_csv(ids: NDArray[np.int64], labels: Sequence[str], points: NDArray[np.float32]) -> str:
    """Write one line per point: row, label, and x, y, z."""
    return blocks_csv(["row", "label", "x", "y", "z"], [[ids, list(labels), *points.T]])


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
    return blocks_csv(["x", "y", "rows"], [[x, y, counts[up, across]]])


def measures_csv(measures: Mapping[str, Sequence[float | None]], names: Sequence[str]) -> str:
    """Write one line per scheme under the names of the measures; a measure that is not defined is left empty."""
    return lines_csv(["scheme", *names], ([scheme, *values] for scheme, values in measures.items()))


def matrices_csv(matrices: Mapping[str, Tensor]) -> str:
    """Write matrices of any sizes below each other, one line per scheme and row; masked cells stay empty.

    Returns:
        Lines of scheme, row, column_0 … as many as the widest has; a narrower one leaves the rest empty.
    """
    widest = max((matrix.shape[1] for matrix in matrices.values()), default=0)
    lines = (
        [scheme, row, *("" if np.isnan(value) else value for value in values), *[""] * (widest - len(values))]
        for scheme, matrix in matrices.items()
        for row, values in enumerate(float32_rows(matrix))
    )
    return lines_csv(["scheme", "row", *(f"column_{column}" for column in range(widest))], lines)


def lines_csv(heading: Sequence[str], lines: Iterable[Sequence[object]]) -> str:
    """Write lines under a heading; numbers so that they read back as the same, None as nothing, texts as `harmless`."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows([harmless(cell) if isinstance(cell, str) else cell for cell in line] for line in lines)
    return target.getvalue()


def readable(token_bytes: bytes) -> str:
    """Return a token's text, with U+FFFD where its bytes are no whole characters."""
    return token_bytes.decode("utf-8", "replace")


def harmless(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run as a formula, such as =cmd|… or @SUM(1).

    A number as the page writes it, with U+2212 as minus, is written with the minus that other programs read.

    Source: https://owasp.org/www-community/attacks/CSV_Injection
    """
    if _NUMBER.fullmatch(text):
        return text.replace("−", "-")
    return f"'{text}" if len(text) > 1 and text[0] in "=+-@\t\r" else text


def _numbered(column: str, matrix: Tensor) -> list[str]:
    return [f"{column}_{index}" for index in range(matrix.shape[1])]


def _columns(matrix: Tensor) -> list[NDArray[np.float32]]:
    return list(float32_rows(matrix).T)


def blocks_csv(heading: list[str], blocks: Sequence[Sequence[Any]]) -> str:
    """Write blocks of columns below each other under one heading."""
    target = io.BytesIO()
    target.write(csv_heading(heading))
    for columns in blocks:
        write_columns(
            target, [list(map(harmless, column)) if isinstance(column, list) else column for column in columns]
        )
    return target.getvalue().decode()
