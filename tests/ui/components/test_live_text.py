from typing import Any

import pytest

from tests.ui.browser_message import opened, received, report
from ui.components.live_text import LiveText


def page() -> None:
    import streamlit as st

    from ui.components.live_text import live_text, reported_text

    def note() -> None:
        st.session_state.noted = reported_text("area", revision=st.session_state.get("revision", 0), limit=5)

    st.session_state.got = live_text(
        st.session_state.get("value", "start"),
        revision=st.session_state.get("revision", 0),
        limit=5,
        labels={"label": "Text"},
        key="area",
        on_change=note,
    )


def content(text: Any, total: Any = None, revision: Any = 0) -> dict[str, Any]:
    return {"text": text, "total": len(text) if total is None else total, "revision": revision}


def test_before_the_first_message_it_holds_the_value() -> None:
    app = opened(page)
    assert app.session_state.got == LiveText("start", 5)
    assert received(app) == {
        "value": "start",
        "revision": 0,
        "limit": 5,
        "lines": False,
        "labels": {"label": "Text"},
    }


def test_typed_text_comes_back_and_the_callback_can_read_it() -> None:
    app = report(opened(page), content=content("typed"))
    assert app.session_state.got == LiveText("typed", 5)
    assert app.session_state.noted == LiveText("typed", 5)


def test_an_emptied_area_holds_the_empty_text() -> None:
    assert report(opened(page), content=content("")).session_state.got == LiveText("", 0)


def test_the_text_stays_when_something_else_reruns_the_page() -> None:
    app = report(opened(page), content=content("typed")).run()
    assert app.session_state.got == LiveText("typed", 5)


def test_a_new_revision_replaces_what_was_typed_and_outdates_it() -> None:
    app = report(opened(page), content=content("typed"))
    app.session_state.value, app.session_state.revision = "example", 1
    app.run()
    assert app.session_state.got == LiveText("example", 7)
    assert received(app)["value"] == "example"
    assert received(app)["revision"] == 1


def test_a_message_of_an_earlier_revision_is_out_of_date() -> None:
    app = opened(page)
    app.session_state.value, app.session_state.revision = "example", 1
    app.run()
    assert report(app, content=content("late", revision=0)).session_state.got == LiveText("example", 7)
    assert report(app, content=content("now", revision=1)).session_state.got == LiveText("now", 3)


def test_no_more_than_one_character_past_the_limit_is_believed() -> None:
    app = report(opened(page), content=content("x" * 1000, total=1000))
    assert app.session_state.got == LiveText("xxxxxx", 1000)


def test_a_lone_surrogate_arrives_as_it_was_typed() -> None:
    app = report(opened(page), content=content("a\ud800b"))
    assert app.session_state.got == LiveText("a\ud800b", 3)
    assert received(app)["value"] == "a\ud800b"


@pytest.mark.parametrize(
    "forged",
    [
        None,
        "text",
        ["text"],
        {},
        {"text": "x", "revision": 0},
        content(5, total=1),
        content("x", total="many"),
        content("x", total=True),
        content("x", revision="0"),
        {"text": None, "total": 0, "revision": 0},
    ],
)
def test_a_message_that_makes_no_sense_counts_as_none(forged: Any) -> None:
    app = report(opened(page), content=forged)
    assert not app.exception
    assert app.session_state.got == LiveText("start", 5)


def test_a_total_below_the_length_is_not_believed() -> None:
    assert report(opened(page), content=content("typed", total=-3)).session_state.got == LiveText("typed", 5)
