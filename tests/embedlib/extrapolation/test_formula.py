"""Schemes that somebody typed train like any other: as the library's own that they equal, to the bit."""

from pathlib import Path

import pytest
import torch

from embedlib.extrapolation import (
    EXPERIMENTS,
    Diverged,
    FinishedUnit,
    Run,
    Unit,
    experiment_units,
    finished_runs,
    new_run,
    run_unit,
    train,
    write_finished,
)
from embedlib.positional import STARTING_POINTS, FormulaError, FormulaPositions, StartingPoint
from tests.embedlib.extrapolation.small import small

LEARNED = {"bias": "-a * b * (q - k)", "parameters": "a ~ 0.3\nb[h] ~ 1, 0.5"}
ONE = Unit("back", "formula", n_steps=2, parameters=(("bias", "-a * (q - k)"), ("parameters", "a[h] ~ 0.3")))


@pytest.mark.parametrize("point", STARTING_POINTS.values(), ids=list(STARTING_POINTS))
def test_a_formula_trains_as_the_scheme_that_it_equals(point: StartingPoint) -> None:
    sizes = {"d_model": 16, "n_heads": 2, "n_steps": 6}
    of_library = new_run(small(scheme=point.scheme, parameters=dict(point.arguments), **sizes))
    typed = new_run(small(scheme="formula", parameters=dict(point.lines), **sizes))
    if point.scheme in ("kerple", "t5"):  # which draw what they begin with
        with torch.no_grad():
            for mine, given in zip(
                typed.decoder.scheme.parameters(), of_library.decoder.scheme.parameters(), strict=True
            ):
                mine.copy_(given.movedim(0, -1))
    expected = [step.loss for step in train(of_library)]
    assert [step.loss for step in train(typed)] == pytest.approx(expected, rel=1e-5)


def test_what_a_formula_learns_is_trained_and_goes_on_where_it_was_stopped() -> None:
    config = small(scheme="formula", parameters=LEARNED)
    unbroken, stopped = new_run(config), new_run(config)
    list(train(unbroken))
    steps = train(stopped)
    for _ in range(5):
        next(steps)
    list(train(stopped))
    assert stopped.losses == unbroken.losses
    assert torch.equal(_learned(stopped)["a"], _learned(unbroken)["a"])
    assert float(_learned(stopped)["a"]) != pytest.approx(0.3, abs=1e-4)
    assert not torch.equal(_learned(stopped)["b"], torch.tensor([1.0, 0.5]))


def _learned(run: Run) -> dict[str, torch.Tensor]:
    scheme = run.decoder.scheme
    assert isinstance(scheme, FormulaPositions)
    return {name: weight.detach() for name, weight in scheme.learned_parameters().items()}


def test_a_formula_must_be_defined_as_far_as_training_goes() -> None:
    small(scheme="formula", parameters={"bias": "log(8 - q) + k - q"})  # eight positions: the last is 7
    with pytest.raises(FormulaError) as raised:
        small(scheme="formula", parameters={"bias": "log(7 - q) + k - q"})
    assert (raised.value.code, raised.value.values["place"]) == ("infinite", "q = 7, k = 0")


def test_what_leaves_the_numbers_while_it_learns_has_diverged() -> None:
    run = new_run(small(scheme="formula", parameters={"bias": "log(a) * (q - k)", "parameters": "a ~ 0.01"}))
    _learned(run)["a"].fill_(-1.0)
    with pytest.raises(Diverged) as raised:
        list(train(run))
    assert (raised.value.code, raised.value.step) == ("not_finite", 1)


def test_a_scale_of_nothing_or_less_is_trained_too() -> None:
    for scale in ("0", "-2", "1e-300 * (H - 2)"):
        assert len(list(train(small(scheme="formula", parameters={"scale": scale}, n_steps=2)))) == 2


def test_units_carry_the_whole_formula_and_those_of_one_name_are_apart() -> None:
    formulas = {"mine": {"bias": "k - q"}, "other": {"parameters": "a = 1.0", "bias": "a * (k - q)"}}
    units = experiment_units("sort", schemes=("rope", "mine", "other"), seeds=(0, 1), formulas=formulas)
    assert len(set(units)) == 6
    assert [unit.scheme for unit in units[:3]] == ["rope", "formula", "formula"]
    assert dict(units[2].parameters) == formulas["other"]
    assert units[1] == Unit("sort", "formula", parameters=(("bias", "k - q"),))
    assert Unit("sort", "formula", parameters=(("parameters", "a = 1.0"), ("bias", "a"))) == Unit(
        "sort", "formula", parameters=(("bias", "a"), ("parameters", "a = 1.0"))
    )
    for scheme, parameters in (("formula", ()), ("rope", (("bias", "k - q"),))):
        with pytest.raises(ValueError, match="do not fit"):
            Unit("sort", scheme, parameters=parameters)


def test_the_trained_length_is_what_a_formula_calls_so() -> None:
    for name, seq_len in (("sort", 20), ("back", 32)):
        (unit,) = experiment_units(name, schemes=["mine"], seeds=[0], formulas={"mine": {"scale": "1 / L"}})
        scheme = unit.config(EXPERIMENTS[name].task()).make_scheme()
        assert scheme.logit_scale() == pytest.approx(1 / seq_len)


@pytest.fixture(scope="module")
def done() -> FinishedUnit:
    return run_unit(ONE)


def test_a_finished_unit_says_what_was_learned_and_reads_back_whole(done: FinishedUnit, tmp_path: Path) -> None:
    assert len(done.learned["a"]) == ONE.shape.n_heads
    assert done.learned["a"] != (0.3,) * ONE.shape.n_heads
    write_finished([done], tmp_path / "runs.json")
    assert finished_runs(tmp_path / "runs.json") == {ONE: done}
    assert run_unit(ONE).scores == done.scores


def test_lengths_at_which_a_formula_is_not_defined_have_no_numbers_and_the_others_theirs(done: FinishedUnit) -> None:
    ends = (("bias", "log(50 - q) * 0 - a * (q - k)"), *ONE.parameters[1:])
    scores = run_unit(Unit("back", "formula", n_steps=2, parameters=ends)).scores["formula"]
    for score, whole in zip(scores, done.scores["formula"], strict=True):
        assert (score.state == "undefined") == (score.loss is None) == (score.length > 50)
        assert score.loss is None or score.loss == pytest.approx(whole.loss, rel=1e-5)
