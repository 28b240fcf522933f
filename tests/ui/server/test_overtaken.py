"""What a request only repeats does not undo what the server has set since."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import media_file_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType
from streamlit.runtime.state import SafeSessionState, SessionState, session_state
from streamlit.runtime.state.common import ValueFieldName, WidgetMetadata

from ui.server import overtaken
from ui.server.overtaken import (
    NUMBER,
    hand_on_presses,
    keep_offers,
    leave_old_values,
    let_old_runs_write,
    take_presses_whole,
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

    def ask(
        self, *, by_clock: bool = False, pressed: bool = False, forged: int = 0, part: str = "", **values: int
    ) -> None:
        """Send what the browser has of its controls, and ask for the page or a part of it."""
        wanted = ClientState(is_auto_rerun=by_clock, fragment_id=part)
        if forged:
            wanted.widget_states.widgets.add(id=f"{NUMBER}{self.session.id}", int_value=forged)
        for name, value in values.items():
            wanted.widget_states.widgets.add(id=name, int_value=value)
        if pressed:
            wanted.widget_states.widgets.add(id="add", trigger_value=True)
        AppSession.request_rerun(self.session, wanted)  # type: ignore[arg-type]

    def run(self) -> tuple[int, int]:
        """Take in the oldest request; return the two controls that the button sets."""
        self.state._reset_triggers()
        self.state._compact_state()
        self.state.set_widgets_from_proto(self.waiting.pop(0).widget_states)
        if self.state._new_widget_state.get("add"):
            self.press()
        return self.state["schemes"], self.state["measure"]


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> Visit:
    monkeypatch.setattr(AppSession, "request_rerun", lambda session, wanted: session.waiting.append(wanted))
    monkeypatch.setattr(SessionState, "set_widgets_from_proto", SessionState.set_widgets_from_proto)
    leave_old_values()
    visit = Visit()
    visit.ask(schemes=1, measure=1, seeds=1)
    assert visit.run() == (1, 1)
    return visit


def add(visit: Visit) -> None:
    visit.set("schemes", visit.state["schemes"] + 10)


def test_what_a_button_has_set_stays_when_the_browser_asks_for_more_before_it_has_heard(visit: Visit) -> None:
    visit.press = lambda: add(visit)
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    assert visit.run() == (11, 1)
    visit.ask(schemes=1, measure=2, seeds=1)
    visit.ask(schemes=1, measure=2, seeds=1, pressed=True)
    visit.ask(schemes=1, measure=2, seeds=1, by_clock=True)
    assert [visit.run() for _ in range(3)] == [(11, 2), (21, 2), (21, 2)]
    visit.ask(schemes=21, measure=2, seeds=2)  # now it has
    visit.ask(schemes=1, measure=2, seeds=2)
    assert [visit.run() for _ in range(2)] == [(21, 2), (1, 2)], "what the reader puts back is put back"


def test_what_the_reader_puts_back_at_once_is_put_back(visit: Visit) -> None:
    visit.press = lambda: add(visit)
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    assert visit.run() == (11, 1)
    visit.ask(schemes=1, measure=1, seeds=1)
    visit.ask(schemes=1, measure=2, seeds=1)
    del visit.waiting[0]  # Streamlit runs once for requests that wait
    assert visit.run() == (1, 2)


def test_a_button_that_is_pressed_twice_works_twice(visit: Visit) -> None:
    visit.press = lambda: add(visit)
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    assert [visit.run() for _ in range(2)] == [(11, 1), (21, 1)]


def test_what_the_reader_puts_back_is_put_back_though_the_browser_has_also_heard_of_other_controls(
    visit: Visit,
) -> None:
    def press() -> None:
        add(visit)
        visit.set("measure", 5)

    visit.press = press
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    assert visit.run() == (11, 5)
    visit.ask(schemes=1, measure=5, seeds=1)
    assert visit.run() == (1, 5)


def test_what_the_reader_changes_while_a_button_works_is_taken(visit: Visit) -> None:
    visit.press = lambda: add(visit)
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    visit.ask(schemes=2, measure=1, seeds=1)  # before the server has begun
    assert [visit.run() for _ in range(2)] == [(11, 1), (2, 1)]


def test_a_control_that_the_server_has_dropped_takes_what_the_browser_has(visit: Visit) -> None:
    visit.state._compact_state()
    del visit.state._old_state["schemes"]
    visit.ask(schemes=1, measure=2, seeds=1)
    assert visit.run() == (1, 2)


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


def test_a_number_that_a_browser_gives_its_request_counts_for_nothing(visit: Visit) -> None:
    visit.press = lambda: add(visit)
    visit.ask(schemes=1, measure=1, seeds=1, forged=1_000)
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    visit.ask(schemes=1, measure=2, seeds=1)
    assert [visit.run() for _ in range(3)] == [(1, 1), (11, 1), (11, 2)]


def test_a_run_gives_way_once_its_button_has_set_all_that_it_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(Exception):
        """Another request waits."""

    class Session(dict[str, int]):
        def on_script_will_rerun(self, _values: object, **_more: object) -> None:
            safe["first"] = safe["second"] = 1  # as the button's callback does

    def give_way() -> None:
        raise Interrupted

    session = Session()
    safe = SafeSessionState(session, give_way)  # type: ignore[arg-type]
    with pytest.raises(Interrupted):
        safe.on_script_will_rerun(None)
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", SafeSessionState.on_script_will_rerun)
    take_presses_whole()
    safe.on_script_will_rerun(None)
    assert session == {"first": 1, "second": 1}
    with pytest.raises(Interrupted):
        safe["first"]


def test_what_is_pressed_and_waits_for_its_turn_is_taken_by_the_request_that_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[RerunData] = []
    monkeypatch.setattr(AppSession, "request_rerun", AppSession.request_rerun)
    hand_on_presses()

    class Runner:
        """A thread that the machine has no time for yet."""

        def __init__(self, wanted: RerunData) -> None:
            self._requests = ScriptRequests()
            self._requests.request_rerun(wanted)
            begun.append(wanted)

        def request_stop(self) -> None:
            self._requests.request_stop()

    def create(wanted: RerunData) -> None:
        session._scriptrunner = Runner(wanted)

    session = SimpleNamespace(_state=None, _scriptrunner=None, _client_state=ClientState(), _create_scriptrunner=create)

    def ask(**values: int) -> dict[str, object]:
        wanted = ClientState()
        for name, value in values.items():
            wanted.widget_states.widgets.add(id=name, **{f"{'trigger' if name == 'add' else 'int'}_value": value})
        AppSession.request_rerun(session, wanted)  # type: ignore[arg-type]
        states = begun[-1].widget_states
        assert states is not None
        return {one.id: one.trigger_value or one.int_value for one in states.widgets}

    assert ask(seeds=1, add=True) == {"seeds": 1, "add": True}
    assert ask(seeds=2) == {"seeds": 2, "add": True}
    first, second = session._scriptrunner, ask(seeds=3)
    assert second == {"seeds": 3, "add": True}
    assert first._requests.on_scriptrunner_ready().type == ScriptRequestType.STOP, "it would be taken twice"
    session._scriptrunner._requests.on_scriptrunner_ready()
    assert ask(seeds=4) == {"seeds": 4}, "it has been taken"


def test_a_press_is_taken_while_the_run_that_it_stops_still_writes(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = SessionState._widget_changed

    def changed(state: SessionState, name: str) -> bool:
        visit.set(f"{name} of the old run", 0)  # as it registers its controls
        return own(state, name)

    monkeypatch.setattr(SessionState, "_widget_changed", changed)
    monkeypatch.setattr(session_state.WStates, "__iter__", session_state.WStates.__iter__)
    visit.press = lambda: add(visit)
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    with pytest.raises(RuntimeError, match="changed size during iteration"):
        visit.run()
    let_old_runs_write()
    visit.ask(schemes=1, measure=1, seeds=1, pressed=True)
    assert visit.run() == (11, 1)


def test_a_file_can_be_saved_until_a_newer_run_offers_it_anew_or_its_visit_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = MediaFileManager._remove_orphaned_deferred_callables
    monkeypatch.setattr(MediaFileManager, "_remove_orphaned_deferred_callables", own)  # put back at the end
    keep_offers()
    now, here = 100.0, True
    monkeypatch.setattr(overtaken.time, "monotonic", lambda: now)
    visits = SimpleNamespace(is_active_session=lambda _visit: here)
    monkeypatch.setattr(overtaken.runtime, "get_instance", lambda: visits)
    monkeypatch.setattr(media_file_manager, "_get_session_id", lambda: "visit")
    files = MediaFileManager(MemoryMediaFileStorage("/media"))

    def offered() -> str:
        return files.add_deferred(lambda: b"rows", "text/csv", "place", "rows.csv")

    def run_that_gives_way() -> None:
        files.clear_session_refs("visit")
        files.remove_orphaned_files()

    first = offered()
    run_that_gives_way()
    run_that_gives_way()
    assert files.execute_deferred(first).endswith(".csv")
    second = offered()
    now += 10.0
    files.remove_orphaned_files()
    with pytest.raises(MediaFileStorageError):
        files.execute_deferred(first)
    assert files.execute_deferred(second)
    here = False
    run_that_gives_way()
    assert not files._deferred_callables
