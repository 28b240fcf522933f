import math
import re
from functools import cache

import numpy as np
import pytest
import streamlit as st
import torch
from streamlit.testing.v1 import AppTest

from embedlib.measures import has_similarity, named_terms, pairwise_distance
from embedlib.positional import SCHEMES, ParameterValue, PositionalScheme, alibi_slopes, make_scheme
from tests.messages import message, wording
from tests.ui.pages import figure, find_control, open_page, says, sentences
from ui.positions.rows import closest_rows_sentence
from ui.settings import Formulas, OwnScheme

look_at = cache(open_page)  # a page that no test changes is opened once


def small(scheme: str) -> PositionalScheme:
    return make_scheme(scheme, d_model=64, n_heads=4)


def shows(app: AppTest, formula: str) -> bool:
    """Tell whether all equations of a formula are in one place, in their order, and a line may end between any two."""
    equations = map(re.escape, re.split(r",\s*\\q?quad", formula))
    return any(re.search(r",\}\\allowbreak\\quad\{".join(equations), element.value) for element in app.latex)


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if name != "none"])
def test_every_scheme_opens_with_its_formula_its_pictures_and_who_uses_it(scheme: str) -> None:
    app = look_at("positions", scheme=scheme)
    assert not app.exception
    trained = bool(SCHEMES[scheme].WEIGHTS)
    untrained = any(True for _ in small(scheme).parameters()) and not trained
    assert says(app, "Its numbers are those of a small model…", count="128") == trained
    assert says(app, "Nothing is trained here: the {count:,}…", count=...) == untrained
    assert says(app, "For this scheme there is no such number:…") != has_similarity(small(scheme))
    assert len(sentences(app)) == untrained + (not has_similarity(small(scheme)))
    assert app.get("plotly_chart")
    assert shows(app, SCHEMES[scheme].formula)
    background = wording("**In texts longer than in training:**…", what=...)  # past its training
    (about,) = [element.value for element in app.markdown if background.search(element.value)]
    assert SCHEMES[scheme].source in about
    assert SCHEMES[scheme].used_by in about


def test_the_scheme_that_does_nothing_says_so() -> None:
    app = open_page("positions", scheme="none")
    assert not app.exception
    assert says(app, "**In texts longer than in training:**…", what=...)
    assert any(wording("Nothing is added. Attention alone…").search(element.value) for element in app.markdown)
    assert not app.get("plotly_chart")
    assert not app.slider


@pytest.mark.parametrize("layout", ["interleaved", "halves", "tensor2tensor"])
def test_every_layout_opens(layout: str) -> None:
    app = open_page("positions", **{"sinusoidal.layout": layout})
    assert not app.exception
    assert find_control(app, "sinusoidal.layout").value == layout
    scheme = make_scheme("sinusoidal", d_model=64, n_heads=4, layout=layout)
    assert shows(app, scheme.latex())


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {"scheme": "rope", "heads": "5"},
            wording(
                "{heads} heads do not divide d_model = {d_model}: choose…", heads="5", choices="1, 2, 4, 8, 16, 32"
            ),
        ),
        (
            {"scheme": "rope", "d_model": "7"},  # each head width that divides it is odd
            wording("{heads} heads do not divide d_model = {d_model}: try…", heads="4", d_model="7", nearest="8"),
        ),
        (
            {"scheme": "rope", "d_model": "12", "heads": "4"},
            wording("{scheme} needs an even head…", d_model="12", heads="4", head_dim="3", nearest="16"),
        ),
        ({"d_model": "33", "heads": "1"}, wording("{scheme} needs d_model divisible…", d_model="33", nearest="32")),
        (
            {"scheme": "sandwich", "d_model": "15", "heads": "3"},
            wording("{scheme} needs d_model divisible…", d_model="15", nearest="12"),
        ),
        ({"scheme": "transformer_xl", "d_model": "33", "heads": "1"}, wording("{scheme} needs d_model divisible…")),
        ({"scheme": "xpos", "d_model": "33", "heads": "1"}, wording("{scheme} needs an even head…")),
        (
            {"scheme": "sinusoidal_2d", "d_model": "66", "heads": "1"},
            wording("{scheme} needs d_model divisible…", nearest="64"),
        ),
        (
            {"scheme": "t5", "t5.num_buckets": "2"},
            wording("{scheme} does not support…", scheme=SCHEMES["t5"].title),
        ),
    ],
)
def test_sizes_that_do_not_go_together_get_one_sentence(link: dict[str, str], sentence: re.Pattern[str]) -> None:
    app = open_page("positions", **link)
    assert not app.exception
    assert len(sentences(app)) == 1
    assert sentence.search(sentences(app)[0])


