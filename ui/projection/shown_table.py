"""A table in view: its rows, what they stand for, and where its numbers come from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.tables.names import RowNames
from embedlib.tokenizers.labels import token_label


@dataclass(frozen=True, eq=False)
class Names:
    """What the rows stand for.

    Attributes:
        texts: as they are, to search in.
        labels: as they are written, every sign visible.
        pieces: as bytes, where the table is a tokenizer's; None where they are words.
        tokenizer: what cuts a text into rows; None: by the words themselves.
        found: rows by word.
        columns: what else is known of each row.
    """

    texts: Sequence[str]
    labels: Sequence[str]
    pieces: Sequence[bytes] | None
    tokenizer: str | None
    found: RowNames
    columns: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ShownTable:
    """A table in view.

    Attributes:
        key: what its numbers are kept under; another table never has it.
        source: "learned", "grammar", "random", OWN, or the name of a file in the server's folder.
        vectors: (n_rows, d_model); a file that is read in place where it is an array.
        names: what the rows stand for.
        told: where its numbers come from, one sentence.
        counts: how often each row was met where it was learned; None where that is not known.
        groups: which group of meaning each row belongs to, (n_rows,), and what the groups are called; None where that
            is not known.
    """

    key: str
    source: str
    vectors: "Tensor | NDArray[Any]"
    names: Names
    told: str
    counts: Sequence[int] | None = None
    groups: tuple[NDArray[np.int64], Sequence[str]] | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.vectors.shape[0])

    @property
    def d_model(self) -> int:
        """Row width."""
        return int(self.vectors.shape[1])

    def rows(self, ids: Sequence[int] | NDArray[np.int64]) -> Tensor:
        """Return some rows, (len(ids), d_model) float32 on the CPU."""
        if isinstance(self.vectors, Tensor):
            wanted = torch.as_tensor(np.asarray(ids, dtype=np.int64), device=self.vectors.device)
            return self.vectors[wanted].detach().float().cpu()
        return torch.from_numpy(np.asarray(self.vectors[np.asarray(ids, dtype=np.int64)], dtype=np.float32))


def word_names(texts: Sequence[str], columns: dict[str, list[str]] | None = None) -> Names:
    """Name rows that stand for words, or for whatever a file says."""
    labels = [token_label(text.encode("utf-8", "replace")).replace("·", " ") for text in texts]
    return Names(texts, labels, None, None, RowNames(texts), columns or {})
