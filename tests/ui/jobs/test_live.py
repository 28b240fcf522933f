"""What goes on is drawn again when there is more of it, and no oftener than a busy server can."""

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.testing.v1 import AppTest

from tests.waiting import PATIENCE
from ui.jobs.live import LONGEST, REST, Look
from ui.jobs.presence import page_runs
from ui.server.overtaken import leave_what_stands_still


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_what_stands_still_is_drawn_again_only_after_a_while(clock: Clock) -> None:
    look = Look(news=lambda: False, began=100.0, ended=100.1, clock=clock)
    clock.now = 100.1 + 0.9 * LONGEST
    assert not look.is_due()
    clock.now = 100.1 + LONGEST
    assert look.is_due()


def test_news_are_drawn_once_others_have_had_their_turn(clock: Clock) -> None:
    look = Look(news=lambda: True, began=100.0, ended=100.2, clock=clock)
    clock.now = 100.2 + 0.9 * REST * 0.2
    assert not look.is_due(), "it has just kept the server busy"
    clock.now = 100.2 + 1.1 * REST * 0.2
    assert look.is_due()


def test_news_wait_while_somebody_waits_for_a_page_and_not_for_ever(clock: Clock) -> None:
    look = Look(news=lambda: True, began=100.0, ended=100.1, clock=clock)
    clock.now = 102.0
    with page_runs.one():
        assert not look.is_due()
        clock.now = 100.1 + LONGEST
        assert look.is_due()
    look.ended = clock.now
    clock.now += 1.0
    assert look.is_due()


def test_what_was_asked_for_is_not_asked_for_again_until_it_is_drawn_or_lost(clock: Clock) -> None:
    look = Look(news=lambda: True, began=100.0, ended=100.01, clock=clock)
    clock.now = 101.0
    assert [look.is_due(), look.is_due()] == [True, False]
    clock.now = 101.0 + LONGEST
    assert look.is_due()


def page() -> None:
    import streamlit as st

    from ui.jobs.live import News, live

    @live(0.5)
    def part(title: str) -> News:
        st.write(title)
        seen = len(title)
        return lambda: len(title) != seen

    part("drawn")


def asked(session: Any, part: str, *, by_clock: bool) -> bool:
    """Tell whether a session runs a part that the browser asks for."""
    before = len(session.asked)
    AppSession.request_rerun(session, ClientState(fragment_id=part, is_auto_rerun=by_clock))
    return len(session.asked) > before


def test_a_session_runs_a_part_for_news_or_a_reader_and_not_for_the_clock_alone(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(AppSession, "request_rerun", lambda session, _client_state: session.asked.append(1))
    leave_what_stands_still()
    app = AppTest.from_function(page, default_timeout=PATIENCE).run()
    assert [element.value for element in app.markdown] == ["drawn"]
    storage = app._fragment_storage
    session = SimpleNamespace(_fragment_storage=storage, asked=[])
    (part,) = storage._fragments
    assert not asked(session, part, by_clock=True)
    assert asked(session, part, by_clock=False)
    look: Look = vars(storage.lookup(part))["look"]
    look.clock, clock.now = clock, look.ended + LONGEST
    assert asked(session, part, by_clock=True)
    look.ended, look.news = clock.now, lambda: True
    clock.now += 1_000.0
    assert asked(session, part, by_clock=True)
    assert asked(session, "of another page", by_clock=True), "Streamlit says what it says"
