import threading
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from streamlit.testing.v1 import AppTest

from embedlib.extrapolation import (
    EXPERIMENTS,
    FIRST_SCHEMES,
    Diverged,
    FinishedUnit,
    LengthScore,
    Provenance,
    Report,
    Run,
    Task,
    Unit,
    experiment_units,
)
from tests.messages import message, wording
from tests.ui.pages import find_control, link_of, open_page, says, sentences
from tests.waiting import PATIENCE, wait_until
from ui.extrapolation import outcomes
from ui.extrapolation import progress as pace
from ui.extrapolation.chart import score_lines
from ui.extrapolation.details import program
from ui.extrapolation.request import Request
from ui.extrapolation.results import collect_results
from ui.settings import Formulas, OwnScheme
from ui.shared import scores as shared_scores
from ui.shared.schemes import scheme_label
from ui.shared.scores import shipped_runs

ORIGIN = "{count} runs ({seeds}), {time}, {date}: {machine}; {device},…"
FOUR = {"ext_schemes": "none,rope", "ext_seeds": "2", "ext_steps": "60"}


def finished(unit: Unit, *, machine: str = "a machine") -> FinishedUnit:
    """What a run might have come to."""
    scores = {
        line: tuple(LengthScore(length, length, "trained", 1.0, 0.5, 0.5, 8) for length in unit.shape.lengths)
        for line in unit.lines
    }
    learned = {"a": (0.25, 0.5)} if unit.scheme == "formula" else {}
    return FinishedUnit(unit, scores, 1.0, Provenance(machine, "cpu", 1, "2026-11-20", "abc", "2", "3", 4.0), learned)


class Trainer:
    """Takes the place of training: each run ends when it is let, or learns at a report that it is to stop."""

    def __init__(self) -> None:
        self.begun: list[Unit] = []
        self.diverging: set[str] = set()
        self._go = threading.Semaphore(0)

    def __call__(self, unit: Unit, task: Task, *, report: Report, device: object, version: str) -> FinishedUnit:
        self.begun.append(unit)
        report(0.3, 2.5)
        while not self._go.acquire(timeout=0.01):
            report(0.3, None)
        if unit.scheme in self.diverging:
            raise Diverged("not_finite", cast(Run, SimpleNamespace(n_done=0, config=unit.config(task))), 12.5)
        return finished(unit, machine="this server")

    def let(self, count: int) -> None:
        """Let so many runs end, and wait for it."""
        wanted = self._over() + count
        self._go.release(count)
        wait_until(lambda: self._over() >= wanted)

    def _over(self) -> int:
        jobs = map(outcomes.runs.find, self.begun)
        return sum(job is not None and job.state == "done" for job in jobs)


@pytest.fixture(autouse=True)
def trainer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Trainer]:
    """Nothing is trained for real, and of what ships there is what the experiments show first."""
    trainer = Trainer()
    first = {unit: finished(unit) for name in ("sort", "back", "text", "scaling") for unit in experiment_units(name)}
    monkeypatch.setattr(outcomes, "run_unit", trainer)
    monkeypatch.setattr(shared_scores, "finished_runs", lambda: first)
    forget()
    yield trainer
    outcomes.runs.stop(PATIENCE)
    outcomes.runs._jobs.clear()
    outcomes.measured.clear()
    forget()


def forget() -> None:
    """Let what ships be read again."""
    shared_scores.shipped_runs.clear()
    pace.usual_seconds.clear()


def opened(**link: str) -> AppTest:
    app = open_page("extrapolation", **({"experiment": "sort"} | link))
    assert not app.exception
    return app


def run_of(scheme: str, seed: int) -> str:
    return message("{scheme}, seed {seed}", scheme=scheme_label(scheme), seed=seed)


def keys(app: AppTest) -> set[str]:
    return {str(button.key) for button in app.button}


def progress(app: AppTest) -> str:
    (bar,) = app.get("progress")
    return str(bar.proto.text)


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


