"""How pages fit a narrow screen: fewer pictures in a row, and a drawer that gets out of the way."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import idle, middle_of, rerun, settled, tap
from tests.browser.serving import Server
from tests.messages import wording

# Plotly draws when it gets round to it, takes away what it drew, and draws again where its place turns out narrower.
SQUARES = """columns => {
    const images = [...document.querySelectorAll('.st-key-bias .heatmaplayer image')];
    const boxes = images.map(image => image.getBoundingClientRect());
    const [lefts, widths] = ["left", "width"].map(side => new Set(boxes.map(box => Math.round(box[side]))));
    return boxes.length === 4 && widths.size === 1 && lefts.size === columns ? boxes[0].width : null;
}"""


@pytest.fixture(scope="module")
def phone(new_shared_page: NewPage, server: Server) -> Page:
    page = new_shared_page(server, width=390, height=844, has_touch=True)
    page.goto("/positions?scheme=alibi")
    idle(page)
    return page


@pytest.mark.thorough
def test_heads_stand_two_in_a_row_on_a_phone_and_four_on_a_wide_screen(phone: Page) -> None:
    assert settled(phone, SQUARES, 2) > 120
    with rerun(phone):
        phone.set_viewport_size({"width": 1440, "height": 900})
    assert settled(phone, SQUARES, 4) > 120
    with rerun(phone):
        phone.set_viewport_size({"width": 390, "height": 844})


@pytest.mark.thorough
def test_on_a_phone_the_drawer_closes_when_a_page_is_chosen_and_each_page_leads_to_the_next(phone: Page) -> None:
    drawer, contents = phone.get_by_test_id("stSidebar"), phone.locator(".page-contents")
    expect(contents).to_be_attached()
    expect(contents).not_to_be_in_viewport()
    tap(phone, *middle_of(phone.get_by_test_id("stExpandSidebarButton")))
    expect(drawer).to_have_attribute("data-collapsed", "false")
    tap(phone, *middle_of(drawer.get_by_role("link", name=wording("Word order"))))
    expect(drawer).to_have_attribute("data-collapsed", "true")
    idle(phone)
    tap(phone, *middle_of(phone.get_by_role("link", name=wording("Next: {page}"))))
    expect(phone).to_have_url(re.compile("/positions"))
    expect(phone.locator(".st-key-bias")).to_be_visible()


@pytest.mark.thorough
def test_a_wide_page_is_drawn_once(new_page: NewPage, server: Server) -> None:
    page = new_page(server)
    page.goto("/positions?scheme=alibi")
    idle(page)
    assert settled(page, SQUARES, 4) > 120
