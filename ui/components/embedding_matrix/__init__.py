"""The embedding matrix E as a tall strip, with the rows of the text's tokens beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from embedlib.components.payload import pack
from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.data import SharedData, serve

__all__ = ["LABELS", "MatrixRow", "Strip", "embedding_matrix", "matrix_strip"]

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "strip": N_(
        "The embedding matrix E: {vocab_size} rows of {d_model} dimensions. Rows that the text picks: {marked}."
    ),
    "rows": N_("E has V = {vocab_size} rows"),
    "columns": N_("d = {d_model} dimensions in each"),
    "list": N_("Rows of the tokens"),
    "dimension": N_("dimension"),
    "cell": N_("row {id}, dimension {column}: {value}"),
    "in_sight": N_("Shown: {first} to {last} of {total} tokens; scroll for more"),
    "repeated": N_("row {id}, picked {count} times"),
    "picked": N_("row {id}"),
    "by_chance": N_("random"),
}

_component = register("embedding_matrix", "embedding_matrix", styles=["_shared/strip.css"])


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A row of E of a token of the text.

    Attributes:
        position: of the token in the text, from 0.
        id: of the token, which is the index of the row.
        label: how the token is written on the screen.
        by_chance: whether the row is random among others that are not, which is said beside it.
    """

    position: int
    id: int
    label: str
    by_chance: bool = False


@dataclass(frozen=True, slots=True)
class Strip:
    """Evenly spaced rows of E, from the first to the last.

    Attributes:
        values: lines * columns numbers, row by row, as the upper halves of float32 (bfloat16): to 0.4 %, which is what
            the 255 colours tell apart. The browser colours them, so that another limit needs no other strip.
        lines: how many rows of E.
        columns: how many of its columns.
        vocab_size: how many rows E has.
    """

    values: SharedData
    lines: int
    columns: int
    vocab_size: int

    @property
    def header(self) -> dict[str, int]:
        """Return its sizes for the browser."""
        return {"lines": self.lines, "columns": self.columns, "vocab_size": self.vocab_size}


def matrix_strip(table: Tensor, *, max_lines: int = 420, max_columns: int = 96) -> Strip:
    """Sample the rows and columns of E for a strip of a few hundred lines; none is averaged.

    Of a finite (vocab_size, d_model) table; line i shows the row under its middle.
    """
    picked = table.detach()[_middles(table.shape[0], max_lines).to(table.device)]  # (lines, d_model)
    picked = picked[:, _middles(table.shape[1], max_columns).to(table.device)]  # (lines, columns)
    halves = picked.to("cpu", torch.bfloat16).contiguous().view(torch.int16).numpy()
    lines, columns = picked.shape
    return Strip(SharedData(halves.astype("<i2", copy=False).tobytes()), lines, columns, vocab_size=table.shape[0])


def _middles(length: int, at_most: int) -> Tensor:
    count = min(length, at_most)
    return (2 * torch.arange(count) + 1) * length // (2 * count)  # (count,)


def embedding_matrix(
    strip: Strip,
    *,
    rows: Sequence[MatrixRow],
    values: Tensor,
    colours: Sequence[str],
    limit: float,
    labels: Mapping[str, str],
    key: str,
) -> None:
    """Draw E with the rows of the text's tokens.

    `values` are the rows, (n_rows, d_model) float32; the diverging scale ends at `limit` on both sides.
    """
    header = strip.header | {
        "d_model": values.shape[1],
        "positions": [row.position for row in rows],
        "ids": [row.id for row in rows],
        "tokens": [row.label for row in rows],
        "by_chance": [row.by_chance for row in rows],
        "colours": list(colours),
        "limit": limit,
        "labels": dict(labels),
    }
    _component(key=key, data=pack(header, [values.float()], shared=serve(strip.values)))
