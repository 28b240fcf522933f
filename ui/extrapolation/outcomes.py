"""Finished runs, one by one: those that ship, and those trained here and cached for all visitors."""

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from embedlib.cluster import run_unit as run_on_cluster
from embedlib.extrapolation import Diverged, FinishedUnit, Task, Unit, code_version, run_unit
from ui.cache.bounded import memo
from ui.jobs import Jobs, Report, cluster_address, connect_cluster, is_here, n_at_once
from ui.shared.scores import shipped_runs


@dataclass(frozen=True, slots=True)
class DivergedUnit:
    """A run that diverged, stopped at a step, from 1, with a loss that may be infinite or no number."""

    unit: Unit
    step: int
    loss: float


Outcome = FinishedUnit | DivergedUnit

# Apart from all other work: these go on while their visitor looks at another page, and their results are small. One
# core is left to the pages; a cluster has its own.
_AT_ONCE = max(1, min(2, (os.cpu_count() or 2) - 1))
_places = threading.BoundedSemaphore(_AT_ONCE)
runs = Jobs(at_once=lambda: n_at_once() or _AT_ONCE, patience=None, is_here=is_here, kept=2_000)
# Threads that still compute while the interpreter takes itself down can end in a crash.
atexit.register(runs.stop)
# (unit, seconds) of the last runs that ended here, the measure of this server's pace.
measured: deque[tuple[Unit, float]] = deque(maxlen=12)


@memo()
def served_version() -> str:
    """Return the version of the code that this server has loaded, even if its files change later."""
    return code_version()


def has_wide(experiment: str) -> bool:
    """Return whether runs of the wide decoder ship for an experiment."""
    return any(unit.size == "wide" and unit.experiment == experiment for unit in shipped_runs())


def trained_here(unit: Unit) -> Outcome | None:
    """Return a unit's outcome on this server; None where it has not ended or is no longer cached."""
    job = runs.find(unit)
    return job.result() if job is not None and job.state == "done" else None


def outcome(unit: Unit, *, here: bool) -> Outcome | None:
    """Return a unit's outcome: as it ships, unless only runs of this server count; None before there is any."""
    return (None if here else shipped_runs().get(unit)) or trained_here(unit)


def unit_work(unit: Unit, task: Task, device: torch.device, *, here: bool) -> Callable[[Report], Outcome]:
    """Return a function for Jobs.submit that trains and scores a unit; it reports its growing list of losses.

    It goes to the cluster, where there is one, unless the reader has chosen to train here.
    """

    def work(report: Report) -> Outcome:
        losses: list[float] = []

        def step_done(share: float, loss: float | None) -> None:
            if loss is not None:
                losses.append(loss)
            report(share, losses)

        try:
            if cluster_address() and not here:
                cluster = connect_cluster()
                runs.start_waiting()
                finished = run_on_cluster(cluster, unit, task, report=report)
            else:
                with _wait_for_core(report):
                    finished = run_unit(unit, task, report=step_done, device=device, version=served_version())
        except Diverged as error:
            return DivergedUnit(unit, error.step, error.loss)
        measured.append((unit, finished.provenance.seconds))
        return finished

    return work


@contextmanager
def _wait_for_core(report: Report) -> Iterator[None]:
    """Hold one of this server's cores; more jobs run at once where a cluster has workers."""
    while not _places.acquire(timeout=0.1):
        report(0.0)
    try:
        yield
    finally:
        _places.release()