@pytest.mark.parametrize("experiment", ["sort", "back", "text", "scaling"])
def test_every_experiment_opens_with_finished_runs_and_their_origin(experiment: str) -> None:
    app = opened(experiment=experiment)
    assert "ext_train" not in keys(app)
    assert len(app.get("plotly_chart")) >= 1
    count = 3 * (1 if experiment == "scaling" else len(FIRST_SCHEMES))
    seeds = message("seeds {seeds}", seeds="0, 1, 2")
    assert says(app, ORIGIN, count=count, seeds=seeds, machine="a machine", date="2026-11-20", version="abc", torch="2")


def test_what_is_missing_is_trained_run_by_run_and_each_is_shown_as_soon_as_it_is_there(trainer: Trainer) -> None:
    app = opened(**FOUR)
    assert wording("Train {count} runs here ({time})", count="4", time=message("a few seconds")).match(
        app.button(key="ext_train").label
    )
    press(app, "ext_train")
    wait_until(lambda: len(trainer.begun) == 1)
    app.run()
    assert "ext_train" not in keys(app)
    how = message("step {step} of {steps}, loss…", step=1, steps=60, loss=2.5)
    named = {"experiment": EXPERIMENTS["sort"].title, "run": run_of("none", 0), "how": how}
    assert wording("{of_all}, {time}. {experiment}, {run}: {how}", **named).fullmatch(progress(app))
    assert wording("{done} of {all} runs done", done="0", all="4").match(progress(app))
    trainer.let(1)
    app.run()
    assert wording("{done} of {all} runs done", done="1", all="4").match(progress(app))
    trainer.let(3)
    app.run()
    assert app.get("progress") == []
    assert says(app, ORIGIN, count="4", machine="this server")
    assert [(unit.scheme, unit.seed) for unit in trainer.begun] == [("none", 0), ("rope", 0), ("none", 1), ("rope", 1)]
    assert {unit.n_steps for unit in trainer.begun} == {60}


def test_cancelling_ends_what_is_left_and_keeps_what_is_finished(trainer: Trainer) -> None:
    app = press(opened(**FOUR), "ext_train")
    trainer.let(1)
    wait_until(lambda: len(trainer.begun) == 2)
    press(app, "ext_cancel")
    wait_until(lambda: not outcomes.runs.alive())
    app.run()
    assert app.get("progress") == []
    assert wording("Train {count} runs here ({time})", count="3").match(app.button(key="ext_train").label)
    press(app, "ext_train")
    wait_until(lambda: len(trainer.begun) == 3)
    assert trainer.begun[2] == trainer.begun[1]


def test_runs_go_on_while_their_visitor_looks_at_another_page(trainer: Trainer) -> None:
    app = press(opened(**FOUR), "ext_train")
    app.switch_page("../pages/word_order.py").run()
    trainer.let(2)
    app.switch_page("../pages/extrapolation.py").run()
    assert wording("{done} of {all} runs done", done="2", all="4").match(progress(app))
    trainer.let(2)


def test_runs_that_ended_with_a_broken_connection_begin_anew_when_it_is_back(trainer: Trainer) -> None:
    app = press(opened(**FOUR), "ext_train")
    wait_until(lambda: len(trainer.begun) == 1)
    for job in outcomes.runs.alive():
        job.stop()  # as it does where nobody is here
    app.run()
    assert not app.exception
    assert wording("{done} of {all} runs done", done="0", all="4").match(progress(app))
    trainer.let(4)


def test_a_run_that_fails_is_one_sentence_and_can_be_tried_again(
    trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **more: object) -> FinishedUnit:
        raise MemoryError

    monkeypatch.setattr(outcomes, "run_unit", fail)
    app = press(opened(ext_schemes="none,rope", ext_seeds="1", ext_steps="60"), "ext_train")
    wait_until(lambda: not outcomes.runs.alive())
    app.run()
    assert says(
        app, "These runs have failed: {runs}.…", runs="; ".join(run_of(scheme, 0) for scheme in ("none", "rope"))
    )
    monkeypatch.setattr(outcomes, "run_unit", trainer)
    press(app, "ext_train")
    assert not says(app, "These runs have failed: {runs}.…")
    trainer.let(2)


