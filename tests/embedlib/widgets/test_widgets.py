"""Widgets in a notebook: what the browser is sent, what it reports, what stays without it, and what is refused."""

import base64
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
import torch
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from embedlib import embed_text, get_tokenizer, make_scheme
from embedlib.positional import SCHEMES
from embedlib.widgets import cloud, matrix, token_chips, token_rows, two_hands, vector_sum

ROOT = Path(__file__).parents[3]
EMBEDDED = embed_text("the cat sat", d_model=8)
TABLE = torch.randn(40, 6, generator=torch.Generator().manual_seed(1))
NAMES = [f"name {index}" for index in range(40)]
ROPE = make_scheme("rope", d_model=8, n_heads=1)
NAN = torch.full((3, 8), torch.nan)
CELLS = """
from embedlib import embed_text, make_scheme
from embedlib.widgets import cloud, matrix, token_chips, token_rows, two_hands, vector_sum
embedded = embed_text("the cat sat", d_model=8)
chips = token_chips(embedded)
chips
---
chips.chosen = 1
total = vector_sum(embedded)
total
---
total.chosen = chips.chosen + 1
rows = token_rows("the untokenized cat", ["words", "gpt2"])
rows
---
rows.chosen = 4
grid = matrix(embedded, chosen=1)
grid
---
points = cloud(embedded.token_embeddings, ["the", "cat", "sat"], groups=["a", "b", "b"])
points
---
points.chosen, points.selected = 2, [0, 1]
hands = two_hands(make_scheme("rope", d_model=8, n_heads=1), embedded)
hands
---
hands.query = 9
print(chips.chosen, total.chosen, rows.chosen, grid.chosen, points.chosen_name, points.selected_names, hands.query)
"""
WIDGET = "application/vnd.jupyter.widget-view+json"


def set_by_browser(widget: Any, **traits: Any) -> None:
    """Set traits as a browser does."""
    widget._handle_msg({"content": {"data": {"method": "update", "state": traits, "buffer_paths": []}}, "buffers": []})


def send_from_browser(widget: Any, name: str, value: Any) -> None:
    """Send what happens in a component, as a browser does."""
    content = {"name": name, "value": value}
    widget._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


@pytest.fixture(scope="module")
def notebook() -> Any:
    """Run a notebook with all widgets in a kernel of its own; a cell that fails ends the run."""
    ran = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in CELLS.split("---")])
    NotebookClient(ran, kernel_name="python3", resources={"metadata": {"path": ROOT}}).execute()
    return ran


def test_a_notebook_runs_all_widgets_and_its_cells_set_and_read_what_is_chosen(notebook: Any) -> None:
    shown = [cell.outputs[0].data for cell in notebook.cells[:-1]]
    assert all(WIDGET in data for data in shown)
    assert shown[0]["text/plain"] == "3 tokens: the ·cat ·sat"
    assert notebook.cells[-1].outputs[0].text == "1 2 4 1 sat ['the', 'cat'] 9\n"


@pytest.mark.parametrize("has_state", [True, False], ids=["with the widgets' state", "as JupyterLab saves it"])
def test_an_exported_notebook_has_a_picture_of_each_widget(notebook: Any, has_state: bool) -> None:
    saved = notebook if has_state else {**notebook, "metadata": {}}
    html, _ = HTMLExporter().from_notebook_node(nbformat.from_dict(saved))
    stills = re.findall(r'<div data-embedlib-still="\w+">(.*)</div>', html)
    assert [still.count("<img") for still in stills] == [0, 3, 0, 3, 1, 1]
    for still in stills:
        for alt, source in re.findall(r'<img alt="([^"]+)"[^>]* src="data:image/svg\+xml;base64,([^"]+)"', still):
            assert alt
            assert base64.b64decode(source).startswith(b"<svg")


