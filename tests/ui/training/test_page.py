"""The training page: that it opens, what it refuses and how, and that links say what is in view."""

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest

from embedlib.word2vec import SHIPPED, SkipGramConfig, word_corpus
from tests.messages import wording
from tests.ui.pages import change_settings, find_control, link_of, open_page, says, says_only, wait_for
from tests.waiting import PATIENCE, wait_until
from ui.training.corpora import shipped_corpus
from ui.training.files import saved_training, shared_run
from ui.training.request import Request
from ui.training.run import Run
from ui.training.runs import training_jobs

# Cheap: 12 steps of few numbers, which are all kept.
SMALL = {"train_steps": "12", "train_d_model": "4", "train_batch_size": "16", "train_window": "2"}
TWELVE = "king queen man woman cat dog sun moon red blue one two".split()
TEXT = " ".join(f"{one} {other}." for one in TWELVE for other in TWELVE)


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let no test find what another has trained, and no training end only because nobody was heard of for long."""
    monkeypatch.setattr(training_jobs, "_patience", math.inf)
    shared_run.clear()
    yield
    shared_run.clear()


def label(app: AppTest) -> str:
    """Tell which of its labels the first button has."""
    labels = ("Pause", "Start", "Resume")
    return next(name.lower() for name in labels if wording(name).fullmatch(app.button("train-go").label))


def complaints(app: AppTest) -> list[str]:
    return [element.value for kind in (app.error, app.warning) for element in kind]


def progress(app: AppTest) -> str:
    return str(app.get("progress")[0].proto.text)


PARTS = {
    "live": wording("Training"),
    "step": wording("Step {step:,} of {steps:,}"),
    "trained": wording("trained to {at:,}"),
    "start": wording("press Start"),
    "paused": wording("paused"),
    "end": wording("training finished"),
    "diverged": wording("diverged at {at:,}"),
}


def says_step(app: AppTest, step: int, steps: int, *parts: str, at: int | None = None) -> bool:
    """Tell whether the line beside the buttons says a step, and these parts after it."""
    found = [wording("Step {step:,} of {steps:,}", step=f"{step:,}", steps=f"{steps:,}")]
    found += [PARTS[part] for part in parts]
    line = progress(app)
    return bool(re.fullmatch(" · ".join(one.pattern for one in found), line)) and (at is None or f"{at:,}" in line)


def until_step(app: AppTest, step: int, steps: int, *parts: str, at: int | None = None) -> None:
    """Let the page look again, as a browser does twice a second, until it says a step."""
    wait_for(app, lambda: says_step(app, step, steps, *parts, at=at), lambda: progress(app))
    assert not app.exception


def kept_runs() -> list[Run]:
    return [entry.value[0] for entry in shared_run._kept._entries.values()]


def only_run() -> Run:
    (run,) = kept_runs()
    return run


def nothing_trains() -> bool:
    return wait_until(lambda: not training_jobs.alive())


def test_the_page_begins_by_itself_where_nothing_was_chosen_and_ends_where_it_is_left() -> None:
    app = open_page("training")
    assert not app.exception
    assert complaints(app) == []
    assert label(app) == "pause"
    wait_until(lambda: only_run().current_step >= 2)
    app.switch_page("../pages/batches.py").run()
    assert nothing_trains()
    stopped = only_run().current_step
    assert stopped < 1_000
    app.switch_page("../pages/training.py").run()
    assert label(app) == "pause", "it goes on as the reader comes back"
    app.button("train-go").click().run()
    assert label(app) == "start", "nothing was shown yet"
    assert nothing_trains()


def test_other_settings_end_the_training_of_those_before() -> None:
    app = open_page("training", **SMALL | {"train_steps": "5000"})
    app.button("train-go").click().run()
    assert training_jobs.alive()
    find_control(app, "train_seed").set_value(3).run()
    assert nothing_trains()
    assert says_step(app, 0, 5_000, "start")
    find_control(app, "train_seed").set_value(0).run()
    assert label(app) == "pause", "where they were"
    app.button("train-first").click().run()


def test_other_settings_wait_at_step_0_and_are_trained_to_the_end_when_asked() -> None:
    app = open_page("training", **SMALL)
    assert says_step(app, 0, 12, "start")
    assert label(app) == "start"
    app.button("train-go").click().run()
    until_step(app, 12, 12, "end")
    assert app.button("train-go").disabled
    assert app.button("train-one").disabled
    app.button("train-first").click().run()
    assert says_step(app, 0, 12, "start")


def test_a_step_is_one_step() -> None:
    app = open_page("training", **SMALL)
    for step in (1, 2, 3):
        app.button("train-one").click().run()
        until_step(app, step, 12, "paused", "trained", at=12)


def test_a_link_to_a_step_trains_up_to_it_and_shows_it() -> None:
    app = open_page("training", **SMALL, train_step="7", train_word="queen")
    until_step(app, 7, 12, "paused", "trained", at=12)
    assert link_of(app) == {**SMALL, "train_step": "7", "train_word": "queen"}


def test_a_word_that_the_text_does_not_have_is_no_choice() -> None:
    app = open_page("training", **SMALL, train_word="<img src=x>")
    assert not app.exception
    assert says_only(app, "No row for {asked}: showing…", asked="`<img src=x>`", shown="`king`")


@pytest.mark.parametrize(
    ("steps", "asked", "shown", "said"),
    [
        (12, 7_777, 12, wording("Step {asked:,} is past the end:", asked="7,777")),
        (
            120,
            30,
            29,
            wording("Step {asked:,} was not kept:", asked="30"),
        ),  # the first that is not kept of so many
    ],
)
def test_a_step_in_a_link_that_is_not_there_is_said(steps: int, asked: int, shown: int, said: re.Pattern[str]) -> None:
    small = SMALL | {"train_steps": str(steps)}
    app = open_page("training", **small)
    only_run().train(steps, seconds=PATIENCE)
    app = open_page("training", **small, train_step=str(asked))
    until_step(app, shown, steps, "end")
    (complaint,) = complaints(app)
    assert said.match(complaint)
    assert wording("showing step {step:,}.", step=shown).search(complaint)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("too short a text", wording("The text has {found:,} words, and…", found="4", least="200")),
        (
            " ".join(f"{a}{b}" for a in "abcdefghijklmno" for b in "abcdefghijklmnopq"),
            wording("Only {found:,} words occur…", found="0", often="2"),
        ),
        ("Stop. Go! Why? How. No. Yes. A. B. C. D. E. F. G. " * 20, wording("No sentence has two frequent…")),
    ],
)
def test_a_text_from_which_nothing_can_be_learned_is_refused_in_one_sentence(text: str, said: re.Pattern[str]) -> None:
    app = open_page("training", train_corpus="text", text=text)
    assert not app.exception
    assert len(app.error) == 1
    assert said.search(app.error[0].value)
    app.button("train-grammar").click().run()
    assert app.error == []


def test_who_has_no_text_yet_is_invited_and_may_take_an_example() -> None:
    app = open_page("training", train_corpus="text")
    assert complaints(app) == []
    assert says(app, "Paste a text of at least {words:,}…", words="200")
    app.button("train-example").click().run()
    assert not app.exception
    assert PARTS["start"].search(progress(app))
    assert not says(app, "No row for {word}.", word=...), "the analogy is of the text's own words"


def test_a_text_of_ones_own_has_rows_and_no_kinds() -> None:
    app = open_page("training", **SMALL | {"train_corpus": "text", "text": TEXT})
    assert not app.exception
    assert complaints(app) == []
    assert len(app.metric) == 1, "the loss"
    app.button("train-go").click().run()
    until_step(app, 12, 12, "end")


def test_a_learning_rate_that_is_too_high_is_said_and_the_rows_stay() -> None:
    app = open_page("training", **SMALL | {"train_steps": "200", "train_learning_rate": "100"})
    app.button("train-go").click().run()
    wait_for(app, lambda: PARTS["diverged"].search(progress(app)), lambda: progress(app))
    run = only_run()
    assert run.sound_at is not None
    assert says_step(app, run.sound_at, 200, "diverged", at=run.current_step)
    assert len(app.error) == 1
    stopped = wording("Diverged at step {step:,};…", rate="100", step=run.current_step, sound=run.sound_at)
    assert stopped.search(app.error[0].value)
    assert wording("Loss, step {step:,}", step=run.sound_at).fullmatch(app.metric[0].label)
    assert app.metric[0].value == f"{float(run.history.losses[run.sound_at]):.3f}"
    assert not says(app, "Resumes from step {at:,}; the…")
    assert bool(run.history.rows(run.kept_steps[-1]).isfinite().all())
    app.button("train-lower").click().run()
    assert not app.exception
    assert "train_learning_rate" not in link_of(app), "the default again"
    assert PARTS["start"].search(progress(app))


def saved(n_steps: int, **changed: Any) -> bytes:
    """Return the file of a training of the grammar's sentences, stopped early."""
    config = SkipGramConfig(**{"d_model": 4, "batch_size": 16, "window": 2, "steps": 12} | changed)
    run = Run(Request("grammar", "grammar", config), shipped_corpus("grammar"))
    run.train(n_steps, seconds=PATIENCE)
    return saved_training(run)


