import json
import math
import re
from typing import Any

import pytest
import streamlit as st
import torch
from streamlit.testing.v1 import AppTest

from embedlib.measures import has_similarity, named_terms, pairwise_distance
from embedlib.positional import SCHEMES, ParameterValue, PositionalScheme, make_scheme
from tests.messages import wording
from tests.ui.pages import open_page, sentences
from ui.positions.rows import closest_rows


def small(scheme: str) -> PositionalScheme:
    return make_scheme(scheme, d_model=64, n_heads=4)


def shown(app: AppTest, key: str) -> dict[str, Any] | None:
    """Return the figure with this key; None where it is not on the page."""
    found = [chart.proto for chart in app.get("plotly_chart") if chart.proto.id.endswith(f"-{key}")]
    return json.loads(found[0].spec) if found else None


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if name != "none"])
def test_every_scheme_opens_with_its_formula_and_its_pictures(scheme: str) -> None:
    app = open_page("positions", scheme=scheme)
    assert not app.exception
    assert [found[:12] for found in sentences(app)] == ([] if has_similarity(small(scheme)) else ["Not defined "])
    assert app.get("plotly_chart")
    assert any(SCHEMES[scheme].formula in element.value for element in app.latex)
    assert any(SCHEMES[scheme].source in element.value for element in app.markdown)


def test_the_scheme_that_does_nothing_says_so() -> None:
    app = open_page("positions", scheme="none")
    assert not app.exception
    assert [sentence[:40] for sentence in sentences(app)] == ["This scheme adds, turns and biases nothi"]


@pytest.mark.parametrize("layout", ["interleaved", "halves", "tensor2tensor"])
def test_every_layout_opens(layout: str) -> None:
    app = open_page("positions", **{"sinusoidal.layout": layout})
    assert not app.exception
    assert app.selectbox(key="sinusoidal.layout").value == layout
    scheme = make_scheme("sinusoidal", d_model=64, n_heads=4, layout=layout)
    assert any(scheme.latex() in element.value for element in app.latex)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {"scheme": "rope", "heads": "5"},
            wording("ui.settings:_reason", heads="5", d_model="64", choices=...),
        ),
        (
            {"scheme": "rope", "d_model": "12", "heads": "4"},
            wording("ui.settings:_reason", d_model="12", heads="4", head_dim="3", nearest="16"),
        ),
        ({"d_model": "33", "heads": "1"}, wording("ui.settings.rules:_reason#2", d_model="33", nearest="32")),
        (
            {"scheme": "sandwich", "d_model": "15", "heads": "3"},
            wording("ui.settings.rules:_reason#2", d_model="15", nearest="12"),
        ),
        ({"scheme": "transformer_xl", "d_model": "33", "heads": "1"}, wording("ui.settings.rules:_reason#4")),
        ({"scheme": "xpos", "d_model": "33", "heads": "1"}, wording("ui.settings.rules:_reason#3")),
        (
            {"scheme": "sinusoidal_2d", "d_model": "66", "heads": "1"},
            wording("ui.settings.rules:_reason#3", nearest="64"),
        ),
        ({"scheme": "t5", "t5.num_buckets": "2"}, wording("ui.settings:format", scheme="T5 buckets")),
    ],
)
def test_sizes_that_do_not_go_together_get_one_sentence(link: dict[str, str], sentence: re.Pattern[str]) -> None:
    app = open_page("positions", **link)
    assert not app.exception
    assert len(sentences(app)) == 1
    assert sentence.search(sentences(app)[0])


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"positions": "1000000"}, wording("ui.settings:_from_link", name="positions", raw="`1000000`", default="64")),
        ({"pairs": "1,1"}, wording("ui.settings:_from_link", name="pairs", raw="`1,1`")),
        ({"pairs": "0,1,2,3,4"}, wording("ui.settings:_from_link", name="pairs", raw="`0,1,2,3,4`")),
        ({"rope.pairing": "diagonal"}, wording("ui.settings:_from_link", name="rope.pairing", raw="`diagonal`")),
    ],
)
def test_a_wrong_link_falls_back_and_says_so(link: dict[str, str], sentence: re.Pattern[str]) -> None:
    app = open_page("positions", **link)
    assert not app.exception
    assert any(sentence.search(found) for found in sentences(app)), sentences(app)


@pytest.mark.parametrize(
    ("scheme", "parameters", "sentence"),
    [
        ("learned", {"std": 0.0}, "Rows 0 and 1 are equal: not unique."),
        ("sinusoidal", {}, "Neighbours are the closest, all "),
        ("learned", {"std": 1.0}, "The two closest rows, "),
        ("learned", {"std": 1e-4}, "The two closest rows, "),
    ],
)
def test_the_closest_rows_are_named(scheme: str, parameters: dict[str, ParameterValue], sentence: str) -> None:
    app = open_page("positions", scheme=scheme, **{f"{scheme}.{name}": str(v) for name, v in parameters.items()})
    (caption,) = [found.value for found in app.caption if sentence in found.value]
    rows = make_scheme(scheme, d_model=64, n_heads=1, **parameters).position_table(64).tolist()
    far = {(i, j): math.dist(rows[i], rows[j]) for j in range(64) for i in range(j)}
    first, second = min(far, key=lambda pair: far[pair])
    if "two" in sentence:
        assert wording(
            "ui.positions:closest_rows", first=first, second=second, least=f"{far[first, second]:.2f}"
        ).match(caption)
    if wording("ui.projection.maps:map_controls#5").search(sentence):
        assert [far[i, i + 1] for i in range(63)] == pytest.approx([far[first, second]] * 63, rel=1e-5)
        assert wording("ui.positions.rows:closest_rows#1", least=f"{far[0, 1]:.2f}").fullmatch(caption)


