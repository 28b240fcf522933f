"""The one HTML page that Streamlit serves, with what the app says in it before a first run."""

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

from ui.components.browser_code import FOLDER, address
from ui.server.files import streamlit_scripts, with_imports

TITLE = "Embedding Explorer"
_SPEAKER = FOLDER / "speaker"
_RULES = Path(__file__).parent.parent / "frame.css"
# What most pages draw first, and what draws charts and programs, which a browser parses for long.
_FIRST = ("BidiComponent", "Selectbox", "NumberInput", "Checkbox", "Button", "ButtonGroup", "Html", "PageLink")
_LATER = ("PlotlyChart", "StreamlitSyntaxHighlighter")


def page_html(html: str, *, rules: str) -> str:
    """Put the app's title, its first script, its rules and what it will ask for into Streamlit's page.

    The rules stand last, after those that Streamlit adds to the head, and hold from the first moment: what they keep
    room for does not jump when it comes.

    Args:
        html: Streamlit's index.html.
        rules: of the whole app, in CSS.

    Raises:
        ValueError: the page lacks a place for one of them, as that of another version of Streamlit may.
    """
    later = " ".join(streamlit_scripts(*_LATER))
    script = f'<script src="./{address("start")}" data-later="{later}"></script>'
    scripts = with_imports([address("first"), *streamlit_scripts(*_FIRST)])
    links = [f'<link rel="modulepreload" crossorigin href="./{path}">' for path in scripts if path not in html]
    for place, put in (
        ("<title>Streamlit</title>", f"<title>{TITLE}</title>"),
        ('<script type="module"', f'{script}\n    <script type="module"'),
        ("</head>", "\n".join([*links, "</head>"])),
        ("</body>", f"<style>\n{rules}</style>\n  </body>"),
    ):
        if html.count(place) != 1:
            raise ValueError(f"Streamlit's page has {place} {html.count(place)} times, not once")
        html = html.replace(place, put)
    return html


def own_page(opened: Callable[[str], None] = lambda query: None) -> Middleware:
    """Give the middleware that serves the page in place of Streamlit's own.

    Args:
        opened: is told the query of each visitor who opens the first page, as it is sent to them.
    """
    return Middleware(_OwnPage, body=_served().encode(), opened=opened)


def first_scripts() -> list[str]:
    """List the scripts and rules that the page names, relative to the app's pages."""
    return re.findall(r'(?:src|href)="\./([\w./-]+\.(?:js|css))"', _served())


def speaker_route() -> Route:
    """Give the route of the speaker's window; what it shows comes from the window with the slides, in the browser.

    Read once, here. With a Content-Disposition it is not taken for Streamlit's page.
    """
    html, rules = ((_SPEAKER / name).read_text(encoding="utf-8") for name in ("index.html", "style.css"))
    script = f'<script type="module" src="./{address("speaker")}"></script>'
    page = html.replace("</head>", f"  <style>\n{rules}</style>\n    {script}\n  </head>")

    async def serve(request: Request) -> Response:
        return HTMLResponse(page, headers={"Content-Disposition": "inline", "Cache-Control": "no-cache"})

    return Route("/{base:path}speaker", serve, methods=["GET"])


@cache
def _served() -> str:
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
