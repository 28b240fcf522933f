"""Links with anything in them: every setting ends as one that it can be, and the page says what it has not taken."""

import random
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.hostile.mutations import NUMBERS, TEXTS
from tests.ui.pages import open_page
from ui.settings import state

PAGES = [page for page in state.PAGES if page != "lessons"]
NAMES = sorted(state.SETTINGS)
LIKELY = [str(setting.format(setting.default)) for setting in state.SETTINGS.values() if setting.default is not None]
LIKELY += [
    *("rope:base=1", "rope:base=nan;base=2", "none,none", "./../x", "a/b:c"),
    *("1,2,3", "0,0", "1_0", " 7", "٣", "+1", "1e3"),
]
RAW = st.one_of(
    st.text(max_size=30),
    st.sampled_from(LIKELY),
    st.sampled_from([*map(str, NUMBERS), *TEXTS, "%", "%f", "%ff", "%ud800", "&&=", "a=b"]),
    st.floats().map(repr),
    st.lists(st.integers(-3, 70_000), max_size=40).map(lambda rows: ",".join(map(str, rows))),
)
PAIRS = st.lists(st.tuples(st.sampled_from([*NAMES, "x", ""]), RAW, st.booleans()), max_size=8)


def query_of(pairs: list[tuple[str, str, bool]]) -> str:
    """Write a link as a browser does, or as somebody who has cut and pasted it: names twice, escapes cut."""
    query = "&".join(f"{name}={raw if plain else quote(raw, errors='replace')}" for name, raw, plain in pairs)
    return query.encode("utf-8", "replace").decode()  # as it comes from a browser


def read(page: str, query: str, patch: pytest.MonkeyPatch) -> tuple[dict[str, Any], list[str], str]:
    """Read an address as a new visit does; return all settings, what is said about them, and the page's own link."""
    given = {name: values[-1] for name, values in parse_qs(query, keep_blank_values=True).items()}
    patch.setattr(state, "st", SimpleNamespace(session_state={}, query_params=given))
    state.restore()
    state.begin_page_run(page)
    notices = state.notices_to_show()
    link, _fits = state.link_query()
    return {name: state.get(name) for name in NAMES}, notices, link


def check(page: str, query: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        values, notices, link = read(page, query, patch)
    for name, value in values.items():
        setting = state.SETTINGS[name]
        if value != setting.default:
            assert setting.parse(setting.format(value)) == value, (name, value)
    for notice in notices:
        notice.encode()
    with pytest.MonkeyPatch.context() as patch:  # what the page itself writes is taken whole
        again, said, repeated = read(page, link, patch)
    assert said == []
    assert repeated == link
    assert {name: again[name] for name in NAMES if again[name] != values[name]} == {}


@pytest.mark.parametrize("count", [50, pytest.param(100_000, marks=pytest.mark.thorough)])
def test_any_link_gives_settings_that_can_be_and_a_link_that_says_them(count: int) -> None:
    @settings(max_examples=count, database=None, derandomize=True)
    @given(page=st.sampled_from(PAGES), pairs=PAIRS)
    @example(page="", pairs=[("d_model", "8", True), ("d_model", "%", True), ("text", "%ed%a0%80", True)])
    @example(page="", pairs=[("t5.seed", "1", True), ("t5.weights", "", True)])
    def any_link(page: str, pairs: list[tuple[str, str, bool]]) -> None:
        check(page, query_of(pairs))

    any_link()


@pytest.mark.thorough
@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_on_links_of_which_nothing_is_right(page: str) -> None:
    chance = random.Random(page)
    for _ in range(8):
        raw = {name: chance.choice([*TEXTS, *map(str, NUMBERS)]) for name in chance.sample(NAMES, 40)}
        link = {name: value.encode("utf-8", "replace").decode() for name, value in raw.items() if len(value) < 6_000}
        app = open_page(page or "pipeline", **link)
        assert not app.exception, link
        assert app.warning
