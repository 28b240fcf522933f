"""Measure alternatives side by side, so that what else the machine does falls on both."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Samples:
    """What one thing took, in seconds, in the order of the rounds."""

    seconds: list[float]

    @property
    def median(self) -> float:
        """The middle of all rounds."""
        return median(self.seconds)

    def __str__(self) -> str:
        """Write median, fastest and slowest in a readable unit."""
        return f"{in_unit(self.median)} ({in_unit(min(self.seconds))} to {in_unit(max(self.seconds))})"


def interleaved(ours: Callable[[], float], theirs: Callable[[], float], *, rounds: int) -> tuple[Samples, Samples]:
    """Measure two things in turns, first one first and then the other first.

    Args:
        ours: does its work once and returns the seconds it took.
        theirs: the same for what it is compared with.
        rounds: how often each is measured, at least 1; one more round before is thrown away.

    Returns:
        The samples of both, in the same order.
    """
    samples: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 1):
        order = ((0, ours), (1, theirs)) if number % 2 else ((1, theirs), (0, ours))
        for index, measure in order:
            samples[index].append(measure())
    return Samples(samples[0][1:]), Samples(samples[1][1:])


def ratio(ours: Samples, theirs: Samples) -> float:
    """Compare round by round and return the median: a slow minute counts on both sides of its own round."""
    return median(mine / other for mine, other in zip(ours.seconds, theirs.seconds, strict=True))


def seconds_of(work: Callable[[], object]) -> float:
    """Return how long one call takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def in_unit(seconds: float) -> str:
    """Write a duration with three significant digits, in s or ms."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def a_million_steps() -> None:
    """Do what times are counted in."""
    total = 0
    for number in range(1_000_000):
        total += number & 7


def seconds_of_processor(work: Callable[[], object]) -> float:
    """Return the processor's time for one call in this process."""
    started = time.process_time()
    work()
    return time.process_time() - started


def processor_of(pid: int) -> float:
    """Return the processor's time of another process, threads that have ended included, in seconds."""
    return time.clock_gettime((~pid << 3) | 2)  # what clock_getcpuclockid(3) of Linux returns, in nanoseconds


async def at_rest(pid: int) -> None:
    """Wait until a server has done what it does by itself after its start."""
    before = -1.0
    while (now := processor_of(pid)) - before > 0.03:
        before = now
        await asyncio.sleep(1)
