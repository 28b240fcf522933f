"""Files that are no tables are refused in one sentence, and nothing in them runs."""

import gzip
import io
import json
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import save

from embedlib.tables import TableError, TableFile, read_table

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


def tensors(header: Any, numbers: bytes = bytes(48), *, length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + numbers


def entry(shape: list[Any], start: Any, stop: Any, dtype: str = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, stop]}


def npy_with_header(text: str, numbers: bytes = bytes(48)) -> bytes:
    data = text.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(data).to_bytes(2, "little") + data + numbers


def with_value(value: float) -> Any:
    rows = ROWS.astype(np.float64)
    rows[2, 1] = value
    return rows


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a21\nsize 12345\n"

REFUSED: list[tuple[str, bytes, str, str]] = [
    # any format
    ("t.npy", b"", "empty", "'t.npy' is empty"),
    ("t.pt", b"x", "file", "'.npy', "),
    ("t", b"x", "file", ""),
    ("t.npy", POINTER, "lfs", "git lfs pull"),
    ("t.npz", POINTER, "lfs", ""),
    ("t.safetensors", POINTER, "lfs", ""),
    ("t.parquet", POINTER, "lfs", ""),
    ("t.csv", POINTER, "lfs", ""),
    ("t.npy", npy(ROWS[:1]), "shape", "holds 'float32 (1, 3)'"),
    ("t.npy", npy(ROWS[:0]), "shape", "'float32 (0, 3)'"),
    ("t.npy", npy(ROWS[:, :0]), "shape", "'float32 (4, 0)'"),
    ("t.npy", npy(ROWS[:, :1]), "shape", "'float32 (4, 1)'"),
    ("t.npy", npy(ROWS[0]), "shape", "'float32 (3,)'"),
    ("t.npy", npy(ROWS[None]), "shape", "'float32 (1, 4, 3)'"),
    ("t.npy", npy(np.float32(1)), "shape", "'float32 ()'"),
    ("t.npy", npy(ROWS.astype(complex)), "shape", "'complex128 (4, 3)'"),
    ("t.npy", npy(ROWS > 0), "shape", "'bool (4, 3)'"),
    ("t.npy", npy(np.array([["a", "b"]] * 2)), "shape", "'<U1 (2, 2)'"),
    ("t.npy", npy(np.zeros((2, 2), "M8[s]")), "shape", "'datetime64[s] (2, 2)'"),
    ("t.npy", npy(np.zeros((2, 2), [("x", "f4")])), "shape", "'x'"),
    ("t.npy", npy(with_value(np.nan)), "value", "has 'nan' in row 3, column '2' "),
    ("t.npy", npy(with_value(-np.inf)), "value", "has '-inf' in row 3, column '2' "),
    ("t.npy", npy(with_value(1e39)), "value", "has '1e+39' in row 3, column '2' "),
    ("t.npy", npy(with_value(-2e14)), "value", "has '-2e+14' in row 3, column '2' "),
    ("t.npy", npy(np.where(ROWS > 0, ROWS, np.nan).astype("f2")), "value", "'nan'"),
    ("t.npy", npy((ROWS * 1e-15).clip(-9e-15, 9e-15)), "shape", "all rows alike to 1e-14"),
    ("t.npy", npy(np.full((4, 3), 7, np.float32)), "shape", "'float32 (4, 3), all rows equal'"),
    ("t.npy", npy(np.arange(3.0) + np.zeros((4, 1))), "shape", "all rows equal"),
    # .npy
    ("t.npy", pickle.dumps(Bomb()), "file", "pickle is never loaded"),
    ("t.npy", npy(np.array([[Bomb()] * 2] * 2), allow_pickle=True), "file", "pickle is never loaded"),
    ("t.npy", pickle.dumps(Bomb(), protocol=0), "damaged", ""),
    ("t.npy", b"\x93NUMPY\x09\x00", "damaged", ""),
    ("t.npy", npy(ROWS)[:40], "damaged", ""),
    ("t.npy", npy(ROWS)[:-1], "damaged", ""),
    ("t.npy", npy_with_header("{'descr':'<f4','fortran_order':False,'shape':(-2,-6)}"), "damaged", ""),
    ("t.npy", npy_with_header("{'descr':'<f4','fortran_order':False,'shape':(999999,9999)}"), "too_large", "50 MB"),
    ("t.npy", npy_with_header("[" * 9000), "damaged", ""),
    ("t.npy", npy_with_header("__import__('os').abort()"), "damaged", ""),
    # .npz
    ("t.npz", b"no archive", "damaged", ""),
    ("t.npz", archive({}), "shape", "no arrays"),
    ("t.npz", archive({"readme.txt": b"x"}), "damaged", ""),
    ("t.npz", archive({"archive/data.pkl": pickle.dumps(Bomb())}), "file", ""),
    ("t.npz", archive({"a.npy": pickle.dumps(Bomb())}), "file", ""),
    ("t.npz", npz(a=ROWS, b=np.array([Bomb()])), "file", "pickle is never loaded"),
    ("t.npz", archive({"a.npy": npy(ROWS)[:-4]}), "damaged", ""),
    ("t.npz", npz(a=ROWS)[:-30], "damaged", ""),
    ("t.npz", npz(a=np.zeros((20_000, 1000), np.float32)), "too_large", "'found_mb': 80.0"),
    ("t.npz", npz(a=ROWS, words=np.array(["x" * 5_000_000, "y", "z", "w"])), "too_large", "'found_mb': 80.0"),
    ("t.npz", npz(a=ROWS, b=ROWS), "choose", "'a', 'b'"),
    ("t.npz", npz(a=ROWS[0], b=ROWS[0]), "shape", "'float32 (3,), float32 (3,)'"),
    ("t.npz", npz(a=ROWS > 0), "shape", "'bool (4, 3)'"),
    ("t.npz", npz(a=ROWS, labels=np.array(["x"] * 3)), "labels", "3 labels for 4 rows"),
    # .safetensors
    ("t.safetensors", b"short", "damaged", ""),
    ("t.safetensors", tensors({}, length=2**62), "damaged", ""),
    ("t.safetensors", tensors(b"no json"), "damaged", ""),
    ("t.safetensors", tensors(b"[" * 100_000), "damaged", ""),
    ("t.safetensors", tensors(b"[]"), "damaged", ""),
    ("t.safetensors", tensors(b"\xff\xfe"), "damaged", ""),
    ("t.safetensors", tensors(b'{"e": {}}'), "damaged", ""),
    ("t.safetensors", tensors({"e": entry([4, True], 0, 48)}), "damaged", ""),
    ("t.safetensors", tensors({"e": entry([4, -3], 0, 48)}), "damaged", ""),
    ("t.safetensors", tensors({"e": entry([4.0, 3], 0, 48)}), "damaged", ""),
    ("t.safetensors", tensors({"e": entry([4, 3], 4, 52)}), "damaged", ""),
    ("t.safetensors", tensors({"e": entry([4, 3], 48, 0)}), "damaged", ""),
    ("t.safetensors", tensors({"e": entry([4, 3], 0, 44)}), "damaged", ""),
    ("t.safetensors", tensors({"e": entry([4, 3], 0, 12, "I8")}), "shape", "'I8 (4, 3)'"),
    ("t.safetensors", tensors({"e": entry([4, 3], 0, 12, "F8_E4M3")}), "shape", "'F8_E4M3 (4, 3)'"),
    ("t.safetensors", save({"a.w": ROWS, "b.w": ROWS}), "choose", "'a.w', 'b.w'"),
    ("t.safetensors", save({"a.wte.weight": ROWS, "b.wte.weight": ROWS}), "choose", "'a.wte.weight', 'b"),
    ("t.safetensors", save({"a": ROWS[0], "b": ROWS[0]}), "shape", "'F32 (3,), F32 (3,)'"),
    ("t.safetensors", tensors({}), "shape", "no tensors"),
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
    ("t.csv", b"x,word\n1,the\n2,nan\n", "shape", ""),
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
    ("t.csv", b"1,2\n", "shape", ""),
    ("t.csv", b"a,b\n\n", "no_rows", "'t.csv' has no rows of numbers"),
    ("t.csv", b"a,1\nb,2\n", "shape", ""),
    ("t.tsv", b"\n\n", "shape", "'0 rows'"),
    ("t.csv", b'"' + b"x" * 200_000, "no_rows", "no rows of numbers"),
    ("t.csv", b"1," * 3_000_000, "too_large", "columns"),
    ("t.csv", b"1,2\n" + b"3," * 3_000_000, "ragged", "3,000,000 cells in row 2"),
    # word2vec's
    ("t.bin", b"\x80\x02}q\x00.", "file", "pickle is never loaded"),
    ("t.bin", b"2 3\na " + bytes(12) + b"b " + bytes(11), "damaged", "'word2vec'"),
    ("t.bin", b"9999999 9999999\n", "too_large", "rows"),
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
    ("t.tsv.gz", gzip.compress(b"1\t2\n3\t4\n", mtime=0)[:-9], "damaged", "'gzip'"),
    ("t.tsv.gz", gzip.compress(bytes(60_000_000), mtime=0), "too_large", "MB"),
    # .parquet
    ("t.parquet", b"PAR1 and more PAR1", "damaged", ""),
    ("t.parquet", parquet(a=[1.0, 2.0], b=[3.0, 4.0])[:-5], "damaged", ""),
    ("t.parquet", parquet(w=["a", "b"]), "labels", "2 labels for 0 rows"),
    ("t.parquet", parquet(w=[True, False]), "shape", "'w (bool)'"),
    ("t.parquet", parquet(a=[1.0, None], b=[3.0, 4.0]), "value", "has 'null' in row 2, column 'a' "),
    ("t.parquet", parquet(a=[[1.0, 2.0], None]), "value", "has 'null' in row 2, column 'a' "),
    ("t.parquet", parquet(a=[[1.0, 2.0], [3.0, None]]), "value", "has 'null' in row 2, column 'a' "),
    ("t.parquet", parquet(a=["[1.0, 2.0]", "[3, x]"]), "value", "has 'x' in row 2, column 'a' "),
    ("t.parquet", parquet(a=["[1 2 ... 3]"] * 2), "value", "has '...' in row 1, column 'a' "),
    ("t.parquet", parquet(a=[[1.0, 2.0], [3.0]]), "ragged", "1 cells in row 2 (counted from 1), not 2"),
    ("t.parquet", parquet(a=["[1, 2]", "[3, 4, 5]"]), "ragged", "3 cells in row 2 (counted from 1), not 2"),
    ("t.parquet", parquet(a=[[[1.0], [2.0]], [[3.0]]]), "ragged", "1 cells in row 2 (counted from 1), not 2"),
    ("t.parquet", parquet(a=[[1.0, 2.0]] * 2, b=[[1.0, 2.0]] * 2), "choose", "'a', 'b'"),
    ("t.parquet", parquet(a=[1.0, 2.0], b=[float("inf"), 4.0]), "value", "row 1, column '2' "),
    ("t.parquet", parquet(a=[np.zeros(0, np.float32)] * 2), "shape", "'float32 (2, 0)'"),
    ("t.parquet", parquet(a=[]), "shape", "no rows"),
    ("t.parquet", parquet(a=[[[[1.0, 2.0]]]] * 2), "shape", "'a (list<element: list<element: list<"),
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
        read_table(file, limit_bytes=50_000_000, isolated=False)
    assert error.value.code == code
    assert says in f"{error.value} {error.value.values}"


def test_the_pickles_of_these_tests_would_have_run() -> None:
    with pytest.raises(SystemExit, match="unpickled"):
        pickle.loads(pickle.dumps(Bomb()))


@pytest.mark.parametrize(
    ("files", "code", "says"),
    [
        ([("a.npy", npy(ROWS)), ("b.tsv", b"x\ny\nz\n")], "labels", "'b.tsv' has 3 labels for 4 rows"),
        ([("a.npy", npy(ROWS)), ("b.tsv", b"word\tkind")], "labels", "0 labels for 4 rows"),
        ([("a.npy", npy(ROWS)), ("b.tsv", b"")], "empty", "'b.tsv' is empty"),
        ([("a.npy", npy(ROWS)), ("b.tsv", b"x\n\x81\n")], "damaged", "'b.tsv' is not a whole, valid 'text' file"),
        ([("a.tsv", b"1\t2\n3\t4\n")] * 2, "labels", "'a.tsv' has 0 labels"),
        ([("a.npy", npy(ROWS)), ("b.npy", npy(ROWS))], "labels", "'b.npy' has 0 labels"),
        ([("a.tsv", b"x\ny\n")] * 2, "labels", "add one file of vectors"),
        ([("a.tsv", b"1\t2\n3\t4\n"), ("b.tsv", b"x\ny\nz\n")], "labels", "'b.tsv' has 3 labels for 2 rows"),
        ([("a.tsv", b"1\t2\n3\t4\n"), ("b.tsv", b"w\tk\nx\tk\ny\n")], "ragged", "1 cells in row 3"),
        ([("a.npy", npy(ROWS)), ("b.tsv", POINTER)], "lfs", "'b.tsv'"),
        ([("a.npy", npy(ROWS)), ("b.pkl", b"x")], "file", "'b.pkl'"),
    ],
)
def test_labels_that_do_not_belong_to_the_vectors_are_refused(
    files: list[tuple[str, bytes]], code: str, says: str
) -> None:
    with pytest.raises(TableError) as error:
        read_table([TableFile(name, io.BytesIO(data)) for name, data in files], isolated=False)
    assert error.value.code == code
    assert says in f"{error.value} {error.value.values}"


@pytest.mark.parametrize("count", [0, 3])
def test_a_table_has_one_file_or_two(count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} files"):
        read_table([TableFile("a.tsv", io.BytesIO(b"1\t2\n"))] * count)


TABLES = {
    "t.npy": npy(ROWS),
    "t.npz": npz(a=ROWS),
    "t.safetensors": save({"a": ROWS}),
    "t.tsv": "\n".join("\t".join(map(str, row)) for row in ROWS).encode(),
    "t.csv": "\n".join(",".join(map(str, row)) for row in ROWS).encode(),
    "t.parquet": parquet(**{f"c{column}": ROWS[:, column] for column in range(3)}),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("limits", [{"max_rows": 3}, {"max_columns": 2}, {"limit_bytes": 40}])
def test_every_format_keeps_the_limits(name: str, limits: dict[str, int]) -> None:
    file = TableFile(name, io.BytesIO(TABLES[name]))
    assert read_table(file, isolated=False).vectors.shape == (4, 3)
    with pytest.raises(TableError, match="over the limit") as error:
        read_table(file, isolated=False, **limits)  # type: ignore[arg-type]
    assert error.value.code == "too_large"


@pytest.mark.parametrize("code_point", [0xD800, 0x110000, 0x7FFFFFFF])
@pytest.mark.parametrize("order", ["<", ">"])
def test_code_points_that_there_are_not_are_shown_as_such(code_point: int, order: str) -> None:
    labels = np.array(["ab", "é👋", "", "d"], f"{order}U2")
    labels.view(f"{order}u4")[0] = code_point
    table = read_table(TableFile("t.npz", io.BytesIO(npz(a=ROWS, labels=labels))), isolated=False)
    assert table.labels == ["\ufffdb", "é👋", "", "d"]


@pytest.mark.parametrize("name", ["t.npz", "t.safetensors"])
def test_a_choice_that_is_not_there_names_those_that_are(name: str) -> None:
    with pytest.raises(TableError, match=r"Choose one of those in .*: 'a'") as error:
        read_table(TableFile(name, io.BytesIO(TABLES[name])), choice="b", isolated=False)
    assert error.value.values["choices"] == ("a",)


def test_a_file_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"'t\.npy' cannot be opened as a table"):
        read_table(tmp_path / "t.npy")


def test_an_error_goes_from_process_to_process_and_cuts_long_texts() -> None:
    error = TableError("choose", file="x" * 500, choices=tuple("abcdefghij"))
    assert "x…x" in str(error)
    assert len(str(error)) < 200
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.values) == (str(error), error.code, error.values)


