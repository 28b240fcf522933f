"""Scripts and style sheets, Streamlit's and the app's, compressed once: Streamlit sends its own uncompressed.

A first visit requests a hundred of them, 9.0 MB or 2.6 compressed, and a browser learns a script's imports only once it
has the script.
"""

import gzip
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

LEVEL = 6  # of compression: 9 takes twice as long for one per cent
_KINDS = {".js": "text/javascript", ".css": "text/css"}
_PATH = re.compile(r"/((?:static|components)/\w+/[\w./-]+)$")
_IMPORT = re.compile(r"""\b(?:from|import)\s*["'](\.\.?/[\w./-]+\.js)["']""")


def compressed_scripts() -> Middleware:
    """Return the middleware that serves scripts gzip-compressed to browsers that accept it."""
    return Middleware(_CompressedScripts)


def compress_scripts(paths: Iterable[str] | None = None) -> None:
    """Compress some or all scripts before a browser requests them.

    Args:
        paths: relative to the app's pages.
    """
    for path in _paths() if paths is None else paths:
        _compressed_response(path)


def with_imports(paths: Sequence[str]) -> list[str]:
    """Return the paths of scripts and of all that they import, transitively, relative to the app's pages."""
    every = list(dict.fromkeys(paths))
    for path in every:  # which grows
        imported = (normpath(join(dirname(path), name)) for name in _IMPORT.findall(_read(path).decode()))
        every += [name for name in dict.fromkeys(imported) if name not in every]
    return every


def streamlit_scripts(*names: str) -> list[str]:
    """Return the paths of Streamlit's scripts with these names before their hash; missing ones are left out."""
    by_name = {path.split("/")[-1].split(".")[0]: path for path in sorted(_paths()) if path.startswith("static/js/")}
    return [by_name[name] for name in names if name in by_name]


def _read(path: str) -> bytes:
    own = path.removeprefix(f"components/{fingerprint()}/")
    return browser_code.bundles()[own] if own != path else Path(file_util.get_static_dir(), path).read_bytes()


@cache
def _paths() -> frozenset[str]:
    folder = Path(file_util.get_static_dir())
    theirs = [path.relative_to(folder).as_posix() for path in (folder / "static").rglob("*.*") if path.suffix in _KINDS]
    return frozenset([*theirs, *(f"components/{fingerprint()}/{name}" for name in browser_code.bundles())])


@cache
def _compressed_response(path: str) -> Response:
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    content = gzip.compress(_read(path), LEVEL, mtime=0)
    return Response(content, media_type=_KINDS[Path(path).suffix], headers=headers | {"Content-Encoding": "gzip"})


class _CompressedScripts:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self.app
        if scope["type"] == "http" and scope["method"] == "GET" and (path := _PATH.search(scope["path"])):
            if path[1] in _paths() and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
                answer = _compressed_response(path[1])
        await answer(scope, receive, send)