def test_wide_runs_are_shown_and_none_is_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = {
        unit: finished(unit, machine="a GPU")
        for unit in experiment_units("sort", schemes=["rope", "alibi"], size="wide")
    }
    monkeypatch.setattr(shared_scores, "finished_runs", lambda: wide)
    forget()
    app = opened(ext_size="wide", ext_schemes="rope,alibi,t5", ext_steps="60", ext_rate="7")
    assert says(app, ORIGIN, count="6", machine="a GPU")
    assert says(app, "{count} of these runs are not…", count="3")
    assert not {"ext_train", "ext_again"} & keys(app)
    app = opened(experiment="back", ext_size="wide", ext_schemes="rope,alibi", ext_seeds="1")
    assert "ext_train" in keys(app)  # of which there is no wide run, so that the small ones are meant


def test_two_visitors_are_served_in_turn_and_what_both_want_is_trained_once(trainer: Trainer) -> None:
    first = press(opened(**FOUR | {"ext_seeds": "3"}), "ext_train")
    wait_until(lambda: len(trainer.begun) == 1)
    second = press(opened(**FOUR | {"ext_schemes": "rope,alibi", "ext_seeds": "3"}), "ext_train")
    assert wording("number {place} in the queue", place="1").search(progress(second))
    assert says(second, "Other visitors are waiting ({count});…", count="1")
    assert not first.exception
    trainer.let(9)
    begun = [(unit.scheme, unit.seed) for unit in trainer.begun]
    assert sorted(begun) == sorted((name, seed) for name in ("none", "rope", "alibi") for seed in range(3))
    owners = ["both" if scheme == "rope" else "first" if scheme == "none" else "second" for scheme, seed in begun]
    assert owners == ["first", "both", "first", "both", "first", "both", "second", "second", "second"]
    for app in (first.run(), second.run()):
        assert app.get("progress") == []
        assert "ext_train" not in keys(app)


def test_a_run_that_diverges_is_named_with_the_remedy_and_the_others_go_on(trainer: Trainer) -> None:
    trainer.diverging = {"rope"}
    app = press(opened(**FOUR | {"ext_rate": "7"}), "ext_train")
    trainer.let(4)
    app.run()
    (warning,) = sentences(app)
    assert wording("These runs have diverged, that is,…", rate="7", usual="0.005").fullmatch(warning)
    for seed in (0, 1):
        run = wording("{run} at step {step}, loss…", run=run_of("rope", seed), step="1", loss="12.5")
        assert run.search(warning)
    assert "ext_train" not in keys(app)
    assert says(app, ORIGIN, count="2", machine="this server")


def test_runs_that_ship_can_be_trained_here_and_both_are_told(trainer: Trainer) -> None:
    app = opened(ext_schemes="none,rope", ext_seeds="1")
    press(app, "ext_again")
    assert link_of(app)["ext_runs"] == "here"
    trainer.let(2)
    app.run()
    assert not says(app, ORIGIN, machine="a machine")
    assert says(app, ORIGIN, count="2", machine="this server")
    assert says(app, "{count} of these runs were also…", count="2", difference="0")
    find_control(app, "ext_runs").set_value("shipped").run()
    assert says(app, ORIGIN, count="2", machine="a machine")
    assert "ext_again" not in keys(app)


def test_more_than_half_an_hour_is_not_begun_however_slow_the_server_is_today(monkeypatch: pytest.MonkeyPatch) -> None:
    link = {"ext_schemes": ",".join(FIRST_SCHEMES), "ext_seeds": "5", "ext_steps": "2000"}
    app = opened(**link)
    outcomes.measured.append((Unit("sort", "rope"), 400.0))  # a server a hundred times as slow
    app.run()
    expected = message("about {time}", time=message("{count} min", count=20))
    assert f"({expected})" in app.button(key="ext_train").label  # four times the usual at most is believed
    slow = {
        unit: replace(one, provenance=replace(one.provenance, seconds=40.0)) for unit, one in shipped_runs().items()
    }
    monkeypatch.setattr(shared_scores, "finished_runs", lambda: slow)
    forget()
    app.run()
    (warning,) = [
        sentence
        for sentence in sentences(app)
        if wording("{count} runs would take {time};…", count="30").search(sentence)
    ]
    assert wording("{count} runs would take {time};…").search(warning)
    assert "ext_train" not in keys(app)


