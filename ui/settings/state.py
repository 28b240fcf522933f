"""What the session knows of the settings: read once from the link, kept across pages, written out again."""

import secrets
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from embedlib.i18n import N_
from embedlib.positional import SCHEMES
from ui.i18n import _, visitors_language
from ui.markdown import as_code
from ui.settings.formulas import OwnScheme
from ui.settings.kinds import Choice, Whole
from ui.settings.links import by_page, read, sound, written
from ui.settings.page_kinds import entry_parameters
from ui.settings.registry import BY_LANGUAGE, BY_PAGE, differs, opening
from ui.settings.registry import DEFAULT_TEXT as DEFAULT_TEXT
from ui.settings.registry import PRIVATE as PRIVATE
from ui.settings.registry import TEXTS as TEXTS
from ui.settings.registry import defaults as defaults
from ui.settings.registry import own_settings as own_settings
from ui.settings.table import PAGES as PAGES
from ui.settings.table import SETTINGS as SETTINGS

_AREAS = {"live-text": "text", "first-sentence": "first", "second-sentence": "second"}  # by their controls' keys
_COUNTED_AS = {"first": "pair", "second": "pair"}  # by what counts the texts of areas that are written together
_KEPT, _OPENED = "_settings", "_page_to_open"
_run = threading.local()


@dataclass
class _Kept:
    """The settings where widgets do not find them; to ask the session for one that it lacks takes 10 µs each time.

    Attributes:
        values: of every setting, as of the start of the run for those that the page has controls for.
        present: the settings that stand in the session itself, for widgets.
        linked: what the link says in place of settings that this run cannot show.
        link: the query of the link that was last written.
        shaping: the settings that it names or that had controls then, as it writes them but for names of one's own.
        linked_outside: those of them that stand outside the part of the page that runs by itself.
        runs: how many links this visit has had.
        elsewhere: whether a control has changed what stands outside the part of the page that runs because of it.
        followed: whether a part of the page runs by itself, and says the link at its end.
        readable: the settings that the session is asked for in this run; all others cannot have changed.
        outside: keys of the controls that this run has drawn before that part.
        drawn: the settings that had controls in it, in its last run.
        absent: those that had one before that, whose value Streamlit has dropped.
        page: the one in view, and the language in which it is read.
        chosen: settings with a default by page that somebody has set; the others follow the page in view.
        wrong: those of them for which the link has no value that they can have, and what it has.
        settled: what those with a default by page were when the last run of the whole page began.
        wishes: how often the browser has been asked for a look.
        language: what a link without a language means: the one that the browser asks for.
    """

    values: dict[str, Any]
    present: frozenset[str] = frozenset()
    linked: dict[str, Any] = field(default_factory=dict)
    link: str = ""
    shaping: dict[str, str] = field(default_factory=dict)
    linked_outside: dict[str, Any] = field(default_factory=dict)
    runs: int = 0
    elsewhere: bool = False
    followed: bool = False
    readable: frozenset[str] = frozenset()
    outside: frozenset[str] = frozenset()
    drawn: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    page: tuple[str, str] | None = None
    chosen: frozenset[str] = frozenset()
    wrong: dict[str, str] = field(default_factory=dict)
    settled: dict[str, Any] = field(default_factory=dict)
    wishes: int = 0
    language: str = "en"


def _kept_if_any() -> _Kept | None:
    """Return what the session has of this visit: a run has a thread of its own, which asks the session once."""
    kept: _Kept | None = getattr(_run, "kept", None)
    return st.session_state.get(_KEPT) if kept is None else kept


def _kept() -> _Kept:
    """Return the same, once there is any."""
    kept = _kept_if_any()
    assert kept is not None
    return kept


def restore() -> None:
    """Read every setting from the link on the session's first run."""
    if _KEPT not in st.session_state:
        stored = set(map(str, st.session_state))
        given = {name: st.session_state[name] for name in SETTINGS if name in stored}
        asked = visitors_language()
        values, chosen, wrong = read(dict(st.query_params), given, asked)
        st.session_state[_KEPT] = _Kept(values, chosen=chosen, wrong=wrong, language=asked)


def settle(page: str) -> None:
    """Put the settings that a page has controls for where its widgets find them; call it before they are drawn.

    Streamlit drops the state of a widget that a page does not draw; assigning it anew on every run keeps it.

    Args:
        page: the page's address, "" for the opening one.
    """
    kept: _Kept = st.session_state[_KEPT]
    _run.kept = kept
    stored = set(map(str, st.session_state))
    kept.values |= {name: st.session_state[name] for name in SETTINGS if name in stored}
    _follow_page(kept, page)
    kept.linked = {}
    kept.elsewhere = kept.followed = False
    kept.absent = frozenset()
    kept.readable = kept.present = frozenset(
        name for name, row in SETTINGS.items() if row.pages is None or page in row.pages
    )
    for name in SETTINGS:
        if name in kept.present:
            st.session_state[name] = kept.values[name]
        elif name in stored:
            del st.session_state[name]
    _from_link(kept)


