"""A session with a server that no browser takes part in: open a page, move its controls, wait for each answer."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol


@dataclass
class Session:
    """One visitor of a server.

    Attributes:
        socket: the connection to the server.
        query: of the link that the visitor came by, without its question mark.
        page: the hash by which the server knows the page that is open.
        widgets: the ids of the page's controls by their keys.
        arrived: after how many seconds of the last run each of our components was sent, by its name.
    """

    socket: ClientConnection
    query: str
    page: str = ""
    widgets: dict[str, str] = field(default_factory=dict)
    arrived: dict[str, float] = field(default_factory=dict)

    def open(self, name: str) -> float:
        """Go to a page by the last part of its address; return the seconds until the end of its run."""
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_name = name
        return self._run(message)

    def set(self, key: str, **value: str | float | Sequence[str] | Sequence[float]) -> float:
        """Move one control and return the seconds until the end of the run.

        Args:
            key: of the control.
            value: one field of WidgetState, by name; a list for an array of numbers.
        """
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_script_hash = self.page
        state = WidgetState(id=self.widgets[key])
        for name, given in value.items():
            if isinstance(given, list | tuple):
                getattr(state, name).data.extend(given)
            else:
                setattr(state, name, given)
        message.rerun_script.widget_states.widgets.append(state)
        return self._run(message)

    def _run(self, message: BackMsg) -> float:
        frames: list[tuple[float, bytes]] = []
        started = time.perf_counter()
        self.socket.send(message.SerializeToString())
        while not frames or _read(frames[-1][1]).WhichOneof("type") != "script_finished":
            frame = self.socket.recv(timeout=60)
            assert isinstance(frame, bytes)  # Streamlit sends no text
            frames.append((time.perf_counter() - started, frame))
        self.arrived.clear()
        for seconds, frame in frames:
            self._learn(_read(frame), seconds)
        return frames[-1][0]

    def _learn(self, message: ForwardMsg, seconds: float) -> None:
        """Note the page and the controls that an answer is about."""
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.page = message.new_session.page_script_hash
        elif kind == "navigation":
            self.page = message.navigation.page_script_hash
        elif kind == "delta":
            element = message.delta.new_element
            name = element.WhichOneof("type")
            widget_id = getattr(getattr(element, name), "id", "") if name else ""
            if widget_id.startswith("$$ID-"):
                self.widgets[widget_id.split("-", 2)[2]] = widget_id
            if name == "bidi_component":
                self.arrived.setdefault(element.bidi_component.component_name, seconds)
            if name == "exception":
                raise RuntimeError(element.exception.message)


@contextmanager
def session(url: str, query: str) -> Iterator[Session]:
    """Connect to a server by a link, for as long as the context lasts."""
    address = url.replace("http", "ws", 1) + "/_stcore/stream"
    with connect(address, subprotocols=[Subprotocol("streamlit")], compression=None, max_size=None) as socket:
        yield Session(socket, query)


def _read(frame: bytes) -> ForwardMsg:
    message = ForwardMsg()
    message.ParseFromString(frame)
    return message
