"""Windows over a text's ids, with the next id as target, and the batches that a DataLoader makes of them.

Order and numbers of the batches are computed without a DataLoader, and so is the use of each id in an epoch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from embedlib.errors import CodedError


@dataclass(frozen=True)
class WindowPlan:
    """Plan of the windows and batches of a text, given its number of ids alone.

    Window w holds the ids from ``w * stride`` on, and its targets are one id further. The batches are those of
    ``DataLoader(windows, batch_size=…, shuffle=…, drop_last=…, generator=torch.Generator().manual_seed(seed))`` in its
    first epoch.

    Attributes:
        n_ids: ids of the text, at least ``max_length + 1``.
        max_length: ids per window, at least 1.
        stride: ids from one window's start to the next one's, at least 1.
        batch_size: windows per batch, at least 1; the last batch may hold fewer.
        shuffle: whether the windows are in random order.
        seed: of that order, 0 … 2^63 - 1; unused without shuffle.
        drop_last: whether an incomplete last batch is left out.

    Raises:
        ValueError: a size below 1, or a seed out of range.
        CodedError: too few ids for a window, or too few windows for the only batch.

    Source: https://docs.pytorch.org/docs/stable/data.html#torch.utils.data.DataLoader
    """

    n_ids: int
    max_length: int
    stride: int
    batch_size: int
    shuffle: bool = False
    seed: int = 123
    drop_last: bool = False

    def __post_init__(self) -> None:
        """Check the sizes, first one by one and then together."""
        for name in ("max_length", "stride", "batch_size"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)} must be at least 1")
        if not 0 <= self.seed < 2**63:
            raise ValueError(f"seed={self.seed} must be in 0 … 2^63 - 1")
        if self.n_ids <= self.max_length:
            raise CodedError(
                "too_short",
                f"n_ids={self.n_ids}: a window of max_length={self.max_length} and its targets need "
                f"{self.max_length + 1}; give a longer text or a smaller max_length",
                n_ids=self.n_ids,
                max_length=self.max_length,
            )
        if self.n_batches == 0:
            raise CodedError(
                "no_batch",
                f"batch_size={self.batch_size} is more than the {self.n_windows} windows, and drop_last=True leaves "
                "out a batch that is not full: take a smaller batch_size, or drop_last=False",
                n_windows=self.n_windows,
                batch_size=self.batch_size,
            )

    @property
    def n_windows(self) -> int:
        """Number of complete windows, dropped ones included."""
        return (self.n_ids - self.max_length - 1) // self.stride + 1

    @property
    def n_batches(self) -> int:
        """Number of batches of an epoch."""
        full, rest = divmod(self.n_windows, self.batch_size)
        return full + (rest > 0 and not self.drop_last)

    @property
    def n_dropped(self) -> int:
        """Number of windows in no batch, because the last one was incomplete."""
        return max(0, self.n_windows - self.n_batches * self.batch_size)

    @property
    def n_left_over(self) -> int:
        """Number of ids at the end that are in no window, as input or as target."""
        return self.n_ids - ((self.n_windows - 1) * self.stride + self.max_length + 1)

    @cached_property
    def _shuffled_windows(self) -> Tensor:
        """The shuffled windows: a DataLoader draws the base seed of its workers before its sampler draws the order."""
        generator = torch.Generator().manual_seed(self.seed)
        torch.empty((), dtype=torch.int64).random_(generator=generator)
        return torch.randperm(self.n_windows, generator=generator)  # (n_windows,)

    @cached_property
    def dropped_windows(self) -> Tensor:
        """Indices of the windows in no batch, (n_dropped,) int64: the last ones, in shuffled order if there is one."""
        first = self.n_windows - self.n_dropped
        return self._shuffled_windows[first:] if self.shuffle else torch.arange(first, self.n_windows)

    def windows(self, batch: int) -> Tensor:
        """Return the windows of a batch, in its order: (n_samples,) int64, at most batch_size."""
        if not 0 <= batch < self.n_batches:
            raise ValueError(f"batch={batch} must be in 0 … {self.n_batches - 1}")
        first = batch * self.batch_size
        last = min(first + self.batch_size, self.n_windows)
        return self._shuffled_windows[first:last] if self.shuffle else torch.arange(first, last)

    def batch(self, token_ids: Tensor, batch: int) -> tuple[Tensor, Tensor]:
        """Return a batch's inputs and targets from the text's ids, copies of (n_samples, max_length) int64."""
        if token_ids.shape != (self.n_ids,):
            raise ValueError(f"token_ids.shape={tuple(token_ids.shape)} must be ({self.n_ids},), as planned")
        if token_ids.is_floating_point() or token_ids.is_complex() or token_ids.dtype == torch.bool:
            raise ValueError(f"token_ids.dtype={token_ids.dtype} must be an integer type, such as torch.int64")
        starts = self.windows(batch) * self.stride  # (n_samples,)
        positions = starts[:, None] + torch.arange(self.max_length + 1)  # (n_samples, max_length + 1)
        cut = token_ids[positions.to(token_ids.device)].to(torch.int64)
        return cut[:, :-1].clone(), cut[:, 1:].clone()  # (n_samples, max_length) each

    def batches_containing(self, position: int) -> list[int]:
        """Return the batches with the text's id at `position` among their inputs, in order.

        None for an id between windows, at the end, or in dropped windows only.
        """
        if not 0 <= position < self.n_ids:
            raise ValueError(f"position={position} must be in 0 … {self.n_ids - 1}")
        newest = min(position // self.stride, self.n_windows - 1)
        oldest = max(0, (position - self.max_length) // self.stride + 1)
        windows = torch.arange(oldest, max(oldest, newest + 1))
        turns = torch.isin(self._shuffled_windows, windows).nonzero()[:, 0] if self.shuffle else windows
        batches = turns.div(self.batch_size, rounding_mode="floor").unique()  # type: ignore[no-untyped-call]
        return [batch for batch in batches.tolist() if batch < self.n_batches]

    def coverage(self, first: int = 0, last: int | None = None) -> Tensor:
        """Count for each id how many windows of the batches have it as input: (last - first,) int64.

        0 between windows and at the end, 1 where windows do not overlap, more where they do. Dropped windows do not
        count; `last` None is n_ids.
        """
        positions = self._positions(first, last)
        newest = (positions // self.stride).clamp(max=self.n_windows - 1)  # the last window that began at or before it
        n_ended = (positions - self.max_length).div(
            self.stride, rounding_mode="floor"
        ) + 1  # windows that ended before it
        counts = (newest - n_ended.clamp(min=0) + 1).clamp(min=0)  # (last - first,)
        return counts - self.dropped_coverage(first, last) if self.n_dropped else counts

    def dropped_coverage(self, first: int = 0, last: int | None = None) -> Tensor:
        """Count for each id how many dropped windows have it as input; otherwise as coverage."""
        count = len(self._positions(first, last))
        starts = self.dropped_windows * self.stride - first  # (n_dropped,)
        starting, ending = (
            torch.bincount(positions.clamp(0, count), minlength=count + 1)
            for positions in (starts, starts + self.max_length)
        )
        return (starting - ending).cumsum(0)[:count]  # (last - first,)

    def _positions(self, first: int, last: int | None) -> Tensor:
        stop = self.n_ids if last is None else last
        if not 0 <= first <= stop <= self.n_ids:
            raise ValueError(f"first={first}, last={stop} must be 0 ≤ first ≤ last ≤ {self.n_ids}")
        return torch.arange(first, stop)


@dataclass(frozen=True)
class WindowUse:
    """Counts of the ids that an epoch uses; the last four of these and `inputs` add up to all ids.

    Attributes:
        inputs: ids that are an input of at least one window.
        repeated: those among them that are an input of more than one.
        target_only: ids that are the last target of a window and an input of none.
        dropped_only: ids that are inputs or last targets of dropped windows only.
        between: ids between two windows: the stride is more than the length.
        left_over: ids after the last window, too few for one more.
    """

    inputs: int
    repeated: int
    target_only: int
    dropped_only: int
    between: int
    left_over: int


def window_use(plan: WindowPlan) -> WindowUse:
    """Count the uses of a text's ids in an epoch, or in the first epoch of the seed with shuffle and drop_last."""
    coverage = plan.coverage()  # (n_ids,)
    ends = torch.arange(plan.n_windows) * plan.stride + plan.max_length  # (n_windows,), each window's last target
    is_target = torch.zeros(plan.n_ids, dtype=torch.bool)
    is_target[ends] = True
    is_target[ends[plan.dropped_windows]] = False
    is_input = coverage > 0
    rest = (~is_input).nonzero()[:, 0]  # few, as a rule
    target_only = int(is_target[rest].sum())
    dropped_only = 0
    if plan.n_dropped:
        is_dropped = plan.dropped_coverage() > 0
        is_dropped[ends[plan.dropped_windows]] = True
        dropped_only = int((is_dropped & ~is_target)[rest].sum())
    counts = [plan.n_ids - len(rest), target_only, dropped_only]
    return WindowUse(
        inputs=counts[0],
        repeated=int((coverage > 1).sum()),
        target_only=counts[1],
        dropped_only=counts[2],
        between=plan.n_ids - sum(counts) - plan.n_left_over,
        left_over=plan.n_left_over,
    )


