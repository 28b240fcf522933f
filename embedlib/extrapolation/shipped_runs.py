"""Finished units of the experiments that ship with the library: scores at each length, and provenance."""

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from embedlib.extrapolation.experiments import EXPERIMENTS, Unit
from embedlib.extrapolation.provenance import Provenance, provenance
from embedlib.extrapolation.scores import LengthScore, length_scores
from embedlib.extrapolation.sweep import HELD_OUT_SEED, SCORING
from embedlib.extrapolation.sweep import rope_scaling_scores as scaling_scores
from embedlib.extrapolation.tasks import Task
from embedlib.extrapolation.train import Run, new_run, train
from embedlib.positional import FormulaPositions
from embedlib.positional.rope_scaling import SCALINGS
from embedlib.progress import ignore_progress
from embedlib.whole_files import write_whole

SHIPPED = Path(__file__).parents[1] / "data" / "finished_runs.json"

# report(share, loss): the share done in [0, 1], never falling, and the loss of the last step, None while it is scored;
# what it raises stops the work.
Report = Callable[[float, float | None], None]
_LAST = 20  # losses whose mean is the final one


@dataclass(frozen=True, slots=True)
class FinishedUnit:
    """Scores of one trained model (scheme × task × seed).

    Attributes:
        scores: for each of the unit's lines, one score for each length.
        final_loss: mean of the last 20 losses of training, in nats.
        learned: final values of a formula's learned parameters, by name: one number, or one a head.
    """

    unit: Unit
    scores: Mapping[str, tuple[LengthScore, ...]]
    final_loss: float
    provenance: Provenance
    learned: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


def run_unit(
    unit: Unit,
    task: Task | None = None,
    *,
    report: Report = ignore_progress,
    device: torch.device | None = None,
    version: str | None = None,
) -> FinishedUnit:
    """Train a unit's run and score it at every length.

    `task` may be None where the experiment has no text. `report` is called after every step and every pass of scoring,
    and may raise to stop.

    Raises:
        ValueError: a text is missing.
        Diverged: the run diverges.
    """
    began = time.perf_counter()
    task = task or EXPERIMENTS[unit.experiment].task(size=unit.size)
    run = new_run(unit.config(task), device=device)
    for step in train(run):
        report(step.share * (1 - SCORING), step.loss)
    scores = _scores(unit, run, task, lambda share: report(1 - SCORING * (1 - share), None))
    last = run.losses[-_LAST:]
    seconds = round(time.perf_counter() - began, 2)
    scheme = run.decoder.scheme
    own = scheme.learned_parameters() if isinstance(scheme, FormulaPositions) else {}
    learned = {name: tuple(weight.detach().flatten().tolist()) for name, weight in own.items()}
    origin = provenance(device, seconds=seconds, version=version)
    return FinishedUnit(unit, scores, sum(last) / len(last), origin, learned)


def _scores(unit: Unit, run: Run, task: Task, progress: Callable[[float], None]) -> dict[str, tuple[LengthScore, ...]]:
    shape = unit.shape
    if EXPERIMENTS[unit.experiment].scales_rope:
        return scaling_scores(run, shape.lengths, scalings=SCALINGS, n_sequences=shape.n_sequences, progress=progress)
    scores = length_scores(
        run.decoder, task, shape.lengths, seed=HELD_OUT_SEED, n_sequences=shape.n_sequences, progress=progress
    )
    return {unit.scheme: scores}


def finished_runs(path: str | os.PathLike[str] = SHIPPED) -> dict[Unit, FinishedUnit]:
    """Read finished units, by default those that ship with the library; ValueError for contradictory contents."""
    name = Path(path).name
    try:
        entries = json.loads(Path(path).read_text(encoding="utf-8"))
        if not isinstance(entries, list):
            raise TypeError("not a list")
        runs = [_from_json(entry) for entry in entries]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{name} holds no finished runs that can be read: make it with bin/finished-runs") from error
    return {one.unit: one for one in runs}


def write_finished(finished: Iterable[FinishedUnit], path: str | os.PathLike[str] = SHIPPED) -> None:
    """Write finished units as JSON, one on each line; whole or not at all."""
    lines = ",\n".join(json.dumps(_as_json(one), ensure_ascii=False) for one in finished)
    write_whole(path, f"[\n{lines}\n]\n".encode())


def _as_json(finished: FinishedUnit) -> dict[str, Any]:
    lines = {
        name: [[score.length, score.seq_len, score.state, score.loss, score.accuracy, score.exact] for score in scores]
        for name, scores in finished.scores.items()
    }
    written: dict[str, Any] = {
        "unit": asdict(finished.unit),
        "provenance": asdict(finished.provenance),
        "final_loss": finished.final_loss,
        "n_sequences": finished.unit.shape.n_sequences,
        "scores": lines,
    }
    if finished.unit.parameters:
        return written | {"learned": finished.learned}
    del written["unit"]["parameters"]
    return written


def _from_json(entry: dict[str, Any]) -> FinishedUnit:
    unit, n_sequences = Unit(**entry["unit"]), entry["n_sequences"]
    scores = {
        name: tuple(LengthScore(*[*score, n_sequences]) for score in line) for name, line in entry["scores"].items()
    }
    lengths = {tuple(score.length for score in line) for line in scores.values()}
    if scores.keys() != set(unit.lines) or lengths != {unit.shape.lengths} or n_sequences != unit.shape.n_sequences:
        raise ValueError(f"{unit} has other scores")
    learned = {name: tuple(map(float, values)) for name, values in entry.get("learned", {}).items()}
    return FinishedUnit(unit, scores, entry["final_loss"], Provenance(**entry["provenance"]), learned)
