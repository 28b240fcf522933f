"""What can be saved of figures: files with meaningful names, whose numbers are those of the figure."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from html import unescape
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
import torch
from streamlit.runtime.context import ContextProxy
from streamlit.runtime.state import session_state_proxy
from streamlit.testing.v1 import AppTest

from embedlib import embed_text
from embedlib.figures import GROUND
from embedlib.measures import MEASURES, named_terms, score_bias
from embedlib.positional import SCHEMES, make_scheme
from tests.ui.pages import MAIN, components, files_of, find_control, open_page
from ui.export import Columns, Drawing, Lines, Numbers, Offer, show, strip_grid_markup
from ui.export.offers import make_file
from ui.i18n import set_run_language
from ui.markdown import as_code
from ui.settings import Formulas, OwnScheme, state

PAGES = sorted(path.stem for path in (MAIN.parents[1] / "pages").glob("*.py"))


Texts = dict[str, Callable[[], str]]


def texts_of(app: AppTest) -> Texts:
    """What makes the files of a page that are texts, by their names: all numbers, and the figures but no tables."""
    return {
        f"{offer.name}.{kind}": partial(written, offer, kind)
        for offer in app.session_state["_offers"].offers.values()
        for kind in ["csv", *["html"][: drawing_of(offer).figure is not None]]
    }


def drawing_of(offer: Offer) -> Drawing:
    with offer.settings():
        return offer.drawing()


def written(offer: Offer, kind: str) -> str:
    return offer.write(kind).decode()


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[go.Figure]:
    """Collect the figures of the HTML files instead of writing 5 MB of Plotly for each."""
    found: list[go.Figure] = []

    def noted(figure: go.Figure, **_words: Any) -> str:
        found.append(figure)
        return "<html></html>"

    monkeypatch.setattr(go.Figure, "to_html", noted)
    return found


def lines(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def numbers(text: str, first: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Read the columns of a table from the first one that holds numbers."""
    return np.array([line[first:] for line in lines(text)[1:]], dtype=np.float32)


def stems(taken: Texts) -> set[str]:
    """The names of the files, each of which is there as numbers and as a figure."""
    found = {name.rsplit(".", 1)[0] for name in taken}
    assert set(taken) >= {f"{stem}.{kind}" for stem in found for kind in ("csv", "html")}
    return found


def test_the_files_of_a_schemes_figures_hold_what_is_drawn() -> None:
    taken = texts_of(open_page("positions", scheme="transformer_xl", positions="12", term_head="2"))
    scheme = make_scheme("transformer_xl", d_model=64, n_heads=4)
    terms = named_terms(scheme, 12, head=2, seed=123)
    text = taken["transformer-xl-parts-of-head-2.csv"]()
    assert list(dict.fromkeys(line[1] for line in lines(text)[1:])) == ["part_1", "part_2", "part_3", "part_4", "sum"]
    squares = numbers(text, 2).reshape(5, 12, 12)
    for square, term in zip(squares, terms.values(), strict=False):
        np.testing.assert_array_equal(square, term.numpy())
    np.testing.assert_array_equal(numbers(taken["transformer-xl-similarity.csv"](), 1), scheme.similarity(12).numpy())


def test_rows_waves_and_biases_are_written_as_they_are_drawn() -> None:
    taken = texts_of(open_page("positions", positions="6", d_model="8", pairs="0,2"))
    table = make_scheme("sinusoidal", d_model=8, n_heads=1).position_table(6).numpy()
    np.testing.assert_array_equal(numbers(taken["sinusoidal-position-rows.csv"](), 1), table)
    assert lines(taken["sinusoidal-waves.csv"]())[0] == ["position", "dim_0", "dim_4"]
    np.testing.assert_array_equal(numbers(taken["sinusoidal-waves.csv"](), 1), table[:, [0, 4]])
    assert lines(taken["sinusoidal-pairs.csv"]())[0] == ["position", "pair_0_x", "pair_0_y", "pair_2_x", "pair_2_y"]
    np.testing.assert_array_equal(numbers(taken["sinusoidal-pairs.csv"](), 1), table[:, [1, 0, 5, 4]])
    taken = texts_of(open_page("positions", scheme="alibi", positions="6", d_model="8", heads="2"))
    bias = score_bias(make_scheme("alibi", d_model=8, n_heads=2), 6).numpy()
    np.testing.assert_array_equal(numbers(taken["alibi-bias.csv"](), 2).reshape(2, 6, 6), bias)


