"""Measures, and their context: a text in several orders, and its tokens drawn at random."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from embedlib.positional import PositionalScheme
from embedlib.transformer.attention import check_rows
from embedlib.transformer.layer import SharedLayer

# Shuffled sequences are cut to this length, and as many are drawn as make this many tokens.
LONGEST = 32
_TOKENS = 768


def reordered_texts(rows: Tensor) -> dict[str, Tensor]:
    """Return a text as it is, and in other orders.

    Returns: Name to rows, (seq_len, d_model): "as it is"; "swap", where the first token and the one nearest the middle
    that differs from it have changed places, unless all are the same; "reversal", read from its end, unless that reads
    the same.
    """
    texts = {"as it is": rows}
    order = _swap_order(rows)
    if order is not None:
        texts["swap"] = rows[order]
    reversed_rows = rows.flip(0)
    if not torch.equal(reversed_rows, rows):
        texts["reversal"] = reversed_rows
    return texts


def shuffled_texts(rows: Tensor, *, seed: int) -> Tensor:
    """Return texts of tokens drawn from one at random with replacement, which tell nothing about where they stand.

    Returns: (n_sequences, at most 32, d_model) float32 on the CPU, about 768 tokens.
    """
    length = min(len(rows), LONGEST)
    generator = torch.Generator().manual_seed(seed)
    choice = torch.randint(len(rows), (_TOKENS // length, length), generator=generator)
    return rows.detach().to("cpu", torch.float32)[choice]


def _swap_order(rows: Tensor) -> Tensor | None:
    """Return the order of rows in which two different ones have changed places, (seq_len,)."""
    position = torch.arange(len(rows))
    different = position[(rows != rows[0]).any(dim=1).cpu()]
    if not len(different):
        return None
    second = different[(different - len(rows) // 2).abs().argmin()]
    order = position.clone()
    order[0], order[second] = second, 0
    return order.to(rows.device)


@dataclass(frozen=True, eq=False)
class MeasureContext:
    """The text and the seed that all schemes are measured on, with what the measures of all of them share.

    Time and memory grow with seq_len²: with 4 heads, all measures of one scheme take about 12 ms at 64 positions, 0.3 s
    and 0.1 GB at 512, 2 to 6 s and 1 GB at 2,000. Longer texts are best cut. What is shared is made when it is first
    asked for, and takes 0.1 GB at d_model 1,024.

    Attributes:
        seq_len: number of positions, at least 1.
        rows: (seq_len, d_model) token rows of the text, without positions.
        seed: of every random draw, in [0, 2^63).
    """

    seq_len: int
    rows: Tensor
    seed: int

    def __post_init__(self) -> None:
        """Check that the rows are as many as the positions."""
        check_rows(self.rows)
        if self.rows.ndim != 2 or self.rows.shape[0] != self.seq_len:
            raise ValueError(f"rows has shape {tuple(self.rows.shape)}: it must be (seq_len={self.seq_len}, d_model)")

    @cached_property
    def reordered_layer(self) -> tuple[list[str], SharedLayer]:
        """The text as it is and then in other orders, in float64 on the CPU, and which measure each is for."""
        texts = reordered_texts(self.rows)
        rows = torch.stack(list(texts.values())).detach().to("cpu", torch.float64)  # (n_texts, seq_len, d_model)
        return [f"word_order_{name}" for name in texts], SharedLayer(rows, seed=self.seed)

    @cached_property
    def shuffled_layer(self) -> SharedLayer:
        """Sequences of the text's tokens drawn at random, in float32 on the CPU."""
        return SharedLayer(shuffled_texts(self.rows, seed=self.seed), seed=self.seed)


def has_positions(scheme: PositionalScheme, count: int) -> bool:
    """Return whether a scheme defines positions 0 … count - 1."""
    return scheme.any_length or count <= scheme.max_seq_len


@dataclass(frozen=True, slots=True)
class Measure:
    """One number that tells schemes apart.

    Attributes:
        name: the key in MEASURES.
        title: short name for a table's head, English, marked for translation.
        summary: one plain sentence on how to read it; English, marked for translation.
        reads: what it is computed from: which tokens, and how many positions at most; English, marked for translation.
        reads_text: whether the rows of the context count; where they do not, the value is the same on every text of
            this length.
        compute: takes a scheme and a context; None where the measure is not defined for this scheme or this text.
        together: where several measures come out of one computation: that, each by its name.
    """

    name: str
    title: str
    summary: str
    reads: str
    reads_text: bool
    compute: Callable[[PositionalScheme, MeasureContext], float | None]
    together: Callable[[PositionalScheme, MeasureContext], Mapping[str, float | None]] | None = None
