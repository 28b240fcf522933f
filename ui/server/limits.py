"""Limits per visitor, so that others keep their share: messages a second, bytes of uploads."""

import asyncio
import logging
import math
import os
import re
import time
from collections import Counter
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

MESSAGES = 25.0  # a second, of one connection, in the long run: a key that is held down sends 20
AT_ONCE = 100  # messages in a burst
UPLOADS = "EMBEDDING_EXPLORER_UPLOADS"  # MB of files of all visitors together
_UPLOADS_MB = 1_000
_UPLOAD = re.compile(r"/_stcore/upload_file/(?P<session>[^/]+)/(?P<file>[^/]+)$")

_log = logging.getLogger(__name__)


def upload_bytes() -> Counter[str]:
    """Count the bytes of uploads that Streamlit holds, by session."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    stored = manager.file_storage if isinstance(manager, MemoryUploadedFileManager) else {}
    return Counter(
        {session: sum(len(file.data) for file in list(files.values())) for session, files in [*stored.items()]}
    )


class RateLimiter:
    """A rate limit for the messages of one connection, with bursts.

    Args:
        rate: messages a second in the long run.
        at_once: messages in a burst.
    """

    def __init__(self, rate: float = MESSAGES, at_once: int = AT_ONCE) -> None:
        self._rate = rate
        self._at_once = at_once
        self._due = -math.inf  # when all messages so far would have come at that rate

    def wait(self, now: float) -> float:
        """Count a message that arrived at `now`; return the seconds that it has to wait."""
        self._due = max(self._due, now - self._at_once / self._rate) + 1 / self._rate
        return max(0.0, self._due - now)


def visitor_limits(*, held: Callable[[], Counter[str]] = upload_bytes) -> Middleware:
    """Return the middleware that limits messages and uploads per visitor; reads the environment once.

    A connection with too many messages is read more slowly, without delaying others. One visitor gets at most half of
    the space for uploads; an upload beyond that is rejected before it is read, with a sentence.

    Args:
        held: returns the bytes of uploads by session.

    Raises:
        SystemExit: the environment's limit is no number of megabytes.
    """
    given = os.environ.get(UPLOADS, str(_UPLOADS_MB))
    if not given.isdecimal() or not int(given):
        raise SystemExit(f"{UPLOADS}={given} must be a whole number of megabytes, at least 1")
    return Middleware(_VisitorLimits, room=int(given) * 10**6, held=held)


class _VisitorLimits:
    def __init__(self, app: ASGIApp, room: int, held: Callable[[], Counter[str]]) -> None:
        self.app = app
        self.room = room
        self.held = held
        self.coming: Counter[str] = Counter()  # bytes that sessions are sending now

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self.app(scope, _limit_rate(receive, send), send)
        elif scope["type"] == "http" and scope["method"] == "PUT" and (upload := _UPLOAD.search(scope["path"])):
            await self._upload(upload["session"], scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _upload(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        announced = Headers(scope=scope).get("content-length", "")
        if not announced.isdecimal():
            refusal = PlainTextResponse("An upload must say how long it is (Content-Length).", 411)
            await refusal(scope, receive, send)
            return
        size, taken = int(announced), self.held() + self.coming
        if taken[session] + size > self.room // 2 or taken.total() + size > self.room:
            who = "Your files take" if taken[session] + size > self.room // 2 else "Files of all visitors take"
            sentence = f"{who} the room that the server has for them: load smaller ones, or try again later."
            await PlainTextResponse(sentence, 413)(scope, receive, send)
            return
        self.coming[session] += size
        try:
            await self.app(scope, receive, send)
        finally:
            self.coming[session] -= size
            if not self.coming[session]:
                del self.coming[session]


def _limit_rate(receive: Receive, send: Send) -> Receive:
    pace, is_logged = RateLimiter(), False
    refusal = {"code": 1003, "reason": "Only binary frames are read."}  # RFC 6455, 7.4.1

    async def receive_in_time() -> Message:
        nonlocal is_logged
        message = await receive()
        if message.get("text") is not None:  # Streamlit would log a traceback of itself, and of the server under it
            await send({"type": "websocket.close", **refusal})
            return {"type": "websocket.disconnect", **refusal}
        if message["type"] == "websocket.receive" and (seconds := pace.wait(time.monotonic())):
            if not is_logged:
                _log.warning("A visitor sends more than %d messages a second; the rest has to wait.", MESSAGES)
                is_logged = True
            await asyncio.sleep(seconds)
        return message

    return receive_in_time