@pytest.mark.parametrize(
    ("scheme", "parameters", "nth"),
    [
        ("learned", {"std": 0.0}, 2),
        ("sinusoidal", {}, 1),
        ("learned", {"std": 1.0}, 3),
        ("learned", {"std": 1e-4}, 3),
    ],
)
def test_the_closest_rows_are_named(scheme: str, parameters: dict[str, ParameterValue], nth: int) -> None:
    app = open_page("positions", scheme=scheme, **{f"{scheme}.{name}": str(v) for name, v in parameters.items()})
    rows = make_scheme(scheme, d_model=64, n_heads=1, **parameters).position_table(64).tolist()
    far = {(i, j): math.dist(rows[i], rows[j]) for j in range(64) for i in range(j)}
    first, second = min(far, key=lambda pair: far[pair])
    pair, least = {"first": first, "second": second}, {"least": f"{far[first, second]:.2f}"}
    expected = {
        1: wording("No two positions have the same row: the closest are neighbours, {least:.2f} apart.", **least),
        2: wording("Two positions cannot be told apart: {first} and {second} have the same row.", **pair),
        3: wording("No two positions have the same row: the closest are {first}…", **pair, **least),
    }[nth]
    assert any(expected.fullmatch(caption.value) for caption in app.caption)
    if nth == 1:
        assert [far[i, i + 1] for i in range(63)] == pytest.approx([far[first, second]] * 63, rel=1e-5)


def test_rows_that_rounding_alone_keeps_apart_are_equal() -> None:
    table = torch.tensor([[1.0, 0.0], [5.0, 2.0], [5.0, 2.0 + 1e-6]])
    assert wording("Two positions cannot be told apart: {first} and…", first="1", second="2").fullmatch(
        closest_rows_sentence(table, pairwise_distance(table))
    )


def test_the_scheme_is_kept_between_the_pages() -> None:
    app = open_page(scheme="alibi", d_model="32")
    app.switch_page("../pages/positions.py").run()
    assert find_control(app, "scheme").value == "alibi"
    find_control(app, "d_model").set_value(48).run()
    app.switch_page("../pages/pipeline.py").run()
    assert find_control(app, "d_model").value == 48


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if "content" in SCHEMES[name].acts_on])
def test_the_parts_of_a_heads_logits_are_numbered_as_in_the_formula_above_them(scheme: str) -> None:
    app = open_page("positions", scheme=scheme, term_head="2")
    terms = named_terms(small(scheme), 64, head=2, seed=123)
    drawn = [chart for chart in app.get("plotly_chart") if chart.proto.id.endswith("-terms")]
    assert bool(drawn) == bool(terms)
    if drawn:
        *numbers, _total = (trace["name"] for trace in figure(app, "terms")["data"])
        assert numbers == [str(n + 1) for n in range(len(terms))]
        assert all(any(name in element.value for element in app.latex) for name in terms)


@pytest.mark.parametrize(
    ("heads", "lines"),
    [("8", 1), ("6", 2)],
)
def test_alibis_slopes_are_drawn_as_published_and_as_a_series(heads: str, lines: int) -> None:
    app = open_page("positions", scheme="alibi", d_model="96", heads=heads)
    drawn = figure(app, "slopes")["data"]
    assert len(drawn) == lines
    assert drawn[0]["y"][0] == alibi_slopes(int(heads))[0]
    assert says(app, "A square for each head. Before the softmax turns scores into weights, the scheme takes…")
    assert says(app, "{heads} is not a power of two,…", power=...) == (lines == 2)


def test_the_slopes_of_alibi_are_those_of_its_parameters() -> None:
    link = {"alibi.max_exponent": "4", "alibi.divided": "1"}
    app = open_page("positions", scheme="alibi", d_model="64", heads="4", **link)
    assert figure(app, "slopes")["data"][0]["y"] == [0.125, 0.0625, 0.03125, 0.015625]  # 2^-1 … 2^-4, over √16
    titles = [note["text"] for note in figure(app, "bias")["layout"]["annotations"]]
    assert any("0.125" in title for title in titles), titles


