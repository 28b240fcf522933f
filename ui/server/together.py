"""What a run of a page says goes to the browser together, and by its name where the browser has it.

A key makes 30 messages. Streamlit hands each to the event loop by itself, which wakes up for it while the run goes on,
and gives each a turn there: that was an eighth of a key.
"""

from collections import deque
from functools import partial, wraps
from typing import Any

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_cache import create_reference_msg
from streamlit.runtime.scriptrunner.script_runner import ScriptRunnerEvent
from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.web.server.starlette.starlette_websocket import StarletteSessionClient

WAIT = 0.01  # seconds at most that a message waits for the next
KEPT_FOR = 1  # ends of runs for which a message that none of them named is taken to be kept; browsers wait for two
PATIENT = {ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, ScriptRunnerEvent.SCRIPT_STARTED}


class Reports:
    """What the runs of a session have said and the event loop has not taken up yet."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[Any, ScriptRunnerEvent, dict[str, Any]]] = deque()
        self.due = False  # whether the event loop is going to look


class Kept:
    """The large messages that a browser has kept, counted as it counts them, in the order in which it is told."""

    def __init__(self) -> None:
        self.ended = 0
        self.named: dict[str, tuple[int, str]] = {}  # hash: how many runs had ended when it was sent; the part it is of

    def by_name(self, message: ForwardMsg) -> ForwardMsg:
        """Return what is to be sent for a message: its name alone where the browser has it."""
        if message.HasField("script_finished"):
            self.ended += 1
            parts = message.metadata.run.fragment_ids  # of a page none: then all that is old is let go
            self.named = {
                name: (named, part)
                for name, (named, part) in self.named.items()
                if self.ended - named <= KEPT_FOR or (parts and part not in parts)
            }
        if not message.metadata.cacheable:
            return message
        _, part = self.named.get(message.hash, (0, message.delta.fragment_id))
        sent = create_reference_msg(message) if message.hash in self.named else message
        self.named[message.hash] = self.ended, part
        return sent


def send_by_name() -> None:
    """Send a large message by its name only where its browser has it, whatever the browser's request has said.

    Streamlit believes the list in a request. Where a run ends between a request and its own run, the browser lets go
    what the list still has, is sent a name that it does not know, and never answers again: one visit in ten that typed
    as it came back to a busy server. Other names keep Streamlit's way.
    """
    write = getattr(StarletteSessionClient, "write_forward_msg", None)
    request = getattr(AppSession, "request_rerun", None)
    if write is None or request is None:
        return

    @wraps(write)
    def write_by_name(client: StarletteSessionClient, message: ForwardMsg) -> None:
        kept: Kept = vars(client).setdefault("_kept", Kept())
        write(client, kept.by_name(message))

    @wraps(request)
    def request_whole(session: AppSession, client_state: ClientState | None) -> None:
        if client_state is not None:
            client_state.ClearField("cached_message_hashes")
        request(session, client_state)

    setattr(StarletteSessionClient, "write_forward_msg", write_by_name)  # noqa: B010
    setattr(AppSession, "request_rerun", request_whole)  # noqa: B010


def send_together() -> None:
    """Join messages, before the server starts; a Streamlit of other names keeps its own way."""
    handle = getattr(AppSession, "_handle_scriptrunner_event_on_event_loop", None)
    flush, send = getattr(AppSession, "flush_browser_queue", None), getattr(Runtime, "_send_message", None)
    begin = getattr(AppSession, "_create_scriptrunner", None)
    if handle is None or begin is None or flush is None or send is None:
        return

    def take_up(session: AppSession, reports: Reports) -> None:
        reports.due = False  # first: what is said from now on has the loop look again
        while reports.waiting:
            sender, event, said = reports.waiting.popleft()
            handle(session, sender, event, **said)

    def take_up_later(session: AppSession, reports: Reports) -> None:
        session._event_loop.call_later(WAIT, take_up, session, reports)

    def note(session: AppSession, sender: Any, event: ScriptRunnerEvent, **said: Any) -> None:
        reports: Reports | None = vars(session).get("_reports")
        if reports is None:
            reports = vars(session).setdefault("_reports", Reports())
        reports.waiting.append((sender, event, said))
        if event not in PATIENT:  # a run ends: at once, after all that it has said
            session._call_soon_on_event_loop(partial(take_up, session, reports))
        elif not reports.due:
            reports.due = True
            session._call_soon_on_event_loop(partial(take_up_later, session, reports))

    def begin_after_the_last(session: AppSession, *wanted: Any, **further: Any) -> None:
        # Streamlit does not listen any more to a runner that has ended once there is another.
        if (reports := vars(session).get("_reports")) is not None:
            take_up(session, reports)
        begin(session, *wanted, **further)

    def flush_as_one(session: AppSession) -> list[list[ForwardMsg]]:
        messages = flush(session)
        return [messages] if messages else []

    def send_all(runtime: Runtime, receiver: ActiveSessionInfo, messages: list[ForwardMsg]) -> None:
        for message in messages:
            send(runtime, receiver, message)

    for kind, name, own in (
        (AppSession, "_on_scriptrunner_event", note),
        (AppSession, "_create_scriptrunner", begin_after_the_last),
        (AppSession, "flush_browser_queue", flush_as_one),
        (Runtime, "_send_message", send_all),
    ):
        setattr(kind, name, own)
