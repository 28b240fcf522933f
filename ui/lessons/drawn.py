"""Pages drawn on the server without a browser: articles and notebooks of lessons take what they show."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode
from uuid import uuid4

from streamlit import runtime
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.state import SessionState

from ui.jobs import present, waits
from ui.lessons.walk import ANSWER

MAIN = str(Path(__file__).parents[1] / "main.py")
PATIENCE = 60.0  # seconds for what a page works out in the background
_PAUSE = 0.2


@dataclass(frozen=True)
class DrawnPage:
    """What a page holds that leaves it.

    Attributes:
        program: prints the page's numbers; "" where there is none.
        answer: the right one to the question of the stop in view; None where there is none.
    """

    program: str
    answer: float | str | None


def drawn_page(page: str, settings: Mapping[str, str]) -> DrawnPage:
    """Draw a page as a visitor sees it who opens a link, once it has worked out what it shows.

    It takes as long as the page, and belongs on a thread of its own.

    Args:
        page: its address, "" for the first.
        settings: as a link writes them.
    """
    visit = f"without-a-browser-{uuid4().hex}"
    session, fragments = SessionState(), MemoryFragmentStorage()
    session[ANSWER] = None
    until = time.monotonic() + PATIENCE
    try:
        with present(visit):
            is_whole = False
            while not is_whole:
                # Asked before the run that may be the last: what ends while a page is drawn is not on it.
                is_whole = ("visitor" in session and not waits(session["visitor"])) or time.monotonic() > until
                deltas = _run(visit, page, urlencode(settings, errors="replace"), session, fragments)
                time.sleep(_PAUSE if "visitor" in session and waits(session["visitor"]) else 0)
    finally:
        if runtime.exists():
            files = runtime.get_instance().media_file_mgr
            files.clear_session_refs(visit)
            files.remove_orphaned_files()
    programs = [delta.new_element.code.code_text for delta in deltas if delta.new_element.code.language == "python"]
    return DrawnPage(programs[-1] if programs else "", session[ANSWER])


def _run(visit: str, page: str, query: str, session: SessionState, fragments: MemoryFragmentStorage) -> list[Delta]:
    """Run the app once, and return what it draws from the top to the foot."""
    loop, scripts = asyncio.new_event_loop(), ScriptCache()
    try:
        runner = ScriptRunner(
            session_id=visit,
            main_script_path=MAIN,
            session_state=session,
            uploaded_file_mgr=MemoryUploadedFileManager("/uploads"),
            script_cache=scripts,
            initial_rerun_data=RerunData(query_string=query, page_name=page),
            user_info={},
            fragment_storage=fragments,
            pages_manager=PagesManager(MAIN, scripts, setup_watcher=False),
            event_loop=loop,
        )
        drawn: dict[tuple[int, ...], Delta] = {}

        def listen(
            _sender: object, event: ScriptRunnerEvent, forward_msg: ForwardMsg | None = None, **_: object
        ) -> None:
            if event == ScriptRunnerEvent.SCRIPT_STARTED:  # anew, where the page itself asks for that
                drawn.clear()
            if forward_msg is not None and forward_msg.HasField("delta"):
                drawn[tuple(forward_msg.metadata.delta_path)] = forward_msg.delta

        runner.on_event.connect(listen, weak=False)
        runner.start()
        runner._script_thread.join()  # type: ignore[union-attr]
    finally:
        loop.close()
    return [drawn[path] for path in sorted(drawn)]
