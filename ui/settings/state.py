"""The settings of a session: read from the link, kept across pages, written to the next link."""

import secrets
import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from embedlib.i18n import N_
from embedlib.positional import SCHEMES
from ui.i18n import _, browser_language
from ui.markdown import as_code
from ui.session import is_callback, is_fragment_run
from ui.settings.formulas import OwnScheme
from ui.settings.kinds import Choice, Whole
from ui.settings.links import link_values, page_defaults, read_link, repair_values
from ui.settings.page_kinds import entry_parameters
from ui.settings.registry import BY_LANGUAGE, BY_PAGE, has_other_rows, opening
from ui.settings.registry import DEFAULT_TEXT as DEFAULT_TEXT
from ui.settings.registry import PRIVATE as PRIVATE
from ui.settings.registry import TEXTS as TEXTS
from ui.settings.registry import defaults as defaults
from ui.settings.registry import own_settings as own_settings
from ui.settings.table import PAGES as PAGES
from ui.settings.table import SETTINGS as SETTINGS

_SESSION, _OPENED = "_settings", "_page_to_open"
_MOST_VERSIONS = 40  # of a control, before they begin again: no request is so late
_run = threading.local()


@dataclass
class _Drawing:
    """The controls that a run has drawn so far, and its overrides of the link.

    Attributes:
        controls: settings that have a control, each with the value that it shows.
        linked: the link's values for settings that this run cannot show.
    """

    controls: dict[str, Any] = field(default_factory=dict)
    linked: dict[str, Any] = field(default_factory=dict)

    def copy(self) -> "_Drawing":
        return _Drawing(dict(self.controls), dict(self.linked))


@dataclass
class _Session:
    """The settings of a session, in one key of `st.session_state`, whose keys Streamlit copies for each widget.

    Attributes:
        values: of every setting.
        language: of a link without one: the one that the browser prefers.
        chosen: page-dependent settings that somebody has set; the others follow the page in view.
        wrong: invalid values of the link, by setting.
        page: the one in view, and the language in which it is read.
        versions: of widget keys; incremented when the server has set another value than the widget shows.
        language_switches: how often the reader has switched the language, which renews all widgets.
        notices: sentences above the page, and whether they have been shown.
        drawing: of the current or last run.
        outside: drawing of the page around its fragment; None without a fragment.
        elsewhere: whether a callback has changed something outside the fragment that it reruns.
        link: query of the last link.
        shaping: formatted settings of that link and of the controls at that time.
        runs: number of links so far.
        look_requests: how often the browser has been asked for a look.
    """

    values: dict[str, Any]
    language: str
    chosen: frozenset[str]
    wrong: dict[str, str]
    page: tuple[str, str] | None = None
    versions: dict[str, int] = field(default_factory=dict)
    language_switches: int = 0
    notices: dict[str, bool] = field(default_factory=dict)
    drawing: _Drawing = field(default_factory=_Drawing)
    outside: _Drawing | None = None
    elsewhere: bool = False
    link: str = ""
    shaping: dict[str, str] = field(default_factory=dict)
    runs: int = 0
    look_requests: int = 0


def restore() -> bool:
    """Read every setting from the link on the session's first run, and return whether this is it."""
    is_first = _SESSION not in st.session_state
    if is_first:
        asked = browser_language()
        values, chosen, wrong = read_link(dict(st.query_params), asked)
        st.session_state[_SESSION] = _Session(values, asked, chosen, wrong)
        st.session_state["lang"] = values["lang"]  # which ui.i18n reads in callbacks
    return is_first


def _session() -> _Session:
    """Return the settings of this session, cached on the run's thread."""
    session: _Session | None = getattr(_run, "session", None)
    if session is None:
        restore()  # a restarted server restores a session in a callback, before the first run
        session = st.session_state[_SESSION]
    return session


def begin_page_run(page: str) -> None:
    """Start a run of a whole page; call it before anything is drawn.

    Args:
        page: the page's address, "" for the opening one.
    """
    session: _Session = st.session_state[_SESSION]
    _run.session = session
    if (now := (page, session.values["lang"])) != session.page:
        usual = page_defaults(page, session.values, session.chosen)
        renew_areas(name for name in BY_LANGUAGE & usual.keys() if usual[name] != session.values[name])
        session.values |= {name: copy(value) for name, value in usual.items()}
        session.page = now
    session.drawing, session.outside, session.elsewhere = _Drawing(), None, False
    _notice_wrong_values(session, page)


