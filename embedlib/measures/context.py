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
    """Return a text, (seq_len, d_model), "as it is" and in other orders that differ from it.

    "swap" exchanges the first token and the one nearest the middle that differs from it; "reversal" reads from the end.
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
    """Draw texts from the tokens of one, with replacement, so that tokens are independent of their positions.

    Returns (n_sequences, at most 32, d_model) float32 on the CPU, about 768 tokens.
    """
    length = min(len(rows), LONGEST)
    generator = torch.Generator().manual_seed(seed)
    choice = torch.randint(len(rows), (_TOKENS // length, length), generator=generator)
    return rows.detach().to("cpu", torch.float32)[choice]


def _swap_order(rows: Tensor) -> Tensor | None:
    """Return the order of rows with two different ones exchanged, (seq_len,); None if all are equal."""
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
    """The text and the seed that all schemes are measured on, with cached intermediate results.

    Time and memory grow with seq_len²: with 4 heads, all measures of one scheme take about 12 ms at 64 positions, 0.3 s
    and 0.1 GB at 512, 2 to 6 s and 1 GB at 2,000. The cache takes 0.1 GB at d_model 1,024.

    Attributes:
        rows: (seq_len, d_model) token rows of the text, without positions.
        seed: of every random draw, in [0, 2^63).
    """

    seq_len: int
    rows: Tensor
    seed: int

    def __post_init__(self) -> None:
        """Check that there is a row for each position."""
        check_rows(self.rows)
        if self.rows.ndim != 2 or self.rows.shape[0] != self.seq_len:
            raise ValueError(f"rows has shape {tuple(self.rows.shape)}: it must be (seq_len={self.seq_len}, d_model)")

    @cached_property
    def reordered_layer(self) -> tuple[list[str], SharedLayer]:
        """One layer over the text in each order, and the measure's name of each order; in float64 on the CPU."""
        texts = reordered_texts(self.rows)
        rows = torch.stack(list(texts.values())).detach().to("cpu", torch.float64)  # (n_texts, seq_len, d_model)
        return [f"word_order_{name}" for name in texts], SharedLayer(rows, seed=self.seed)

    @cached_property
    def shuffled_layer(self) -> SharedLayer:
        """One layer over sequences of the text's tokens drawn at random, in float32 on the CPU."""
        return SharedLayer(shuffled_texts(self.rows, seed=self.seed), seed=self.seed)


def has_positions(scheme: PositionalScheme, count: int) -> bool:
    """Return whether a scheme defines positions 0 … count - 1."""
    return scheme.any_length or count <= scheme.max_seq_len


@dataclass(frozen=True, slots=True)
class Measure:
    """One number by which schemes are compared.

    Attributes:
        name: the key in MEASURES.
        title: table heading; English, marked for translation, as are `summary` and `basis`.
        summary: one sentence on how to read it.
        basis: which tokens it is computed from, and how many positions at most.
        reads_text: False if the value is the same for every text of this length.
        compute: returns None where the measure is not defined for this scheme or text.
        compute_joint: computes several measures at once, by name.
    """

    name: str
    title: str
    summary: str
    basis: str
    reads_text: bool
    compute: Callable[[PositionalScheme, MeasureContext], float | None]
    compute_joint: Callable[[PositionalScheme, MeasureContext], Mapping[str, float | None]] | None = None
