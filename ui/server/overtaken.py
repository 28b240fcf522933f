"""What is over is not run, sent or taken: pages that are left, contents of old runs, what a control has been before."""

import sys
import time
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from streamlit import runtime
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType
from streamlit.runtime.state import SafeSessionState, SessionState, session_state
from streamlit.runtime.state.session_state import WStates

NUMBER = "$request "  # before a session's name, among the controls of a request: which it is
OFFERED = 10.0  # s that a file can be asked for once no run offers it any more
CLOCK = "$clock"  # stands for a control that has changed, where no control but time makes a request


def drop_what_is_over() -> None:
    """Drop requests of pages that are left, messages without a place and old values, before the server starts."""
    leave_pages()
    take_presses_whole()
    hand_on_presses()
    let_old_runs_write()
    leave_old_values()
    leave_what_stands_still()
    keep_offers()
    drop_contents_with_their_blocks()


def keep_import_path(script: Path) -> None:
    """Keep the script's folder on the import path, so that Streamlit does not add and remove it around each run.

    Report: In one thread import a large package for the first time (`import transformers`), in another run a script
    whose folder is not on `sys.path`. `modified_sys_path` inserts the folder at the front and removes it after the run;
    the import, which goes over `sys.path` by index, then skips an entry: "No module named 'transformers'".
    """
    if (folder := str(script.parent)) not in sys.path:
        sys.path.append(folder)


def leave_pages() -> None:
    """Let go what a control of a page asks for once another page is on its way; other names keep Streamlit's way.

    Streamlit runs such a part after the new page all the same, under the old page's name: the browser then takes the
    new page away and has nothing to put in its place, or it never comes.
    """
    run = getattr(ScriptRunner, "_run_script", None)
    request = getattr(ScriptRequests, "_request_rerun_locked", None)
    if run is None or request is None:
        return

    @wraps(run)
    def run_what_is_here(runner: ScriptRunner, wanted: RerunData) -> None:
        in_view = runner._get_script_run_ctx().page_script_hash
        if not wanted.fragment_id_queue or _is_same(wanted.page_script_hash, in_view):
            run(runner, wanted)

    @wraps(request)
    def request_what_will_be_here(requests: ScriptRequests, wanted: RerunData) -> bool:
        waiting = requests._rerun_data
        is_part = wanted.fragment_id or wanted.fragment_id_queue
        is_page = requests._state == ScriptRequestType.RERUN and not waiting.fragment_id_queue
        if is_part and is_page and not _is_same(wanted.page_script_hash, waiting.page_script_hash):
            return True
        return bool(request(requests, wanted))

    for kind, name, own in (
        (ScriptRunner, "_run_script", run_what_is_here),
        (ScriptRequests, "_request_rerun_locked", request_what_will_be_here),
    ):
        setattr(kind, name, own)


def take_presses_whole() -> None:
    """Let a run give way to the next request only once its own values are taken; other names keep Streamlit's way.

    A run that has just begun gives way before it takes them, and within a button's callback: the press was lost where
    another control followed at once, or half of what the button sets.
    """
    take = getattr(SafeSessionState, "on_script_will_rerun", None)
    if take is None:
        return

    @wraps(take)
    def take_whole(state: SafeSessionState, *arguments: Any, **more: Any) -> None:
        give_way = state._yield_callback
        object.__setattr__(state, "_yield_callback", lambda: None)  # its own way sets the names of the session
        try:
            take(state, *arguments, **more)
        finally:
            object.__setattr__(state, "_yield_callback", give_way)

    setattr(SafeSessionState, "on_script_will_rerun", take_whole)  # noqa: B010


def hand_on_presses() -> None:
    """Take into a request what is pressed in the one that waits and is stopped by it; other names keep Streamlit's way.

    A run that still waits for its turn, as on a busy server, would never take it.
    """
    request = getattr(AppSession, "request_rerun", None)
    coalesce = getattr(script_requests, "_coalesce_widget_states", None)
    if request is None or coalesce is None:
        return

    @wraps(request)
    def request_with_presses(session: AppSession, client_state: ClientState | None) -> None:
        runner = session._scriptrunner
        if client_state is not None and not client_state.fragment_id and runner is not None:
            requests = runner._requests
            with requests._lock:
                if requests._state == ScriptRequestType.RERUN:
                    both = coalesce(requests._rerun_data.widget_states, client_state.widget_states)
                    client_state.widget_states.CopyFrom(both)
                    requests._state = ScriptRequestType.STOP  # or it would be taken twice
        request(session, client_state)

    setattr(AppSession, "request_rerun", request_with_presses)  # noqa: B010


