"""Imports point one way: pages → ui → embedlib.figures → embedlib."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("plotly", "sklearn", "streamlit", "tiktoken", "tokenizers")
# What the files of a layer must not import. A name covers everything beneath it.
FORBIDDEN = {
    "embedlib": ("embedlib.figures", "ui", "pages", "app", "tests", "bench", "plotly", "streamlit", "sklearn"),
    "embedlib/figures": ("ui", "pages", "app", "tests", "bench", "streamlit", "sklearn"),
    "ui": ("pages", "app", "tests", "bench", "sklearn"),
    "pages": ("pages", "app", "tests", "bench", "plotly", "sklearn"),
}


def layer_of(path: Path) -> str:
    folder = path.relative_to(ROOT).as_posix()
    return max((layer for layer in FORBIDDEN if folder.startswith(f"{layer}/")), key=len)


def imported_names(source: str, package: str) -> Iterator[tuple[int, str]]:
    """Yield (line, dotted name) of every import, also those inside functions; `package` resolves relative ones."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def is_under(name: str, forbidden: str) -> bool:
    return name == forbidden or name.startswith(f"{forbidden}.")


def wrong_imports(source: str, package: str, layer: str) -> list[str]:
    return [
        f"line {line}: {name}"
        for line, name in imported_names(source, package)
        if any(is_under(name, forbidden) for forbidden in FORBIDDEN[layer])
    ]


def our_files() -> list[Path]:
    return sorted(path for top in ("embedlib", "ui", "pages") for path in (ROOT / top).rglob("*.py"))


@pytest.mark.parametrize("path", our_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_import_points_back(path: Path) -> None:
    package = ".".join(path.relative_to(ROOT).parent.parts)
    assert wrong_imports(path.read_text(encoding="utf-8"), package, layer_of(path)) == []


@pytest.mark.parametrize(
    ("source", "package", "layer", "wrong"),
    [
        ("from embedlib.figures import heatmap", "embedlib", "embedlib", ["line 1: embedlib.figures.heatmap"]),
        ("from embedlib import figures", "embedlib", "embedlib", ["line 1: embedlib.figures"]),
        ("from .figures import heatmap", "embedlib", "embedlib", ["line 1: embedlib.figures.heatmap"]),
        ("from ..figures import heatmap", "embedlib.positional", "embedlib", ["line 1: embedlib.figures.heatmap"]),
        ("def late():\n    import plotly.express", "embedlib", "embedlib", ["line 2: plotly.express"]),
        ("import streamlit as st", "embedlib.figures", "embedlib/figures", ["line 1: streamlit"]),
        ("import plotly.graph_objects as go", "embedlib.figures", "embedlib/figures", []),
        ("from embedlib.figures import heatmap", "ui", "ui", []),
        ("import plotlyish, uipath", "embedlib", "embedlib", []),
        ("from plotly import graph_objects", "pages", "pages", ["line 1: plotly.graph_objects"]),
    ],
)
def test_the_reading_of_imports_finds_what_points_back(source: str, package: str, layer: str, wrong: list[str]) -> None:
    assert wrong_imports(source, package, layer) == wrong


def test_importing_embedlib_loads_nothing_heavy_but_torch() -> None:
    program = f"import sys, embedlib; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