def test_text_in_a_picture_is_never_markup() -> None:
    hostile = "<script>alert(1)</script>"
    widgets = [token_chips(hostile), token_rows(hostile), cloud(TABLE, [hostile] * 40), matrix(TABLE, title=hostile)]
    for widget in widgets:
        drawn = [base64.b64decode(source) for source in re.findall(r'base64,([^"]+)', widget.static_html)]
        assert "<script" not in widget.static_html
        assert not any(b"<script" in picture for picture in drawn)


def test_a_sum_is_sent_in_float32_to_the_bit_with_the_colours_of_both_themes() -> None:
    widget = vector_sum(EMBEDDED)
    token, position = np.frombuffer(widget._tail, "<f4").reshape(2, 3, 8)
    np.testing.assert_array_equal(token, EMBEDDED.token_embeddings)
    np.testing.assert_array_equal(position, EMBEDDED.position_vectors)
    assert widget._header["tokens"] == ["the", "·cat", "·sat"]
    assert widget._themes["light"]["colours"] != widget._themes["dark"]["colours"]


@pytest.mark.parametrize("name", SCHEMES)
def test_a_sum_shows_what_any_scheme_does_to_rows(name: str) -> None:
    scheme = make_scheme(name, d_model=8, n_heads=2).requires_grad_(False)
    widget = vector_sum(EMBEDDED, scheme)
    header, rows = widget._header, EMBEDDED.token_embeddings
    shown = torch.frombuffer(bytearray(widget._tail), dtype=torch.float32).view(-1, 3, header["n_columns"])
    heads = rows.view(3, 2, 4).transpose(0, 1)
    if header["pairs"]:
        torch.testing.assert_close(shown[2], scheme.rotate(heads, heads)[0][0])
    elif header["causal"]:
        torch.testing.assert_close((shown[0] + shown[1]).tril(), scheme.scores(heads, heads)[0].tril())
    else:
        added = scheme.position_table(3) if scheme.acts_on else torch.zeros_like(rows)
        torch.testing.assert_close(shown, torch.stack([rows, added]), rtol=0, atol=0)


def test_of_a_long_text_a_sum_shows_a_window() -> None:
    widget = vector_sum(np.ones((100, 4)), np.zeros((100, 4)), first=50)
    assert (widget._header["n_rows"], widget._header["first_position"], widget._header["total"]) == (50, 50, 100)
    assert vector_sum(np.ones((100, 4)), np.zeros((100, 4)))._header["n_rows"] == 64


def test_a_matrix_is_sent_with_masked_cells_as_nan() -> None:
    widget = matrix([[1.0, -np.inf], [0.5, -0.25]])
    np.testing.assert_array_equal(np.frombuffer(widget._tail, "<f4"), np.float32([1, np.nan, 0.5, -0.25]))


def test_a_text_is_cut_by_several_tokenizers_with_titles_of_ones_own() -> None:
    widget = token_rows("the 日", {"one": get_tokenizer("gpt2"), "other": "bytes"})
    assert [(row["title"], row["count"]) for row in widget._header["rows"]] == [("one", 4), ("other", 7)]
    assert widget._header["characters"] == ["t", "h", "e", "·", "日"]


@pytest.mark.parametrize("draw", [token_chips, vector_sum, matrix, lambda source: cloud(source.token_embeddings)])
def test_a_choice_in_the_browser_is_a_trait_that_a_cell_can_follow(draw: Any) -> None:
    widget = draw(EMBEDDED)
    heard: list[Any] = []
    widget.observe(lambda change: heard.append(change["new"]), "chosen")
    set_by_browser(widget, chosen=2)
    assert (widget.chosen, heard) == (2, [2])
    with pytest.raises(ValueError, match="chosen=-1 must be in 0 … 2, or None"):
        widget.chosen = -1


def test_points_are_selected_from_both_sides() -> None:
    widget = cloud(TABLE, NAMES, selected=[3])
    assert widget._header["marked"] == 1
    bits = np.packbits(np.isin(np.arange(40), [1, 5]), bitorder="little").tobytes()
    send_from_browser(widget, "selection", base64.b64encode(bits).decode())
    assert widget.selected_names == ["name 1", "name 5"]
    send_from_browser(widget, "selection", {"no": "text"})
    assert widget.selected == [1, 5]


