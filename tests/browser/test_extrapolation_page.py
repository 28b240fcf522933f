"""The extrapolation page in a browser: it opens with finished runs, trains others, and stops when it is closed."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import idle, rerun, settled
from tests.browser.serving import Server
from tests.messages import wording
from tests.waiting import PATIENCE

# Runs of a minute each, more of them than are trained at once.
LONG = "?experiment=text&ext_schemes=none,rope,alibi&ext_seeds=1&ext_steps=2000"
MINUTES = PATIENCE * 1000
STEP = wording("step {step} of {steps}, loss…", steps="2000")
SHORT = "?ext_schemes=none,rope&ext_seeds=1&ext_steps=50&ext_rate=0.004"


def open_page(page: Page, query: str = "") -> None:
    page.goto(f"/extrapolation{query}")
    idle(page)


def train(page: Page) -> None:
    page.locator(".st-key-ext_train button").click()
    expect(page.get_by_role("button", name=wording("Cancel"))).to_be_visible()


@pytest.mark.thorough
def test_a_closed_page_ends_its_runs_and_lets_the_next_visitor_begin(new_page: NewPage, server: Server) -> None:
    first, second = new_page(server), new_page(server)
    open_page(first, LONG)
    train(first)
    expect(first.get_by_text(STEP)).to_be_visible(timeout=MINUTES)
    open_page(second, LONG.replace("none,rope,alibi", "t5,fire,kerple"))
    train(second)
    expect(second.get_by_text(wording("number {place} in the queue", place="1"))).to_be_visible()
    expect(second.get_by_text(wording("Other visitors are waiting ({count});…", count="1"))).to_be_visible()
    first.close()
    expect(second.get_by_text(STEP)).to_be_visible(timeout=MINUTES)
    second.close()


@pytest.fixture(scope="module")
def opened(new_shared_page: NewPage, server: Server) -> Page:
    """The page opened once, with runs that are not there yet."""
    page = new_shared_page(server)
    open_page(page, SHORT)
    return page


def test_what_is_trained_grows_into_the_chart(opened: Page) -> None:
    page = opened
    expect(page.get_by_text(wording("Each run is drawn as soon as it has ended."))).to_be_visible()
    train(page)
    expect(page.get_by_role("button", name=wording("Cancel"))).to_have_count(0, timeout=MINUTES)
    idle(page)
    expect(page.get_by_text(wording("Each run is drawn as soon as it has ended."))).to_have_count(0)
    expect(page.locator(".st-key-by-length .js-plotly-plot")).to_be_visible()
    # Two lines of one run each where somebody commits meanwhile: each tells the version that it was trained with.
    origin = wording("{count} runs ({seeds}),…", seeds="seeds 0", date=...)
    page.get_by_text(wording("For implementers")).click()
    expect(page.get_by_text(origin).first).to_be_visible()


@pytest.mark.thorough
def test_a_rate_that_is_too_high_is_said(page: Page) -> None:
    open_page(page, SHORT)
    page.get_by_test_id("stSidebar").locator("summary").last.click()
    with rerun(page):
        page.locator(".st-key-ext_rate input").fill("50")
        page.keyboard.press("Enter")
    train(page)
    expect(page.get_by_text(wording("These runs have diverged, that is,…", rate="50"))).to_be_visible(timeout=MINUTES)


@pytest.mark.thorough
def test_a_typed_formula_is_trained_and_its_link_has_it(page: Page, new_page: NewPage, server: Server) -> None:
    open_page(page, "?ext_schemes=none,alibi&ext_seeds=1&ext_steps=50")
    with rerun(page):
        page.locator(".st-key-own-add button").click()
    with rerun(page):
        page.locator(".st-key-own-1-bias button").click()
    for line, text in (("rows", ""), ("bias", "-log(1 + a * abs(q - k))"), ("parameters", "a ~ 0.5")):
        with rerun(page):
            page.locator(f".st-key-own-{line}-1").get_by_test_id("live-text").fill(text)
    train(page)
    expect(page.get_by_role("button", name=wording("Cancel"))).to_have_count(0, timeout=MINUTES)
    idle(page)
    mine = curve_of(page, "My scheme 1")
    assert len(mine) > 5
    assert mine != curve_of(page, "ALiBi")
    again = new_page(server)
    again.goto(page.url)
    idle(again)
    assert curve_of(again, "My scheme 1") == mine  # kept for all visitors
    expect(again.locator(".st-key-own-bias-1").get_by_test_id("live-text")).to_have_value("-log(1 + a * abs(q - k))")


@pytest.mark.thorough
def test_a_scheme_that_is_written_is_chosen_though_the_browser_asks_for_more_before_it_hears(opened: Page) -> None:
    page = opened
    measures = page.get_by_role("radiogroup", name=wording("Measure"))
    for milliseconds in (0, 20):
        measures.get_by_role("radio", checked=False).first.evaluate(
            """(measure, milliseconds) => {
                document.querySelector(".st-key-own-add button").click();
                setTimeout(() => measure.click(), milliseconds);
            }""",
            milliseconds,
        )
        idle(page)
    own = ",".join(f"formula:{number}" for number in range(1, 3))
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query)["ext_schemes"] == [f"none,rope,{own}"])


def curve_of(page: Page, name: str) -> list[float]:
    """Read a line of the chart by its name."""
    found: list[float] = settled(
        page,
        """name => {
            const traces = document.querySelector(".st-key-by-length .js-plotly-plot")?._fullData ?? [];
            const mine = traces.find((trace) => trace.name === name && trace.y?.length > 2);
            return mine ? [...mine.y] : null;
        }""",
        name,
    )
    return found
