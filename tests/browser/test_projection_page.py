"""The projection page in a browser: a table drawn, points chosen and marked, maps that move and can be stopped."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from embedlib.tables import search_names
from embedlib.texts import reference_manual
from embedlib.texts import words as words_of
from embedlib.word2vec import cooccurrence_table
from tests.browser.conftest import NewPage
from tests.browser.idle import draw_all, idle, linked, rerun
from tests.browser.serving import Server
from tests.messages import message, wording
from tests.waiting import PATIENCE

CHOSEN = ".st-key-chosen-row"


@cache
def learned() -> list[str]:
    """Return the words of the table learned from Python's manual, which each version of Python has its own of."""
    return list(cooccurrence_table(words_of(reference_manual())).words)


def cloud(page: Page) -> Locator:
    return page.get_by_test_id("point-cloud")


def open_projection(page: Page, query: str = "") -> None:
    page.goto(f"/projection?vectors=learned{query}")
    idle(page)
    draw_all(page)
    expect(cloud(page)).to_be_visible()


@pytest.fixture(scope="module")
def opened(new_shared_page: NewPage, server: Server) -> Page:
    """The page opened once for the tests that leave the table in view as it is."""
    page = new_shared_page(server)
    open_projection(page, "&text=a+list+of+strings")
    return page


def test_the_page_opens_with_every_word_drawn(opened: Page) -> None:
    expect(opened.get_by_test_id("stException")).to_have_count(0)
    expect(cloud(opened)).to_have_attribute("data-painter", re.compile("webgl|plain"))
    expect(opened.get_by_text(wording("The picture shows {share:.1%}…", columns="64"))).to_be_visible()


def test_a_token_of_the_text_chooses_its_row_and_the_link_carries_it(opened: Page) -> None:
    with rerun(opened):
        opened.get_by_role("option").nth(1).click()
    expect(opened.locator(CHOSEN)).to_have_text("list")
    expect(opened).to_have_url(linked(f"row={learned().index('list')}"))


def test_a_search_offers_what_it_finds_before_the_server_knows_of_it(opened: Page) -> None:
    field, found = opened.get_by_role("searchbox", name=wording("Search")), opened.get_by_test_id("cloud-found")
    for text in ("LIST", "st", "zzzz", "list"):
        with rerun(opened):
            field.fill(text)
            matches = search_names(learned(), text)
            expect(found).to_have_text(wording("Rows found: {count}", count=str(len(matches))))
            assert f"find={text}" not in opened.url
            offered = opened.get_by_test_id("cloud-matches").get_by_role("button")
            assert offered.all_inner_texts() == [learned()[row] for row in matches[:8]]
        expect(opened).to_have_url(linked(f"find={text}"))
    with rerun(opened):
        opened.get_by_test_id("cloud-matches").get_by_role("button", name="lists", exact=True).click()
    expect(opened.locator(CHOSEN)).to_have_text("lists")


def test_an_expression_and_the_keys_of_streamlit_do_no_harm_in_the_search(opened: Page) -> None:
    field, found = opened.get_by_role("searchbox", name=wording("Search")), opened.get_by_test_id("cloud-found")
    field.fill("")
    with rerun(opened):
        opened.get_by_role("button", name=wording("Regex")).click()
        field.press_sequentially("r")
        field.press_sequentially("c$")
    count = sum(word.endswith("rc") for word in learned())
    expect(found).to_have_text(wording("Rows found: {count}", count=str(count)))
    with rerun(opened):
        opened.get_by_role("button", name=wording("Regex")).click()
    expect(found).to_have_text(wording("Rows found: {count}", count="0"))
    with rerun(opened):
        field.fill("")
    expect(found).to_be_empty()
    assert "find=" not in opened.url


def test_marked_points_can_be_looked_at_alone_and_all_come_back(opened: Page) -> None:
    canvas, rows = cloud(opened).locator("canvas").last, f"{len(learned()):,}"
    canvas.focus()
    with rerun(opened):
        opened.keyboard.press("s")  # marks all that is in sight
    expect(opened.get_by_text(wording("**Selected: {count:,}**", count=rows))).to_be_visible()
    with rerun(opened):
        opened.get_by_role("button", name=wording("Look at these alone")).click()
    expect(opened.get_by_text(wording("The picture shows {count:,}…", count=rows, total=rows))).to_be_visible()
    with rerun(opened):
        opened.get_by_role("button", name=wording("Show all rows")).click()
    expect(opened.get_by_text(wording("The picture shows {count:,}…", count=rows, total=rows))).to_have_count(0)


@pytest.mark.thorough
def test_a_map_of_neighbours_moves_and_can_be_cancelled(page: Page) -> None:
    page.goto("/projection?map=tsne&map_seed=4711&vectors=random&sample=5000&d_model=256")
    rows = message("{method} of {count:,} rows", method="t-SNE", count=5_000)
    cancel = page.get_by_role("button", name=wording("Cancel"))
    expect(cancel).to_be_visible()
    cancel.click()
    expect(page.get_by_text(wording("{title}: stopped.", title=rows))).to_be_visible(timeout=PATIENCE * 1000)
    expect(page.get_by_role("button", name=wording("Start again"))).to_be_visible()


@pytest.mark.thorough
def test_a_finished_map_is_drawn_with_its_trustworthiness(page: Page) -> None:
    page.goto("/projection?vectors=learned&map=tsne&isolated=" + ",".join(map(str, range(40))))
    expect(page.get_by_text(wording("A t-SNE map of {count:,} rows by…", count="40", metric="cosine"))).to_be_visible(
        timeout=PATIENCE * 1000
    )
    page.get_by_role("heading", name=wording("How far to trust the picture")).scroll_into_view_if_needed()
    page.get_by_text(wording("For implementers")).click()
    expect(page.get_by_text(wording("Nearness of rows is measured by {metric}…", metric="cosine"))).to_be_visible()


def upload(page: Page, *files: dict[str, Any]) -> None:
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(list(files))


@pytest.mark.thorough
def test_a_readers_own_file_comes_into_view_and_a_bad_one_leaves_it_there(page: Page, tmp_path: Path) -> None:
    open_projection(page)
    mine = wording("The picture shows {share:.1%}…", columns="5")
    np.save(tmp_path / "mine.npy", np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32))
    upload(page, {"name": "mine.npy", "mimeType": "", "buffer": (tmp_path / "mine.npy").read_bytes()})
    expect(page.get_by_text(wording("{file}: {rows:,} rows ×…"))).to_be_visible()
    expect(page.get_by_text(mine)).to_be_visible()
    expect(page).to_have_url(re.compile("vectors=yours"))  # the address comes last in a run
    upload(page, {"name": "bad.npy", "mimeType": "", "buffer": b"\x80\x04N."})
    expect(page.get_by_text(wording("The previous one stays."))).to_be_visible()
    expect(page.get_by_text(mine)).to_be_visible()


def test_a_file_that_is_too_large_is_refused_with_a_reason(opened: Page, tmp_path: Path) -> None:
    refused = opened.get_by_text(wording("Over {limit} MB or another…"))
    expect(refused).to_be_hidden()
    with (tmp_path / "large.npy").open("wb") as file:
        file.truncate(300_000_000)
    opened.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(tmp_path / "large.npy")
    expect(refused).to_be_visible()


def test_the_pair_of_files_can_be_saved(opened: Page) -> None:
    idle(opened)
    with opened.expect_download() as saved:
        opened.get_by_role("button", name=wording("Names (metadata.tsv)")).last.click()
    names = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    assert names == learned()
