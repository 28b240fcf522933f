"""Say to an AppTest what a browser would: AppTest itself cannot operate a component of our own."""

import json
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest


def report(app: AppTest, **state: Any) -> AppTest:
    """Rerun the app as after `setStateValue` of its only component, for each of these names."""
    message = WidgetStates()
    message.widgets.add(id=app.get("bidi_component")[0].proto.id, json_value=json.dumps(state))
    return app._run(message)


def report_of(app: AppTest, component: str, **state: Any) -> AppTest:
    """Rerun a page as after `setStateValue` of one of its components; all its controls stay as they are."""
    states = app._tree.get_widget_states()
    said = next(part.proto.id for part in app.get("bidi_component") if part.proto.component_name == component)
    states.widgets.add(id=said, json_value=json.dumps(state))
    return app._run(states)


def received(app: AppTest) -> dict[str, Any]:
    """Return the data that the app's only component was last sent."""
    data: dict[str, Any] = json.loads(app.get("bidi_component")[0].proto.json)
    return data
