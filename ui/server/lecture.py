"""How rooms are reached: a page for phones, two streams of events, and what phones and presenters send."""

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

from ui.components.browser_code import FOLDER, address
from ui.components.phone import LABELS
from ui.i18n import _, languages, preferred, speak, tag, translated
from ui.lecture.homes import HomeLost, home
from ui.lecture.rooms import SENTENCES, Refused, Rooms, read_step
from ui.lecture.streams import Streams
from ui.server.origins import is_own_origin
from ui.settings import ROOM_CODE

_MOST_BYTES = 2_000  # of what a phone sends
_MOST_STEP_BYTES = 100_000
_NEVER_KEPT = {"Cache-Control": "no-store"}

Answer = Callable[["Lecture", Request], Awaitable[Response]]


def _answered(answer: Answer) -> Answer:
    """Have what is refused said in a sentence, in the language that was asked for."""

    @wraps(answer)
    async def asked(self: "Lecture", request: Request) -> Response:
        reason, values, status = "lost", {}, 503
        try:
            return await answer(self, request)
        except Refused as refused:
            reason, values, status = refused.reason, refused.values, refused.status
        except HomeLost:
            pass
        speak(_language(request))
        return PlainTextResponse(_(SENTENCES[reason]).format(**values), status, headers=_NEVER_KEPT)

    return asked


class Lecture:
    """What of a server belongs to lectures; reads the environment once, here.

    Raises:
        SystemExit: the environment names a Redis that cannot be one.
    """

    def __init__(self) -> None:
        """Begin without rooms."""
        self._home = home()
        self._rooms = Rooms(self._home)
        self._streams = Streams(self._rooms)

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """End all streams when the server begins to end, for it waits for them; then let go of Redis."""
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
            await self._home.close()

    def routes(self) -> list[Route]:
        """Give the routes, under `server.baseUrlPath` too, as a proxy asks for them."""
        base = config.get_option("server.baseUrlPath").strip("/")
        ways: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
            ("", "GET", self._page),
            ("/events", "GET", self._follow),
            ("/vote", "POST", self._vote),
            ("/word", "POST", self._word),
            ("/room", "GET", self._present),
            ("/step", "POST", self._step),
            ("/judged", "POST", self._judge),
            ("/end", "POST", self._end),
        ]
        return [
            Route(f"{prefix}/follow/{{code}}{path}", answer, methods=[method])
            for prefix in ["", *([f"/{base}"] if base else [])]
            for path, method, answer in ways
        ]

    async def _page(self, request: Request) -> Response:
        # As what has a disposition it is not taken for Streamlit's page (ui.server.page).
        headers = _NEVER_KEPT | {"Content-Disposition": "inline"}
        return HTMLResponse(_page(_language(request)), headers=headers)

    @_answered
    async def _follow(self, request: Request) -> Response:
        code = _code(request)
        name = await self._rooms.join(code, request.headers.get("x-follower", ""))
        return _stream(self._streams.follow(code, name, request.headers.get("last-event-id", "")[:40]))

    @_answered
    async def _vote(self, request: Request) -> Response:
        sent = await _sent(request)
        follower = request.headers.get("x-follower", "")
        await self._rooms.vote(_code(request), follower, sent.get("question"), sent.get("answer"))
        return Response(status_code=204)

    @_answered
    async def _word(self, request: Request) -> Response:
        sent = await _sent(request)
        await self._rooms.send(_code(request), request.headers.get("x-follower", ""), sent.get("word"))
        return Response(status_code=204)

    @_answered
    async def _present(self, request: Request) -> Response:
        code = await self._admitted(request)
        return _stream(self._streams.present(code))

    @_answered
    async def _step(self, request: Request) -> Response:
        sent = await _sent(request, _MOST_STEP_BYTES)
        step = read_step(sent["step"]) if sent.get("step") is not None else None  # none: the presenter is still there
        code = await self._admitted(request, opening=step is not None)
        if step is not None:
            await self._rooms.show(code, step)
        return JSONResponse({"heard": self._home.is_shared or self._streams.listens(code)}, headers=_NEVER_KEPT)

    @_answered
    async def _judge(self, request: Request) -> Response:
        sent = await _sent(request)
        await self._rooms.judge(await self._admitted(request), str(sent.get("word")))
        return Response(status_code=204)

    @_answered
    async def _end(self, request: Request) -> Response:
        await _sent(request)
        await self._rooms.end(await self._admitted(request))
        return Response(status_code=204)

    async def _admitted(self, request: Request, *, opening: bool = False) -> str:
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
    return wanted if wanted in languages() else preferred(request.headers.get("accept-language", ""))


async def _sent(request: Request, most: int = _MOST_BYTES) -> Mapping[str, Any]:
    """Return what a page of this server sent, as JSON; a page of another cannot send that type, nor from elsewhere."""
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
    # nginx hands on what comes as it comes.
    headers = _NEVER_KEPT | {"X-Accel-Buffering": "no"}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


@cache
def _page(language: str) -> str:
    """Write the page of phones; what it says is in it, as text."""
    speak(language)
    labels = translated(LABELS | {"lost": SENTENCES["lost"]})
    folder = FOLDER / "phone"
    html = (folder / "index.html").read_text(encoding="utf-8")
    for name, text in {
        "language": tag(),
        "title": labels["title"],
        "labels": json.dumps(labels, ensure_ascii=False),
        "script": f"../{address('phone')}",
    }.items():
        html = html.replace(f"{{{name}}}", escape(text))
    return html.replace("{rules}", Path(folder, "style.css").read_text(encoding="utf-8"))
