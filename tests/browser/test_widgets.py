"""Widgets in a real JupyterLab: clicked, read and set by cells, by keyboard, in its themes, without their kernel."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import HEIGHT, REQUIRED, WIDTH
from tests.browser.serving import ROOT, free_port
from tests.waiting import PATIENCE, wait_until

CELLS = (
    """
from embedlib import embed_text, make_scheme
from embedlib.widgets import cloud, matrix, token_chips, token_rows, two_hands, vector_sum
embedded = embed_text("the cat sat on the mat", d_model=16)
chips = token_chips(embedded)
chips
""",
    "print('chosen', chips.chosen)",
    "chips.chosen = 4",
    "vector_sum(embedded)",
    "token_rows('the untokenized cat')",
    "matrix(embedded)",
    "cloud(embedded.token_embeddings, [token.bytes for token in embedded.tokens])",
    "hands = two_hands(make_scheme('rope', d_model=16, n_heads=1))\nhands",
    "print('query', hands.query)",
    "hands",
)
TOKEN = "lab"


@pytest.fixture(scope="module")
def lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run JupyterLab with a notebook of CELLS, as a stranger to the machine's settings, and give its address."""
    if importlib.util.find_spec("jupyterlab") is None:
        if os.environ.get(REQUIRED):
            pytest.fail(f"no jupyterlab: install requirements-dev.txt; {REQUIRED} is set")
        pytest.skip("needs jupyterlab, which requirements-dev.txt names")
    folder = tmp_path_factory.mktemp("lab")
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = nbformat.v4.new_notebook(cells=[*map(nbformat.v4.new_code_cell, CELLS)], metadata=kernel)
    (folder / "files").mkdir()
    nbformat.write(notebook, folder / "files" / "widgets.ipynb")
    own = {name: str(folder / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
    environment = {**os.environ, **own, "IPYTHONDIR": str(folder / "ipython"), "PYTHONPATH": str(ROOT)}
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    settings = [f"--ServerApp.port={port}", f"--ServerApp.token={TOKEN}", f"--ServerApp.root_dir={folder / 'files'}"]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--LabApp.news_url=None", *settings]
    log = folder / "lab.log"
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT)

        def answers() -> bool:
            assert process.poll() is None, log.read_text()
            with suppress(OSError), urllib.request.urlopen(f"{url}/api", timeout=PATIENCE):
                return True
            return False

        try:
            wait_until(answers, log.read_text)
            yield url
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


def open_notebook(browser: Browser, url: str) -> tuple[Page, list[str]]:
    """Open the notebook in a browser of its own; return its page, and the addresses that it asks for elsewhere."""
    page = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}).new_page()
    page.set_default_timeout(PATIENCE * 1000)
    elsewhere: list[str] = []
    page.on("request", lambda request: request.url.startswith(("http", "ws")) and elsewhere.append(request.url))
    page.goto(f"{url}/lab/tree/widgets.ipynb?token={TOKEN}&reset")
    page.get_by_role("button", name=re.compile(r"\| Idle")).wait_for()  # before its kernel is there, it asks for one
    return page, elsewhere


def cell(page: Page, number: int) -> Locator:
    return page.locator(".jp-Notebook .jp-Cell").nth(number)


def run_cell(page: Page, number: int) -> None:
    cell(page, number).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def shows(page: Page, number: int, text: str) -> None:
    expect(cell(page, number).locator(".jp-OutputArea-output")).to_contain_text(text, timeout=PATIENCE * 1000)


def menu(page: Page, *names: str) -> None:
    for name in names[:-1]:
        page.locator(".lm-MenuBar-itemLabel, .lm-Menu-itemLabel").get_by_text(name, exact=True).first.click()
    page.locator(".lm-Menu-itemLabel").get_by_text(names[-1], exact=True).click()


def test_widgets_in_jupyterlab(browser: Browser, lab: str) -> None:
    page, asked = open_notebook(browser, lab)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    menu(page, "Run", "Run All Cells")
    shows(page, 8, "query 8")
    for number in (0, 3, 4, 5, 6, 7):
        expect(cell(page, number).get_by_test_id("embedlib-widget")).to_have_count(1, timeout=PATIENCE * 1000)
        expect(cell(page, number).locator("[data-embedlib-still]")).to_be_hidden()

    # A cell has chosen a token; a click chooses another, which a later cell reads.
    chips = cell(page, 0).get_by_role("option")
    expect(chips.nth(4)).to_have_attribute("aria-selected", "true")
    chips.nth(1).click()
    run_cell(page, 1)
    shows(page, 1, "chosen 1")

    # Keys are the widget's: B would make a cell of JupyterLab's.
    chips.nth(1).press("ArrowRight")
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    expect(chips.nth(2)).to_have_attribute("aria-selected", "true")
    expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(len(CELLS))
    run_cell(page, 1)
    shows(page, 1, "chosen 2")

    # The hands, which report what they do as the state of their view.
    cell(page, 7).get_by_role("slider").first.press("ArrowRight")

    def query_is_read() -> bool:
        run_cell(page, 8)
        with suppress(AssertionError):
            expect(cell(page, 8).locator(".jp-OutputArea-output")).to_contain_text("query 9", timeout=2_000)
            return True
        return False

    wait_until(query_is_read)

    # A second display of the hands follows what is done in the first.
    sliders = cell(page, 7).get_by_role("slider")
    run_cell(page, 9)
    second = cell(page, 9).get_by_role("slider")
    expect(second.first).to_have_value("9", timeout=PATIENCE * 1000)
    sliders.first.press("ArrowRight")
    expect(second.first).to_have_value("10", timeout=PATIENCE * 1000)

    # The widgets follow JupyterLab's theme.
    ground = "element => getComputedStyle(element).backgroundColor"
    widget = page.get_by_test_id("embedlib-widget").first
    assert widget.evaluate(ground) == "rgb(255, 255, 255)"
    menu(page, "Settings", "Theme", "JupyterLab Dark")
    wait_until(lambda: widget.evaluate(ground) != "rgb(255, 255, 255)")

    def is_saved() -> bool:
        page.keyboard.press("Control+s")  # again, if the menu still had the focus
        return saved_outputs(lab) == [2, 1, 0, 2, 2, 2, 2, 2, 1, 2]  # a widget and its picture

    wait_until(is_saved)
    assert {address for address in asked if not address.startswith((lab, lab.replace("http", "ws")))} == set()
    assert errors == []
    page.context.close()

    # Without the kernel that made them, the pictures are there.
    for session in ask(lab, "sessions"):
        ask(lab, f"sessions/{session['id']}", "DELETE")
    page, _ = open_notebook(browser, lab)
    for number in (0, 3, 4, 5, 6, 7):
        cell(page, number).scroll_into_view_if_needed()
        expect(cell(page, number).locator("[data-embedlib-still]")).to_be_visible()
    expect(cell(page, 3).get_by_role("img", name=re.compile("token rows"))).to_be_visible()
    page.context.close()


def ask(lab: str, path: str, method: str = "GET") -> Any:
    """Ask JupyterLab's server; None where it answers by an error, as while it writes a file."""
    request = urllib.request.Request(f"{lab}/api/{path}", method=method, headers={"Authorization": f"token {TOKEN}"})
    with suppress(urllib.error.HTTPError), urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read() or b"null")
    return None


def saved_outputs(lab: str) -> list[int]:
    """Count the outputs of each cell in the saved notebook."""
    notebook = ask(lab, "contents/widgets.ipynb")
    return [len(found["outputs"]) for found in notebook["content"]["cells"]] if notebook else []
