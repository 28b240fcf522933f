"""What the session knows and the link carries: read once, checked, kept across pages, written out again."""

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from embedlib.positional import SCHEMES
from ui.i18n import _
from ui.settings.kinds import Choice, Setting, Text, Whole
from ui.settings.registry import DEFAULT_TEXT as DEFAULT_TEXT
from ui.settings.registry import HOMES, entry_parameters
from ui.settings.registry import KEPT as KEPT
from ui.settings.registry import SETTINGS as SETTINGS
from ui.shared.markdown import as_code

# Past this, browsers, proxies and chat programs begin to cut a link; the text then stays out of it.
LINK_CHARACTERS = 8_000

# What is typed, and not chosen.
TEXTS = [name for name, setting in SETTINGS.items() if isinstance(setting, Text) and name != "vectors"]

_KEPT = "_settings"
_NOT_RESET = {"text", "first", "second", "lang"}


@dataclass
class _Kept:
    """The settings where widgets do not find them; to ask the session for one that it lacks takes 10 µs each time.

    Attributes:
        values: of every setting, as of the start of the run for those that the page has controls for.
        present: the settings that stand in the session itself, for widgets.
        linked: what the link says in place of settings that this run cannot show.
        link: the query of the link that was last written.
        linked_outside: those of them that stand outside the part of the page that runs by itself.
        runs: how many links this visit has had.
        elsewhere: whether a control has changed what stands outside the part of the page that runs because of it.
        followed: whether a part of the page runs by itself, and says the link at its end.
        readable: the settings that the session is asked for in this run; all others cannot have changed.
        outside: keys of the controls that this run has drawn before that part.
        drawn: the settings that had controls in it, in its last run.
        absent: those that had one before that, whose value Streamlit has dropped.
    """

    values: dict[str, Any]
    present: frozenset[str] = frozenset()
    linked: dict[str, Any] = field(default_factory=dict)
    link: str = ""
    linked_outside: dict[str, Any] = field(default_factory=dict)
    runs: int = 0
    elsewhere: bool = False
    followed: bool = False
    readable: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    drawn: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()


def restore() -> None:
    """Read every setting from the link on the session's first run."""
    if _KEPT not in st.session_state:
        given = set(map(str, st.session_state))
        values = {
            name: st.session_state[name] if name in given else _from_link(name, setting)
            for name, setting in SETTINGS.items()
        }
        st.session_state[_KEPT] = _Kept(_random_where_spread(values, st.query_params))


def settle(page: str) -> None:
    """Put the settings that a page has controls for where its widgets find them; call it before they are drawn.

    Streamlit drops the state of a widget that a page does not draw; assigning it anew on every run keeps it.

    Args:
        page: the page's address, "" for the opening one.
    """
    kept: _Kept = st.session_state[_KEPT]
    stored = set(map(str, st.session_state))
    kept.linked = {}
    kept.elsewhere = kept.followed = False
    kept.absent = frozenset()
    kept.readable = kept.present = frozenset(name for name in SETTINGS if page in HOMES.get(name, (page,)))
    for name in SETTINGS:
        if name in stored:
            kept.values[name] = st.session_state[name]
        if name in kept.present:
            st.session_state[name] = kept.values[name]
        elif name in stored:
            del st.session_state[name]


def resume() -> bool:
    """Begin a run of a part of the page that runs by itself.

    Returns:
        Whether the whole page must run instead, because a callback has changed settings beyond the control's own.
    """
    kept: _Kept = st.session_state[_KEPT]
    kept.followed = True
    again, kept.elsewhere = kept.elsewhere, False
    if (run := get_script_run_ctx()) is not None and run.fragment_ids_this_run:
        kept.readable, kept.outside = kept.drawn, frozenset()
        kept.linked = dict(kept.linked_outside)
    else:
        kept.outside, kept.linked_outside = _drawn(), dict(kept.linked)
    for name in kept.absent:
        st.session_state[name] = kept.values[name]
    return again


