"""Measure alternatives in turns, so that other load of the machine affects both."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import torch

ROOT = Path(__file__).parent.parent
# Linux forgets the earlier maximum when 5 is written to clear_refs: preparing may have needed more than the work does.
_ALONE = """
import json, time
from pathlib import Path
def kilobytes(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))
{prepare}
ever, seconds, peaks = kilobytes("VmHWM"), [], []
Path("/proc/self/clear_refs").write_text("5")
before = kilobytes("VmRSS")
for _ in range({rounds}):
    started = time.perf_counter()
    {work}
    seconds.append(time.perf_counter() - started)
    peaks.append(kilobytes("VmHWM"))
megabytes = 1024 / 1e6
print(json.dumps([seconds, [(peak - before) * megabytes for peak in peaks], max(ever, peaks[-1]) * megabytes]))
"""
CAN_SAY_PEAKS = Path("/proc/self/clear_refs").exists()


@dataclass(frozen=True)
class Samples:
    """Measured seconds of one thing, in the order of the rounds."""

    seconds: list[float]

    @property
    def median(self) -> float:
        """The middle of all rounds."""
        return median(self.seconds)

    def __str__(self) -> str:
        """Write median, fastest and slowest in a readable unit."""
        median, least, greatest = map(format_seconds, (self.median, min(self.seconds), max(self.seconds)))
        return f"{median} ({least} to {greatest})"


@dataclass(frozen=True)
class ProcessRun:
    """Seconds and peak memory of work in its own process.

    Attributes:
        seconds: of each round.
        peaks: MB by which the process's memory had risen at most after each round.
        held: MB that it ever held, Python and all imports included.
    """

    seconds: list[float]
    peaks: list[float]
    held: float


def run_alone(prepare: str, work: str, *, rounds: int = 1) -> ProcessRun:
    """Measure a line of Python in a process of its own, after others that prepare it."""
    return ProcessRun(*json.loads(run_program(_ALONE.format(prepare=prepare, work=work, rounds=rounds))))


def run_program(program: str) -> str:
    """Run a program as a process of its own and return what it prints."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit torch to one thread, as the app does for every visitor."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def interleave(ours: Callable[[], float], theirs: Callable[[], float], *, rounds: int) -> tuple[Samples, Samples]:
    """Measure two things in turns, alternating which is first.

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


def wall_seconds(work: Callable[[], object]) -> float:
    """Return how long one call takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def format_seconds(seconds: float) -> str:
    """Write a duration with three significant digits, in s or ms."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def million_steps() -> None:
    """Run the loop of a million steps, the unit of processor times."""
    total = 0
    for number in range(1_000_000):
        total += number & 7


def processor_seconds(work: Callable[[], object]) -> float:
    """Return the processor time of one call in this process."""
    started = time.process_time()
    work()
    return time.process_time() - started


def process_cpu_seconds(pid: int) -> float:
    """Return the processor time of another process in seconds, ended threads included."""
    return time.clock_gettime((~pid << 3) | 2)  # what clock_getcpuclockid(3) of Linux returns, in nanoseconds


async def wait_until_idle(pid: int) -> None:
    """Wait until a server has finished its work after the start."""
    before = -1.0
    while (now := process_cpu_seconds(pid)) - before > 0.03:
        before = now
        await asyncio.sleep(1)
