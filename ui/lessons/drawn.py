"""Pages drawn on the server without a browser: articles and notebooks of lessons take what they show."""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape
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

from ui.export import Offer, offers_in
from ui.jobs import present, waits
from ui.lessons.walk import ANSWER

MAIN = str(Path(__file__).parents[1] / "main.py")
PATIENCE = 60.0  # seconds for what a page works out in the background
_PAUSE = 0.2
_WITHOUT_PROGRAM = ("lessons",)  # other pages show theirs once they have all that they show


@dataclass(frozen=True)
class DrawnPage:
    """What a page holds that leaves it.

    Attributes:
        program: prints the page's numbers; "" where there is none.
        figure: that can be saved of the lit part; None where there is none.
        answer: the right one to the question of the stop in view; None where there is none.
    """

    program: str
    figure: Offer | None
    answer: float | str | None


def drawn_page(page: str, settings: Mapping[str, str], *, light: str = "") -> DrawnPage:
    """Draw a page as a visitor sees it who opens a link, once it has worked out what it shows.

    It takes as long as the page, and belongs on a thread of its own.

    Args:
        page: its address, "" for the first.
        settings: as a link writes them.
        light: key of the part of the page that is lit; "" for none.
    """
    visit = f"without-a-browser-{uuid4().hex}"
    session, fragments = SessionState(), MemoryFragmentStorage()
    session[ANSWER] = None
    until = time.monotonic() + PATIENCE
    try:
        with present(visit):
            is_whole = False  # what ends while a page is drawn is not on it yet
            while not is_whole:
                waiting = "visitor" in session and waits(session["visitor"])
                deltas = _run(visit, page, urlencode(settings, errors="replace"), session, fragments)
                programs = _programs(deltas)
                is_whole = (not waiting and (bool(programs) or page in _WITHOUT_PROGRAM)) or time.monotonic() > until
                time.sleep(0 if is_whole else _PAUSE)
    finally:
        if runtime.exists():
            files = runtime.get_instance().media_file_mgr
            files.clear_session_refs(visit)
            files.remove_orphaned_files()
    figure = _lit_figure(deltas, light, offers_in(session)) if light else None
    return DrawnPage(programs[-1] if programs else "", figure, session[ANSWER])


def _programs(deltas: Sequence[Delta]) -> list[str]:
    return [delta.new_element.code.code_text for delta in deltas if delta.new_element.code.language == "python"]


def _lit_figure(deltas: Sequence[Delta], light: str, offers: Mapping[str, Offer]) -> Offer | None:
    """Return the first figure in a part of the page, or beneath it before the next heading."""
    is_lit = False
    for delta in deltas:
        kind = delta.new_element.WhichOneof("type")
        key = delta.add_block.id if kind is None else getattr(getattr(delta.new_element, kind), "id", "")
        if is_lit and kind == "heading":
            return None
        is_lit = is_lit or str(key).endswith(f"-{light}")
        offered = re.search(r'data-offer="[^"/]*/([^"]*)"', delta.new_element.html.body) if kind == "html" else None
        if is_lit and offered and (offer := offers.get(unescape(offered[1]))) is not None and "html" in offer.kinds:
            return offer
    return None


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
