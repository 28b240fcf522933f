"""What a hostile browser, or none, sends to a server on loopback: frames, forged widgets, HTTP of every kind."""

import asyncio
import json
import random
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from bench.visitors import Visitor, connect_visitor
from tests.hostile.mutations import NUMBERS, TEXTS, VALUES, mutated, mutated_document
from ui.settings import state

PAGES = [page for page in state.PAGES if page != "lessons"]
ANSWER = 1.0  # seconds that an attacker listens for an answer, at most
# What components report, from which forged reports are made.
REPORTS: dict[str, Any] = {
    "chosen": {"value": 1, "turn": 3},
    "step": {"value": 1, "turn": 2, "newest": True},
    "view": {"cut": [0, 0, 0], "yaw": 10, "pitch": 20, "turn": 4},
    "place": {"first": 3},
    "content": {"text": "the dog", "total": 7, "revision": 0},
    "selection": "AQ==",
    "near": ["rows-norms"],
    "narrow": True,
    "lost": "text=a",
    "back": "d_model=8&text=b",
    "switched": 1,
}
SECRETS = (b"Traceback", b'File "', b"site-packages")  # of what a browser is sent, none


@dataclass
class Sent:
    """What was done and what came back.

    Attributes:
        cases: how many by kind.
        leaks: parts of answers that say what no visitor should know.
        chance: of all that is random.
    """

    chance: random.Random
    cases: dict[str, int] = field(default_factory=dict)
    leaks: list[bytes] = field(default_factory=list)

    def count(self, kind: str) -> None:
        self.cases[kind] = self.cases.get(kind, 0) + 1

    def look(self, answer: bytes) -> None:
        for secret in SECRETS:
            if (place := answer.find(secret)) >= 0:
                self.leaks.append(answer[max(0, place - 100) : place + 400])


async def listen(socket: ClientConnection, sent: Sent, seconds: float = 0.2) -> None:
    """Look at all that comes until nothing has come for a while."""
    with suppress(TimeoutError, ConnectionClosed):
        for _ in range(500):
            async with asyncio.timeout(seconds):
                frame = await socket.recv(decode=False)
            sent.look(bytes(frame))


def forged_value(state: WidgetState, chance: random.Random) -> None:
    """Give a widget a value of any type, mostly of another than its own."""
    number = float(chance.choice([*NUMBERS, -1, 0.5, float("nan"), float("inf"), -1e300]))
    text = chance.choice(TEXTS).encode("utf-8", "replace").decode()
    match chance.randrange(12):
        case 0:
            state.trigger_value = chance.random() < 0.5
        case 1:
            state.bool_value = chance.random() < 0.5
        case 2:
            state.double_value = number
        case 3:
            state.int_value = chance.choice([0, -1, 2**31, 2**62, -(2**63)])
        case 4:
            state.string_value = text
        case 5:
            state.double_array_value.data.extend([number] * chance.choice([0, 1, 2, 100]))
        case 6:
            state.string_array_value.data.extend([text] * chance.choice([0, 1, 2, 100]))
        case 7:
            state.bytes_value = chance.randbytes(chance.choice([0, 1, 1_000]))
        case 8:  # a file that nobody has sent, or another has
            file = state.file_uploader_state_value.uploaded_file_info.add()
            file.name, file.size, file.file_id = text, chance.choice([0, 2**40]), text
            file.file_urls.file_id, file.file_urls.upload_url = text, text
        case 9:
            state.string_trigger_value.data = text
        case _:
            state.json_value = forged_json(chance)


def forged_json(chance: random.Random, *, sound: bool = False) -> str:
    """Write what a component may have reported, and what none would; sound JSON, or at times not."""
    names = chance.sample(list(REPORTS), chance.choice([1, 1, 2, 5]))
    report: Any = {name: REPORTS[name] for name in names}
    if chance.random() < 0.9:
        report = mutated_document(report, chance)
    if isinstance(report, dict) and chance.random() < 0.2:
        report[chance.choice(names)] = chance.choice(VALUES)
    text = json.dumps([report] if sound and isinstance(report, str) else report)  # Streamlit reads a text as JSON again
    return (
        text
        if sound or chance.random() < 0.95
        else chance.choice(["", "{", "[" * 5_000, "nul", '{"a":' * 3_000, "9" * 6_000])
    )


class Forger(Visitor):
    """A visitor that knows which controls are components of our own."""

    def _learn_widgets(self, message: ForwardMsg) -> None:
        super()._learn_widgets(message)
        element = message.delta.new_element
        if element.WhichOneof("type") == "bidi_component":
            self.components = {*getattr(self, "components", ()), element.bidi_component.id.split("-", 2)[-1]}