@pytest.mark.parametrize(("bidirectional", "lines"), [("1", 2), ("0", 1)])
def test_t5_has_its_bucket_map(bidirectional: str, lines: int) -> None:
    app = open_page("positions", scheme="t5", **{"t5.bidirectional": bidirectional})
    assert len(figure(app, "buckets")["data"]) == lines
    assert any("0, 1, 2, 3, 4, 5, 6, 7, 8, " in caption.value for caption in app.caption)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"scheme": "rope"}, re.compile("`interleaved`.*`halves`")),
        ({"scheme": "sinusoidal"}, wording("Put in the same order they are equal. You need…")),
        (
            {"scheme": "sinusoidal", "sinusoidal.layout": "tensor2tensor"},
            wording("Put in the same order they still differ by…"),
        ),
    ],
)
def test_conventions_are_compared_in_numbers(link: dict[str, str], sentence: re.Pattern[str]) -> None:
    app = open_page("positions", **link)
    assert any(sentence.search(element.value) for element in app.markdown)
    lines = app.table[0].value.to_dict("records")
    assert (list(lines[1].values())[1:] == list(lines[2].values())[1:]) == ("sinusoidal.layout" not in link)


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        *(("positions", ("", "", "", scale)) for scale in ("0", "0 * q", "-1")),
        *(("pipeline", ("", "", "", scale)) for scale in ("0", "0 * q", "-1")),
        ("pipeline", ("", "-abs(q - k)", "", "0")),
        ("positions", ("sqrt(20 - p)", "", "", "")),  # a verdict would read 28 positions
    ],
)
def test_a_scale_of_zero_or_less_and_an_end_past_what_is_shown_break_nothing(page: str, lines: tuple[str, ...]) -> None:
    own = OwnScheme(1, "Mine", lines)
    app = open_page(page, scheme=own.entry, formulas=Formulas(()).format((own,)), positions="16")
    assert not app.exception
    assert not app.error


def test_what_is_not_defined_is_not_in_the_program_either() -> None:
    assert "similarity" not in look_at("positions", scheme="cope").code[-1].value
    assert "similarity" in look_at("positions", scheme="t5").code[-1].value


@pytest.mark.parametrize("scheme", ["rope", "xpos", "shaw", "transformer_xl"])
def test_the_similarity_can_be_that_of_random_queries_and_keys(scheme: str) -> None:
    own, random = look_at("positions", scheme=scheme), open_page("positions", scheme=scheme, probe="random")
    first, second = (np.array(figure(app, "by-distance")["data"][0]["y"]) for app in (own, random))
    assert abs(first - second).max() > 0.01
    assert not any(control.key == "probe" for control in look_at("positions").segmented_control)


@pytest.mark.parametrize(
    ("link", "msgid"),
    [
        ({}, "The waves repeat: {columns}."),
        ({"scheme": "learned"}, "None of these dimensions repeats with a fixed period."),
        ({"scheme": "sinusoidal_2d", "pairs": "0,8"}, "Some of the waves repeat: {columns}."),
    ],
)
def test_it_is_said_which_columns_repeat(link: dict[str, str], msgid: str) -> None:
    assert says(open_page("positions", d_model="32", **link), msgid)


def test_tokens_stand_at_their_positions_and_few_columns_are_shown_large() -> None:
    app = open_page("positions", text="The cat sat", position="1")
    axis = figure(app, "waves")["layout"]["xaxis"]
    assert axis["labelalias"] == {"0": "0 The", "1": "1 ·cat", "2": "2 ·sat"}
    assert axis["tickvals"] == [1, *range(10, 64, 10)]  # beside the marked one is no room
    assert axis["title"]["text"] == message("position, token of your text")
    names = figure(app, "vectors")["layout"]["yaxis"]["labelalias"]
    assert names["2"] == "2 ·sat"
    assert figure(app, "vectors")["data"][0]["z"].shape == (64, 16)
    assert figure(open_page("positions", columns="all"), "vectors")["data"][0]["z"].shape == (64, 64)


