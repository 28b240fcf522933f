"""The program that prints a page's numbers: shown on the page, and saved as a notebook."""

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from ui.export.show import download
from ui.i18n import _


def show_program(source: str, page: str) -> None:
    """Show a page's program, folded, with a download as a notebook.

    Args:
        source: of the program.
        page: names the notebook.
    """
    with st.expander(_("Show the program")):
        st.code(source, language="python", wrap_lines=True)
    download(
        _("Notebook"),
        lambda: notebook([("code", source)]),
        f"{page}.ipynb",
        kind="application/x-ipynb+json",
        key=f"{page}-notebook",
    )


def notebook(cells: Sequence[tuple[str, str]]) -> str:
    """Return a Jupyter notebook, format 4, with cells that have not been run.

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
    numbered = [make[kind](text, id=f"cell-{index}") for index, (kind, text) in enumerate(cells)]
    return json.dumps(v4.new_notebook(metadata=language, cells=numbered), indent=1, ensure_ascii=False)