def test_the_word_order_page_has_four_tables_and_two_figures_to_take_along(figures: list[go.Figure]) -> None:
    link = {"first": "the dog bit the man", "second": "the man bit the dog at noon"}
    taken = texts_of(open_page("word_order", **link))
    tables, figures_too = ("changes", "mask"), ("moves", "output-none")
    names = {f"word-order-{name}.csv" for name in (*tables, *figures_too)}
    names |= {"attention-example.csv", "appended-or-added.csv", *(f"word-order-{name}.html" for name in figures_too)}
    assert set(taken) == names
    moves = lines(taken["word-order-moves.csv"]())
    assert moves[0] == ["token_id", "token", "bytes", "first", "second"]
    assert all(bytes.fromhex(code).decode() == text for _id, text, code, *_ in moves[1:])
    read = [(text, first, second) for _id, text, _code, first, second in moves[1:]]
    assert read == [
        ("the", "0", "0"),
        ("dog", "1", "4"),
        ("bit", "2", "2"),
        ("the", "3", "3"),
        ("man", "4", "1"),
        ("at", "", "5"),
        ("noon", "", "6"),
    ]
    changes = {line[0]: line[1:] for line in lines(taken["word-order-changes.csv"]())[1:]}
    assert set(changes) == set(SCHEMES)
    assert changes["cope"] == ["5", ""]  # defined with the causal mask only
    mask = lines(taken["word-order-mask.csv"]())
    assert [line[:2] for line in mask] == [["layers", "causal"], ["1", "0"], ["2", "0"], ["1", "1"], ["2", "1"]]
    taken["word-order-moves.html"]()
    assert [bool(figure.layout.title.text) for figure in figures] == [True]


def test_each_figure_of_the_comparison_can_be_taken_along(figures: list[go.Figure]) -> None:
    app = open_page("compare", schemes="none,sinusoidal,rope,fire", positions="12", position="4")
    assert not app.exception
    taken = texts_of(app)
    measures, further = (lines(taken.pop(f"{name}.csv")()) for name in ("measures", "further-measures"))
    assert len(lines(taken.pop("schemes.csv")())) == 1 + 4
    assert len(lines(taken.pop("token-chips.csv")())) > 1
    assert {*measures[0][1:], *further[0][1:]} == MEASURES.keys()
    assert stems(taken) == {
        *(f"compare-{name}" for name in ("contributions", "by-distance", "similarity", "attention", "past")),
        "rope-dials-none",
        "rope-dials-linear",
    }
    table = lines(taken["compare-contributions.csv"]())
    rows = {name: [line for line in table[1:] if line[0] == name] for name in ("sinusoidal", "rope", "fire")}
    assert len(table) == 1 + 3 * 12
    assert {len(line) for line in table} == {2 + 64}
    np.testing.assert_array_equal(
        np.array([line[2:] for line in rows["sinusoidal"]], dtype=np.float32),
        make_scheme("sinusoidal", d_model=64, n_heads=4).position_table(12).numpy(),
    )
    assert all(line[2 + 16 :] == [""] * 48 for line in rows["rope"])
    taken["compare-contributions.html"]()
    (figure,) = figures
    assert [trace["type"] for trace in figure.data] == ["heatmap"] * 3
    np.testing.assert_array_equal(
        figure.data[2]["z"], np.array([line[2 : 2 + 12] for line in rows["fire"]], dtype=np.float32)
    )


