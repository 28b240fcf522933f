"""What Streamlit finds out anew at each run of a page, and what is the same at all of them, is found out once.

A key in a text starts a run, of whose processor's time Streamlit takes three fifths.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from functools import cache, lru_cache
from typing import Any

from streamlit import string_util
from streamlit.components.v2.bidi_component import main as mounting
from streamlit.components.v2.bidi_component import serialization
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

PLACES: tuple[tuple[Any, str], ...] = (
    (app_session, "_populate_theme_msg"),
    (serialization, "is_dataframe_like"),
    (SafeSessionState, "filtered_state"),
    (Runtime, "_enqueued_some_message"),
    (mounting, "make_bidi_component_presenter"),
    (mounting.BidiComponentMixin, "_build_bidi_identity_kwargs"),
    (string_util, "extract_leading_emoji"),
    (script_runner, "modified_sys_path"),
)
MOST_WORDS = (
    1_000  # texts of which is known whether they begin with an emoji: all options of controls are a few hundred
)


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


def presented(events: str, *_ids: object) -> Callable[[Any, SessionState], Any]:
    """Return what makes of a component's state what a page reads: what has happened in this run, and the state.

    Streamlit makes a class for each look at it, for pages that write into it, which none here does.

    Args:
        events: under which id the session keeps what has happened.
    """

    def present(state: Any, session: SessionState) -> Any:
        found = session._new_widget_state.get(events)
        if not isinstance(state, dict) or not found:
            return state
        happened = [event for event in (found if isinstance(found, list) else [found]) if isinstance(event, dict)]
        return {event["event"]: event.get("value") for event in happened if isinstance(event.get("event"), str)} | state

    return present


def take_shortcuts() -> None:
    """Put the shortcuts in their place, before the server starts; a Streamlit of other names keeps its own way."""
    found: dict[str, Any] = {name: getattr(place, name, None) for place, name in PLACES}
    if None in found.values():
        return

    @cache
    def theme(section: str) -> CustomThemeConfig:
        message = CustomThemeConfig()
        found["_populate_theme_msg"](message, section)
        return message

    def copy_theme(message: CustomThemeConfig, section: str = "theme") -> None:
        message.CopyFrom(theme(section))

    def is_no_plain_data(value: Any) -> bool:
        return not isinstance(value, (dict, list)) and bool(found["is_dataframe_like"](value))

    def note_message(runtime: Runtime) -> None:
        # On the event loop, where nearly all come from, it need not be woken: that took a write to a socket for each.
        loops = runtime._get_async_objs()
        if asyncio._get_running_loop() is loops.eventloop:
            loops.need_send_data.set()
        else:
            found["_enqueued_some_message"](runtime)

    def known_by_key(_mixin: object, *, component_name: str, **_given: object) -> dict[str, str]:
        # Each has a key of its own and is known by it: its data were written and hashed once more for nothing.
        return {"component_name": component_name}

    own = {
        "_populate_theme_msg": copy_theme,
        "is_dataframe_like": is_no_plain_data,
        "filtered_state": property(SessionLookup),
        "_enqueued_some_message": note_message,
        "make_bidi_component_presenter": presented,
        "_build_bidi_identity_kwargs": known_by_key,
        # 80 µs for each option of a control that is not ASCII: a quarter of a key's extra time on a page in Chinese.
        "extract_leading_emoji": lru_cache(MOST_WORDS)(found["extract_leading_emoji"]),
        # The script's folder, which nothing here imports from, was put on the path and taken off it. A thread that
        # imported meanwhile skipped the next place on it: "No module named 'transformers'".
        "modified_sys_path": nullcontext,
    }
    for place, name in PLACES:
        setattr(place, name, own[name])
