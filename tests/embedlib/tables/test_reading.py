"""Each format reads as what was saved, by libraries of their own."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from safetensors.torch import save_file as save_torch

from embedlib.tables import EmbeddingTable, TableError, TableFile, TableNote, read_array, read_table

ROWS = np.random.default_rng(0).standard_normal((7, 5)).astype(np.float32) * 10.0 ** np.arange(-12, 13, 4)[:, None]
ROWS = ROWS.astype(np.float32)  # (7, 5), of many sizes
WORDS = ["the", " a", '"', "日本", "nan", "1", "#"]


def same(table: EmbeddingTable, expected: NDArray[np.float32]) -> bool:
    actual = np.asarray(table.vectors)
    return actual.dtype == np.float32 and np.array_equal(actual.view(np.uint32), expected.view(np.uint32))


def text_file(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def lines(rows: NDArray[np.float32], delimiter: str, labels: list[str] | None = None) -> str:
    cells = [[*([labels[index]] if labels else []), *map(str, row)] for index, row in enumerate(rows)]
    return "".join(delimiter.join(line) + "\n" for line in cells)


@pytest.mark.parametrize("kept", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_npy_by_its_path_is_mapped_as_it_is(tmp_path: Path, kept: type, order: str) -> None:
    rows = np.array(ROWS[2:5], dtype=kept, order=order)
    np.save(tmp_path / "rows.npy", rows)
    table = read_table(tmp_path / "rows.npy")
    assert isinstance(table.vectors, np.memmap)
    assert table.vectors.dtype == kept
    assert not table.vectors.flags.writeable
    assert np.array_equal(table.vectors, rows)
    assert (table.labels, table.columns, table.name, table.format) == (None, {}, "rows.npy", "npy")


@pytest.mark.parametrize("kept", ["<f2", "<f4", "<f8", ">f4", ">f8", "i1", "<i4", ">u2"])
def test_an_npy_by_its_content_is_float32_whatever_it_was(kept: str) -> None:
    rows = (ROWS[2:5] * 100).clip(0, 100).astype(kept)
    stream = io.BytesIO()
    np.save(stream, rows)
    assert same(read_table(TableFile("rows.NPY", stream), isolated=False), rows.astype(np.float32))
    assert not stream.closed


def test_rounding_to_float32_is_noted_where_it_happens(tmp_path: Path) -> None:
    exact, rounded = np.array([[0.5, 1], [2, 3]]), np.array([[0.1, 1], [2, 3]])
    for rows, notes in ((exact, ()), (rounded, (TableNote("narrowed", {"dtype": "float64"}),))):
        stream = io.BytesIO()
        np.save(stream, rows)
        assert read_table(TableFile("rows.npy", stream), isolated=False).notes == notes


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("names", ["labels", "words", "tokens"])
def test_an_npz_gives_its_array_and_its_labels(tmp_path: Path, save: object, names: str) -> None:
    save(tmp_path / "a.npz", rows=ROWS, **{names: np.array(WORDS)})  # type: ignore[operator]
    table = read_table(tmp_path / "a.npz")
    assert same(table, ROWS)
    assert table.labels == WORDS


@pytest.mark.parametrize(
    "name",
    [
        "wte.weight",
        "transformer.wte.weight",
        "model.embed_tokens.weight",
        "bert.embeddings.word_embeddings.weight",
        "anything",
    ],
)
def test_a_safetensors_gives_the_token_embeddings_by_their_usual_names(tmp_path: Path, name: str) -> None:
    others = {"h.0.bias": ROWS[0]} | ({} if name == "anything" else {"wpe.weight": ROWS * 2, "h.0.weight": ROWS * 3})
    save_file({name: ROWS, **others}, tmp_path / "model.safetensors")
    table = read_table(tmp_path / "model.safetensors")
    assert isinstance(table.vectors, np.memmap)
    assert same(table, ROWS)
    stream = TableFile("m.safetensors", io.BytesIO((tmp_path / "model.safetensors").read_bytes()))
    assert same(read_table(stream, isolated=False), ROWS)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_a_safetensors_of_any_float_reads_as_torch_reads_it(tmp_path: Path, dtype: torch.dtype) -> None:
    rows = torch.from_numpy(ROWS[2:5]).to(dtype)
    save_torch({"e": rows}, tmp_path / "e.safetensors")
    table = read_table(tmp_path / "e.safetensors")
    assert isinstance(table.vectors, np.memmap) is (dtype != torch.bfloat16)
    assert np.array_equal(table.vectors, rows.double().numpy())
    stream = TableFile("e.safetensors", io.BytesIO((tmp_path / "e.safetensors").read_bytes()))
    assert same(read_table(stream, isolated=False), rows.float().numpy())


def test_a_safetensors_with_an_odd_heading_is_read_all_the_same(tmp_path: Path) -> None:
    heading = json.dumps({"e": {"dtype": "F32", "shape": [7, 5], "data_offsets": [0, 140]}}).encode()
    heading += b" " * (8 - len(heading) % 8 + 1)  # numbers then begin between two of float32's places
    path = tmp_path / "e.safetensors"
    path.write_bytes(len(heading).to_bytes(8, "little") + heading + ROWS.tobytes())
    table = read_table(path)
    assert same(table, ROWS)
    assert table.vectors.flags.aligned


@pytest.mark.parametrize("turned", [False, True])
def test_the_projectors_pair_is_read_in_either_order(tmp_path: Path, turned: bool) -> None:
    files = [text_file(tmp_path, "v.tsv", lines(ROWS, "\t")), text_file(tmp_path, "m.tsv", "\n".join(WORDS))]
    table = read_table(files[::-1] if turned else files)
    assert same(table, ROWS)
    assert (table.labels, table.columns, table.name) == (WORDS, {}, "v.tsv")
    assert table.labels_from == "m.tsv"
    assert read_table(files[0]).labels_from is None


def test_metadata_of_several_columns_has_a_heading(tmp_path: Path) -> None:
    vectors = text_file(tmp_path, "v.tsv", lines(ROWS, "\t"))
    rows = "".join(f"{index}\t{word}\t{index % 2}\r\n" for index, word in enumerate(WORDS))
    table = read_table([text_file(tmp_path, "m.tsv", "\ufeffcount\tword\tcount\r\n" + rows), vectors])
    assert table.labels == WORDS
    assert table.columns == {"count": list("0123456"), "count (2)": list("0101010")}


def test_vectors_of_any_format_take_labels_from_a_tsv(tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", ROWS)
    labels = text_file(tmp_path, "labels.tsv", "\n".join(WORDS) + "\n")
    for files in ([labels, tmp_path / "v.npy"], [tmp_path / "v.npy", labels]):
        table = read_table(files)
        assert (table.labels, table.format) == (WORDS, "npy")


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_tsv_of_numbers_alone_has_no_labels(tmp_path: Path, ending: str) -> None:
    table = read_table(text_file(tmp_path, "v.tsv", "\ufeff" + lines(ROWS, "\t").replace("\n", ending) + ending))
    assert same(table, ROWS)
    assert table.labels is None


@pytest.mark.parametrize("greatest", [1e14, 1e-14, 1.0])
@pytest.mark.parametrize("kept", [np.float32, np.float64])
def test_numbers_up_to_both_bounds_are_read(tmp_path: Path, greatest: float, kept: type) -> None:
    rows = (ROWS[3] / np.abs(ROWS[3]).max() * np.arange(1, 4)[:, None] / 3).astype(kept) * kept(greatest)
    np.save(tmp_path / "t.npy", rows)
    assert np.array_equal(read_table(tmp_path / "t.npy").vectors, rows)


def test_words_that_come_late_are_labels_too(tmp_path: Path) -> None:
    labels = [str(number) for number in range(400)] + [f"word{number}" for number in range(600)]
    rows = np.random.default_rng(1).standard_normal((1000, 3)).astype(np.float32)
    table = read_table(text_file(tmp_path, "t.tsv", lines(rows, "\t", labels)))
    assert table.labels == labels
    assert same(table, rows)


@pytest.mark.parametrize("name", ["names", "vocab", "words", "x"])
@pytest.mark.parametrize("dtype", ["U", "S", "i8", "f8"])
def test_the_array_of_an_npz_with_one_entry_per_row_has_the_labels(name: str, dtype: str) -> None:
    labels = np.array(["a", "b", "c", "d", "e", "f", "g"] if dtype in "US" else [3, 1, 4, 1, 5, 9, 2]).astype(dtype)
    stream = io.BytesIO()
    np.savez(stream, vectors=ROWS, mean=ROWS[0], **{name: labels})
    table = read_table(TableFile("t.npz", stream), isolated=False)
    assert same(table, ROWS)
    assert table.labels == [text.decode() if isinstance(text, bytes) else str(text) for text in labels.tolist()]
    assert table.notes == (TableNote("left_out", {"names": ("mean (float32 (5,))",)}),)


def test_further_arrays_of_an_npz_with_one_entry_per_row_are_columns() -> None:
    stream = io.BytesIO()
    np.savez(stream, vectors=ROWS, count=np.arange(7), kind=np.array(["k"] * 7), token=np.array(WORDS))
    table = read_table(TableFile("t.npz", stream), isolated=False)
    assert (table.labels, table.columns) == (WORDS, {"count": list("0123456"), "kind": ["k"] * 7})


@pytest.mark.parametrize("dtype", ["F8_E4M3FNUZ", "F8_E5M2", "X9"])
def test_a_tensor_of_a_type_that_nothing_reads_is_named_and_the_table_is_read(tmp_path: Path, dtype: str) -> None:
    header = {
        "other.weight": {"dtype": dtype, "shape": [2, 4], "data_offsets": [0, 8]},
        "e": {"dtype": "F32", "shape": [7, 5], "data_offsets": [8, 148]},
    }
    text = json.dumps(header).encode()
    path = tmp_path / "e.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(8) + ROWS.tobytes())
    table = read_table(path)
    assert same(table, ROWS)
    assert table.notes == (TableNote("left_out", {"names": (f"other.weight ({dtype} (2, 4))",)}),)


def test_constant_columns_are_noted(tmp_path: Path) -> None:
    rows = ROWS.copy()
    rows[:, 1:3] = 2
    np.save(tmp_path / "t.npy", rows)
    assert read_table(tmp_path / "t.npy").notes == (TableNote("constant_columns", {"constant": 2, "columns": 5}),)


def test_checking_tells_how_far_it_is_and_can_be_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.tables.checks.BLOCK", 10)
    np.save(tmp_path / "t.npy", ROWS)
    shares: list[float] = []
    read_table(tmp_path / "t.npy", progress=shares.append)
    assert shares == [2 / 7, 4 / 7, 6 / 7, 1.0]

    class Stopped(Exception): ...

    def stop(share: float) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        read_table(tmp_path / "t.npy", progress=stop)


def test_an_archive_read_by_its_content_stays_open(tmp_path: Path) -> None:
    stream = io.BytesIO()
    np.savez(stream, a=ROWS)
    assert zipfile.is_zipfile(stream)
    for _ in range(2):
        assert same(read_table(TableFile("a.npz", stream), isolated=False), ROWS)


def test_a_limit_of_its_own_holds_for_a_table_that_stays_on_disk(tmp_path: Path) -> None:
    np.save(tmp_path / "floats.npy", np.eye(40, dtype=np.float32))
    np.save(tmp_path / "whole.npy", np.eye(40, dtype=np.int8))
    limits = {"limit_bytes": 5_000, "limit_mapped": 10_000}
    with pytest.raises(TableError, match="over the limit"):
        read_table(tmp_path / "floats.npy", limit_bytes=5_000)
    assert isinstance(read_table(tmp_path / "floats.npy", **limits).vectors, np.memmap)
    with pytest.raises(TableError, match="over the limit") as refused:  # 6,400 bytes once they are float32 in memory
        read_table(tmp_path / "whole.npy", **limits)
    assert refused.value.code == "too_large"


def test_numbers_of_a_file_that_has_been_read_before_are_not_looked_at_again(tmp_path: Path) -> None:
    rows = np.eye(4, dtype=np.float32)
    rows[2, 1] = np.nan
    np.save(tmp_path / "mapped.npy", rows)
    assert np.isnan(read_table(tmp_path / "mapped.npy", checked=True).vectors[2, 1])
    np.save(tmp_path / "turned.npy", rows.astype(">f4"))
    with pytest.raises(TableError, match="row"):  # it is read anyway
        read_table(tmp_path / "turned.npy", checked=True)


@pytest.mark.parametrize("dtype", ["<f4", ">f8", "<f2", "<i4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_of_any_shape_reads_as_numpy_saved_it(tmp_path: Path, dtype: str, order: str) -> None:
    saved = np.arange(24).reshape(2, 3, 4).astype(dtype, order=order)  # type: ignore[call-overload]
    np.save(tmp_path / "q.npy", saved)
    read = read_array(tmp_path / "q.npy", limit_bytes=1_000)
    assert read.dtype == np.float64
    assert np.array_equal(read, saved)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
def test_the_only_tensor_of_any_shape_reads_as_torch_saved_it(tmp_path: Path, dtype: torch.dtype) -> None:
    saved = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0)).to(dtype)
    save_torch({"q": saved}, tmp_path / "q.safetensors")
    assert np.array_equal(read_array(tmp_path / "q.safetensors", limit_bytes=1_000), saved.double().numpy())


def test_an_array_that_takes_too_much_or_is_one_of_several_is_refused(
    tmp_path: Path,
) -> None:
    np.save(tmp_path / "q.npy", np.ones((20, 20), np.int8))
    save_torch({"q": torch.ones(2, 2), "k": torch.ones(2, 2)}, tmp_path / "q.safetensors")
    for name, code in (("q.npy", "too_large"), ("q.safetensors", "choose"), ("q.csv", "file")):
        with pytest.raises(TableError, match=name) as caught:
            read_array(tmp_path / name, limit_bytes=1_000)
        assert caught.value.code == code
