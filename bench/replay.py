"""Replay of a recorded visit to another server without a browser: the server's time and bytes."""

import time
from dataclasses import dataclass

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from bench.recording import Recording


@dataclass(frozen=True)
class Answer:
    """The server's answer to one edit: seconds from the first message to the end of its run, and bytes."""

    seconds: float
    size: int


def replay(url: str, recording: Recording) -> list[Answer]:
    """Open a session as the recorded browser did, then send every edit and wait for each answer."""
    with connect_browser(url) as socket:
        _send_messages(socket, recording.setup)
        return [_send_messages(socket, edit) for edit in recording.edits]


def connect_browser(url: str) -> ClientConnection:
    """Connect to a server as a browser does."""
    address = url.replace("http", "ws", 1) + "/_stcore/stream"
    return connect(address, subprotocols=[Subprotocol("streamlit")], compression=None, max_size=None)


def _send_messages(socket: ClientConnection, messages: list[bytes]) -> Answer:
    size = 0
    started = time.perf_counter()
    for message in messages:
        socket.send(message)
        if _kind(BackMsg(), message) == "rerun_script":
            size += _receive_run(socket)
    return Answer(time.perf_counter() - started, size)


def _receive_run(socket: ClientConnection) -> int:
    size = 0
    while True:
        frame = socket.recv(timeout=60)
        assert isinstance(frame, bytes)  # Streamlit sends no text
        size += len(frame)
        if _kind(ForwardMsg(), frame) == "script_finished":
            return size


def _kind(message: BackMsg | ForwardMsg, frame: bytes) -> str | None:
    message.ParseFromString(frame)
    kind: str | None = message.WhichOneof("type")
    return kind
