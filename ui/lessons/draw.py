"""Articles and notebooks of lessons, made in a separate process: `python -m ui.lessons.draw`.

Streamlit runs a page without a browser by AppTest, which cannot be used in a server process.
"""

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from ui.cache.bounded import memo
from ui.export import Offer, offers_in
from ui.i18n import set_run_language
from ui.jobs import is_waiting
from ui.lessons.walk import ANSWER, load_lesson

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds for a page's background jobs
_LONGEST = 600.0  # seconds for all pages of a lesson
_PAUSE = 0.2
_WITHOUT_PROGRAM = ("lessons",)  # other pages show one once they are complete

_one_process = threading.Lock()  # one such process at a time: each loads torch, 0.5 GB


@dataclass(frozen=True)
class DrawnPage:
    """The contents of a page for an article or a notebook.

    Attributes:
        program: prints the page's numbers; "" for none.
        figure: of the highlighted part; None if there is none.
        answer: the correct answer to the stop's question; None if there is none.
    """

    program: str
    figure: Offer | None
    answer: float | str | None


def draw_page(page: str, settings: Mapping[str, str], *, light: str = "") -> DrawnPage:
    """Run a page as a visitor with a link sees it, once its background jobs have finished.

    Args:
        page: its address, "" for the first.
        settings: as a link writes them.
        light: key of the highlighted part of the page; "" for none.
    """
    from streamlit.testing.v1 import AppTest  # imports much that a server does not need

    app = AppTest.from_file(ROOT / "ui" / "main.py", default_timeout=_LONGEST)
    app.session_state[ANSWER] = None
    for name, value in settings.items():
        app.query_params[name] = value
    app.switch_page(str(ROOT / "pages" / f"{page or 'pipeline'}.py"))
    until = time.monotonic() + PATIENCE
    while True:
        waiting = "visitor" in app.session_state and is_waiting(app.session_state["visitor"])
        app.run()
        programs = [code.value for code in app.code if code.language == "python"]
        if not waiting and (programs or page in _WITHOUT_PROGRAM):  # a job that ends meanwhile is not on the page yet
            break
        if time.monotonic() > until:
            break
        time.sleep(_PAUSE)
    figure = _lit_figure([*app.main], light, offers_in(app.session_state)) if light else None
    return DrawnPage(programs[-1] if programs else "", figure, app.session_state[ANSWER])


def _lit_figure(nodes: Sequence[Any], light: str, offers: Mapping[str, Offer]) -> Offer | None:
    """Return the first figure in a highlighted part of the page, or below it before the next heading.

    The save menu of a figure, which has its offer, stands before it.
    """
    is_lit, menu = False, None
    for node in nodes:
        if is_lit and node.proto.__class__.__name__ == "Heading":
            return None
        element = str(getattr(node.proto, "id", ""))
        is_lit = is_lit or element.endswith(f"-{light}")
        offered = re.search(r'data-offer="[^"/]*/([^"]*)"', node.proto.body) if node.type == "html" else None
        offer = offers.get(unescape(offered[1])) if offered else None
        if offer is not None and "html" in offer.kinds:
            menu = offer
        if is_lit and menu is not None:
            return menu
        if element:
            menu = None  # it was that of this element
    return None


@memo()
def lesson_file(kind: str, reference: str, texts: tuple[tuple[str, str], ...], home: str, language: str) -> str:
    """Make the article or the notebook of a lesson in a process of its own.

    Args:
        kind: "article" or "notebook".
        reference: of the lesson, as in a link.
        texts: the user's own, as in a link.
        home: the app's URL, without a trailing slash; "" if unknown.
        language: in which it is written.

    Raises:
        subprocess.SubprocessError: the process failed.
    """
    arguments = {"kind": kind, "reference": reference, "texts": texts, "home": home, "language": language}
    command = [sys.executable, "-m", "ui.lessons.draw"]
    with _one_process:
        done = subprocess.run(
            command, cwd=ROOT, input=json.dumps(arguments).encode(), capture_output=True, timeout=_LONGEST, check=True
        )
    return done.stdout.decode()


def main() -> None:
    """Make the file described by the JSON on standard input; write it to standard output."""
    from ui.lessons.papers import Papers

    asked = json.load(sys.stdin)
    with redirect_stdout(sys.stderr):
        set_run_language(asked["language"])
        lesson = load_lesson(asked["reference"])
        papers = Papers(asked["reference"], lesson, dict(asked["texts"]), asked["home"], asked["language"])
        content = papers.article() if asked["kind"] == "article" else papers.notebook()
    sys.stdout.buffer.write(content.encode())


if __name__ == "__main__":
    main()