def load(app: AppTest, content: bytes) -> AppTest:
    app.file_uploader[-1].set_value(("mine.safetensors", content, "application/octet-stream"))
    app.run()
    assert not app.exception
    return app


def test_a_saved_training_is_gone_on_with_to_the_same_rows() -> None:
    app = load(open_page("training"), saved(7))
    assert app.error == []
    until_step(app, 7, 12, "paused", "trained", at=12)
    assert says(app, "Resumed {file} at step…", step="7")
    app.button("train-go").click().run()
    until_step(app, 12, 12, "end")
    ours = next(run for run in kept_runs() if run.request.loaded)
    whole = Run(Request("grammar", "grammar", ours.request.config), shipped_corpus("grammar"))
    whole.train(12, seconds=PATIENCE)
    assert torch.equal(ours.history.rows(12), whole.history.rows(12))


def test_a_saved_training_that_is_past_the_look_ahead_step_stands_where_it_was_saved() -> None:
    app = load(open_page("training", **SMALL), saved(122, steps=300))
    until_step(app, 122, 300, "paused")
    assert label(app) == "resume"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (lambda: b"no tensors", wording("{file} is no saved run: choose…")),
        (lambda: saved(3)[:-5], wording("{file} is no saved run: choose…")),
        (lambda: SHIPPED.read_bytes(), wording("{file} is no saved run: choose…")),
        (lambda: saved(3, weight_decay=0.5), wording("{file} has settings this page…")),
        (lambda: saved(50, learning_rate=1e30, steps=60), wording("The run in {file} diverged:…")),
    ],
)
def test_a_file_that_cannot_be_gone_on_with_is_refused_in_one_sentence(
    content: Callable[[], bytes], said: re.Pattern[str]
) -> None:
    app = load(open_page("training", **SMALL), content())
    assert len(app.error) == 1
    assert said.search(app.error[0].value)
    assert "`mine.safetensors`" in app.error[0].value
    assert says_step(app, 0, 12, "start")


