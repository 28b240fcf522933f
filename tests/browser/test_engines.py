"""The app in Firefox and WebKit: every page, and one of each kind of what readers do there."""

import io
import os
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

from tests.browser.engines import ENGINES, Engine, find_program
from tests.browser.serving import Server
from tests.browser.test_slides import READ, is_sound
from tests.browser.windows import FIGURES
from tests.waiting import SOON, wait_until

pytestmark = pytest.mark.thorough
REQUIRED = "EMBEDDING_EXPLORER_REQUIRE_ENGINES"
NEEDED = {"firefox": "firefox-esr", "webkit": "webkit2gtk-driver and xvfb"}
CAT = "/?text=The+cat+sat&table=random"
CHIPS = "return findAll('[data-testid=token-chip]').map((chip) => chip.innerText.split('\\n')[0].trim()).join(' ');"
ATTRIBUTE = "return find(arguments[0])?.getAttribute(arguments[1]);"


@pytest.fixture(scope="session", params=ENGINES)
def browser_engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    name = request.param
    path = find_program(name)
    if path is None:
        reason = f"no {name} on this machine: install Debian's {NEEDED[name]}"
        if os.environ.get(REQUIRED):
            pytest.fail(f"{reason}; {REQUIRED} is set")
        pytest.skip(reason)
    engine = ENGINES[name](tmp_path_factory.mktemp(name), path)
    yield engine
    engine.close()


@pytest.fixture
def engine(browser_engine: Engine, server: Server) -> Iterator[Engine]:
    """A browser of 1440 x 900 that nobody has used on the server; the test fails on any error in its console."""
    browser_engine.goto(f"{server.url}/_stcore/health")
    browser_engine.run("sessionStorage.clear(); localStorage.clear();")
    browser_engine.resize(1440, 900)
    browser_engine.errors()  # of the page that was left, which loses its connection
    yield browser_engine
    assert browser_engine.errors() == []
    assert browser_engine.run("return findAll('[role=alert]').map((part) => part.innerText);") == []


def open_page(engine: Engine, server: Server, path: str) -> None:
    engine.goto(server.url + path)
    engine.idle()


def scroll_through(engine: Engine) -> None:
    """Scroll to the page's end and back, and let each section be drawn on the way."""
    down = """const main = find('[data-testid="stMain"]');
        const before = main.scrollTop;
        main.scrollBy({ top: innerHeight * 0.8, behavior: "instant" });
        return main.scrollTop > before + 1;"""
    while engine.run(down):
        engine.idle()
    engine.run("find('[data-testid=stMain]').scrollTo({ top: 0, behavior: 'instant' });")


def assert_no_sideways_scroll(engine: Engine) -> None:
    engine.wait(
        """return [document.documentElement, find('[data-testid="stMain"]')]
            .every((part) => part.scrollWidth === part.clientWidth);"""
    )


@pytest.mark.parametrize("path", FIGURES)
def test_a_page_draws_its_pictures_in_a_wide_window_and_on_a_phone(engine: Engine, server: Server, path: str) -> None:
    open_page(engine, server, path)
    assert engine.run("return find('h1').innerText;")
    scroll_through(engine)
    assert_no_sideways_scroll(engine)
    pictures = engine.run(
        """return findAll("canvas, .js-plotly-plot").filter((part) => part.checkVisibility()).map((part, at) => {
            part.dataset.picture = at;
            return `[data-picture="${at}"]`;
        });"""
    )
    for picture in pictures:
        engine.wait_for_colours(picture, 2)
    engine.resize(390, 844)
    engine.idle()
    assert_no_sideways_scroll(engine)
    key = FIGURES[path][0].split(" ")[0]
    engine.wait_for_colours(f".st-key-{key}", 10)


def test_what_is_typed_becomes_tokens_whose_link_can_be_copied(engine: Engine, server: Server) -> None:
    open_page(engine, server, CAT)
    assert engine.run(CHIPS) == "The ·cat ·sat"
    lines = engine.element_box("[data-testid=live-text]")["height"]
    assert lines < 60  # of one line
    engine.point_at("[data-testid=live-text]", click=True)
    engine.press("Control", "End")
    for letter in " on a mat":
        engine.press(letter)
    engine.wait(CHIPS.replace("join(' ')", "join(' ') === 'The ·cat ·sat ·on ·a ·mat'"))
    engine.wait("return location.search.startsWith('?text=The+cat+sat+on+a+mat');")
    engine.idle()
    engine.point_at("[data-testid=copy-link]", click=True)
    engine.wait("return find('[data-testid=copy-link-said]')?.textContent;")
    engine.point_at("[data-testid=live-text]", click=True)
    engine.press("Control", "a")
    engine.press("Control", "v")
    engine.wait(
        "return find('[data-testid=live-text]').value === location.href.replace(/text=http[^&]*/, arguments[0]);",
        "text=The+cat+sat+on+a+mat",
    )


