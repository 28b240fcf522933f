"""The app in a frame of another site's page: where that site is named it works, elsewhere nothing is shown."""

import io
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import asking, choose_page, idle
from tests.browser.serving import Server, running_server
from tests.messages import message, wording
from tests.waiting import PATIENCE, SOON
from ui.embed import FRAME_ANCESTORS


class Course:
    """A site whose only page has lines of HTML in it, such as a frame of an address."""

    def __init__(self) -> None:
        self.lines = ""
        course = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = '<!doctype html><title>A course</title><link rel="icon" href="data:,">'
                page += course.lines
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page.encode())

            def log_message(self, *_: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    def at(self, host: str) -> str:
        return f"http://{host}:{self.server.server_port}"


@pytest.fixture(scope="module")
def course() -> Iterator[Course]:
    course = Course()
    threading.Thread(target=course.server.serve_forever, daemon=True).start()
    yield course
    course.server.shutdown()
    course.server.server_close()


@pytest.fixture(scope="module")
def framed_server(course: Course, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {FRAME_ANCESTORS: course.at("localhost")}
    with running_server(tmp_path_factory.mktemp("framed"), settings=settings) as server:
        yield server


@contextmanager
def shown(browser: Browser, course: Course, host: str, framed: str) -> Iterator[tuple[Page, list[str]]]:
    """Open the course's page under one of its two names, each a site of its own, and hear what the console says.

    Args:
        framed: the address in its frame, or lines of HTML.
    """
    course.lines = framed if framed.startswith("<") else f'<iframe src="{framed}" width="1200" height="850"></iframe>'
    said: list[str] = []
    # An emulated colour scheme would be that of frames too, whatever the page around them has.
    page = browser.new_page(viewport={"width": 1280, "height": 900}, locale="en-US", color_scheme="null")
    page.set_default_timeout(SOON * 1000)
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(course.at(host))
    yield page, said
    page.close()


@pytest.mark.thorough
def test_a_named_site_shows_the_app_what_is_typed_there_becomes_tokens_and_a_file_can_be_loaded(
    browser: Browser, course: Course, framed_server: Server
) -> None:
    with shown(browser, course, "localhost", f"{framed_server.url}/?embed=true&text=The+cat") as (page, said):
        app = page.frame_locator("iframe")
        area = app.get_by_test_id("live-text")
        expect(app.get_by_test_id("token-chip")).to_have_count(2, timeout=PATIENCE * 1000)
        area.press("Control+End")
        area.press_sequentially(" sat", delay=30)
        expect(app.get_by_test_id("token-chip")).to_have_count(3)
        # The frame's own address follows, and stays one of a frame.
        asking(page, lambda: page.frames[1].url == f"{framed_server.url}/?text=The+cat+sat&embed=true")
        choose_page(app, 2, 0)
        app.get_by_test_id("stTopNavSection").nth(2).click()
        expect(app.get_by_test_id("stTopNavDropdownLink").first).to_have_attribute("aria-current", "page")
        page.keyboard.press("Escape")
        file = io.BytesIO()
        np.save(file, np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32))
        app.locator('[data-near="projection-files"]').scroll_into_view_if_needed(timeout=PATIENCE * 1000)
        uploader = app.get_by_test_id("stFileUploaderDropzoneInput")
        uploader.wait_for(state="attached", timeout=PATIENCE * 1000)
        uploader.set_input_files({"name": "mine.npy", "mimeType": "", "buffer": file.getvalue()})
        size = wording("{file}: {rows:,} rows ×…", rows="30", columns="5")
        expect(app.get_by_text(size)).to_be_visible(timeout=PATIENCE * 1000)
        assert said == []


def embed_code(page: Page, address: str, section: str) -> str:
    """Copy the lines that embed a figure, once its preview has said how high it is."""
    page.goto(address)
    idle(page)
    menu = page.locator(f'[data-section="{section}"]').first
    menu.locator("[data-opens]").click(timeout=PATIENCE * 1000)
    menu.locator("[data-embed]").click()
    preview = page.get_by_test_id("embed-preview")
    code = page.get_by_test_id("embed-code")
    expect(page.frame_locator('[data-testid="embed-preview"]').locator("a.whole-page")).to_be_visible(
        timeout=PATIENCE * 1000
    )
    asking(page, lambda: f'height="{preview.get_attribute("height")}"' in code.input_value())
    return code.input_value()


def test_the_dialog_shows_the_lines_with_a_preview_and_returns_the_focus(page: Page) -> None:
    code = embed_code(page, "/", "rows-chips")
    assert "embed=true&amp;section=rows-chips" in code
    preview = page.frame_locator('[data-testid="embed-preview"]')
    expect(preview.get_by_test_id("token-chip").first).to_be_visible()
    for hidden in ("stHeader", "live-text", "vector-sum"):
        expect(preview.get_by_test_id(hidden)).not_to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator('[data-section="rows-chips"] [data-opens]')).to_be_focused()


