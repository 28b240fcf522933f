"""A lecture on the pages of the app: what its presenter's browser is told, and what its link does not hold."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.messages import message
from tests.ui.browser_message import report_of
from tests.ui.pages import link_of, open_page
from ui.lecture.presenter import follow_address
from ui.lecture.rooms import new_right, room_code
from ui.settings import state

COMPONENT = "lecture"


def data_of(app: AppTest, component: str) -> dict[str, Any]:
    proto = next(part.proto for part in app.get("bidi_component") if part.proto.component_name == component)
    data: dict[str, Any] = json.loads(proto.bytes)
    return data


def room_of(app: AppTest) -> dict[str, Any]:
    room: dict[str, Any] = json.loads(browser_of(app).bytes)["room"]
    return room


def browser_of(app: AppTest) -> Any:
    """Return what was sent to the page's browser, and not of a part of the page."""
    sent = (part.proto for part in app.get("bidi_component") if part.proto.component_name == "browser")
    return next(proto for proto in sent if "room" in json.loads(proto.bytes))


def reports(app: AppTest, **state: Any) -> None:
    """Rerun the page as after what its browser part reports."""
    states = app._tree.get_widget_states()
    states.widgets.add(id=browser_of(app).id, json_value=json.dumps(state))
    app._run(states)


def presents(app: AppTest) -> bool:
    return any(part.proto.component_name == COMPONENT for part in app.get("bidi_component"))


def opened(**link: str) -> AppTest:
    app = open_page("tokens", lesson="tour", stop="2", **link)
    app.button(key="walk-follow").click().run()
    assert not app.exception
    return app


def test_a_lecture_is_opened_by_a_button_and_its_right_is_in_no_link() -> None:
    app = open_page("tokens", lesson="tour", stop="2")
    assert (room_of(app)["right"], room_of(app)["step"], presents(app)) == ("", None, False)
    app.button(key="walk-follow").click().run()
    right = room_of(app)["right"]
    code, secret = right.split(".")
    assert code == room_code(secret)
    assert secret not in json.dumps(link_of(app))
    panel = data_of(app, COMPONENT)
    assert secret not in json.dumps(panel)  # nor in the QR code, which is made of the address
    assert panel["address"].endswith(f"/follow/{code}")
    assert panel["qr"]["path"].startswith("M4 4h1v1h-1z")  # after the border that scanners need


def test_phones_are_shown_the_stop_without_its_answer_and_the_presenter_only_on_demand() -> None:
    app = opened()
    step = room_of(app)["step"]
    assert step["page"] == "tokens"
    assert step["question"]["choices"][1] == "the pair with the lowest rank"
    assert not step.keys() & {"notes", "answer", "why"}
    assert step["question"].keys() == {"key", "ask", "choices", "digits", "right"}
    question = data_of(app, COMPONENT)["question"]
    assert (question["key"], question["right"], step["question"]["right"]) == (step["question"]["key"], None, None)
    report_of(app, COMPONENT, answered=question["key"])
    assert data_of(app, COMPONENT)["question"]["right"] == room_of(app)["step"]["question"]["right"] == "1"
    report_of(app, COMPONENT, answered=question["key"], approved=[["a", "owl"]])  # not what this question is about
    assert room_of(app)["step"]["question"]["right"] == "1"


def test_a_number_that_is_asked_for_is_worked_out_from_the_page_as_votes_are_written() -> None:
    app = open_page("pipeline", lesson="tour", stop="0", text="one two three")
    app.button(key="walk-follow").click().run()
    question = data_of(app, COMPONENT)["question"]
    assert question["choices"] == []
    report_of(app, COMPONENT, answered=question["key"])
    assert data_of(app, COMPONENT)["question"]["right"] == "3"
    assert room_of(app)["step"]["text"] == "one two three"
    report_of(app, COMPONENT, answered=question["key"], approved=[["a", "four"]])  # votes so far were on another answer
    asked = room_of(app)["step"]["question"]
    assert asked["right"] is None
    assert asked["key"] != question["key"]
    report_of(app, COMPONENT, answered=asked["key"])
    assert data_of(app, COMPONENT)["question"]["right"] == "4"


def test_a_page_without_a_lesson_has_its_title() -> None:
    app = open_page("lessons")
    app.button(key="lessons-follow").click().run()
    step = room_of(app)["step"]
    assert step["page"] == "lessons"
    assert step["title"]
    assert step["question"] is None


def test_words_that_are_approved_are_added_to_the_text_once_each_and_whatever_else_is_said_is_none() -> None:
    app = opened(text="one")
    approved: list[Any] = [["a", "two words"], ["b", "<b>x</b>\n"], ["c", "x" * 99], ["d"], 7, [1, "y"]]
    report_of(app, COMPONENT, approved=approved)
    assert link_of(app)["text"] == "one two words <b>x</b>"
    report_of(app, COMPONENT, approved=[*approved, ["e", "two words"]])
    assert link_of(app)["text"] == "one two words <b>x</b> two words"
    report_of(app, COMPONENT, approved={"a": "b"})
    assert not app.exception


def test_a_word_joins_the_text_that_the_page_shows_where_nobody_has_typed() -> None:
    app = opened()
    report_of(app, COMPONENT, approved=[["a", "owl"]])
    assert link_of(app)["text"] == f"{state.SETTINGS['text'].by_page['tokens']} owl"


def test_the_presenters_link_goes_on_with_the_room_and_a_forged_one_with_none() -> None:
    right = new_right()
    app = open_page("tokens")
    for wrong in (right[:-1], f"ABC234.{right.partition('.')[2]}", 7, None, ["x"]):
        reports(app, room=wrong)
        assert room_of(app)["right"] == ""
        assert [element.value for element in app.warning] == [message("Only the presenter may do that.")]
    reports(app, room=right)
    assert room_of(app)["right"] == right
    assert presents(app)


def test_an_ended_lecture_is_not_taken_up_again() -> None:
    app = opened()
    right = room_of(app)["right"]
    report_of(app, COMPONENT, ended=True)
    assert (room_of(app)["right"], room_of(app)["ended"], presents(app)) == ("", right, False)
    reports(app, room=right)
    assert not presents(app)


def test_a_phone_that_explores_has_a_way_back_also_after_another_stop() -> None:
    app = open_page("tokens", follow="ABC234")
    assert any('href="/follow/ABC234"' in part.proto.body for part in app.get("html"))
    assert link_of(app)["follow"] == "ABC234"
    wrong = open_page("tokens", follow="<b>")
    assert not any("way-back" in part.proto.body for part in wrong.get("html"))
    assert len(wrong.warning) == 1


@pytest.mark.parametrize(
    ("url", "page", "address"),
    [
        ("https://host/tokens?text=a#room=x", "tokens", "https://host/follow/ABC234"),
        ("http://host:8501/", "", "http://host:8501/follow/ABC234"),
        ("https://host/explorer/tokens", "tokens", "https://host/explorer/follow/ABC234"),
        ("https://host/explorer", "", "https://host/explorer/follow/ABC234"),
        (None, "tokens", "/follow/ABC234"),
    ],
)
def test_phones_find_a_room_beside_the_page(url: str | None, page: str, address: str) -> None:
    assert follow_address(url, page, "ABC234") == address