def test_a_chosen_point_is_joined_to_its_nearest_rows_in_all_dimensions() -> None:
    widget = cloud(TABLE, NAMES, chosen=7)
    cosines = torch.cosine_similarity(TABLE, TABLE[7][None])
    expected = [index for index in cosines.argsort(descending=True).tolist() if index != 7][:10]
    assert [index for index, _ in widget._header["neighbours"]] == expected
    assert widget.neighbours[0][1] == pytest.approx(float(cosines[expected[0]]))


def test_a_regular_expression_is_searched_by_python() -> None:
    widget = cloud(TABLE, NAMES)
    send_from_browser(widget, "search", {"text": r"\b1\d$", "expression": True, "turn": 1})
    assert widget._header["found"] == list(range(10, 20))
    assert widget._header["search"]["answer"]["count"] == "10"
    send_from_browser(widget, "search", {"text": "(", "expression": True, "turn": 2})
    assert widget._header["search"]["answer"]["count"] == ""


def test_the_hands_follow_python_and_python_the_hands() -> None:
    widget = two_hands(ROPE, EMBEDDED, query=5, key=0, pair=0)
    assert widget._view_state == "1~.hands!5,0,1,0,0,2,0"
    widget.key = 4
    assert widget._view_state == "1~.hands!5,4,1,0,0,2,0"
    set_by_browser(widget, _view_state="1~.hands!7,6,0,1,1,0,2")
    assert (widget.query, widget.key, widget.pair) == (7, 6, 1)
    for unsound in ("1~.hands!none", "1~.hands!500,6,0,1,1,0,2", "2~.hands!8,6,0,1,1,0,2", "1~.top!0.5"):
        set_by_browser(widget, _view_state=unsound)
        assert widget.query == 7
    widget.pair = 2
    assert widget._view_state == "1~.hands!7,6,0,2,1,0,2"
    set_by_browser(widget, _view_state="1~.hands!30,3,0,1,1,0,2~.top!0.5")
    assert (widget.query, widget.key) == (30, 3)


def test_the_static_picture_of_the_hands_shows_where_they_are() -> None:
    widget = two_hands(ROPE, query=5, key=0, pair=0)
    widget.query, widget.pair = 20, 1
    assert repr(widget) == "RoPE: query at 20, key at 0, 4 pairs of dimensions"
    assert widget.static_html == two_hands(ROPE, query=20, key=0, pair=1).static_html
    assert not hasattr(widget, "chosen")


@pytest.mark.parametrize("count", [23, 24, 25, 40])
def test_a_static_picture_of_points_names_at_most_twelve(count: int) -> None:
    widget = cloud(torch.randn(count, 2), [f"name{index}" for index in range(count)])
    (picture,) = (base64.b64decode(source) for source in re.findall(r"base64,([^\"]+)", widget.static_html))
    assert 0 < picture.count(b"name") <= 12


def test_a_matrix_is_named_as_asked() -> None:
    panel = matrix(ROPE, title="RoPE", rows="query", columns="key")._header["panels"][0]
    assert (panel["title"], panel["rows"], panel["columns"]) == ("RoPE", "query", "key")
    panel = matrix(EMBEDDED, columns="feature")._header["panels"][0]
    assert (panel["title"], panel["rows"], panel["columns"]) == ("token rows", "position", "feature")


