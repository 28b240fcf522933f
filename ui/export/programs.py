"""The program that prints a page's numbers: on the page, and as a notebook."""

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
    """Write a notebook of Jupyter's format 4, whose cells have not been run.

    Args:
        cells: each "markdown" or "code", and its text.

    Raises:
        nbformat.ValidationError: a cell is of another kind.

    Source: https://nbformat.readthedocs.io/en/latest/format_description.html
    """
    import nbformat  # 0.2 s, for those who ask

    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    written = nbformat.v4.new_notebook(metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
    for place, (kind, text) in enumerate(cells):
        cell = nbformat.v4.new_code_cell(text) if kind == "code" else nbformat.v4.new_markdown_cell(text)
        written.cells.append(cell | {"id": f"cell-{place}", "cell_type": kind})  # the same file each time
    nbformat.validate(written)
    return str(nbformat.writes(written))