async def forge(url: str, count: int, sent: Sent, *, reports: bool) -> None:
    """Open pages as a visitor and move their controls as no browser could.

    With `reports` components alone are moved, by JSON, which each of them must survive. Values of other types than a
    widget's own end the run of the page in Streamlit, with our sentence, for this visit.
    """
    done, chance = 0, sent.chance
    while done < count:
        page = chance.choice(PAGES)
        async with await connect_visitor(url) as socket:
            visitor = Forger(socket, url)
            with suppress(ConnectionClosed):
                await visitor.open("")
                await visitor.open(page)
                for _ in range(min(50, count - done)):
                    done += 1
                    sent.count("forged reports of components" if reports else "forged widget states")
                    message = BackMsg()
                    run = message.rerun_script
                    run.page_script_hash, run.context_info.url = visitor.page, url
                    for _ in range(chance.choice([1, 1, 2, 10])):
                        key = chance.choice(sorted(visitor.components) if reports else list(visitor.widgets))
                        identity, fragment = visitor.widgets[key]
                        if chance.random() < 0.1 and not reports:
                            identity = chance.choice(
                                ["", "x", identity[:-1], identity.replace(key, "other"), "a" * 9_000]
                            )
                        state = WidgetState(id=identity)
                        if reports:
                            state.json_value = forged_json(chance, sound=True)
                        else:
                            forged_value(state, chance)
                        run.widget_states.widgets.append(state)
                        run.fragment_id = fragment if chance.random() < 0.5 else ""
                    await socket.send(message.SerializeToString())
                    await listen(socket, sent)
                await listen(socket, sent, 1.0)


async def confuse(url: str, count: int, sent: Sent) -> None:
    """Send whole messages of every kind in any order, with links, addresses and names that there are not."""
    chance = sent.chance
    for _ in range(count):
        async with await connect_visitor(url) as socket:
            with suppress(ConnectionClosed):
                for _ in range(chance.choice([1, 3, 10])):
                    sent.count("messages out of order")
                    await socket.send(_message(chance, url).SerializeToString())
                await listen(socket, sent)


def _message(chance: random.Random, url: str) -> BackMsg:
    message, text = BackMsg(), chance.choice(TEXTS).encode("utf-8", "replace").decode()
    match chance.randrange(9):
        case 0:
            message.clear_cache = True
        case 1:
            message.stop_script = True
        case 2:
            message.load_git_info = True
        case 3:
            message.set_run_on_save = True
        case 4:
            message.app_heartbeat = True
        case 5:
            message.file_urls_request.request_id = text
            message.file_urls_request.file_names.extend([text] * 3)
            message.file_urls_request.session_id = "another"
        case 6:
            message.debug_shutdown_runtime = True
        case _:
            run = message.rerun_script
            run.query_string = "&".join(f"{quote(chance.choice(TEXTS), errors='replace')}={text}" for _ in range(5))
            run.page_script_hash, run.page_name = text, chance.choice([text, *PAGES])
            run.fragment_id, run.context_info.url = text, chance.choice([text, url, "http://[", "//\0"])
            run.context_info.timezone, run.context_info.locale = text, text
            run.cached_message_hashes.append(text)
    return message


async def garble(url: str, count: int, sent: Sent) -> None:
    """Send frames that are no message: cut, random, too large, as text, and more at once than anybody types."""
    chance = sent.chance
    whole = [_message(chance, url).SerializeToString() for _ in range(20)]
    for number in range(count):
        sent.count("frames that are no message")
        with suppress(ConnectionClosed, InvalidHandshake, OSError):
            protocols = chance.choice([("streamlit",), ("streamlit", "x"), ("streamlit", "x", "y" * 500), ("a",)])
            async with await connect_visitor(url, protocols=protocols) as socket:
                match number % 6:
                    case 0:
                        await socket.send(chance.randbytes(chance.choice([0, 1, 100, 100_000])))
                    case 1:
                        await socket.send(mutated(chance.choice(whole), whole, chance))
                    case 2:
                        await socket.send(bytes(3 * 2**20))
                    case 3:
                        await socket.send("text where bytes belong")
                    case 4:  # a frame that announces more than it brings, then silence, then nothing
                        transport = socket.transport
                        transport.write(b"\x82\xff" + struct.pack(">Q", 2**62) + b"abcd" + chance.randbytes(50))
                        transport.abort()
                    case 5:
                        for _ in range(50):
                            await socket.send(chance.choice(whole))
                await listen(socket, sent, 0.05)