def test_rows_that_rounding_alone_keeps_apart_are_equal() -> None:
    table = torch.tensor([[1.0, 0.0], [5.0, 2.0], [5.0, 2.0 + 1e-6]])
    assert wording("ui.positions.rows:closest_rows#1", first="1", second="2").fullmatch(
        closest_rows(table, pairwise_distance(table))
    )


def test_the_scheme_is_kept_between_the_pages() -> None:
    app = open_page(scheme="alibi", d_model="32")
    app.switch_page("../pages/positions.py").run()
    assert app.selectbox(key="scheme").value == "alibi"
    app.number_input(key="d_model").set_value(48).run()
    app.switch_page("../pages/pipeline.py").run()
    assert app.number_input(key="d_model").value == 48


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_says_who_uses_it_and_what_it_does_past_its_training(scheme: str) -> None:
    app = open_page("positions", scheme=scheme)
    (about,) = [element.value for element in app.markdown if "**Source:**" in element.value]
    assert wording("ui.positions.controls:about#3").search(about)
    assert SCHEMES[scheme].used_by in about


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if "content" in SCHEMES[name].acts_on])
def test_the_parts_of_a_heads_logits_are_numbered_as_in_the_formula_above_them(scheme: str) -> None:
    app = open_page("positions", scheme=scheme, term_head="2")
    terms = named_terms(small(scheme), 64, head=2, seed=123)
    figure = shown(app, "terms")
    assert (figure is not None) == bool(terms)
    if figure is not None:
        assert [trace["name"] for trace in figure["data"]] == [*(str(n + 1) for n in range(len(terms))), "sum"]
        assert all(any(name in element.value for element in app.latex) for name in terms)


@pytest.mark.parametrize(
    ("heads", "lines", "sentence"),
    [("8", 1, wording("ui.positions.logits:slopes_chart#2")), ("6", 2, wording("ui.positions.logits:slopes_chart#3"))],
)
def test_alibis_slopes_are_drawn_as_published_and_as_a_series(
    heads: str, lines: int, sentence: re.Pattern[str]
) -> None:
    app = open_page("positions", scheme="alibi", d_model="96", heads=heads)
    figure = shown(app, "slopes")
    assert figure is not None
    assert len(figure["data"]) == lines
    assert any(sentence.search(caption.value) for caption in app.caption)


@pytest.mark.parametrize(("bidirectional", "lines"), [("1", 2), ("0", 1)])
def test_t5_has_its_bucket_map(bidirectional: str, lines: int) -> None:
    app = open_page("positions", scheme="t5", **{"t5.bidirectional": bidirectional})
    figure = shown(app, "buckets")
    assert figure is not None
    assert len(figure["data"]) == lines
    assert any("0, 1, 2, 3, 4, 5, 6, 7, 8, " in caption.value for caption in app.caption)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"scheme": "rope"}, re.compile("`interleaved`.*`halves`")),
        ({"scheme": "sinusoidal"}, wording("ui.positions.views:_sentence#3")),
        ({"scheme": "sinusoidal", "sinusoidal.layout": "tensor2tensor"}, wording("ui.positions.views:_sentence#1")),
    ],
)
def test_conventions_are_compared_in_numbers(link: dict[str, str], sentence: re.Pattern[str]) -> None:
    app = open_page("positions", **link)
    assert any(sentence.search(element.value) for element in app.markdown)
    lines = app.table[0].value.to_dict("records")
    assert (list(lines[1].values())[1:] == list(lines[2].values())[1:]) == ("sinusoidal.layout" not in link)


def test_what_is_not_defined_is_not_in_the_program_either() -> None:
    assert "similarity" not in open_page("positions", scheme="cope").code[0].value
    assert "similarity" in open_page("positions", scheme="t5").code[0].value


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
    figure = shown(app, "waves")
    assert figure is not None
    names = [trace["name"] for trace in figure["data"] if "name" in trace]
    assert names == [f"dim {column}" for column in columns]


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
    assert any(formula in element.value for element in app.latex)
    assert any("**Source:**" in element.value for element in app.markdown)
    assert not app.get("plotly_chart")


@pytest.mark.parametrize(("threshold", "seen"), [("512", False), ("63", False), ("40", True)])
def test_fire_says_what_it_does_past_its_threshold(threshold: str, seen: bool) -> None:
    app = open_page("positions", scheme="fire", **{"fire.threshold": threshold})
    (note,) = [caption.value for caption in app.caption if SCHEMES["fire"].title in caption.value]
    assert (not wording("ui.shared.schemes:fire_note#2").search(note)) == seen
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
    figure = shown(app, "bias")
    assert figure is not None
    return len({axis["domain"][0] for name, axis in figure["layout"].items() if name.startswith("xaxis")})


OF_A_HEAD = ("rope", "xpos", "alibi", "kerple", "fire", "shaw", "transformer_xl", "deberta", "cope")
OF_ITS_OWN = ("none", "learned", "sinusoidal", "sinusoidal_2d", "t5", "sandwich")


@pytest.mark.parametrize("scheme", OF_A_HEAD + OF_ITS_OWN)
def test_where_a_formula_counts_the_columns_of_a_head_it_is_said(scheme: str) -> None:
    app = open_page("positions", scheme=scheme, d_model="96", heads="6")
    said = [caption.value for caption in app.caption if wording("ui.positions:about.sentence").search(caption.value)]
    expected = "Here d is the width of one head: d_model / heads = 96 / 6 = 16."
    assert said == ([expected] if scheme in OF_A_HEAD else [])
