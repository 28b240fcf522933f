"""Configuration of the reference site, which bin/reference builds from the documents, notebooks and docstrings."""

import json
import os
import re
import shutil
import sys
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from nbclient import NotebookClient
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ["PYTHONPATH"] = str(ROOT)  # of the notebooks' kernels

import embedlib  # noqa: E402

project = "Embedding Explorer"
release = embedlib.__version__
root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "docs/**.ipynb", "embedlib/data/NOTICE.md"]
exclude_patterns = [".*", "build", "dist", "node_modules", "tests"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

myst_heading_anchors = 4
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!embedlib\b).*"),  # other libraries' names: the site is built without a network
    (
        "py:.*",
        r"embedlib\.(adamw|checkpoints\.files|positional\.base\.Scheme$|tables\.safetensors|transformer\.layer).*",
    ),
]
autodoc_default_options = {"members": True, "imported-members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
napoleon_use_ivar = True

html_theme = "furo"
html_theme_options = {
    theme: {"color-brand-primary": colour, "color-brand-content": colour}
    for theme, colour in (("light_css_variables", "#0b5cad"), ("dark_css_variables", "#6cb6ff"))  # as the app's links
}
html_title = f"{project} {release}"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
smartquotes_action = "D"  # dashes alone: quotes stand in code
pygments_dark_style = "github-dark"

CONTENTS = """
```{toctree}
:hidden:
:caption: Notebooks

docs/notebooks/tokens_to_input
docs/notebooks/positions
docs/notebooks/own_table
```

```{toctree}
:hidden:
:caption: Reference

docs/reference/index
docs/reference/schemes
docs/reference/tokens
docs/reference/vectors
docs/reference/models
docs/reference/figures
```

```{toctree}
:hidden:
:caption: Documents
:glob:

docs/*
CONTRIBUTING
CHANGELOG
embedlib/data/NOTICE
Français <README.fr>
中文 <README.zh>
```
"""
FIGURES = """
`````{raw} html
<script src="../../_static/plotly.min.js"></script>
<script>
for (const place of document.querySelectorAll("[data-figure]")) {
  const { data, layout } = JSON.parse(place.dataset.figure);
  Plotly.newPlot(place, data, layout, { responsive: true, displaylogo: false });
}
</script>
`````
"""


class NotebookParser(MystParser):
    """Runs a notebook, and reads it as Markdown with the output of each cell beneath it."""

    supported = ("ipynb",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse a notebook."""
        notebook = nbformat.reads(inputstring, as_version=4)
        NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": ROOT}}).execute()
        super().parse("\n\n".join([*map(cell_markdown, notebook.cells), FIGURES]), document)


def cell_markdown(cell: Any) -> str:
    """Return a cell, and its outputs, as Markdown."""
    if cell.cell_type == "markdown":
        return str(cell.source)
    return "\n\n".join([f"`````python\n{cell.source}\n`````", *map(output_markdown, cell.outputs)])


def output_markdown(output: Any) -> str:
    """Return an output as Markdown: a figure, the HTML by which a result shows itself, or text."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    if figure := data.get("application/vnd.plotly.v1+json"):
        html = f'<div data-figure="{escape(json.dumps(figure))}"></div>'
    elif "text/html" in data:
        html = data["text/html"]
    else:
        return f"`````text\n{data['text/plain']}\n`````"
    return f'`````{{raw}} html\n<div class="output">{html}</div>\n`````'


def add_contents(app: Sphinx, document: str, source: list[str]) -> None:
    """Use README.md as the site's home page and append the table of contents to it."""
    if document == root_doc:
        source[0] += CONTENTS


def skip_member(app: Sphinx, kind: str, name: str, value: object, skip: bool, options: object) -> bool | None:
    """Leave out what a package itself imports from elsewhere, and what has its place on another page."""
    if kind != "module":
        return None
    is_imported = not getattr(value, "__module__", "").startswith("embedlib")
    is_elsewhere = name in embedlib.__all__ or value in embedlib.SCHEMES.values()
    return True if is_imported or is_elsewhere else None


def edit_docstring(app: Sphinx, kind: str, name: str, value: Any, options: object, lines: list[str]) -> None:
    """Escape bars such as |i - j|, which are substitutions in reST, and add a scheme's parameters."""
    lines[:] = [re.sub(r"(``.*?``)|\|", lambda found: found[1] or r"\|", line) for line in lines]
    if value in embedlib.SCHEMES.values():
        lines += ["", *(f":param {one.name}: {one.summary} Default: ``{one.default!r}``." for one in value.PARAMETERS)]


def find_export(app: Sphinx, env: Any, node: Any, content: nodes.Element) -> nodes.reference | None:
    """Link a class that a signature names by its module to the package that exports it."""
    package, _, name = node["reftarget"].rpartition(".")
    while package := package.rpartition(".")[0]:
        target = f"{package}.{name}"
        found = env.domains["py"].resolve_xref(env, node["refdoc"], app.builder, "class", target, node, content)
        if found is not None:
            return found
    return None


def add_files(app: Sphinx, error: Exception | None) -> None:
    """Copy Plotly's script, and let the address of the folder show the README."""
    if error is None:
        import plotly

        shutil.copy(Path(plotly.__file__).parent / "package_data" / "plotly.min.js", app.outdir / "_static")
        shutil.copy(app.outdir / "README.html", app.outdir / "index.html")


def setup(app: Sphinx) -> None:
    """Register the parser and the callbacks above."""
    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(NotebookParser)
    app.connect("source-read", add_contents)
    app.connect("autodoc-skip-member", skip_member)
    app.connect("autodoc-process-docstring", edit_docstring, priority=400)
    app.connect("missing-reference", find_export)
    app.connect("build-finished", add_files)
