"""The route from which components fetch large data, by content hash."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


def route() -> Route:
    """Return the route, which matches below `server.baseUrlPath` too.

    It answers 404 for evicted data: the component then requests a rerun, which serves them again.
    """
    return Route("/{base:path}component-data/{address}", _serve, methods=["GET"])


async def _serve(request: Request) -> Response:
    from ui.components._shared.data import find_data  # imports torch: not before the server answers

    data = find_data(request.path_params["address"])
    if data is None:
        return Response(status_code=404, headers={"Cache-Control": "no-store"})
    # private: it may hold a reader's own words, and no proxy should keep them.
    headers = {"Cache-Control": "private, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    content = data.content
    if "gzip" in request.headers.get("accept-encoding", ""):
        compressed = await run_in_threadpool(lambda: data.gzip_bytes)
        if compressed is not None:
            content, headers["Content-Encoding"] = compressed, "gzip"
    return Response(content, media_type="application/octet-stream", headers=headers)