def rest() -> None:
    """End a run of such a part: what it has drawn can change before its next run, and nothing else."""
    kept: _Kept = st.session_state[_KEPT]
    drawn = kept.present & (_drawn() - kept.outside)
    kept.absent = kept.present & (kept.absent | kept.drawn) - drawn
    kept.drawn = drawn


def _drawn() -> frozenset[str]:
    """Return the keys of all controls that this run has drawn so far."""
    run = get_script_run_ctx()
    return frozenset() if run is None else run.shared.widget_user_keys_this_run.snapshot()


def is_followed() -> bool:
    """Tell whether a part of this page runs by itself."""
    kept: _Kept = st.session_state[_KEPT]
    return kept.followed


def get(name: str) -> Any:
    """Return the value of a setting."""
    return _values((name,))[name]


def put(**values: Any) -> None:
    """Set several settings, as an example does; call it from a callback, before their widgets are drawn."""
    put_own(**values)
    show_everywhere()


def put_own(**values: Any) -> None:
    """Set settings from a callback of their own control: nothing else on the page shows them."""
    kept: _Kept | None = st.session_state.get(_KEPT)  # none yet where a restarted server takes up a visit
    for name, value in values.items():
        assert name in SETTINGS, name
        if kept is None or name in kept.present:
            st.session_state[name] = value
        if kept is not None:
            kept.values[name] = value


def link_instead(**values: Any) -> None:
    """Let the link of this run say what is shown where that is not what a setting asks for; the setting stays."""
    kept: _Kept = st.session_state[_KEPT]
    kept.linked |= values


def reset() -> None:
    """Give every setting its default again, except those in KEPT."""
    put(**{name: copy(setting.default) for name, setting in SETTINGS.items() if name not in KEPT})


def reset_page() -> None:
    """Give every setting that the page in view reads its default again; texts and the language stay."""
    kept: _Kept = st.session_state[_KEPT]
    put(**{name: copy(SETTINGS[name].default) for name in kept.present - _NOT_RESET})
    dismiss_notices()


def options(name: str) -> list[Any]:
    """Return what a choice may be."""
    setting = SETTINGS[name]
    assert isinstance(setting, Choice)
    return list(setting.options)


def greatest(name: str) -> int:
    """Return the greatest value of a whole number."""
    setting = SETTINGS[name]
    assert isinstance(setting, Whole)
    return setting.maximum


def scheme_parameters(entry: str) -> dict[str, Any]:
    """Return the parameters of a scheme that it reads as it is set: what has no control must not have a say.

    An entry with settings of its own, as "rope:base=500000", has these and else the defaults.

    Those of random weights are among them: whether other weights fit, `cache.fitting` decides by the sizes.
    """
    scheme, _colon, own = entry.partition(":")
    declared = SCHEMES[scheme].PARAMETERS
    names = [f"{scheme}.{parameter.name}" for parameter in declared]
    read = {name: SETTINGS[name].default for name in names} if own else _values(names)
    values = {parameter.name: read[f"{scheme}.{parameter.name}"] for parameter in declared} | entry_parameters(entry)
    random = {"weights": "random"}
    return {parameter.name: values[parameter.name] for parameter in declared if parameter.is_read(values | random)}


def entry_of(scheme: str) -> str:
    """Write a scheme as it is set now as an entry of a comparison: with what differs from its defaults."""
    rules = {name: SETTINGS[f"{scheme}.{name}"] for name in scheme_parameters(scheme)}
    values = scheme_parameters(scheme)
    own = [f"{name}={rule.format(values[name])}" for name, rule in rules.items() if values[name] != rule.default]
    return f"{scheme}:{';'.join(own)}" if own else scheme


