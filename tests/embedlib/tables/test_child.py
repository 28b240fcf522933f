"""Uploaded files are read in a child process: the result is the same, and a hostile file ends the child alone."""

import io
import json
import os
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from embedlib.tables import TableError, TableFile, TableNote, read_array, read_table

ROWS = np.random.default_rng(0).standard_normal((6, 4)).astype(np.float32)
LIMIT = 50_000_000


def npy(array: Any) -> io.BytesIO:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream


def test_labels_columns_and_notes_come_back_as_they_are() -> None:
    words = ["the", "né", "a b", "", "👋", '"x\0\n']
    stream = io.BytesIO()
    columns = {"token": words, "kind": ["k"] * 6, "e": (ROWS * [1, 1, 1, 0]).tolist(), "flag": [True] * 6}
    pq.write_table(pa.table(columns), stream)
    table, here = (read_table(TableFile("t.parquet", stream), isolated=isolated) for isolated in (None, False))
    assert np.array_equal(table.vectors, here.vectors)
    assert table.vectors.dtype == np.float32
    assert (table.labels, table.columns) == (words, {"kind": ["k"] * 6})
    assert (table.name, table.format, table.labels_from) == ("t.parquet", "parquet", None)
    constant = TableNote("constant_columns", {"constant": 1, "columns": 4})
    assert table.notes == here.notes == (TableNote("left_out", {"names": ("flag (bool)",)}), constant)


def test_a_file_by_its_path_can_be_isolated_too_and_takes_labels_from_a_second(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", ROWS)
    (tmp_path / "m.tsv").write_text("a\nb\nc\nd\ne\nf\n")
    table = read_table([tmp_path / "m.tsv", tmp_path / "v.npy"], isolated=True)
    assert np.array_equal(table.vectors, ROWS)
    assert (table.labels, table.labels_from) == (list("abcdef"), "m.tsv")


def test_how_a_text_was_read_comes_back_and_can_be_given() -> None:
    file = TableFile("t.csv", io.BytesIO(b"w;x;y;z\na;0,5;1;2\nb;2;3,25;4\n"))
    table, here = (read_table(file, isolated=isolated) for isolated in (None, False))
    assert table.layout == here.layout
    assert table.layout is not None
    assert (table.layout.decimal, table.labels, table.vectors.tolist()) == (
        ",",
        ["a", "b"],
        [[0.5, 1, 2], [2, 3.25, 4]],
    )
    again = read_table(file, layout=replace(table.layout, label_column="y"))
    assert (again.labels, again.vectors.tolist()) == (["1", "3,25"], [[0.5, 2], [2, 4]])


def test_half_of_a_surrogate_pair_becomes_a_question_mark() -> None:
    data = rb'[{"w\ud800": "a\udc00", "x": 1, "y": 2}, {"w\ud800": "b", "x": 3, "y": 4}]'
    for isolated in (True, False):
        assert read_table(TableFile("t.json", io.BytesIO(data)), isolated=isolated).labels == ["a?", "b"]


def test_a_large_result_is_mapped() -> None:
    rows = np.random.default_rng(1).standard_normal((5_000, 1_000)).astype(np.float32)
    table = read_table(TableFile("t.npy", npy(rows)), limit_bytes=LIMIT)
    assert isinstance(table.vectors, np.memmap)
    assert np.array_equal(table.vectors, rows)


def test_errors_come_back_with_their_values() -> None:
    stream = io.BytesIO()
    np.savez(stream, a=ROWS, b=ROWS)
    with pytest.raises(TableError) as caught:
        read_table(TableFile("t.npz", stream))
    assert (caught.value.code, caught.value.values) == ("choose", {"file": "t.npz", "choices": ("a", "b")})


def test_arrays_are_read_in_a_child_too() -> None:
    queries = np.random.default_rng(1).standard_normal((2, 3, 4)).astype(np.float16)
    assert np.array_equal(read_array(TableFile("q.npy", npy(queries)), limit_bytes=LIMIT), queries)
    with pytest.raises(TableError, match="'inf' in row 2, column '3'"):
        read_array(TableFile("q.npy", npy(np.where(np.arange(12) == 6, np.inf, 1).reshape(3, 4))), limit_bytes=LIMIT)


def zip_bomb() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, {"descr": "<f4", "fortran_order": False, "shape": (15_000, 1000)})
        for _ in range(60):
            member.write(bytes(10**6))
    return stream.getvalue()


def lying_zip_bomb() -> bytes:
    """The archive announces 100 bytes in the place of 60 MB."""
    size = (60_000_128).to_bytes(4, "little")
    data = zip_bomb()
    assert size in data
    return data.replace(size, (100).to_bytes(4, "little"))


def many_values() -> bytes:
    stream = io.BytesIO()
    lists = pa.ListArray.from_arrays(
        pa.array([0, 25_000_000, 50_000_000], pa.int32()), pa.array(np.zeros(50_000_000, "f4"))
    )
    with pq.ParquetWriter(stream, pa.schema({"e": pa.list_(pa.float32())})) as writer:
        for _ in range(3):
            writer.write_table(pa.table({"e": lists}))
    return stream.getvalue()


def header_of_npy(shape: tuple[int, ...]) -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return stream.getvalue() + bytes(48)


def safetensors_header(text: bytes) -> bytes:
    return len(text).to_bytes(8, "little") + text + bytes(48)