def test_a_token_is_chosen_and_the_sum_is_played_by_mouse_and_by_key(engine: Engine, server: Server) -> None:
    open_page(engine, server, CAT)
    engine.point_at("[data-testid=token-chip]", click=True)
    engine.wait("return find('[data-testid=token-chip][aria-selected=true]')?.innerText.startsWith('The');")
    engine.wait("return location.search.includes('token=0');")
    engine.idle()
    step = "return Number(find('[data-testid=vector-sum]').dataset.step)"
    before = engine.run(step)
    engine.point_at("[data-testid=step-back]", click=True)
    engine.wait(f"{step} === arguments[0];", before - 1)
    engine.run("find('[data-testid=step-range]').focus();")
    engine.press("ArrowRight")
    engine.wait(f"{step} === arguments[0];", before)


def test_the_numbers_of_a_cell_are_shown_at_the_mouse(engine: Engine, server: Server) -> None:
    open_page(engine, server, CAT)
    readout = "const part = find('[data-testid=sum-readout]'); return part?.checkVisibility() && part.innerText;"
    before = engine.run(readout)
    box = engine.element_box("[data-testid=sum-canvas]")
    engine.point(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 0.4)
    wait_until(lambda: engine.run(readout) not in (before, ""), patience=SOON)


def test_points_of_the_cloud_are_drawn_named_at_the_mouse_and_zoomed(engine: Engine, server: Server) -> None:
    open_page(engine, server, "/projection?vectors=learned")
    assert engine.run(ATTRIBUTE, "[data-testid=point-cloud]", "data-painter") in ("webgl", "plain")
    engine.wait_for_colours("[data-testid=cloud-stage]", 50)
    box = engine.element_box("[data-testid=cloud-canvas]")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def named() -> bool:
        nonlocal x
        x += 3
        engine.point(x, y)
        engine.run("return new Promise(requestAnimationFrame).then(() => 1);")
        return bool(engine.run("const tip = find('[data-testid=cloud-tip]'); return !tip.hidden && tip.innerText;"))

    wait_until(named)
    scale = "return JSON.parse(find('[data-testid=point-cloud]').dataset.view).scale;"
    before = engine.run(scale)
    x, y = box["x"] + 5, box["y"] + 5
    engine.point(x, y, click=True)  # on no point: from now on the wheel zooms
    engine.turn_wheel(x, y, -300)
    engine.wait(f"{scale[:-1]} > arguments[0] * 1.1;", before)


def test_a_chart_names_what_the_mouse_is_at(engine: Engine, server: Server) -> None:
    open_page(engine, server, CAT)
    scroll_through(engine)
    box = engine.element_box(".js-plotly-plot .scatterlayer .point[d*=A]")  # a circle; ends of arrows have no size
    engine.point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    engine.wait("return find('.js-plotly-plot .hoverlayer .hovertext')?.textContent;")


@pytest.mark.parametrize("kind", ["csv", "png", "svg"])
def test_a_figure_is_saved_as_a_file(engine: Engine, server: Server, kind: str) -> None:
    open_page(engine, server, CAT)
    scroll_through(engine)
    menu = "[data-offer$='/token-chips']" if kind == "csv" else "[data-offer$='/input-embeddings']"
    engine.point_at(f"{menu} [data-opens]", click=True)
    engine.point_at(f"{menu} [data-save={kind}]", click=True)
    name, content = engine.take_download()
    assert name.endswith(f".{kind}")
    if kind == "png":
        with Image.open(io.BytesIO(content)) as image:
            assert len(np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0)) > 20
    else:
        assert b"cat" in content


def test_a_slide_is_whole_and_legible_and_a_key_goes_on(engine: Engine, server: Server) -> None:
    engine.resize(1280, 720)
    open_page(engine, server, "/?lesson=tour&stop=3")
    engine.press("p")
    engine.wait("return find('[data-testid=slide-number]')?.innerText.startsWith('4 /');")
    engine.idle()
    read = engine.wait(f"return ({READ})();")
    assert is_sound(read), read
    engine.press("PageDown")
    engine.wait("return find('[data-testid=vector-sum]').dataset.step === '1';")
    engine.press("ArrowDown")
    engine.wait("return find('[data-testid=slide-number]').innerText.startsWith('5 /');")
    engine.press("Escape")
    engine.wait("return !find('[data-testid=slide-number]');")
