"""Every download of every page is clicked, and what comes is read."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page
from safetensors.torch import load_file

from tests.browser.idle import draw_all, idle
from tests.browser.serving import Server

SCHEMES = ("learned", "rope", "alibi", "t5", "transformer_xl")  # the sinusoids and these have every kind of figure
# A page of our own canvases, one of Plotly's figures and one of a table; all others when there is time.
ADDRESSES = (
    *("/", "/compare", "/projection"),
    *(
        pytest.param(address, marks=pytest.mark.thorough)
        for address in (
            *(
                "/tokens",
                "/embedding_layer",
                "/batches",
                "/positions",
                "/word_order",
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
    assert "Plotly.newPlot(" in text
    assert text.rstrip().endswith("</html>")


CHECKS = {".csv": table_of_numbers, ".tsv": lines_of_a_table, ".html": figure_of_its_own}


def check(file: Path) -> None:
    """Read what came as what its name says that it is."""
    if file.suffix == ".safetensors":
        assert all(len(tensor) for tensor in load_file(file).values())
    else:
        CHECKS[file.suffix](file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_download_comes_and_holds_what_it_says(page: Page, server: Server, address: str, tmp_path: Path) -> None:
    said_before = len(server.log.read_text())
    page.goto(address)
    idle(page)
    draw_all(page)
    names = []
    for button in page.get_by_test_id("stDownloadButton").get_by_role("button").all():
        with page.expect_download() as saved:
            button.click()
        names.append(saved.value.suggested_filename)
        saved.value.save_as(tmp_path / names[-1])
        check(tmp_path / names[-1])
    assert names, "the page offers no download"
    assert len(set(names)) == len(names)
    idle(page)
    assert "does not exist anymore" not in server.log.read_text()[said_before:]