def offer_of(figure: go.Figure | None = None, *, numbers: Numbers | None = None, **more: Any) -> Offer:
    """A figure on a page whose words look like markup, and whose browser has written something into its link."""
    settings = {"text": "<b>", "d_model": "8", "seed": "123", "look": "written", "find": ""}
    known: dict[str, Any] = {
        "name": "rows",
        "title": "",
        "source": "random, seed <1>",
        "address": "https://here.example/compare",
        "link": lambda: ("text=%3Cb%3E&d_model=8", settings),
        "words": {"lang": "en", "source": "Source", "settings": "Settings", "link": "Link"},
        "settings": nullcontext,
        "kinds": ["html", "csv", "npz"],
    }
    drawn: dict[str, Any] = {"numbers": numbers, "grid": more.pop("grid", None)}
    given = known | more
    if figure is not None:
        drawn["figure"] = lambda **_options: figure
    drawing = Drawing(name=given["name"], title=given["title"], **drawn)
    return Offer(drawing=lambda: drawing, **given)


def test_a_saved_page_says_what_it_is_and_leads_back_to_its_settings() -> None:
    figure = go.Figure(layout={"title": {"text": "<b>Rows</b> &amp; sums"}})
    page = written(offer_of(figure), "html")
    assert re.findall("<title>(.*?)</title>", page)[0] == "Rows &amp; sums"
    assert "<p>Source: random, seed &lt;1&gt;</p>" in page
    assert "<p>Settings: text = &lt;b&gt;; d_model = 8; seed = 123</p>" in page
    assert '<a href="https://here.example/compare?text=%3Cb%3E&amp;d_model=8">' in page
    assert "written" not in page
    plain = written(offer_of(go.Figure(), address="", source=""), "html")
    assert "<h1>rows</h1>" in plain
    assert "<p>Link" not in plain
    assert "<p>Source" not in plain


def test_an_image_is_made_of_the_figure_with_its_title_source_settings_and_link() -> None:
    made = json.loads(offer_of(go.Figure(go.Bar(y=[1, 2])), title="Rows & sums").write("json"))
    assert made["title"] == "Rows & sums"
    assert made["figure"]["data"][0]["y"] == [1, 2]
    assert made["about"] == {
        "source": "random, seed <1>",
        "settings": "text = <b>; d_model = 8; seed = 123",
        "link": "https://here.example/compare?text=%3Cb%3E&d_model=8",
    }


def seen_layout(figure: go.Figure, look: str) -> Any:
    made = json.loads(offer_of(figure, key="map", look=look).write("json"))
    return made["figure"]["layout"], made["about"]["link"]


def test_a_saved_figure_shows_the_ranges_and_the_camera_in_view_and_its_link_has_them() -> None:
    lines = go.Figure(go.Scatter(y=[1, 2]), layout={"xaxis": {"title": {"text": "x"}}, "yaxis": {"zeroline": True}})
    layout, link = seen_layout(lines, "1~map.xaxis!0.25,0.5~other.yaxis!3,4~map.zaxis!1,2~map.yaxis!1,1")
    assert layout["xaxis"]["range"] == [0.25, 0.5]
    assert "range" not in layout["yaxis"]
    query = "look=1~map.xaxis!0.25,0.5~other.yaxis!3,4~map.zaxis!1,2~map.yaxis!1,1"
    assert link == f"https://here.example/compare?text=%3Cb%3E&d_model=8&{query}"
    space = go.Figure(go.Scatter3d(x=[1], y=[2], z=[3]), layout={"scene": {}})
    layout, _link = seen_layout(space, "1~map.scene!1,2,3,0.1,0.2,0.3")
    assert layout["scene"]["camera"] == {"eye": {"x": 1, "y": 2, "z": 3}, "center": {"x": 0.1, "y": 0.2, "z": 0.3}}
    for wrong in (
        "2~map.xaxis!0,1",
        "1~map.xaxis!nan,1",
        "1~map.xaxis!1e99,1",
        "<b>",
        "1~map.xaxis",
        "1~map.xaxis!1,2,3",
    ):
        layout, link = seen_layout(go.Figure(lines), wrong)
        assert layout["xaxis"]["range"] == [0.25, 0.5]  # as before
        assert "<" not in link


