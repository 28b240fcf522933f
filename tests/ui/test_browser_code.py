"""The components' browser code: what is served, under which address, and that the modules fit together."""

import re
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.components.v2.component_path_utils import ComponentPathUtils

from ui.components import register
from ui.components.browser_code import ALONE, address, files, fingerprint, importing, modules, route

IMPORT = re.compile(r'^import (?:(\w+) from |\{([^}]*)\} from )?"([^"]+)";', re.MULTILINE)
EXPORT = re.compile(r"^export (default\b|(?:async )?(?:function|const|let|class) (\w+))", re.MULTILINE)


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(Starlette(routes=[route()]))


@pytest.mark.parametrize("base", ["", "some/where/"])
def test_a_module_is_served_to_be_kept_for_good(client: TestClient, base: str) -> None:
    answer = client.get(f"/{base}{address('point_cloud/index.js')}")
    assert answer.content == files()["point_cloud.js"]
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    [
        f"{fingerprint()}/point_cloud/__init__.py",
        f"{fingerprint()}/point_cloud/style.css",
        f"{fingerprint()}/point_cloud/index.js",
        f"{fingerprint()}/point_cloud/",
        f"{fingerprint()}/../../app.py",
        f"{fingerprint()}/%2e%2e/%2e%2e/app.py",
        "0123456789abcdef/point_cloud/index.js",
    ],
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    answer = client.get(f"/components/{path}")
    assert answer.status_code == 404
    assert answer.content in (b"", b"Not Found")
    assert "immutable" not in answer.headers.get("cache-control", "")


def test_the_address_changes_with_the_content_and_the_names_of_modules(tmp_path: Path) -> None:
    seen = set()
    for folder, name, content in [("a", "x.js", "1"), ("b", "x.js", "2"), ("c", "y.js", "1"), ("d", "x.js", "1")]:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(content)
        (tmp_path / folder / "other.py").write_text(folder)
        seen.add(fingerprint(tmp_path / folder))
    assert len(seen) == 3


def test_streamlit_is_given_a_short_script_that_it_takes_for_one() -> None:
    script = importing("one_hot_product/index.js")
    assert len(script) < 200
    assert f'"{address("one_hot_product/index.js")}"' in script
    assert 'm["one_hot_product/index.js"].default' in script
    assert ComponentPathUtils.looks_like_inline_content(script)


def test_a_component_without_its_module_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match=r"no_such_folder/index\.js"):
        register("none", "no_such_folder")


def imports() -> list[tuple[str, str, list[str]]]:
    """Who imports, from which module, which names."""
    found = []
    for path, content in modules().items():
        for default, names, source in IMPORT.findall(content.decode()):
            assert source.startswith("."), f"{path} imports {source}, which is not ours"
            wanted = [name.split(" as ")[0].strip() for name in names.split(",") if name.strip()]
            found.append((path, normpath(join(dirname(path), source)), ["default"] if default else wanted))
    return found


def test_whatever_a_module_imports_is_there() -> None:
    exports = {
        path: {name or kind for kind, name in EXPORT.findall(content.decode())} for path, content in modules().items()
    }
    missing = [
        f"{path}: {name} from {source}"
        for path, source, names in imports()
        for name in names
        if name not in exports.get(source, set())
    ]
    assert len(imports()) > 200
    assert missing == []


def test_every_import_is_written_so_that_these_tests_see_it() -> None:
    for path, content in modules().items():
        assert len(re.findall(r"^import\b", content.decode(), re.MULTILINE)) == len(IMPORT.findall(content.decode())), (
            path
        )


def test_a_component_takes_nothing_from_another_one() -> None:
    owners = {(path.split("/")[0], source.split("/")[0]) for path, source, _ in imports()}
    crossing = {(importer, owner) for importer, owner in owners if importer != owner}
    assert crossing
    assert {owner for _, owner in crossing} == {"_shared"}


def test_modules_import_each_other_in_no_circle() -> None:
    wanted = {path: {source for importer, source, _ in imports() if importer == path} for path in modules()}
    while leaves := [path for path, sources in wanted.items() if not sources & wanted.keys()]:
        for path in leaves:
            del wanted[path]
    assert wanted == {}


def test_each_module_stands_in_one_file_after_those_that_it_imports() -> None:
    places = {}
    for name, content in files().items():
        text, alone = content.decode(), [f"{folder}/" for folder in ALONE if name == f"{folder}.js"]
        assert len(re.findall(r"^(?:import|export)\b", text, re.MULTILINE)) == {
            "first.js": 1,
            "browser/start.js": 0,
        }.get(name, 1 if alone else 2)
        for found in re.finditer(r'^m\["([^"]+)"\] = ', text, re.MULTILINE):
            if alone and not found[1].startswith(alone[0]):
                continue  # a copy of what it imports
            assert found[1] not in places
            places[found[1]] = (name != "first.js", name, found.start())
            assert address(found[1]).endswith(f"/{name}")
    assert places.keys() == modules().keys() - {"browser/start.js"}
    for path, source, _ in imports():
        assert places[source] < places[path]
        assert places[source][1] in ("first.js", places[path][1])


def test_the_file_of_a_page_of_its_own_has_all_that_it_imports() -> None:
    for folder in ALONE:
        text = files()[f"{folder}.js"].decode()
        assert "import" not in re.findall(r"^\w+", text, re.MULTILINE)
        held = re.findall(r'^m\["([^"]+)"\] = ', text, re.MULTILINE)
        wanted = {(path, source) for path, source, _ in imports() if path in held}
        assert {source for _, source in wanted} <= set(held)
        assert all(held.index(source) < held.index(path) for path, source in wanted)


def test_a_file_gives_what_its_modules_export_and_nothing_else() -> None:
    for content in files().values():
        for part in re.split(r'^(?=m\["[^"]+"\] = )', content.decode(), flags=re.MULTILINE)[1:]:
            path, last = part.split('"')[1], part.splitlines()[-2]
            names = [one.split(":")[0] for one in last.removeprefix("return { ").removesuffix(" };").split(", ")]
            exported = [name or kind for kind, name in EXPORT.findall(modules()[path].decode())]
            assert sorted(filter(None, names)) == sorted(exported), path


def test_each_module_is_used() -> None:
    used = {source for _, source, _ in imports()}
    starts = {path for path in modules() if path.endswith(("/index.js", "/start.js"))}
    assert modules().keys() - used == starts


def test_counts_are_written_in_the_language_of_the_page() -> None:
    written = {path for path, text in modules().items() if b".toLocaleString(" in text}
    assert not written, "countText of _shared/numbers.js does it"