def _notice_wrong_values(session: _Session, page: str) -> None:
    """Add a notice for each invalid value of the link, with the value used instead if the page has its control."""
    for name, raw in session.wrong.items():
        setting = SETTINGS[name]
        if setting.pages and page not in setting.pages:
            add_notice(
                _("The link has {name} = {raw}, for which this page has no control.").format(
                    name=name, raw=as_code(raw[:40])
                )
            )
            continue
        scheme = SCHEMES.get(name.partition(".")[0])  # whose parameters are called as in code
        sentence = _("{title}: link has {name} = {raw}, not {rule}; using {default}.").format(
            title=_(scheme.title if scheme is not None else setting.label or N_("Link")),
            name=name,
            raw=as_code(raw[:40]),
            rule=setting.rule(),
            default=setting.describe(session.values[name]),
        )
        add_notice(sentence)
    session.wrong = {}


def begin_fragment_run() -> bool:
    """Start a run of the page's fragment, alone or with the whole page.

    Returns:
        Whether the whole page must run instead, because a callback has changed settings beyond the control's own.
    """
    session: _Session = st.session_state[_SESSION]
    _run.session = session
    again, session.elsewhere = session.elsewhere, False
    if session.outside is not None and is_fragment_run():
        session.drawing = session.outside.copy()
    else:
        session.outside = session.drawing.copy()
    return again


def has_fragment() -> bool:
    """Return whether this page has a fragment, which writes the link at its end."""
    return _session().outside is not None


def widget_key(name: str, value: Any, control: str = "") -> str:
    """Return the key of a setting's widget, with a new version if the server has changed the value.

    A request that the browser sent before it learned of the change has the old key, and cannot restore the old value.
    Versions are trailing spaces, which Streamlit strips from the element's CSS class.

    Args:
        name: of the setting.
        value: for the widget to show.
        control: key of this widget, if the page has another one for the setting.
    """
    session = _session()
    session.drawing.controls[name] = value
    base = control or name
    if st.session_state.get(base + " " * _version(session, base), value) != value:
        session.versions[base] = session.versions.get(base, 0) + 1
    return base + " " * _version(session, base)


def _version(session: _Session, base: str) -> int:
    """Return the version of a widget key. In another language all are new: browsers report the labels of options."""
    return (session.versions.get(base, 0) + session.language_switches) % (_MOST_VERSIONS + 1)


def is_current(key: str) -> bool:
    """Return whether a widget key has its newest version; values for older ones come too late."""
    return len(key) - len(key.rstrip()) == _version(_session(), key.rstrip())


def note_control(name: str) -> None:
    """Register that a component of this run shows a setting."""
    session = _session()
    session.drawing.controls[name] = session.values[name]


def get(name: str) -> Any:
    """Return the value of a setting."""
    return _session().values[name]


def put(**values: Any) -> None:
    """Set several settings and rerun the whole page; call it from a callback, before their widgets are drawn."""
    set_local(**values)
    rerun_page()


def rerun_page() -> None:
    """Rerun the whole page after this callback, instead of its fragment."""
    _session().elsewhere |= is_callback()


def set_local(**values: Any) -> None:
    """Set settings that only the page's fragment shows, as from a callback of their own widget."""
    assert values.keys() <= SETTINGS.keys(), values.keys() - SETTINGS.keys()
    session = _session()
    changed = {name for name in BY_PAGE & values.keys() if values[name] != session.values[name]}
    session.language_switches += values.get("lang", session.values["lang"]) != session.values["lang"]
    session.values |= values
    if "lang" in values:
        st.session_state["lang"] = values["lang"]
    if changed and session.page is not None:
        opens, usual = opening(session.page[0]), defaults(session.page[0], {}, session.page[1])
        session.chosen = session.chosen - changed | {name for name in changed if values[name] != usual[name]}
        if has_other_rows(opens, session.values):
            session.chosen |= opens.keys()  # settings that belong to the rows stay with them
    if is_callback():
        dismiss_notices()


def override_link(**values: Any) -> None:
    """Make this run's link name these values; the settings stay unchanged."""
    _session().drawing.linked |= values