def test_a_training_of_another_text_says_that_the_text_is_missing() -> None:
    corpus = word_corpus(TEXT, min_count=2)
    run = Run(Request("text", "text", SkipGramConfig(d_model=4, batch_size=16, steps=12)), corpus)
    run.train(3, seconds=PATIENCE)
    app = load(open_page("training", **SMALL), saved_training(run))
    assert len(app.error) == 1
    assert wording("{file} was trained on another…").search(app.error[0].value)
    change_settings(app, text=TEXT, train_corpus="text")
    app.run()
    assert app.error == [], "its text is there by now"
    assert says(app, "Resumed {file} at step…", step="3")
    wait_for(app, lambda: wording("Step {step:,} of {steps:,}", step="3", steps="12").match(progress(app)))


def test_a_file_of_ones_own_is_read_and_named() -> None:
    app = open_page("training", **SMALL | {"train_corpus": "own"})
    assert says(app, "There is no file yet, so the…")
    app.file_uploader[0].set_value(("my_words.txt", TEXT.encode(), "text/plain"))
    app.run()
    assert not app.exception
    assert complaints(app) == []
    assert any("my\\_words.txt" in caption.value or "`my_words.txt`" in caption.value for caption in app.caption)
    (request,) = (run.request for run in kept_runs() if run.request.file)
    assert (request.min_count, request.config.steps) == (2, 12)
    app.file_uploader[0].set_value(("short.txt", b"too short", "text/plain"))
    app.run()
    assert not app.exception
    assert wording("The text has {found:,} words, and…", found="2", least="200").search(app.error[0].value)