def test_a_saved_cloud_shows_the_part_and_the_side_that_are_in_view() -> None:
    flat = go.Figure(go.Scattergl(x=[0, 1], y=[0, 1]), layout={"xaxis": {}, "yaxis": {}})
    layout, link = seen_layout(flat, "1~map.seen!0.5,0.25,0,0,0,0.2,0.1~map.camera!2,0,0,0,0,0")
    np.testing.assert_allclose(layout["xaxis"]["range"], [0.4, 0.6])
    np.testing.assert_allclose(layout["yaxis"]["range"], [0.2, 0.3])
    assert link.endswith("look=1~map.camera!2,0,0,0,0,0")
    points = np.array([[0.0, 0.0, 0.0], [4.0, 2.0, 1.0], [3.0, 0.5, 0.2]])
    space = go.Figure(go.Scatter3d(x=points[:, 0], y=points[:, 1], z=points[:, 2]), layout={"scene": {}})
    yaw, pitch, middle, height = 0.7, -0.3, np.array([3.0, 1.0, 0.5]), 0.8
    layout, _link = seen_layout(space, f"1~map.seen!3,1,0.5,{yaw},{pitch},1.2,{height}")
    scene, camera = layout["scene"], layout["scene"]["camera"]
    vectors = {name: np.array([camera[name][letter] for letter in "xyz"]) for name in ("eye", "center", "up")}
    towards = vectors["eye"] - vectors["center"]
    towards /= np.linalg.norm(towards)
    right = np.cross(vectors["up"], towards)
    # As ui/components/_shared/camera.ts turns a point: about the upright first, then towards the reader.
    sideways = [np.cos(yaw), 0, np.sin(yaw)]
    upward = [np.sin(yaw) * np.sin(pitch), np.cos(pitch), -np.cos(yaw) * np.sin(pitch)]
    np.testing.assert_allclose(right, sideways, atol=1e-12)
    np.testing.assert_allclose(vectors["up"], upward, atol=1e-12)
    assert camera["projection"] == {"type": "orthographic"}
    for point in points:  # where Plotly places it in its scene, which is 2 high, is where the page shows it
        axes = [scene[f"{letter}axis"]["range"] for letter in "xyz"]
        assert all(low < value < high for value, (low, high) in zip(point, axes, strict=True))
        ratios = [scene["aspectratio"][letter] for letter in "xyz"]
        placed = [
            ratio * ((value - low) / (high - low) - 0.5)
            for value, (low, high), ratio in zip(point, axes, ratios, strict=True)
        ]
        for axis, shown in ((right, sideways), (vectors["up"], upward)):
            expected = 2 * float(np.dot(shown, point - middle)) / height
            np.testing.assert_allclose(float(np.dot(axis, placed - vectors["center"])), expected, atol=1e-9)


def test_arrays_are_read_back_to_the_bit_with_their_names_and_where_they_come_from() -> None:
    arrays = {"rows": torch.randn(3, 5), "ids": torch.tensor([2, 50_256])}
    file = offer_of(numbers=Columns(arrays, "row"), title="Rows").write("npz")
    with np.load(io.BytesIO(file), allow_pickle=False) as read:
        assert set(read.files) == {"rows", "ids", "meta"}
        for name, values in arrays.items():
            assert read[name].dtype == values.numpy().dtype
            np.testing.assert_array_equal(read[name], values.numpy())
        meta = json.loads(str(read["meta"]))
    assert meta.keys() == {"title", "source", "settings", "link"}
    assert meta["title"] == "Rows"
    assert "written" not in str(meta)


