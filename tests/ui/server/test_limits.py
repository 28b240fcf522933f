"""One visitor cannot take what the others need: messages are taken up at a pace, and files have so much room."""

from collections import Counter

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from tests.waiting import run
from ui.server import limits
from ui.server.limits import UPLOADS, RateLimiter, visitor_limits

FILE = "/base/_stcore/upload_file/{session}/a"


def client(monkeypatch: pytest.MonkeyPatch, held: dict[str, int], megabytes: str = "1") -> TestClient:
    monkeypatch.setenv(UPLOADS, megabytes)

    async def take(request: Request) -> Response:
        await request.body()
        return Response(status_code=204)

    route = Route(FILE.replace("/a", "/{file}"), take, methods=["PUT"])
    return TestClient(Starlette(routes=[route], middleware=[visitor_limits(held=lambda: Counter(held))]))


@pytest.mark.parametrize(
    ("held", "size", "status"),
    [
        ({}, 500_000, 204),
        ({}, 500_001, 413),
        ({"one": 400_000}, 100_000, 204),
        ({"one": 400_000}, 100_001, 413),
        ({"two": 500_000, "three": 400_000}, 100_000, 204),
        ({"two": 500_000, "three": 400_000}, 100_001, 413),
    ],
)
def test_one_visitor_has_half_of_the_room_for_files_and_all_have_all(
    monkeypatch: pytest.MonkeyPatch, held: dict[str, int], size: int, status: int
) -> None:
    answer = client(monkeypatch, held).put(FILE.format(session="one"), content=bytes(size))
    assert answer.status_code == status


def test_what_is_on_its_way_counts_and_no_more_once_it_is_here_or_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(UPLOADS, "1")
    statuses = []

    async def take(scope: Scope, receive: Receive, send: Send) -> None:
        if len(statuses) == 0:
            statuses.append(0)  # while this is under way another comes
            await upload()
            raise ConnectionResetError
        await Response(status_code=204)(scope, receive, send)

    middleware = visitor_limits(held=Counter)
    limited = middleware.cls(take, *middleware.args, **middleware.kwargs)

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def receive() -> Message:
        return {"type": "http.request"}

    async def upload() -> None:
        headers = [(b"content-length", b"300000")]
        scope = {"type": "http", "method": "PUT", "path": FILE.format(session="one"), "headers": headers}
        await limited(scope, receive, send)

    with pytest.raises(ConnectionResetError):
        run(upload())
    run(upload())
    assert statuses == [0, 413, 204]


def test_an_upload_of_unknown_length_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = client(monkeypatch, {}).put(FILE.format(session="one"), content=iter([b"some"]))
    assert answer.status_code == 411


@pytest.mark.parametrize("given", ["much", "0", "-1"])
def test_a_limit_that_is_no_number_ends_the_start(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    with pytest.raises(SystemExit, match=UPLOADS):
        client(monkeypatch, {}, given)


def test_messages_wait_for_their_turn_only_where_many_come_at_once() -> None:
    typing = RateLimiter(rate=10, at_once=3)
    assert [typing.wait(number / 10) for number in range(100)] == [0] * 100
    flood = RateLimiter(rate=10, at_once=3)
    assert [round(flood.wait(5.0), 3) for _ in range(5)] == [0, 0, 0, 0.1, 0.2]
    assert flood.wait(6.0) == 0


def test_a_flood_reaches_the_page_in_order_and_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(limits.asyncio, "sleep", sleep)
    monkeypatch.setattr(limits.time, "monotonic", lambda: 1_000.0)

    async def echo(websocket: WebSocket) -> None:
        await websocket.accept()
        for _ in range(limits.AT_ONCE + 3):
            await websocket.send_bytes(await websocket.receive_bytes())

    app = Starlette(routes=[WebSocketRoute("/", echo)], middleware=[visitor_limits()])
    with TestClient(app).websocket_connect("/") as socket:
        for number in range(limits.AT_ONCE + 3):
            socket.send_bytes(bytes([number]))
        received = [socket.receive_bytes() for _ in range(limits.AT_ONCE + 3)]
    assert received == [bytes([number]) for number in range(limits.AT_ONCE + 3)]
    assert [round(seconds * limits.MESSAGES) for seconds in waited] == [1, 2, 3]
