"""What only the browser knows goes with the link: steps, cameras, zooms, marks, opened sections; elsewhere too."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import asking, draw, draw_all, idle, place_of, rerun, settled
from tests.browser.serving import Server

START = "/?text=The+cat+sat+on+the+mat&table=random&d_model=256"
RANGES = """() => {
    const chart = document.querySelector(".st-key-projection .js-plotly-plot");
    return chart?._fullLayout && [...chart._fullLayout.xaxis.range, ...chart._fullLayout.yaxis.range];
}"""


def look_of(page: Page, *parts: str) -> str:
    """Return the address once it tells of these parts."""
    asking(page, lambda: all(part in page.url for part in ("look=1~", *parts)), lambda: page.url)
    return page.url


def opened_elsewhere(page: Page, new_page: NewPage, server: Server) -> Page:
    again = new_page(server)
    again.goto(page.url[page.url.index("/", len("http://")) :])
    idle(again)
    return again


def first_page(page: Page) -> Any:
    """Read the sum's step, how far it is scrolled, the token chosen, and what is opened and zoomed."""
    draw(page, "rows-projection")
    expect(page.get_by_test_id("token-chip").nth(2)).to_have_attribute("aria-selected", "true")
    asking(page, lambda: page.get_by_test_id("vector-sum").get_attribute("data-step") == "2")
    return {
        "sum": page.get_by_test_id("sum-bands").evaluate("bands => bands.parentElement.parentElement.scrollTop"),
        "opened": page.locator("details").evaluate_all("all => all.map(({ open }) => open)"),
        "ranges": settled(page, RANGES),
    }


def test_what_a_reader_looks_at_is_seen_in_another_visit(page: Page, server: Server, new_page: NewPage) -> None:
    page.goto(START)
    idle(page)
    with rerun(page):
        page.get_by_test_id("token-chip").nth(2).click()
    entries = page.evaluate("history.length")
    page.locator('[data-testid="stSidebar"] summary').first.click()
    page.get_by_test_id("step-2").click()
    draw(page, "rows-projection")
    whole = settled(page, RANGES)
    page.locator('.st-key-projection [data-attr="zoom"][data-val="in"]').dispatch_event("click")
    look_of(page, "vector-sum.step!2", "open.", "projection.xaxis!", "projection.yaxis!")
    shown = first_page(page)
    assert page.evaluate("history.length") == entries  # Back undoes controls, and no zoom
    assert shown["ranges"] != pytest.approx(whole, rel=0.01)
    page.get_by_test_id("copy-link").click()
    expect(page.get_by_test_id("copy-link-said")).not_to_be_empty()
    again = opened_elsewhere(page, new_page, server)
    shown["ranges"] = pytest.approx(shown["ranges"], rel=2e-5)  # a link holds six digits of them
    assert first_page(again) == shown
    assert again.url == page.url


@pytest.mark.thorough
def test_a_cloud_is_seen_from_where_the_link_was_taken_with_what_was_marked(
    page: Page, server: Server, new_page: NewPage
) -> None:
    page.goto("/projection?view=3d")
    idle(page)
    place = place_of(page.get_by_test_id("cloud-canvas"))
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    page.get_by_test_id("cloud-zoom-in").click()
    drag(page, (x, y), (x + 70, y - 40))
    page.get_by_test_id("cloud-box").click()
    with rerun(page):
        drag(page, (x - 120, y - 90), (x + 120, y + 90))
    with rerun(page):
        page.get_by_role("radio", name="Nearest neighbours").click()
    look_of(page, "point-cloud.camera!", "point-cloud.tool!", "marked=", "beside=neighbours")
    again = opened_elsewhere(page, new_page, server)
    assert cloud(again) == cloud(page)
    assert again.url == page.url
    with rerun(again):
        again.locator(".st-key-clear-mark button").click()
    expect(again.get_by_test_id("cloud-marked")).to_be_hidden()


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def cloud(page: Page) -> Any:
    """Read from where the cloud is seen, how many points are marked, and which panel is shown."""
    page.mouse.move(5, 5)
    view = asking(page, lambda: view_of(page))
    return (
        view,
        page.get_by_test_id("cloud-marked").inner_text(),
        page.get_by_role("radio", name="Nearest neighbours").get_attribute("aria-checked"),
    )