def link_query() -> tuple[str, bool]:
    """Return what differs from its default as the query of a link, and whether the text is in it.

    A text of more than LINK_CHARACTERS, as it is written in a link, is left out.
    """
    kept: _Kept = st.session_state[_KEPT]
    kept.values = _values(SETTINGS)  # those of controls that the next run may not draw are kept so
    values = kept.values | kept.linked
    wanted = {
        name: setting.format(values[name]) for name, setting in SETTINGS.items() if values[name] != setting.default
    }
    # Half a surrogate pair has no form in a link; "?" stands in, as it does in every browser.
    text = urlencode({"text": wanted.get("text", "")}, errors="replace")
    fits = len(text) <= LINK_CHARACTERS
    if not fits:
        del wanted["text"]
    kept.link = urlencode(wanted, errors="replace")
    return kept.link, fits


def last_link() -> Callable[[], str]:
    """Return what tells the query of the last link that was written, also outside of the session."""
    kept: _Kept = st.session_state[_KEPT]
    return lambda: kept.link


def next_link() -> int:
    """Number the links of this visit, so that the browser knows which is the newest."""
    kept: _Kept = st.session_state[_KEPT]
    kept.runs += 1
    return kept.runs


def session_name() -> str:
    """Name this visit, at random."""
    return str(st.session_state.setdefault("_session_name", secrets.token_hex(8)))


def recall(query: str, *, kept: Collection[str] = ()) -> None:
    """Set what a link's query says; what it does not name gets its default, and wrong values are passed over.

    Args:
        query: of a link, without "?".
        kept: settings that stay as they are.
    """
    values = {name: copy(setting.default) for name, setting in SETTINGS.items()}
    for name, raw in parse_qsl(query, keep_blank_values=True):
        if name in SETTINGS:
            with suppress(ValueError, KeyError):
                values[name] = SETTINGS[name].parse(raw)
    values = _random_where_spread(values, dict(parse_qsl(query)))
    put(**{name: value for name, value in values.items() if name not in kept})


def take_notices() -> list[str]:
    """Return the sentences about a link's wrong values; they stay until a setting is changed."""
    return list(st.session_state.get("_notices", []))


def dismiss_notices() -> None:
    """Forget the sentences about the link."""
    if st.session_state.get("_notices"):
        st.session_state["_notices"] = []
        show_everywhere()


def show_everywhere() -> None:
    """Note that a callback has changed what the whole page shows; what a page sets while it is drawn does not count."""
    kept: _Kept | None = st.session_state.get(_KEPT)
    run = get_script_run_ctx(suppress_warning=True)
    if kept is not None and run is not None and not run.has_script_started:
        kept.elsewhere = True


def _values(names: Iterable[str]) -> dict[str, Any]:
    kept: _Kept = st.session_state[_KEPT]
    values = {}
    for name in names:
        values[name] = kept.values[name]
        if name in kept.readable:
            with suppress(KeyError):  # Streamlit drops the value of a widget that the last run did not draw
                values[name] = st.session_state[name]
    return values


def _random_where_spread(values: dict[str, Any], named: Mapping[str, str]) -> dict[str, Any]:
    """Take random weights where a link says how they are drawn and not which weights: it is older than trained ones."""
    for scheme in SCHEMES:
        drawn = any(f"{scheme}.{name}" in named for name in ("std", "seed"))
        if drawn and f"{scheme}.weights" in values.keys() - named.keys():
            values[f"{scheme}.weights"] = "random"
    return values


def _from_link(name: str, setting: Setting) -> Any:
    raw = st.query_params.get(name)
    if raw is None:
        return copy(setting.default)
    try:
        return setting.parse(raw)
    except (ValueError, KeyError):
        value = setting.repair(raw)
        sentence = _("The link has {name} = {raw}, but it must be {rule}: {default} is used.").format(
            name=name, raw=as_code(raw[:40]), rule=setting.rule(), default=setting.in_words(value)
        )
        st.session_state.setdefault("_notices", []).append(sentence)
        return value