def test_one_run_that_took_long_sways_no_estimate() -> None:
    unit = Unit("sort", "rope")
    outcomes.measured.extend((unit, seconds) for seconds in (4.0, 4.0, 90.0))
    assert pace.run_seconds(unit) == pytest.approx(4.0)


def test_what_shipped_runs_took_beside_other_work_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = {"rope": 90.0, "alibi": 5.0, "none": 12.0}
    first = {}
    for unit in experiment_units("sort", schemes=list(taken)):
        made = finished(unit)
        first[unit] = replace(made, provenance=replace(made.provenance, seconds=taken[unit.scheme] + 50 * unit.seed))
    monkeypatch.setattr(shared_scores, "finished_runs", lambda: first)
    forget()
    assert [pace.usual_seconds("sort", name, "small") for name in ("rope", "alibi", "none", "t5")] == [10, 5, 10, 5]


def test_what_is_empty_says_why(trainer: Trainer) -> None:
    def says(app: AppTest) -> str:
        (found,) = [
            remark.value
            for remark in app.info
            if wording("Each run is drawn as soon as it has ended.").search(remark.value)
        ]
        return str(found)

    trainer.diverging = {"rope"}
    app = opened(**FOUR)
    assert wording("These runs are not trained yet.").match(says(app))
    press(app, "ext_train")
    wait_until(lambda: len(trainer.begun) == 1)
    assert wording("These runs are not trained yet.").match(says(app.run()))
    press(app, "ext_cancel")
    wait_until(lambda: not outcomes.runs.alive())
    assert wording("These runs are not trained yet.").match(says(app.run()))


def test_two_experiments_in_training_are_told_apart_and_cancelled_together(trainer: Trainer) -> None:
    app = press(opened(**FOUR), "ext_train")
    find_control(app, "experiment").set_value("back").run()
    press(app, "ext_train")
    assert says(
        app, "Runs still to come: {runs}.", runs=", ".join(f"{EXPERIMENTS[name].title} 4" for name in ("sort", "back"))
    )
    assert wording("Cancel").fullmatch(app.button(key="ext_cancel").label)
    press(app, "ext_cancel")
    wait_until(lambda: not outcomes.runs.alive())


def test_a_link_with_too_few_steps_says_what_is_used_instead() -> None:
    assert wording("the experiment’s own ({every})", every=...).search(sentences(opened(ext_steps="20"))[0])


def test_steps_out_of_range_are_put_back_with_a_word() -> None:
    app = opened()
    find_control(app, "ext_steps").set_value(20).run()
    assert find_control(app, "ext_steps").value == 50
    assert says(app, "Steps must be between {least}…", least="50", most="2,000", used="50")
    assert link_of(app)["ext_steps"] == "50"


def test_a_text_that_is_too_short_is_told_how_long_it_must_be() -> None:
    app = opened(experiment="text", ext_text="text", text="a" * 5_129)
    assert says(app, "The text has {count:,} of {least:,}…", count="5,129", least="5,130")
    assert "ext_train" not in keys(app)


def test_a_text_that_repeats_itself_is_told_of() -> None:
    app = opened(experiment="text", ext_text="text", text="ab" * 2_600)
    assert says(app, "{share:.0%} of the test’s…", share="100%", length="64")
    assert says(app, "{count:,} characters.", count="5,200")


def test_a_text_of_ones_own_is_what_is_trained_on(trainer: Trainer) -> None:
    app = opened(experiment="text", ext_text="text", text="ab" * 2_600, ext_schemes="none,rope", ext_seeds="1")
    press(app, "ext_train")
    trainer.let(2)
    assert {unit.source for unit in trainer.begun} != {"manual"}
    assert len({unit.source for unit in trainer.begun}) == 1


def test_no_scheme_at_all_is_one_sentence() -> None:
    app = opened()
    find_control(app, "ext_schemes").set_value([]).run()
    assert not app.exception
    assert says(app, "Choose at least one scheme.")