def view_of(page: Page) -> list[list[str]] | None:
    """Return the camera, to as many digits as a link has, once it rests."""
    view: list[list[str]] | None = page.locator('[data-testid="point-cloud"]').evaluate(
        """(root) => {
            const { busy, turn, centre, zoom } = JSON.parse(root.dataset.view);
            return busy ? null : [turn, centre, [zoom]].map((numbers) => numbers.map((value) => value.toFixed(3)));
        }"""
    )
    return view


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("link", "act", "told", "read"),
    [
        (
            "/compare",
            lambda page: page.get_by_test_id("measures").locator("button").nth(1).click(),
            "measures.order!",
            lambda page: page.get_by_test_id("measures").locator("th").all_inner_texts(),
        ),
        (
            "/batches",
            lambda page: page.get_by_test_id("pairs-shift").click(),
            "laid!1",
            lambda page: page.get_by_test_id("pairs-shift").get_attribute("aria-pressed"),
        ),
        (
            "/positions",
            lambda page: page.locator('.st-key-waves [data-attr="dragmode"][data-val="pan"]').dispatch_event("click"),
            "waves.tool!pan",
            lambda page: page.locator(".st-key-waves [data-val=pan]").get_attribute("class"),
        ),
        (
            "/tokens",
            lambda page: page.locator("details summary").last.click(),
            "open.",
            lambda page: page.locator("details").evaluate_all("all => all.map(({ open }) => open)"),
        ),
    ],
)
def test_an_order_a_switch_a_tool_and_a_section_are_in_the_link(
    page: Page, server: Server, new_page: NewPage, link: str, act: Any, told: str, read: Any
) -> None:
    page.goto(link)
    idle(page)
    draw_all(page)
    before = read(page)
    act(page)
    look_of(page, told)
    again = opened_elsewhere(page, new_page, server)
    draw_all(again)
    assert asking(again, lambda: read(again) != before)
    assert read(again) == read(page)


# One setting of each page that is not at its default, and what has to be drawn alike by two servers.
PAGES = {
    "": "d_model=64&text=a+b+a",
    "tokens": "text=a+b+a&tokenizers=words,bytes",
    "embedding_layer": "d_model=64&table=random",
    "batches": "max_length=8&batch_size=2",
    "positions": "scheme=rope&text=a+b+a",
    "word_order": "first=a+b&second=b+a",
    "compare": "schemes=rope,alibi&text=a+b+a",
    "extrapolation": "",
    "projection": "find=king",
    "training": "train_seed=7",
    "models": "text=a+b+a",
    "context": "",
    "lessons": "",
}


@pytest.mark.thorough
@pytest.mark.parametrize("path", PAGES)
def test_two_servers_draw_every_page_of_a_link_alike(
    server: Server, cold_server: Server, new_page: NewPage, path: str
) -> None:
    pages = [new_page(one) for one in (server, cold_server)]
    for page in pages:
        page.goto(f"/{path}?{PAGES[path]}")
        idle(page)
        draw_all(page, programs=True)
    asking(pages[1], lambda: drawn_on(pages[0]) == drawn_on(pages[1]), lambda: [drawn_on(page) for page in pages])


def drawn_on(page: Page) -> Any:
    """Read the words of a page, and the numbers of its charts; its address, for what a wrong link would lose."""
    charts = """() => [...document.querySelectorAll(".js-plotly-plot")].map((chart) =>
        JSON.stringify(chart.data?.map(({ x, y, z, text }) => [x, y, z, text])))"""
    return [page.url.partition("?")[2], page.get_by_test_id("stMain").inner_text(), page.evaluate(charts)]
