"""Every download of every page is clicked, and what comes is read."""

import csv
import json
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from safetensors.torch import load_file

from tests.browser.conftest import NewPage
from tests.browser.idle import TRAFFIC, draw_all, idle
from tests.browser.serving import Server
from tests.messages import wording

SCHEMES = ("learned", "rope", "alibi", "t5", "transformer_xl")  # the sinusoids and these have every kind of figure
# A table and a figure; all others by --all. The cloud has a test below.
OF_EACH_KIND = ("token-chips", "input-embeddings")
OFFERS = (
    ("/", OF_EACH_KIND),
    *(
        pytest.param(address, (), marks=pytest.mark.thorough)
        for address in (
            *(
                "/",
                "/projection",
                "/tokens",
                "/embedding_layer",
                "/batches",
                "/positions",
                "/word_order",
                "/compare",
                "/training",
                "/extrapolation",
                "/context",
            ),
            *(f"/positions?scheme={scheme}" for scheme in SCHEMES),
            "/compare?schemes=none,t5,shaw,fire&unit=standard",
        )
    ),
)


def table_of_numbers(text: str) -> None:
    lines = list(csv.reader(text.splitlines()))
    assert len(lines) > 1
    assert {len(line) for line in lines} == {len(lines[0])}
    assert all(lines[0])
    assert re.search(r"\d", "".join(lines[-1]))


def lines_of_a_table(text: str) -> None:
    lines = text.splitlines()
    assert len(lines) > 1
    assert {line.count("\t") for line in lines} == {lines[0].count("\t")}


def figure_of_its_own(text: str) -> None:
    assert "Plotly.newPlot(" in text or "<tbody><tr><td>" in text
    assert text.rstrip().endswith("</html>")


def picture_on_white_paper(file: Path) -> None:
    with Image.open(file) as image:
        image.load()
        assert image.width >= 1_200
        pixels = np.asarray(image.convert("RGB"))
        assert all(tuple(pixels[corner]) == (255, 255, 255) for corner in ((0, 0), (0, -1), (-1, 0), (-1, -1)))
        assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
        assert image.info["Title"]
        assert image.info["Source"].startswith("http")


def drawing_on_white_paper(file: Path) -> None:
    root = ElementTree.parse(file).getroot()
    name = {"svg": "http://www.w3.org/2000/svg"}
    title, link = root.findtext("svg:title", namespaces=name), root.find(".//svg:g/svg:a", name)
    assert title
    assert link is not None
    said = "".join(root.itertext())
    assert said.count(title.split()[0]) > 1  # in the picture too
    assert link.attrib["href"] in (root.findtext("svg:desc", namespaces=name) or "")
    ground = root.find("svg:rect", name)
    assert ground is not None
    assert ground.attrib["fill"] == "#ffffff"
    drawn = root.find("svg:svg", name)
    assert drawn is not None
    assert any(drawn.findall(f".//svg:{kind}", name) for kind in ("path", "rect"))
    assert drawn.findall(".//svg:text", name)


def named_arrays(file: Path) -> None:
    with np.load(file, allow_pickle=False) as read:
        assert json.loads(str(read["meta"]))["link"].startswith("http")
        assert len(read.files) > 1
        assert all(read[name].size for name in read.files)


def one_array(file: Path) -> None:
    assert np.load(file, allow_pickle=False).size


