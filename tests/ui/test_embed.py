"""One section of a page alone, as a frame in somebody's page shows it."""

import re
from collections import defaultdict

import pytest
from streamlit.testing.v1 import AppTest

from tests.messages import message, wording
from tests.ui.export.test_drawings import PAGES
from tests.ui.pages import open_page, sentences

MENU = re.compile(r'data-offer="[^/"]*/([^"]*)" data-section="([^"]*)"')
MISSING = wording("This page has no section…")
# With these the page on positions has sections that it does not open with.
OTHER_SCHEMES = ("rope", "alibi", "t5", "transformer_xl", "none")


def figures_by_section(app: AppTest) -> dict[str, set[str]]:
    """Read the names of the figures with a save menu, by the section that they are embedded with."""
    found = defaultdict(set)
    for name, section in (menu for part in app.get("html") for menu in MENU.findall(part.proto.body)):
        found[section].add(name)
    return found


def embed_buttons(app: AppTest) -> int:
    return sum(part.proto.body.count("data-embed=") for part in app.get("html"))


@pytest.mark.parametrize(
    ("page", "link"),
    [
        *((page, {}) for page in PAGES),
        *(pytest.param("positions", {"scheme": scheme}, marks=pytest.mark.thorough) for scheme in OTHER_SCHEMES),
    ],
)
def test_every_figure_can_be_embedded_and_its_section_alone_draws_what_it_draws_on_the_page(
    page: str, link: dict[str, str]
) -> None:
    app = open_page(page, **link)
    whole = figures_by_section(app)
    assert "" not in whole
    assert embed_buttons(app) == sum(map(len, whole.values()))
    for section, names in whole.items():
        app.query_params["section"] = section
        app.run()
        assert not app.exception
        assert figures_by_section(app)[section] == names
        assert not embed_buttons(app)
        assert not says_that_it_is_missing(app)


def says_that_it_is_missing(app: AppTest) -> bool:
    return any(MISSING.fullmatch(sentence) for sentence in sentences(app))


def test_other_sections_are_not_computed() -> None:
    app = open_page("pipeline", section="rows-norms")
    assert figures_by_section(app).keys() == {"rows-chips", "rows-norms"}  # others follow the chips
    assert [part.value for part in app.header] == [message("Vector lengths")]


def test_a_link_to_a_section_that_another_one_holds_now_shows_that_one() -> None:
    app = open_page("pipeline", section="rows-matrix")
    assert figures_by_section(app) == figures_by_section(open_page("pipeline", section="rows-sum"))
    assert "rows-sum" in figures_by_section(app)
    assert not sentences(app)


@pytest.mark.parametrize(
    ("page", "link"),
    [
        ("pipeline", {"section": "nonsense"}),
        ("extrapolation", {"section": "`<b>*"}),
        ("positions", {"section": "positions-hands", "scheme": "sinusoidal"}),
    ],
)
def test_a_section_that_a_page_lacks_is_named_in_one_sentence(page: str, link: dict[str, str]) -> None:
    app = open_page(page, **link)
    assert not app.exception
    (sentence,) = sentences(app)
    assert link["section"] in sentence
    assert says_that_it_is_missing(app)