def let_old_runs_write() -> None:
    """Let a request's values be gone through while the run that it stops still writes to them.

    That run goes on until it gives way, in a thread of its own: on a busy server "dictionary changed size during
    iteration" ended the new one, and its press was lost. Other names keep Streamlit's way.
    """
    values = getattr(session_state, "WStates", None)
    if values is not None:
        values.__iter__ = lambda states: iter(tuple(states.states))  # one step, which no other thread comes between


def leave_what_stands_still() -> None:
    """Let go what a browser's clock asks for, where the part that shows what goes on has nothing new to show.

    Ten trainings that waited for their turns took half a core so. Other names keep Streamlit's way.
    """
    request = getattr(AppSession, "request_rerun", None)
    if request is None:
        return

    @wraps(request)
    def request_what_is_new(session: AppSession, client_state: ClientState | None) -> None:
        if client_state is not None and client_state.is_auto_rerun:
            storage, part = session._fragment_storage, client_state.fragment_id
            # Written by `live` in ui.jobs, which imports torch: not before the server answers.
            look = getattr(storage.lookup(part), "look", None) if storage.contains(part) else None
            if look is not None and not look.is_due():
                return
        request(session, client_state)

    setattr(AppSession, "request_rerun", request_what_is_new)  # noqa: B010


def keep_offers() -> None:
    """Let a file be saved by the button that the browser has, until a newer run has offered it anew.

    A run that gives way before it comes to the button takes away what the one before has offered, and a press meanwhile
    saved nothing. Other names keep Streamlit's way.
    """
    remove = getattr(MediaFileManager, "_remove_orphaned_deferred_callables", None)
    if remove is None or not hasattr(MediaFileManager, "_drop_deferred_id"):
        return

    @wraps(remove)
    def remove_what_is_long_over(files: MediaFileManager) -> None:
        offered = {name for visit in files._files_by_session_and_coord.values() for name in visit.values()}
        now, before = time.monotonic(), vars(files).get("_over", {})
        over = {name: before.get(name, now) for name in files._deferred_callables if name not in offered}
        for name, since in list(over.items()):
            visit = files._deferred_callables[name]["session_id"]
            if now - since >= OFFERED or not runtime.get_instance().is_active_session(visit):
                files._drop_deferred_id(name)
                del over[name]
        vars(files)["_over"] = over

    setattr(MediaFileManager, "_remove_orphaned_deferred_callables", remove_what_is_long_over)  # noqa: B010


class Heard:
    """What a browser has said of its controls.

    Attributes:
        requests: how many it has made.
        last: the controls in the last one.
        changed: in which one each last said something else than in the one before.
        taken: how many the session has taken in.
    """

    def __init__(self) -> None:
        self.requests = self.taken = 0
        self.last: dict[str, WidgetState] = {}
        self.changed: dict[str, int] = {}

    def note(self, wanted: ClientState, session: str) -> list[str]:
        """Note what a request says, number it among those of a session, and return what it says something new of."""
        self.requests += 1
        controls = wanted.widget_states.widgets
        for forged in [one for one in controls if one.id.startswith(NUMBER)]:
            controls.remove(forged)
        said = {one.id: one for one in controls}
        new = [name for name, one in said.items() if _is_press(one) or self.last.get(name) != one]
        if wanted.is_auto_rerun:
            new.append(CLOCK)
        elif not new:  # somebody has put back what the server had changed
            new = list(said)
        self.changed = {name: number for name, number in self.changed.items() if number > self.taken or name in said}
        self.changed |= dict.fromkeys(new, self.requests)
        self.last = said
        controls.add(id=NUMBER + session, int_value=self.requests)
        return new

    def drop_old(self, session: SessionState, number: int) -> None:
        """Drop the values that a request only repeats, where the session has others by now and it says something else.

        Args:
            session: with the values of the request, before it acts upon them.
            number: of the request.
        """
        given, here = session._new_widget_state, session._old_state
        others = [name for name in given if session._widget_changed(name)]
        if any(self.changed.get(name, 0) > self.taken for name in (*others, CLOCK)):
            for name in others:
                if name in here and self.changed.get(name, 0) <= self.taken:
                    del given[name]
        self.taken = max(self.taken, number)