@pytest.mark.parametrize(
    ("link", "columns"),
    [
        ({"scheme": "sinusoidal"}, [0, 10]),
        ({"scheme": "sinusoidal", "sinusoidal.layout": "halves"}, [0, 5]),
        ({"scheme": "sinusoidal_2d"}, [0, 9]),  # pair 5 is the second of the other half, which begins at column 8
    ],
)
def test_the_waves_are_the_first_columns_of_the_chosen_pairs(link: dict[str, str], columns: list[int]) -> None:
    app = open_page("positions", d_model="16", pairs="0,5", **link)
    names = [trace["name"] for trace in figure(app, "waves")["data"] if "name" in trace]
    assert names == [f"pair {pair} (dim {column})" for pair, column in zip((0, 5), columns, strict=True)]


@pytest.mark.parametrize(
    ("link", "formula"),
    [
        ({"d_model": "63", "sinusoidal.layout": "halves"}, r"\mathrm{PE}(p, i+d/2)"),
        ({"scheme": "rope", "heads": "5"}, SCHEMES["rope"].formula),
        ({"scheme": "t5", "t5.num_buckets": "2"}, SCHEMES["t5"].formula),
    ],
)
def test_what_is_to_be_known_of_a_scheme_stays_where_it_cannot_be_drawn(link: dict[str, str], formula: str) -> None:
    app = open_page("positions", **link)
    assert len(app.error) == 1
    assert shows(app, formula)
    assert says(app, "**In texts longer than in training:**…", what=...)
    assert not app.get("plotly_chart")


@pytest.mark.parametrize(("threshold", "seen"), [("512", False), ("63", False), ("40", True)])
def test_fire_says_what_it_does_past_its_threshold(threshold: str, seen: bool) -> None:
    app = open_page("positions", scheme="fire", **{"fire.threshold": threshold})
    (note,) = [caption.value for caption in app.caption if SCHEMES["fire"].title in caption.value]
    assert (not wording("Set its threshold below {last} to see…").search(note)) == seen
    assert f" {threshold} " in note
    bias = make_scheme("fire", d_model=64, n_heads=4, threshold=float(threshold)).bias(64, causal=False)[0]
    moved = [bias.diagonal(-delta).detach().double().std().item() for delta in range(1, 60)]
    assert (max(moved) > 1e-4) == seen


@pytest.mark.parametrize(("agent", "columns"), [("Mozilla/5.0 (X11; Linux)", 4), ("Mozilla/5.0 Mobile Safari", 2)])
def test_before_the_browser_has_measured_a_phone_is_known_by_its_name(
    agent: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(st.context), "headers", {"User-Agent": agent})
    assert squares_in_a_row(open_page("positions", scheme="alibi")) == columns


@pytest.mark.parametrize(("report", "columns"), [({"narrow": True}, 2), ({"narrow": False}, 4), ({"narrow": "x"}, 4)])
def test_what_the_browser_measured_decides_and_nonsense_does_not(report: dict[str, object], columns: int) -> None:
    app = open_page("positions", scheme="alibi")
    app.session_state["browser"] = report
    app.run()
    assert squares_in_a_row(app) == columns


def squares_in_a_row(app: AppTest) -> int:
    layout = figure(app, "bias")["layout"]
    return len({axis["domain"][0] for name, axis in layout.items() if name.startswith("xaxis")})


OF_A_HEAD = ("rope", "xpos", "alibi", "kerple", "fire", "shaw", "transformer_xl", "deberta", "cope")
OF_ITS_OWN = ("none", "learned", "sinusoidal", "sinusoidal_2d", "t5", "sandwich")


@pytest.mark.parametrize(
    "scheme",
    [
        *("rope", "sinusoidal"),
        *(
            pytest.param(scheme, marks=pytest.mark.thorough)
            for scheme in OF_A_HEAD + OF_ITS_OWN
            if scheme not in ("rope", "sinusoidal")
        ),
    ],
)
def test_where_a_formula_counts_the_columns_of_a_head_it_is_said(scheme: str) -> None:
    app = open_page("positions", scheme=scheme, d_model="96", heads="6")
    said = [
        caption.value
        for caption in app.caption
        if wording("This page uses a small example: rows of {d_model}…").search(caption.value)
    ]
    assert len(said) == (scheme in OF_A_HEAD)
    assert all("96 / 6 = 16" in caption for caption in said)
