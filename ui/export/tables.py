"""Tensors as tables that other programs read; numbers are written so that reading them gives the same float32."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from embedlib.pipeline import InputEmbeddings
from embedlib.tables import csv_heading, float32_rows, write_columns


def matrix_csv(matrix: Tensor, *, row: str, column: str) -> str:
    """Write a matrix, one line per row, under the headings `row`, `column`_0, `column`_1 and so on."""
    return blocks_csv([row, *_numbered(column, matrix)], [[np.arange(len(matrix)), *_columns(matrix)]])


def columns_csv(columns: Mapping[str, Tensor], *, row: str) -> str:
    """Write vectors of one length side by side, each under its name, one line per entry."""
    vectors = [float32_rows(column) for column in columns.values()]
    return blocks_csv([row, *columns], [[np.arange(len(vectors[0])), *vectors]])


def parts_csv(parts: Mapping[str, Tensor], *, column: str) -> str:
    """Write matrices of one shape below each other, one line per part and position."""
    heading = ["position", "part", *_numbered(column, next(iter(parts.values())))]
    blocks = [[np.arange(len(rows)), [part] * len(rows), *_columns(rows)] for part, rows in parts.items()]
    return blocks_csv(heading, blocks)


def embeddings_csv(embeddings: InputEmbeddings) -> str:
    """Write one line per part of the sum and token: position, id, bytes in hex, part, then d_model numbers."""
    parts = {
        "token": embeddings.token_embeddings,
        "position": embeddings.position_vectors,
        "input": embeddings.input_embeddings,
    }
    heading = ["position", "token_id", "bytes", "part", *_numbered("dim", embeddings.input_embeddings)]
    count = len(embeddings.tokens)
    token_ids = np.array([token.id for token in embeddings.tokens])
    token_bytes = [token.bytes.hex(" ") for token in embeddings.tokens]
    return blocks_csv(
        heading,
        [[np.arange(count), token_ids, token_bytes, [part] * count, *_columns(rows)] for part, rows in parts.items()],
    )


def points_csv(ids: NDArray[np.int64], labels: Sequence[str], points: NDArray[np.float32]) -> str:
    """Write one line per point: row, label, and x, y, z."""
    return blocks_csv(["row", "label", "x", "y", "z"], [[ids, list(labels), *points.T]])


def measures_csv(measures: Mapping[str, Sequence[float | None]], names: Sequence[str]) -> str:
    """Write one line per scheme under the names of the measures; a measure that is not defined is left empty."""
    lines = (
        [scheme, *("" if value is None else repr(value) for value in values)] for scheme, values in measures.items()
    )
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(["scheme", *names])
    writer.writerows(lines)
    return target.getvalue()


def _numbered(column: str, matrix: Tensor) -> list[str]:
    return [f"{column}_{index}" for index in range(matrix.shape[1])]


def _columns(matrix: Tensor) -> list[NDArray[np.float32]]:
    return list(float32_rows(matrix).T)


def blocks_csv(heading: list[str], blocks: Sequence[Sequence[Any]]) -> str:
    """Write blocks of columns below each other under one heading."""
    target = io.BytesIO()
    target.write(csv_heading(heading))
    for columns in blocks:
        write_columns(target, columns)
    return target.getvalue().decode()
