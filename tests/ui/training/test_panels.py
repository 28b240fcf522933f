"""The panels of the training page: their numbers against independent code, and what they say of texts without kinds."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import torch
from streamlit.testing.v1 import AppTest
from torch import Tensor

from embedlib.grammar import KINDS, RELATIONS, pairs, word_kinds
from embedlib.neighbours import analogy, nearest_neighbours, neighbour_rank
from embedlib.word2vec import (
    KindScore,
    SkipGramConfig,
    WordCorpus,
    analogy_scores,
    kind_score,
    skip_gram,
    table_corpus,
    trained_table,
)
from tests.messages import wording
from tests.ui.pages import figure, find_control, link_of, open_page, says, sentences, wait_for
from tests.waiting import PATIENCE
from ui.shared.questions import is_correct
from ui.training import step_results
from ui.training.files import shared_run
from ui.training.questions import page_questions
from ui.training.request import Request
from ui.training.run import Run
from ui.training.view import Recording, TrainingView

CONFIG = SkipGramConfig(steps=12, d_model=16, batch_size=256, window=2)
LINK = {"train_steps": "12", "train_d_model": "16", "train_batch_size": "256", "train_window": "2"}
WORDS = trained_table().words  # of the same sentences
KING, MAN, WOMAN, QUEEN = (WORDS.index(word) for word in ("king", "man", "woman", "queen"))


@cache  # not as the file is read: each line of tests reads it, and one runs it
def corpus() -> WordCorpus:
    return table_corpus()


@cache
def steps() -> list[tuple[Tensor, float]]:
    return [(step.rows.clone(), step.loss) for step in skip_gram(corpus(), CONFIG)]


@pytest.fixture(scope="module", autouse=True)
def forget() -> Iterator[None]:
    """Let no other test find what these have trained."""
    yield
    shared_run.clear()


def at_step(step: int, **link: str) -> AppTest:
    """Open the page on a step, and let it look again until that is trained."""
    app = open_page("training", **LINK, train_step=str(step), **link)
    at = wording("Step {step:,} of {steps:,}", step=step, steps="12")
    wait_for(app, lambda: at.match(str(app.get("progress")[0].proto.text)))
    assert not app.exception
    return app


def chart(app: AppTest, name: str) -> dict[str, Any]:
    return figure(app, f"train-{name}")


def texts(app: AppTest) -> str:
    return "\n".join(element.value for element in app.markdown)


def ranks(rows: Tensor, row: int) -> list[int]:
    """Order all rows around one."""
    return nearest_neighbours(rows, rows[row][None], len(rows) - 1, exclude=[row]).ids[0].tolist()


@pytest.fixture(scope="module")
def page() -> AppTest:
    return at_step(12, train_word="king")


def test_the_nearest_words_are_those_of_independent_code_with_their_places_at_the_start(page: AppTest) -> None:
    (bars,) = chart(page, "neighbours")["data"]
    rows = steps()[12][0]
    nearest, before = ranks(rows, KING)[:10], ranks(steps()[0][0], KING)
    cosines = torch.cosine_similarity(rows[nearest].double(), rows[KING].double()[None])
    assert bars["hovertext"] == [WORDS[row] for row in nearest]
    assert bars["x"] == pytest.approx(cosines.tolist())
    assert [place[1] for place in bars["customdata"]] == [f"{before.index(row) + 1:,}" for row in nearest]
    same, first = (sum(WORDS[row] in KINDS["royals"].words for row in rows) for rows in (nearest, before[:10]))
    chance = 10 * (len(KINDS["royals"].words) - 1) / (len(WORDS) - 1)
    told = {"step": "12", "same": same, "count": "10", "word": "`king`", "before": first, "chance": f"{chance:.1f}"}
    assert wording("At step {step:,}, **{same} of the {count} words nearest**…", **told).search(texts(page))


def test_the_places_of_the_last_neighbours_are_followed_through_all_steps(page: AppTest) -> None:
    lines = [trace for trace in chart(page, "places")["data"] if trace["mode"] == "lines"]
    nearest = ranks(steps()[12][0], KING)[:5]
    assert [line["name"] for line in lines] == [WORDS[row] for row in nearest]
    orders = [ranks(rows, KING) for rows, _ in steps()]
    for line, row in zip(lines, nearest, strict=True):
        assert line["customdata"] == [[step, order.index(row) + 1] for step, order in enumerate(orders)]


def test_the_answers_to_an_analogy_and_the_place_of_the_right_one(page: AppTest) -> None:
    (bars,) = chart(page, "answers")["data"]
    found = analogy(steps()[12][0], KING, MAN, WOMAN, k=5)
    assert bars["hovertext"] == [WORDS[row] for row in found.ids.tolist()]
    assert bars["x"] == pytest.approx(found.similarities.clamp(min=0).tolist())
    line = chart(page, "answer-places")["data"][0]
    for step, place in line["customdata"]:
        query = analogy(steps()[step][0], KING, MAN, WOMAN, k=1).query
        assert place == neighbour_rank(steps()[step][0], query, QUEEN, exclude=[KING, MAN, WOMAN])
    assert [step for step, _ in line["customdata"]] == list(range(13))
    assert wording(
        "The expected answer {expected}…",
        expected="`queen`",
        rank=f"{line['customdata'][-1][1]:,}",
        count=f"{len(WORDS) - 3:,}",
    ).search(texts(page))


def test_scores_are_those_of_the_library_at_every_step(page: AppTest) -> None:
    score, relations = chart(page, "score")["data"][0], chart(page, "relations")["data"][: len(RELATIONS)]
    known = {name: pairs(name) for name in RELATIONS}
    for step, (rows, _) in enumerate(steps()):
        assert score["customdata"][step] == [step, pytest.approx(kind_score(rows, word_kinds(WORDS)).score)]
        right = analogy_scores(rows, WORDS, known)
        assert [line["y"][step] for line in relations] == pytest.approx([right[name].right for name in RELATIONS])
    by_kind = kind_score(steps()[12][0], word_kinds(WORDS)).by_kind
    drawn = {
        name: value
        for half in ("kinds-first", "kinds-last")
        for bars in chart(page, half)["data"]
        for name, value in zip(bars["hovertext"], bars["x"], strict=True)
    }
    assert drawn == {KINDS[name].title: pytest.approx(value) for name, value in by_kind.items()}


def test_the_loss_is_that_of_each_step(page: AppTest) -> None:
    line = chart(page, "loss")["data"][0]
    assert line["customdata"] == [[step, pytest.approx(loss)] for step, (_, loss) in enumerate(steps())]
    assert wording("At step {step:,} the loss…", step="12", loss=f"{steps()[12][1]:.2f}").search(texts(page))


def test_rows_that_moved_most_since_the_start_and_since_the_step_before(page: AppTest) -> None:
    for choice, start in (("start", 0), ("kept", 11)):
        app = page if choice == "start" else at_step(12, train_moved=choice)
        moves = [
            float((after - before).double().norm())
            for before, after in zip(steps()[start][0], steps()[12][0], strict=True)
        ]
        order = sorted(range(len(WORDS)), key=lambda row, far=moves: -far[row])[:10]
        (bars,) = chart(app, "moved")["data"]
        assert bars["x"] == pytest.approx([moves[row] for row in order])
        assert [counted[1] for counted in bars["customdata"]] == [f"{int(corpus().counts[row]):,}" for row in order]
        points = chart(app, "moved-frequency")["data"][0]
        assert points["y"].tolist() == pytest.approx(moves, rel=1e-5, abs=1e-6)
        assert points["x"].tolist() == corpus().counts.tolist()
        assert wording(
            "Between steps {start:,} and {step:,} the…",
            start=start,
            step="12",
            mean=f"{sum(moves) / len(moves):.2f}",
        ).search(texts(app))


def test_at_step_0_all_is_chance_and_nothing_has_moved() -> None:
    app = open_page("training", **LINK, train_word="king")
    assert not app.exception
    assert wording("At step {step:,}, **{same} of the…", step="0", word="`king`", chance=...).search(texts(app))
    assert wording("At step {step:,} the loss…", step="0", terms="6", start="4.16").search(texts(app))
    assert says(app, "At step {step:,} no row has moved yet.")
    assert chart(app, "score")["data"][0]["customdata"][0][0] == 0


def test_the_first_step_moves_no_row_and_why_is_said() -> None:
    assert torch.equal(steps()[1][0], steps()[0][0])
    app = at_step(1)
    assert wording("Between steps {start:,} and {step:,} **no…", start="0", step="1").search(texts(app))
    assert wording("The rows of the neighbours start at zero and…").search(texts(app))
    with pytest.raises(ValueError, match="unpack"):
        chart(app, "moved")


def test_words_of_an_analogy_that_have_no_row_are_said_with_those_written_nearly_so(page: AppTest) -> None:
    app = at_step(12, train_a="kinng", train_expected="<img src=x>")
    said = [sentence for sentence in sentences(app) if wording("No row for {word}.", word=...).search(sentence)]
    assert wording("No row for {word}.", word="`kinng`").match(said[0])
    assert "`king`" in said[0]
    assert chart(app, "relations")
    with pytest.raises(ValueError, match="unpack"):
        chart(app, "answers")


def test_another_answer_may_be_expected() -> None:
    app = at_step(12, train_expected="Prince")
    query = analogy(steps()[12][0], KING, MAN, WOMAN, k=1).query
    place = neighbour_rank(steps()[12][0], query, WORDS.index("prince"), exclude=[KING, MAN, WOMAN])
    assert wording("The expected answer {expected}…", expected="`prince`", rank=f"{place:,}").search(texts(app))


def test_of_a_text_without_kinds_no_score_is_made_up() -> None:
    made = [f"{first}{second}a" for first in "bdfgk" for second in "aeiou"]
    text = " ".join(f"alpha beta {made[n % 20]} gamma {made[n % 7]} delta." for n in range(200))
    app = open_page("training", **LINK, train_corpus="text", text=text)
    assert not app.exception
    said = "\n".join(sentences(app))
    assert wording("There is no score, since…").search(said)
    assert wording("The training text has no pairs such as…").search(said)
    assert not wording("No row for {word}.", word=...).search(said)
    assert [find_control(app, f"train_{name}").value for name in "abc"] == ["alpha", "beta", "delta"]
    picker = app.selectbox("shown_train_word")
    assert picker.value is None
    assert picker.proto.placeholder == "alpha", "no word is longer, and it comes first"
    picker.select("alpha").run()
    assert link_of(app)["train_word"] == "alpha"
    source = next(block.value for block in app.code if "skip_gram" in block.value)
    assert "kind_score" not in source
    compile(source, "program.py", "exec")


def view(run: Run, last: int, state: Any, step: int) -> TrainingView:
    return TrainingView(Recording(run, last, state), step, KING, run.axes("kinds", "ahead"))


def test_every_question_has_the_answer_that_the_numbers_give() -> None:
    run = Run(Request("grammar", "grammar", CONFIG), corpus())
    run.train(12, seconds=PATIENCE)
    nothing, chance, analogies = page_questions(view(run, 12, "done", 12))
    assert is_correct(nothing, 4.16)
    assert is_correct(chance, 10 * 15 / 687)
    assert not is_correct(chance, 10 * 16 / 687)
    assert analogies.name in ("train-analogies", "train-frequent")
    assert is_correct(analogies, 1_934 / 685) or is_correct(analogies, "everywhere")


def test_while_a_training_goes_on_a_tick_works_out_a_little_and_later_ones_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = Request("grammar", "another key", CONFIG)
    run = Run(request, corpus())
    run.train(12, seconds=PATIENCE)
    monkeypatch.setattr(step_results, "SPEND", 0.0)
    some = step_results.scores(Recording(run, 12, "training"), 7)
    assert sorted(some) == [7, 12], "the step in view, and the newest"
    every = step_results.scores(Recording(run, 12, "done"), 7)
    assert sorted(every) == list(range(13))
    assert every[7] is some[7], "worked out once"
    assert sorted(step_results.scores(Recording(run, 5, "paused"), 5)) == list(range(6)), (
        "no more than a visitor has seen"
    )


def test_the_step_at_which_a_score_is_first_reached_is_looked_for_among_all_that_were_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = Run(Request("grammar", "for its score", CONFIG), corpus())
    run.train(12, seconds=PATIENCE)
    real = kind_score(run.history.rows(0), run.kinds)

    def rising(rows: Tensor, _kinds: object) -> KindScore:
        step = next(step for step in run.history.steps if run.history.rows(step) is rows)
        return replace(real, score=step / 12)

    monkeypatch.setattr(step_results, "kind_score", rising)
    monkeypatch.setattr(step_results, "MOST_DRAWN", 2)
    done = Recording(run, 12, "done")
    assert step_results.drawn_steps(done) == [0, 3, 12]
    assert [step_results.first_good_step(done, share) for share in (0.0, 0.25, 0.5, 1.0, 1.1)] == [0, 3, 6, 12, None]
    assert step_results.first_good_step(Recording(run, 12, "training"), 0.5) is None, "not known finely yet"


def test_the_steps_that_are_drawn_stay_as_more_come() -> None:
    run = Run(Request("grammar", "long", SkipGramConfig(steps=1_000, d_model=2, batch_size=8)), corpus())
    for step in range(1, 301):
        run.history.add(step, 1.0, run.history.rows(0))
    before = step_results.drawn_steps(Recording(run, 100, "training"))
    after = step_results.drawn_steps(Recording(run, 300, "training"))
    assert after[: len(before)] == before
    assert before[:5] == [0, 1, 2, 3, 4]
    assert len(after) <= step_results.MOST_DRAWN + 1
