"""A lesson, walked with a pointer: what a stop lights is in sight, questions are answered, the reader's text stays."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, fold_settings
from tests.browser.idle import asking, idle, place_of, rerun
from tests.browser.serving import Server
from tests.messages import message

LIT = "waves"


def test_stops_lead_to_what_they_light_ask_and_keep_the_readers_own_sentence(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    fold_settings(page)
    page.goto("/positions?lesson=tour&stop=14&scheme=sinusoidal&text=my+own+words")
    idle(page)
    panel, place = page.locator(".st-key-walk"), page.locator(".walk-place")
    above = "main => main.scrollBy(0, document.querySelector('.st-key-waves').getBoundingClientRect().top - 120)"
    page.get_by_test_id("stMain").evaluate(above)  # the panel now covers what the stop before lights
    page.locator(".st-key-walk-back button").click()
    expect(place).to_contain_text("14")
    idle(page)
    assert page.locator(f".st-key-{LIT}").evaluate("part => getComputedStyle(part).outlineStyle") == "solid"
    asking(page, lambda: _is_in_sight(page), lambda: _edges(page))
    idle(page)  # sections that came near on the way are made

    panel.get_by_role("button", name=message("Question")).click()
    answer = page.locator(".st-key-walk-answer-tour-13 input")
    for given, said in (("7", message("Not quite.")), ("32", message("Right."))):
        answer.fill(given)
        with rerun(page):
            answer.press("Enter")
        expect(page.get_by_text(re.compile("^" + re.escape(said)))).to_be_visible()
    page.keyboard.press("Escape")

    panel.get_by_role("button", name=message("Next"), exact=True).click()
    expect(place).to_contain_text("15")
    idle(page)
    panel.get_by_role("button", name=message("Next"), exact=True).click()
    expect(place).to_contain_text("16")
    expect(page.locator(".st-key-vector-sum [data-step]")).to_have_attribute("data-step", "2")  # as the stop has it
    idle(page)
    with rerun(page):
        page.go_back()
    expect(place).to_contain_text("15")
    expect(page.locator(".st-key-near-positions-circles")).to_be_visible()
    with rerun(page):
        page.go_forward()
    expect(place).to_contain_text("16")
    idle(page)
    page.locator(".st-key-walk-leave button").click()
    expect(panel).to_have_count(0)
    expect(page).not_to_have_url(re.compile("lesson="))
    expect(page).to_have_url(re.compile(r"/\?.*text=my\+own\+words"))


def test_a_link_within_a_stop_leads_to_its_section_on_another_page_below_the_panel(page: Page) -> None:
    page.goto("/?lesson=tour&stop=3")
    idle(page)
    page.locator(".st-key-why-added button").click()
    heading = page.get_by_role("heading", name=message("Why positions are added, not appended"))
    expect(heading).to_be_in_viewport()
    idle(page)  # sections above it are made
    panel = page.locator(".st-key-walk")

    def room() -> float:
        return place_of(heading)["y"] - place_of(panel)["y"] - place_of(panel)["height"]

    asking(page, lambda: 0 <= room() < 60, room)


def test_on_a_phone_the_panel_shows_all_words_leaves_room_for_the_page_and_more_once_it_is_folded(
    new_page: NewPage, server: Server
) -> None:
    page = new_page(server, width=390, height=844, has_touch=True)
    page.goto("/extrapolation?lesson=tour&stop=23")  # of those with the most words
    idle(page)
    panel = page.locator(".st-key-walk")
    assert panel.locator("details").evaluate("words => words.scrollHeight <= words.clientHeight")
    assert place_of(panel)["height"] < 0.5 * 844
    expect(panel.get_by_role("button", name=message("Next"), exact=True)).to_be_in_viewport()
    panel.locator("summary").click()
    asking(page, lambda: place_of(panel)["height"] < 0.2 * 844, lambda: place_of(panel))
    expect(panel.get_by_role("button", name=message("Next"), exact=True)).to_be_in_viewport()


def test_what_is_wrong_with_a_link_of_a_lesson_stays_in_sight(page: Page) -> None:
    page.goto("/positions?lesson=tour&stop=13&position=-5&heads=x")
    idle(page)
    expect(page.locator(".st-key-notices").get_by_role("alert").first).to_be_in_viewport()


def _edges(page: Page) -> tuple[float, float, float]:
    """Return the foot of the lesson's panel, the head of the lit part's heading, and its foot, in px of the window."""
    heading = page.get_by_test_id("stMain").locator("h2").first.bounding_box()
    panel, lit = page.locator(".st-key-walk").bounding_box(), page.locator(f".st-key-{LIT}").bounding_box()
    assert panel is not None
    assert lit is not None
    assert heading is not None
    return panel["y"] + panel["height"], heading["y"], lit["y"] + lit["height"]


def _is_in_sight(page: Page) -> bool:
    """Tell whether the lit part's heading begins below the lesson's panel and ends in the window."""
    panel, head, foot = _edges(page)
    return panel <= head + 1 and foot <= 721