def test_a_file_is_found_by_its_visit_and_name_as_long_as_the_page_is_in_view() -> None:
    app = open_page(vectors="learned")
    token = app.session_state["_offers"].token
    content, kind = make_file(token, "lengths.csv") or (b"", "")
    assert kind.startswith("text/csv")
    assert content == files_of(app)["lengths.csv"]()
    for wrong in (
        (token, "lengths.exe"),
        (token, "lengths.png"),
        (token, "none.csv"),
        (token, ""),
        ("", "lengths.csv"),
    ):
        assert make_file(*wrong) is None
    other = open_page()
    assert other.session_state["_offers"].token != token


def test_the_arrays_of_the_first_page_are_the_librarys() -> None:
    app = open_page(table="random", d_model="8", seed="5", text="the cat", tokenizer="gpt2", scheme="sinusoidal")
    found = embed_text("the cat", d_model=8, seed=5, scheme="sinusoidal")
    with np.load(io.BytesIO(files_of(app)["input-embeddings.npz"]()), allow_pickle=False) as read:
        for name in ("token_embeddings", "position_vectors", "input_embeddings"):
            np.testing.assert_array_equal(read[name], getattr(found, name).numpy())
        assert "seed 5" in json.loads(str(read["meta"]))["source"]


def test_the_rows_that_tokens_pick_are_saved_with_their_ids() -> None:
    rows = {"layer_matrix": "random", "layer_start": "normal_1"}
    app = open_page("embedding_layer", d_model="8", seed="5", text="the cat", tokenizer="gpt2", **rows)
    files, found = files_of(app), embed_text("the cat", d_model=8, seed=5)
    with np.load(io.BytesIO(files["rows-of-tokens.npz"]()), allow_pickle=False) as read:
        np.testing.assert_array_equal(read["token_ids"], found.token_ids.numpy())
        picked = read["rows"]
        about = json.loads(str(read["meta"]))["source"]
    assert "seed 5" in about
    table = files["rows-of-tokens.csv"]().decode()
    assert [int(line[1]) for line in lines(table)[1:]] == found.token_ids.tolist()
    np.testing.assert_array_equal(numbers(table, 3), picked)
    drawn = json.loads(app.session_state["_offers"].offers["rows-of-tokens"].write("json"))["figure"]
    assert len(drawn["data"]) == 1


def test_figures_on_paper_are_those_of_the_light_theme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ContextProxy, "theme", SimpleNamespace(type="dark"))
    for page in ("pipeline", "compare"):
        app = open_page(page)
        for offer in app.session_state["_offers"].offers.values():
            if drawing_of(offer).figure is not None:
                layout = json.loads(offer.write("json"))["figure"]["layout"]
                assert layout["paper_bgcolor"] == GROUND["light"], offer.name
                assert layout["font"]["color"] != GROUND["light"], offer.name


def test_the_settings_of_a_saved_figure_are_those_of_the_page(figures: list[go.Figure]) -> None:
    listed = settings_of(open_page("projection", vectors="learned", d_model="8"), "embedding-map")
    assert {"d_model": "8", "vectors": "learned", "metric": "cosine"}.items() <= listed.items()
    assert not listed.keys() & {"perplexity", "train_steps", "rope.base"}  # which this map does not have
    app = open_page("compare", d_model="8")
    for schemes in (["none", "rope"], ["rope", "alibi"]):
        find_control(app, "schemes").set_value(schemes).run()
        find_control(app, "position").set_value(3).run()  # which runs a part of the page
        listed = settings_of(app, "compare-attention")
        own = {
            "text": state.DEFAULT_TEXT,
            "d_model": "8",
            "schemes": ",".join(schemes),
            "position": "3",
            "seed": "123",
            "head": "0",
        }
        assert own.items() <= listed.items()
    tokens = open_page("tokens")
    (shown,) = [part for part in components(tokens, "live-text") if part.id.endswith("live-text")]
    text = json.loads(shown.bytes)["value"]
    assert text != state.DEFAULT_TEXT
    for offer in tokens.session_state["_offers"].offers.values():
        assert f"text = {text}" in offer.metadata()["settings"], offer.name
    typed = OwnScheme(2, "Waves", ("sin(p *\ni)", "", "", ""))
    app = open_page("compare", schemes="rope,formula:2,formula:1", formulas=Formulas(()).format((typed,)))
    listed = settings_of(app, "compare-attention")
    assert (listed["schemes"], listed["formulas"]) == ("rope,Waves,formula:1", "Waves (rows: sin(p * i))")


