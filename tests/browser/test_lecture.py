"""A presenter and two phones: steps, votes and words come and go, and whoever leaves or loses the server comes back."""

import re
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path

import pytest
import segno
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.idle import place_of
from tests.browser.serving import Server, running_server
from tests.messages import wording
from tests.ui.lecture.redis_server import RedisServer, running_redis
from tests.waiting import SOON, wait_until
from ui.components.lecture import LABELS as LECTURE_LABELS
from ui.components.phone import LABELS as PHONE_LABELS
from ui.lecture.store import REDIS

PHONE = {"width": 390, "height": 844}


@pytest.fixture(params=["memory", pytest.param("redis", marks=pytest.mark.thorough)])
def redis(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RedisServer | None]:
    """A Redis that keeps the rooms; None where they are in the server's memory."""
    if request.param == "memory":
        yield None
        return
    with running_redis(tmp_path) as server:
        yield server


@pytest.fixture
def lecture_server(redis: RedisServer | None, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    if redis is None:
        yield request.getfixturevalue("server")
        return
    with running_server(tmp_path, settings={REDIS: redis.address}) as server:
        yield server
        assert "Traceback" not in server.log.read_text()


class Tabs:
    """Tabs of people who share no browser; a fault of a page's code fails the test."""

    def __init__(self, browser: Browser, url: str, stack: ExitStack) -> None:
        self._browser, self._url, self._stack = browser, url, stack
        self.faults: list[str] = []

    def open(self, way: str, size: dict[str, int] | None = None, *, beside: Page | None = None) -> Page:
        """Open a tab of somebody new, or of who has another one already."""
        if beside is None:
            context = self._browser.new_context(base_url=self._url, viewport=size or {"width": 1280, "height": 720})  # type: ignore[arg-type]
            self._stack.callback(context.close)
            context.set_default_timeout(SOON * 1000)
        page = (context if beside is None else beside.context).new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(way)
        return page


@pytest.fixture
def tabs(browser: Browser, lecture_server: Server) -> Iterator[Tabs]:
    with ExitStack() as stack:
        opened = Tabs(browser, lecture_server.url, stack)
        yield opened
        assert opened.faults == []


def state_of(phone: Page, name: str) -> None:
    """Wait until a phone says a sentence about the lecture; "" for none."""
    said = re.compile(r"^$") if not name else wording(PHONE_LABELS[name])
    expect(phone.locator("#state")).to_have_text(said)


def everything_on(phone: Page) -> str:
    """Return all that a phone's page holds and keeps."""
    kept = phone.evaluate("() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])")
    return phone.url + phone.content() + str(kept)


def link_code(address: str) -> list[str]:
    """Return the QR code of an address, "#" for each dark module, in the white border that scanners need."""
    code = segno.make(address, micro=False, error="m")
    return ["".join("#" if dark else " " for dark in row) for row in code.matrix_iter(border=4)]


def painted_code(drawing: Locator) -> list[str]:
    """Return the QR code on the screen, each module by the pixel in its middle."""
    size = int((drawing.get_attribute("viewBox") or "").split()[-1])
    image = Image.open(BytesIO(drawing.screenshot())).convert("L")
    middle = [(n + 0.5) / size for n in range(size)]
    points = [[image.getpixel((int(x * image.width), int(y * image.height))) for x in middle] for y in middle]
    assert {point for row in points for point in row} == {0, 255}
    return ["".join("#" if point == 0 else " " for point in row) for row in points]


def voted_on(tabs: Tabs, url: str) -> tuple[Page, Page, Page]:
    """Begin a lecture, which two phones follow and vote on; return the presenter's tab and theirs."""
    presenter = tabs.open("/tokens?lesson=tour&stop=2")
    question = wording("Question")
    presenter.locator('[data-test-script-state="notRunning"]').get_by_role("button", name=question).click()
    # Answered and begun within a moment: the browser makes that one request, for the part that the answer is in.
    presenter.locator("[class*=st-key-walk-answer] input").first.evaluate(
        """async input => {
            input.click();
            document.querySelector('.st-key-walk-teach button').click();
            const follow = () => document.querySelector('.st-key-walk-follow button');
            while (!follow()) await new Promise(requestAnimationFrame);
            follow().click();
        }"""
    )
    presenter.wait_for_url(re.compile("#room="))
    presenter.keyboard.press("Escape")
    presenter.wait_for_function(  # the panel lies over nothing of the page
        """() => document.querySelector('[data-testid="stMain"]').getBoundingClientRect().bottom
            <= document.querySelector('.st-key-lecture')?.getBoundingClientRect().top"""
    )
    address = f"{url}/follow/{room_of(presenter).partition('.')[0]}"
    first, second = (tabs.open(address, PHONE) for _ in range(2))
    stop = presenter.locator(".walk-title").inner_text()
    presenter.get_by_test_id("lecture-qr").click()
    expect(presenter.locator("dialog .address")).to_have_text(address)
    assert painted_code(presenter.locator("dialog svg")) == link_code(address)
    presenter.get_by_test_id("lecture-close").click()
    for phone in (first, second):
        expect(phone.locator("h1")).to_have_text(stop)
        state_of(phone, "")
        for target in phone.locator("button:visible, a:visible, input:visible").all():
            assert target.bounding_box()["height"] >= 44  # type: ignore[index]
        assert phone.evaluate("() => document.documentElement.scrollWidth <= innerWidth")

    # Votes arrive in a chart that is closed until it is asked for, as is the answer.
    phones = presenter.get_by_test_id("lecture-phones")
    expect(phones).to_have_text(re.compile("2"))
    first.locator(".choice").nth(1).click()
    second.locator(".choice").nth(0).click()
    expect(first.locator(".choice").nth(1)).to_have_attribute("aria-pressed", "true")
    votes = presenter.get_by_test_id("lecture-votes-open")
    expect(votes).to_have_text(wording("Votes: {count}", count=2))
    expect(presenter.get_by_test_id("lecture-votes")).to_be_hidden()
    votes.click()
    counts = presenter.get_by_test_id("lecture-votes").locator(".count")
    expect(counts).to_have_text(["1", "1", "0"])
    second.locator(".choice").nth(1).click()
    expect(counts).to_have_text(["0", "2", "0"])
    expect(presenter.locator(".votes .right")).to_have_count(0)
    presenter.get_by_test_id("lecture-answer").click()
    expect(presenter.locator(".votes .right .count")).to_have_text("2")
    for phone in (first, second):
        expect(phone.locator(".choice.right")).to_have_text(re.compile("^✓"))
        expect(phone.locator(".choice").first).to_be_disabled()
    return presenter, first, second


def room_of(presenter: Page) -> str:
    """Read the right to present: the room's code, a point and a secret."""
    return presenter.url.partition("#room=")[2]


def end(presenter: Page, first: Page, second: Page) -> None:
    presenter.get_by_test_id("lecture-end").click()
    for phone in (first, second):
        state_of(phone, "ended")
    expect(presenter.get_by_test_id("lecture")).to_have_count(0)
    presenter.wait_for_url(re.compile("^[^#]*$"))


def test_a_lecture_is_followed_and_voted_on(tabs: Tabs, lecture_server: Server) -> None:
    end(*voted_on(tabs, lecture_server.url))


@pytest.mark.thorough
def test_a_lecture_is_left_lost_and_taken_up_again(
    tabs: Tabs, lecture_server: Server, redis: RedisServer | None
) -> None:
    presenter, first, second = voted_on(tabs, lecture_server.url)
    right = room_of(presenter)
    code, secret = right.split(".")
    stop = presenter.locator(".walk-title").inner_text()
    phones = presenter.get_by_test_id("lecture-phones")

    # A step follows; a phone leaves to explore the page as the presenter has it, and comes back to the lecture.
    presenter.locator(".st-key-walk-next button").click()
    for phone in (first, second):
        expect(phone.locator("h1")).not_to_have_text(stop)
    presenter.get_by_test_id("step-2").click()
    expect(presenter.get_by_test_id("vector-sum")).to_have_attribute("data-step", "2")
    expect(second.locator("#explore")).to_have_attribute("href", re.compile(r"vector-sum\.step(!|%21)2"))
    second.locator("#explore").click()
    expect(second.get_by_test_id("vector-sum")).to_have_attribute("data-step", "2")
    back = second.locator(".way-back a")
    expect(back).to_be_visible()
    assert "lesson=" not in second.url
    expect(phones).to_have_text(re.compile("1"))
    back.click()
    expect(second.locator("h1")).to_have_text(presenter.locator(".walk-title").inner_text())

    # The presenter goes for a while, and comes back by the link: elsewhere in the app, with the same room.
    first.locator("#own").fill("princess")
    first.locator("#word button").click()
    second.locator("#own").fill("<img src=x>")
    second.locator("#word button").click()
    expect(second.locator(".said").last).to_have_text(wording("Sent to the presenter."))
    before = first.locator("h1").inner_text()
    other = tabs.open("/_stcore/health", beside=presenter)  # or the browser would compile all of Streamlit's code again
    presenter.close()
    for phone in (first, second):
        state_of(phone, "away")
        expect(phone.locator("h1")).to_have_text(before)
    presenter = other
    presenter.goto(f"/projection?lesson=tour&stop=2#room={right}")
    for phone in (first, second):
        state_of(phone, "")
        expect(phone.locator("h1")).not_to_have_text(before)

    # A word that is approved is a point of the projection; one that is rejected is nowhere.
    presenter.get_by_test_id("lecture-words-open").click()
    approve = presenter.get_by_role("button", name=re.compile(f"{wording_of('approve')}: princess"))
    place = place_of(approve)
    first.locator("#own").fill("a word that comes first in the alphabet")
    first.locator("#word button").click()
    expect(presenter.get_by_test_id("lecture-reject")).to_have_count(3)
    presenter.get_by_role("button", name=re.compile(f"{wording_of('reject')}: <img")).click()
    presenter.get_by_role("button", name=re.compile(f"{wording_of('reject')}: a word")).click()
    assert place_of(approve) == place
    approve.click()
    expect(presenter.locator(".st-key-projection-chips").get_by_role("option").last).to_contain_text("princess")
    expect(presenter.get_by_test_id("lecture-words-open")).to_be_hidden()
    assert presenter.url.endswith(f"#room={right}")
    expect(first.locator("#explore")).to_have_attribute("href", re.compile("princess"))
    assert presenter.locator("img[src=x]").count() == first.locator("img").count() == 0

    if redis is not None:
        redis.kill()
        for phone in (first, second):
            expect(phone.locator("#state")).to_have_text(wording("No connection to Redis. Trying…"))
        expect(presenter.locator(".lecture .said")).to_have_text(wording("No connection to Redis. Trying…"))
        first.locator("#own").fill("kept")
        first.locator("#word button").click()
        expect(first.locator("#word .said")).to_have_text(wording("No connection to Redis. Trying…"))
        expect(first.locator("#own")).to_have_value("kept")
        redis.start()
        for phone in (first, second):
            state_of(phone, "")
        expect(presenter.get_by_test_id("lecture-phones")).to_have_text(re.compile("2"))

    # Back at the question: who voted has voted, unless what kept the votes has lost them.
    presenter.goto(f"/tokens?lesson=tour&stop=2#room={right}")
    expect(first.locator(".choice").nth(1)).to_have_attribute("aria-pressed", "true")
    count = 2 if redis is None else 0
    expect(presenter.get_by_test_id("lecture-votes-open")).to_have_text(wording("Votes: {count}", count=count))

    # The secret is in nothing that a phone got, nor in the log.
    with urllib.request.urlopen(f"{lecture_server.url}/follow/{code}/events") as events:
        stream = wait_until(lambda: next((line for line in events if line.startswith(b"data: {")), b""))
    for got in (everything_on(first), everything_on(second), stream.decode(), lecture_server.log.read_text()):
        assert secret not in got
        assert right not in got
    end(presenter, first, second)


def wording_of(name: str) -> str:
    return wording(LECTURE_LABELS[name]).pattern
