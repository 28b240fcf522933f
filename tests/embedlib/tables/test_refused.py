"""Every file that is no table is refused by one sentence, and nothing in it runs."""

import gzip
import io
import json
import pickle
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import safetensors
from safetensors.numpy import save

from embedlib.tables import TABLE_ERRORS, TableError, TableFile, read_table
from embedlib.tables.parquet import announced

ROWS = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)


class Bomb:
    """What a hostile pickle would do."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return (exec, ("raise SystemExit('unpickled')",))


def npy(array: Any, **settings: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, **settings)
    return stream.getvalue()


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def archive(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as opened:
        for name, data in members.items():
            opened.writestr(name, data)
    return stream.getvalue()


def parquet(**columns: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def tensors(heading: Any, numbers: bytes = bytes(48), *, length: int | None = None) -> bytes:
    text = heading if isinstance(heading, bytes) else json.dumps(heading).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + numbers


def entry(shape: list[Any], start: Any, stop: Any, dtype: str = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, stop]}


def heading_of_npy(text: str, numbers: bytes = bytes(48)) -> bytes:
    data = text.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(data).to_bytes(2, "little") + data + numbers


def with_value(value: float) -> Any:
    rows = ROWS.astype(np.float64)
    rows[2, 1] = value
    return rows


REFUSED: list[tuple[str, bytes, str, str]] = [
    # any format
    ("t.npy", b"", "empty_file", "'t.npy'"),
    ("t.pt", b"x", "extension", "'.npy', "),
    ("t", b"x", "extension", ""),
    ("t.npy", npy(ROWS[:1]), "one_row", ""),
    ("t.npy", npy(ROWS[:0]), "no_rows", ""),
    ("t.npy", npy(ROWS[:, :0]), "no_columns", ""),
    ("t.npy", npy(ROWS[:, :1]), "one_column", ""),
    ("t.npy", npy(ROWS[0]), "dimensions", "shape '(3,)'"),
    ("t.npy", npy(ROWS[None]), "dimensions", "shape '(1, 4, 3)'"),
    ("t.npy", npy(np.float32(1)), "dimensions", "shape '()'"),
    ("t.npy", npy(ROWS.astype(complex)), "dtype", "'complex128'"),
    ("t.npy", npy(ROWS > 0), "dtype", "'bool'"),
    ("t.npy", npy(np.array([["a", "b"]] * 2)), "dtype", "'<U1'"),
    ("t.npy", npy(np.zeros((2, 2), "M8[s]")), "dtype", "'datetime64"),
    ("t.npy", npy(np.zeros((2, 2), [("x", "f4")])), "dtype", "'x'"),
    ("t.npy", npy(with_value(np.nan)), "not_a_number_value", "row 2, column 1 "),
    ("t.npy", npy(with_value(-np.inf)), "infinite", "row 2, column 1 "),
    ("t.npy", npy(with_value(1e39)), "beyond_float32", "row 2, column 1 "),
    ("t.npy", npy(with_value(-2e14)), "too_large_numbers", "row 2, column 1 "),
    ("t.npy", npy(ROWS * np.float32(1e38)), "too_large_numbers", ""),
    ("t.npy", npy((ROWS * 1e-15).clip(-9e-15, 9e-15)), "too_small_numbers", ""),
    ("t.npy", npy(np.full((4, 3), 7.0)), "all_rows_equal", ""),
    ("t.npy", npy(np.arange(3.0) + np.zeros((4, 1))), "all_rows_equal", ""),
    # .npy
    ("t.npy", pickle.dumps(Bomb()), "pickle", ""),
    ("t.npy", npy(np.array([[Bomb()] * 2] * 2), allow_pickle=True), "pickle", ""),
    ("t.npy", pickle.dumps(Bomb(), protocol=0), "damaged", "'.npy'"),
    ("t.npy", b"\x93NUMPY\x09\x00", "damaged", "'.npy'"),
    ("t.npy", npy(ROWS)[:40], "damaged", "'.npy'"),
    ("t.npy", npy(ROWS)[:-1], "truncated", "'claimed': 48, 'found': 47"),
    ("t.npy", npy(ROWS) + b"x", "truncated", "'claimed': 48, 'found': 49"),
    ("t.npy", heading_of_npy("{'descr':'<f4','fortran_order':False,'shape':(-2,-6)}"), "damaged", "'.npy'"),
    ("t.npy", heading_of_npy("{'descr':'<f4','fortran_order':False,'shape':(999999,9999)}"), "too_large", "39,996.0"),
    ("t.npy", heading_of_npy("{'descr':'<f4','fortran_order':False,'shape':(10**9,2)}"), "damaged", "'.npy'"),
    ("t.npy", heading_of_npy("[" * 9000), "damaged", "'.npy'"),
    ("t.npy", heading_of_npy("__import__('os').abort()"), "damaged", "'.npy'"),
    # .npz
    ("t.npz", b"no archive", "damaged", "'.npz'"),
    ("t.npz", archive({}), "damaged", "'.npz'"),
    ("t.npz", archive({"readme.txt": b"x"}), "damaged", "'.npz'"),
    ("t.npz", archive({"archive/data.pkl": pickle.dumps(Bomb())}), "pickle", ""),
    ("t.npz", archive({"a.npy": pickle.dumps(Bomb())}), "pickle", ""),
    ("t.npz", npz(a=ROWS, b=np.array([Bomb()])), "pickle", ""),
    ("t.npz", archive({"a.npy": npy(ROWS)}, zipfile.ZIP_LZMA), "packing", ""),
    ("t.npz", archive({"a.npy": npy(ROWS)[:-4]}), "truncated", "'claimed': 48, 'found': 44"),
    ("t.npz", npz(a=ROWS)[:-30], "damaged", "'.npz'"),
    (
        "t.npz",
        npz(a=np.zeros((20_000, 1000), np.float32)),
        "too_large",
        "needs 80.0 MB",
    ),
    ("t.npz", npz(a=ROWS, b=ROWS), "choose", "'a', 'b'"),
    ("t.npz", npz(a=ROWS[0], b=ROWS[0]), "no_table", "'a', 'b'"),
    ("t.npz", npz(a=ROWS[0]), "dimensions", "shape '(3,)'"),
    ("t.npz", npz(a=ROWS > 0), "dtype", "'bool'"),
    ("t.npz", npz(**{f"a{number}": ROWS for number in range(1_001)}), "too_many_arrays", "over 1,000 arrays"),
    ("t.npz", npz(a=ROWS, labels=np.array(["x"] * 3)), "label_count", "3 labels for 4 rows"),
    # .safetensors
    ("t.safetensors", b"short", "heading_length", ""),
    ("t.safetensors", tensors({}, length=2**62), "heading_length", f"'claimed': {2**62}"),
    ("t.safetensors", tensors(b" " * 10_000_001), "heading_length", "'claimed': 10000001"),
    ("t.safetensors", tensors(b"no json"), "heading_text", ""),
    ("t.safetensors", tensors(b"[" * 100_000), "heading_text", ""),
    ("t.safetensors", tensors(b"[]"), "heading_text", ""),
    ("t.safetensors", tensors(b"\xff\xfe"), "heading_text", ""),
    ("t.safetensors", tensors(b'{"e": {}}'), "heading_text", ""),
    ("t.safetensors", tensors({"e": entry([4, True], 0, 48)}), "heading_text", ""),
    ("t.safetensors", tensors({"e": entry([4, -3], 0, 48)}), "heading_text", ""),
    ("t.safetensors", tensors({"e": entry([4.0, 3], 0, 48)}), "heading_text", ""),
    ("t.safetensors", tensors({"e": entry([2] * 99, 0, 48)}), "heading_text", ""),
    ("t.safetensors", tensors({"e": entry([4, 3], 0, 48, "X9")}), "heading_text", ""),
    (
        "t.safetensors",
        tensors(b'{"e":{"dtype":"F32","shape":[1],"shape":[2],"data_offsets":[0,8]}}'),
        "heading_text",
        "",
    ),
    ("t.safetensors", tensors({"e": entry([4, 3], 4, 52)}), "heading_offsets", "'e'"),
    ("t.safetensors", tensors({"e": entry([4, 3], 48, 0)}), "heading_offsets", "'e'"),
    ("t.safetensors", tensors({"e": entry([4, 3], 0, 44)}), "heading_size", "'found': 44"),
    (
        "t.safetensors",
        tensors({"e": entry([3, 2], 0, 24), "f": entry([3, 2], 20, 44)}),
        "heading_overlap",
        "'tensor': 'e', 'other': 'f'",
    ),
    ("t.safetensors", tensors({"e": entry([4, 3], 0, 12, "I8")}), "dtype", "'I8'"),
    ("t.safetensors", tensors({"e": entry([4, 3], 0, 12, "F8_E4M3")}), "dtype", "'F8_E4M3'"),
    ("t.safetensors", save({"a.w": ROWS, "b.w": ROWS}), "choose", "'a.w', 'b.w'"),
    ("t.safetensors", save({"a.wte.weight": ROWS, "b.wte.weight": ROWS}), "choose", "'a.wte.weight', 'b"),
    ("t.safetensors", save({"a": ROWS[0], "b": ROWS[0]}), "no_table", "'a', 'b'"),
    ("t.safetensors", tensors({}), "no_table", "–"),
    # text
    ("t.tsv", b"1\t2\n3\t4\n5\n", "ragged", "1 cells in row 3 (counted from 1), not 2"),
    ("t.tsv", b"1\t2\n3\t4\n5\t6\t7\n", "ragged", "3 cells in row 3"),
    ("t.csv", b'w,1,2\n"a\nb",3,4\nc,5\n', "ragged", "2 cells in row 4"),
    ("t.csv", b"w,x,y,z\na,1,2\nb,3,4\n", "ragged", "3 cells in row 2 (counted from 1), not 4"),
    ("t.csv", b"My table\nw,x,y\na,1,2\nb,3,4\n", "ragged", "1 cells in row 1"),
    ("t.csv", b"a,1,2\nb,3,x\nc,4,5\nd,5,6", "value", "'x' in row 2, column 'column 3'"),
    ("t.csv", b"a,1,2\nb,3,\nc,4,5\nd,5,6", "value", "'' in row 2, column 'column 3'"),
    ("t.csv", b"a,1,2\nb,3,1_0\nc,4,5\nd,5,6", "value", "'1_0' in row 2, column 'column 3'"),
    ("t.csv", b"name,x,y\nfoo,1,bar\nbaz,2,3\n", "value", "'bar' in row 2, column 'y'"),
    ("t.csv", b"name,x,y\n\na,1,b\nc,2,d\ne,3,f\ng,4,5\n", "value", "'b' in row 3, column 'y'"),
    ("t.csv", b"w,x,y,z\na,1,n/a,3\nb,2,5,6\n", "value", "'n/a' in row 2, column 'y'"),
    ("t.csv", b"w;x;y;z\na;1,5;;3\nb;2;5;6\n", "value", "'' in row 2, column 'y'"),
    ("t.csv", b"x,word\n1,the\n2,nan\n", "one_column", ""),
    ("t.csv", b"x,y\n1,2\nz,4\n4,5\n", "value", "'z' in row 3, column 'x'"),
    ("t.csv", b"x,y,z\n1,2,3\n,4,5\n4,5,6\n7,8,9\n", "value", "'' in row 3, column 'x'"),
    ("t.csv", b"1,2,3\nz,4,5\n" + b"4,5,6\n" * 40, "value", "'z' in row 2, column 'column 1'"),
    ("t.csv", b"x,y,z\n1.5,2,3\nz,4,5\n4.5,5,6\n", "value", "'z' in row 3, column 'x'"),
    ("t.csv", b"a,1,2\nb,nan,3\n", "value", "'nan' in row 2, column 'column 2'"),
    ("t.csv", b"a,1,2\nb,3,1e39\n", "value", "'1e39' in row 2, column 'column 3'"),
    ("t.csv", b"a,1,2\nb,3,-2e14\n", "value", "'-2e14' in row 2, column 'column 3'"),
    ("t.csv", b'w,v\na,"[1.5, 2, 3]"\nb,"[1.5, x, 3]"\n', "value", "'x' in row 3, column 'v'"),
    ("t.csv", b"w,v\na,[1.5 2. ... 3.]\nb,[1.5 2. ... 4.]\n", "value", "'...' in row 2, column 'v'"),
    ("t.csv", b'w,v\na,"[1.5, 2, 3]"\nb,"[1.5, 3]"\n', "ragged", "2 cells in row 3 (counted from 1), not 3"),
    ("t.csv", b"w,u,v\na,[1 2],[1 2]\nb,[3 4],[3 4]\n", "choose", "'u', 'v'"),
    ("t.csv", b"word\nanother\n", "labels", "2 labels for 0 rows"),
    ("t.csv", b"word\n\x9f\x86,\xd0\n", "labels", "2 labels"),
    ("t.csv", b"w;1;2\n\x81;3;4\n", "damaged", "valid 'text' file"),
    ("t.csv", npy(ROWS), "damaged", "valid 'text' file"),
    ("t.csv", b"1,2\n", "one_row", ""),
    ("t.csv", b"a,b\n\n", "labels", "1 labels"),
    ("t.csv", b"a,1\nb,2\n", "one_column", ""),
    ("t.tsv", b"\n\n", "shape", "'0 rows'"),
    ("t.csv", b'"' + b"x" * 200_000, "labels", "1 labels"),
    ("t.csv", b"1," * 3_000_000, "too_many_columns", "columns"),
    ("t.csv", b"1,2\n" + b"3," * 3_000_000, "ragged", "3,000,000 cells in row 2"),
    # word2vec's
    ("t.bin", b"\x80\x02}q\x00.", "file", "pickle is never loaded"),
    ("t.bin", b"2 3\na " + bytes(12) + b"b " + bytes(11), "damaged", "'word2vec'"),
    ("t.bin", b"9999999 9999999\n", "too_many_rows", "rows"),
    ("t.bin", b"1000000 300\n", "too_large", "MB"),
    # JSON
    ("t.json", b'[{"w": "a", "v": [1, 2]}, {"w": "b", "v": [1, null]}]', "value", "'null' in row 2, column 'v'"),
    ("t.json", b'[{"w": "a", "x": 1, "y": 2}, {"w": "b", "x": 1}]', "value", "'' in row 2, column 'y'"),
    ("t.jsonl", b'{"w": "a", "x": 1, "y": 2}\n\n{"w": "b", "x": NaN, "y": 2}\n', "value", "'NaN' in row 3, column 'x'"),
    ("t.json", b"[[1, 2], [3]]", "ragged", "1 cells in row 2"),
    ("t.json", b'{"a": 1}', "damaged", "'JSON'"),
    ("t.json", b"[[1, 2], [3", "damaged", "'JSON'"),
    ("t.json", b"[" * 100_000, "damaged", "'JSON'"),
    ("t.json", b"3", "damaged", "'JSON'"),
    ("t.jsonl", b'{"w": 1}\n[1, 2]\n', "damaged", "'JSON'"),
    ("t.json", b"[]", "shape", "'0 rows'"),
    # gzip
    ("t.tsv.gz", gzip.compress(b"1\t2\n3\t4\n")[:-9], "damaged", "'gzip'"),
    ("t.tsv.gz", gzip.compress(bytes(60_000_000)), "too_large", "MB"),
    # .parquet
    ("t.parquet", b"PAR1 and more PAR1", "damaged", "'.parquet'"),
    ("t.parquet", parquet(a=[1.0, 2.0], b=[3.0, 4.0])[:-5], "damaged", "'.parquet'"),
    ("t.parquet", parquet(w=["a", "b"]), "vectors_missing", ""),
    ("t.parquet", parquet(w=[True, False]), "no_table", "'w'"),
    ("t.parquet", parquet(a=[1.0, None], b=[3.0, 4.0]), "missing_value", "no value in row 1 (from 0) of 'a'"),
    ("t.parquet", parquet(a=[[1.0, 2.0], None]), "missing_value", "no value in row 1 (from 0) of 'a'"),
    ("t.parquet", parquet(a=[[1.0, 2.0], [3.0, None]]), "missing_value", "no value in row 1 (from 0) of 'a'"),
    ("t.parquet", parquet(a=[[1.0, 2.0], [3.0]]), "ragged_rows", "1 numbers in row 1 (from 0), not 2"),
    ("t.parquet", parquet(a=[[1.0, 2.0]] * 2, b=[[1.0, 2.0]] * 2), "choose", "'a', 'b'"),
    ("t.parquet", parquet(a=[1.0, 2.0], b=[float("inf"), 4.0]), "infinite", "row 0, column 1 "),
    ("t.parquet", parquet(a=[np.zeros(0, np.float32)] * 2), "no_columns", ""),
    ("t.parquet", parquet(a=[]), "no_table", "'a'"),
]


@pytest.mark.parametrize(("name", "data", "code", "says"), REFUSED, ids=lambda value: str(value)[:24])
@pytest.mark.parametrize("by_path", [True, False])
def test_what_is_no_table_is_refused_in_one_sentence(
    tmp_path: Path, name: str, data: bytes, code: str, says: str, by_path: bool
) -> None:
    file: Any = TableFile(name, io.BytesIO(data))
    if by_path:
        file = tmp_path / name
        file.write_bytes(data)
    with pytest.raises(TableError) as error:
        read_table(file, limit_bytes=50_000_000)
    assert error.value.code == code
    assert says in f"{error.value} {error.value.values}"


def test_the_pickles_of_these_tests_would_have_run() -> None:
    with pytest.raises(SystemExit, match="unpickled"):
        pickle.loads(pickle.dumps(Bomb()))


def test_every_error_can_happen() -> None:
    elsewhere = {"no_file", "missing_file", "too_many_rows", "too_many_columns", "unknown_choice"}
    pairs = {"metadata_lines", "too_many_files"}
    assert {code for _, _, code, _ in REFUSED} | elsewhere | pairs == set(TABLE_ERRORS)


@pytest.mark.parametrize(
    "heading",
    [
        {"e": entry([4, 3], 4, 52)},
        {"e": entry([4, 3], 0, 44)},
        {"e": entry([3, 2], 0, 24), "f": entry([3, 2], 20, 44)},
        {"e": entry([4, -3], 0, 48)},
    ],
)
def test_a_heading_that_is_refused_is_refused_by_the_formats_own_library_too(heading: dict[str, Any]) -> None:
    with pytest.raises(safetensors.SafetensorError):
        safetensors.deserialize(tensors(heading))


@pytest.mark.parametrize(
    ("files", "code", "says"),
    [
        ([], "no_file", ""),
        ([("a.tsv", b"1\t2\n")] * 3, "too_many_files", "'found': 3"),
        ([("a.tsv", b"1\t2\n3\t4\n")] * 2, "labels", "'a.tsv' has 0 labels"),
        ([("a.npy", npy(ROWS)), ("b.npy", npy(ROWS))], "labels", "'b.npy' has 0 labels"),
        ([("a.tsv", b"x\ny\n")] * 2, "labels", "add one file of vectors"),
        (
            [("a.tsv", b"1\t2\n3\t4\n"), ("b.tsv", b"x\ny\nz\n")],
            "metadata_lines",
            "'b.tsv' has 3 entries for 2 vectors",
        ),
        ([("a.tsv", b"1\t2\n3\t4\n"), ("b.tsv", b"x\tk\ny\tk\n")], "metadata_lines", "1 entries for 2 vectors"),
        ([("a.npy", npy(ROWS)), ("b.tsv", b"word\tkind")], "metadata_lines", "0 entries for 4 vectors"),
        ([("a.tsv", b"1\t2\n3\t4\n"), ("b.tsv", b"")], "empty_file", "'b.tsv' is not valid"),
        ([("a.tsv", b"1\t2\n3\t4\n"), ("b.tsv", b"w\tk\nx\tk\ny\n")], "ragged", "1 cells in row 3"),
        ([("a.npy", npy(ROWS)), ("b.tsv", b"x\n\x81\n")], "damaged", "'b.tsv' is not a whole, valid 'text' file"),
        ([("a.npy", npy(ROWS)), ("b.docx", b"x")], "extension", "'b.docx'"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(files: list[tuple[str, bytes]], code: str, says: str) -> None:
    with pytest.raises(TableError) as error:
        read_table([TableFile(name, io.BytesIO(data)) for name, data in files])
    assert error.value.code == code
    assert says in f"{error.value} {error.value.values}"


TABLES = {
    "t.npy": npy(ROWS),
    "t.npz": npz(a=ROWS),
    "t.safetensors": save({"a": ROWS}),
    "t.tsv": "\n".join("\t".join(map(str, row)) for row in ROWS).encode(),
    "t.csv": "\n".join(",".join(map(str, row)) for row in ROWS).encode(),
    "t.parquet": parquet(**{f"c{column}": ROWS[:, column] for column in range(3)}),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({"max_rows": 3}, "too_many_rows"),
        ({"max_columns": 2}, "too_many_columns"),
        ({"limit_bytes": 40}, "too_large"),
        ({}, None),
    ],
)
def test_every_format_keeps_the_limits(name: str, limits: dict[str, int], code: str | None) -> None:
    file = TableFile(name, io.BytesIO(TABLES[name]))
    if code is None:
        assert read_table(file).vectors.shape == (4, 3)
        return
    with pytest.raises(TableError, match=r"limit|over") as error:
        read_table(file, **limits)  # type: ignore[arg-type]
    assert error.value.code == code


def test_a_list_of_more_arrays_than_anybody_saves_is_not_read() -> None:
    data = archive({"a.npy": npy(ROWS)})
    start, end = data.index(b"PK\1\2"), data.index(b"PK\5\6")
    listed = data[start:end] * 60_000  # the same member again and again, as 3 MB that take a minute
    ending = data[end : end + 8] + struct.pack("<HHII", 60_000, 60_000, len(listed), start) + b"\0\0"
    with pytest.raises(TableError) as error:
        read_table(TableFile("t.npz", io.BytesIO(data[:start] + listed + ending)))
    assert error.value.code == "damaged"


def test_a_footer_of_millions_of_nothings_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 40_001
    monkeypatch.setattr("embedlib.tables.parquet.MOST_VALUES", 40_000)  # which is as good, and sooner
    varint = bytes((count >> shift & 127) | (128 if count >> shift + 7 else 0) for shift in range(0, 28, 7))
    footer = b"\x49\xfc" + varint.rstrip(b"\0") + bytes(count + 1)  # field 4: a list of structures without a field
    with pytest.raises(ValueError, match="a damaged footer") as error:
        announced(io.BytesIO(data := b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1"), len(data))
    assert isinstance(error.value.__cause__, IndexError)


@pytest.mark.parametrize("code_point", [0xD800, 0x110000, 0x7FFFFFFF])
@pytest.mark.parametrize("order", ["<", ">"])
def test_code_points_that_there_are_not_are_shown_as_such(code_point: int, order: str) -> None:
    labels = np.array(["ab", "é👋", "", "d"], f"{order}U2")
    labels.view(f"{order}u4")[0] = code_point
    table = read_table(TableFile("t.npz", io.BytesIO(npz(a=ROWS, labels=labels))))
    assert table.labels == ["\ufffdb", "é👋", "", "d"]


def test_repeated_lists_in_parquet_count_as_what_they_take() -> None:
    rows = pa.ListArray.from_arrays(
        pa.array(np.arange(101) * 100_000, pa.int32()), pa.array(np.zeros(10**7, np.float32))
    )
    data = parquet(e=rows)
    assert len(data) < 10**5
    with pytest.raises(TableError, match=r"needs 40\.0 MB of memory, over the limit of 20\.0"):
        read_table(TableFile("t.parquet", io.BytesIO(data)), limit_bytes=20_000_000)


@pytest.mark.parametrize("name", ["t.npz", "t.safetensors"])
def test_a_choice_that_is_not_there_names_those_that_are(name: str) -> None:
    with pytest.raises(TableError, match=r"Choose a table of .*: 'a'") as error:
        read_table(TableFile(name, io.BytesIO(TABLES[name])), choice="b")
    assert error.value.values["choices"] == ("a",)


def test_a_file_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"'t\.npy' cannot be opened"):
        read_table(tmp_path / "t.npy")


def test_an_error_goes_from_process_to_process_and_cuts_long_texts() -> None:
    error = TableError("choose", file="x" * 500, choices=tuple("abcdefghij"))
    assert "x…x" in str(error)
    assert len(str(error)) < 200
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.values) == (str(error), error.code, error.values)


def test_the_row_is_counted_from_the_top_in_later_blocks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.tables.checks.BLOCK", 3)
    with pytest.raises(TableError, match="row 2, column 1 "):
        read_table(TableFile("t.npy", io.BytesIO(npy(with_value(np.nan)))))
    monkeypatch.setattr("embedlib.tables.parquet.BATCH", 4)
    for rows, says in (
        ([[1.0, 2.0]] * 5 + [[3.0]], "1 numbers in row 5 "),
        ([[1.0, 2.0]] * 4 + [[3.0]] * 2, "1 numbers in row 4 "),
        ([[1.0, 2.0]] * 5 + [None], "row 5 "),
    ):
        with pytest.raises(TableError, match=says):
            read_table(TableFile("t.parquet", io.BytesIO(parquet(a=rows))))


def test_an_archive_is_not_unpacked_where_only_what_is_not_wanted_is_too_large() -> None:
    data = npz(a=ROWS, labels=np.zeros(20_000_000, np.int8))
    with pytest.raises(TableError, match=r"needs 20\.0 MB"):
        read_table(TableFile("t.npz", io.BytesIO(data)), limit_bytes=10_000_000)


def test_an_empty_label_is_a_label_even_at_the_end() -> None:
    files = [TableFile("v.npy", io.BytesIO(npy(ROWS))), TableFile("m.tsv", io.BytesIO(b"a\n\nc\n\n"))]
    assert read_table(files).labels == ["a", "", "c", ""]


@pytest.mark.parametrize("row_group_size", [2, 6])
def test_a_parquet_footer_announces_what_pyarrow_reads_in_it(row_group_size: int) -> None:
    table = pa.table(
        {"w": list("abcdef"), "e": [[1.0, 2.0, 3.0, 4.0]] * 6, **{f"c{column}": [True] * 6 for column in range(40)}}
    )
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
