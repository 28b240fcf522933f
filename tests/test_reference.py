"""The reference site: built without a warning, complete, with the notebooks' numbers, and nothing from another site."""

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import pytest

import embedlib
from tests.test_imports import ROOMS

ROOT = Path(__file__).parent.parent
# Numbers of published courses, by the notebook that must print them.
PRINTED = {
    "tokens_to_input": """
        15496 11 466 345 588 8887 30 220 50256 554 262 4252 18250 8812 2114 286 617 34680 27271 13
        [ 0.3374, -0.1778, -0.1690], [ 0.9178, 1.5810, 1.3010], [ 1.2753, -0.2010, -0.1606],
        [-0.4015, 0.9666, -1.1481], [-1.1589, 0.3255, -0.6315], [-2.8400, -0.7849, -1.4096]
        tensor([[-0.4015, 0.9666, -1.1481]])
        tensor([4, 0, 3, 2, 5, 1])
        [ 1.9269, 1.4873, -0.4974], [ 0.4396, -0.7581, 1.0783], [ 0.8008, 1.6806, 0.3559],
        [-0.6866, 0.6105, 1.3347], [-0.2316, 0.0418, -0.2516], [ 0.8599, -0.3097, -0.3957]
        tensor([[ 0.8008, 1.6806, 0.3559], [-0.6866, 0.6105, 1.3347], [ 0.8599,
        tensor([[-0.2234, 1.7174, 0.3189, -0.4245, -0.8140],
        torch.Size([8, 4, 256])
        tensor([[0.1100, 0.3200, 0.4300], [0.2400, 0.6500, 0.5600], [0.7700, 0.9800, 0.8900]])
        tensor([ 0.9093, -0.4161,
        none: the same rows in another order: True
        sinusoidal: the same rows in another order: False
    """,
    "positions": """
        Neighbouring positions are 1.47 apart,
        [0.5000, 0.2500, 0.1250, 0.0625, 0.0312, 0.0156, 0.0078, 0.0039]
        asks for position 128, which is undefined
    """,
    "own_table": """
        688 rows of 64 numbers, separated by ' '
        queen
    """,
}


class Page(HTMLParser):
    """Collects a page's text, its identifiers, and the addresses of what a browser loads with it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.text, self.ids, self.loaded = "", set[str](), set[str]()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value for name, value in attrs if value}
        self.ids |= {named["id"]} if "id" in named else set()
        self.loaded |= {named[name] for name in ("src", "srcset", "href") if name in named and tag not in ("a", "area")}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site, for which the notebooks are run."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "-c", "docs"]
    done = subprocess.run(
        [*command, "-d", folder / "doctrees", ".", folder / "html"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


def public_names() -> Iterator[str]:
    """Return the public functions and classes of the library, by package."""
    yield from (f"embedlib.{name}" for name in embedlib.__all__)
    for room in ROOMS.keys() - {"components", "pipeline"}:
        for name, value in vars(import_module(f"embedlib.{room}")).items():
            is_ours = getattr(value, "__module__", "").startswith("embedlib")
            if is_ours and (inspect.isfunction(value) or inspect.isclass(value)) and not name.startswith("_"):
                yield f"embedlib.{room}.{name}" if name not in embedlib.__all__ else f"embedlib.{name}"


def test_every_public_name_has_its_place(site: Path) -> None:
    documented = set().union(*(Page(path).ids for path in (site / "docs" / "reference").glob("*.html")))
    assert set(public_names()) - documented == set()


@pytest.mark.parametrize("notebook", PRINTED)
def test_a_notebook_prints_the_numbers_of_the_courses(site: Path, notebook: str) -> None:
    text = re.sub(r"\s+", " ", Page(site / "docs" / "notebooks" / f"{notebook}.html").text)
    lines = [re.sub(r"\s+", " ", line).strip() for line in PRINTED[notebook].strip().splitlines()]
    assert [line for line in lines if line not in text] == []


def test_a_page_loads_nothing_from_another_site_and_lacks_no_file(site: Path) -> None:
    missing = set()
    for path in site.rglob("*.html"):
        for address in Page(path).loaded:
            target = path.parent / address.partition("?")[0].partition("#")[0]
            if not address.startswith(("#", "data:")) and not target.is_file():
                missing.add(f"{path.relative_to(site)}: {address}")
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert missing | set(re.findall(r"(?:url\(|@import )['\"]?(?:https?:)?//[^)'\"]*", styles)) == set()
