"""Runs of the extrapolation experiments on a cluster."""

import time
from collections.abc import Callable
from typing import Any

from embedlib.cluster.connection import Cluster, Send
from embedlib.device import pick_device
from embedlib.extrapolation import EXPERIMENTS, FinishedUnit, Task, TextTask, Unit
from embedlib.extrapolation import run_unit as run_here

# report(share, losses): the share done in [0, 1], and the losses of all steps so far; what it raises stops the run.
Report = Callable[[float, list[float]], None]
_SECONDS_BETWEEN = 0.25


def run_unit(cluster: Cluster, unit: Unit, task: Task | None = None, *, report: Report) -> FinishedUnit:
    """Train a unit's run on a worker and score it at every length, as `embedlib.extrapolation.run_unit` does here.

    If the worker ends, the run begins again on another; provenance is the worker's. The text of `task` is sent; None is
    for experiments without one. `report` is called on this thread, several times a second.

    Raises:
        ValueError: a text is missing.
        Diverged: the run diverges.
        ClusterError: of the cluster.
    """
    losses: list[float] = []
    share = 0.0

    def on_message(news: Any) -> None:
        nonlocal share
        if news is not None:
            share, start, new = news
            losses[start:] = new
        report(share, losses)

    text = task.text if isinstance(task, TextTask) else None
    (finished,) = cluster.results(_train_unit, [unit], text, on_message=on_message)
    return finished  # type: ignore[no-any-return]


def _train_unit(unit: Unit, text: str | None, send: Send) -> FinishedUnit:
    task = None if text is None else EXPERIMENTS[unit.experiment].task(text, size=unit.size)
    losses: list[float] = []
    sent, at = 0, 0.0

    def report(share: float, loss: float | None) -> None:
        nonlocal sent, at
        if loss is not None:
            losses.append(loss)
        send()
        if time.monotonic() - at >= _SECONDS_BETWEEN:
            send([share, sent, losses[sent:]])
            sent, at = len(losses), time.monotonic()

    return run_here(unit, task, report=report, device=pick_device().device)