@pytest.mark.thorough
def test_three_figures_are_embedded_alone_in_a_page_of_another_site_and_work_there(
    browser: Browser, course: Course, framed_server: Server, new_page: NewPage
) -> None:
    own = new_page(framed_server)
    lines = [
        embed_code(own, f"{framed_server.url}/{address}", section)
        for address, section in (
            ("?text=a+cat+saw+a+cat&lang=fr", "rows-sum"),
            ("positions?scheme=sinusoidal&positions=20", "positions-waves"),
            ("tokens?text=unhappily", "tokens-rows"),
        )
    ]
    with shown(browser, course, "localhost", "".join(lines)) as (page, said):
        for frame in page.locator("iframe").all():
            frame.scroll_into_view_if_needed()
            expect(frame.content_frame.locator("a.whole-page")).to_be_visible(timeout=PATIENCE * 1000)
        total, waves, tokens = (frame.content_frame for frame in page.locator("iframe").all())
        for frame in (total, waves, tokens):
            for around in ("stHeader", "stSidebar", "live-text", "copy-link-field"):
                expect(frame.get_by_test_id(around)).not_to_be_visible()
            expect(frame.locator("h1:visible, [data-near]")).to_have_count(0)
        expect(waves.get_by_role("heading")).to_have_text([message("Dimensions over the positions")])
        expect(waves.locator(".js-plotly-plot")).to_have_count(1)
        expect(tokens.get_by_role("heading")).to_have_count(0)
        # In the language and the state in which the lines were copied.
        expect(total.locator("html")).to_have_attribute("lang", "fr")
        step = total.get_by_test_id("step-name")
        last = step.inner_text()
        total.get_by_test_id("step-back").click()
        expect(step).not_to_have_text(last)
        # A control of the figure reruns it, and the way to the whole page has the frame's state.
        waves.get_by_role("slider").press("End")
        whole = waves.locator("a.whole-page")
        asking(page, lambda: "position=19" in page.frames[2].url)
        whole.focus()
        expect(whole).to_have_attribute("href", re.compile(r"position=19(?!.*(embed|section)=).*to!positions-waves"))
        # No frame scrolls, because the copied lines follow their heights.
        for frame in page.frames[1:]:
            asking(page, lambda frame=frame: frame.evaluate(FITS))
        assert said == []


FITS = """() => {
    const main = document.querySelector('[data-testid="stMain"]');
    return main.scrollHeight <= main.clientHeight + 1;
}"""


@pytest.mark.parametrize(
    ("dark", "light"),
    [
        ("color: #ddd; background: #111; transition: all 0.2s", "color: #111"),
        pytest.param("color-scheme: dark", "color-scheme: light", marks=pytest.mark.thorough),
    ],
)
def test_a_frame_is_light_or_dark_as_its_page_is_and_follows_its_switch_and_its_own_height(
    browser: Browser, course: Course, framed_server: Server, new_page: NewPage, dark: str, light: str
) -> None:
    chart = f"{framed_server.url}/positions?scheme=sinusoidal&positions=20"
    lines = re.sub(r'height="\d+"', 'height="90"', embed_code(new_page(framed_server), chart, "positions-waves"))
    style = f"<style>body {{ {dark} }} body.light {{ {light} }}</style>"
    with shown(browser, course, "localhost", f"{style}{lines}") as (page, said):
        frame = page.frame_locator("iframe")
        app, tick = frame.get_by_test_id("stApp"), frame.locator(".js-plotly-plot .xtick text").first
        expect(tick).to_be_visible(timeout=PATIENCE * 1000)
        for ignored in ("light", {"stCommVersion": 1, "type": "SET_CUSTOM_THEME_CONFIG", "themeName": "Light"}):
            page.evaluate("data => document.querySelector('iframe').contentWindow.postMessage(data, '*')", ignored)
        page.evaluate("postMessage(7, '*')")  # is no frame's height
        asking(page, lambda: page.frames[1].evaluate(FITS))
        expect(app).to_have_css("color-scheme", "dark")
        ink = tick.evaluate("(tick) => getComputedStyle(tick).fill")
        page.evaluate("document.body.className = 'light'")
        expect(app).to_have_css("color-scheme", "light")
        expect(tick).not_to_have_css("fill", ink)
        assert said == []


@pytest.mark.parametrize(
    ("host", "framed"),
    [("localhost", "server"), pytest.param("127.0.0.1", "framed_server", marks=pytest.mark.thorough)],
)
def test_a_site_that_is_not_named_shows_nothing_of_it(
    browser: Browser, course: Course, host: str, framed: str, request: pytest.FixtureRequest
) -> None:
    with shown(browser, course, host, request.getfixturevalue(framed).url) as (page, said):
        asking(page, lambda: any("frame-ancestors" in text for text in said), lambda: said)
        asking(page, lambda: page.frames[1].url == "chrome-error://chromewebdata/")
