"""The positions page in a browser: every scheme, and what an eye or a screen reader would stumble over."""

import re
from urllib.parse import quote

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

from embedlib.figures import DIVERGING, colour_limit
from embedlib.measures import paired_columns
from embedlib.positional import SCHEMES, make_scheme, sinusoidal_table
from tests.browser.conftest import NewPage
from tests.browser.idle import draw, draw_all, idle, linked, rerun, settled
from tests.browser.serving import Server
from tests.messages import wording
from ui.components.two_hands import LABELS

# One of each kind of figure; tests without a browser open the page with every scheme.


@pytest.fixture(scope="module")
def kept(new_shared_page: NewPage, server: Server) -> Page:
    """The page opened once, with the sinusoids, and all of it drawn."""
    page = new_shared_page(server)
    page.goto("/positions")
    idle(page)
    assert charts_of(page)
    return page


def charts_of(page: Page) -> int:
    """Have all of the page drawn; return how many charts there are."""
    draw_all(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    drawn: int = settled(
        page,
        """() => {
            const charts = [...document.querySelectorAll('[data-testid="stPlotlyChart"]')];
            return charts.every(chart => chart.querySelector(".main-svg")) ? charts.length : null;
        }""",
    )
    return drawn


def test_the_page_opens_with_its_figures_drawn_and_the_marked_position_moves_by_key_and_click(kept: Page) -> None:
    slider = kept.get_by_role("slider", name=wording("Position to follow"))
    with rerun(kept):
        slider.press("ArrowRight")
    expect(slider).to_have_value("9")
    expect(kept).to_have_url(linked("position=9"))
    dot = kept.locator(".st-key-near-positions-circles .point").nth(47)  # of the first pair, over position 3
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    assert box is not None
    with rerun(kept):
        kept.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(slider).to_have_value("47")


def choose_scheme(page: Page, scheme: str) -> None:
    page.locator(".st-key-scheme").get_by_role("combobox").click()
    with rerun(page):
        page.get_by_role("option", name=SCHEMES[scheme].title, exact=True).click()
    expect(page).to_have_url(linked(f"scheme={scheme}"))


def test_two_hands_moved_together_keep_their_score_and_it_is_that_of_the_scheme(kept: Page) -> None:
    choose_scheme(kept, "rope")
    hands = kept.get_by_test_id("two-hands")
    query, key = (hands.get_by_role("slider").nth(index) for index in (0, 1))
    together = hands.get_by_role("checkbox")
    score = hands.locator("dd").last

    def library_score() -> str:
        """The score of unit vectors along the first dimension of each pair, at the positions of the sliders."""
        scheme = make_scheme("rope", d_model=64, n_heads=4)
        first, _second = paired_columns(scheme)
        unit = torch.zeros(1, 4, 64, 16, dtype=torch.float64)  # (batch, heads, positions, head_dim)
        unit[..., first] = 1
        queries, keys = scheme.rotate(unit, unit)
        product = queries[0, 0, int(query.input_value())] @ keys[0, 0, int(key.input_value())]
        return f"{float(product):.2f}".replace("-", "−")

    query.scroll_into_view_if_needed()
    position = int(query.input_value())
    before = library_score()
    expect(score).to_have_text(before)
    query.press("ArrowRight")
    expect(query).to_have_value(f"{position + 1}")
    expect(key).to_have_value(f"{position - 4}")
    expect(score).to_have_text(before)
    expect(hands.get_by_role("status")).to_have_text(wording(LABELS["stays"], shift=1))
    query.press("End")
    expect(query).to_have_value("63")
    expect(key).to_have_value("58")
    expect(score).to_have_text(before)

    followed = kept.locator(".st-key-followed").get_by_role("slider", name=wording("Position to follow"))
    position = int(followed.input_value())
    with rerun(kept):
        followed.press("ArrowRight")
    expect(query).to_have_value(f"{position + 1}")
    expect(key).to_have_value(f"{position - 4}")
    expect(score).to_have_text(before)
    query.press("End")
    together.uncheck()
    with rerun(kept):
        followed.press("ArrowRight")
    expect(query).to_have_value(f"{position + 2}")
    expect(key).to_have_value("58")
    query.press("End")
    key.press("Home")
    expect(query).to_have_value("63")
    assert library_score() != before
    expect(score).to_have_text(library_score())
    expect(kept).to_have_url(re.compile(r"look=.*two-hands\.hands!63,0,0,"))
    query.fill("58")
    key.fill("63")
    expect(hands.get_by_role("status")).to_have_text(wording(LABELS["mirrored"], distance="−5"))
    expect(score).to_have_text(before)


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["rope", "none", "t5", "transformer_xl"])
def test_every_kind_of_scheme_draws_its_figures(kept: Page, scheme: str) -> None:
    choose_scheme(kept, scheme)
    assert (charts_of(kept) > 0) == (scheme != "none")


