"""Imports point one way: pages → ui → embedlib.figures → embedlib, and inside embedlib from room to room."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("distributed", "huggingface_hub", "numba", "openTSNE", "plotly", "scipy", "sklearn", "streamlit", "tiktoken")
HEAVY += ("anywidget", "tokenizers", "transformers", "umap")
# What the files of a layer must not import. A name covers everything beneath it.
FORBIDDEN = {
    "embedlib": ("ui", "pages", "app", "tests", "bench", "plotly", "streamlit"),
    "embedlib/figures": ("ui", "pages", "app", "tests", "bench", "streamlit", "sklearn"),
    "embedlib/widgets": ("ui", "pages", "app", "tests", "bench", "plotly", "streamlit"),
    "ui": ("pages", "app", "tests", "bench", "sklearn"),
    "pages": ("pages", "app", "tests", "bench", "plotly", "sklearn"),
}
# Room of embedlib -> the rooms that it may import; every room may import the files of embedlib's root but the pipeline.
ROOMS: dict[str, set[str]] = {
    "checkpoints": {"positional", "tables", "tokenizers"},
    "cluster": {"extrapolation", "neighbours", "projection", "tables"},
    "components": {"tokenizers"},
    "contextual": {"checkpoints", "positional", "tokenizers"},
    "embedding": set(),
    "extrapolation": {"positional", "transformer"},
    "figures": {"extrapolation"},
    "grammar": set(),
    "measures": {"positional", "transformer"},
    "neighbours": set(),
    "pipeline": {"embedding", "positional", "tokenizers"},
    "positional": set(),
    "programs": {"embedding", "extrapolation", "measures", "positional", "texts", "tokenizers", "word2vec"},
    "projection": {"neighbours"},
    "tables": {"tokenizers"},
    "texts": set(),
    "tokenizers": set(),
    "transformer": {"positional"},
    "widgets": {"components", "measures", "neighbours", "pipeline", "positional", "projection", "tables", "tokenizers"},
    "word2vec": {"embedding", "grammar", "neighbours", "texts", "tokenizers"},
}

# Rooms of ui from bottom to top: a room imports only from those of lower levels. The pages' packages are one level.
UI_LEVELS: tuple[set[str], ...] = (
    {"embed", "i18n", "page_list", "page_runs", "session"},
    {"markdown", "streamlit_words", "terms", "theme"},
    {"cache"},
    {"settings"},
    {"components"},
    {"jobs"},
    {"export"},
    {"shared"},
    {"lessons"},
    {"lecture"},
    {path.stem for path in (ROOT / "pages").glob("*.py")} - {"lessons"},
    {"main"},
    {"server"},
)

# Packages whose public names are complete, so that the interface needs none of their files.
PACKAGES = (
    "embedlib.checkpoints",
    "embedlib.cluster",
    "embedlib.contextual",
    "embedlib.embedding",
    "embedlib.measures",
    "embedlib.neighbours",
    "embedlib.positional",
    "embedlib.projection",
    "embedlib.tables",
    "embedlib.texts",
    "embedlib.tokenizers",
    "embedlib.transformer",
    "ui.settings",
)

# What they may import only where it is used, inside a function: loading it takes seconds.
LATE = {"embedlib": (*HEAVY, "embedlib.figures"), "embedlib/figures": tuple(name for name in HEAVY if name != "plotly")}
LATE["embedlib/widgets"] = tuple(name for name in LATE["embedlib"] if name != "anywidget")
# Imported late itself, and huggingface_hub with it.
OF_THE_HUB = Path("embedlib/checkpoints/hub.py")


def layer_of(path: Path) -> str:
    folder = path.relative_to(ROOT).as_posix()
    return max((layer for layer in FORBIDDEN if folder.startswith(f"{layer}/")), key=len)


def imported_names(source: str, package: str) -> Iterator[tuple[int, bool, str]]:
    """Give (line, whether inside a function, dotted name) of every import; `package` resolves relative ones."""
    for node in import_statements(source):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, node.col_offset > 0, alias.name) for alias in node.names)
        else:
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            yield from ((node.lineno, node.col_offset > 0, f"{base}.{alias.name}") for alias in node.names)


@cache  # several tests look at the same file
def import_statements(source: str) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]


def is_under(name: str, forbidden: str) -> bool:
    return name == forbidden or name.startswith(f"{forbidden}.")


def wrong_imports(source: str, package: str, layer: str) -> list[str]:
    return [
        f"line {line}: {name}"
        for line, late, name in imported_names(source, package)
        if any(is_under(name, forbidden) for forbidden in FORBIDDEN[layer] + (() if late else LATE.get(layer, ())))
    ]


def our_files() -> list[Path]:
    return sorted(path for top in ("embedlib", "ui", "pages") for path in (ROOT / top).rglob("*.py"))


def test_no_import_points_back() -> None:
    wrong = {}
    for path in our_files():
        inside = path.relative_to(ROOT)
        package = ".".join(inside.parent.parts)
        found = wrong_imports(path.read_text(encoding="utf-8"), package, layer_of(path))
        wrong[inside] = [one for one in found if inside != OF_THE_HUB or ": huggingface_hub." not in one]
    assert {path: names for path, names in wrong.items() if names} == {}


def rooms_imported(source: str, package: str) -> set[str]:
    """Return the rooms of embedlib that a file of it imports."""
    names = {name for _, _late, name in imported_names(source, package) if is_under(name, "embedlib")}
    return {room for room in ROOMS for name in names if is_under(name, f"embedlib.{room}")}


def test_a_room_imports_only_what_lies_below_it() -> None:
    wrong = {}
    for path in (ROOT / "embedlib").rglob("*.py"):
        parts = path.relative_to(ROOT / "embedlib").with_suffix("").parts
        if parts != ("__init__",):  # which stands above all
            imported = rooms_imported(path.read_text(encoding="utf-8"), ".".join(("embedlib", *parts[:-1])))
            draws = {"figures"} if parts == ("notebook",) else set()  # late, and for those alone who ask for it
            wrong[parts] = imported - {parts[0], *ROOMS.get(parts[0], ())} - draws
    assert {parts: rooms for parts, rooms in wrong.items() if rooms} == {}


def ui_rooms_imported(source: str, package: str) -> set[str]:
    """Return the rooms of ui that a file of it imports."""
    names = {name for _, _late, name in imported_names(source, package) if is_under(name, "ui")}
    return {name.split(".")[1] for name in names if name != "ui"}


def test_a_room_of_the_interface_imports_only_from_the_levels_below_it() -> None:
    level = {room: number for number, rooms in enumerate(UI_LEVELS) for room in rooms}
    wrong = []
    for path in (ROOT / "ui").rglob("*.py"):
        room, *inside = path.relative_to(ROOT / "ui").with_suffix("").parts
        if room == "__init__":
            continue
        imported = ui_rooms_imported(path.read_text(encoding="utf-8"), ".".join(("ui", room, *inside[:-1])))
        wrong += [f"{room}/{'/'.join(inside)}: {one}" for one in imported - {room} if level[one] >= level[room]]
    assert wrong == []


def test_the_interface_imports_from_packages_and_not_from_the_files_behind_them() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}, line {line}: {name}"
        for top in ("ui", "pages", "bench", "tests/ui", "tests/browser", "embedlib/programs", "embedlib/figures")
        for path in (ROOT / top).rglob("*.py")
        for line, _late, name in imported_names(path.read_text(encoding="utf-8"), "")
        if any(
            is_under(name, package) for package in PACKAGES if package != ".".join(path.relative_to(ROOT).parent.parts)
        )
        if not (ROOT / name.rpartition(".")[0].replace(".", "/")).is_dir()
    ]
    assert wrong == []


def test_every_package_of_embedlib_is_a_room_and_no_room_is_above_itself() -> None:
    assert {path.parent.name for path in (ROOT / "embedlib").glob("*/__init__.py")} == ROOMS.keys() - {
        "notebook",
        "pipeline",
    }
    above = {room: set(below) for room, below in ROOMS.items()}
    while leaves := {room for room, below in above.items() if not below}:
        above = {room: below - leaves for room, below in above.items() if room not in leaves}
    assert above == {}


def test_the_reading_of_rooms_finds_them() -> None:
    source = (
        "import embedlib.tables.text\ndef f():\n    from ..texts import words\n    from embedlib import random, grammar"
    )
    assert rooms_imported(source, "embedlib.positional") == {"tables", "texts", "grammar"}
    source = "from ui import cache\nfrom ..jobs import view\ndef f():\n    import ui.server.start"
    assert ui_rooms_imported(source, "ui.shared") == {"cache", "jobs", "server"}


@pytest.mark.parametrize(
    ("source", "package", "layer", "wrong"),
    [
        ("from embedlib.figures import heatmap", "embedlib", "embedlib", ["line 1: embedlib.figures.heatmap"]),
        ("from embedlib import figures", "embedlib", "embedlib", ["line 1: embedlib.figures"]),
        ("from .figures import heatmap", "embedlib", "embedlib", ["line 1: embedlib.figures.heatmap"]),
        ("from ..figures import heatmap", "embedlib.positional", "embedlib", ["line 1: embedlib.figures.heatmap"]),
        ("def late():\n    import plotly.express", "embedlib", "embedlib", ["line 2: plotly.express"]),
        ("import sklearn.manifold", "embedlib", "embedlib", ["line 1: sklearn.manifold"]),
        ("from numba import njit", "embedlib.figures", "embedlib/figures", ["line 1: numba.njit"]),
        ("def late():\n    from sklearn.manifold import trustworthiness", "embedlib", "embedlib", []),
        ("import streamlit as st", "embedlib.figures", "embedlib/figures", ["line 1: streamlit"]),
        ("import plotly.graph_objects as go", "embedlib.figures", "embedlib/figures", []),
        ("from embedlib.figures import heatmap", "ui", "ui", []),
        ("import plotlyish, uipath", "embedlib", "embedlib", []),
        ("from plotly import graph_objects", "pages", "pages", ["line 1: plotly.graph_objects"]),
    ],
)
def test_the_reading_of_imports_finds_what_points_back(source: str, package: str, layer: str, wrong: list[str]) -> None:
    assert wrong_imports(source, package, layer) == wrong


# What two pages share is in ui/shared; ui/main.py and ui/server know them all.
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "lessons")
KNOW_THE_PAGES = ("ui/main.py", "ui/server/")


def imports_of_other_pages(source: str, package: str, page: str | None) -> list[str]:
    """List what a file imports from pages other than its own; `page` is None for what belongs to none."""
    others = [f"ui.{other}" for other in PAGES if other != page]
    return [
        f"line {line}: {name}"
        for line, _late, name in imported_names(source, package)
        if any(is_under(name, other) for other in others)
    ]


def test_no_page_reaches_into_another() -> None:
    wrong = {}
    for path in our_files():
        inside = path.relative_to(ROOT)
        if inside.parts[0] == "embedlib" or inside.as_posix().startswith(KNOW_THE_PAGES):
            continue
        page = path.stem if inside.parts[0] == "pages" else inside.parts[1]
        package = ".".join(inside.parent.parts)
        wrong[inside.as_posix()] = imports_of_other_pages(path.read_text(encoding="utf-8"), package, page)
    assert {path: names for path, names in wrong.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "package", "page", "wrong"),
    [
        ("from ui.compare.request import title_of", "ui.tokens", "tokens", ["line 1: ui.compare.request.title_of"]),
        ("from ui import compare", "ui.shared", "shared", ["line 1: ui.compare"]),
        ("from ..compare import request", "ui.tokens", "tokens", ["line 1: ui.compare.request"]),
        ("def late():\n    import ui.training.runs", "ui.jobs", "jobs", ["line 2: ui.training.runs"]),
        ("from ui.tokens.request import Request", "pages", "tokens", []),
        ("from ui.shared.schemes import title_of", "ui.tokens", "tokens", []),
    ],
)
def test_the_reading_of_imports_finds_other_pages(source: str, package: str, page: str, wrong: list[str]) -> None:
    assert imports_of_other_pages(source, package, page) == wrong


def test_what_is_heavy_or_reads_lessons_is_loaded_only_when_it_is_used() -> None:
    rooms = ", ".join(f"embedlib.{room}" for room in sorted(ROOMS.keys() - {"figures", "widgets"}))
    readers = ("yaml", "jsonschema", "nbformat", "segno", "redis")
    program = f"""
import sys, {rooms}
print([name for name in {HEAVY!r} if name in sys.modules])
import ui.lecture.presenter, ui.lessons.slides, ui.lessons.walk
print([name for name in {readers!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "[]"]
