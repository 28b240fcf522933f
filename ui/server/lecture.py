"""The routes of lectures: a page for phones, two event streams, and what phones and presenters send."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache, wraps
from html import escape
from pathlib import Path
from socket import socket
from typing import Any

import uvicorn
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from streamlit import config
from streamlit.logger import get_logger

from ui.components.browser_code import FOLDER, script_address
from ui.components.phone import LABELS
from ui.i18n import _, language_tag, languages, preferred_language, set_run_language, translate_labels
from ui.lecture.rooms import SENTENCES, Refused, Rooms, read_step
from ui.lecture.store import StoreUnavailable, open_store
from ui.lecture.streams import Streams
from ui.server.origins import is_own_origin
from ui.settings import ROOM_CODE

_MOST_BYTES = 2_000  # of a phone's request
_MOST_STEP_BYTES = 100_000
_NO_STORE = {"Cache-Control": "no-store"}

Answer = Callable[["Lecture", Request], Awaitable[Response]]


def _with_refusals(answer: Answer) -> Answer:
    """Wrap a handler so that a refusal is answered with a sentence in the requested language."""

    @wraps(answer)
    async def handle(self: "Lecture", request: Request) -> Response:
        reason, values, status = "lost", {}, 503
        try:
            return await answer(self, request)
        except Refused as refused:
            reason, values, status = refused.reason, refused.values, refused.status
        except StoreUnavailable:
            pass
        set_run_language(_language(request))
        return PlainTextResponse(_(SENTENCES[reason]).format(**values), status, headers=_NO_STORE)

    return handle


class Lecture:
    """The rooms, streams and routes of lectures; reads the environment once.

    Raises:
        SystemExit: the environment has an invalid address of Redis.
    """

    def __init__(self) -> None:
        """Start without rooms."""
        self._store = open_store()
        self._rooms = Rooms(self._store)
        self._streams = Streams(self._rooms)

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """End all streams when the server starts to shut down, since it waits for them; then close Redis."""
        ends: Any = getattr(uvicorn.Server, "shutdown", None)

        async def shutdown(server: uvicorn.Server, sockets: list[socket] | None = None) -> None:
            self._streams.close()
            await ends(server, sockets)

        if ends is None:
            sentence = "uvicorn %s has no Server.shutdown: a server waits until all streams of lectures are closed."
            get_logger(__name__).warning(sentence, uvicorn.__version__)
        else:
            uvicorn.Server.shutdown = shutdown  # type: ignore[method-assign, assignment]
        try:
            yield
        finally:
            if ends is not None:
                uvicorn.Server.shutdown = ends  # type: ignore[method-assign]
            await self._store.close()

    def routes(self) -> list[Route]:
        """Return the routes, also below `server.baseUrlPath`, as a proxy requests them."""
        base = config.get_option("server.baseUrlPath").strip("/")
        ways: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
            ("", "GET", self._page),
            ("/events", "GET", self._follow),
            ("/vote", "POST", self._vote),
            ("/word", "POST", self._word),
            ("/room", "GET", self._present),
            ("/step", "POST", self._step),
            ("/judged", "POST", self._remove_word),
            ("/end", "POST", self._end),
        ]
        return [
            Route(f"{prefix}/follow/{{code}}{path}", answer, methods=[method])
            for prefix in ["", *([f"/{base}"] if base else [])]
            for path, method, answer in ways
        ]

    async def _page(self, request: Request) -> Response:
        # With a Content-Disposition it is not mistaken for Streamlit's page (ui.server.page).
        headers = _NO_STORE | {"Content-Disposition": "inline"}
        return HTMLResponse(_page(_language(request)), headers=headers)

    @_with_refusals
    async def _follow(self, request: Request) -> Response:
        code = _code(request)
        name = await self._rooms.join(code, request.headers.get("x-follower", ""))
        return _stream(self._streams.follow(code, name, request.headers.get("last-event-id", "")[:40]))

    @_with_refusals
    async def _vote(self, request: Request) -> Response:
        sent = await _read_json(request)
        follower = request.headers.get("x-follower", "")
        await self._rooms.vote(_code(request), follower, sent.get("question"), sent.get("answer"))
        return Response(status_code=204)

    @_with_refusals
    async def _word(self, request: Request) -> Response:
        sent = await _read_json(request)
        await self._rooms.submit_word(_code(request), request.headers.get("x-follower", ""), sent.get("word"))
        return Response(status_code=204)

    @_with_refusals
    async def _present(self, request: Request) -> Response:
        code = await self._admit(request)
        return _stream(self._streams.present(code))

    @_with_refusals
    async def _step(self, request: Request) -> Response:
        sent = await _read_json(request, _MOST_STEP_BYTES)
        step = read_step(sent["step"]) if sent.get("step") is not None else None  # none: the presenter is still there
        code = await self._admit(request, opening=step is not None)
        if step is not None:
            await self._rooms.publish_step(code, step)
        return JSONResponse({"heard": self._store.is_shared or self._streams.has_presenter(code)}, headers=_NO_STORE)

    @_with_refusals
    async def _remove_word(self, request: Request) -> Response:
        sent = await _read_json(request)
        await self._rooms.remove_word(await self._admit(request), str(sent.get("word")))
        return Response(status_code=204)

    @_with_refusals
    async def _end(self, request: Request) -> Response:
        await _read_json(request)
        await self._rooms.end(await self._admit(request))
        return Response(status_code=204)

    async def _admit(self, request: Request, *, opening: bool = False) -> str:
        code = _code(request)
        secret = request.headers.get("authorization", "").removeprefix("Bearer ")
        await self._rooms.admit(code, secret, opening=opening)
        return code


def _code(request: Request) -> str:
    code = str(request.path_params["code"]).upper()
    if not ROOM_CODE.fullmatch(code):
        raise Refused("unknown", code=code[:12])
    return code


def _language(request: Request) -> str:
    wanted = request.query_params.get("lang", "")
    return wanted if wanted in languages() else preferred_language(request.headers.get("accept-language", ""))


async def _read_json(request: Request, most: int = _MOST_BYTES) -> Mapping[str, Any]:
    """Return the JSON body of a request from one of this server's own pages; other sites cannot send that type."""
    headers = request.headers
    is_json = headers.get("content-type", "").partition(";")[0].strip() == "application/json"
    is_foreign = headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
    if not is_json or is_foreign or not is_own_origin(headers.get("origin"), headers.get("host")):
        raise Refused("bad")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise Refused("bad")
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused("bad") from None
    if not isinstance(sent, dict):
        raise Refused("bad")
    return sent


def _stream(events: AsyncIterator[bytes]) -> Response:
    # Makes nginx pass on events unbuffered.
    headers = _NO_STORE | {"X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


@cache
def _page(language: str) -> str:
    """Return the HTML page for phones, with its translated labels."""
    set_run_language(language)
    labels = translate_labels(LABELS | {"lost": SENTENCES["lost"]})
    folder = FOLDER / "phone"
    html = (folder / "index.html").read_text(encoding="utf-8")
    for name, text in {
        "language": language_tag(),
        "title": labels["title"],
        "labels": json.dumps(labels, ensure_ascii=False),
        "script": f"../{script_address('phone')}",
    }.items():
        html = html.replace(f"{{{name}}}", escape(text))
    return html.replace("{rules}", Path(folder, "style.css").read_text(encoding="utf-8"))
