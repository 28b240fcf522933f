"""What is written reads back to the bit, here and by plain code, block by block."""

import csv
import io

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from embedlib.tables import (
    TableFile,
    csv_header,
    read_table,
    write_columns,
    write_metadata_tsv,
    write_projector_pair,
    write_vectors_tsv,
)

FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)


def pair(vectors: bytes, metadata: bytes) -> list[TableFile]:
    return [TableFile("vectors.tsv", io.BytesIO(vectors)), TableFile("metadata.tsv", io.BytesIO(metadata))]


@given(arrays.arrays(np.float32, (3, 4), elements=FLOATS))
@example(np.array([[0.0, -0.0, 1e-45, 3.4028235e38], [0.1, 1 / 3, 16777216.0, 1.0], [2, 3, 5, 7]], np.float32))
@settings(deadline=None)
def test_every_float32_is_written_in_the_fewest_digits_and_reads_back_to_the_bit(rows: np.ndarray) -> None:
    stream = io.BytesIO()
    write_vectors_tsv(stream, rows)
    cells = [line.split("\t") for line in stream.getvalue().decode().splitlines()]
    assert np.array_equal(np.array(cells, dtype=np.float32).view(np.uint32), rows.view(np.uint32))
    for written, number in zip(cells, rows, strict=True):
        for cell, value in zip(written, number, strict=True):
            digits = len(str(abs(value)).split("e")[0].replace(".", "").strip("0"))
            assert len(cell.split("e")[0].replace(".", "").replace("-", "").strip("0")) <= digits


@pytest.mark.parametrize("kind", ["tensor", "array", "float64", "transposed"])
def test_the_pair_reads_back_as_it_was(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embedlib.tables.writing.BLOCK", 40)  # three blocks
    rows = torch.randn(20, 6, generator=torch.Generator().manual_seed(0))
    labels = [f"word {row}" for row in range(20)]
    given_rows = {
        "tensor": rows.clone().requires_grad_(),
        "array": rows.numpy(),
        "float64": rows.numpy().astype(np.float64),
        "transposed": np.asfortranarray(rows.numpy()),
    }[kind]
    written = write_projector_pair(given_rows, labels)
    assert written.vectors.count(b"\n") == written.metadata.count(b"\n") == 20
    assert written.metadata.startswith(b"word 0\nword 1\n")  # a single column has no heading
    table = read_table(pair(*written), isolated=False)
    assert np.array_equal(table.vectors.view(np.uint32), rows.numpy().view(np.uint32))
    assert table.labels == labels


def test_further_columns_have_a_heading_and_read_back() -> None:
    columns = {"kind": ["a", "b\tc"], "label": ["x", ""]}
    written = write_projector_pair(np.eye(2), ["one", "two"], columns=columns)
    assert written.metadata.decode() == "label\tkind\tlabel\none\ta\tx\ntwo\tb⇥c\t␢\n"
    table = read_table(pair(*written), isolated=False)
    assert table.labels == ["one", "two"]
    assert table.columns == {"kind": ["a", "b⇥c"], "label (2)": ["x", "␢"]}


@pytest.mark.parametrize(
    ("label", "written"),
    [
        ("a\tb", "a⇥b"),
        ("\n", "↵"),
        ("\r\n", "␍↵"),
        ("\x00\x0b\x85\u2028\ufeff", "␀␋⟨U+0085⟩⟨U+2028⟩⟨U+FEFF⟩"),
        ("", "␢"),
        ("  ", "··"),
        (" the", " the"),
        ('"', '"'),
        ("\ud800", "?"),
        ("=1+1", "=1+1"),
    ],
)
def test_a_label_stays_in_its_cell(label: str, written: str) -> None:
    stream = io.BytesIO()
    write_metadata_tsv(stream, [label])
    assert stream.getvalue().decode() == written + "\n"


@given(st.lists(st.text(), min_size=2, max_size=9))
@settings(deadline=None)
def test_any_labels_keep_their_rows(labels: list[str]) -> None:
    written = write_projector_pair(np.arange(2.0 * len(labels)).reshape(-1, 2), labels)
    again = read_table(pair(*written), isolated=False).labels
    assert again is not None
    assert len(again) == len(labels)
    assert write_projector_pair(np.zeros((len(labels), 2)), again).metadata == written.metadata


def test_columns_of_numbers_and_texts_are_a_csv() -> None:
    stream = io.BytesIO(csv_header(["n", 'a "name"', "x"]))
    stream.seek(0, io.SEEK_END)
    write_columns(stream, [np.arange(2), ["plain", 'with , and "\n'], np.array([0.5, -np.inf], np.float32)])
    assert list(csv.reader(io.StringIO(stream.getvalue().decode()))) == [
        ["n", 'a "name"', "x"],
        ["0", "plain", "0.5"],
        ["1", 'with , and "\n', "-inf"],
    ]


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(ValueError, match="labels, 1 of them, must be as many as the rows of vectors, 2"):
        write_projector_pair(np.eye(2), ["one"])
    with pytest.raises(ValueError, match=r"vectors of shape \(2,\) must be \(n_rows, d_model\)"):
        write_vectors_tsv(io.BytesIO(), np.zeros(2))
    for wrong in (np.nan, np.inf, 1e39):
        with pytest.raises(ValueError, match="vectors, row 1, has a number that is not finite in float32"):
            write_vectors_tsv(io.BytesIO(), np.array([[1.0, 2.0], [3.0, wrong]]))
    with pytest.raises(ValueError, match=r"columns\['kind'\] has 1 texts; it must have one per label, 2"):
        write_metadata_tsv(io.BytesIO(), ["a", "b"], columns={"kind": ["x"]})
