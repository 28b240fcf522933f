"""Every page as a screen reader, a colour-blind reader and a phone meet it."""

import json
from typing import Literal
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import violations
from tests.browser.conftest import NewPage, fold_settings
from tests.browser.idle import assert_no_sideways_scroll, draw_all, idle
from tests.browser.serving import Server
from tests.browser.windows import (
    FIGURES,
    assert_fits_a_phone,
    assert_for_fingers,
    assert_in_first_window,
    assert_wheel_scrolls_the_page,
)

WHOLE = "/"  # of which all contrast is judged: of the others what is in a window, and in the light all
OTHERS = (
    *("/lessons", "/tokens", "/batches", "/embedding_layer", "/context"),
    *("/projection", "/compare", "/positions", "/word_order", "/extrapolation", "/models"),
    "/training?train_steps=20&train_step=20",  # as it opens, it would never be idle
)
# One's own schemes: one that is right, with a table and a slider, and one with a fault.
MINE = ["sin(p / base**(i/d))", "t[min(q - k, 3)]", "p / (i + 1)", ""]
OWN = json.dumps(
    [
        [1, "Mine", MINE, "halves", "base = 100 (10..1e6)\nt[h, 4] ~ 0"],
        [2, "Wrong", ["np.sin(p)", "", "", ""], "interleaved", ""],
    ]
)
# Besides the pages as they open: what only some settings bring to the screen.
LINKS = (
    "/?text=%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7+na%C3%AFve&token=1",
    "/?text=&d_model=1e9",
    "/?scheme=rope&view=3d",
    "/positions?scheme=alibi",
    "/positions?scheme=none",
    "/compare?heads=5",
    "/compare?schemes=learned,rope,alibi,shaw&front=alibi&token=2",
    "/positions?scheme=t5",
    "/positions?scheme=transformer_xl",
    "/projection?row=30&text=list+of+strings&moved=1&find=list",
    "/projection?map=meaning&isolated=1,2,3,4",
    "/training?train_steps=60&train_learning_rate=100&train_step=60&train_word=king&train_view=3d",
    "/training?train_corpus=text",
    "/word_order?first=I+love+NLP&second=NLP+love+I&cut=gpt2&causal=1",
    "/extrapolation?experiment=text&ext_text=own&ext_steps=60",
    "/positions?scheme=formula:1&formulas=" + quote(OWN),
    "/positions?scheme=formula:2&formulas=" + quote(OWN),
    "/compare?schemes=rope,formula:1,formula:2&formulas=" + quote(OWN),
)
RING = "rgb(11, 92, 173) solid 3px"  # the light theme's primary colour
TALL = 4_800  # axe judges the contrast of what is in view and passes over the rest


@pytest.mark.parametrize("path", [WHOLE, *(pytest.param(path, marks=pytest.mark.thorough) for path in OTHERS)])
def test_a_page_fits_a_phone_and_axe_finds_nothing_in_the_dark_where_contrast_is_lost(
    new_page: NewPage, server: Server, path: str
) -> None:
    page = new_page(server, width=390, height=844, color_scheme="dark", reduced_motion="reduce", has_touch=True)
    page.goto(path)
    idle(page)
    draw_all(page)
    assert_fits_a_phone(page, path)
    page.set_viewport_size({"width": 1440, "height": TALL if path == WHOLE else 900})
    idle(page)
    assert violations(page) == []


@pytest.mark.thorough
@pytest.mark.parametrize("path", FIGURES)
def test_a_small_phone_has_room_for_fingers_too(new_page: NewPage, server: Server, path: str) -> None:
    page = new_page(server, width=360, height=740, has_touch=True)
    page.goto(path)
    idle(page)
    draw_all(page, programs=True)
    assert_no_sideways_scroll(page)
    assert_for_fingers(page)


# The first page, Projection and Models have the least room to spare: test_opening_rows.py and test_models_page.py.
@pytest.mark.thorough
@pytest.mark.parametrize("path", FIGURES)
@pytest.mark.parametrize("size", [(1440, 900), (1280, 720)])
def test_what_a_page_is_about_is_whole_in_its_first_window(
    new_page: NewPage, server: Server, path: str, size: tuple[int, int]
) -> None:
    page = new_page(server, width=size[0], height=size[1])
    fold_settings(page)
    page.goto(path)
    idle(page)
    assert_in_first_window(page, path)


@pytest.mark.parametrize(("path", "strips"), [("/tokens", ["scroller", "log"]), ("/batches", ["stage"])])
def test_the_wheel_over_a_strip_that_scrolls_sideways_scrolls_the_page(
    new_page: NewPage, server: Server, path: str, strips: list[str]
) -> None:
    page = new_page(server)
    page.goto(path)
    idle(page)
    draw_all(page)
    found = assert_wheel_scrolls_the_page(page)
    assert {*strips} <= {*found}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("path", "theme"),
    [
        *((path, "dark") for path in LINKS),
        *((path, "light") for path in (WHOLE, *OTHERS)),
        *((f"{path}{'&' if '?' in path else '?'}lang=fr", "dark") for path in (WHOLE, *OTHERS)),
    ],
)
def test_axe_finds_nothing(new_page: NewPage, server: Server, path: str, theme: Literal["light", "dark"]) -> None:
    page = new_page(server, height=TALL, color_scheme=theme)
    page.goto(path)
    idle(page)
    draw_all(page, programs=True)
    assert violations(page) == []


def test_what_the_keyboard_is_on_has_one_ring_everywhere(new_page: NewPage, server: Server) -> None:
    page = new_page(server)
    page.goto("/")
    idle(page)
    page.keyboard.press("Tab")
    parts = [
        page.get_by_test_id("stTopNavLink").first,
        page.locator(".st-key-reset button"),
        page.locator('[data-testid="stExpander"] summary').first,
        page.get_by_test_id("live-text"),
        page.get_by_test_id("token-chip").first,
        page.locator(".st-key-vector-sum button:enabled").first,
    ]
    for part in parts:
        part.focus()
        expect(part).to_have_css("outline", RING)
        assert part.evaluate("(part) => part.matches(':focus-visible')")