def reset(**given: Any) -> None:
    """Reset every setting except those that examples keep; defaults of others depend on `given`."""
    usual = defaults(page_in_view(), given, get("lang")) | given
    put(**{name: copy(value) for name, value in usual.items() if not SETTINGS[name].is_kept or name in given})


def reset_page() -> None:
    """Reset every setting of the page in view; texts and the language stay."""
    page = page_in_view()
    usual = defaults(page, {}, get("lang"))
    read = [name for name, row in SETTINGS.items() if row.is_reset and (row.pages is None or page in row.pages)]
    put(**{name: copy(usual[name]) for name in read})


def renew_areas(names: Iterable[str]) -> None:
    """Replace the contents of these settings' text areas by the settings; call it before they are drawn."""
    for name in names:
        counter = f"{name}_revision"
        st.session_state[counter] = st.session_state.get(counter, 0) + 1


def options(name: str) -> list[Any]:
    """Return the options of a choice."""
    setting = SETTINGS[name]
    assert isinstance(setting, Choice)
    return list(setting.options)


def maximum(name: str) -> int:
    """Return the greatest value of a whole-number setting."""
    setting = SETTINGS[name]
    assert isinstance(setting, Whole)
    return setting.maximum


def scheme_parameters(entry: str, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the parameters that a scheme uses as it is set; parameters without a visible control are ignored.

    An entry with settings of its own, as "rope:base=500000", has these and else the defaults.

    Those of random weights are among them: whether other weights fit, `cache.fitting` decides by the sizes.

    Args:
        entry: as in the setting `schemes`.
        given: values of all settings; None for those of the session.
    """
    scheme, _colon, own = entry.partition(":")
    if scheme not in SCHEMES:
        typed = own_scheme(entry, given)
        return {} if typed is None else dict(typed.arguments)
    declared = SCHEMES[scheme].PARAMETERS
    names = [f"{scheme}.{parameter.name}" for parameter in declared]
    read = {name: SETTINGS[name].default for name in names} if own else given or _session().values
    values = {parameter.name: read[f"{scheme}.{parameter.name}"] for parameter in declared} | entry_parameters(entry)
    random = {"weights": "random"}
    return {parameter.name: values[parameter.name] for parameter in declared if parameter.is_read(values | random)}


def own_scheme(entry: str, given: Mapping[str, Any] | None = None) -> OwnScheme | None:
    """Return the user-written scheme of an entry; None if there is none.

    Args:
        entry: as "formula:1".
        given: values of all settings; None for those of the session.
    """
    typed: tuple[OwnScheme, ...] = (given or _session().values)["formulas"]
    return next((one for one in typed if one.entry == entry), None)


def format_entry(scheme: str) -> str:
    """Format a scheme as it is set now as an entry of a comparison, with the parameters that are not defaults."""
    rules = {name: SETTINGS[f"{scheme}.{name}"] for name in scheme_parameters(scheme)}
    values = scheme_parameters(scheme)
    own = [f"{name}={rule.format(values[name])}" for name, rule in rules.items() if values[name] != rule.default]
    return f"{scheme}:{';'.join(own)}" if own else scheme


def link_query() -> tuple[str, bool]:
    """Return the query of the link, and whether the text fits into it."""
    session = _session()
    values = session.values | session.drawing.linked
    wanted, fits = link_values(values, page=page_in_view(), asked=session.language)
    session.link = urlencode(wanted, errors="replace")
    session.shaping = _drawn_settings(session.drawing.controls, values, wanted)
    return session.link, fits


def requested_look() -> tuple[int, str]:
    """Return how many looks the browser has been asked for, and the last of them."""
    session = _session()
    return session.look_requests, session.values["look"]


def open_at(page: str, section: str) -> None:
    """Open a page in the next run, from a callback, and scroll to a section, by its key.

    Two names are no sections: "top", and "before" for where the user was when a lesson began.
    """
    open_page(page)
    put(look=f"1~to!{section}")
    _session().look_requests += 1


def _drawn_settings(
    controls: Mapping[str, Any], values: Mapping[str, Any], wanted: Mapping[str, str]
) -> dict[str, str]:
    """Return the settings that shape the page: those in the link, and those with controls."""
    shown = (wanted.keys() | controls.keys()) - PRIVATE
    drawn_with = {name: controls.get(name, values[name]) for name in SETTINGS if name in shown}
    shaping = {name: SETTINGS[name].format(value) for name, value in drawn_with.items() if value is not None}
    own: tuple[OwnScheme, ...] = values["formulas"]
    if own:  # people read these: the reader's own schemes have their names there, and their formulas
        named = {one.entry: one.name for one in own}
        for name in shaping.keys() - set(TEXTS):
            shaping[name] = ",".join(named.get(entry, entry) for entry in shaping[name].split(","))
        shaping["formulas"] = ", ".join(map(str, own))
    return shaping


def last_link() -> Callable[[], tuple[str, dict[str, str]]]:
    """Return a function that returns the last link's query and the page's settings, also outside of the session.

    The settings include those with default values.
    """
    session = _session()
    return lambda: (
        urlencode([pair for pair in parse_qsl(session.link, keep_blank_values=True) if pair[0] not in PRIVATE]),
        session.shaping,
    )


def thread_settings() -> Callable[[], AbstractContextManager[None]]:
    """Return a context manager in which a thread without a session reads this session's settings."""
    session = _session()
    values = dict(session.values)  # of this run: by the time somebody saves, the next may have begun

    @contextmanager
    def session_context() -> Iterator[None]:
        before = getattr(_run, "session", None)
        _run.session = replace(session, values=values)
        try:
            yield
        finally:
            _run.session = before

    return session_context


@contextmanager
def recorded_reads() -> Iterator[set[str]]:
    """Record the names of the settings that this thread reads, within a context."""
    session, read = _session(), set[str]()
    _run.session = replace(session, values=cast("dict[str, Any]", _RecordedReads(session.values, read)))
    try:
        yield read
    finally:
        _run.session = session


class _RecordedReads(Mapping[str, Any]):
    """Setting values that record which are read, and cannot be written."""

    def __init__(self, values: Mapping[str, Any], read: set[str]) -> None:
        self._values = values
        self._read = read

    def __getitem__(self, name: str) -> Any:
        self._read.add(name)
        return self._values[name]  # also records where recordings are nested

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def hashable_values(names: Iterable[str]) -> tuple[Hashable, ...]:
    """Return the values of settings as a cache key."""
    values = map(get, sorted(names))
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)


