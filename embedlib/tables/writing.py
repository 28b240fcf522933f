"""Tables as text for other programs: every float32 in the fewest digits that read back as the same number."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # importing torch takes a second, and reading tables does without
    from torch import Tensor

BLOCK = 2**20  # numbers written in one go; more takes more memory and is no faster
EMPTY = "␢"


class ProjectorPair(NamedTuple):
    """The two files that projectors of embeddings read, as bytes of UTF-8."""

    vectors: bytes
    metadata: bytes


def write_projector_pair(
    vectors: "Tensor | NDArray[Any]", labels: Sequence[str], *, columns: Mapping[str, Sequence[str]] | None = None
) -> ProjectorPair:
    """Write the pair of .tsv files (vectors, metadata) of the TensorBoard projector, which read_table reads too.

    `vectors` is (n_rows, d_model), finite, written as float32. For files too large for memory, write to streams with
    write_vectors_tsv and write_metadata_tsv.
    """
    if len(labels) != len(vectors):
        raise ValueError(f"labels, {len(labels)} of them, must be as many as the rows of vectors, {len(vectors)}")
    numbers, texts = io.BytesIO(), io.BytesIO()
    write_vectors_tsv(numbers, vectors)
    write_metadata_tsv(texts, labels, columns=columns)
    return ProjectorPair(numbers.getvalue(), texts.getvalue())


def write_vectors_tsv(stream: BinaryIO, vectors: "Tensor | NDArray[Any]") -> None:
    """Write (n_rows, d_model) finite numbers as float32, a line per row, between tabs, without a header."""
    if len(vectors.shape) != 2 or not vectors.shape[1]:
        raise ValueError(f"vectors of shape {tuple(vectors.shape)} must be (n_rows, d_model)")
    step = max(1, BLOCK // vectors.shape[1])
    for start in range(0, len(vectors), step):
        block = float32_rows(vectors[start : start + step])
        if not np.isfinite(block).all():
            row = start + int(np.argwhere(~np.isfinite(block))[0, 0])
            raise ValueError(f"vectors, row {row}, has a number that is not finite in float32: leave the row out")
        write_columns(stream, list(block.T), delimiter="\t")


def write_metadata_tsv(
    stream: BinaryIO, labels: Sequence[str], *, columns: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Write one line per label; further columns add a header of "label" and their names.

    A tab or a line break inside a label would begin another cell or line: it is written as the sign that the pages show
    for it ("⇥", "↵", "␍", "⟨U+2028⟩"), other control characters likewise, a lone surrogate as "?", an empty label as
    "␢", and spaces alone as dots. Reading gives these signs, not the original; every other label reads back unchanged.
    """
    for name, cells in (columns or {}).items():
        if len(cells) != len(labels):
            raise ValueError(f"columns[{name!r}] has {len(cells)} texts; it must have one per label, {len(labels)}")
    header = [("label", *columns)] if columns else []
    lines: Iterable[tuple[str, ...]] = chain(header, zip(labels, *(columns or {}).values(), strict=True))
    for line in lines:
        stream.write(("\t".join(map(visible_cell, line)) + "\n").encode())


def visible_cell(text: str) -> str:
    """Write a label so that it is one cell of one line; see write_metadata_tsv."""
    cell = text.translate(_visible_signs()).encode("utf-8", "replace").decode("utf-8")
    if cell.isspace():
        return "·" * len(cell)
    return cell or EMPTY


@cache
def _visible_signs() -> dict[int, str]:
    """Return signs for characters that some program reads as the end of a line or cell, or as a byte order mark."""
    from embedlib.tokenizers.labels import MARKS  # with its package, and so torch

    others = (0x85, 0x2028, 0x2029, 0xFEFF)
    return {ord(sign): mark for sign, mark in MARKS.items() if sign != " "} | {c: f"⟨U+{c:04X}⟩" for c in others}


def float32_rows(rows: "Tensor | NDArray[Any]") -> NDArray[np.float32]:
    """Return rows of a tensor, an array or a memory map as float32; too large numbers become infinite."""
    array = rows.detach().cpu().float().numpy() if hasattr(rows, "detach") else np.asarray(rows)
    with np.errstate(over="ignore"):
        return array.astype(np.float32, copy=False)


def write_columns(stream: BinaryIO, columns: Sequence[NDArray[Any] | Sequence[str]], *, delimiter: str = ",") -> None:
    """Write columns of one length (integers, float32 or texts) side by side, without a header.

    Numbers are written in the fewest digits that read back the same, "2" for 2.0; texts in quotes, all of them, if any
    needs quotes.
    """
    import pyarrow
    from pyarrow import csv as writer

    table = pyarrow.table(
        [
            pyarrow.array(np.ascontiguousarray(column) if isinstance(column, np.ndarray) else column)
            for column in columns
        ],
        names=[str(index) for index in range(len(columns))],
    )
    special = {delimiter, '"', "\n", "\r"}
    texts = (text for column in columns if not isinstance(column, np.ndarray) for text in set(column))
    style = "needed" if any(special & set(text) for text in texts) else "none"
    options = writer.WriteOptions(include_header=False, delimiter=delimiter, quoting_style=style)
    buffer = pyarrow.BufferOutputStream()
    writer.write_csv(table, buffer, options)
    stream.write(buffer.getvalue())


def csv_header(names: Sequence[str]) -> bytes:
    """Write the header of a .csv, in quotes where a name needs them."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(names)
    return line.getvalue().encode()
