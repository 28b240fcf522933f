"""Faults of Streamlit that ui/server/patches.py mends: above all, a reader who is faster than the server loses nothing.

With STREAMLIT_AS_IT_IS=1 each test fails; one that passes then is of a fault that Streamlit has mended itself.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NewPage, _checked_server
from tests.browser.idle import idle, rerun
from tests.browser.serving import Server


@pytest.fixture(scope="module")
def patched_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    yield from _checked_server(tmp_path_factory.mktemp("patched"), "tests/browser/patched_app.py")


def open_case(new_page: NewPage, patched_server: Server, case: str) -> Page:
    page = new_page(patched_server)
    page.goto(f"/?case={case}")
    idle(page)
    return page


def click_both(page: Page, first: str, second: str, milliseconds: int = 300) -> None:
    """Click two buttons or links, the second so much later in the browser's own time; 0: in one task."""
    page.evaluate(
        """async ([first, second, milliseconds]) => {
            const click = (text) => [...document.querySelectorAll("button, a")]
                .find((element) => element.innerText.trim() === text).click();
            click(first);
            if (milliseconds) await new Promise((done) => setTimeout(done, milliseconds));
            click(second);
        }""",
        [first, second, milliseconds],
    )


def test_a_callback_is_finished_though_another_widget_is_used_meanwhile(
    new_page: NewPage, patched_server: Server
) -> None:
    page = open_case(new_page, patched_server, "callback")
    click_both(page, "Press", "Other")
    idle(page)
    expect(page.get_by_text("before: True, after: True")).to_be_visible()


def test_a_click_in_a_fragment_that_waits_for_the_page_is_not_lost(new_page: NewPage, patched_server: Server) -> None:
    page = open_case(new_page, patched_server, "pending")
    page.get_by_role("button", name="Other").click()
    click_both(page, "Press", "Other")
    idle(page)
    expect(page.get_by_text("presses: 1")).to_be_visible()


def test_what_is_clicked_beside_a_fragment_in_the_same_moment_is_drawn(
    new_page: NewPage, patched_server: Server
) -> None:
    page = open_case(new_page, patched_server, "beside")
    click_both(page, "Inside", "Outside", 0)
    idle(page)
    expect(page.get_by_text("outside: True")).to_be_visible()


def test_a_widget_of_a_page_that_is_left_does_not_take_the_next_page_away(
    new_page: NewPage, patched_server: Server
) -> None:
    page = open_case(new_page, patched_server, "left")
    click_both(page, "Go", "Press", 0)
    chosen = page.get_by_text("The page that was chosen")
    expect(chosen).to_be_visible()
    # Not `idle`: the server may answer both clicks by one run, or the second by none.
    expect(page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')).to_be_visible()
    expect(chosen).to_be_visible()


def test_a_fragment_that_runs_right_after_its_page_leaves_the_page_whole(
    new_page: NewPage, patched_server: Server
) -> None:
    page = open_case(new_page, patched_server, "nested")
    for _ in range(3):
        click_both(page, "Outside", "Inside")
        idle(page)
        expect(page.get_by_role("button", name="Outside")).to_be_visible()


def test_a_short_run_of_a_fragment_is_not_drawn_as_running_first(new_page: NewPage, patched_server: Server) -> None:
    page = open_case(new_page, patched_server, "short")
    page.evaluate(
        """() => {
            const app = document.querySelector('[data-testid="stApp"]');
            window.states = [];
            new MutationObserver(() => states.push(app.dataset.testScriptState)).observe(app, { attributes: true });
        }"""
    )
    with rerun(page):
        page.get_by_role("button", name="Press").click()
    assert page.evaluate("states") == []
    with rerun(page):
        page.get_by_role("button", name="Wait").click()
    assert page.evaluate("states") == ["running", "notRunning"]
