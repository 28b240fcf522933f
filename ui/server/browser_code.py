"""The browser code of our components: ES modules, served under an address that changes with what they say."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FOLDER = Path(__file__).parent.parent / "components"


@cache
def modules(folder: Path = FOLDER) -> Mapping[str, bytes]:
    """Read all modules under a folder, once: what is served is what the address says until the server starts again.

    Returns:
        path relative to the folder, with slashes -> the file's bytes. Files other than JavaScript are none of them.
    """
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.js"))}


@cache
def fingerprint(folder: Path = FOLDER) -> str:
    """Tell the modules under a folder from any others, by their paths and their content."""
    digest = hashlib.blake2b(digest_size=8)
    for path, content in modules(folder).items():
        digest.update(f"{path}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def address(path: str) -> str:
    """Give the address of one module, relative to the app's pages.

    Args:
        path: relative to ui/components, such as "point_cloud/index.js".

    Raises:
        FileNotFoundError: there is no such module.
    """
    if path not in modules():
        raise FileNotFoundError(f"ui/components/{path} does not exist")
    return f"components/{fingerprint()}/{path}"


def importing(path: str) -> str:
    """Write the script that `st.components.v2.component` takes for a module: it only imports the module's default.

    Streamlit sends the script with every change of a component, and runs it as a blob, from where only an absolute
    address leads to a file. Two lines, because Streamlit takes a single one with a slash in it for a path.
    """
    url = f'new URL("{address(path)}", document.baseURI)'
    return f"const {{ default: component }} = await import({url});\nexport default component;\n"


def route() -> Route:
    """Give the route that serves the modules, to be kept for good, and 404 for anything else, old addresses too.

    The app may lie under a path of its own, `server.baseUrlPath`.
    """
    return Route("/{base:path}components/{fingerprint}/{module:path}", _serve, methods=["GET"])


async def _serve(request: Request) -> Response:
    content = modules().get(request.path_params["module"])
    if content is None or request.path_params["fingerprint"] != fingerprint():
        return Response(status_code=404, headers={"Cache-Control": "no-store"})
    forever = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(content, media_type="text/javascript", headers=forever)
