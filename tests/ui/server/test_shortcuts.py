"""What Streamlit would find out at each run is the same when it is found out once."""

import asyncio
import sys
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit import dataframe_util, string_util
from streamlit.components.v2.bidi_component import serialization
from streamlit.components.v2.presentation import make_bidi_component_presenter
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata

from tests.ui.pages import open_page
from tests.waiting import awaited
from ui.server.shortcuts import SessionLookup, presented, take_shortcuts

SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar", "theme.dark.sidebar")


@pytest.fixture(autouse=True)
def _undone(monkeypatch: pytest.MonkeyPatch, shortcuts_of_the_server: list[tuple[Any, str, Any]]) -> None:
    for place, name, streamlits in shortcuts_of_the_server:
        monkeypatch.setattr(place, name, streamlits)  # what was there is put back after the test


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


@awaited
async def test_a_message_that_the_event_loop_takes_up_does_not_wake_it_and_any_other_does() -> None:
    take_shortcuts()
    woken: list[object] = []

    class Watched:
        def __init__(self, runtime: SimpleNamespace) -> None:
            self.need_send_data, self.eventloop = asyncio.Event(), asyncio.get_running_loop()
            runtime._get_async_objs = lambda: self

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


@pytest.mark.parametrize(
    "happened",
    [None, [], [{"event": "back", "value": "a=1"}, {"event": "near", "value": 0}, {"other": 1}, 5], {"event": "back"}],
)
@pytest.mark.parametrize("state", [{"near": ["a"], "narrow": True}, {}, None, "text"])
def test_a_page_reads_of_a_component_what_streamlit_makes_of_its_state(happened: object, state: object) -> None:
    session = SessionState()
    session._set_widget_metadata(
        WidgetMetadata("events", lambda value: value, lambda value: value, "json_trigger_value")  # type: ignore[arg-type]
    )
    session._new_widget_state.set_from_value("events", happened)
    expected = make_bidi_component_presenter("events", "id", {"near"})(state, session)
    assert presented("events", "id", {"near"})(state, session) == expected
    assert presented("no such events")(state, session) == state


def test_components_are_known_as_streamlit_knows_them() -> None:
    def identities() -> list[str]:
        return [element.proto.id for element in open_page("tokens").get("bidi_component")]

    expected = identities()
    take_shortcuts()
    assert identities() == expected
    assert len(expected) > 4


def test_a_text_begins_with_an_emoji_where_streamlit_says_so_and_is_searched_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = ["", "token", "词元", "Étape", "猫 🐈", "🐈 猫", "🐈", ":material/timer: 计时"]
    expected = [string_util.extract_leading_icon(text) for text in texts]
    searched: list[str] = []
    search = string_util.extract_leading_emoji
    monkeypatch.setattr(string_util, "extract_leading_emoji", lambda text: (searched.append(text), search(text))[1])
    take_shortcuts()
    assert [string_util.extract_leading_icon(text) for text in texts * 2] == expected * 2
    assert len(searched) == len(set(searched)) > 3


def test_no_run_moves_the_places_in_which_another_thread_looks_for_what_it_imports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moved: list[str] = []

    class Path(list[str]):
        def insert(self, *place: object) -> None:
            moved.append("insert")
            super().insert(*place)  # type: ignore[arg-type]

        def remove(self, place: str) -> None:
            moved.append("remove")
            super().remove(place)

    monkeypatch.setattr(sys, "path", Path(sys.path))
    open_page("models")
    assert moved == ["insert", "remove"] * (len(moved) // 2) != []  # as Streamlit has it
    moved.clear()
    take_shortcuts()
    assert not open_page("models").exception
    assert moved == []


def test_a_streamlit_of_other_names_keeps_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = app_session._populate_theme_msg
    monkeypatch.delattr(serialization, "is_dataframe_like")
    take_shortcuts()
    assert app_session._populate_theme_msg is kept
