"""word2vec's binary format, which gensim writes too."""

import re

import numpy as np

from embedlib.tables.errors import TableError
from embedlib.tables.table import Limits, Parts, TableFile


def read_word2vec(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read a .bin: a line with the numbers of rows and columns, then each word, a space and its float32 numbers."""
    del choice  # it holds one table
    with file.open() as stream:
        header = re.fullmatch(rb"(\d+) (\d+)\s*\n", stream.readline(100))
        if header is None:
            raise TableError("file", file=file.name, known=(".vec", ".txt", ".npy"))
        n_rows, n_columns = int(header[1]), int(header[2])
        limits.check_shape(file.name, (n_rows, n_columns))
        if n_rows * 4 * n_columns > file.size():
            raise TableError("damaged", file=file.name, format="word2vec")
        vectors, labels = np.empty((n_rows, n_columns), "<f4"), []
        for row in vectors:
            label = b""
            while (byte := stream.read(1)) not in (b" ", b""):
                label += byte
            labels.append(label.lstrip(b"\n").decode("utf-8", "replace"))
            if stream.readinto(row.view(np.uint8)) < row.nbytes:  # type: ignore[attr-defined]
                raise TableError("damaged", file=file.name, format="word2vec")
    return Parts(vectors, labels)