def next_link() -> int:
    """Number the links of this session, so that the browser knows the newest."""
    session = _session()
    session.runs += 1
    return session.runs


def session_name() -> str:
    """Return a random name for this session."""
    return str(st.session_state.setdefault("_session_name", secrets.token_hex(8)))


def recall(query: str, *, kept: Collection[str] = (), page: str | None = None) -> None:
    """Set what a link's query names; other settings get their defaults, and invalid values are ignored.

    Args:
        query: of a link, without "?".
        kept: settings that stay as they are.
        page: which the link opens; None for the one in view.
    """
    pairs = dict(parse_qsl(query, keep_blank_values=True))
    given = {}
    for name in SETTINGS.keys() & pairs.keys():
        with suppress(ValueError, KeyError):
            given[name] = SETTINGS[name].parse(pairs[name])
    given, chosen = repair_values(given, pairs, frozenset(given))
    session = _session()
    language = get("lang") if "lang" in kept else given.get("lang", session.language)
    usual = defaults(page_in_view() if page is None else page, given, language) | {"lang": session.language}
    put(**{name: copy(value) for name, value in (usual | given).items() if name not in kept})
    if page is not None and "look" in given:
        session.look_requests += 1
    session.chosen = chosen | session.chosen & set(kept)


def add_notice(sentence: str) -> None:
    """Show a notice above the page until the user changes something."""
    _session().notices.setdefault(sentence, False)


def notices_to_show() -> list[str]:
    """Return the notices above the page, and mark them as shown, so that the next change dismisses them."""
    session = _session()
    session.notices |= dict.fromkeys(session.notices, True)
    return list(session.notices)


def dismiss_notices() -> None:
    """Dismiss the notices that have been shown; setting a value in a callback does so too."""
    session = _session()
    session.elsewhere |= any(session.notices.values())
    session.notices = {sentence: shown for sentence, shown in session.notices.items() if not shown}


def open_page(address: str) -> None:
    """Open a page in the next run, from a callback."""
    st.session_state[_OPENED] = address


def page_to_open() -> str | None:
    """Return and clear the address of the page that the last callback opened; None for none."""
    page: str | None = st.session_state.pop(_OPENED, None)
    return page


def page_in_view() -> str:
    """Return the address of the page in view."""
    page = _session().page
    return "" if page is None else page[0]
