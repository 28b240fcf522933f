"""Results of a recording's kept steps for the panels: computed once for all visitors, a few in every rerun."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from torch import Tensor

from embedlib.figures import step_coordinate
from embedlib.grammar import RELATIONS, pairs
from embedlib.neighbours import RowRanks, analogy_ranks, neighbour_ranks
from embedlib.word2vec import MAX_STORED, KindScore, RowChanges, analogy_scores, kind_score, row_changes
from ui.cache.bounded import memo
from ui.training.view import Recording

Value = TypeVar("Value")

MOST_DRAWN = 40  # points along a chart's axis, each about ten pixels from the next
SPEND = 0.022  # seconds per rerun and series, about, while a training runs
_LEAP = 0.15
REST = 0.3  # seconds before the next: several places of a page look, and several visitors


@dataclass(eq=False)
class _Series(Generic[Value]):
    """Cached results of some steps of a recording."""

    nbytes: int
    known: dict[int, Value] = field(default_factory=dict)
    rests_until: float = 0.0  # on the clock
    lock: threading.Lock = field(default_factory=threading.Lock)


def _recording_key(recording: Recording, *rest: Hashable) -> Hashable:
    """Return the cache key of a recording's results."""
    return (recording.request, *rest)


def drawn_steps(recording: Recording) -> list[int]:
    """Return the kept steps that charts draw: evenly along their axis, the same however far training is."""
    last = max(recording.request.config.steps, 1)
    stretches: dict[int, int] = {}
    for step in recording.kept_steps:
        stretches.setdefault(int(MOST_DRAWN * step_coordinate(step) / step_coordinate(last)), step)
    return list(stretches.values())


def scores(recording: Recording, step: int) -> dict[int, KindScore]:
    """Return the scores computed so far of the steps that charts draw, and of one step; empty without kinds."""
    if not recording.has_kinds:
        return {}
    return _compute_over_steps(
        recording, "scores", lambda rows: kind_score(rows, recording.kinds), step=step, number_bytes=8
    )


def right_analogies(recording: Recording, step: int) -> dict[int, dict[str, tuple[int, int]]]:
    """Return for each relation with words here how many of its analogies are right, and their number; as `scores`."""

    def work(rows: Tensor) -> dict[str, tuple[int, int]]:
        relations = analogy_scores(rows, recording.history.words, _relations())
        return {name: (int((one.ranks == 1).sum()), len(one.ranks)) for name, one in relations.items()}

    return _compute_over_steps(recording, "analogies", work, step=step, number_bytes=8)


def first_good_step(recording: Recording, share: float) -> int | None:
    """Return the first kept step whose score reaches a share; None for none, or until it is computed."""
    if recording.state == "training" or not recording.has_kinds:
        return None
    drawn = {step: one.score for step, one in scores(recording, recording.last).items()}
    above = next((step for step, score in drawn.items() if score >= share), None)
    if above is None:
        return None
    # What is far below is not looked at again: no step leaps so far and back.
    below = max((step for step, score in drawn.items() if step < above and score < share - _LEAP), default=-1)
    between = [step for step in recording.kept_steps if below < step < above]
    return _step_reaching(recording, share, tuple(between), above)


@memo(key=_recording_key)
def _step_reaching(recording: Recording, share: float, steps: tuple[int, ...], last: int) -> int:
    rows, kinds = recording.history.rows, recording.kinds
    return next((step for step in steps if kind_score(rows(step), kinds).score >= share), last)


def word_ranks(recording: Recording, step: int, row: int) -> dict[int, Tensor]:
    """Return the rank of every word around one, (n_rows,) int32, for the steps that charts draw and one step."""
    return _compute_over_steps(
        recording, row, lambda rows: neighbour_ranks(rows, row).ranks.int(), step=step, number_bytes=4
    )


def answer_ranks(recording: Recording, step: int, analogy: tuple[int, int, int]) -> dict[int, Tensor]:
    """Return the rank of every word as the answer to an analogy, as `word_ranks` does."""
    return _compute_over_steps(
        recording, analogy, lambda rows: analogy_ranks(rows, *analogy).ranks.int(), step=step, number_bytes=4
    )


@memo(key=_recording_key)
def neighbour_ranks_at(recording: Recording, step: int, row: int) -> RowRanks:
    """Return cosines and ranks of all rows of a step around one."""
    return neighbour_ranks(recording.history.rows(step), row)


@memo(key=_recording_key)
def analogy_ranks_at(recording: Recording, step: int, analogy: tuple[int, int, int]) -> RowRanks:
    """Return cosines and ranks of all rows of a step around a - b + c."""
    return analogy_ranks(recording.history.rows(step), *analogy)


@memo(key=_recording_key)
def row_moves_between(recording: Recording, start: int, stop: int) -> RowChanges:
    """Return how far each row moved from one kept step to another."""
    return row_changes(recording.history.rows(start), recording.history.rows(stop))


@memo()
def _relations() -> dict[str, list[tuple[str, str]]]:
    return {relation: pairs(relation) for relation in RELATIONS}


def _compute_over_steps(
    recording: Recording, what: Hashable, work: Callable[[Tensor], Value], *, step: int, number_bytes: int
) -> dict[int, Value]:
    """Compute the missing results of the drawn steps, the widest gaps first; all of them unless training."""
    wanted = drawn_steps(recording)
    series: _Series[Value] = _result_series(recording, what, number_bytes)
    with series.lock:  # who else asks meanwhile finds it done
        began, whole = time.monotonic(), recording.state != "training"
        rests = began < series.rests_until
        for one in [step, recording.last, *_coarse_to_fine(wanted)]:
            spend = whole or (not rests and time.monotonic() < began + SPEND)
            if one not in series.known and (spend or one in (step, recording.last)):
                series.known[one] = work(recording.history.rows(one))
                series.rests_until = time.monotonic() + REST
        drawn = {*wanted, step, recording.last}
        return {one: series.known[one] for one in sorted(drawn) if one in series.known}


@memo(64_000_000, key=_recording_key)
def _result_series(recording: Recording, what: Hashable, number_bytes: int) -> _Series[Any]:
    """Return the cached results of a recording's steps, empty at first."""
    return _Series(number_bytes * MAX_STORED * len(recording.history.words))


def _coarse_to_fine(steps: list[int]) -> list[int]:
    """Order steps so that every prefix is spread about evenly over all of them."""
    order, stride = [0], 1
    while stride < len(steps):
        stride *= 2
    while stride > 1:
        order += range(stride // 2, len(steps), stride)
        stride //= 2
    return [steps[index] for index in order] if steps else []