def notebook_with_a_program(text: str) -> None:
    notebook = nbformat.reads(text, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert any(cell.cell_type == "code" for cell in notebook.cells)


CHECKS = {
    ".csv": table_of_numbers,
    ".tsv": lines_of_a_table,
    ".html": figure_of_its_own,
    ".ipynb": notebook_with_a_program,
}
FILES = {".png": picture_on_white_paper, ".svg": drawing_on_white_paper, ".npz": named_arrays, ".npy": one_array}


def check(file: Path) -> None:
    """Read what came as what its name says that it is."""
    if file.suffix == ".safetensors":
        assert all(len(tensor) for tensor in load_file(file).values())
    elif file.suffix in FILES:
        FILES[file.suffix](file)
    else:
        CHECKS[file.suffix](file.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def dark(new_shared_page: NewPage, server: Server) -> Page:
    """A page in the dark, in which one address is opened after the other."""
    return new_shared_page(server, color_scheme="dark")


@pytest.mark.thorough
def test_a_file_that_cannot_be_made_is_said_in_a_sentence_and_the_page_goes_on(dark: Page) -> None:
    dark.goto("/")
    idle(dark)
    dark.route("**/saved/**", lambda route: route.fulfill(status=404))
    menu = dark.locator("[data-offer]").first
    opens = menu.locator("[data-opens]")
    expect(menu.locator("[data-save]").first).to_be_hidden()
    opens.press("Enter")
    expect(opens).to_have_attribute("aria-expanded", "true")
    menu.get_by_role("button", name="CSV").click()
    expect(menu.get_by_role("status")).to_have_text(wording("This file could not be made:…"))
    expect(opens).to_be_focused()
    expect(opens).to_have_attribute("aria-expanded", "false")
    traffic = TRAFFIC[dark]
    traffic.complaints = [said for said in traffic.complaints if "/saved/" not in said]  # the console says it too
    dark.unroute("**/saved/**")
    opens.press("Enter")
    with dark.expect_download():
        menu.get_by_role("button", name="CSV").click()
    expect(menu.get_by_role("status")).to_have_text("")
    opens.press("Enter")
    dark.keyboard.press("Escape")
    expect(opens).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize(("address", "offers"), OFFERS)
def test_every_download_comes_and_holds_what_it_says(
    dark: Page, server: Server, address: str, offers: tuple[str, ...], tmp_path: Path
) -> None:
    page = dark
    said_before = len(server.log.read_text())
    if page.url != f"{server.url}{address}":
        page.goto(address)
    idle(page)
    if not offers:
        draw_all(page, programs=True)
    names: list[str] = []

    def take(button: Locator) -> None:
        with page.expect_download() as saved:
            button.click()
        names.append(saved.value.suggested_filename)
        saved.value.save_as(tmp_path / names[-1])
        check(tmp_path / names[-1])

    for button in page.locator("[data-save][data-name]").all():
        take(button)
    named = ", ".join(f"[data-offer$='/{name}']" for name in offers)
    for menu in page.locator(named or "[data-offer]:has([data-opens])").all():
        for button in menu.locator("[data-save]").all():
            menu.locator("[data-opens]").click()
            take(button)
        assert menu.get_by_role("status").text_content() == ""
    assert names, "the page offers no download"
    assert len(set(names)) == len(names)
    idle(page)
    assert "does not exist anymore" not in server.log.read_text()[said_before:]
    if address == "/":
        with np.load(tmp_path / "input-embeddings.npz", allow_pickle=False) as read:
            sums = read["token_embeddings"] + read["position_vectors"]
            np.testing.assert_array_equal(sums, read["input_embeddings"])
        offline = page.context.browser.new_context(offline=True).new_page()  # type: ignore[union-attr]
        offline.goto((tmp_path / "input-embeddings.html").as_uri())
        expect(offline.locator(".main-svg").first).to_be_visible()
        offline.context.close()


@pytest.mark.thorough
@pytest.mark.parametrize("view", ["2d", "3d"])
def test_a_cloud_is_saved_as_it_is_in_view(page: Page, view: str, tmp_path: Path) -> None:
    page.goto(f"/projection?view={view}&vectors=learned&look=1~point-cloud.camera!4,0.1,0.1,0,0.5,0.3")
    idle(page)
    menu = page.locator("[data-offer$='/embedding-map']")
    menu.locator("[data-opens]").click()
    with page.expect_response(re.compile("/saved/.*embedding-map.json")) as answered, page.expect_download() as saved:
        menu.locator("[data-save=svg]").click()
    figure = answered.value.json()["figure"]
    layout = figure["layout"]
    if view == "2d":
        assert len(layout["shapes"]) == 4  # the text's four tokens that have rows
        (left, right), (bottom, top) = layout["xaxis"]["range"], layout["yaxis"]["range"]
        assert right - left == pytest.approx((top - bottom) * 4 / 3, rel=0.5)  # of the picture on the page
    else:
        camera = layout["scene"]["camera"]
        assert camera["projection"]["type"] == "orthographic"
        assert camera["up"]["y"] == pytest.approx(math.cos(0.3))
        assert {trace["type"] for trace in figure["data"]} == {"scatter3d"}
    saved.value.save_as(tmp_path / "map.svg")
    assert "look=1~point-cloud.camera!4,0.1,0.1,0,0.5,0.3" in (tmp_path / "map.svg").read_text(encoding="utf-8")
