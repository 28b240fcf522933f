"""A lesson as slides in a browser: keys, steps, questions, the speaker's window; nothing cut off, nothing small."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import violations
from tests.browser.conftest import NewPage
from tests.browser.idle import asking, idle, settled
from tests.browser.serving import Server
from ui.lessons.lesson import shipped_lesson
from ui.settings import shipped_names

STOPS = len(shipped_lesson("tour").stops)
# The least size of letters of a slide's words, canvases and charts, as they are shown; what of it leaves the window,
# and what can only be scrolled to.
READ = """() => {
    const main = document.querySelector('[data-testid="stMain"]');
    if (document.querySelector('[data-testid="stApp"]').dataset.testScriptState !== "notRunning") return null;
    const isSeen = (part) => part.checkVisibility();
    const seen = [...main.querySelectorAll("[data-testid='stElementContainer']")].filter(isSeen);
    const boxes = seen.map((part) => part.getBoundingClientRect()).filter((box) => box.height > 1);
    if (!boxes.length || seen.some((part) => part.querySelector("[data-testid='stSkeleton']"))) return null;
    const times = Number(document.body.dataset.magnified);
    const size = (element) => parseFloat(getComputedStyle(element).fontSize) * times;
    const charts = [...main.querySelectorAll(".js-plotly-plot text")].filter(isSeen);
    const meet = (one, other) => Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2
        && Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2;
    const beyond = ({ left, top, right, bottom }) => Math.max(-left, -top, right - innerWidth, bottom - innerHeight);
    return {
        canvases: 15 * times,
        words: Math.min(...[...main.querySelectorAll(".walk p")].map(size)),
        charts: Math.min(99, ...charts.filter((text) => text.textContent.trim()).map(size)),
        out: Math.max(...boxes.map(beyond)),
        below: main.scrollHeight - main.clientHeight,
        parts: boxes.length,
        overlaps: boxes.some((one, at) => boxes.slice(at + 1).some((other) => meet(one, other))),
    };
}"""


def is_sound(read: dict[str, Any]) -> bool:
    """Tell whether a slide has large letters, all of its part in the window, and nothing over anything else."""
    large = (
        read["words"] > 27.9 and read["canvases"] >= 18 and read["charts"] > 15.9
    )  # tokens under an axis are smaller than its numbers
    return large and read["out"] <= 2 and read["below"] <= 24 and read["parts"] > 1 and not read["overlaps"]


@pytest.fixture
def slides(server: Server, new_page: NewPage) -> Page:
    page = new_page(server, width=1280, height=720)
    page.goto(f"{server.url}/?lesson=tour&stop=3")
    idle(page)
    page.keyboard.press("p")
    expect(page.get_by_test_id("slide-number")).to_have_text(f"4 / {STOPS}")
    idle(page)
    return page


def step_of(page: Page) -> str | None:
    return page.get_by_test_id("vector-sum").get_attribute("data-step")


def test_keys_go_through_steps_the_question_and_slides_and_the_speakers_window_keeps_up(slides: Page) -> None:
    page = slides
    number = page.get_by_test_id("slide-number")
    expect(page).to_have_url(re.compile("present=1"))
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    assert violations(page) == []
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    speaker = opened.value
    expect(speaker.locator("#title")).to_have_text(shipped_lesson("tour").stops[3].title)
    page.bring_to_front()
    for step in (1, 2, 3, 4):
        page.keyboard.press("PageDown")
        asking(page, lambda step=step: step_of(page) == str(step), lambda: step_of(page))
    page.keyboard.press("PageDown")
    expect(page.locator(".slide-ask")).to_be_visible()
    expect(page.get_by_test_id("vector-sum")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".slide-answer")).to_be_visible()
    speaker.locator("#forward").click()
    expect(number).to_have_text(f"5 / {STOPS}")
    expect(speaker.locator("#title")).to_have_text(shipped_lesson("tour").stops[4].title)
    speaker.locator("#toggle").click()
    expect(speaker.locator("#timer")).not_to_have_text("0:00")
    idle(page)
    page.keyboard.press("b")
    expect(page.locator("body")).to_have_attribute("data-slides", "blank")
    expect(number).to_be_hidden()
    page.keyboard.press("x")
    expect(page.locator("body")).to_have_attribute("data-slides", "")
    page.keyboard.press("?")
    expect(page.get_by_test_id("slide-keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.reload()
    expect(number).to_have_text(f"5 / {STOPS}")
    idle(page)
    page.keyboard.press("Escape")
    expect(number).to_have_count(0)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    expect(speaker.locator("#forward")).to_be_disabled()
    speaker.close()


@pytest.mark.thorough
def test_a_model_that_is_being_opened_is_said_in_large_letters(cold_server: Server, new_page: NewPage) -> None:
    page = new_page(cold_server, width=1280, height=720)
    page.add_init_script("""(() => {
        window.said = 0;
        const look = () => {
            const text = document.querySelector(".stProgress p");
            const size = text?.checkVisibility() ? parseFloat(getComputedStyle(text).fontSize) : 0;
            window.said = Math.max(window.said, size * Number(document.body?.dataset.magnified || 0));
            requestAnimationFrame(look);
        };
        look();
    })()""")
    page.goto(f"{cold_server.url}/context?lesson=tour&stop=11&present=1")
    idle(page)
    expect(page.locator(".stProgress")).to_have_count(0)
    assert page.evaluate("window.said") > 27.9


@pytest.mark.thorough
def test_names_of_the_rows_of_few_tokens_are_not_covered(server: Server, new_page: NewPage) -> None:
    page = new_page(server, width=1280, height=720)
    page.goto(f"{server.url}/tokens?tokenizers=words,gpt2&text=small+owls&lesson=tour&stop=1&present=1")
    idle(page)
    room = """() => {
        const { shadowRoot } = [...document.querySelectorAll(".st-key-token-rows *")].find((part) => part.shadowRoot);
        const boxes = (name) => [...shadowRoot.querySelectorAll(name)].map((part) => part.getBoundingClientRect());
        const away = (one, other) => Math.max(other.left - one.right, other.top - one.bottom, one.top - other.bottom);
        return Math.min(...boxes(".name").flatMap((name) => boxes(".chip, small").map((chip) => away(name, chip))));
    }"""
    assert 0 <= settled(page, room) < 100


@pytest.mark.thorough
@pytest.mark.parametrize("name", shipped_names())
def test_no_slide_of_a_lesson_is_cut_off_or_small(name: str, real_server: Server, new_page: NewPage) -> None:
    page = new_page(real_server, width=1280, height=720)
    page.goto(f"{real_server.url}/lessons")
    page.locator(f".st-key-present-{name} button").click()
    stops = len(shipped_lesson(name).stops)
    found = {}
    for stop in range(stops):
        expect(page.get_by_test_id("slide-number")).to_have_text(f"{stop + 1} / {stops}")
        idle(page)
        found[stop] = settled(page, READ)
        page.keyboard.press("ArrowDown")
    wrong = {stop: read for stop, read in found.items() if not is_sound(read)}
    assert not wrong
