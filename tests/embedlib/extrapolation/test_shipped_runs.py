"""Units that were run and kept: the same as the plain experiment, whole after a round trip, and those that ship."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from embedlib.extrapolation import TrainConfig, extrapolation, new_run, rope_scaling_scores, train
from embedlib.extrapolation.experiments import EXPERIMENTS, FIRST_SCHEMES, FIRST_SEEDS, Shape, Unit, experiment_units
from embedlib.extrapolation.provenance import Provenance, code_version, machine
from embedlib.extrapolation.shipped_runs import FinishedUnit, finished_runs, run_unit, write_finished
from embedlib.extrapolation.tasks import SortTask
from embedlib.positional import SCHEMES

SHORT = Unit("sort", "rope", seed=3, n_steps=3)
FEW = {"sort": Shape(4, (4, 8), n_sequences=5, n_values=16), "scaling": Shape(8, (8, 16), n_sequences=2)}


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score at two lengths only."""
    for name, shape in FEW.items():
        monkeypatch.setitem(EXPERIMENTS, name, replace(EXPERIMENTS[name], shapes={"small": shape}))


@pytest.fixture
def short(_few: None) -> FinishedUnit:
    return run_unit(SHORT)


def test_a_unit_gives_what_the_experiment_gives_for_its_scheme_and_seed(short: FinishedUnit) -> None:
    config = TrainConfig(SortTask(n_values=16, longest=4), "rope", n_steps=3)
    (expected,) = extrapolation(config, lengths=(4, 8), seeds=[3], n_sequences=5).scores
    assert short.scores == {"rope": expected}


def test_the_final_loss_is_the_mean_of_the_last_ones(short: FinishedUnit) -> None:
    losses = [step.loss for step in train(TrainConfig(SortTask(n_values=16, longest=4), "rope", n_steps=3, seed=3))]
    assert short.final_loss == pytest.approx(sum(losses) / 3, abs=1e-12)


@pytest.mark.usefixtures("_few")
def test_a_run_is_tested_under_every_scaling() -> None:
    unit = Unit("scaling", "rope", n_steps=1, source="letters")
    task = EXPERIMENTS["scaling"].task("some letters to guess, one after the other. " * 9)
    run = new_run(unit.config(task))
    list(train(run))
    assert run_unit(unit, task).scores == rope_scaling_scores(run, (8, 16), n_sequences=2)


@pytest.mark.usefixtures("_few")
def test_progress_rises_to_the_end_and_what_it_raises_stops_the_work() -> None:
    described: list[tuple[float, float | None]] = []
    run_unit(SHORT, report=lambda share, loss: described.append((share, loss)))
    shares = [share for share, _ in described]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert [loss is None for _, loss in described[:4]] == [False, False, False, True]

    def stop(share: float, loss: float | None) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        run_unit(SHORT, report=stop)


def test_what_is_written_is_read_again(short: FinishedUnit, tmp_path: Path) -> None:
    write_finished([short], tmp_path / "runs.json")
    assert finished_runs(tmp_path / "runs.json") == {SHORT: short}
    assert [path.name for path in tmp_path.iterdir()] == ["runs.json"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda entry: entry.pop("scores"),
        lambda entry: entry["scores"]["rope"].pop(),
        lambda entry: entry["scores"].update(none=entry["scores"]["rope"]),
        lambda entry: entry["unit"].update(scheme="ropes"),
        lambda entry: entry["unit"].update(steps=3),
        lambda entry: entry.update(n_sequences=1),
        lambda entry: entry["provenance"].pop("date"),
    ],
)
def test_a_file_that_does_not_fit_together_is_refused(damage: Any, short: FinishedUnit, tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    write_finished([short], path)
    entries = json.loads(path.read_text())
    damage(entries[0])
    path.write_text(json.dumps(entries))
    with pytest.raises(ValueError, match="holds no finished runs"):
        finished_runs(path)


@pytest.mark.parametrize("text", ["", "{}", "3", "[3]", "not JSON"])
def test_a_file_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "runs.json").write_text(text)
    with pytest.raises(ValueError, match="holds no finished runs"):
        finished_runs(tmp_path / "runs.json")


def test_where_a_run_comes_from_is_said(short: FinishedUnit) -> None:
    actual = short.provenance
    assert isinstance(actual, Provenance)
    assert actual.machine == machine()
    assert torch.backends.cpu.get_cpu_capability() in machine()  # runs differ with it
    assert (actual.device, actual.threads, actual.torch) == ("cpu", torch.get_num_threads(), str(torch.__version__))
    assert actual.version == code_version() != ""
    assert run_unit(SHORT, version="the first").provenance.version == "the first"
    assert actual.seconds > 0


def test_runs_of_every_scheme_ship_in_every_experiment_with_three_seeds() -> None:
    shipped = finished_runs()
    run = {unit.scheme for unit in shipped}
    schemes = tuple(name for name in SCHEMES if name in run)
    assert len(schemes) >= 15  # a new scheme may come before its runs
    wanted = [unit for name in EXPERIMENTS for unit in experiment_units(name, schemes=schemes, seeds=FIRST_SEEDS)]
    assert list(shipped) == wanted
    assert not any("+" in one.provenance.version or one.provenance.version == "unknown" for one in shipped.values())


def mean(line: str, experiment: str, length: int, measure: str) -> float:
    shipped = finished_runs()
    actual = [
        getattr(score, measure)
        for unit, one in shipped.items()
        if unit.experiment == experiment and line in one.scores
        for score in one.scores[line]
        if score.length == length
    ]
    assert len(actual) == len(FIRST_SEEDS)
    return float(sum(actual) / len(actual))


def test_the_runs_that_ship_show_both_orders() -> None:
    exact = {scheme: mean(scheme, "sort", 20, "exact") for scheme in FIRST_SCHEMES}
    assert min(exact["none"], exact["t5"]) > exact["alibi"] > exact["rope"] > max(exact["sinusoidal"], exact["learned"])
    right = {scheme: mean(scheme, "back", 64, "accuracy") for scheme in FIRST_SCHEMES}
    assert right["rope"] > right["t5"] > max(right["sinusoidal"], right["learned"]) > right["none"]


@pytest.mark.thorough
def test_a_run_that_ships_comes_out_the_same_where_it_was_made() -> None:
    shipped = finished_runs()[Unit("sort", "none")]
    if (shipped.provenance.machine, shipped.provenance.torch) != (machine(), torch.__version__):
        pytest.skip("another machine rounds otherwise")
    before = torch.get_num_threads()
    torch.set_num_threads(shipped.provenance.threads)
    try:
        assert run_unit(Unit("sort", "none")).scores == shipped.scores
    finally:
        torch.set_num_threads(before)