def leave_old_values() -> None:
    """Let a request change only the controls of which it says something new; other names keep Streamlit's way.

    It has the values of all. Where a button has set some of them and another request comes before the browser has heard
    of it, that put them back: a scheme was written and not chosen once in three times.

    The browser sends at once what it hears within a moment, and asks for one part of the page where any of it is of a
    part: a press beside it was taken, and what it leads to not drawn. Then the whole page runs.
    """
    request, take = getattr(AppSession, "request_rerun", None), getattr(SessionState, "set_widgets_from_proto", None)
    if request is None or take is None or not hasattr(SessionState, "_widget_changed"):
        return

    heard: WeakValueDictionary[str, Heard] = WeakValueDictionary()  # a session's state has no place for more

    @wraps(request)
    def request_with_number(session: AppSession, client_state: ClientState | None) -> None:
        if client_state is not None:
            heard[session.id] = vars(session).setdefault("_heard", Heard())
            new = heard[session.id].note(client_state, session.id)
            # What a clock's request brings along has one of its own.
            is_of_part = client_state.fragment_id and not client_state.is_auto_rerun
            if is_of_part and _is_beside(client_state, new, session._session_state):
                client_state.ClearField("fragment_id")
        request(session, client_state)

    @wraps(take)
    def take_what_is_new(session: SessionState, widget_states: WidgetStates) -> None:
        numbers = [one for one in widget_states.widgets if one.id.startswith(NUMBER)]
        for one in numbers:
            widget_states.widgets.remove(one)
        take(session, widget_states)
        for one in numbers:
            if (browser := heard.get(one.id.removeprefix(NUMBER))) is not None:
                browser.drop_old(session, one.int_value)

    setattr(AppSession, "request_rerun", request_with_number)  # noqa: B010
    setattr(SessionState, "set_widgets_from_proto", take_what_is_new)  # noqa: B010


def drop_contents_with_their_blocks() -> None:
    """Drop with a block, which a newer run draws anew, all that is waiting to be put into it.

    Streamlit forgets the blocks of a part that runs again, and sends what the browser has kept of their contents (its
    reference names no part) and parts within them: the browser looks for a block where it has something else, and
    shows a blank page.
    """
    clear = ForwardMsgQueue.clear

    def clear_with_contents(
        queue: ForwardMsgQueue, retain_lifecycle_msgs: bool = False, fragment_ids_this_run: list[str] | None = None
    ) -> None:
        before = list(queue._queue)
        clear(queue, retain_lifecycle_msgs, fragment_ids_this_run)
        if not queue._queue:
            return
        kept = {id(message) for message in queue._queue}
        gone = {_place(message) for message in before if _is_block(message) and id(message) not in kept}
        queue._queue = [message for message in queue._queue if not _is_within(_place(message), gone)]

    ForwardMsgQueue.clear = clear_with_contents  # type: ignore[assignment, method-assign]


def _is_press(one: WidgetState) -> bool:
    """Tell whether this is what happens once, as a click: no value that stays."""
    return (one.WhichOneof("value") or "").endswith("trigger_value")


def _is_beside(wanted: ClientState, new: list[str], state: SessionState) -> bool:
    """Tell whether a request for a part of a page gives another value to a control outside of it.

    Args:
        wanted: the request.
        new: the controls of which it says something new, if only the value with which the server has drawn them.
        state: of its session, before it takes the request.
    """
    for one in wanted.widget_states.widgets:
        metadata = state._new_widget_state.widget_metadata.get(one.id)
        if one.id in new and metadata is not None and metadata.fragment_id != wanted.fragment_id:
            said = WStates(widget_metadata={one.id: metadata})
            said.set_widget_from_proto(one)
            with suppress(Exception):  # no value of this control: the run says so
                if _is_press(one) or said[one.id] != state[one.id]:
                    return True
    return False


def _is_same(page: str, other: str) -> bool:
    """Tell whether two pages are one; "" is any, before a link's page is known."""
    return not page or not other or page == other


def _is_block(message: ForwardMsg) -> bool:
    return message.HasField("delta") and message.delta.HasField("add_block")


def _place(message: ForwardMsg) -> tuple[int, ...]:
    return tuple(message.metadata.delta_path)


def _is_within(place: tuple[int, ...], blocks: set[tuple[int, ...]]) -> bool:
    return any(place[:depth] in blocks for depth in range(1, len(place)))