def test_steps_are_those_of_the_experiment_until_they_are_chosen() -> None:
    app = opened()
    assert find_control(app, "ext_steps").value == 800
    find_control(app, "experiment").set_value("back").run()
    assert find_control(app, "ext_steps").value == 600
    find_control(app, "ext_steps").set_value(100).run()
    assert link_of(app)["ext_steps"] == "100"
    find_control(app, "experiment").set_value("sort").run()
    assert find_control(app, "ext_steps").value == 100
    find_control(app, "ext_steps").set_value(800).run()
    assert "ext_steps" not in link_of(app)


OWN = (
    OwnScheme(1, "My slope", ("", "-a * (q - k)", "", ""), parameters="a[h] ~ 0.1"),
    OwnScheme(2, "My turn", ("", "", "p * 1000**(-2*i/d)", "")),
    OwnScheme(3, "Cut short", ("", "log(19 - q) + 0 * k", "", "")),
)
OWN_LINK = {"formulas": Formulas(()).format(OWN), "ext_seeds": "1"}


def test_schemes_that_were_typed_are_trained_beside_runs_that_ship_and_wrong_ones_are_said(trainer: Trainer) -> None:
    app = opened(**OWN_LINK, ext_schemes="alibi,formula:1,formula:2,formula:3,formula:4", ext_front="formula:1")
    options = find_control(app, "ext_schemes").options
    assert options[-4:-1] == ["My slope", "My turn", "Cut short"]
    assert [error.value.split(":")[0] for error in app.error] == ["Cut short, `bias`", "Your formula (4), `rows`"]
    assert says(app, ORIGIN, count=1, machine="a machine")
    press(app, "ext_train")
    wait_until(lambda: len(trainer.begun) == 1)
    app.run()
    assert "My slope" in progress(app)
    trainer.let(2)
    app.run()
    assert [unit.scheme for unit in trainer.begun] == ["formula", "formula"]
    assert [dict(unit.parameters) for unit in trainer.begun] == [OWN[0].arguments, OWN[1].arguments]
    assert says(app, ORIGIN, count=1, machine="a machine")
    assert says(app, ORIGIN, count=2, machine="this server")
    said = {"scheme": "My slope", "seed": 0, "values": "a \\= 0\\.25\\, 0\\.5"}
    assert says(app, "{scheme}, seed {seed}, has learned…", **said)
    assert link_of(app)["ext_schemes"] == "alibi,formula:1,formula:2,formula:3,formula:4"


def test_a_scheme_is_written_on_the_page_joins_the_others_and_is_trained_as_it_stands(trainer: Trainer) -> None:
    app = press(opened(ext_schemes="alibi,rope", ext_seeds="1"), "own-add")
    assert link_of(app)["ext_schemes"] == "alibi,rope,formula:1"
    press(app, "ext_train")
    wait_until(lambda: len(trainer.begun) == 1)
    assert "rows" in dict(trainer.begun[0].parameters)


def test_a_typed_scheme_that_diverges_is_named_as_its_author_called_it(trainer: Trainer) -> None:
    trainer.diverging.add("formula")
    app = opened(**OWN_LINK, ext_schemes="alibi,formula:2")
    press(app, "ext_train")
    trainer.let(1)
    app.run()
    assert any("My turn" in warning.value for warning in app.warning)


def test_files_and_the_program_have_typed_schemes_with_their_whole_text(trainer: Trainer) -> None:
    entries = ("alibi", "formula:1", "formula:2")
    request = Request("sort", entries, (0,), 800, 5e-3, "", "small", "exact", False, OWN[:2])
    for unit in request.units[1:]:
        outcomes.runs.submit(unit, lambda report, unit=unit: finished(unit), visitor="one")
    wait_until(lambda: not outcomes.runs.alive())
    results = collect_results(request)
    rows = score_lines(results).csv().splitlines()
    assert {row.split(",")[1] for row in rows[1:]} == {"alibi", "My slope", "My turn"}
    assert results.learned == {(entry, 0): {"a": (0.25, 0.5)} for entry in entries[1:]}
    source = program(results)
    assert '"bias": "-a * (q - k)"' in source
    assert "1000**(-2*i/d)" in source
    assert 'for scheme in ["alibi", "My slope", "My turn"]:' in source
