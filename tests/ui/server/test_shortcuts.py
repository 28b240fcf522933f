"""What Streamlit would find out at each run is the same when it is found out once."""

import asyncio
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit import dataframe_util
from streamlit.components.v2.bidi_component import serialization
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.state.safe_session_state import SafeSessionState

from tests.ui.pages import open_page
from tests.waiting import run
from ui.server.shortcuts import SessionLookup, take_shortcuts

SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar", "theme.dark.sidebar")


@pytest.fixture(autouse=True)
def _undone(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in (
        (app_session, "_populate_theme_msg"),
        (serialization, "is_dataframe_like"),
        (SafeSessionState, "filtered_state"),
        (Runtime, "_enqueued_some_message"),
    ):
        monkeypatch.setattr(module, name, getattr(module, name))  # put back after the test


@pytest.mark.parametrize("section", SECTIONS)
def test_each_run_sends_the_theme_that_streamlit_writes(section: str) -> None:
    expected = CustomThemeConfig()
    app_session._populate_theme_msg(expected, section)
    take_shortcuts()
    for _ in range(2):
        message = CustomThemeConfig()
        app_session._populate_theme_msg(message, section)
        assert message == expected
        message.primary_color = "changed by who sends it"
    assert expected.primary_color if section in ("theme.light", "theme.dark") else True


def test_a_component_gets_the_same_data_and_plain_data_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    data = {"labels": {"a": "A"}, "chips": [[1, "x"]], "numbers": np.ones(2)}
    expected = BidiComponent()
    serialization.serialize_mixed_data(data, expected)
    looked_into: list[type] = []

    def noting(value: object) -> bool:
        looked_into.append(type(value))
        return dataframe_util.is_dataframe_like(value)

    monkeypatch.setattr(serialization, "is_dataframe_like", noting)
    take_shortcuts()
    message = BidiComponent()
    serialization.serialize_mixed_data(data, message)
    assert message == expected
    assert looked_into == [np.ndarray]


def test_controls_find_in_the_session_what_streamlit_copies_for_them() -> None:
    state = open_page("projection").session_state._state
    copied, ids = dict(state.filtered_state), [key for key in state._state._keys() if key.startswith("$$")]
    take_shortcuts()
    found = state.filtered_state
    assert isinstance(found, SessionLookup)
    assert {key: found[key] for key in copied} == copied == dict(found)
    assert (len(found), repr(found)) == (len(copied), repr(copied))
    assert len(copied) > 100
    assert ids
    assert not any(key in found for key in [*ids, "no such key"])


def test_a_page_is_the_same_when_controls_ask_for_their_own_key_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    before = open_page("batches")
    take_shortcuts()
    copies, copy = [], SessionLookup._all
    monkeypatch.setattr(SessionLookup, "_all", lambda found: copies.append(1) or copy(found))
    after = open_page("batches")
    assert not after.exception
    assert len(copies) <= 2  # a first run goes over the keys twice itself; no control asks for all
    assert [box.value for box in after.selectbox] == [box.value for box in before.selectbox]
    assert [number.value for number in after.number_input] == [number.value for number in before.number_input]


def test_a_message_that_the_event_loop_takes_up_does_not_wake_it_and_any_other_does() -> None:
    take_shortcuts()
    woken: list[object] = []

    class Watched:
        def __init__(self, runtime: SimpleNamespace) -> None:
            self.need_send_data, self.eventloop = asyncio.Event(), asyncio.get_running_loop()
            runtime._get_async_objs = lambda: self

    async def messages() -> None:
        runtime = SimpleNamespace()
        watched = Watched(runtime)
        wake = watched.eventloop.call_soon_threadsafe
        watched.eventloop.call_soon_threadsafe = lambda call, *rest: (woken.append(call), wake(call, *rest))[1]  # type: ignore[assignment]
        Runtime._enqueued_some_message(runtime)  # type: ignore[arg-type]
        assert watched.need_send_data.is_set()
        assert woken == []
        watched.need_send_data.clear()
        other = threading.Thread(target=lambda: Runtime._enqueued_some_message(runtime))  # type: ignore[arg-type]
        other.start()
        other.join()
        assert woken == [watched.need_send_data.set]
        await watched.need_send_data.wait()

    run(messages())


def test_a_streamlit_of_other_names_keeps_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = app_session._populate_theme_msg
    monkeypatch.delattr(serialization, "is_dataframe_like")
    take_shortcuts()
    assert app_session._populate_theme_msg is kept