@pytest.mark.thorough
def test_the_doctor_reads_a_config_sets_the_page_and_finds_its_rotation(kept: Page) -> None:
    if "scheme=rope" not in kept.url:
        choose_scheme(kept, "rope")
    charts_of(kept)
    text = kept.locator(".st-key-rope_config_0 textarea")
    with rerun(kept):
        text.fill('{"model_type": "gptj", "n_embd": 64, "n_head": 4, "rotary_dim": 8, "rope_theta": 20000}')
        text.blur()
    with rerun(kept):
        kept.locator(".st-key-rope-config-set button").click()
    expect(kept).to_have_url(linked("rope.base=20000"))
    expect(kept).to_have_url(linked("rope.rotary_fraction=0.5"))
    charts_of(kept)
    best = kept.locator(".text-table").last.locator("tbody tr").first
    expect(best).to_contain_text("✓ interleaved")
    expect(best).to_contain_text("20,000")


@pytest.mark.thorough
def test_the_button_below_a_formula_opens_its_verdict(page: Page) -> None:
    own = '[[1,"Mine",["sin(p / (i + 1))","","",""],"interleaved",""]]'
    page.goto(f"/compare?schemes=rope,formula:1&formulas={quote(own)}")
    idle(page)
    page.locator("summary", has_text=wording("Your schemes")).click()
    page.locator(".st-key-own-verdict-1 button").click()
    verdict = page.get_by_role("heading", name=wording("Verdict"), exact=True)
    expect(page.locator(".st-key-near-positions-verdict table")).to_be_in_viewport(ratio=0.5)
    expect(verdict).to_be_in_viewport()
    expect(page).to_have_url(re.compile(r"/positions\?.*scheme=formula%3A1"))
    expect(page).not_to_have_url(re.compile("to!"))


def test_a_control_that_the_server_sets_shows_its_value_and_keeps_its_css_class(page: Page) -> None:
    page.goto("/positions?positions=32&columns=all")
    idle(page)
    number = page.locator(".st-key-positions input")
    expect(number).to_have_value("32")
    for entered in ("40", "48"):
        number.fill(entered)
        with rerun(page):
            number.press("Enter")
        expect(number).to_have_value(entered)
        with rerun(page):
            page.locator(".st-key-reset button").click()
        expect(number).to_have_value("64")


def test_a_heatmap_with_more_columns_than_pixels_shows_their_means(new_page: NewPage, server: Server) -> None:
    page = new_page(server, width=390, height=844)
    page.goto("/positions?scheme=sinusoidal&d_model=512&columns=all&positions=64")
    idle(page)
    draw(page, "positions-vectors")
    image = page.locator(".st-key-near-positions-vectors .heatmaplayer image")
    expect(image).to_have_css("image-rendering", "pixelated")
    shape, pixels = image.evaluate(_PIXELS)

    picture = np.array(pixels, dtype=np.float64).reshape(*shape, 4)[..., :3]
    table = sinusoidal_table(64, 512)
    together = 512 // shape[1]
    assert together > 1
    means = table.reshape(64, -1, together).mean(2).numpy()
    stops = np.array([[int(stop[at : at + 2], 16) for at in (1, 3, 5)] for stop in DIVERGING["light"]])
    limit = colour_limit(table)
    places = np.linspace(-limit, limit, len(stops))
    expected = np.stack([np.interp(means, places, channel) for channel in stops.T], axis=-1)
    assert np.abs(picture - expected).max() < 4  # of 255: there are as many colours


_PIXELS = """async image => {
    const picture = new Image();
    picture.src = image.getAttribute("href");
    await picture.decode();
    const { width, height } = picture;
    const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    context.drawImage(picture, 0, 0);
    return [[height, width], [...context.getImageData(0, 0, width, height).data]];
}"""
