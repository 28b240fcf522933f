"""A lesson, or a page, as slides: what the browser is told of them, and what a slide says."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.pages import open_page
from ui.lessons import slides, walk
from ui.lessons.lesson import shipped_lesson

TOUR = shipped_lesson("tour")


def told(app: AppTest) -> Any:
    """Return what the browser was told of the slides."""
    parts = [json.loads(part.proto.bytes) for part in app.get("bidi_component") if b'"contents"' in part.proto.bytes]
    return parts[-1]["present"]


def said(app: AppTest) -> str:
    """Return the slide's words."""
    return next(part.proto.body for part in app.get("html") if 'class="walk"' in part.proto.body)


def turned_to(app: AppTest, monkeypatch: pytest.MonkeyPatch, to: object) -> AppTest:
    """Let a button's run stand for the one in which the browser asks for a slide."""
    monkeypatch.setattr(slides, "browser_report", lambda name: to)
    monkeypatch.setattr(walk.state, "reset_page", slides.go_to_slide)
    app.run()  # a button keeps what it was drawn with
    app.button(key="reset").click().run()
    return app


def test_nothing_is_a_slide_until_it_is_asked_for() -> None:
    app = open_page(lesson="tour")
    assert told(app) is None
    app.button(key="walk-present").click().run()
    assert told(app)["lesson"]["place"] == {"slide": 0, "asked": 0}


def test_a_link_opens_the_slides_of_a_lesson() -> None:
    app = open_page("batches", lesson="tour", stop="6", present="1")
    lesson = told(app)["lesson"]
    assert lesson["place"] == {"slide": 6, "asked": 0}
    assert lesson["titles"] == [stop.title for stop in TOUR.stops]
    assert lesson["light"] == TOUR.stops[6].light
    assert TOUR.stops[6].title in said(app)
    assert TOUR.stops[6].attempt in lesson["notes"]
    assert TOUR.stops[6].attempt not in said(app)
    assert not app.exception


def test_a_page_without_a_lesson_is_slides_of_its_sections() -> None:
    assert told(open_page("tokens", present="1"))["lesson"] is None


def test_a_lesson_in_a_link_that_is_broken_leaves_the_page() -> None:
    app = open_page("tokens", present="1", lesson="z.AAAA")
    assert told(app)["lesson"] is None
    assert not app.exception


def test_a_question_comes_first_and_its_answer_when_one_goes_on() -> None:
    question = TOUR.stops[14].question
    assert question is not None
    asked = said(open_page("positions", lesson="tour", stop="14", present="1", asked="1"))
    assert question.ask in asked
    assert all(choice in asked for choice in question.choices)
    assert "data-right" not in asked
    assert question.why not in asked
    answered = said(open_page("positions", lesson="tour", stop="14", present="1", asked="2"))
    assert f"<li data-right>{question.answer}</li>" in answered
    assert answered.count("data-right") == 1
    assert question.why in answered


def test_an_answer_that_is_a_number_is_the_pages_own() -> None:
    app = open_page(lesson="tour", present="1", asked="2", text="one two three", tokenizer="words")
    assert '<p class="slide-answer">3</p>' in said(app)


def test_the_browser_leads_to_a_slide_and_the_slides_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    app = turned_to(open_page(lesson="tour", present="1"), monkeypatch, {"slide": 3, "asked": 0})
    assert told(app)["lesson"]["place"] == {"slide": 3, "asked": 0}
    turned_to(app, monkeypatch, {"slide": 3, "asked": 1})
    assert told(app)["lesson"]["place"] == {"slide": 3, "asked": 1}


@pytest.mark.parametrize(
    "forged", [None, 3, {}, {"slide": 99, "asked": 0}, {"slide": True, "asked": 0}, {"slide": "1", "asked": 0}, [1, 0]]
)
def test_what_a_browser_forges_turns_no_slide(monkeypatch: pytest.MonkeyPatch, forged: object) -> None:
    app = turned_to(open_page(lesson="tour", present="1", stop="0"), monkeypatch, forged)
    assert told(app)["lesson"]["place"] == {"slide": 0, "asked": 0}
    assert not app.exception


def test_the_words_of_a_lecturers_own_lesson_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "lesson: 1\ntitle: A\nstops:\n- {page: tokens, title: <b>T</b>, say: <script>x</script>}\n"
    monkeypatch.setattr(walk, "load_lesson", lambda reference: slides.walk.read_lesson(source))
    words = said(open_page("tokens", lesson="tour", present="1"))
    assert "&lt;b&gt;T" in words
    assert "<script" not in words
