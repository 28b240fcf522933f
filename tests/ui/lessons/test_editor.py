"""The page of lessons: what ships is started and copied; one's own is checked as it is written, and loaded whole."""

import random
import string

from tests.messages import message
from tests.ui.pages import link_of, open_page, sentences
from ui.lessons.editor import MOST_IN_LINK
from ui.lessons.lesson import read_lesson, shipped_lesson, shipped_source
from ui.settings import pack_for_link, shipped_names, unpack_from_link

EXAMPLE = shipped_source("example")


def test_every_lesson_that_ships_can_be_started() -> None:
    app = open_page("lessons")
    assert not app.exception
    assert sentences(app) == []
    assert [app.button(key=f"start-{name}").disabled for name in shipped_names()] == [False] * len(shipped_names())
    app.button(key="start-embedding_layer").click().run()
    assert not app.exception
    assert link_of(app)["lesson"] == "embedding_layer"
    assert link_of(app)["layer_ids"] == "3"


def test_a_copy_is_edited_checked_by_line_and_started_from_the_link_alone() -> None:
    app = open_page("lessons")
    app.button(key="edit-positional_encodings").click().run()
    source = shipped_source("positional_encodings")
    assert app.text_area(key="lesson_source").value == source
    app.text_area(key="lesson_source").set_value(EXAMPLE.replace("page: tokens", "page: nowhere")).run()
    assert [element.value for element in app.error] == [message("This is no lesson yet:")]
    assert any(element.value.startswith("5: ") and "- page: nowhere" in element.value for element in app.text)
    assert "start-own" not in [button.key for button in app.button]
    app.text_area(key="lesson_source").set_value(EXAMPLE).run()
    assert not app.error
    app.button(key="start-own").click().run()
    assert unpack_from_link(link_of(app)["lesson"]) == EXAMPLE


def test_a_lesson_too_long_for_a_link_says_so_and_can_still_be_saved() -> None:
    noise = random.Random(0)
    stops = [
        f"  - {{page: tokens, title: T, say: {''.join(noise.choices(string.ascii_letters, k=300))}}}\n"
        for _stop in range(60)
    ]
    long = "lesson: 1\ntitle: Long\nstops:\n" + "".join(stops)
    assert len(read_lesson(long).stops) == 60
    app = open_page("lessons")
    app.text_area(key="lesson_source").set_value(long).run()
    assert not app.exception
    sentence = message("Too long for a link…", length=len(pack_for_link(long)), most=MOST_IN_LINK)
    assert [element.value for element in app.info] == [sentence]
    assert "start-own" not in [button.key for button in app.button]


def test_the_example_is_a_lesson_and_a_link_holds_it() -> None:
    assert len(read_lesson(EXAMPLE).stops) == 2
    assert len(pack_for_link(EXAMPLE)) <= MOST_IN_LINK
    assert all(shipped_lesson(name).title for name in shipped_names())
