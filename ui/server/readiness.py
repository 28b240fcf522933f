"""Warm-up before the first visitor: runs beside the event loop; /readyz reports it, websockets wait for it."""

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
OPTION = "EMBEDDING_EXPLORER_WARM_UP"  # "first": compute the opening page only
QUIET = 2.0  # s without traffic: whoever waited for the server has opened their page
LONGEST = 60.0  # s that work waits for quiet
STUCK = 15.0  # s that the event loop may block before one of several processes exits, to be restarted


class Readiness:
    """The state of the server's warm-up, with the routes and middleware that depend on it.

    `lifespan` starts the warm-up in its own thread, so that the server answers at once. Until it is over `/readyz`
    answers 503 and websockets wait, so that two threads never import a module for the first time together and the first
    visitor's page is drawn by a warm process.

    Args:
        warm_up: called once, in its own thread; an exception is logged and leaves `/readyz` at 503.
    """

    def __init__(self, warm_up: Callable[[], None]) -> None:
        self.state: State = "warming up"
        self._warm_up = warm_up
        self._over = asyncio.Event()
        self._ended = threading.Event()
        self._asked = time.monotonic()  # time of the last request or response

    @asynccontextmanager
    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        """Start the warm-up with the server; the context manager for st.App."""
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
            # Visitors may still get a page, or at least an error message; a load balancer sends nobody.
            log.exception("The warm-up failed; /readyz stays at 503.")
            self.state = "failed"
        else:
            self.state = "ready"
            log.info("Ready after %.1f s of warm-up.", time.perf_counter() - started)
        finally:
            self.note_traffic()
            self._over.set()

    async def _exit_when_stuck(self) -> None:
        """Exit one of several processes, with a traceback of each thread, if its event loop blocks."""
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
        """Return whether the warm-up has ended, successfully or not."""
        return self._over.is_set()

    def note_traffic(self) -> None:
        """Record that a request or a response has just passed."""
        self._asked = time.monotonic()

    def until_quiet(self) -> bool:
        """Block this thread until the warm-up is over and no traffic has passed for a while.

        Returns:
            False if the server has ended, or the administrator has switched such work off.
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
        """Return /readyz: 200 {"state": "ready"} once warm, 503 with the state before and after a failure.

        It is also below `server.baseUrlPath`, as a proxy requests it.
        """
        base = config.get_option("server.baseUrlPath").strip("/")
        paths = ["/readyz", *([f"/{base}/readyz"] if base else [])]
        return [Route(path, self._answer, methods=["GET"]) for path in paths]

    async def _answer(self, _request: Request) -> JSONResponse:
        ready = self.state == "ready"
        headers = {"Cache-Control": "no-store"} | ({} if ready else {"Retry-After": "1"})
        return JSONResponse({"state": self.state}, status_code=200 if ready else 503, headers=headers)

    def middleware(self) -> Middleware:
        """Return the middleware that delays websockets until the warm-up is over, and records traffic."""
        return Middleware(_HoldWebsockets, over=self._over, note_traffic=self.note_traffic)


def disable_nagle(loop: asyncio.AbstractEventLoop) -> None:
    """Make servers started by this event loop set TCP_NODELAY on a socket that they are given.

    asyncio does so for sockets that it opens itself, but not for one that Streamlit has bound beforehand. On Linux each
    run of a page then waited 40 ms for the browser's delayed acknowledgement: 64 ms instead of 33 for an edit.
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
