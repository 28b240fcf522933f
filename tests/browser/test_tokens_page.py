"""The tokens page in a browser: rows under one text, the merges and bytes of the character that one chooses."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage
from tests.browser.idle import assert_no_sideways_scroll, draw_all, idle, linked, place_of, rerun
from tests.browser.serving import Server
from tests.messages import whole, wording

HOSTILE = "?text=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E+%5Ba%5D(http%3A%2F%2F192.0.2.1)+%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7"
ALL = "&tokenizers=words,gpt2,bpe,wordpiece,unigram,characters,bytes"
LINES = "Lines {first}–{last} of {count}"

# How far letters of chips stand from the characters above them, in px; letters that join are one text.
APART = """rows => [...rows.querySelectorAll(".chip")].flatMap(chip => {
  const middle = part => { const { left, right } = part.getBoundingClientRect(); return (left + right) / 2; };
  const columns = part => part.style.gridColumn.split(" / ").map(Number);
  const [start, stop] = columns(chip);
  const letters = [...chip.querySelectorAll(".letter")];
  const characters = [...chip.closest(".line").querySelectorAll(".character")]
    .filter(each => start <= columns(each)[0] && columns(each)[0] < stop);
  if (letters.length < 2 || letters.length !== characters.length) return [];
  return letters.map((letter, index) => Math.abs(middle(letter) - middle(characters[index])));
})"""


def open_tokens(page: Page, query: str = "") -> None:
    page.goto(f"/tokens{query}")
    idle(page)
    draw_all(page)
    expect(page.get_by_test_id("token-rows")).to_be_visible()


@pytest.fixture(scope="module")
def opened(new_shared_page: NewPage, server: Server) -> Page:
    """The page opened once for the tests that bring their own text."""
    page = new_shared_page(server)
    open_tokens(page)
    return page


def test_what_one_types_is_cut_at_once_and_is_in_the_link(opened: Page) -> None:
    counts, area = opened.get_by_test_id("token-count"), opened.locator(".st-key-live-text textarea")
    with rerun(opened):
        area.fill("The cat sat on the mat")
    expect(counts.filter(has_text="GPT-2")).to_contain_text("6")
    with rerun(opened):
        area.fill("unbelievable")
    expect(counts.filter(has_text=wording("single characters"))).to_contain_text("12")
    letter = opened.get_by_test_id("byte-table").locator("[data-column='0']")
    expect(letter).to_have_text("u75")
    letter.hover()
    expect(opened.get_by_test_id("byte-readout")).to_contain_text("LATIN SMALL LETTER U")
    expect(opened).to_have_url(linked("text=unbelievable"))


def test_a_chat_typed_as_text_loses_its_borders(opened: Page) -> None:
    chat = opened.get_by_test_id("token-line")
    expect(chat.locator(".token-chip.special:has(small)")).to_have_count(6)
    with rerun(opened):
        opened.get_by_role("radio", name=wording("as ordinary text")).click()
    expect(chat.locator(".token-chip.special:has(small)")).to_have_count(0)
    expect(chat.locator(".token-chip.typed").nth(30)).to_be_visible()
    with rerun(opened):
        opened.get_by_label(wording("Assistant")).fill("")
    expect(chat.locator(".who")).to_have_text(["System", "User", "Who speaks next"])
    expect(opened).to_have_url(linked("chat_assistant="))


def test_a_text_that_runs_from_right_to_left_does_so_in_rows_and_pieces(opened: Page) -> None:
    area = opened.locator(".st-key-live-text textarea")
    with rerun(opened):
        area.fill("السلام عليكم GPT")
    expect(area).to_have_css("direction", "rtl")
    expect(opened.get_by_test_id("token-rows").locator(".character")).to_have_count(16)
    lefts = (
        "elements => elements.map(element => element.getBoundingClientRect().left)"
        ".every((left, index, all) => !index || left < all[index - 1])"
    )
    words = opened.get_by_test_id("token-rows").locator(".line .chip")
    characters = opened.get_by_test_id("token-rows").locator(".character")
    pieces = opened.get_by_test_id("merge-player").locator(".strip > [role=option]")
    for read in (characters, pieces):  # each further to the left than the one before
        expect(read.first).to_be_visible()
        assert read.evaluate_all(lefts)
    expect(words.first).to_have_text("السلام")
    opened.get_by_test_id("token-rows").focus()
    for key in ("ArrowLeft", "ArrowLeft"):
        opened.keyboard.press(key)
    expect(words.nth(1)).to_have_class(re.compile("cursor"))
    pieces.first.focus()
    opened.keyboard.press("ArrowLeft")
    expect(pieces.nth(1)).to_be_focused()


@pytest.mark.thorough
def test_an_example_and_its_question_are_answered(opened: Page) -> None:
    with rerun(opened):
        opened.get_by_role("button", name=wording("Examples")).click()
        opened.get_by_role("radio", name=wording("A special token")).click()
    expect(opened.locator(".st-key-live-text textarea")).to_have_value(
        "Hello, do you like tea? <|endoftext|> In the sunlit terraces of someunknownPlace."
    )
    expect(opened.get_by_test_id("token-count").filter(has_text="GPT-2")).to_contain_text("20")
    with rerun(opened):
        opened.locator(".st-key-question-tokens-dearest").get_by_text(whole(wording("Hindi"))).click()
    expect(opened.get_by_text(wording("{language} takes {tokens:,} tokens…", tokens="70"))).to_be_visible()


def test_a_chosen_character_is_followed_to_its_merges_and_its_bytes(opened: Page) -> None:
    with rerun(opened):
        opened.locator(".st-key-live-text textarea").fill("The cat sat on the mat")
    rows = opened.get_by_test_id("token-rows")
    rows.focus()
    for key in ("Home", "ArrowRight", "ArrowRight"):
        opened.keyboard.press(key)
    with rerun(opened):
        opened.keyboard.press("Enter")
    expect(opened).to_have_url(re.compile("character="))
    column = int(opened.url.split("character=")[1].split("&")[0])
    word = "cat" if column < 7 else "sat"
    expect(opened.get_by_role("option", selected=True).filter(has_text=word)).to_be_visible()
    expect(opened.get_by_test_id("rows-readout")).to_contain_text("id")
    opened.reload()
    idle(opened)
    draw_all(opened)
    expect(opened.get_by_test_id("token-count").filter(has_text="GPT-2")).to_contain_text(f"·{word}")
    # The player begins with the whole piece, before the ranks that the first question asks about.
    expect(opened.get_by_test_id("merge-step")).to_contain_text(wording("Step {number} of {count}", number="1"))
    expect(opened.locator(".rank")).to_have_count(0)
    expect(opened.get_by_role("option", selected=True).filter(has_text=word)).to_be_visible()
    with rerun(opened):
        opened.get_by_role("option").filter(has_text="mat").click()
    expect(opened).to_have_url(linked("character=18"))
    for _ in range(4):
        opened.get_by_test_id("merge-forward").click()
    merge = opened.get_by_test_id("merge-log").get_by_role("button").first
    expect(merge).to_contain_text("→")
    merge.click()
    expect(opened.get_by_test_id("merge-step")).to_contain_text(wording("Step {number} of {count}", number="3"))


@pytest.mark.thorough
def test_a_text_stays_text_and_nothing_is_cut_off_on_a_phone(new_page: NewPage, server: Server) -> None:
    page = new_page(server, width=390, height=844, color_scheme="dark")
    open_tokens(page, HOSTILE + "+%D9%85%D8%B3%D8%A7%D8%A1+and+more" * 4 + ALL)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.locator("a[href*='192.0.2.1'], img[src='x']")).to_have_count(0)
    assert_no_sideways_scroll(page)
    # Whole lines are in sight, and buttons go on; letters stand under their characters.
    expect(page.get_by_test_id("lines")).to_have_text(whole(wording(LINES, first=1, last=3)))
    page.get_by_test_id("lines-next").click()
    expect(page.get_by_test_id("lines")).to_have_text(whole(wording(LINES, first=4, last=6)))
    apart = page.get_by_test_id("token-rows").evaluate(APART)
    assert len(apart) > 10
    assert max(apart) <= 1.5
    letter = page.locator(".character").filter(has_text=re.compile("^م$")).first
    place_of(letter)  # scrolled into view: what one reads at a character goes when it scrolls
    letter.click()
    expect(page.get_by_test_id("rows-readout")).to_contain_text("GPT-2")