def settings_of(app: AppTest, name: str) -> dict[str, str]:
    """Read the settings on the page that a figure is saved as."""
    (listed,) = re.findall("<p>Settings: (.*?)</p>", texts_of(app)[f"{name}.html"]())
    return dict(one.split(" = ") for one in listed.split("; "))


def test_no_saved_file_says_which_lecture_its_page_follows() -> None:
    app = open_page(follow="abcdef", d_model="8", table="random")
    files = files_of(app, "npz")
    with np.load(io.BytesIO(files["lengths.npz"]()), allow_pickle=False) as read:
        meta = json.loads(str(read["meta"]))
    assert "d_model = 8" in meta["settings"]
    assert "follow" not in str(meta)


# Besides each page as it opens: what waits behind a choice, and schemes with figures of their own; with time all.
OF_EACH_KIND = ("none", "rope", "alibi", "t5", "transformer_xl", "learned")
VIEWS = (
    *((page, {}) for page in PAGES),
    *(("positions", {"scheme": scheme}) for scheme in OF_EACH_KIND),
    *(
        pytest.param("positions", {"scheme": scheme}, marks=pytest.mark.thorough)
        for scheme in SCHEMES
        if scheme not in OF_EACH_KIND
    ),
    ("embedding_layer", {"layer_second": "1", "layer_shares": "1", "layer_matrix": "random"}),
    ("extrapolation", {"experiment": "text"}),
    ("projection", {"row": "3", "isolated": "1,2,3"}),
    ("projection", {"map": "meaning"}),
    ("tokens", {"closely": "wordpiece"}),
    ("tokens", {"closely": "unigram"}),
)
# What is no figure: what is typed in, and the frame.
NO_FIGURES = {"browser", "live-text", "lecture", "speaker"}


def figures_and_menus(block: Any) -> Iterator[tuple[str, str]]:
    """List what a page draws from the top to the foot: kinds of figures and tables, names and labels of menus."""
    for element in block.children.values():
        kind = element.type
        if hasattr(element, "children"):
            yield from figures_and_menus(element)
        elif kind == "bidi_component" and element.proto.component_name not in NO_FIGURES:
            yield "figure", element.proto.component_name
        elif kind in ("plotly_chart", "arrow_data_frame", "arrow_table", "dataframe", "table"):
            yield "figure", kind
        elif kind == "html" and "data-name" in element.proto.body:
            continue  # a button that saves one file
        elif kind == "html" and (menu := re.search('data-offer="[^"/]*/([^"]*)"', element.proto.body)):
            yield "menu", unescape(menu[1])
            yield "label", element.proto.body.partition('aria-label="')[2].partition('"')[0]
        elif kind == "html" and "<table" in element.proto.body:
            yield "figure", "text table"


