"""Routes for saved files: a figure's files, made on request, and Plotly for its images."""

import logging
from functools import cache

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_log = logging.getLogger(__name__)


def routes() -> list[Route]:
    """Return the routes, which match below `server.baseUrlPath` too."""
    return [
        Route("/{base:path}saved/plotly.js", _plotly, methods=["GET"]),
        Route("/{base:path}saved/{visit}/{file}", _file, methods=["GET"]),
    ]


async def _file(request: Request) -> Response:
    from ui.export.offers import make_file  # imports torch and plotly: not before the server answers

    name, look = request.path_params["file"], request.query_params.get("look", "")
    try:
        found = await run_in_threadpool(make_file, request.path_params["visit"], name, look)
    except Exception:  # of any figure: the browser shows the error message
        _log.exception("The file %s could not be made.", name)
        return Response(status_code=500, headers={"Cache-Control": "no-store"})
    if found is None:
        return Response(status_code=404, headers={"Cache-Control": "no-store"})
    content, kind = found
    # A page with a reader's words in it must never be opened as one of the app's own.
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


async def _plotly(request: Request) -> Response:
    content, version = await run_in_threadpool(_plotly_js)
    if request.headers.get("if-none-match") == version:
        return Response(status_code=304, headers={"ETag": version})
    headers = {"Cache-Control": "no-cache", "ETag": version, "Content-Encoding": "gzip"}
    return Response(content, media_type="text/javascript", headers=headers)


@cache
def _plotly_js() -> tuple[bytes, str]:
    """Return Plotly's script, compressed, and its version as an ETag."""
    import gzip

    import plotly
    from plotly.offline import get_plotlyjs

    return gzip.compress(get_plotlyjs().encode(), 6, mtime=0), f'"{plotly.__version__}"'
