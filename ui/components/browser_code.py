"""The components' browser code: ES modules, bundled into a few files addressed by content hash.

One file has all modules of the first page and the shared ones; each other component has one file. Unbundled, the first
page alone took 38 requests of some milliseconds each.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FOLDER = Path(__file__).parent
FIRST = ("_shared", "browser", "live_text", "token_chips", "vector_sum")  # folders bundled into first.js
SCRIPT = "browser/start.js"  # a classic script: it runs before all modules
ALONE = ("phone",)  # folders of standalone pages: bundled with all their imports
_IMPORT = re.compile(r'^import (?:(\w+)|\{([^}]*)\}) from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (default|(?:async )?function|const|class)\b(?: (\w+))?", re.MULTILINE)


@cache
def modules(folder: Path = FOLDER) -> Mapping[str, bytes]:
    """Return all modules under a folder, read once: served files must match their address until a restart.

    Returns:
        path relative to the folder, with slashes -> the file's bytes; JavaScript only.
    """
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.js"))}


@cache
def files(folder: Path = FOLDER) -> Mapping[str, bytes]:
    """Return the files to serve.

    Returns:
        name -> the file's bytes: "first.js", NAME.js for each other folder, and SCRIPT.
    """
    own: dict[str, list[str]] = {}
    for path in modules(folder):
        if path != SCRIPT:
            own.setdefault(_bundle_name(path), []).append(path)
    alone = {f"{name}.js" for name in ALONE}
    written = {
        name: _write_bundle(
            _with_imports(paths, modules(folder)) if name in alone else paths,
            modules(folder),
            is_first=name == "first.js" or name in alone,
        )
        for name, paths in own.items()
    }
    return written | {SCRIPT: modules(folder)[SCRIPT]} if SCRIPT in modules(folder) else written


def _bundle_name(path: str) -> str:
    folder = path.split("/")[0].removesuffix(".js")
    return "first.js" if folder in FIRST else f"{folder}.js"


def _with_imports(paths: list[str], every: Mapping[str, bytes]) -> list[str]:
    all_paths = list(paths)
    for path in all_paths:  # which grows
        found = (normpath(join(dirname(path), source)) for *_names, source in _IMPORT.findall(every[path].decode()))
        all_paths += [source for source in dict.fromkeys(found) if source not in all_paths]
    return all_paths


def _write_bundle(paths: list[str], every: Mapping[str, bytes], *, is_first: bool) -> bytes:
    """Bundle modules into one file: each is a function, called after the modules that it imports.

    `m` has a module's exports under its path. Exported names are assigned once, so that copies suffice.
    """
    written: dict[str, str] = {}

    def write(path: str) -> None:
        text = every[path].decode()
        sources = [normpath(join(dirname(path), source)) for _default, _names, source in _IMPORT.findall(text)]
        for source in sources:
            if source in paths and source not in written:
                write(source)
        names = {"default": "_default"} if _DEFAULT in text else {}
        names |= {name: name for kind, name in _EXPORT.findall(text) if kind != "default"}
        text = _IMPORT.sub(lambda match: _import_statement(path, match), text).replace(_DEFAULT, "\nconst _default = ")
        text = _EXPORT.sub(lambda match: match[0].removeprefix("export "), text)
        given = ", ".join(f"{name}: {value}" if name != value else name for name, value in names.items())
        written[path] = f'm["{path}"] = (() => {{\n{text}\nreturn {{ {given} }};\n}})();\n'

    for path in paths:
        if path not in written:
            write(path)
    head = "export const m = {};\n" if is_first else 'import { m } from "./first.js";\nexport { m };\n'
    return "".join([head, *written.values()]).encode()


_DEFAULT = "\nexport default "


def _import_statement(path: str, match: re.Match[str]) -> str:
    default, names, source = match.groups()
    wanted = f"default: {default}" if default else names.replace(" as ", ": ")
    return f'const {{ {wanted} }} = m["{normpath(join(dirname(path), source))}"];'


@cache
def fingerprint(folder: Path = FOLDER) -> str:
    """Return a hash of the names and contents of the served files."""
    digest = hashlib.blake2b(digest_size=8)
    for path, content in files(folder).items():
        digest.update(f"{path}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def script_address(path: str) -> str:
    """Return the address of the file that contains a module, relative to the app's pages.

    Args:
        path: of the module, relative to ui/components, such as "point_cloud/index.js".

    Raises:
        FileNotFoundError: there is no such module.
    """
    if path not in modules():
        raise FileNotFoundError(f"ui/components/{path} does not exist")
    return f"components/{fingerprint()}/{path if path == SCRIPT else _bundle_name(path)}"


def import_script(path: str) -> str:
    """Return the script for `st.components.v2.component` that imports a module's default export.

    Streamlit sends the script with every change of a component, and runs it as a blob, which needs an absolute URL. Two
    lines, because Streamlit mistakes a single one with a slash for a path.
    """
    url = f'new URL("{script_address(path)}", document.baseURI)'
    return f'const {{ m }} = await import({url});\nexport default m["{path}"].default;\n'


def route() -> Route:
    """Return the route that serves the files as immutable, and 404 for anything else, old addresses too.

    It matches below `server.baseUrlPath` too.
    """
    return Route("/{base:path}components/{fingerprint}/{module:path}", _serve, methods=["GET"])


async def _serve(request: Request) -> Response:
    content = files().get(request.path_params["module"])
    if content is None or request.path_params["fingerprint"] != fingerprint():
        return Response(status_code=404, headers={"Cache-Control": "no-store"})
    forever = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(content, media_type="text/javascript", headers=forever)
