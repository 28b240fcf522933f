"""The walk from stop to stop: pages, settings, answers, and the reader's own words."""

from typing import Any

import pytest

from tests.messages import message
from tests.ui.pages import link_of, open_page, sentences
from ui.lessons.lesson import LessonQuestion, shipped_lesson
from ui.lessons.walk import is_correct, right_answer
from ui.settings import pack_for_link

OWN = """\
lesson: 1
title: <b>Own</b> *lesson*
stops:
  - {page: tokens, title: "<script>", say: "[x](javascript:1)", settings: {closely: bytes}}
  - page: word_order
    title: Two
    say: Words.
    settings: {first: a b, second: b a}
    question: {ask: "Which?", choices: ["*one*", two], answer: two, why: "<i>Because</i>.", hint: Look *there*.}
  - {page: "", title: Three, say: Text., settings: {text: typed for you, tokenizer: words, table: random}}
"""


def question(answer: Any, *choices: str, digits: int = 0) -> LessonQuestion:
    return LessonQuestion("?", tuple(choices), answer, digits, "", "")


def panel(app: Any) -> str:
    return next(element.proto.body for element in app.get("html") if 'class="walk"' in element.proto.body)


def test_next_and_back_lead_across_pages_and_keep_what_the_reader_typed() -> None:
    app = open_page(lesson="tour", text="my own words")
    stops = shipped_lesson("tour").stops
    for place in (1, 2, 1, 0):
        app.button(key="walk-next" if place > int(link_of(app).get("stop", 0)) else "walk-back").click().run()
        assert not app.exception
        assert sentences(app) == []
        link = link_of(app)
        assert int(link.get("stop", 0)) == place
        assert (link["lesson"], link["text"]) == ("tour", "my own words")
        assert stops[place].title in panel(app)
    assert app.button(key="walk-back").disabled


@pytest.mark.parametrize(("page", "opened"), [("projection", "meaning"), ("tokens", None)])
def test_a_link_without_settings_opens_the_stop_on_its_own_page_and_leaves_another(
    page: str, opened: str | None
) -> None:
    app = open_page(page, lesson="tour", stop="9")
    assert not app.exception
    assert link_of(app).get("map") == opened


def test_a_stop_sets_what_it_names_and_all_else_is_as_pages_open() -> None:
    app = open_page("tokens", lesson=pack_for_link(OWN), text="my own words", pieces="500")
    app.button(key="walk-next").click().run()
    link = link_of(app)
    assert (link["first"], link["second"]) == ("a b", "b a")
    assert "pieces" not in link
    app.button(key="walk-next").click().run()
    assert link_of(app)["text"] == "typed for you"
    assert "walk-next" not in [button.key for button in app.button]
    app.button(key="walk-leave").click().run()
    assert "lesson" not in link_of(app)
    assert link_of(app)["text"] == "typed for you"
    assert not any('class="walk"' in element.proto.body for element in app.get("html"))


def test_a_link_with_a_stop_alone_opens_its_page_with_its_settings_and_the_readers_text() -> None:
    link = link_of(open_page(lesson="tour", stop="8", text="my own words"))
    assert (link["stop"], link["vectors"], link["row"], link["text"]) == ("8", "minilm", "2332", "my own words")
    assert open_page(lesson="tour", stop="15", lang="fr").session_state["lang"] == "fr"
    kept = link_of(open_page(lesson="tour", stop="8", d_model="32"))
    assert kept["d_model"] == "32"
    assert "vectors" not in kept


def test_leaving_leads_back_to_the_page_and_settings_from_before() -> None:
    app = open_page("lessons", pieces="500", first="my own", text="my own words")
    app.button(key="start-tour").click().run()
    app.button(key="walk-next").click().run()
    assert "pieces" not in link_of(app)
    app.button(key="walk-leave").click().run()
    assert not app.exception
    assert app.title[0].value == message("Lessons")
    link = link_of(app)
    assert (link["text"], link["pieces"], link["first"]) == ("my own words", "500", "my own")
    assert not {"lesson", "stop"} & link.keys()


def test_the_last_stop_leads_to_all_lessons() -> None:
    app = open_page(lesson=pack_for_link(OWN), stop="2")
    app.button(key="walk-finish").click().run()
    assert not app.exception
    assert app.title[0].value == message("Lessons")
    assert "lesson" not in link_of(app)


def test_words_of_a_lesson_are_text_and_never_html() -> None:
    app = open_page("tokens", lesson=pack_for_link(OWN))
    assert "&lt;b&gt;Own&lt;/b&gt; *lesson*" in panel(app)
    assert "&lt;script&gt;" in panel(app)
    assert "<script>" not in panel(app)


def test_a_question_is_answered_wrong_then_right() -> None:
    app = open_page("word_order", lesson=pack_for_link(OWN), stop="1", first="a b", second="b a")
    answer = next(radio for radio in app.radio if (radio.key or "").startswith("walk-answer"))
    answer.set_value("*one*").run()
    assert [element.value for element in app.warning] == [message("Not quite.") + r" Look \*there\*\."]
    assert not app.success
    answer = next(radio for radio in app.radio if (radio.key or "").startswith("walk-answer"))
    answer.set_value("two").run()
    assert r"\<i\>Because" in app.success[0].value
    assert not app.warning


@pytest.mark.parametrize("stop", ["7", "999"])
def test_a_stop_beyond_the_last_is_the_last_and_is_said_once(stop: str) -> None:
    app = open_page("tokens", lesson=pack_for_link(OWN), stop=stop)
    assert not app.exception
    assert "Three" in panel(app)
    assert [element.value for element in app.warning] == [
        message("No stop {stop}: showing the last.", stop=int(stop) + 1)
    ]
    app.button(key="walk-back").click().run()
    assert not app.warning


@pytest.mark.parametrize("lesson", ["nobody", "z.AAAA", pack_for_link(OWN)[:-7]])
def test_a_link_with_no_lesson_says_so_and_the_page_is_there(lesson: str) -> None:
    app = open_page("tokens", lesson=lesson)
    assert not app.exception
    assert len(app.warning) == 1
    assert "lesson" not in link_of(app)
    assert app.get("bidi_component")


def test_a_link_whose_lesson_breaks_the_format_names_the_line_and_can_be_left() -> None:
    app = open_page("tokens", lesson=pack_for_link(OWN.replace("page: word_order", "page: nowhere")))
    assert not app.exception
    assert message("Line {line}: {sentence}", line=5, sentence="SOUGHT").split("SOUGHT")[0] in app.error[0].value
    app.button(key="walk-leave").click().run()
    assert not app.error


def test_an_answer_is_right_to_its_decimals_or_as_it_is_written() -> None:
    assert is_correct(0.25, 0.251, 2)
    assert not is_correct(0.25, 0.251, 3)
    assert is_correct("two", "two", 0)
    assert not is_correct("two", "one", 0)
    assert is_correct(30_522, 30_522.0, 0)
    assert not is_correct("3", 4.0, 0)


def test_an_answer_is_what_the_file_says_or_a_quantity() -> None:
    assert right_answer(question(3)) == 3
    assert right_answer(question("one", "one", "two")) == "one"


def test_a_page_without_an_answer_says_so() -> None:
    app = open_page(lesson="tour", text="")
    assert not app.exception
    first = open_page(
        "tokens",
        lesson=pack_for_link(OWN.replace('choices: ["*one*", two], answer: two', "answer: =first_id")),
        stop="1",
        text="",
    )
    assert not first.exception
    assert [element.value for element in first.info] != []
