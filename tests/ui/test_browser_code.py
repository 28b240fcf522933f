"""The components' browser code: what is served, under which address, and that it is what the sources make."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.components.v2.component_path_utils import ComponentPathUtils

from ui.components import register
from ui.components.browser_code import FIRST, FOLDER, bundles, component_script, fingerprint, route, script_address

ROOT = Path(__file__).parents[2]
IMPORT = re.compile(r'\bfrom "([^"]+)";|\bimport\("([^"]+)"\)')
BUNDLED = ("first.ts", "widgets.ts")  # what goes into one bundle: of the app's first page, and of notebooks
SOURCES = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.ts*")}


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(Starlette(routes=[route()]))


def test_the_bundles_are_what_the_sources_make() -> None:
    node = shutil.which("node")
    if node is None or not Path(ROOT, "node_modules", "esbuild").exists():
        assert not os.environ.get("EMBEDDING_EXPLORER_REQUIRE_NODE"), "no Node or no esbuild: run bin/browser-code"
        pytest.skip("needs Node and esbuild, which bin/browser-code installs")
    check = subprocess.run([node, ROOT / "bin" / "bundle.js", "--check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stderr


@pytest.mark.parametrize("base", ["", "some/where/"])
def test_a_bundle_is_served_to_be_kept_for_good(client: TestClient, base: str) -> None:
    answer = client.get(f"/{base}{script_address('point_cloud')}")
    assert answer.content == bundles()["point_cloud.js"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    [
        f"{fingerprint()}/__init__.py",
        f"{fingerprint()}/style.css",
        f"{fingerprint()}/point_cloud/index.ts",
        f"{fingerprint()}/",
        f"{fingerprint()}/../../app.py",
        f"{fingerprint()}/%2e%2e/%2e%2e/app.py",
        "0123456789abcdef/point_cloud.js",
    ],
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    answer = client.get(f"/components/{path}")
    assert answer.status_code == 404
    assert answer.content in (b"", b"Not Found")
    assert "immutable" not in answer.headers.get("cache-control", "")


def test_the_address_changes_with_the_content_and_the_names_of_bundles(tmp_path: Path) -> None:
    seen = set()
    for folder, name, content in [("a", "x.js", "1"), ("b", "x.js", "2"), ("c", "y.js", "1"), ("d", "x.js", "1")]:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(content)
        (tmp_path / folder / "other.py").write_text(folder)
        seen.add(fingerprint(tmp_path / folder))
    assert len(seen) == 3


@pytest.mark.parametrize(("component", "export"), [("one_hot_product", "default"), ("vector_sum", "vector_sum")])
def test_streamlit_is_given_a_short_script_that_it_takes_for_one(component: str, export: str) -> None:
    script = component_script(component)
    assert len(script) < 200
    assert f'"{script_address(component)}"' in script
    assert f").{export}(run)" in script
    assert ComponentPathUtils.looks_like_inline_content(script)


def test_a_component_without_a_bundle_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match="no_such_folder"):
        register("none", "no_such_folder")


def test_the_first_bundle_has_all_that_is_taken_from_it() -> None:
    assert tuple(re.findall(r"default as (\w+)", SOURCES["first.ts"])) == FIRST
    shared = {path for path in SOURCES if path.startswith("_shared/")} - {"_shared/view.ts"}  # a bundle of its own
    assert set(re.findall(r'export \* from "\./([^"]+)"', SOURCES["first.ts"])) == shared
    defaults = re.compile(r'^import (?!type)\w+.* from "[./]+_shared/', re.MULTILINE)  # which export * leaves out
    importers = {path.split("/")[0] for path, text in SOURCES.items() if defaults.search(text)}
    assert importers - {"_shared", *BUNDLED} <= {*FIRST}


def test_a_component_imports_from_no_other_one() -> None:
    crossing = {
        (path.split("/")[0], owner)
        for path, text in SOURCES.items()
        for found in IMPORT.finditer(text)
        if (owner := normpath(join(dirname(path), found[1] or found[2])).split("/")[0]) != path.split("/")[0]
    }
    # browser imports the saving of figures and the slides lazily.
    assert {
        owner for importer, owner in crossing - {("browser", "paper"), ("browser", "slides")} if importer not in BUNDLED
    } == {"_shared"}


def test_every_module_is_imported_or_bundled() -> None:
    imported = {
        normpath(join(dirname(path), found[1] or found[2]))
        for path, text in SOURCES.items()
        for found in IMPORT.finditer(text)
    }
    entries = {
        path
        for path in SOURCES
        if path.endswith(("/index.ts", "/index.tsx", "/start.ts", ".d.ts")) or path in (*BUNDLED, "_shared/view.ts")
    }
    assert SOURCES.keys() - imported - entries == set()


def test_counts_are_written_in_the_language_of_the_page() -> None:
    written = {path for path, text in SOURCES.items() if ".toLocaleString(" in text}
    assert not written, "countText of _shared/numbers.ts does it"
