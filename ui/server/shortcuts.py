"""What Streamlit finds out anew at each run of a page, and what is the same at all of them, is found out once.

A key in a text starts a run, which takes 14 ms of the processor; these take 2 of them.
"""

import asyncio
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from streamlit.components.v2.bidi_component import serialization
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.state.safe_session_state import SafeSessionState


class SessionLookup(Mapping[str, Any]):
    """What a session holds, asked for key by key.

    Each text field, list, slider and number asks for its own alone, for which Streamlit copies all: where a page has
    170 of them, that is 0.4 ms a control, and a quarter of what a key on Projection takes.
    """

    def __init__(self, state: SafeSessionState) -> None:
        """Keep the session: nothing is read yet."""
        self._state = state

    def __getitem__(self, key: str) -> Any:
        """Return the value of a control or of a name; KeyError where there is none, and for Streamlit's own ids."""
        if key.startswith("$$"):
            raise KeyError(key)
        with self._state._lock:
            return self._state._state[key]

    def __iter__(self) -> Iterator[str]:
        """Go over the keys that Streamlit lets a page see."""
        return iter(self._all())

    def __len__(self) -> int:
        """Count them."""
        return len(self._all())

    def __repr__(self) -> str:
        """Write it as the copy is written."""
        return repr(self._all())

    def _all(self) -> dict[str, Any]:
        with self._state._lock:
            return self._state._state.filtered_state


def take_shortcuts() -> None:
    """Put the shortcuts in their place, before the server starts; a Streamlit of other names keeps its own way."""
    write_theme = getattr(app_session, "_populate_theme_msg", None)
    is_dataframe_like = getattr(serialization, "is_dataframe_like", None)
    in_full = getattr(SafeSessionState, "filtered_state", None)
    wake = getattr(Runtime, "_enqueued_some_message", None)
    if write_theme is None or is_dataframe_like is None or in_full is None or wake is None:
        return

    @cache
    def theme(section: str) -> CustomThemeConfig:
        message = CustomThemeConfig()
        write_theme(message, section)
        return message

    def copy_theme(message: CustomThemeConfig, section: str = "theme") -> None:
        message.CopyFrom(theme(section))

    def is_no_plain_data(value: Any) -> bool:
        return not isinstance(value, (dict, list)) and bool(is_dataframe_like(value))

    def note_message(runtime: Runtime) -> None:
        # On the event loop, where nearly all come from, it need not be woken: that took a write to a socket for each.
        loops = runtime._get_async_objs()
        if asyncio._get_running_loop() is loops.eventloop:
            loops.need_send_data.set()
        else:
            wake(runtime)

    for module, name, own in (
        (Runtime, "_enqueued_some_message", note_message),
        (app_session, "_populate_theme_msg", copy_theme),
        (serialization, "is_dataframe_like", is_no_plain_data),
        (SafeSessionState, "filtered_state", property(SessionLookup)),
    ):
        setattr(module, name, own)