@pytest.mark.parametrize(
    ("draw", "remedy"),
    [
        (lambda: token_chips(""), "text is empty: give at least one character"),
        (lambda: token_chips(EMBEDDED, chosen=3), "chosen=3 must be in 0 … 2, or None"),
        (lambda: token_chips("a " * 5_000), "source has 5,001 tokens: the widget holds 4,096; give fewer"),
        (lambda: token_rows(" \n"), "text is empty: give at least one character"),
        (lambda: token_rows("a" * 30_000), r"the widget holds 20,000; give text\[:20_000\]"),
        (lambda: token_rows("a", []), "tokenizers is empty: give at least one"),
        (lambda: token_rows("a", ["gpt2", "gpt2"]), "two of one name: give a mapping"),
        (lambda: vector_sum(TABLE), "positions is missing: give position rows"),
        (lambda: vector_sum(NAN, NAN), "source holds NaN or infinity: replace them"),
        (lambda: vector_sum(TABLE, TABLE[:3]), "positions has shape 3 × 6 .* give one position row for each"),
        (lambda: vector_sum(EMBEDDED, make_scheme("rope", d_model=4, n_heads=1)), "make the scheme with d_model=8"),
        (lambda: vector_sum(torch.zeros(1_000_000, 2), torch.zeros(1_000_000, 2)), r"give a part, such as source\["),
        (lambda: vector_sum(EMBEDDED, labels=["a"]), "labels has 1 entries .* give one for each"),
        (lambda: vector_sum(EMBEDDED, first=3), "first=3 must be in 0 … 2"),
        (lambda: matrix(NAN), "NaN or infinity: -inf masks a cell; replace"),
        (lambda: matrix(torch.zeros(2, 2, 2)), "values has shape 2 × 2 × 2: give rows × columns"),
        (lambda: matrix([[1.0], [1.0, 2.0]]), "give a tensor, an array or rows of equal length"),
        (lambda: matrix([["a", "b"]]), "values holds no table of numbers"),
        (lambda: matrix(torch.zeros(2, 2, dtype=torch.complex64)), "complex numbers: give their real parts"),
        (lambda: matrix(torch.zeros(1_000_000, 1)), r"the widget holds 2,048 rows .* values\[:2_048\]"),
        (lambda: matrix({name: torch.zeros(1_000, 600) for name in "ab"}), "holds 1,200,000 numbers.* fewer matrices"),
        (lambda: matrix({}), "values is empty"),
        (lambda: matrix(EMBEDDED, title="x"), "title='x' is for a single matrix: give a mapping"),
        (lambda: matrix(TABLE, limit=0.0), "limit=0.0 must be above 0"),
        (lambda: cloud(torch.zeros(1_000_000, 2)), r"the widget holds 65,536 rows .* vectors\[:65_536\]"),
        (lambda: cloud(NAN), "vectors holds NaN or infinity"),
        (lambda: cloud(TABLE, ["a"]), "names has 1 entries but vectors 40 rows"),
        (lambda: cloud(TABLE, points=TABLE), "points has shape 40 × 6: give 2 or 3 columns"),
        (lambda: cloud(TABLE, groups=NAMES), "groups has 40 different names: give at most 9, or numbers"),
        (lambda: cloud(TABLE, groups=np.full(40, np.nan)), "groups holds NaN or infinity"),
        (lambda: cloud(TABLE[:1]), "give at least two, or points"),
        (lambda: cloud(TABLE, selected=[40]), "selected has an index outside 0 … 39"),
        (lambda: two_hands(make_scheme("alibi", d_model=8, n_heads=2)), r'has no hands: give make_scheme\("rope"'),
        (lambda: two_hands(ROPE, embed_text("a", d_model=16)), "source has d_model=16 but the scheme 8"),
        (lambda: two_hands(ROPE, query=64), "query=64 must be in 0 … 63"),
        (lambda: two_hands(ROPE, n_positions=1), "n_positions=1 must be in 2 … 4096"),
    ],
)
def test_bad_input_is_one_error_with_the_remedy(draw: Any, remedy: str) -> None:
    with pytest.raises(ValueError, match=remedy):
        draw()


def test_without_anywidget_the_library_works_and_the_widgets_say_what_to_install() -> None:
    program = """
import sys
sys.modules.update(dict.fromkeys(["anywidget", "streamlit", "plotly"]))
from embedlib import embed_text
embed_text("the cat", d_model=8)._repr_html_()
import embedlib.widgets
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr.strip().splitlines()[-1] == (
        'ImportError: embedlib.widgets needs anywidget: pip install "anywidget>=0.11,<0.12"'
    )
