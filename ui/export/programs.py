"""The program that prints a page's numbers: on the page, and as a notebook."""

import json
from collections.abc import Sequence

import streamlit as st

from ui.export.charts import download
from ui.i18n import _


def show_program(source: str, page: str, *, wrap_lines: bool = True) -> None:
    """Show a page's program, and offer it as a notebook.

    Args:
        source: of the program.
        page: names the notebook.
        wrap_lines: whether lines that are longer than the page go on below.
    """
    st.code(source, language="python", wrap_lines=wrap_lines)
    download(
        _("Notebook"),
        lambda: notebook([("code", source)]),
        f"{page}.ipynb",
        kind="application/x-ipynb+json",
        key=f"{page}-notebook",
    )


def notebook(cells: Sequence[tuple[str, str]]) -> str:
    """Write a notebook of Jupyter's format 4, with cells that have not been run yet.

    Args:
        cells: each "markdown" or "code", and its text.

    Raises:
        nbformat.ValidationError: a cell is of another kind.

    Source: https://nbformat.readthedocs.io/en/latest/format_description.html
    """
    import nbformat  # 0.2 s, for those who ask

    numbered = [{"id": f"cell-{place}", "cell_type": kind, "metadata": {}} for place, (kind, _text) in enumerate(cells)]
    of_code: dict[str, object] = {"execution_count": None, "outputs": []}
    written = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {"name": "python"},
        },
        "cells": [
            cell | {"source": text} | (of_code if kind == "code" else {})
            for cell, (kind, text) in zip(numbered, cells, strict=True)
        ],
    }
    nbformat.validate(written)
    return json.dumps(written, indent=1, ensure_ascii=False)