def test_the_row_is_counted_from_the_top_in_later_blocks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.tables.checks.BLOCK", 3)
    with pytest.raises(TableError, match="row 3, column '2' "):
        read_table(TableFile("t.npy", io.BytesIO(npy(with_value(np.nan)))), isolated=False)
    monkeypatch.setattr("embedlib.tables.parquet.BATCH", 4)
    for rows, says in (
        ([[1.0, 2.0]] * 5 + [[3.0]], "1 cells in row 6 "),
        ([[1.0, 2.0]] * 4 + [[3.0]] * 2, "1 cells in row 5 "),
        ([[1.0, 2.0]] * 5 + [None], "row 6, column 'a'"),
    ):
        with pytest.raises(TableError, match=says):
            read_table(TableFile("t.parquet", io.BytesIO(parquet(a=rows))), isolated=False)


@pytest.mark.parametrize("offsets", [[False, 16], [0, True], [0.0, 16], ["0", 16]])
def test_offsets_of_a_header_are_whole_numbers(offsets: list[object]) -> None:
    header = json.dumps({"a": {"dtype": "F32", "shape": [2, 2], "data_offsets": offsets}}).encode()
    stream = io.BytesIO(len(header).to_bytes(8, "little") + header + bytes(range(16)))
    stream.name = "t.safetensors"
    with pytest.raises(TableError, match="not a whole, valid") as error:
        read_table(stream, isolated=False)
    assert error.value.code == "damaged"
