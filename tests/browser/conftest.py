"""A real server, a real Chromium, and pages that fail their test when they complain."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal, Protocol

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import ARGUMENTS, NAMES, find_browser
from tests.browser.idle import TRAFFIC, idle
from tests.browser.serving import Server, running_server
from tests.browser.traffic import listening
from tests.waiting import SOON

REQUIRED = "EMBEDDING_EXPLORER_REQUIRE_BROWSER"
WIDTH, HEIGHT = 1440, 900


class NewPage(Protocol):
    """Make a page in a tab of its own."""

    def __call__(
        self,
        server: Server,
        *,
        width: int = WIDTH,
        height: int = HEIGHT,
        color_scheme: Literal["light", "dark"] = "light",
        reduced_motion: Literal["reduce", "no-preference"] = "no-preference",
        has_touch: bool = False,
    ) -> Page: ...


SIDEBAR = "stSidebarCollapsed-"  # Streamlit's name in localStorage
# Settings are open, as for a visitor who has opened them before; on a phone they would lie over the page.
_OPEN_SIDEBAR = f"""
try {{
    if (innerWidth < 768) localStorage.removeItem("{SIDEBAR}");
    else if (localStorage.getItem("{SIDEBAR}") === null) localStorage.setItem("{SIDEBAR}", "false");
}} catch {{}} // a page without storage
"""


def fold_settings(page: Page) -> None:
    """Fold the settings away, as on a first visit, in all that the tab opens from now on."""
    page.add_init_script(f'try {{ localStorage.setItem("{SIDEBAR}", "true"); }} catch {{}}')


class Windows:
    """A context for the tabs of one server, which one process draws: it compiles Streamlit's code once for all of them.

    Each tab is a visit of its own, kept in its sessionStorage; cookies and localStorage, which tabs share, are emptied
    before a tab opens beside which there is no other.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._first: dict[str, Page] = {}  # a tab each that stays, or the process would end with the test's

    def new_tab(self, server: Server) -> Page:
        first = self._first.get(server.url)
        if first is None:
            size = {"width": WIDTH, "height": HEIGHT}
            context = self._browser.new_context(base_url=server.url, locale="en-US", viewport=size)  # type: ignore[arg-type]
            context.set_default_timeout(SOON * 1000)
            context.add_init_script(_OPEN_SIDEBAR)
            first = self._first[server.url] = context.new_page()
            first.goto("/_stcore/health")
        elif len(first.context.pages) == 1:
            first.evaluate("() => localStorage.clear()")
            first.context.clear_cookies()
        return first.context.new_page()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # First: they take longest and wait most, and meanwhile the other lines of tests keep the processors busy.
    items.sort(key=lambda item: Path(__file__).parent not in item.path.parents)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        reason = f"no Chromium or Chrome on this machine (looked for {', '.join(NAMES)}): install Debian's chromium"
        if os.environ.get(REQUIRED):
            pytest.fail(f"{reason}; {REQUIRED} is set")
        pytest.skip(reason)
    expect.set_options(timeout=SOON * 1000)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    return Windows(browser)


def _checked_server(folder: Path, app: str = "app.py", **settings: str) -> Iterator[Server]:
    with running_server(folder, app=app, settings=settings) as server:
        yield server
    log = server.log.read_text()
    assert "Traceback" not in log, f"a page failed on the server:\n{log}"
    assert server.connections.read_text() == "", "the server asked for an address outside this machine"


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests; it depends on the browser so that nothing is started where all will be skipped."""
    yield from _checked_server(tmp_path_factory.mktemp("server"))


@pytest.fixture(scope="session")
def real_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of what pages open on, with MiniLM's rows as for visitors."""
    yield from _checked_server(tmp_path_factory.mktemp("real_server"), EMBEDDING_EXPLORER_ROWS="minilm")


@pytest.fixture(scope="session")
def scenes(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all components that are looked at alone: /?scene=point_cloud, as in scenes.py."""
    yield from _checked_server(tmp_path_factory.mktemp("scenes"), "tests/browser/scenes_app.py")


@pytest.fixture(scope="module")
def cold_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this file alone, which nobody has visited before its first test."""
    yield from _checked_server(tmp_path_factory.mktemp("cold_server"))


@contextmanager
def _pages(windows: Windows) -> Iterator[NewPage]:
    with ExitStack() as stack:

        def make(
            server: Server,
            *,
            width: int = WIDTH,
            height: int = HEIGHT,
            color_scheme: Literal["light", "dark"] = "light",
            reduced_motion: Literal["reduce", "no-preference"] = "no-preference",
            has_touch: bool = False,
        ) -> Page:
            page = windows.new_tab(server)
            stack.callback(page.close)
            server.pages.append(page)
            if (width, height) != (WIDTH, HEIGHT):
                page.set_viewport_size({"width": width, "height": height})
            if (color_scheme, reduced_motion) != ("light", "no-preference"):
                page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
            if has_touch:  # of this tab alone: a context with touch would be another process, which compiles anew
                session = page.context.new_cdp_session(page)
                session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
                # A part of it holds for the process, and would stay with the tabs that follow.
                stack.callback(session.send, "Emulation.setTouchEmulationEnabled", {"enabled": False})
            TRAFFIC[page] = stack.enter_context(listening(page, server.url))
            return page

        yield make


@pytest.fixture
def new_page(windows: Windows) -> Iterator[NewPage]:
    """Make pages, each in a tab of its own: new_page(server, color_scheme="dark", width=390).

    At the end the test fails on any console error, uncaught exception or request to another machine.
    """
    with _pages(windows) as make:
        yield make


@pytest.fixture(scope="module")
def new_shared_page(windows: Windows) -> Iterator[NewPage]:
    """Make pages that the tests of a file share; each test brings what it needs about by itself."""
    with _pages(windows) as make:
        yield make


@pytest.fixture(scope="module")
def opened(new_shared_page: NewPage, server: Server) -> Page:
    """The first page, opened once for the tests of a file."""
    page = new_shared_page(server)
    page.goto("/")
    idle(page)
    return page


@pytest.fixture
def page(new_page: NewPage, server: Server) -> Page:
    """One page of 1440 x 900, light, on the common server, not yet opened anywhere."""
    return new_page(server)
