"""A training in the background: the same to the bit as one that nothing interrupts, shared, and in fair turns."""

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch

from embedlib.grammar import grammar_text
from embedlib.projection import fit_row_axes
from embedlib.word2vec import SkipGramConfig, SkipGramStep, WordCorpus, skip_gram, steps_to_store, word_corpus
from tests.waiting import PATIENCE, wait_until
from ui.jobs.queue import Jobs
from ui.training import runs
from ui.training.request import Request
from ui.training.run import Run

CONFIG = SkipGramConfig(d_model=4, batch_size=16, window=2, steps=150)
REQUEST = Request("grammar", "grammar", CONFIG)


@pytest.fixture(scope="module")
def corpus() -> WordCorpus:
    return word_corpus(grammar_text(300), min_count=4)


class Clock:
    """Stands still until it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def own_jobs(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Iterator[Jobs]:
    """Turns of this test's own, with a patience of a second by its own clock."""
    found = Jobs(at_once=1, patience=1.0, kept=4, clock=clock)
    monkeypatch.setattr(runs, "training_jobs", found)
    yield found
    found.stop()


def plain(corpus: WordCorpus, config: SkipGramConfig = CONFIG) -> dict[int, tuple[float, torch.Tensor]]:
    return {step.step: (step.loss, step.rows.clone()) for step in skip_gram(corpus, config)}


def test_a_recording_is_the_plain_training_to_the_bit(corpus: WordCorpus) -> None:
    run, expected = Run(REQUEST, corpus), plain(corpus)
    run.train(CONFIG.steps, seconds=PATIENCE)
    assert run.is_over
    assert run.history.steps == steps_to_store(CONFIG, len(corpus.words))
    assert run.history.losses.tolist() == torch.tensor([loss for loss, _ in expected.values()]).tolist()
    for step in run.history.steps:
        assert torch.equal(run.history.rows(step), expected[step][1])


def test_stops_and_single_steps_change_nothing_and_are_kept_themselves(corpus: WordCorpus) -> None:
    run, expected = Run(REQUEST, corpus), plain(corpus)
    held = next(step for step in range(40, 150) if step not in run.scheduled)
    run.train(3, seconds=PATIENCE)
    assert run.goal_after(3) == 4
    run.train(held, seconds=PATIENCE)
    assert run.goal_after(3) == 4, "kept already"
    assert run.goal_after(held) == held + 1
    run.train(held + 1, seconds=PATIENCE)
    run.train(held + 30, lambda share: None, seconds=0.0)  # a turn without time
    run.hold()
    assert run.current_step == held + 1
    while not run.is_over:
        run.train(CONFIG.steps, seconds=0.005)
    assert {held, held + 1} <= set(run.history.steps)
    for step in run.history.steps:
        assert torch.equal(run.history.rows(step), expected[step][1])


def test_a_saved_training_goes_on_as_if_it_had_never_been_left(corpus: WordCorpus) -> None:
    run, expected = Run(REQUEST, corpus), plain(corpus)
    run.train(60, seconds=PATIENCE)
    later = Run(replace(REQUEST, loaded="here"), corpus, begun=run.state)
    assert (later.current_step, later.begun_at) == (60, 60)
    assert later.history.steps == (0, 60)
    later.train(CONFIG.steps, seconds=PATIENCE)
    assert torch.equal(later.history.rows(150), expected[150][1])
    assert later.history.losses[1:60].isnan().all()
    assert later.history.losses[61:].tolist() == torch.tensor([expected[step][0] for step in range(61, 151)]).tolist()


def test_a_saved_training_that_is_past_the_look_ahead_step_has_axes_at_once(corpus: WordCorpus) -> None:
    run = Run(REQUEST, corpus)
    run.train(122, seconds=PATIENCE)
    later = Run(replace(REQUEST, loaded="here"), corpus, begun=run.state)
    assert later.axes("kinds", "ahead").step == 122


