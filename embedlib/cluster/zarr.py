"""A Zarr array in a folder as a table: its header, and its rows a chunk at a time."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedlib.blocks import row_blocks
from embedlib.cluster.errors import ClusterError
from embedlib.tables.checks import NO_PICKLES, check_dtype, shape_error
from embedlib.tables.errors import TableError
from embedlib.tables.table import TableFile, library_errors

HEADERS = ("zarr.json", ".zarray")  # of formats 3 and 2
# What may have packed the chunks: a header can name any codec that numcodecs has, and one of those loads pickles.
_CODECS = {"blosc", "bytes", "bz2", "crc32c", "gzip", "lz4", "lzma", "sharding_indexed", "shuffle", "transpose", "zlib"}
_CODECS |= {"zstd"}


def header_file(file: TableFile) -> TableFile:
    """Return the file with the header of a Zarr array; TableError if there is none."""
    folder = Path(str(file.content))
    if not folder.exists():
        raise TableError("file", file=file.name, known=(".zarr",)) from FileNotFoundError(str(folder))
    for name in HEADERS:
        if (folder / name).is_file():
            return TableFile(file.name, folder / name)
    raise TableError("damaged", file=file.name, format=".zarr")


def open_zarr(file: TableFile) -> Any:
    """Open a Zarr array of format 2 or 3, (n_rows, d_model), of which only the header is read.

    ClusterError without the package zarr; TableError for anything but a table of numbers, and for other codecs.
    """
    try:
        import zarr
    except ImportError:
        raise ClusterError("missing", extra="zarr") from None
    header = header_file(file)
    with library_errors(file):
        with header.open() as stream:
            codecs = set(_codecs(json.load(stream)))
        if not codecs <= _CODECS:
            raise TableError("file", file=file.name, known=NO_PICKLES)
        array = zarr.open_array(str(file.content), mode="r")
    check_dtype(file.name, array.dtype, array.shape)
    if array.ndim != 2 or 0 in array.shape:
        raise shape_error(file.name, array.dtype, array.shape)
    return array


def chunk_rows(array: Any) -> int:
    """Return how many rows are read at once: those of a chunk, or of a shard, which is a file of chunks."""
    return int((array.shards or array.chunks)[0])


def zarr_blocks(file: TableFile, start: int, stop: int, n_rows: int) -> Iterator[NDArray[Any]]:
    """Read rows start to stop of a Zarr array, up to n_rows at a time, each chunk once.

    TableError as of `open_zarr`, or if a chunk is damaged. A missing chunk has the header's fill value.
    """
    array = open_zarr(file)
    step = chunk_rows(array)
    while start < stop:
        end = min(start - start % step + step, stop)
        with library_errors(file):
            rows = np.asarray(array[start:end])
        for _, block in row_blocks(rows, n_rows):
            yield block
        start = end


def _codecs(header: Any) -> Iterator[str]:
    """Yield the names of all codecs in a header, those of shards too."""
    for codec in [
        *(header.get("codecs") or []),
        *(header.get("index_codecs") or []),
        *(header.get("filters") or []),
        *filter(None, [header.get("compressor")]),
    ]:
        yield str(codec.get("name") or codec.get("id"))
        yield from _codecs(codec.get("configuration") or {})
