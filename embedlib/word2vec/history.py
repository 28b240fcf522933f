"""The course of a training of rows: every loss, the rows at chosen steps, and how far rows moved between two."""

from dataclasses import dataclass

import torch
from torch import Tensor

from embedlib.word2vec.skip_gram import SkipGramConfig


@dataclass(frozen=True, eq=False)
class RowChanges:
    """Movements of rows between two steps.

    Attributes:
        moves: (n_rows,) float32 Euclidean distances.
        order: (n_rows,) int64, the rows that moved most first; of equal ones the lower first.
    """

    moves: Tensor
    order: Tensor


def row_changes(before: Tensor, after: Tensor) -> RowChanges:
    """Measure how far each row of (n_rows, d_model) has moved, on the CPU."""
    if before.ndim != 2 or before.shape != after.shape:
        raise ValueError(f"before {tuple(before.shape)} and after {tuple(after.shape)} must be (n_rows, d_model) both")
    way = after.detach().cpu().double() - before.detach().cpu().double()  # (n_rows, d_model)
    moves = torch.linalg.vector_norm(way, dim=1).float()
    return RowChanges(moves, moves.argsort(descending=True, stable=True))


AHEAD = 100  # steps after which rows of the grammar lie by meaning: .89 of ten neighbours are of the same kind
MAX_STORED = 120
BUDGET = 40_000_000  # bytes of stored rows in one history
_FEWEST_KEPT = 8
_FIRST = 10  # the cloud moves most at the beginning, so that each of these steps is kept where there is room


def axes_step(config: SkipGramConfig) -> int:
    """Return the step whose rows determine a run's axes before the run is over."""
    return min(AHEAD, config.steps)


def steps_to_store(config: SkipGramConfig, vocab_size: int) -> tuple[int, ...]:
    """Choose the steps whose rows are stored: close together at first, then at evenly growing distances.

    Rising; 0, the step of the axes and the last are among them, and every step up to 10 where there is room for
    MAX_STORED. All take at most BUDGET bytes, but a few are stored whatever they take.
    """
    steps = config.steps
    room = min(MAX_STORED, max(_FEWEST_KEPT, BUDGET // (4 * vocab_size * config.d_model)))
    if steps < room:
        return tuple(range(steps + 1))
    chosen = {0, axes_step(config), steps}
    if room == MAX_STORED:
        chosen |= set(range(_FIRST + 1))
    n_spaced = room - len(chosen)
    # Squares of equal parts: at 1,000 steps their distance grows from 1 to 19.
    chosen |= {round(steps * (index / n_spaced) ** 2) for index in range(1, n_spaced + 1)}
    return tuple(sorted(chosen))


class RowHistory:
    """The course of one training. One thread writes it, any may read it meanwhile.

    `counts`, (vocab_size,), are the frequencies of the words.
    """

    def __init__(self, words: tuple[str, ...], counts: Tensor, config: SkipGramConfig) -> None:
        self.words = words
        self.counts = counts
        self.config = config
        self._losses = torch.full((config.steps + 1,), torch.nan)
        self._rows: dict[int, Tensor] = {}
        self._kept: tuple[int, ...] = ()
        self._last = 0

    def add(self, step: int, loss: float, rows: Tensor | None = None) -> None:
        """Record a step in [0, config.steps], in order, and copy its rows, (vocab_size, d_model), if given."""
        if step < self._last:
            raise ValueError(f"step={step} must not come before {self._last}, which was noted already")
        self._losses[step] = loss
        if rows is not None and step not in self._rows:
            self._rows[step] = rows.detach().to("cpu", torch.float32, copy=True)
            self._kept = (*self._kept, step)  # last, so that who reads a step finds its rows
        self._last = step

    def add_rows(self, step: int, rows: Tensor) -> None:
        """Store the rows, (vocab_size, d_model), of an earlier step, to which a diverged training was reset."""
        if step > self._last:
            raise ValueError(f"step={step} must be at most {self._last}, the last one that was noted")
        if step not in self._rows:
            self._rows[step] = rows.detach().to("cpu", torch.float32, copy=True)
            self._kept = tuple(sorted((*self._kept, step)))

    @property
    def last(self) -> int:
        """The last recorded step."""
        return self._last

    @property
    def steps(self) -> tuple[int, ...]:
        """The steps with stored rows, rising."""
        return self._kept

    @property
    def losses(self) -> Tensor:
        """The loss of every step so far, (last + 1,) float32, read-only; NaN for steps before a resumed training."""
        return self._losses[: self._last + 1]

    @property
    def nbytes(self) -> int:
        """Bytes of the stored rows."""
        return sum(rows.nbytes for rows in list(self._rows.values()))

    def rows(self, step: int) -> Tensor:
        """Return the rows of a stored step, (vocab_size, d_model) float32 on the CPU, read-only.

        KeyError for others.
        """
        return self._rows[step]
