"""Say to an AppTest what a browser would, and read what it is sent: AppTest itself cannot operate our components."""

import json
import struct
from collections.abc import Callable
from functools import partial
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

from tests.waiting import PATIENCE
from ui.components._shared.data import find_data


def opened(page: Callable[[], None], **state: Any) -> AppTest:
    """Run a page with this in its session."""
    app = AppTest.from_function(page, default_timeout=PATIENCE)
    for name, value in state.items():
        app.session_state[name] = value
    app.run()
    assert not app.exception
    return app


def drawn(component: Callable[..., object], *given: Any, **named: Any) -> AppTest:
    """Run a page that is nothing but a component, which is given this."""

    def page(draw: "Callable[[], object]") -> None:  # in quotes: AppTest reads this function alone
        draw()

    draw = partial(component, *given, **named)
    app = AppTest.from_function(page, default_timeout=PATIENCE, args=(draw,)).run()
    assert not app.exception
    return app


def report(app: AppTest, **state: Any) -> AppTest:
    """Rerun the app as after `setStateValue` of its only component, for each of these names."""
    message = WidgetStates()
    message.widgets.add(id=app.get("bidi_component")[0].proto.id, json_value=json.dumps(state))
    return app._run(message)


def choose(app: AppTest, position: Any, turn: Any) -> AppTest:
    """Rerun the app as after the reader's choice, so many of which there have been."""
    app = report(app, chosen={"value": position, "turn": turn})
    assert not app.exception
    return app


def report_of(app: AppTest, component: str, **state: Any) -> AppTest:
    """Rerun a page as after `setStateValue` of one of its components; all its controls stay as they are."""
    states = app._tree.get_widget_states()
    said = next(part.proto.id for part in app.get("bidi_component") if part.proto.component_name == component)
    states.widgets.add(id=said, json_value=json.dumps(state))
    return app._run(states)


def received(app: AppTest) -> dict[str, Any]:
    """Return the data that the app's only component was last sent."""
    data: dict[str, Any] = json.loads(app.get("bidi_component")[0].proto.bytes)
    return data


def unpacked(payload: bytes) -> tuple[dict[str, Any], bytes]:
    """Take a payload apart, as a browser does: its header, and what follows, shared data fetched."""
    if payload.startswith(b"{"):  # nothing but JSON
        return json.loads(payload), b""
    (length,) = struct.unpack("<I", payload[:4])
    length, is_shared = length % 2**31, length >= 2**31
    assert length % 4 == 0
    header, rest = json.loads(payload[4 : 4 + length]), payload[4 + length :]
    return header, fetched(rest[:32].hex()) + rest[32:] if is_shared else rest


def fetched(address: str) -> bytes:
    """Return the data that a browser gets under an address."""
    data = find_data(address)
    assert data is not None
    return data.content


def payloads(app: AppTest) -> list[tuple[dict[str, Any], bytes]]:
    """Return the payloads of all components that were sent one, each taken apart."""
    sent = [part.proto.bytes for part in app.get("bidi_component")]
    return [unpacked(payload) for payload in sent if not payload.startswith(b"{")]
