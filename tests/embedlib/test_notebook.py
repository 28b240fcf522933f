"""Results in a notebook: HTML in which no text of a reader is markup, and figures with defaults for all."""

import base64
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nbformat
import plotly.graph_objects as go
import pytest
import torch
from nbclient import NotebookClient

from embedlib import SCHEMES, embed_text, fit_pca, make_scheme, nearest_neighbours

ROOT = Path(__file__).parents[2]
HOSTILE = '<script>alert("1")</script> & \'"'


class Tags(HTMLParser):
    """Collects tags, and whether all of them are closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.feed(html)
        ET.fromstring(f"<div>{html}</div>")

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.names.append(tag)


def picture(image: ET.Element) -> ET.Element:
    """Read the SVG of an image."""
    return ET.fromstring(base64.b64decode(str(image.get("src")).partition(",")[2]))


def table() -> torch.Tensor:
    return torch.randn(20, 6, generator=torch.Generator().manual_seed(1))


RESULTS = {
    "embedded text": lambda: embed_text(HOSTILE, d_model=8),
    "pca": lambda: fit_pca(table(), 3),
    "neighbours": lambda: nearest_neighbours(table(), table()[:2], 3),
    **{name: lambda name=name: make_scheme(name, d_model=8, n_heads=2) for name in SCHEMES},
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_shows_itself_and_draws_itself(name: str) -> None:
    result: Any = RESULTS[name]()
    html = result._repr_html_()
    assert "script" not in Tags(html).names, "text is never markup"
    for image in ET.fromstring(f"<div>{html}</div>").iter("img"):
        assert image.get("alt")
        picture(image)
    figure = result.figure()
    assert isinstance(figure, go.Figure)
    go.Figure(figure.to_dict())  # which Plotly checks


def test_an_embedded_text_shows_its_tokens_and_the_ranges_of_three_matrices() -> None:
    embedded = embed_text("the cat", d_model=8)
    html = embedded._repr_html_()
    chips = [chip.text for chip in ET.fromstring(f"<div>{html}</div>").iter("span")]
    assert chips == ["the", "·cat"]
    for matrix in (embedded.token_embeddings, embedded.position_vectors, embedded.input_embeddings):
        assert f"2 × 8, {float(matrix.min()):.4g} to {float(matrix.max()):.4g}" in html


def test_a_matrix_too_large_for_a_line_says_what_is_shown() -> None:
    assert "30 × 100, " in (html := embed_text("a " * 15, tokenizer="bytes", d_model=100)._repr_html_())
    assert "first 24 × 48 shown" in html


CELLS = """
import sys
from embedlib import embed_text, fit_pca, make_scheme, nearest_neighbours
embedded = embed_text("the cat", d_model=8)
embedded
---
make_scheme("rope", d_model=8, n_heads=2)
---
fit_pca(embed_text("the cat sat on the mat", d_model=8).input_embeddings, 2)
---
nearest_neighbours(embedded.token_embeddings, embedded.token_embeddings, 2)
---
print("plotly" in sys.modules)
---
embedded.figure()
"""


@pytest.fixture(scope="module")
def cells() -> list[Any]:
    """The cells of a notebook that a kernel of its own has run; one that fails ends the run."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in CELLS.split("---")])
    NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": ROOT}}).execute()
    return [cell.outputs[0] for cell in notebook.cells]


def test_in_a_notebook_a_text_is_chips_and_three_matrices(cells: list[Any]) -> None:
    html = ET.fromstring(f"<div>{cells[0].data['text/html']}</div>")
    assert [(chip.text, chip.get("title")) for chip in html.iter("span")] == [("the", "1169"), ("·cat", "3797")]
    assert [text.text.partition(":")[0] for text in html.iter("figcaption")] == [
        "token rows", "position rows", "input rows",
    ]  # fmt: skip
    assert [len(picture(image)) for image in html.iter("img")] == [16, 16, 16]


def test_in_a_notebook_schemes_components_and_neighbours_are_lists_and_matrices(cells: list[Any]) -> None:
    scheme, pca, neighbours = (cell.data["text/html"] for cell in cells[1:4])
    assert "<img" in scheme
    assert "d_model: 8" in scheme
    assert "<img" in pca
    assert "features: 8" in pca
    assert "query 0: row 0 (1)" in neighbours


def test_a_notebook_loads_plotly_with_its_first_figure(cells: list[Any]) -> None:
    assert cells[4].text == "False\n"
    assert len(cells[5].data["application/vnd.plotly.v1+json"]["data"]) == 3
