"""The HTML page that Streamlit serves, extended by the app."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

from ui.components.browser_code import FOLDER, script_address
from ui.server.files import streamlit_scripts, with_imports

TITLE = "Embedding Explorer"
_SPEAKER = FOLDER / "slides" / "speaker"
# The ground before the first paint: without it a dark page begins with a white frame.
_FIRST_FRAME = (
    '<meta name="color-scheme" content="light dark">'
    "<style>html { background: light-dark(#ffffff, #15181e); color-scheme: light dark }</style>"
)
_RULES = Path(__file__).parent.parent / "frame.css"
# Streamlit's scripts that most pages need first, and those of charts and programs, which take long to parse.
_FIRST = ("BidiComponent", "Selectbox", "NumberInput", "Checkbox", "Button", "ButtonGroup", "Html", "PageLink")
_LATER = ("PlotlyChart", "StreamlitSyntaxHighlighter")


def page_html(html: str, *, rules: str) -> str:
    """Insert the app's title, first script, style sheet and preloads into Streamlit's page.

    The style sheet comes last, after those that Streamlit adds to the head, and applies from the first moment, so that
    reserved space does not jump.

    Args:
        html: Streamlit's index.html.
        rules: the app's style sheet.

    Raises:
        ValueError: the page lacks a marker, as that of another version of Streamlit may.
    """
    later = " ".join(streamlit_scripts(*_LATER))
    script = f'<script src="./{script_address("start")}" data-later="{later}"></script>'
    scripts = with_imports([script_address("first"), *streamlit_scripts(*_FIRST)])
    links = [f'<link rel="modulepreload" crossorigin href="./{path}">' for path in scripts if path not in html]
    for place, put in (
        ("<title>Streamlit</title>", f"<title>{TITLE}</title>\n    {_FIRST_FRAME}"),
        ('<script type="module"', f'{script}\n    <script type="module"'),
        ("</head>", "\n".join([*links, "</head>"])),
        ("</body>", f"<style>\n{rules}</style>\n  </body>"),
    ):
        if html.count(place) != 1:
            raise ValueError(f"Streamlit's page has {place} {html.count(place)} times, not once")
        html = html.replace(place, put)
    return html


def own_page(opened: Callable[[str], None] = lambda query: None) -> Middleware:
    """Return the middleware that serves the page in place of Streamlit's own.

    Args:
        opened: called with the query of each visitor who requests the page.
    """
    return Middleware(_OwnPage, body=_rendered_page().encode(), opened=opened)


def first_scripts() -> list[str]:
    """Return the paths of the scripts and style sheets that the page names, relative to the app's pages."""
    return re.findall(r'(?:src|href)="\./([\w./-]+\.(?:js|css))"', _rendered_page())


def speaker_route() -> Route:
    """Return the route of the speaker's window, whose content comes from the window with the slides.

    Read once. With a Content-Disposition it is not mistaken for Streamlit's page.
    """
    html, rules = ((_SPEAKER / name).read_text(encoding="utf-8") for name in ("index.html", "style.css"))
    script = f'<script type="module" src="./{script_address("slides/speaker")}"></script>'
    page = html.replace("</head>", f"  <style>\n{rules}</style>\n    {script}\n  </head>")

    async def serve(request: Request) -> Response:
        return HTMLResponse(page, headers={"Content-Disposition": "inline", "Cache-Control": "no-cache"})

    return Route("/{base:path}speaker", serve, methods=["GET"])


@cache
def _rendered_page() -> str:
    html = Path(file_util.get_static_dir(), "index.html").read_text(encoding="utf-8")
    return page_html(html, rules=_RULES.read_text(encoding="utf-8"))


class _OwnPage:
    def __init__(self, app: ASGIApp, body: bytes, opened: Callable[[str], None]) -> None:
        self.app = app
        self.body = body
        self.opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        replaced = False

        async def send_own(message: Message) -> None:
            nonlocal replaced
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_html = message["status"] == 200 and headers.get("content-type", "").startswith("text/html")
                replaced = is_html and "content-disposition" not in headers  # a saved figure is HTML too
                if replaced and scope["method"] == "GET" and scope["path"].endswith("/"):
                    self.opened(scope.get("query_string", b"").decode("ascii", "replace"))
                if replaced:
                    headers["content-length"] = str(len(self.body))
                    for name in ("content-encoding", "etag", "last-modified", "accept-ranges"):
                        del headers[name]
            elif replaced and message["type"] == "http.response.body":
                if message.get("more_body"):
                    return
                message = {**message, "body": b"" if scope["method"] == "HEAD" else self.body}
            await send(message)

        await self.app(scope, receive, send_own if scope["type"] == "http" else send)