async def impersonate(url: str, count: int, session: str, sent: Sent) -> None:
    """Ask for another visitor's session, and for their files, by an id that is known."""
    for _ in range(count):
        sent.count("another visitor's ids")
        async with await connect_visitor(url, protocols=("streamlit", "none", session)) as socket:
            message = BackMsg()
            message.rerun_script.context_info.url = url
            with suppress(ConnectionClosed):
                await socket.send(message.SerializeToString())
                await listen(socket, sent, 0.5)


PATHS = [
    "/", "//", "/..", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/static/%2e%2e/%2e%2e/setup.py",
    "/static/..%5c..%5cx", "/components/x/y.js", "/components/%00/index.js", "/%00", "/a%00b", "/" + "a" * 60_000,
    "/?" + "b=1&" * 15_000, "/positions?d_model=%", "/positions?text=%ff%fe", "/readyz/", "/_stcore/health",
    "/_stcore/stream", "/_stcore/host-config", "/_stcore/upload_file/x/y", "/_stcore/upload_file/../../x",
    "/media/x.js",
    "/media/../../etc/passwd", "/component/x/../../app.py", "/_stcore/bidi-components/x/%2e%2e/app.py", "/app.py",
    "/.streamlit/config.toml", "/~root", "/static//etc/passwd", "/\\..\\..", "http://127.0.0.1:1/", "*", "x", "/\u00e9",
    "/components/" + "../" * 50 + "app.py", "/_stcore/agent/interact", "/_stcore/script-health-check", "/metrics",
]  # fmt: skip
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get", "G\0T"]
HEADERS = [
    "Range: bytes=0-", "Range: bytes=-1", "Range: bytes=5-2", "Range: bytes=99999999999999999999-", "Range: x=1",
    "Range: bytes=" + ",".join(f"{n}-{n}" for n in range(2_000)), "Content-Length: -1", "Content-Length: 9e9",
    "Content-Length: 99999999999999", "Transfer-Encoding: chunked", "Transfer-Encoding: x\r\nContent-Length: 3",
    "Host: ", "Host: [", "Origin: http://[", "Origin: null", "Cookie: " + "a=b;" * 2_000,
    "Cookie: _streamlit_xsrf=\xff",
    "Expect: 100-continue", "Upgrade: websocket\r\nConnection: Upgrade", "X: " + "y" * 70_000,
    "Accept-Encoding: gzip, x",
    "If-None-Match: \"", "If-Range: x", "Content-Type: multipart/form-data; boundary=" + "b" * 500, ": x", "a", "",
]  # fmt: skip


async def request(url: str, sent: Sent) -> None:
    """Send one HTTP request as no browser would, and read what comes."""
    chance = sent.chance
    sent.count("HTTP requests")
    path, method = chance.choice(PATHS), chance.choice(METHODS if chance.random() < 0.4 else ["GET"])
    lines = [f"{method} {path} HTTP/{chance.choice(['1.1', '1.1', '1.1', '1.0', '2.0', '9'])}"]
    lines += [
        f"Host: {urlsplit(url).netloc}",
        *chance.sample(HEADERS, chance.choice([0, 1, 1, 3])),
        "Connection: close",
    ]
    data = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")
    if chance.random() < 0.3:
        data = mutated(data, [data], chance)
    if chance.random() < 0.2:
        data = data[: chance.randrange(len(data) + 1)]
    reader, writer = await asyncio.open_connection(*_address(url))
    with suppress(OSError, TimeoutError):
        writer.write(data + chance.choice([b"", b"0\r\n\r\n", chance.randbytes(100)]))
        if chance.random() < 0.5:
            writer.write_eof()
        async with asyncio.timeout(ANSWER if data.endswith(b"\r\n\r\n") else 0.2):
            sent.look(await reader.read(200_000))
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


async def hold(url: str, count: int, over: asyncio.Event, sent: Sent) -> None:
    """Hold connections that say half a request, and ones that ask often and read nothing, until it is over."""
    held: list[socket.socket] = []
    loop = asyncio.get_running_loop()
    for number in range(count):
        sent.count("connections held")
        one = socket.socket()
        one.setblocking(False)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        await loop.sock_connect(one, _address(url))
        half, whole = b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 50
        with suppress(OSError):
            await loop.sock_sendall(one, (b"", half, whole)[number % 3])
        held.append(one)
    await over.wait()
    for one in held:
        one.close()


def _address(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    assert parts.hostname in ("127.0.0.1", "localhost")
    assert parts.port is not None
    return parts.hostname, parts.port
