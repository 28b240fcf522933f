"""Files with wrong bytes anywhere give a table or a TableError, never another error."""

import io
import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import save

from embedlib.tables import TableError, TableFile, read_table
from embedlib.tables.parquet import announced

ROWS = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)
WORDS = list("abcdef")


def files() -> dict[str, bytes]:
    npy, npz, lists, columns = io.BytesIO(), io.BytesIO(), io.BytesIO(), io.BytesIO()
    np.save(npy, ROWS)
    np.savez_compressed(npz, a=ROWS, labels=np.array(WORDS))
    pq.write_table(pa.table({"w": WORDS, "e": ROWS.tolist()}), lists)
    pq.write_table(pa.table({"w": WORDS, "x": ROWS[:, 0], "y": ROWS[:, 1]}), columns, compression="zstd")
    lines = ["\t".join([word, *map(str, row)]) for word, row in zip(WORDS, ROWS, strict=True)]
    return {
        "t.npy": npy.getvalue(),
        "t.npz": npz.getvalue(),
        "t.safetensors": save({"a": ROWS, "b": ROWS[0]}),
        "t.tsv": "\n".join(lines).encode(),
        "t.csv": "\n".join(["word,a,b,c,d", *lines]).replace("\t", ",").encode(),
        "lists.parquet": lists.getvalue(),
        "columns.parquet": columns.getvalue(),
    }


def damaged(data: bytes, chance: random.Random) -> bytes:
    actual = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 5])):
        place = chance.randrange(len(actual))
        match chance.randrange(4):
            case 0:
                actual[place] = chance.randrange(256)
            case 1:
                actual[place] = chance.choice(b'0123456789-{}[]",\n\t\r')
            case 2:
                del actual[place : place + chance.randrange(9)]
            case 3:
                actual[place:place] = chance.randbytes(3)
    return bytes(actual)


@pytest.mark.filterwarnings("ignore:Reading `.npy`:UserWarning")  # NumPy's, about headings of Python 2
@pytest.mark.parametrize("name", files())
def test_damage_anywhere_gives_a_table_or_a_table_error(name: str) -> None:
    data, chance, refused = files()[name], random.Random(0), 0
    for _ in range(150):
        try:
            table = read_table(TableFile(name, io.BytesIO(damaged(data, chance))), limit_bytes=10**7)
        except TableError:
            refused += 1
            continue
        assert np.isfinite(table.vectors).all()
        assert min(table.vectors.shape) > 1
        for texts in [table.labels, *table.columns.values()]:
            assert texts is None or len(texts) == len(table.vectors)
    assert refused


@pytest.mark.parametrize("row_group_size", [2, 6])
def test_a_parquet_footer_announces_what_pyarrow_reads_in_it(row_group_size: int) -> None:
    table = pa.table({"w": WORDS, "e": ROWS.tolist(), **{f"c{column}": [True] * 6 for column in range(40)}})
    stream = io.BytesIO()
    pq.write_table(table, stream, row_group_size=row_group_size)
    about = pq.read_metadata(stream)
    columns = [
        about.row_group(group).column(column)
        for group in range(about.num_row_groups)
        for column in range(about.num_columns)
    ]
    expected = (sum(column.num_values for column in columns), sum(column.total_uncompressed_size for column in columns))
    assert announced(stream, len(stream.getvalue())) == expected
    assert expected[0] == 6 + 24 + 240