def _from_link(kept: _Kept) -> None:
    """Say which values of the link could not be taken, once it is known what the page has instead."""
    for name, raw in kept.wrong.items():
        setting = SETTINGS[name]
        scheme = SCHEMES.get(name.partition(".")[0])  # whose parameters are called as in code
        sentence = _("{title}: link has {name} = {raw}, not {rule}; using {default}.").format(
            title=_(scheme.title if scheme is not None else setting.label or N_("Link")),
            name=name,
            raw=as_code(raw[:40]),
            rule=setting.rule(),
            default=setting.in_words(kept.values[name]),
        )
        st.session_state.setdefault("_notices", []).append(sentence)
    kept.wrong = {}


def _follow_page(kept: _Kept, page: str) -> None:
    """Note which settings with a default by page somebody has set, and give the others those of a new page.

    A page is another one in another language.
    """
    if kept.page is not None and (changed := {n for n in BY_PAGE if kept.values[n] != kept.settled[n]}):
        opens, usual = opening(kept.page[0]), defaults(kept.page[0], {}, kept.page[1])
        kept.chosen = kept.chosen - changed | {name for name in changed if kept.values[name] != usual[name]}
        if differs(opens, kept.values):
            kept.chosen |= opens.keys()  # what goes with the rows stays with them
    if (now := (page, kept.values["lang"])) != kept.page:
        usual = by_page(page, kept.values, kept.chosen)
        renew_areas(name for name in BY_LANGUAGE & usual.keys() if usual[name] != kept.values[name])
        kept.values |= {name: copy(value) for name, value in usual.items()}
        kept.page = now
    kept.settled = {name: kept.values[name] for name in BY_PAGE}


def resume() -> bool:
    """Begin a run of a part of the page that runs by itself.

    Returns:
        Whether the whole page must run instead, because a callback has changed settings beyond the control's own.
    """
    kept: _Kept = st.session_state[_KEPT]
    _run.kept = kept
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
    kept = _kept()
    drawn = kept.present & (_drawn() - kept.outside)
    kept.absent = kept.present & (kept.absent | kept.drawn) - drawn
    kept.drawn = drawn


def _drawn() -> frozenset[str]:
    """Return the keys of all controls that this run has drawn so far."""
    run = get_script_run_ctx()
    return frozenset() if run is None else run.shared.widget_user_keys_this_run.snapshot()


def is_followed() -> bool:
    """Tell whether a part of this page runs by itself."""
    kept = _kept()
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
    kept = _kept_if_any()  # none yet where a restarted server takes up a visit
    for name, value in values.items():
        assert name in SETTINGS, name
        if kept is None or name in kept.present:
            st.session_state[name] = value
        if kept is not None:
            kept.values[name] = value


def link_instead(**values: Any) -> None:
    """Let the link of this run say what is shown where that is not what a setting asks for; the setting stays."""
    kept = _kept()
    kept.linked |= values


def reset(**given: Any) -> None:
    """Give every setting its default again but those that examples keep; `given` decide the defaults of others."""
    usual = defaults(page_in_view(), given, get("lang")) | given
    put(**{name: copy(value) for name, value in usual.items() if not SETTINGS[name].is_kept or name in given})


def reset_page() -> None:
    """Give every setting that the page in view reads its default again; texts and the language stay."""
    kept = _kept()
    usual = defaults(page_in_view(), {}, get("lang"))
    put(**{name: copy(usual[name]) for name in kept.present if SETTINGS[name].is_reset})
    dismiss_notices()


def renew_areas(names: Iterable[str]) -> None:
    """Have the areas of texts take what their settings are now; call it before they are drawn."""
    for name in names:
        counter = f"{_COUNTED_AS.get(name, name)}_revision"
        st.session_state[counter] = st.session_state.get(counter, 0) + 1


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