def sliding_windows(token_ids: Sequence[int] | Tensor, *, max_length: int, stride: int) -> tuple[Tensor, Tensor]:
    """Cut ids into windows of equal length, each with its targets one id further on.

    Only whole windows are made: ids at the end that do not fill one are left out. Windows overlap by
    ``max_length - stride`` ids where stride is the smaller, and skip ids where it is the larger.

    Args:
        token_ids: (n_ids,) integers, at least ``max_length + 1`` of them.
        max_length: ids per window, at least 1.
        stride: ids from one window's start to the next one's, at least 1.

    Returns:
        inputs and targets, each (n_windows, max_length) int64 on the device of token_ids, sharing no memory with it;
        ``targets[w, i]`` is the id that follows ``inputs[w, i]`` in the text.

    Raises:
        ValueError: max_length or stride < 1, or token_ids not one-dimensional, not integers, or too few.

    >>> from embedlib import sliding_windows
    >>> inputs, targets = sliding_windows([1, 2, 3, 4, 5], max_length=2, stride=2)
    >>> inputs.tolist(), targets.tolist()
    ([[1, 2], [3, 4]], [[2, 3], [4, 5]])
    """
    ids = torch.as_tensor(token_ids)
    if ids.dim() != 1:
        raise ValueError(f"token_ids.shape={tuple(ids.shape)} must be (n_ids,): pass one text at a time")
    plan = WindowPlan(len(ids), max_length, stride, batch_size=max(1, len(ids)))  # all windows are one batch
    return plan.batch(ids, 0)  # (n_windows, max_length) each
