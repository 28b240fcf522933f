"""Races of Streamlit that no browser loses reliably; the others are in tests/browser/test_patches.py."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner.exec_code import modified_sys_path
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import ValueFieldName, WidgetMetadata
from streamlit.runtime.state.session_state import WStates

from ui.server import patches
from ui.server.patches import (
    TRIED,
    iterate_over_copy,
    keep_import_path,
    keep_requested_page,
    keep_waiting_clicks,
    list_keys_again,
    patch_streamlit,
    rerun_page_for_outer_widgets,
)


class Visit:
    """A session with numbers for controls, one of them in a part of the page, and a button that sets some of them."""

    def __init__(self) -> None:
        self.state = SessionState()
        self.waiting: list[ClientState] = []
        self.session = SimpleNamespace(id="visit", waiting=self.waiting, _session_state=self.state)
        self.press: Callable[[], None] = lambda: None
        for name in ("schemes", "measure", "seeds"):
            self._control(name, "int_value", "part" if name == "seeds" else None)
            self.set(name, 0)
        self._control("add", "trigger_value")

    def _control(self, name: str, kind: ValueFieldName, part: str | None = None) -> None:
        def same(value: Any) -> Any:
            return value

        metadata = WidgetMetadata(name, deserializer=same, serializer=same, value_type=kind, fragment_id=part)
        self.state._set_widget_metadata(metadata)

    def set(self, name: str, value: int) -> None:
        self.state._new_widget_state.set_from_value(name, value)

    def ask(self, *, by_clock: bool = False, pressed: bool = False, part: str = "", **values: int) -> None:
        """Send what the browser has of its controls, and ask for the page or a part of it."""
        wanted = ClientState(is_auto_rerun=by_clock, fragment_id=part)
        for name, value in values.items():
            wanted.widget_states.widgets.add(id=name, int_value=value)
        if pressed:
            wanted.widget_states.widgets.add(id="add", trigger_value=True)
        AppSession.request_rerun(self.session, wanted)  # type: ignore[arg-type]

    def run(self) -> tuple[int, int]:
        """Take in the oldest request; return the two controls that the button sets."""
        self.state.on_script_will_rerun(self.waiting.pop(0).widget_states)
        if self.state._new_widget_state.get("add"):
            self.press()
        return self.state["schemes"], self.state["measure"]


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Visit:
    def request(session: Any, wanted: ClientState) -> None:
        session.waiting.append(wanted)

    monkeypatch.setattr(AppSession, "request_rerun", rerun_page_for_outer_widgets(request))
    visit = Visit()
    visit.ask(schemes=1, measure=1, seeds=1)
    assert visit.run() == (1, 1)
    return visit


def add(visit: Visit) -> None:
    visit.set("schemes", visit.state["schemes"] + 10)


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ({"seeds": 2}, "part"),
        ({"seeds": 2, "measure": 2}, ""),
        ({"seeds": 2, "pressed": True}, ""),
        ({"seeds": 2, "measure": 5}, "part"),  # as the server has set it
        ({"seeds": 2, "of no page": 5}, "part"),
        ({"measure": 2, "by_clock": True}, "part"),  # for which its own request is on its way
    ],
)
def test_the_page_runs_where_a_request_for_a_part_changes_what_is_beside_it(
    visit: Visit, said: dict[str, Any], part: str
) -> None:
    visit.state._compact_state()
    visit.set("measure", 5)
    visit.ask(**{"schemes": 1, "measure": 1, "seeds": 1, "part": "part"} | said)
    assert visit.waiting.pop().fragment_id == part


def test_a_press_is_taken_while_the_run_that_it_stops_still_writes(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = SessionState._widget_changed

    def changed(state: SessionState, name: str) -> bool:
        visit.set(f"{name} of the old run", 0)  # as it registers its controls
        return own(state, name)

    monkeypatch.setattr(SessionState, "_widget_changed", changed)
    visit.press = lambda: add(visit)
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    with pytest.raises(RuntimeError, match="changed size during iteration"):
        visit.run()
    monkeypatch.setattr(WStates, "__iter__", iterate_over_copy(WStates.__iter__))
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    assert visit.run() == (11, 1)


def test_keys_are_listed_while_the_run_that_is_stopped_still_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    state, own = SessionState(), SessionState._get_widget_id

    def look_up(state: SessionState, key: str) -> str:
        state._old_state["of the old run"] = 0
        return own(state, key)

    monkeypatch.setattr(SessionState, "_get_widget_id", look_up)
    state._old_state["layers"] = 2
    with pytest.raises(RuntimeError, match="changed size during iteration"):
        SessionState._keys(state)
    del state._old_state["of the old run"]
    assert list_keys_again(SessionState._keys)(state) == {"layers", "of the old run"}


def test_a_fragment_of_the_old_page_does_not_change_the_page_that_waits_to_be_run() -> None:
    request = keep_requested_page(ScriptRequests._request_rerun_locked)
    requests = ScriptRequests()
    request(requests, RerunData(page_script_hash="new"))
    request(requests, RerunData(page_script_hash="old", fragment_id="part"))
    assert requests.on_scriptrunner_ready().rerun_data.page_script_hash == "new"


def test_no_run_moves_the_places_in_which_another_thread_looks_for_what_it_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "main.py"
    script.touch()
    monkeypatch.setattr(sys, "path", [*sys.path])
    keep_import_path(script)
    before = [*sys.path]
    with modified_sys_path(str(script)):
        assert sys.path == before


def test_a_streamlit_without_a_function_that_is_mended_says_so_and_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(patches, "PATCHES", ((AppSession, "no_such_function", keep_waiting_clicks),))
    patch_streamlit(tmp_path / "main.py")
    assert (
        f"Streamlit {st.__version__} has no AppSession.no_such_function: keep_waiting_clicks" in capfd.readouterr().err
    )


def test_the_mends_were_tried_with_the_streamlit_that_is_installed() -> None:
    assert st.__version__ in TRIED, (
        f"Streamlit {st.__version__} is installed: run STREAMLIT_AS_IT_IS=1 pytest tests/browser/test_patches.py, "
        "delete each patch whose test passes, read the functions that the others replace, and add the version to TRIED"
    )
