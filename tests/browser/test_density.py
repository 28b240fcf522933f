"""A table with more rows than a picture has points, in a browser: a density that sharpens, and points in the end."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from sklearn.neighbors import NearestNeighbors

from embedlib.components.cloud import LABELS
from tests.browser.conftest import NewPage
from tests.browser.idle import asking, assert_no_sideways_scroll, drawn, idle, linked, place_of, rerun, tap
from tests.browser.serving import Server, running_server
from tests.messages import wording

N_ROWS, D_MODEL = 200_000, 8
SEARCH = wording("Search")
OPENED = "/projection?vectors=rows.npy"
CHOSEN = ".st-key-chosen-row"

pytestmark = pytest.mark.thorough  # they take a server of their own


@cache
def crowds() -> NDArray[np.float32]:
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(N_ROWS, D_MODEL)) * np.geomspace(2, 0.2, D_MODEL)
    rows[: N_ROWS // 2] = rows[: N_ROWS // 2] * 0.2 + 3
    return rows.astype(np.float32)


@pytest.fixture(scope="module")
def tables(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that offers a large table, whose rows are called by the lines of a text file."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "offered").mkdir()
    np.save(folder / "offered" / "rows.npy", crowds())
    (folder / "offered" / "rows.txt").write_text("".join(f"word{row}\n" for row in range(N_ROWS)))
    settings = {"EMBEDDING_EXPLORER_TABLES": str(folder / "offered"), "EMBEDLIB_CACHE": str(folder / "cache")}
    with running_server(folder, settings=settings) as server:
        yield server
    assert "Traceback" not in server.log.read_text()


def open_density(page: Page, query: str = "") -> None:
    page.goto(OPENED + query)
    expect(page.get_by_test_id("point-cloud")).to_be_visible()
    rests(page)


@pytest.fixture(scope="module")
def kept(new_shared_page: NewPage, tables: Server) -> Page:
    """The page opened once for the tests that need no link; without motion, whose every step costs a processor much."""
    page = new_shared_page(tables, reduced_motion="reduce")
    open_density(page)
    return page


@pytest.fixture
def dense(kept: Page) -> Page:
    """The page with no row chosen and all rows in view."""
    kept.bring_to_front()
    kept.mouse.move(5, 5)
    search = kept.get_by_role("searchbox", name=SEARCH)
    if search.input_value():
        with rerun(kept):
            search.fill("")
    kept.get_by_test_id("cloud-canvas").focus()
    if kept.url.partition("?")[2] != OPENED.partition("?")[2]:
        for key in ("Escape", "0"):
            kept.keyboard.press(key)
            rests(kept)
    expect(kept).not_to_have_url(re.compile("[?&](row|seen)="))
    return kept


def view(page: Page) -> dict[str, Any]:
    """Read where the picture is seen from."""
    return dict(json.loads(page.get_by_test_id("point-cloud").get_attribute("data-view") or "{}"))


def rests(page: Page) -> None:
    """Wait until nothing moves, and what is seen has been told, counted and drawn."""
    still = '[data-testid="point-cloud"][data-view*=\'"busy":false\']'
    drawn(page)
    page.wait_for_selector(still)
    idle(page)
    page.wait_for_selector(still)


def legend(page: Page) -> str:
    return page.get_by_test_id("cloud-legend").inner_text()


def in_view(page: Page) -> int:
    """Read how many rows the page says are in view."""
    said = page.get_by_text(wording("Rows in view: {count:,}…")).inner_text()
    found = re.search(r"(?:Rows in view: )([\d,]+)", said)
    assert found is not None
    return int(found[1].replace(",", ""))


def zoom_until_points(page: Page) -> None:
    for _ in range(12):
        if in_view(page) <= 50_000:
            return
        page.get_by_test_id("cloud-zoom-in").click()
        rests(page)
    raise AssertionError(f"still {in_view(page)} rows are in view")


def test_all_rows_are_seen_as_a_density_whose_colours_are_counts(dense: Page) -> None:
    page = dense
    assert in_view(page) == N_ROWS
    assert wording("rows per {size}×{size} pixels", size="2").search(legend(page))
    expect(page.get_by_role("application")).to_have_attribute(
        "aria-label", re.compile(wording(LABELS["figure"], count="200,000", dimensions="2").pattern)
    )
    box, (x, y) = place_of(page.get_by_test_id("cloud-canvas")), view(page)["middle"]
    counts = set[int]()
    for across in range(-60, 61, 20):
        page.mouse.move(box["x"] + x + across, box["y"] + y)
        tip = page.get_by_test_id("cloud-tip")
        if tip.is_visible() and (found := re.fullmatch(r"Rows: ([\d,]+)", tip.inner_text())):
            counts.add(int(found[1].replace(",", "")))
    assert len(counts) > 1
    assert min(counts) >= 1


def test_it_sharpens_until_rows_are_points_that_are_hovered_and_chosen(dense: Page) -> None:
    page = dense
    before = page.url
    zoom_until_points(page)
    assert in_view(page) <= 50_000
    assert page.url != before
    assert "seen=" in page.url
    for _ in range(3):  # until single ones can be told apart
        page.get_by_test_id("cloud-zoom-in").click()
        rests(page)
    page.get_by_test_id("cloud-canvas").focus()
    page.keyboard.press("n")  # the one nearest to the middle
    tip = page.get_by_test_id("cloud-tip")
    expect(tip).to_have_text(re.compile(r"word\d+"))
    name = re.match(r"word(\d+)", tip.inner_text())
    assert name is not None
    with rerun(page):
        page.keyboard.press("Enter")
    row = int(name[1])
    expect(page).to_have_url(linked(f"row={row}"))
    expect(page.locator(CHOSEN)).to_have_text(f"word{row}")
    shows_neighbours_of_scikit_learn(page, row)


def shows_neighbours_of_scikit_learn(page: Page, row: int) -> None:
    found = NearestNeighbors(n_neighbors=11, metric="cosine", algorithm="brute").fit(crowds())
    _, ids = found.kneighbors(crowds()[row : row + 1].astype(np.float64))
    kept, none = (wording(f"{first} the {{count}} nearest rows…", count="10") for first in ("{kept} of", "None of"))
    expect(page.get_by_text(kept).or_(page.get_by_text(none)).first).to_be_visible()
    page.get_by_test_id("cloud-canvas").focus()
    page.keyboard.press("n")  # the nearest that is in the picture
    tip = page.get_by_test_id("cloud-tip")
    expect(tip).to_contain_text(wording(LABELS["similarity"]))
    assert tip.locator("b").inner_text() in {f"word{one}" for one in ids[0, 1:].tolist()}


def test_a_click_on_a_point_chooses_its_row(new_page: NewPage, tables: Server) -> None:
    page = new_page(tables)
    open_density(page, "&row=150000")
    with rerun(page):
        page.get_by_role("button", name=wording("Zoom to row")).click()
    rests(page)
    assert in_view(page) <= 50_000
    page.get_by_test_id("cloud-canvas").focus()
    page.keyboard.press("Escape")
    idle(page)
    expect(page).not_to_have_url(linked("row=150000"))
    box, (x, y) = place_of(page.get_by_test_id("cloud-canvas")), view(page)["middle"]
    page.mouse.move(box["x"] + x, box["y"] + y)
    expect(page.get_by_test_id("cloud-tip")).to_have_text(re.compile("word150000"))
    with rerun(page):
        page.mouse.click(box["x"] + x, box["y"] + y)
    expect(page).to_have_url(linked("row=150000"))


def test_a_search_goes_over_all_rows_and_what_it_finds_is_marked_and_zoomed_to(dense: Page) -> None:
    page = dense
    with rerun(page):
        page.get_by_role("searchbox", name=SEARCH).fill("word19999")
    expect(page.get_by_text(wording("Rows found: {count}", count="11")).first).to_be_visible()
    names = asking(page, lambda: page.get_by_test_id("cloud-labels").locator(".found").all_inner_texts())
    assert set(names) <= {"word19999", *(f"word19999{digit}" for digit in range(10))}
    with rerun(page):
        page.get_by_test_id("cloud-matches").get_by_role("button", name="word19999", exact=True).click()
    expect(page.locator(CHOSEN)).to_have_text("word19999")
    with rerun(page):
        page.get_by_role("button", name=wording("Zoom to row")).click()
    rests(page)
    assert 1 <= in_view(page) <= 50_000


def test_the_link_brings_the_view_back_and_reset_shows_everything(
    dense: Page, new_page: NewPage, tables: Server
) -> None:
    page = dense
    for key in ("+", "+", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        rests(page)
    before, count = view(page), in_view(page)
    assert "seen=" in page.url
    again = new_page(tables)
    again.goto(page.url)
    rests(again)
    assert in_view(again) == pytest.approx(count, rel=0.002)
    for part in ("scale", "zoom"):
        assert view(again)[part] == pytest.approx(before[part], rel=1e-4)
    np.testing.assert_allclose(view(again)["centre"], before["centre"], atol=1e-4)
    assert again.url == page.url
    again.get_by_test_id("cloud-canvas").focus()
    again.keyboard.press("0")
    rests(again)
    assert in_view(again) == N_ROWS
    expect(again).not_to_have_url(re.compile("[?&]seen="))


def test_a_phone_shows_it_too(new_page: NewPage, tables: Server) -> None:
    page = new_page(tables, width=390, height=844, has_touch=True, color_scheme="dark")
    open_density(page)
    assert in_view(page) == N_ROWS
    page.get_by_test_id("cloud-canvas").evaluate("canvas => canvas.scrollIntoView({ block: 'center' })")
    box, (x, y) = place_of(page.get_by_test_id("cloud-canvas")), view(page)["middle"]
    tip, places = page.get_by_test_id("cloud-tip"), iter(range(-100, 101, 20))

    def is_counted() -> bool:
        tap(page, box["x"] + x + next(places), box["y"] + y)
        drawn(page)
        return tip.is_visible()

    asking(page, is_counted)
    expect(tip).to_have_text(re.compile(r"^Rows: [\d,]+$"), use_inner_text=True)
    assert_no_sideways_scroll(page)


def test_the_image_that_is_saved_has_the_density(dense: Page, tmp_path: Path) -> None:
    page = dense
    menu = page.locator("[data-offer$='/embedding-map']")
    menu.locator("[data-opens]").click()
    with page.expect_download() as waiting:
        menu.get_by_role("button", name="PNG").click()
    waiting.value.save_as(tmp_path / "map.png")
    pixels = np.asarray(Image.open(tmp_path / "map.png").convert("RGB")).astype(int)
    coloured = np.ptp(pixels, axis=2) > 30  # neither ground nor ink
    assert 0.05 < coloured.mean() < 0.9
    assert len(np.unique(pixels[coloured], axis=0)) > 50
    if not menu.get_by_role("button", name="CSV").is_visible():
        menu.locator("[data-opens]").click()
    with page.expect_download() as waiting:
        menu.get_by_role("button", name="CSV").click()
    lines = Path(waiting.value.path()).read_text().splitlines()
    assert lines[0] == "x,y,rows"
    assert sum(int(line.rsplit(",", 1)[1]) for line in lines[1:]) == N_ROWS
