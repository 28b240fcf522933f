"""What a run says reaches the browser whole and in its order, though not message by message."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner.script_runner import ScriptRunnerEvent
from streamlit.web.server.starlette.starlette_websocket import StarletteSessionClient

from tests.waiting import run
from ui.server import together

SAYS, BEGINS = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, ScriptRunnerEvent.SCRIPT_STARTED
ENDS = ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, object]]:
    """List what a session takes up, with its messages joined."""
    taken: list[tuple[object, object]] = []

    def take(session: SimpleNamespace, sender: object, event: ScriptRunnerEvent, forward_msg: object = None) -> None:
        asyncio.get_running_loop()  # nowhere else
        taken.append((event, forward_msg))

    monkeypatch.setattr(AppSession, "_handle_scriptrunner_event_on_event_loop", take)
    for kind, name in (
        (AppSession, "_on_scriptrunner_event"),
        (AppSession, "flush_browser_queue"),
        (Runtime, "_send_message"),
    ):
        monkeypatch.setattr(kind, name, getattr(kind, name))  # put back after the test
    return taken


def session_on(loop: asyncio.AbstractEventLoop, woken: list[object]) -> SimpleNamespace:
    """Make a session that only knows its event loop, and notes what it is woken for."""

    def wake(call: Callable[[], None]) -> None:
        woken.append(call)
        loop.call_soon_threadsafe(call)

    return SimpleNamespace(_event_loop=loop, _call_soon_on_event_loop=wake)


async def reported(said: Callable[[SimpleNamespace], None], until: Callable[[], bool]) -> list[object]:
    """Let another thread report to a session; return what it has woken the event loop for until all was taken up."""
    woken: list[object] = []
    session = session_on(asyncio.get_running_loop(), woken)
    await asyncio.to_thread(said, session)
    while not until():
        await asyncio.sleep(0.001)
    return woken


def test_a_run_wakes_the_event_loop_twice_and_is_taken_up_in_its_order(taken: list[tuple[object, object]]) -> None:
    events = [(BEGINS, None), *((SAYS, number) for number in range(50)), (ENDS, None)]

    def say(session: SimpleNamespace) -> None:
        for event, message in events:
            given = {} if message is None else {"forward_msg": message}
            AppSession._on_scriptrunner_event(session, None, event, **given)  # type: ignore[arg-type]

    together.send_together()
    woken = run(reported(say, lambda: len(taken) == len(events)))
    assert taken == events
    assert len(woken) <= 1 + 2  # a slow machine may have the first ones wait no longer


def test_what_a_run_says_before_it_thinks_does_not_wait_for_its_end(taken: list[tuple[object, object]]) -> None:
    thought = threading.Event()

    def say(session: SimpleNamespace) -> None:
        AppSession._on_scriptrunner_event(session, None, SAYS, forward_msg="first")  # type: ignore[arg-type]
        thought.wait()  # until the first has been taken up
        AppSession._on_scriptrunner_event(session, None, SAYS, forward_msg="second")  # type: ignore[arg-type]

    def all_taken() -> bool:
        if taken:
            thought.set()
        return len(taken) == 2

    async def both() -> list[object]:
        woken: list[object] = []
        session = session_on(asyncio.get_running_loop(), woken)
        saying = asyncio.create_task(asyncio.to_thread(say, session))
        while not all_taken():
            await asyncio.sleep(0.001)
        await saying
        return woken

    together.send_together()
    assert len(run(both())) == 2
    assert taken == [(SAYS, "first"), (SAYS, "second")]


def test_all_that_waits_for_a_browser_is_sent_in_one_turn(
    taken: list[tuple[object, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[object, object]] = []
    monkeypatch.setattr(Runtime, "_send_message", lambda runtime, receiver, message: sent.append((receiver, message)))
    together.send_together()
    session: Any = SimpleNamespace(_browser_queue=ForwardMsgQueue())
    assert AppSession.flush_browser_queue(session) == []
    messages = [
        ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY),
        ForwardMsg(hash="a"),
        ForwardMsg(hash="b"),
    ]
    for message in messages:
        session._browser_queue.enqueue(message)
    turns: Sequence[Any] = AppSession.flush_browser_queue(session)
    assert len(turns) == 1
    Runtime._send_message(None, "browser", turns[0])  # type: ignore[arg-type]
    assert sent == [("browser", message) for message in messages]
    assert AppSession.flush_browser_queue(session) == []


def test_a_streamlit_of_other_names_keeps_its_own_way(
    taken: list[tuple[object, object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = AppSession._on_scriptrunner_event
    monkeypatch.delattr(Runtime, "_send_message")
    together.send_together()
    assert AppSession._on_scriptrunner_event is kept


class Browser:
    """What Streamlit's page keeps of large messages: it asks for nothing, and gives up at a name that it has not."""

    def __init__(self) -> None:
        self.ended = 0
        self.kept: dict[str, list[Any]] = {}

    def take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            self.kept[message.ref_hash][0] = self.ended
        elif kind == "delta" and message.metadata.cacheable:
            self.kept.setdefault(message.hash, [0, message.delta.fragment_id])[0] = self.ended
        elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self.ended += 1
            parts = list(message.metadata.run.fragment_ids)
            for name, (named, part) in list(self.kept.items()):
                if (not parts or (part and part in parts)) and self.ended - named > 2:
                    del self.kept[name]


def element(name: str, part: str) -> ForwardMsg:
    message = ForwardMsg(hash=f"{name} of {part}")  # a hash is of the part as well
    message.delta.fragment_id = part
    message.metadata.cacheable = True
    return message


def end(parts: list[str], early: bool) -> ForwardMsg:
    how = ForwardMsg.FINISHED_EARLY_FOR_RERUN if early else ForwardMsg.FINISHED_SUCCESSFULLY
    message = ForwardMsg(script_finished=how)
    message.metadata.run.fragment_ids.extend(parts)
    return message


PARTS = st.sampled_from(["one", "two"])
TOLD = st.one_of(
    st.builds(element, st.sampled_from("ab"), st.just("") | PARTS),
    st.builds(end, st.lists(PARTS, max_size=1), st.just(value=False)),
    st.builds(end, st.just([]), st.booleans()),
)


@given(st.lists(TOLD, min_size=20, max_size=40))
def test_a_browser_is_sent_no_name_that_it_does_not_know(told: list[ForwardMsg]) -> None:
    kept, browser = together.Kept(), Browser()
    for message in told:
        browser.take(kept.by_name(message))


def test_what_each_run_draws_is_sent_whole_once_to_each_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[ForwardMsg] = []
    monkeypatch.setattr(StarletteSessionClient, "write_forward_msg", lambda client, message: sent.append(message))
    asked: list[ClientState] = []
    monkeypatch.setattr(AppSession, "request_rerun", lambda session, state: asked.append(state))
    together.send_by_name()
    for client in (SimpleNamespace(), SimpleNamespace()):
        for _run in range(4):
            for message in (element("a", ""), end([], early=False)):
                StarletteSessionClient.write_forward_msg(client, message)  # type: ignore[arg-type]
    assert [message.WhichOneof("type") for message in sent[::2]] == (["delta"] + ["ref_hash"] * 3) * 2
    assert sent[2].ref_hash == "a of "
    AppSession.request_rerun(None, ClientState(query_string="x", cached_message_hashes=["a"]))  # type: ignore[arg-type]
    assert asked == [ClientState(query_string="x")]  # Streamlit is to send all by itself, for the above to name it
