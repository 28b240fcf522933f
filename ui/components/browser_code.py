"""The browser code of our components: ES modules, in a few files whose address changes with what they say.

One file has all that the first page draws, and what components share; each other component has one of its own. Sent one
by one, the first page's modules alone were 38 requests, each of which costs server and browser some milliseconds.
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
FIRST = ("_shared", "browser", "live_text", "token_chips", "vector_sum")  # folders whose modules are one file
SCRIPT = "browser/start.js"  # no module: it runs before all of them
ALONE = ("phone",)  # folders of pages of their own: a file each with all that its modules import
_IMPORT = re.compile(r'^import (?:(\w+)|\{([^}]*)\}) from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (default|(?:async )?function|const|class)\b(?: (\w+))?", re.MULTILINE)


@cache
def modules(folder: Path = FOLDER) -> Mapping[str, bytes]:
    """Read all modules under a folder, once: what is served is what the address says until the server starts again.

    Returns:
        path relative to the folder, with slashes -> the file's bytes. Files other than JavaScript are none of them.
    """
    found = sorted(folder.rglob("*.ts"))
    return {path.relative_to(folder).with_suffix(".js").as_posix(): path.read_bytes() for path in found}


@cache
def files(folder: Path = FOLDER) -> Mapping[str, bytes]:
    """Write what is served.

    Returns:
        name -> the file's bytes: "first.js", NAME.js for each other folder, and the script that is no module.
    """
    own: dict[str, list[str]] = {}
    for path in modules(folder):
        if path != SCRIPT:
            own.setdefault(_file_of(path), []).append(path)
    alone = {f"{name}.js" for name in ALONE}
    written = {
        name: _as_one(
            _with_imports(paths, modules(folder)) if name in alone else paths,
            modules(folder),
            is_first=name == "first.js" or name in alone,
        )
        for name, paths in own.items()
    }
    return written | {SCRIPT: modules(folder)[SCRIPT]} if SCRIPT in modules(folder) else written


def _file_of(path: str) -> str:
    folder = path.split("/")[0].removesuffix(".js")
    return "first.js" if folder in FIRST else f"{folder}.js"


def _with_imports(paths: list[str], every: Mapping[str, bytes]) -> list[str]:
    all_paths = list(paths)
    for path in all_paths:  # which grows
        found = (normpath(join(dirname(path), source)) for *_names, source in _IMPORT.findall(every[path].decode()))
        all_paths += [source for source in dict.fromkeys(found) if source not in all_paths]
    return all_paths


def _as_one(paths: list[str], every: Mapping[str, bytes], *, is_first: bool) -> bytes:
    """Write modules as one file: each a function that is called at once, after those that it imports.

    What a module exports stands in `m` under its path. Ours assign an exported name once, so that a copy of it will do.
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
        text = _IMPORT.sub(lambda match: _taken(path, match), text).replace(_DEFAULT, "\nconst _default = ")
        text = _EXPORT.sub(lambda match: match[0].removeprefix("export "), text)
        given = ", ".join(f"{name}: {value}" if name != value else name for name, value in names.items())
        written[path] = f'm["{path}"] = (() => {{\n{text}\nreturn {{ {given} }};\n}})();\n'

    for path in paths:
        if path not in written:
            write(path)
    head = "export const m = {};\n" if is_first else 'import { m } from "./first.js";\nexport { m };\n'
    return "".join([head, *written.values()]).encode()


_DEFAULT = "\nexport default "


def _taken(path: str, match: re.Match[str]) -> str:
    default, names, source = match.groups()
    wanted = f"default: {default}" if default else names.replace(" as ", ": ")
    return f'const {{ {wanted} }} = m["{normpath(join(dirname(path), source))}"];'


@cache
def fingerprint(folder: Path = FOLDER) -> str:
    """Tell the files made of the modules under a folder from any others, by their names and their content."""
    digest = hashlib.blake2b(digest_size=8)
    for path, content in files(folder).items():
        digest.update(f"{path}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def address(path: str) -> str:
    """Give the address of the file that has a module, relative to the app's pages.

    Args:
        path: of the module, relative to ui/components, such as "point_cloud/index.js".

    Raises:
        FileNotFoundError: there is no such module.
    """
    if path not in modules():
        raise FileNotFoundError(f"ui/components/{path} does not exist")
    return f"components/{fingerprint()}/{path if path == SCRIPT else _file_of(path)}"


def importing(path: str) -> str:
    """Write the script that `st.components.v2.component` takes for a module: it only takes the module's default.

    Streamlit sends the script with every change of a component, and runs it as a blob, from where only an absolute
    address leads to a file. Two lines, because Streamlit takes a single one with a slash in it for a path.
    """
    url = f'new URL("{address(path)}", document.baseURI)'
    return f'const {{ m }} = await import({url});\nexport default m["{path}"].default;\n'


def route() -> Route:
    """Give the route that serves the modules, to be kept for good, and 404 for anything else, old addresses too.

    The app may lie under a path of its own, `server.baseUrlPath`.
    """
    return Route("/{base:path}components/{fingerprint}/{module:path}", _serve, methods=["GET"])


async def _serve(request: Request) -> Response:
    content = files().get(request.path_params["module"])
    if content is None or request.path_params["fingerprint"] != fingerprint():
        return Response(status_code=404, headers={"Cache-Control": "no-store"})
    forever = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(content, media_type="text/javascript", headers=forever)