BOMBS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "an archive of 60 MB of zeros": ("t.npz", zip_bomb),
    "an archive that unpacks to more than it announces": ("t.npz", lying_zip_bomb),
    "150 million values in 6 rows": ("t.parquet", many_values),
    "a header of 1.6 TB": ("t.npy", lambda: header_of_npy((400_000, 1_000_000))),
    "an archive of a header of 1.6 TB": ("t.npz", lambda: zip_of(header_of_npy((400_000, 60_000)))),
    "a header of 90 MB": ("t.safetensors", lambda: safetensors_header(b'{"a":[' + b"[]," * 15_000_000 + b"[]]}")),
    "a deep header": ("t.safetensors", lambda: safetensors_header(b"[" * 5_000_000)),
}


def zip_of(data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", data)
    return stream.getvalue()


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_ends_in_a_sentence_and_this_process_takes_next_to_no_memory(name: str) -> None:
    file, make = BOMBS[name]
    stream = io.BytesIO(make())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(TableError) as caught:
        read_table(TableFile(file, stream), limit_bytes=20_000_000)
    assert caught.value.code in ("damaged", "too_large")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000  # kB


@pytest.mark.parametrize("code", ["os.abort()", "os._exit(0)", "os.kill(os.getpid(), 9)", "bytes(10**12)", "1 / 0"])
def test_a_child_that_ends_in_any_way_is_a_sentence_and_the_next_file_is_read(
    monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    replaced = f"import os, embedlib.tables.child as c, embedlib.tables.reading as r\ndef read(*a, **k): {code}\n"
    monkeypatch.setattr("embedlib.tables.child.COMMAND", f"{replaced}r.read_table = read\nc.main()")
    with pytest.raises(TableError) as caught:
        read_table(TableFile("t.npy", npy(ROWS)))
    assert caught.value.code == ("too_large" if "bytes" in code or "kill" in code else "damaged")
    monkeypatch.undo()
    assert np.array_equal(read_table(TableFile("t.npy", npy(ROWS))).vectors, ROWS)


def test_a_child_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.tables.child.COMMAND", "import time; time.sleep(600)")
    run = subprocess.run
    monkeypatch.setattr("subprocess.run", lambda *args, **settings: run(*args, **settings | {"timeout": 0.5}))
    with pytest.raises(TableError) as caught:
        read_table(TableFile("t.npy", npy(ROWS)))
    assert caught.value.code == "too_large"


def test_a_child_that_cannot_start_is_no_fault_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.tables.child.COMMAND", "import no_such_module")
    with pytest.raises(RuntimeError, match="no_such_module"):
        read_table(TableFile("t.npy", npy(ROWS)))


@pytest.mark.parametrize(
    "changes",
    [
        {"shape": [6, 5]},
        {"shape": [-6, -4]},
        {"shape": "64"},
        {"shape": [24]},
        {"labels": ["a"]},
        {"labels": [1] * 6},
        {"labels": ["\ud800"] * 6},
        {"columns": {"x": ["a"]}},
        {"columns": 7},
        {"columns": {"\ud800": ["a"] * 6}},
        {"columns": {"x" * 60_000_000: ["a"] * 6}},
        {"name": "/etc/passwd"},
        {"labels_from": "other"},
        {"notes": [["left_out", 5]]},
        {"notes": 1},
        {"error": ["nothing", {}]},
        {"error": ["damaged", {"unknown": 1}]},
        {"error": 5},
        {"layout": {"separator": 5}},
        {"layout": {"other": "x"}},
    ],
    ids=lambda changes: str(changes)[:40],
)
def test_what_a_child_says_is_checked(monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]) -> None:
    about = {"shape": [6, 4], "labels": None, "columns": {}, "name": "t.npy", "format": "npy", "notes": []}
    text = json.dumps(about | {"labels_from": None, "layout": None} | changes).encode()

    def run(*_args: object, pass_fds: list[int], **_settings: object) -> subprocess.CompletedProcess[bytes]:
        os.write(pass_fds[-1], len(text).to_bytes(8, "little") + text + ROWS.tobytes())
        return subprocess.CompletedProcess([], 0)

    monkeypatch.setattr("subprocess.run", run)
    with pytest.raises(TableError) as caught:
        read_table(TableFile("t.npy", npy(ROWS)), limit_bytes=LIMIT)
    assert caught.value.code == "damaged"


REPORT = """
import json, os, resource, sys, embedlib.tables.child as child, embedlib.tables.reading as reading
from embedlib.tables.errors import TableError
def report(*files, **options):
    limits = {name: resource.getrlimit(getattr(resource, name))[0] for name in dir(resource) if "RLIMIT" in name}
    try:
        os.system("true")
    except RuntimeError as error:
        limits["system"] = str(error)
    limits["modules"] = [name for name in ("torch", "pyarrow") if name in sys.modules]
    limits["environment"] = sorted(os.environ)
    raise TableError("choose", file="t", choices=json.dumps(limits))
reading.read_table = report
child.main()
"""


def test_the_child_has_limits_and_neither_torch_nor_this_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "secret")
    monkeypatch.setattr("embedlib.tables.child.COMMAND", REPORT)
    with pytest.raises(TableError) as caught:
        read_table(TableFile("t.npy", npy(ROWS)), limit_bytes=200_000_000)
    found = json.loads(caught.value.values["choices"])
    assert found["RLIMIT_CORE"] == 0
    assert found["RLIMIT_NOFILE"] == 64
    assert 0 < found["RLIMIT_CPU"] < 60
    assert found["RLIMIT_NPROC"] == 0
    assert 0 < found["RLIMIT_FSIZE"] < 2 * 10**9
    if sys.platform == "linux":
        assert 0 < found["RLIMIT_AS"] < 3 * 10**9
    assert found["system"] == "os.system"
    assert found["modules"] == []
    assert "HF_TOKEN" not in found["environment"]