@pytest.mark.parametrize(("page", "link"), VIEWS, ids=str)
def test_every_figure_and_table_has_a_menu_of_its_own_name_whose_files_are_written_outside_of_any_session(
    page: str, link: dict[str, str], real_rows: None, figures: list[go.Figure], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_page(page, **link)
    assert not app.exception
    lacking, labels, to_come = list[str](), list[str](), 0
    for kind, name in figures_and_menus(app._tree):
        if kind == "menu":
            to_come = 2 if name == "under-trained" else 1  # two tables side by side
            offer = app.session_state["_offers"].offers[name]
            assert {"png", "svg", "html", "csv", "npz"} == set(offer.kinds), name
            assert offer.title, name
        elif kind == "label":
            labels.append(name)
        elif to_come:
            to_come -= 1
        else:
            lacking.append(name)
    assert not lacking, "these have no menu of their own"
    assert len(set(labels)) == len(labels), labels  # by which a screen reader tells the menus apart

    def no_session() -> object:
        raise AssertionError("a file was made of a session that is gone")

    monkeypatch.setattr(session_state_proxy, "get_session_state", no_session)
    for name, make in files_of(app).items():
        made = make()
        assert made.count(b"\n") > 1 if name.endswith(".csv") else made, name


def drawn_values(figure: go.Figure) -> dict[str, np.ndarray[Any, np.dtype[np.float64]]]:
    """Return the numbers that the traces of a figure stand for, by their names.

    Level and upright lines and grounds are none, nor are the columns of a histogram, which count saved numbers, nor
    what has nothing to say under the pointer: outlines, curves between points, marks on points of other traces.
    Where y is a place along an axis of ranks, customdata has the step and the rank.
    """
    found = {}
    has_named_rows = figure.layout.yaxis.visible is False and figure.layout.xaxis.visible is not False
    for place, trace in enumerate(figure.data):
        if trace.hoverinfo == "skip" and trace.type == "scatter" and ("lines" in trace.mode or not trace.name):
            continue
        look = trace.to_plotly_json()
        if look.get("marker", {}).get("opacity") == 0:  # it takes clicks
            continue
        is_sideways = look.get("orientation") == "h" or has_named_rows
        letter = "z" if trace.type == "heatmap" else "x" if is_sideways else "y"
        values = np.asarray(trace[letter] if trace[letter] is not None else [])
        if "{customdata[1]" in (trace.hovertemplate or "") and "%{y" not in trace.hovertemplate and letter == "y":
            values = np.array([pair[1] for pair in trace.customdata])
        is_line = len(values) == 2 and any(len(set(look.get(axis, ()))) == 1 for axis in "xy")
        is_target = (look.get("marker") or {}).get("opacity") == 0  # what is clicked, and not seen
        is_mark = is_line or is_target or look.get("fill") == "toself" or np.ndim(look.get("width", 0))
        if values.dtype.kind in "fi" and values.size and not is_mark:
            found[f"{place} {trace.name} {letter}"] = values[np.isfinite(values)].astype(np.float64).ravel()
    return found


# Beside their rows they draw what has other columns, which no table of a CSV would hold.
NPZ_ALONE = {"alignment", "embedding-map", "one-hot-product"}


def share_apart(values: np.ndarray[Any, Any], saved: np.ndarray[Any, Any]) -> float:
    """Return the share of values that are none of the saved ones, which are sorted."""
    places = np.searchsorted(saved, values)
    near = [saved[np.clip(place, 0, len(saved) - 1)] for place in (places, places - 1)]
    apart = np.minimum(*(abs(values - numbers) for numbers in near))
    return float(np.mean(apart > 1e-5 * np.maximum(1, abs(values))))


@pytest.mark.parametrize(("page", "link"), VIEWS, ids=str)
def test_the_numbers_of_every_figure_are_in_its_files(page: str, link: dict[str, str], real_rows: None) -> None:
    app, lacking = open_page(page, **link), {}
    for offer in app.session_state["_offers"].offers.values() if "_offers" in app.session_state else ():
        with offer.settings():
            drawing = offer.drawing()
            if drawing.figure is None:
                continue
            arrays = map(np.asarray, drawing.saved_numbers().arrays().values())
            cells = pd.Series(re.split("[,\n]", drawing.saved_numbers().csv()))
            saved = {
                "npz": np.concatenate([values.ravel() for values in arrays if values.dtype.kind in "fiu"]),
                "csv": pd.to_numeric(cells, errors="coerce").to_numpy(),
            }
            for name, values in drawn_values(drawing.draw(theme="light")).items():
                for kind, numbers in saved.items():
                    if kind == "csv" and offer.name in NPZ_ALONE:
                        continue
                    if (share := share_apart(values, np.unique(numbers[np.isfinite(numbers)]))) > 0:
                        lacking[offer.name, name, kind] = share
    assert lacking == {}


def test_hebrew_and_arabic_are_saved_from_right_to_left() -> None:
    grid = {"": ["שלום 12 abc", "abc שלום"], "Tokens": [[("⟨D7⟩", "1"), ("لام", "2")], [("x", "3"), ("לום", "4")]]}
    page = written(offer_of(grid=grid, title="Texts"), "html")
    assert [*re.findall("<td[^>]*>", page)] == ['<td dir="rtl">', '<td dir="rtl">', "<td>", "<td>"]


def test_a_table_and_tokens_are_saved_as_they_stand_and_never_as_markup() -> None:
    grid = {"": ["<1>"], "Tokens & ids": [[("<b>", "7"), ("·the", "")]]}
    offer = offer_of(grid=grid, title="A <table>")
    page = written(offer, "html")
    assert "<h1>A &lt;table&gt;</h1>" in page
    assert "<td>&lt;1&gt;</td>" in page
    assert '<span class="token">&lt;b&gt;<small>7</small></span> <span class="token">·the</span>' in page
    assert "Plotly" not in page
    assert "<figcaption>A &lt;table&gt;" in offer.figure_html(plotly=True)
    made = json.loads(offer.write("json"))
    assert made["grid"] == {"columns": ["", "Tokens & ids"], "rows": [["<1>", [["<b>", "7"], ["·the", ""]]]]}
    assert made["title"] == "A <table>"


def test_marks_of_markdown_are_not_saved_and_code_is_as_it_was_typed() -> None:
    texts = ["``", "a`b", "**", "*x*", "``` x"]
    shown = {"said": [f"{as_code(text)} **{number}**" for number, text in enumerate(texts)]}
    assert strip_grid_markup(shown) == {"said": [f"{text} {number}" for number, text in enumerate(texts)]}


def test_the_columns_of_lines_are_arrays_of_numbers_or_texts() -> None:
    found = Lines(["token", "id", "share", "name"], [["12", 3, None, "=a"], ["7", 4, 0.5, "b"]])
    with np.load(io.BytesIO(offer_of(numbers=found).write("npz"))) as read:
        assert {name: read[name].tolist() for name in ("token", "id", "name")} == {
            "token": ["12", "7"],
            "id": [3, 4],
            "name": ["=a", "b"],
        }
        np.testing.assert_array_equal(read["share"], [np.nan, 0.5])
        assert read["id"].dtype == np.int64


def test_a_function_whose_captured_values_no_key_would_hold_draws_nothing() -> None:
    with pytest.raises(TypeError, match="module level"):
        show(lambda: Drawing(name="rows", title="Rows"))


@pytest.mark.parametrize("page", ["pipeline", "embedding_layer", "batches"])
def test_a_saved_figure_writes_its_ticks_as_the_pages_language_does(page: str) -> None:
    files = files_of(open_page(page, lang="fr"), "html")
    assert files
    try:
        written = "".join(make().decode() for make in files.values())
    finally:
        set_run_language("en")  # what makes a file speaks the language of its page, on this thread
    ticks = re.findall(r'"ticktext":\s*(\[[^\]]*\])', written)
    assert ticks
    assert [texts for texts in ticks if re.search(r"\d\.\d", texts)] == []
