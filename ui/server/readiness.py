"""Warm-up before the first visitor: done beside the event loop, told by /readyz, waited for by browsers."""

import asyncio
import faulthandler
import os
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.logger import get_logger

from ui.server.memory import trim_memory_loop
from ui.server.start import PROCESS

State = Literal["warming up", "ready", "failed"]
OPTION = "EMBEDDING_EXPLORER_WARM_UP"  # "first": what the first visitor is going to see, and nothing after it
QUIET = 2.0  # s in which nobody has asked for anything: whoever waited for the server has opened their page
LONGEST = 60.0  # s that work waits for that
STUCK = 15.0  # s without a turn of the event loop after which one of several processes ends, to be started again


class Readiness:
    """The state of one server's warm-up, and the parts of the server that depend on it.

    `lifespan` starts the warm-up in a thread of its own and lets the server answer at once. Until it is over
    `/readyz` answers 503 and a browser's websocket waits, so that two threads never import the same modules
    for the first time together and the first visitor's page is drawn by a warm process.

    Args:
        warm_up: called once, in its own thread; an exception is logged and leaves `/readyz` at 503.
    """

    def __init__(self, warm_up: Callable[[], None]) -> None:
        self.state: State = "warming up"
        self._warm_up = warm_up
        self._over = asyncio.Event()
        self._ended = threading.Event()
        self._asked = time.monotonic()  # when somebody asked for something last, or was answered

    @asynccontextmanager
    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        """Start the warm-up with the server; the context manager that st.App asks for."""
        disable_nagle(asyncio.get_running_loop())
        tasks = [asyncio.create_task(work) for work in (self._run(), self._exit_when_stuck(), trim_memory_loop())]
        yield
        self._ended.set()
        for task in tasks:  # the warm-up's thread, if it still runs, ends by itself: imports cannot be stopped half-way
            task.cancel()

    async def _run(self) -> None:
        log = get_logger(__name__)  # Streamlit's, which heeds logger.level and has a handler: the root logger has none
        started = time.perf_counter()
        try:
            await asyncio.to_thread(self._warm_up)
        except Exception:
            # A visitor may still get a page, or at least a sentence on what is wrong; a load balancer sends nobody.
            log.exception("The warm-up failed; /readyz stays at 503.")
            self.state = "failed"
        else:
            self.state = "ready"
            log.info("Ready after %.1f s of warm-up.", time.perf_counter() - started)
        finally:
            self.note_traffic()
            self._over.set()

    async def _exit_when_stuck(self) -> None:
        """End one of several processes, with a traceback of each thread, when its event loop stands still."""
        if not os.environ.get(PROCESS):
            return
        await self._over.wait()
        try:
            while True:
                faulthandler.dump_traceback_later(STUCK, exit=True)  # from a thread that needs none of Python's locks
                await asyncio.sleep(STUCK / 10)
        finally:
            faulthandler.cancel_dump_traceback_later()

    def is_over(self) -> bool:
        """Tell whether the warm-up has ended, well or not."""
        return self._over.is_set()

    def note_traffic(self) -> None:
        """Note that somebody has asked for something now, or is answered."""
        self._asked = time.monotonic()

    def until_quiet(self) -> bool:
        """Wait, on a thread of one's own, until the warm-up is over and nobody has asked for anything for a while.

        Returns:
            False where the server has ended instead, or the administrator wants no more work than visitors ask for.
        """
        if os.environ.get(OPTION) == "first":
            return False
        longest = time.monotonic() + LONGEST
        while not self._ended.wait(0.05):
            now = time.monotonic()
            if self.is_over() and (now - self._asked >= QUIET or now >= longest):
                return True
        return False

    def routes(self) -> list[Route]:
        """Give /readyz: 200 {"state": "ready"} once warm, 503 with the state before and after a failure.

        Where the app lies under a path of its own, `server.baseUrlPath`, it is also there, as a proxy asks for it.
        """
        base = config.get_option("server.baseUrlPath").strip("/")
        paths = ["/readyz", *([f"/{base}/readyz"] if base else [])]
        return [Route(path, self._answer, methods=["GET"]) for path in paths]

    async def _answer(self, _request: Request) -> JSONResponse:
        ready = self.state == "ready"
        headers = {"Cache-Control": "no-store"} | ({} if ready else {"Retry-After": "1"})
        return JSONResponse({"state": self.state}, status_code=200 if ready else 503, headers=headers)

    def middleware(self) -> Middleware:
        """Give the middleware that makes websockets wait until the warm-up is over, and notes when there is traffic."""
        return Middleware(_HoldWebsockets, over=self._over, note_traffic=self.note_traffic)


def disable_nagle(loop: asyncio.AbstractEventLoop) -> None:
    """Let every server that this loop starts on a socket given to it switch Nagle's algorithm off.

    asyncio does so for sockets that it opens itself, but not for one that Streamlit has bound beforehand. On Linux each
    run of a page then stood still for 40 ms, the browser's delayed acknowledgement: 64 ms instead of 33 for an edit.
    Accepted connections inherit the option from the socket that listens.

    Args:
        loop: running, before its server starts.

    Source: https://github.com/Kludex/uvicorn/issues/3149
    """
    create_server = loop.create_server

    async def create_server_without_delay(*args: Any, **kwargs: Any) -> asyncio.Server:
        given = kwargs.get("sock")
        if given is not None and given.family in (socket.AF_INET, socket.AF_INET6):
            given.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        server: asyncio.Server = await create_server(*args, **kwargs)
        return server

    try:
        loop.create_server = create_server_without_delay  # type: ignore[method-assign]
    except AttributeError:  # a loop that is written in C
        name = type(loop).__qualname__
        get_logger(__name__).warning("The create_server of %s cannot be replaced: each run may take 40 ms more.", name)


class _HoldWebsockets:
    def __init__(self, app: ASGIApp, over: asyncio.Event, note_traffic: Callable[[], None]) -> None:
        self.app = app
        self.over = over
        self.note_traffic = note_traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_and_note(message: Message) -> None:
            self.note_traffic()
            await send(message)

        if scope["type"] == "websocket":
            await self.over.wait()
        # Nobody waits for these, nor for the streams of a lecture.
        silent = ("/readyz", "/metrics", "/events", "/room")
        is_probe = scope["type"] == "http" and scope.get("path", "").endswith(silent)
        if scope["type"] in ("http", "websocket") and not is_probe:
            self.note_traffic()
            await self.app(scope, receive, send_and_note)
        else:
            await self.app(scope, receive, send)
