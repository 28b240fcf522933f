"""What pyarrow writes, of any type that a vector or a label may have, is read as the same numbers and texts."""

import io
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from embedlib.tables import EmbeddingTable, TableFile, TableNote, read_table

ROWS = np.random.default_rng(0).standard_normal((7, 5)).astype(np.float32)
WORDS = ["the", " a", '"', "日本", "nan", "1", "#"]


def same(table: EmbeddingTable, expected: NDArray[np.float32]) -> bool:
    return table.vectors.dtype == np.float32 and np.array_equal(table.vectors, expected)


def parquet(columns: dict[str, Any] | pa.Table) -> TableFile:
    stream = io.BytesIO()
    pq.write_table(columns if isinstance(columns, pa.Table) else pa.table(columns), stream, row_group_size=3)
    return TableFile("t.parquet", stream)


def tensor_array(shape: tuple[int, ...], rows: NDArray[np.float32]) -> pa.Array:
    storage = pa.array(rows.tolist(), pa.list_(pa.float32(), rows.shape[1]))
    return pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(pa.float32(), shape), storage)


@pytest.mark.parametrize("kind", [pa.list_(pa.float32()), pa.large_list(pa.float64()), pa.list_(pa.float32(), 5)])
def test_parquet_takes_one_column_of_lists(kind: pa.DataType) -> None:
    table_of = pa.table(
        {
            "text": pa.array(WORDS).dictionary_encode(),
            "embedding": pa.array(ROWS.tolist(), kind),
            "id": pa.array(range(7)),
            "when": pa.array([0] * 7, pa.timestamp("s")),
        }
    )
    table = read_table(parquet(table_of), isolated=False)
    assert same(table, ROWS)
    assert table.labels == WORDS
    assert table.columns == {"id": list("0123456")}
    assert table.notes == (TableNote("left_out", {"names": ("when (timestamp[ms])",)}),)


@pytest.mark.parametrize(
    "column",
    [
        pa.array(ROWS.tolist(), pa.list_view(pa.float32())),
        pa.array(ROWS.tolist(), pa.large_list(pa.float16())),
        tensor_array((5,), ROWS),
        tensor_array((5, 1), ROWS),
        pa.array([dict(zip("abcde", row, strict=True)) for row in ROWS.tolist()]),
        pa.array([[[number] for number in row] for row in ROWS.tolist()]),
        pa.array([[Decimal(str(number)) for number in row] for row in ROWS.tolist()], pa.list_(pa.decimal256(50, 20))),
        pa.array([str(row) for row in ROWS.tolist()]),
        pa.array([str(row) for row in ROWS.tolist()], pa.string_view()),
        pa.array([str(row) for row in ROWS]),
        pa.array([f"[{row!s}]" for row in ROWS.tolist()], pa.large_string()),
    ],
    ids=lambda column: str(column.type)[:30],
)
def test_parquet_takes_vectors_of_any_type_beside_labels(column: pa.Array) -> None:
    table = read_table(parquet({"w": pa.array(WORDS, pa.string_view()), "e": column}), isolated=False)
    assert table.labels == WORDS
    assert np.allclose(table.vectors, ROWS, rtol=1e-3)  # to the digits that float16 has
    assert table.notes == ()


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(20)], ids=str)
def test_parquet_takes_bytes_of_float32_and_notes_that_it_does(kind: pa.DataType) -> None:
    cells = pa.array([row.tobytes() for row in ROWS], kind)
    table = read_table(parquet({"id": range(7), "e": cells}), isolated=False)
    assert same(table, ROWS)
    assert table.labels == list("0123456")
    assert table.notes == (TableNote("bytes", {"column": "e"}),)


def test_parquet_takes_bytes_that_are_text_for_labels() -> None:
    words = [word.encode() for word in WORDS]
    table = read_table(parquet({"w": words, "x": ROWS[:, 0], "y": ROWS[:, 1]}), isolated=False)
    assert table.labels == WORDS


def test_parquet_takes_decimals_and_half_floats_in_columns_of_their_own() -> None:
    columns = {"x": pa.array([Decimal(f"{row}.25") for row in range(7)]), "y": np.arange(7, dtype=np.float16) / 4}
    table = read_table(parquet(columns), isolated=False)
    assert table.vectors.tolist() == [[row + 0.25, row / 4] for row in range(7)]


def test_parquet_may_have_two_columns_of_one_name() -> None:
    table = pa.Table.from_arrays(
        [pa.array(WORDS), *map(pa.array, ROWS.T[:2]), pa.array("abcdefg")], ["w", "x", "x", "w"]
    )
    read = read_table(parquet(table), isolated=False)
    assert same(read, np.ascontiguousarray(ROWS[:, :2]))
    assert (read.labels, read.columns) == (WORDS, {"w (2)": list("abcdefg")})
    lists = pa.Table.from_arrays([pa.array(ROWS.tolist()), pa.array((ROWS * 2).tolist())], ["e", "e"])
    assert same(read_table(parquet(lists), choice="e (2)", isolated=False), ROWS * 2)


def test_columns_of_a_parquet_that_are_left_out_are_named_with_their_types() -> None:
    table = read_table(parquet({"flag": [True] * 7, "e": ROWS.tolist(), "when": pa.array([0] * 7, pa.date32())}))
    assert table.notes == (TableNote("left_out", {"names": ("flag (bool)", "when (date32[day])")}),)
