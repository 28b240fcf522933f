"""Security headers on every response, among them a policy that allows only the app's own scripts."""

import base64
import hashlib
import os
import re
import sys
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

from ui.embed import FRAME_ANCESTORS

_LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_ORIGIN = re.compile(rf"https?://({_LABEL}\.)*{_LABEL}(:(?P<port>[1-9][0-9]{{0,4}}))?")
_OWN_MACHINE = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")
_XSRF_COOKIE = "_streamlit_xsrf="  # without it nothing can be uploaded


def frame_ancestors(value: str) -> list[str]:
    """Parse a list of origins, separated by spaces or commas.

    Args:
        value: such as "https://course.example.org http://localhost:8000"; empty for none.

    Returns:
        Each origin once, in lower case, safe in a header.

    Raises:
        ValueError: one is no origin: it lacks http:// or https://, or has a path, a wildcard, or letters beyond ASCII.
    """
    origins = list(dict.fromkeys(value.replace(",", " ").lower().split()))
    for origin in origins:
        parts = _ORIGIN.fullmatch(origin)
        if parts is None or int(parts["port"] or 0) > 65_535:
            raise ValueError(
                f"{FRAME_ANCESTORS} has {origin!r}, which is not an origin: write a scheme and a host and no path, "
                "as in https://course.example.org or http://localhost:8000, with spaces between several."
            )
    return origins


def content_security_policy(index_html: str, ancestors: Sequence[str] = ()) -> str:
    """Return the Content-Security-Policy for Streamlit's one HTML page.

    No `unsafe-eval`, and no inline script but those in the page itself, each allowed by its hash. blob: scripts are
    how Streamlit loads the scripts of components; inline styles are how React and Plotly set theirs.

    Args:
        index_html: the page as it is served.
        ancestors: origins whose pages may show the app in a frame, beside its own.

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
        "frame-src": "'self'",  # the preview of what embeds a figure
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": " ".join(["'self'", *ancestors]),
    }
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


def inline_scripts(html: str) -> list[str]:
    """Return the text of each script element without a src, exactly as a browser hashes it."""
    reader = _InlineScripts()
    reader.feed(html)
    return reader.scripts


def security_headers() -> Middleware:
    """Return the middleware that adds the headers; reads Streamlit's index.html and the environment once.

    Raises:
        SystemExit: the environment names invalid ancestors; with the message of `frame_ancestors`.
    """
    index_html = Path(file_util.get_static_dir(), "index.html").read_text(encoding="utf-8")
    try:
        ancestors = frame_ancestors(os.environ.get(FRAME_ANCESTORS, ""))
    except ValueError as error:
        sys.exit(str(error))
    headers = {
        "Content-Security-Policy": content_security_policy(index_html, ancestors),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Referrer-Policy": "no-referrer",  # the address holds the reader's text
        "X-Content-Type-Options": "nosniff",
    }
    if not ancestors:  # which it could not name
        headers["X-Frame-Options"] = "SAMEORIGIN"
    return Middleware(_AddHeaders, headers=headers, framed=bool(ancestors))


def _is_secure(scope: Scope) -> bool:
    """Return whether the browser accepts Secure cookies from here: over TLS, or from its own machine."""
    headers = Headers(scope=scope)
    scheme = headers.get("x-forwarded-proto", scope.get("scheme", "http"))
    return scheme == "https" or _OWN_MACHINE.fullmatch(headers.get("host", "")) is not None


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
    def __init__(self, app: ASGIApp, headers: Mapping[str, str], framed: bool) -> None:
        self.app = app
        self.headers = headers
        self.framed = framed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                cookies = headers.getlist("set-cookie")
                if self.framed and cookies and _is_secure(scope):
                    del headers["set-cookie"]
                    for cookie in cookies:
                        headers.append("set-cookie", _allow_in_frames(cookie))
                headers.update(self.headers)
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


def _allow_in_frames(cookie: str) -> str:
    """Make the upload cookie partitioned (CHIPS), so that it reaches a frame in another site's page."""
    if not cookie.startswith(_XSRF_COOKIE):
        return cookie
    kept = [part for part in cookie.split("; ") if part.partition("=")[0].lower() not in ("samesite", "secure")]
    return "; ".join([*kept, "SameSite=None", "Secure", "Partitioned"])
