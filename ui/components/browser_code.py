"""Serve the bundles that esbuild makes of the components' TypeScript; `bin/browser-code --build` writes them."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FOLDER = Path(__file__).parent
BUNDLES = FOLDER / "bundles"
FIRST = ("browser", "live_text", "token_chips", "vector_sum")  # components of first.ts, which are exports of one bundle


@cache
def bundles(folder: Path = BUNDLES) -> Mapping[str, bytes]:
    """Read all bundles, once: what is served is what the address says until the server starts again.

    Returns:
        name of the file -> its bytes.
    """
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.js"))}


@cache
def fingerprint(folder: Path = BUNDLES) -> str:
    """Hash of the names and the content of all bundles, which refer to each other by name."""
    digest = hashlib.blake2b(digest_size=8)
    for name, content in bundles(folder).items():
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def script_address(name: str) -> str:
    """Return the address of the bundle that has a component, relative to the app's pages.

    Args:
        name: of the component's folder, such as "point_cloud/motion", or of a bundle, such as "start".

    Raises:
        FileNotFoundError: there is no such bundle.
    """
    file = "first.js" if name in FIRST else f"{name.replace('/', '_')}.js"
    if file not in bundles():
        raise FileNotFoundError(f"ui/components/bundles/{file} does not exist; bin/browser-code --build writes it")
    return f"components/{fingerprint()}/{file}"


def component_script(name: str) -> str:
    """Return the script that `st.components.v2.component` takes for a component: it only imports from the bundle.

    Streamlit sends the script with every change of a component, and runs it as a blob, from where only an absolute
    address leads to a file. It awaits what the component returns, and the script awaits nothing itself: of a script
    that does, WebKit hands out exports before they have a value when two components import it at once. Two lines,
    because Streamlit takes a single one with a slash in it for a path.
    """
    export = name if name in FIRST else "default"
    url = f'new URL("{script_address(name)}", document.baseURI)'
    return f"const bundle = import({url});\nexport default async (run) => (await bundle).{export}(run);\n"


def route() -> Route:
    """Return the route that serves the bundles, to be cached for good, and 404 for anything else, old addresses too.

    The app may lie under a path of its own, `server.baseUrlPath`.
    """
    return Route("/{base:path}components/{fingerprint}/{name:path}", _serve, methods=["GET"])


async def _serve(request: Request) -> Response:
    content = bundles().get(request.path_params["name"])
    if content is None or request.path_params["fingerprint"] != fingerprint():
        return Response(status_code=404, headers={"Cache-Control": "no-store"})
    forever = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(content, media_type="text/javascript", headers=forever)