def scheme_parameters(entry: str, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the parameters of a scheme that it reads as it is set: what has no control must not have a say.

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
    read = {name: SETTINGS[name].default for name in names} if own else given or _values(names)
    values = {parameter.name: read[f"{scheme}.{parameter.name}"] for parameter in declared} | entry_parameters(entry)
    random = {"weights": "random"}
    return {parameter.name: values[parameter.name] for parameter in declared if parameter.is_read(values | random)}


def own_scheme(entry: str, given: Mapping[str, Any] | None = None) -> OwnScheme | None:
    """Return the scheme of one's own that an entry stands for; None where there is none.

    Args:
        entry: as "formula:1".
        given: values of all settings; None for those of the session.
    """
    typed: tuple[OwnScheme, ...] = (given or _values(("formulas",)))["formulas"]
    return next((one for one in typed if one.entry == entry), None)


def entry_of(scheme: str) -> str:
    """Write a scheme as it is set now as an entry of a comparison: with what differs from its defaults."""
    rules = {name: SETTINGS[f"{scheme}.{name}"] for name in scheme_parameters(scheme)}
    values = scheme_parameters(scheme)
    own = [f"{name}={rule.format(values[name])}" for name, rule in rules.items() if values[name] != rule.default]
    return f"{scheme}:{';'.join(own)}" if own else scheme


def link_query() -> tuple[str, bool]:
    """Return what differs from its default as the query of a link, and whether the text is in it."""
    kept = _kept()
    kept.values = _values(SETTINGS)  # those of controls that the next run may not draw are kept so
    values = kept.values | kept.linked
    wanted, fits = written(values, page=page_in_view(), asked=kept.language)
    kept.link = urlencode(wanted, errors="replace")
    kept.shaping = _shaping(kept, values, wanted)
    return kept.link, fits


def wished_look() -> tuple[int, str]:
    """Return how often the browser has been asked for a look of the page, and what it was asked for last."""
    kept = _kept()
    return kept.wishes, kept.values["look"]


def open_at(page: str, section: str) -> None:
    """Have the next run open a page, as a callback, and the browser lead to a section that `comes_near` has named."""
    open_page(page)
    put(look=f"1~to!{section}")
    if (kept := _kept_if_any()) is not None:
        kept.wishes += 1


def _shaping(kept: _Kept, values: Mapping[str, Any], wanted: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that the page is drawn with: what the link names, and what there are controls for."""
    controls = (kept.outside if kept.followed else frozenset()) | _drawn()
    fitting = {key.removeprefix("shown_"): st.session_state[key] for key in controls if key.startswith("shown_")}
    areas = {_AREAS.get(key, key.removesuffix("-area")) for key in controls}
    shown = wanted.keys() | fitting.keys() | ((controls | areas) & kept.present)
    drawn_with = {name: fitting.get(name, values[name]) for name in SETTINGS if name in shown - PRIVATE}
    told = {name: SETTINGS[name].format(value) for name, value in drawn_with.items() if value is not None}
    own: tuple[OwnScheme, ...] = values["formulas"]
    if own:  # people read these: the reader's own schemes have their names there, and their formulas
        named = {one.entry: one.name for one in own}
        for name in told.keys() - set(TEXTS):
            told[name] = ",".join(named.get(entry, entry) for entry in told[name].split(","))
        told["formulas"] = ", ".join(map(str, own))
    return told


def last_link() -> Callable[[], tuple[str, dict[str, str]]]:
    """Return what tells the query of the last link that was written, also outside of the session.

    With it come all settings that the page was drawn with, those that have their defaults too, by their names.
    """
    kept = _kept()
    return lambda: (
        urlencode([pair for pair in parse_qsl(kept.link, keep_blank_values=True) if pair[0] not in PRIVATE]),
        kept.shaping,
    )


def next_link() -> int:
    """Number the links of this visit, so that the browser knows which is the newest."""
    kept = _kept()
    kept.runs += 1
    return kept.runs


def session_name() -> str:
    """Name this visit, at random."""
    return str(st.session_state.setdefault("_session_name", secrets.token_hex(8)))


def recall(query: str, *, kept: Collection[str] = (), page: str | None = None) -> None:
    """Set what a link's query says; what it does not name gets its default, and wrong values are passed over.

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
    given, chosen = sound(given, pairs, frozenset(given))
    session = _kept_if_any()
    asked = visitors_language() if session is None else session.language
    language = get("lang") if "lang" in kept else given.get("lang", asked)
    usual = defaults(page_in_view() if page is None else page, given, language) | {"lang": asked}
    values = {name: copy(value) for name, value in (usual | given).items() if name not in kept}
    if session is None:  # which page it is, and what its defaults are, is not known yet
        put(**{name: value for name, value in values.items() if name in given or name not in BY_PAGE})
        return
    put(**values)
    if page is not None and "look" in given:
        session.wishes += 1
    session.chosen = chosen | session.chosen & set(kept)
    session.settled |= {name: session.values[name] for name in BY_PAGE}


def say_once(sentence: str) -> None:
    """Have the page say a sentence above all else until something is changed."""
    if sentence not in take_notices():
        st.session_state.setdefault("_notices", []).append(sentence)


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
    kept = _kept_if_any()
    run = get_script_run_ctx(suppress_warning=True)
    if kept is not None and run is not None and not run.has_script_started:
        kept.elsewhere = True


def _values(names: Iterable[str]) -> dict[str, Any]:
    kept = _kept()
    values = {name: kept.values[name] for name in names}
    for name in kept.readable & values.keys():
        with suppress(KeyError):  # Streamlit drops the value of a widget that the last run did not draw
            values[name] = st.session_state[name]
    return values


def open_page(address: str) -> None:
    """Have the next run open a page, as a callback."""
    st.session_state[_OPENED] = address


def page_to_open() -> str | None:
    """Return the address of the page that the last callback asked for, once; None for none."""
    page: str | None = st.session_state.pop(_OPENED, None)
    return page


def page_in_view() -> str:
    """Return the address of the page in view."""
    kept = _kept_if_any()
    return kept.page[0] if kept is not None and kept.page is not None else ""