def test_rows_that_went_astray_are_kept_as_they_were_and_nothing_follows(corpus: WordCorpus) -> None:
    config = replace(CONFIG, learning_rate=1e3)
    run = Run(replace(REQUEST, config=config), corpus)
    run.train(150, seconds=PATIENCE)
    last: SkipGramStep
    *_, last = skip_gram(corpus, config)
    assert run.diverged
    assert run.is_over
    assert run.current_step == last.step
    assert run.kept_steps[-1] == run.sound_at == last.rows_step < last.step
    assert torch.equal(run.history.rows(last.rows_step), last.rows)
    assert last.step not in run.history.steps, "rows that led astray are not those of any step in view"
    assert run.history.losses[-1] == last.loss
    assert run.axes("kinds", "ahead").components.isfinite().all()


def test_axes_are_those_of_the_look_ahead_step_until_the_last_ones_are_asked_for(corpus: WordCorpus) -> None:
    run = Run(REQUEST, corpus)
    assert run.axes("kinds", "last").step == 0
    run.train(100, seconds=PATIENCE)
    early = run.axes("kinds", "last")
    assert early.step == 100
    run.train(150, seconds=PATIENCE)
    assert run.axes("kinds", "ahead") is early
    for by, kinds in (("kinds", run.kinds), ("principal", None)):
        found = run.axes(by, "last")  # type: ignore[arg-type]
        expected = fit_row_axes(run.history.rows(150), kinds=kinds, step=150)
        assert (found.step, found.basis) == (150, by)
        assert torch.equal(found.components, expected.components)
        assert torch.equal(torch.from_numpy(run.places(found, 50)), expected.coordinates(run.history.rows(50)))


def test_two_visitors_with_one_wish_share_a_training_and_it_goes_on_until_both_have_enough(
    corpus: WordCorpus, own_jobs: Jobs
) -> None:
    run = Run(replace(REQUEST, config=replace(CONFIG, steps=100_000)), corpus)
    for visitor in ("first", "second"):
        runs.request_run(run, 100_000, visitor=visitor)
    assert len(own_jobs.alive()) == 2, "one turn for both, and the next"
    wait_until(lambda: run.current_step > 5)
    runs.cancel_requests("first")
    before = run.current_step
    wait_until(lambda: run.current_step > before + 5)
    runs.cancel_requests("second", of=run)
    wait_until(lambda: not own_jobs.alive())
    run.hold()
    assert run.current_step in run.history.steps
    still = run.current_step
    time.sleep(0.05)
    assert run.current_step == still
    runs.request_run(run, still + 1, visitor="first")
    wait_until(lambda: run.current_step == still + 1)


def test_two_visitors_with_two_wishes_take_turns(corpus: WordCorpus, own_jobs: Jobs) -> None:
    both = [
        Run(replace(REQUEST, config=replace(CONFIG, steps=100_000, seed=seed)), corpus, slice_seconds=0.02)
        for seed in (0, 1)
    ]
    names = ("first", "second")

    def turns() -> None:
        for run, name in zip(both, names, strict=True):
            runs.request_run(run, 100_000, visitor=name)

    def five_each() -> bool:
        turns()
        assert abs(both[0].slices - both[1].slices) <= 2
        return min(run.slices for run in both) >= 5

    wait_until(five_each)


def test_who_is_not_heard_of_no_longer_has_work_done_for_them(corpus: WordCorpus, own_jobs: Jobs, clock: Clock) -> None:
    run = Run(replace(REQUEST, config=replace(CONFIG, steps=100_000)), corpus)
    runs.request_run(run, 100_000, visitor="gone")
    wait_until(lambda: run.current_step > 5)
    assert own_jobs.alive()
    clock.now = 1.5
    wait_until(lambda: not own_jobs.alive())
    still = run.current_step
    time.sleep(0.05)
    assert run.current_step == still


def test_a_failure_is_kept_and_can_be_tried_again(corpus: WordCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    run, expected = Run(REQUEST, corpus), plain(corpus)
    run.train(20, seconds=PATIENCE)
    take = Run._record_step

    def fail(self: Run, step: SkipGramStep, goal: int) -> None:
        if step.step == 30:
            raise MemoryError
        take(self, step, goal)

    with monkeypatch.context() as broken:
        broken.setattr(Run, "_record_step", fail)
        with pytest.raises(MemoryError):
            run.train(150, seconds=PATIENCE)
    assert isinstance(run.error, MemoryError)
    assert run.is_over
    run.recover()
    run.train(150, seconds=PATIENCE)
    assert torch.equal(run.history.rows(150), expected[150][1])
