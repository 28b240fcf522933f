"""Patches for faults of Streamlit, most of them races: functions that are replaced once, before the server starts.

Each patch has beside it the report that belongs upstream, and goes with the release that makes it unnecessary. Where a
function that it replaces is missing, or Streamlit is another version than those tried, a warning says so.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.logger import get_logger
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.runtime.state.session_state import WStates

SHORT_RUN = 0.1  # seconds that a fragment may run before the browser is told that it runs
TRIED = ("1.67.0",)  # versions of Streamlit with which each patch was seen to be needed and to work


def patch_streamlit(script: Path) -> None:
    """Apply all patches.

    Args:
        script: that Streamlit runs.
    """
    log = get_logger(__name__)
    if st.__version__ not in TRIED:
        log.warning(
            "Streamlit %s was not tried with these patches, which were for %s.", st.__version__, ", ".join(TRIED)
        )
    keep_import_path(script)
    for owner, name, patch in PATCHES:
        original = getattr(owner, name, None)
        if original is None:
            missing = f"{getattr(owner, '__name__', owner)}.{name}"
            log.warning("Streamlit %s has no %s: %s is not applied.", st.__version__, missing, patch.__name__)
        else:
            setattr(owner, name, patch(original))


def keep_import_path(script: Path) -> None:
    """Keep the script's folder on the import path, so that Streamlit does not add and remove it around each run.

    Report (1.67.0): import a package for the first time in one thread while another runs a script whose folder is not
    on `sys.path`. `modified_sys_path` inserts that folder at the front and removes it after the run; the import, which
    goes over `sys.path` by index, skips an entry: "No module named 'transformers'", where it is installed.
    """
    if (folder := str(script.parent)) not in sys.path:
        sys.path.append(folder)


def skip_fragments_of_other_pages(run: Callable[..., None]) -> Callable[..., None]:
    """Skip a fragment rerun that waited while the user went to another page.

    Report (1.67.0): click a link of st.navigation to a page that takes a second, and meanwhile a button in a fragment
    of the page that still shows. The fragment rerun is queued and begins after the new page, with the old page's hash:
    the browser is told of a new session of the old page, and removes the new page's elements.
    """

    def run_script(runner: ScriptRunner, rerun_data: RerunData) -> None:
        page = runner._get_script_run_ctx().page_script_hash
        if not rerun_data.fragment_id_queue or _is_same_page(rerun_data.page_script_hash, page):
            run(runner, rerun_data)

    return run_script


def keep_requested_page(request: Callable[..., bool]) -> Callable[..., bool]:
    """Drop a fragment rerun of the old page where a run of another page already waits.

    Report (1.67.0): as above, on a server so busy that the new page's run has not begun. `_request_rerun_locked` merges
    both into one run of the whole app, with the page hash of the request that came last: the old page is run.
    """

    def request_rerun_locked(requests: ScriptRequests, new: RerunData) -> bool:
        waiting = requests._rerun_data
        is_page_waiting = requests._state == ScriptRequestType.RERUN and not waiting.fragment_id_queue
        is_fragment = new.fragment_id or new.fragment_id_queue
        if is_page_waiting and is_fragment and not _is_same_page(new.page_script_hash, waiting.page_script_hash):
            return True
        return request(requests, new)

    return request_rerun_locked


def _is_same_page(page: str, other: str) -> bool:
    """Return whether two hashes are of one page; "" matches any, before the page of an address is known."""
    return not page or not other or page == other


def finish_callbacks(begin: Callable[..., None]) -> Callable[..., None]:
    """Finish taking widget values and running callbacks before a run yields to the next request.

    Report (1.67.0): a button's callback sets two keys of st.session_state; change another widget meanwhile. Setting a
    key is a yield point, at which the run is stopped for the new request: the first key is set and the second never,
    and where the run is stopped on entry the click is lost, for the new request does not repeat it.
    """

    def on_script_will_rerun(state: SafeSessionState, *args: Any, **kwargs: Any) -> None:
        give_way = state._yield_callback
        object.__setattr__(state, "_yield_callback", lambda: None)  # SafeSessionState's own setattr sets session keys
        try:
            begin(state, *args, **kwargs)
        finally:
            object.__setattr__(state, "_yield_callback", give_way)

    return on_script_will_rerun


def keep_waiting_clicks(request: Callable[..., None]) -> Callable[..., None]:
    """Merge the clicks of a waiting request into the request that replaces it.

    Report (1.67.0): while a page runs, click a button in one of its fragments and then change a widget outside. The
    fragment rerun waits for the page's end; the second request stops the script runner, and the click that waited there
    is lost. `_coalesce_widget_states` does this merging, but only between requests of one script runner.
    """

    def request_rerun(session: AppSession, client_state: ClientState | None) -> None:
        runner = session._scriptrunner
        if client_state is not None and not client_state.fragment_id and runner is not None:
            requests = runner._requests
            with requests._lock:
                if requests._state == ScriptRequestType.RERUN:
                    both = script_requests._coalesce_widget_states(
                        requests._rerun_data.widget_states, client_state.widget_states
                    )
                    client_state.widget_states.CopyFrom(both or WidgetStates())
                    requests._state = ScriptRequestType.STOP  # or it would be taken twice
        request(session, client_state)

    return request_rerun


def rerun_page_for_outer_widgets(request: Callable[..., None]) -> Callable[..., None]:
    """Run the whole page where a fragment's request also changes a widget outside of the fragment.

    Report (1.67.0): have a button in a fragment and one outside of it clicked in one task of the browser's event loop,
    as components do that report together. The browser sends one request, with the fragment's id: the outer button's
    callback is run, and what it leads to is not drawn.
    """

    def request_rerun(session: AppSession, client_state: ClientState | None) -> None:
        if client_state is not None:
            before, sent = vars(session).get("_sent", {}), {one.id: one for one in client_state.widget_states.widgets}
            vars(session)["_sent"] = sent
            changed = [widget for name, widget in sent.items() if _is_trigger(widget) or before.get(name) != widget]
            # The request of a fragment's timer (run_every) takes along values for which another request is on its way.
            is_fragment = client_state.fragment_id and not client_state.is_auto_rerun
            if is_fragment and _is_outer_widget_among(changed, client_state.fragment_id, session._session_state):
                client_state.ClearField("fragment_id")
        request(session, client_state)

    return request_rerun


def _is_outer_widget_among(changed: list[WidgetState], fragment_id: str, state: SessionState) -> bool:
    for widget in changed:
        metadata = state._new_widget_state.widget_metadata.get(widget.id)
        if metadata is not None and metadata.fragment_id != fragment_id:
            sent = WStates(widget_metadata={widget.id: metadata})
            sent.set_widget_from_proto(widget)
            with suppress(Exception):  # not a value of this widget: the run raises what belongs to it
                if _is_trigger(widget) or sent[widget.id] != state[widget.id]:
                    return True
    return False


def _is_trigger(widget: WidgetState) -> bool:
    return (widget.WhichOneof("value") or "").endswith("trigger_value")


def iterate_over_copy(_iterate: Callable[..., Iterator[str]]) -> Callable[..., Iterator[str]]:
    """Iterate over a copy of the widget values, to which the run that is being stopped still writes.

    Report (1.67.0): on a busy server change a widget while a page runs. The new run compares all widget values in its
    own thread while the old one registers widgets until its next yield point: "dictionary changed size during
    iteration" ends the new run, and the change is lost. (No browser brings it about reliably.)
    """
    return lambda values: iter(tuple(values.states))  # one step of the interpreter, between which no thread comes


def list_keys_again(keys: Callable[[SessionState], set[str]]) -> Callable[[SessionState], set[str]]:
    """List the keys of a session anew where the run that is being stopped has added or removed one meanwhile.

    Report (1.67.0): as above. Every number input lists them, and each run has a lock of its own over the same state:
    "dictionary changed size during iteration" ends the new run. (Seen once in some hundred runs of a busy browser.)
    """

    def list_keys(state: SessionState) -> set[str]:
        for _attempt in range(99):
            with suppress(RuntimeError):
                return keys(state)
        return keys(state)

    return list_keys


def clear_nested_fragments(clear: Callable[..., None]) -> Callable[..., None]:
    """Drop the queued messages for a container that a fragment draws anew, nested fragments' included.

    Report (1.67.0): a fragment draws a container with a fragment in it. Rerun it right after the page, before its
    messages are sent. `ForwardMsgQueue.clear` removes those of the outer fragment, the container's among them, and
    keeps those of the inner one: the browser looks for a container where it has another element, and the page goes
    blank.
    """

    def clear_with_contents(queue: ForwardMsgQueue, *args: Any, **kwargs: Any) -> None:
        before = list(queue._queue)
        clear(queue, *args, **kwargs)
        kept = {id(message) for message in queue._queue}
        gone = {_delta_path(message) for message in before if _is_block(message) and id(message) not in kept}
        queue._queue = [message for message in queue._queue if not _is_within(_delta_path(message), gone)]

    return clear_with_contents


def _is_block(message: ForwardMsg) -> bool:
    return message.HasField("delta") and message.delta.HasField("add_block")


def _delta_path(message: ForwardMsg) -> tuple[int, ...]:
    return tuple(message.metadata.delta_path)


def _is_within(path: tuple[int, ...], blocks: set[tuple[int, ...]]) -> bool:
    return any(path[:depth] in blocks for depth in range(1, len(path)))


def delay_running_status(enqueue: Callable[..., None]) -> Callable[..., None]:
    """Do not report a fragment run as running before it has taken longer than SHORT_RUN.

    Report (1.67.0): click a button in a fragment of 30 elements whose run takes 20 ms. `session_status_changed` comes
    first: the browser renders every element as stale, and then once more with its contents: nearly a third of what
    the click takes.
    """

    def enqueue_forward_msg(session: AppSession, message: ForwardMsg) -> None:
        if message.HasField("new_session"):
            vars(session)["_is_fragment_run"] = bool(message.metadata.run.fragment_ids)
        if message.session_status_changed.script_is_running and vars(session).get("_is_fragment_run"):

            def report_if_running() -> None:
                if session._state == AppSessionState.APP_IS_RUNNING:
                    enqueue(session, message)

            session._event_loop.call_later(SHORT_RUN, report_if_running)
        else:
            enqueue(session, message)

    return enqueue_forward_msg


# What is replaced, and by what; of several for one function the last is called first.
PATCHES: tuple[tuple[Any, str, Callable[[Any], Any]], ...] = (
    (ScriptRunner, "_run_script", skip_fragments_of_other_pages),
    (ScriptRequests, "_request_rerun_locked", keep_requested_page),
    (SafeSessionState, "on_script_will_rerun", finish_callbacks),
    (AppSession, "request_rerun", keep_waiting_clicks),
    (AppSession, "request_rerun", rerun_page_for_outer_widgets),
    (AppSession, "_enqueue_forward_msg", delay_running_status),
    (WStates, "__iter__", iterate_over_copy),
    (SessionState, "_keys", list_keys_again),
    (ForwardMsgQueue, "clear", clear_nested_fragments),
)
