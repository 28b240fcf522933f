"""Files that never change under their address, Streamlit's scripts and our modules: from memory, compressed once.

A first visit asks for more than a hundred of them. Streamlit reads each from the disk, in a thread, and sends it as it
is; and a browser learns what a script imports once it has the script.
"""

import gzip
import mimetypes
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import file_util

from ui.components import browser_code
from ui.components.browser_code import fingerprint

LEVEL = 6  # of compression: 9 takes twice as long for one part in a hundred
_PATH = re.compile(r"/((?:static|components)/\w+/[\w./-]+)$")
_IMPORT = re.compile(r"""\b(?:from|import)\s*["'](\.\.?/[\w./-]+\.js)["']""")


def immutable_files() -> Middleware:
    """Give the middleware that answers for them; what it does not know goes on to the server behind."""
    return Middleware(_FromMemory)


def compress_scripts(paths: Iterable[str] | None = None) -> None:
    """Compress some of them, or all, so that nobody waits for it."""
    for path in _paths() if paths is None else paths:
        answer(path, compressed=True)


def answer(path: str, *, compressed: bool) -> Response | None:
    """Give the whole answer for one of the files.

    Args:
        path: relative to the app's pages.
        compressed: whether the browser takes gzip; a font is compressed already, and goes as it is.

    Returns:
        None where there is no such file.
    """
    return _answer(path, compressed) if path in _paths() else None


def with_imports(paths: Sequence[str]) -> list[str]:
    """Give scripts and all that they import, however far: as `answer` takes them, those asked for first."""
    every = list(dict.fromkeys(paths))
    for path in every:  # which grows
        imported = (normpath(join(dirname(path), name)) for name in _IMPORT.findall(_read(path).decode()))
        every += [name for name in dict.fromkeys(imported) if name not in every]
    return every


def streamlits(*names: str) -> list[str]:
    """Give Streamlit's own scripts of these names, a hash after each; without those that its version lacks."""
    wanted = {path.split("/")[-1].split(".")[0]: path for path in sorted(_paths()) if path.startswith("static/js/")}
    return [wanted[name] for name in names if name in wanted]


def _read(path: str) -> bytes:
    own = path.removeprefix(f"components/{fingerprint()}/")
    return browser_code.files()[own] if own != path else Path(file_util.get_static_dir(), path).read_bytes()


@cache
def _paths() -> frozenset[str]:
    folder = Path(file_util.get_static_dir())
    own = {path.relative_to(folder).as_posix() for path in (folder / "static").rglob("*.*")}
    return frozenset(own | {f"components/{fingerprint()}/{name}" for name in browser_code.files()})


@cache
def _answer(path: str, compressed: bool) -> Response:
    content = _read(path)
    # Streamlit registers another type for scripts than Python has.
    is_script = path.endswith(".js")
    kind = "text/javascript" if is_script else mimetypes.guess_type(path)[0] or "application/octet-stream"
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if compressed and kind.startswith("text/"):
        content = gzip.compress(content, LEVEL, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(content, media_type=kind, headers=headers)


class _FromMemory:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answered = self.app
        if scope["type"] == "http" and scope["method"] == "GET" and (path := _PATH.search(scope["path"])):
            headers = Headers(scope=scope)
            if "range" not in headers:
                answered = answer(path[1], compressed="gzip" in headers.get("accept-encoding", "")) or self.app
        await answered(scope, receive, send)
