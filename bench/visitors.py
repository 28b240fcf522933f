"""Visitors of a running server without a browser: they open pages, move controls, and time the answers."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

WORDS = ("once", "twice", "soon", "later", "now", "then", "there", "here", "away", "too", "still", "always")
SENTENCE = "The king and the queen fed the dog and the cat"
EVERY = 5.0  # seconds from one change of a visitor to the next
LOST = 60.0  # seconds after which a visit counts as failed

# Page -> the sections that a browser comes near in a window of 1440 x 900; those further down wait.
NEAR = {
    "": ["rows-first-layer"],
    "tokens": ["tokens-merges"],
    "embedding_layer": ["layer-product"],
    "positions": ["positions-vectors"],
    "word_order": ["order-mask"],
    "context": ["context-uses"],
}

# Page -> the control that is moved, and what the nth move sends: a text, or a field of the state of its widget.
MOVES: dict[str, tuple[str, Callable[[int], str | dict[str, object]]]] = {
    **dict.fromkeys(
        ("", "tokens", "embedding_layer", "compare", "projection", "models"),
        ("live-text", lambda number: sentence(number)),
    ),
    "word_order": ("first-sentence", lambda number: sentence(number)),
    "context": ("context_first-area", lambda number: f"bank {sentence(number)}"),
    "positions": ("position", lambda number: {"double_array_value": [float(number % 60)]}),
    "batches": ("stride", lambda number: {"double_value": float(1 + number % 12)}),
}
OF_A_CLASS = MOVES | {"extrapolation": ("ext_seeds", lambda number: {"double_value": float(1 + number % 5)})}


def sentence(number: int) -> str:
    """Return a sentence that no cache has seen, a different one for each number."""
    return f"{SENTENCE} {WORDS[number % 12]} {WORDS[number // 12 % 12]} {number}"


@dataclass
class Visitor:
    """One session of a server.

    Attributes:
        socket: the connection to the server.
        url: of the server, by which a visitor passes for a browser, whose window holds a part of the page; "" for one
            who is sent all of it.
        page: the hash by which the server knows the page that is open.
        widgets: the ids of the page's controls by their keys, and the ids of the fragments that they are in.
        revisions: of the texts that the server has put into text areas, by their keys.
        ticks: how often a browser runs parts of the page that show what goes on, by their fragments, in seconds.
        arrived: after how many seconds of the last run that was learned from each of our components came, by its name.
        query: of the link that the visitor came by, without its question mark.
    """

    socket: ClientConnection
    url: str
    query: str = ""
    page: str = ""
    widgets: dict[str, tuple[str, str]] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)
    ticks: dict[str, float] = field(default_factory=dict)
    arrived: dict[str, float] = field(default_factory=dict)

    async def open(self, name: str) -> float:
        """Open a page by the last part of its address; return the seconds until the last message of its run."""
        message = self._rerun_request()
        message.rerun_script.page_script_hash, message.rerun_script.page_name = "", name
        seconds = await self._run(message, learn=True)
        if self.url and (near := NEAR.get(name)):
            part = "browser-part" if "browser-part" in self.widgets else "browser"
            await self.move(part, {"json_value": json.dumps({"near": near})})
        return seconds

    async def move(self, key: str, value: str | dict[str, object], *, learn: bool = False) -> float:
        """Move one control, or type a text; return the seconds until the last message of the run.

        Args:
            key: of the control.
            value: the text, or the field of a widget's state.
            learn: whether controls or their fragments are others afterwards.
        """
        if isinstance(value, str):
            content = {"text": value, "total": len(value), "revision": self.revisions[key]}
            value = {"json_value": json.dumps({"content": content})}
        identity, fragment = self.widgets[key]
        message = self._rerun_request(fragment)
        state = WidgetState(id=identity)
        for name, given in value.items():
            if isinstance(given, list):
                getattr(state, name).data.extend(given)
            else:
                setattr(state, name, given)
        message.rerun_script.widget_states.widgets.append(state)
        return await self._run(message, learn=learn)

    async def watch(self, seconds: float) -> int:
        """Watch, and send the automatic fragment reruns as a browser does; return how many there were."""
        end, runs = time.perf_counter() + seconds, 0
        due = {fragment: time.perf_counter() + every for fragment, every in self.ticks.items()}
        while (now := time.perf_counter()) < end:
            due = {fragment: due.get(fragment, now + every) for fragment, every in self.ticks.items()}
            for fragment in [fragment for fragment, at in due.items() if at <= now]:
                message = self._rerun_request(fragment)
                message.rerun_script.is_auto_rerun = True
                await self.socket.send(message.SerializeToString())
                due[fragment] += self.ticks[fragment]
            with suppress(TimeoutError):
                async with asyncio.timeout(min([end, *due.values()]) - now):
                    while True:
                        runs += self._ends_run(self._apply_message(await self.socket.recv(decode=False), learn=True))
        return runs

    def _rerun_request(self, fragment: str = "") -> BackMsg:
        message = BackMsg()
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.query_string = self.query
        if self.url:
            message.rerun_script.context_info.url = self.url
        message.rerun_script.fragment_id = fragment
        return message

    async def _run(self, message: BackMsg, *, learn: bool) -> float:
        started = time.perf_counter()
        asked = message.rerun_script.fragment_id
        begun = not self.ticks  # else a fragment may end first
        await self.socket.send(message.SerializeToString())
        if learn:
            self.arrived.clear()
        while True:
            frame = await self.socket.recv(decode=False)
            if not learn and len(frame) > 2_000:  # what ends a run is short, and a client must not take the cores
                continue
            answer = self._apply_message(frame, learn=learn)
            if answer.delta.new_element.HasField("bidi_component"):
                name = answer.delta.new_element.bidi_component.component_name
                self.arrived.setdefault(name, time.perf_counter() - started)
            if answer.HasField("new_session"):
                parts = answer.metadata.run.fragment_ids
                begun = begun or not parts or asked in parts
            if begun and self._ends_run(answer):
                return time.perf_counter() - started

    def _apply_message(self, frame: bytes, *, learn: bool) -> ForwardMsg:
        """Parse a server's message, update the visitor's state, and return it."""
        answer = ForwardMsg()
        answer.ParseFromString(frame)
        kind = answer.WhichOneof("type")
        if kind == "new_session":
            self.page = answer.new_session.page_script_hash
            if not answer.metadata.run.fragment_ids:  # a browser then forgets its fragments' timers
                self.ticks.clear()
        elif kind == "navigation":
            self.page = answer.navigation.page_script_hash
        elif kind == "auto_rerun":
            self.ticks[answer.auto_rerun.fragment_id] = answer.auto_rerun.interval
        elif kind == "delta" and learn:
            self._learn_widgets(answer)
        return answer

    @staticmethod
    def _ends_run(answer: ForwardMsg) -> bool:
        ends = answer.HasField("script_finished")
        return ends and answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _learn_widgets(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        name = element.WhichOneof("type")
        if name == "exception":
            raise RuntimeError(element.exception.message)
        identity = getattr(getattr(element, name), "id", "") if name else ""
        if identity.startswith("$$ID-"):
            key = identity.split("-", 2)[2]
            self.widgets[key] = identity, message.delta.fragment_id
            if name == "bidi_component" and element.bidi_component.bytes.startswith(b"{"):
                self.revisions[key] = json.loads(element.bidi_component.bytes).get("revision", 0)


async def connect_visitor(url: str, cookie: str = "", *, protocols: Sequence[str] = ("streamlit",)) -> ClientConnection:
    """Connect as a browser does, and retry while nginx answers 503.

    Args:
        url: of the server.
        cookie: by which nginx knows the process that has the visit; "" for a new one.
        protocols: of the websocket.
    """
    until = time.perf_counter() + LOST
    while True:
        try:
            return await connect(
                url.replace("http", "ws", 1) + "/_stcore/stream",
                subprotocols=[Subprotocol(name) for name in protocols],
                additional_headers={"Cookie": cookie} if cookie else {},
                compression=None,
                max_size=None,
                ping_interval=None,
            )
        except InvalidStatus as error:
            if error.response.status_code != HTTPStatus.SERVICE_UNAVAILABLE or time.perf_counter() > until:
                raise
        await asyncio.sleep(0.5)


@asynccontextmanager
async def visitors(url: str, count: int, page: str, queries: Sequence[str] = ("",)) -> AsyncIterator[list[Visitor]]:
    """Connect visitors to a server, each with the same page open, for as long as the context lasts.

    Args:
        url: of the server.
        count: how many come by each link.
        page: the last part of its address.
        queries: of the links, without their question marks.
    """
    async with AsyncExitStack() as stack:
        opened = []
        for query in (query for query in queries for _ in range(count)):
            visitor = Visitor(await stack.enter_async_context(await connect_visitor(url)), url, query)
            await visitor.open("")
            if page:
                await visitor.open(page)
            opened.append(visitor)
        yield opened
