"""Security headers on every response, among them a policy that lets no script run but the app's own."""

import base64
import hashlib
from html.parser import HTMLParser
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util


def content_security_policy(index_html: str) -> str:
    """Write the Content-Security-Policy for Streamlit's one HTML page.

    No `unsafe-eval`, and no inline script but those in the page itself, each allowed by its hash. blob: scripts are
    how Streamlit loads the scripts of components; inline styles are how React and Plotly set theirs.

    Args:
        index_html: the page as it is served.

    Returns:
        The header's value. Nothing may be loaded from, or sent to, another machine.
    """
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in inline_scripts(index_html))
    directives = {
        "default-src": "'none'",
        "script-src": f"'self' blob: {hashes}".strip(),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' data: blob:",  # data: and blob: for images that a chart draws of itself
        "media-src": "'self' data: blob:",
        "worker-src": "'self' blob:",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'self'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


def inline_scripts(html: str) -> list[str]:
    """List the text of each script element without a src, exactly as a browser hashes it."""
    reader = _InlineScripts()
    reader.feed(html)
    return reader.scripts


def security_headers() -> Middleware:
    """Give the middleware that adds the headers; reads Streamlit's index.html once, here."""
    index_html = Path(file_util.get_static_dir(), "index.html").read_text(encoding="utf-8")
    headers = {
        "Content-Security-Policy": content_security_policy(index_html),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Referrer-Policy": "no-referrer",  # the address holds the reader's text
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "SAMEORIGIN",
    }
    return Middleware(_AddHeaders, headers=headers)


def _sha256(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


class _InlineScripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.scripts: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script" and "src" not in dict(attrs):
            self._inside = True
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._inside = False


class _AddHeaders:
    def __init__(self, app: ASGIApp, headers: dict[str, str]) -> None:
        self.app = app
        self.headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)
