import json
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from embedlib.examples import EXAMPLES
from embedlib.extrapolation import mean_distances, trained_attention
from embedlib.measures import MEASURES, MeasureContext
from embedlib.positional import SCALINGS, SCHEMES, make_scheme
from tests.messages import message, wording
from tests.ui.pages import (
    components,
    figure,
    files_of,
    find_control,
    link_of,
    open_page,
    packed,
    payload,
    read_setting,
    says,
    says_only,
    sentences,
    text_tables,
)
from ui.cache import Request
from ui.cache import schemes as scheme_cache
from ui.cache.schemes import SchemeKey
from ui.compare.measures import format_measure
from ui.compare.request import ENGLISH
from ui.settings import Formulas, OwnScheme, state
from ui.shared.schemes import PAST_TRAINING, SCALING_TITLES, group_titles, scheme_label

ALL = ",".join(SCHEMES)
TITLES = {name: scheme.title for name, scheme in SCHEMES.items()}
look_at = cache(open_page)  # a page that no test changes is opened once


def titles(header: dict[str, Any]) -> list[str]:
    return [panel["title"] for panel in header["panels"]]


def tables(app: AppTest) -> list[dict[str, Any]]:
    """Read the tables of measures: the first four, then the others."""
    return [json.loads(found.bytes) for found in components(app, "measure-table")]


def table(app: AppTest) -> dict[str, Any]:
    return tables(app)[0]


def read_measures(app: AppTest, title: str) -> dict[str, tuple[float | None, str]]:
    """Read a scheme's value and text of each measure, by the title of the measure."""
    return {
        column["title"]: (value, text)
        for found in tables(app)
        for row in found["rows"]
        if row["title"] == title
        for column, value, text in zip(found["columns"], row["values"], row["texts"], strict=True)
    }


def test_it_opens_with_four_schemes_that_differ_in_where_they_act() -> None:
    app = look_at("compare")
    assert not app.exception
    assert sentences(app) == []
    header, _ = payload(app, "matrix-grid")
    assert titles(header) == [TITLES[name] for name in ("sinusoidal", "rope", "alibi")]
    assert says(app, "No picture for {schemes}: nothing…", schemes=TITLES["none"])
    assert [panel["shape"] for panel in header["panels"]] == [[64, 64], [64, 16], [64, 64]]


def test_every_scheme_of_the_registry_is_there_by_itself() -> None:
    app = look_at("compare", schemes=ALL)
    assert not app.exception
    assert sentences(app) == []
    header, _ = payload(app, "matrix-grid")
    everyone = [scheme.title for scheme in SCHEMES.values()]
    assert titles(header) == everyone[1:]
    assert [scheme["title"] for scheme in table(app)["rows"]] == everyone
    assert list(text_tables(app)[0].iloc[:, 0]) == everyone


def test_schemes_of_one_place_share_one_scale() -> None:
    header, _ = payload(look_at("compare", schemes=ALL), "matrix-grid")
    limits: dict[str, set[float]] = {}
    for panel in header["panels"]:
        if panel["shape"]:
            limits.setdefault(panel["place"], set()).add(panel["limit"])
    assert len(limits) == 4
    assert all(len(found) == 1 for found in limits.values())


def test_the_table_has_a_column_for_each_measure_and_says_what_is_not_defined() -> None:
    app = look_at("compare")
    shift, ratio = MEASURES["shift_std"].title, MEASURES["norm_ratio"].title
    by_scheme = {name: read_measures(app, TITLES[name]) for name in ("none", "sinusoidal", "alibi")}
    assert by_scheme["alibi"].keys() == {measure.title for measure in MEASURES.values()}
    assert by_scheme["alibi"][shift] == (0, "0")
    assert (by_scheme["sinusoidal"][shift][0] or 0) > 0.1
    assert by_scheme["none"][ratio][0] is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1.0, "1.000"),
        (-0.8461, "−0.846"),
        (3.4e-16, message("0 (rounding)")),
        (57.3, "57.3"),
        (0.0066, "0.0066"),
        (-0.00203, "−0.0020"),
        (1.25e-5, "0.000013"),
        (4e-8, "4.0e−08"),
        (12345.6, "12346"),
        (2e6, "2.0e+06"),
    ],
)
def test_a_number_is_short_and_never_a_false_zero(value: float, text: str) -> None:
    assert format_measure(value) == text


def test_a_token_and_the_slider_mark_one_position() -> None:
    app = open_page("compare", token="2")
    assert find_control(app, "position").value == 2
    find_control(app, "position").set_value(4).run()
    assert read_setting(app, "token") == 4
    assert payload(app, "matrix-grid")[0]["chosen"] == 4
    find_control(app, "position").set_value(40).run()
    assert read_setting(app, "token") is None
    assert payload(app, "matrix-grid")[0]["chosen"] == 40
    assert link_of(app)["position"] == "40"


def test_the_scheme_in_front_stands_out_in_pictures_table_and_chart() -> None:
    app = open_page("compare", front="rope")
    header, _ = payload(app, "matrix-grid")
    assert header["front"] == 1
    assert [row["front"] for row in table(app)["rows"]] == [False, False, True, False]
    lines = figure(app, "by-distance")["data"]
    widths = {line["name"]: line["line"]["width"] for line in lines}
    assert wording("Rotary (RoPE)").fullmatch(max(widths, key=lambda name: widths[name]))


def test_a_head_or_the_mean_of_all_is_drawn() -> None:
    first = payload(open_page("compare", schemes="rope,alibi"), "matrix-grid")[1][-64 * 64 :].reshape(64, 64)
    mean = payload(open_page("compare", schemes="rope,alibi", head="-1"), "matrix-grid")[1][-64 * 64 :].reshape(64, 64)
    assert first[10, 0] == pytest.approx(-10 / 4)
    assert mean[10, 0] == pytest.approx(-10 * (1 / 4 + 1 / 16 + 1 / 64 + 1 / 256) / 4)


@pytest.mark.parametrize(
    ("unit", "title"),
    [("relative", "similarity (1 at distance 0)"), ("standard", "similarity (z-score)")],
)
def test_both_units_are_drawn_and_named(unit: str, title: str) -> None:
    app = open_page("compare", unit=unit)
    spec = figure(app, "by-distance")
    assert spec["layout"]["yaxis"]["title"]["text"] == title
    assert says(app, "No positions (NoPE)")


def test_past_the_trained_length_each_scheme_says_what_it_does() -> None:
    app = open_page("compare", schemes=ALL, positions="32", length="100")
    assert find_control(app, "length").value == 100
    past = text_tables(app)[0].iloc[:, 3]
    without = "nothing new: no position enters the scores"
    assert list(past) == [
        PAST_TRAINING[scheme.past_training] if scheme.acts_on else without for scheme in SCHEMES.values()
    ]
    spec = figure(app, "past")
    assert spec["layout"]["xaxis"]["range"] == [0, 99]
    assert (spec["layout"]["shapes"][0]["x0"], spec["layout"]["shapes"][0]["x1"]) == (31, 99)


def test_the_length_is_past_the_trained_one_whatever_the_link_says() -> None:
    app = open_page("compare", positions="100", length="50")
    assert find_control(app, "length").value == 101
    assert says_only(app, "A text of {length} positions is not…", length="50", shown="101")


def test_every_scaling_of_rope_can_be_drawn_and_keeps_slow_hands_nearer_to_their_arcs() -> None:
    app = open_page("compare")
    assert find_control(app, "dial_scaling").options == [SCALING_TITLES[name] for name in SCALINGS[1:]]
    for name in SCALINGS[1:]:
        find_control(app, "dial_scaling").set_value(name).run()
        assert not app.exception
        beyond = (
            says(app, "No hand leaves the arc that training showed."),
            says(app, "Hands that still reach new angles:…", count=...),
        )
        assert sorted(beyond) == [False, True]
    without, scaled = (figure(app, f"dials-{which}")["data"] for which in ("unscaled", "scaled"))
    dotted = [sum(trace["line"].get("dash") == "dot" for trace in traces) for traces in (without, scaled)]
    assert dotted[0] > dotted[1] == 0


@pytest.mark.parametrize(
    ("link", "sentence", "left"),
    [
        (
            {"d_model": "12", "schemes": "none,rope,alibi"},
            wording("{scheme} needs an even head…", d_model="12", heads="4", head_dim="3", nearest="16"),
            ["none", "alibi"],
        ),
        (
            {"d_model": "33", "heads": "1", "schemes": "none,learned,sinusoidal,alibi"},
            wording("{scheme} needs d_model divisible…", d_model="33", nearest="32"),
            ["none", "learned", "alibi"],
        ),
    ],
)
def test_a_size_that_does_not_fit_gets_one_sentence_and_the_schemes_that_it_suits_stay(
    link: dict[str, str], sentence: re.Pattern[str], left: list[str]
) -> None:
    app = open_page("compare", **link)
    assert not app.exception
    assert [bool(sentence.search(error.value)) for error in app.error] == [True]
    assert titles(grids(app)[1]) == [TITLES[name] for name in left]


def test_schemes_to_which_heads_do_not_matter_stay_and_the_others_are_named() -> None:
    app = open_page("compare", heads="5", head="3", schemes="none,learned,sinusoidal,rope,fire")
    assert not app.exception
    (error,) = [found.value for found in app.error]
    assert wording("{heads} heads do not divide…", heads="5", d_model="64", choices=...).match(error)
    left_out = wording("Left out for this: {schemes}.", schemes=f"{TITLES['rope']}, {TITLES['fire']}").pattern
    assert re.search(left_out, error)
    left = [TITLES[name] for name in ("none", "learned", "sinusoidal")]
    assert titles(grids(app)[1]) == left
    assert [scheme["title"] for scheme in table(app)["rows"]] == left
    assert "n_heads=1" in app.code[0].value
    (error,) = [found.value for found in open_page("compare", heads="5", schemes="rope,fire").error]
    assert re.search(
        wording("Left out for this: {schemes}.", schemes=f"{TITLES['rope']}, {TITLES['fire']}").pattern + "$", error
    )


@pytest.mark.parametrize(("threshold", "zero"), [("512", True), ("20", False)])
def test_where_fires_zero_is_only_for_want_of_positions_a_sentence_says_so(threshold: str, zero: bool) -> None:
    app = open_page("compare", schemes="alibi,fire", **{"fire.threshold": threshold})
    shift, _text = read_measures(app, TITLES["fire"])[MEASURES["shift_std"].title]
    assert shift is not None
    assert (shift < 1e-12) == zero
    assert says(app, "Set its threshold below {last} to see…", last="63") == zero


def test_an_unknown_scheme_in_the_link_is_named_with_the_choices_and_the_others_stay() -> None:
    app = open_page("compare", schemes="alibi,magic,rope")
    assert len(sentences(app)) == 1
    assert wording(
        "{title}: link has {name} =…", name="schemes", raw="`alibi,magic,rope`", default="alibi,rope"
    ).search(sentences(app)[0])
    assert titles(payload(app, "matrix-grid")[0]) == [TITLES["alibi"], TITLES["rope"]]


@pytest.mark.parametrize(
    ("raw", "used"),
    [
        ("rope", "rope,none,sinusoidal,alibi"),
        ("t5,t5", "t5,none,sinusoidal,rope,alibi"),
        ("", "none,sinusoidal,rope,alibi"),
        ("," * 5_000, "none,sinusoidal,rope,alibi"),
        ("alibi,rope:base=0,rope", "alibi,rope"),
        ("alibi,rope:,rope", "alibi,rope"),
        ("alibi,rope:colour=1,rope", "alibi,rope"),
        ("alibi,magic:base=3,rope", "alibi,rope"),
        ("alibi,rope:base,rope", "alibi,rope"),
        ("alibi,alibi:base=3,rope", "alibi,rope"),
    ],
)
def test_of_schemes_in_a_link_those_that_there_are_stay_and_one_alone_gets_the_usual_ones(raw: str, used: str) -> None:
    setting = state.SETTINGS["schemes"]
    with pytest.raises(ValueError, match=re.escape(raw[:20]) or "^$"):
        setting.parse(raw)
    assert setting.format(setting.repair(raw)) == used


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"head": "50"}, wording("There is no head {head}: this is…", head="50", last="3")),
        ({"position": "500"}, wording("No position {position}:…", position="500", last="63")),
        ({"front": "t5"}, wording("{scheme} is not among the schemes…", scheme=TITLES["t5"])),
    ],
)
def test_a_value_of_the_link_that_does_not_fit_is_said_and_stays_in_the_link(
    link: dict[str, str], sentence: re.Pattern[str]
) -> None:
    app = open_page("compare", **link)
    (said,) = sentences(app)
    assert sentence.match(said)
    assert link.items() <= link_of(app).items()


def test_a_scheme_in_front_that_is_taken_out_stands_there_no_more() -> None:
    app = open_page("compare", front="rope")
    find_control(app, "schemes").set_value(["none", "alibi"]).run()
    assert sentences(app) == []
    assert "front" not in link_of(app)


def test_one_scheme_alone_is_asked_for_company() -> None:
    app = open_page("compare")
    find_control(app, "schemes").set_value(["rope"]).run()
    assert not app.exception
    assert says_only(app, "Choose at least two schemes.")
    find_control(app, "schemes").set_value([]).run()
    assert not app.exception
    assert app.get("plotly_chart") == []


def test_the_link_holds_what_is_compared() -> None:
    app = open_page("compare")
    find_control(app, "schemes").set_value(["rope", "alibi", "none"]).run()
    find_control(app, "length").set_value(300).run()
    assert (link_of(app)["schemes"], link_of(app)["length"]) == ("rope,alibi,none", "300")


def test_the_text_has_the_rows_that_the_opening_page_shows() -> None:
    app = open_page("compare", schemes="none,rope", text="The cat sat on the mat")
    assert says(app, "Of {count:,} tokens {known:,} have…", known="5", count="6")
    assert "trained_rows(tokenizer, seed=123)" in app.code[0].value
    find_control(app, "table").set_value("random").run()
    assert says(app, "**Random, not trained** (seed…", seed="123")
    assert "trained_rows" not in app.code[0].value
    app = open_page("compare", schemes="none,rope", table="by_hand")
    assert find_control(app, "table").value == "random"
    assert link_of(app)["table"] == "by_hand"


def test_an_example_changes_the_text_and_not_what_is_compared() -> None:
    app = open_page("compare", schemes="rope,alibi", head="2")
    find_control(app, "d_model").set_value(32).run()
    app.pills(key="example").set_value("mat").run()
    assert not app.exception
    assert read_setting(app, "text") == EXAMPLES["mat"].text
    assert (read_setting(app, "schemes"), read_setting(app, "head")) == (["rope", "alibi"], 2)
    assert read_setting(app, "d_model") == 32


@pytest.mark.parametrize(
    ("tokenizer", "text"),
    [
        *(("words", text) for text in ("   ", "\n", "a", "word " * 300)),
        *(("gpt2", text) for text in ("", "\n", "日本語 <b>&amp;</b> $x$", "<|endoftext|>")),
    ],
)
def test_any_text_is_compared_or_answered_by_a_sentence(text: str, tokenizer: str) -> None:
    app = open_page("compare", text=text, tokenizer=tokenizer)
    assert not app.exception
    assert app.get("plotly_chart") or sentences(app)


def test_without_a_text_all_is_there_that_needs_none() -> None:
    needs_text = {name for name, measure in MEASURES.items() if measure.reads_text}
    with_text, without = (open_page("compare", schemes="none,rope,alibi,deberta", text=text) for text in ("a b", ""))
    assert not without.exception
    told = [header.value for header in with_text.header]
    left = [*told[:2], *told[3:-1]]  # all but the attention heads on the text and the program
    assert [header.value for header in without.header] == left
    assert titles(grids(without)[0]) == [TITLES["rope"], TITLES["alibi"]]
    for title in (TITLES[name] for name in ("none", "rope", "alibi", "deberta")):
        found = {MEASURES[name].title: None for name in MEASURES if name not in needs_text}
        assert read_measures(without, title) == {key: read_measures(with_text, title)[key] for key in found}
    assert len(without.get("plotly_chart")) == len(with_text.get("plotly_chart"))
    find_control(without, "position").set_value(5).run()
    assert not without.exception
    assert grids(without)[0]["chosen"] == 5


@pytest.mark.parametrize(
    ("schemes", "sizes"),
    [
        (ALL, {"d_model": "2", "heads": "1"}),
        (ALL, {"positions": "2"}),
        ("rope,alibi", {"d_model": "1024", "heads": "64"}),
        pytest.param(ALL, {"d_model": "1024", "heads": "64"}, marks=pytest.mark.thorough),
    ],
)
def test_the_smallest_and_the_largest_sizes_open(schemes: str, sizes: dict[str, str]) -> None:
    app = open_page("compare", schemes=schemes, **sizes)
    assert not app.exception


TWICE = "rope,rope:base=500000,alibi"
OTHER = f"{scheme_label('rope')} (base 500,000)"


def test_measures_that_do_not_read_the_text_are_found_again_after_an_edit() -> None:
    keys = [SchemeKey(name, 64, 4, ()) for name in ("sinusoidal", "rope")]
    first, second = (
        Request(text, "bytes", "random", 64, 0, False, "none", (), 128) for text in ("one text", "and another")
    )
    before = scheme_cache.measures(keys, first, 32)
    kept = len(scheme_cache._text_free_measures)
    after = scheme_cache.measures(keys, second, 32)
    assert len(scheme_cache._text_free_measures) == kept
    for name, measure in MEASURES.items():
        if before[0][name] is not None:
            assert (before[0][name] == after[0][name]) != measure.reads_text


def test_each_scheme_is_measured_once_on_a_text_whatever_it_stands_beside() -> None:
    alone, beside = (SchemeKey(name, 32, 2, (("base", 77.0),)) for name in ("sinusoidal", "rope"))
    request = Request("measured once", "bytes", "random", 32, 0, False, "none", (), 128)
    (first,) = scheme_cache.measures([alone], request, 16)
    kept = scheme_cache._measures_on_text(alone, request, 16)
    again, _other = scheme_cache.measures([alone, beside], request, 16)
    assert scheme_cache._measures_on_text(alone, request, 16) is kept
    assert again == first


def test_why_rope_looks_rougher_than_sinusoids_is_said_and_is_true() -> None:
    four, one = look_at("compare"), open_page("compare", heads="1")
    assert says(four, "RoPE and sinusoids use the same kind…", few="8", many="32")
    assert says(four, "If RoPE had a single head, it would use…")
    assert says(one, "RoPE and sinusoids have the same curve,…")
    lines = {line["name"]: line["y"] for line in figure(one, "by-distance")["data"]}
    np.testing.assert_allclose(lines[TITLES["rope"]], lines[TITLES["sinusoidal"]], atol=1e-4)
    for link in ({"schemes": "rope,alibi"}, {"rope.base": "500", "heads": "1"}):
        assert not says(open_page("compare", **link), "RoPE and sinusoids have the same curve,…")


def grids(app: AppTest) -> list[dict[str, Any]]:
    """Read the headers of the three rows of pictures: contributions, attention, similarity."""
    return [packed(grid.bytes)[0] for grid in components(app, "matrix-grid")]


def test_each_picture_names_its_axes_and_says_where_its_values_go() -> None:
    panels = {panel["title"]: panel for panel in grids(look_at("compare"))[0]["panels"]}
    numbers = {
        title: [re.findall(r"−?\d+(?:\.\d+)?", panel[part]) for part in ("down", "across", "under")]
        for title, panel in panels.items()
    }
    assert numbers[TITLES["sinusoidal"]] == [["0", "63"], ["0", "63"], ["−1", "1"]]
    assert numbers[TITLES["rope"]] == [["0", "63"], ["0", "15"], ["−1", "1", "1", "0"]]
    assert numbers[TITLES["alibi"]] == [["0", "63"], ["0", "63"], ["0", "−15.8", "0", "0"]]


def test_with_a_scale_of_its_own_each_picture_reaches_the_ends_of_its_colours() -> None:
    shared, own = (grids(look_at("compare", schemes=ALL, **link))[0] for link in ({}, {"scales": "own"}))
    limits = [{panel["title"]: panel["limit"] for panel in header["panels"]} for header in (shared, own)]
    assert (
        limits[0][TITLES["fire"]] == limits[0][TITLES["alibi"]] == limits[1][TITLES["alibi"]] == pytest.approx(63 / 4)
    )
    assert limits[1][TITLES["fire"]] < 1
    assert all(limits[1][title] <= limits[0][title] for title in limits[0])


@pytest.mark.parametrize(("unit", "limit"), [("relative", 1.0), ("standard", None)])
def test_the_unit_is_that_of_the_pictures_too_and_curves_and_pictures_agree(unit: str, limit: float | None) -> None:
    app = open_page("compare", schemes="none,t5,transformer_xl", unit=unit)
    panels = {panel["title"]: panel for panel in grids(app)[2]["panels"]}
    curves = {line["name"] for line in figure(app, "by-distance")["data"]}
    assert set(panels) == curves - set(group_titles().values())
    assert (TITLES["transformer_xl"] in panels) == (unit == "standard")
    assert says(app, "No curve for {schemes}: the numbers…")
    if limit is not None:
        assert (panels[TITLES["t5"]]["limit"], panels[TITLES["t5"]]["beyond"]) == (limit, [False, True])


def test_attention_runs_from_zero_and_names_the_characters_where_they_are_few() -> None:
    few, many = (grids(open_page("compare", schemes="none,rope", text=text))[1] for text in ("one two", "one " * 40))
    assert {(panel["sign"], panel["named"], panel["limit"]) for panel in few["panels"]} == {(1, True, 1.0)}
    assert {(panel["sign"], panel["named"]) for panel in many["panels"]} == {(1, False)}
    assert few["tokens"] == list("one two")
    assert len(many["tokens"]) == 64


@pytest.mark.parametrize("which", ["nearest", "farthest", "mean"])
def test_a_head_of_each_trained_decoder_is_drawn_with_how_far_back_it_looks(which: str) -> None:
    text = "The king and queen fed the dog and cat"
    app = open_page("compare", schemes="none,rope", text=text, trained_head=which)
    header, sent = packed(components(app, "matrix-grid")[1].bytes)
    numbers = np.frombuffer(sent, "<f4")
    for index, (name, panel) in enumerate(zip(("none", "rope"), header["panels"], strict=True)):
        weights = trained_attention(name, text).flatten(0, 1)
        distances = mean_distances(weights)
        chosen = {"nearest": int(distances.argmin()), "farthest": int(distances.argmax())}.get(which)
        expected = weights.mean(0) if chosen is None else weights[chosen]
        drawn = numbers[index * len(text) ** 2 :][: len(text) ** 2].reshape(len(text), -1)
        np.testing.assert_allclose(np.nan_to_num(drawn), expected, atol=1e-6)
        shown = distances.min() if chosen is None else distances[chosen]
        assert f"{float(shown):.1f}" in panel["note"]


def test_a_text_that_the_decoders_cannot_read_is_replaced_and_that_is_said() -> None:
    app = open_page("compare", schemes="none,rope", text="猫坐在垫子上", tokenizer="characters")
    assert grids(app)[1]["tokens"] == list(ENGLISH)
    assert says(app, "The models were trained on English and…", text=f"`{ENGLISH}`")


def test_what_is_untrained_is_named_and_sizes_are_no_ranking() -> None:
    app = look_at("compare", schemes=ALL)
    untrained = wording("The weights of these schemes are…", schemes=...)
    (said,) = [caption.value for caption in app.caption if untrained.search(caption.value)]
    listed = said.split(": ")[-1].rstrip(".").split(", ")
    with_weights = [
        name for name in SCHEMES if any(True for _ in make_scheme(name, d_model=64, n_heads=4).parameters())
    ]
    assert listed == [SCHEMES[name].title for name in with_weights if not SCHEMES[name].WEIGHTS]
    trained = {scheme.title for scheme in SCHEMES.values() if scheme.WEIGHTS}
    for panel in grids(app)[0]["panels"]:
        is_said = wording("Its numbers are those of a small model…", count="128").search(panel["note"])
        assert bool(is_said) == (panel["title"] in trained)
        assert (bool(wording("Here the scheme is not trained: its…").search(panel["note"]))) == (
            panel["title"] in listed
        )


@pytest.mark.parametrize(
    ("text", "positions", "sentence"),
    [
        ("one two", "8", wording("its {tokens} tokens repeated…", positions="8")),
        ("one", "8", wording("its {tokens} tokens repeated…", positions="8")),
        ("a b c d", "3", wording("the first {positions} tokens of it", positions="3")),
        ("a b c", "3", wording("the first {positions} tokens of it", positions="3")),
    ],
)
def test_how_the_text_fills_the_positions_is_said_as_it_is(
    text: str, positions: str, sentence: re.Pattern[str]
) -> None:
    app = open_page("compare", text=text, positions=positions, tokenizer="words", schemes="shaw,rope")
    assert sum(bool(sentence.search(caption.value)) for caption in app.caption) == 2


def test_the_parameters_of_each_scheme_are_at_hand() -> None:
    app = open_page("compare", schemes="none,rope,alibi")
    assert find_control(app, "parameters_of").options == [TITLES["rope"], TITLES["alibi"]]
    find_control(app, "rope.base").set_value(500.0).run()
    assert link_of(app)["rope.base"] == "500"
    assert '"rope": {"base": 500.0}' in app.code[-1].value
    assert list(text_tables(open_page("compare", schemes="learned,rope"))[0].iloc[:, 2]) == [
        "65,536 (1,024 rows of 64)",
        "0",
    ]


def test_rounding_has_no_bar_and_ranks_as_zero() -> None:
    app = open_page("compare", schemes="rope,sinusoidal")
    assert read_measures(app, TITLES["rope"])[MEASURES["shift_std"].title] == (0, format_measure(1e-16))


def test_one_scheme_stands_beside_itself_with_other_settings_in_every_figure_and_the_link() -> None:
    app = open_page("compare", schemes=TWICE, front="rope:base=500000")
    assert sentences(app) == []
    names = [TITLES["rope"], OTHER, TITLES["alibi"]]
    assert [row["title"] for row in table(app)["rows"]] == names
    assert list(text_tables(app)[0].iloc[:, 0]) == names
    added, heads, similar = ([panel["title"] for panel in grid["panels"]] for grid in grids(app))
    assert (added, heads, similar) == (names, [names[0], names[2]], names)  # no decoder was trained for the second
    assert [row["front"] for row in table(app)["rows"]] == [False, True, False]
    assert link_of(app) == {"schemes": TWICE, "front": "rope:base=500000"}
    both = read_setting(app, "schemes")[:2]
    assert all(option in find_control(app, "schemes").options for option in (OTHER, scheme_label("rope"))), both


def test_each_of_both_has_the_numbers_of_its_own_settings() -> None:
    app = open_page("compare", schemes=TWICE)
    rows = {title: read_measures(app, title) for title in (TITLES["rope"], OTHER)}
    context = MeasureContext(64, torch.zeros(64, 64), 123)
    measures = [name for name, measure in MEASURES.items() if not measure.reads_text]
    for title, base in ((TITLES["rope"], 10_000.0), (OTHER, 500_000.0)):
        scheme = make_scheme("rope", d_model=64, n_heads=4, base=base)
        expected = [MEASURES[name].compute(scheme, context) for name in measures]
        for name, value in zip(measures, expected, strict=True):
            actual, _text = rows[title][MEASURES[name].title]
            assert actual == (None if value is None else pytest.approx(value, abs=1e-6)), name
    assert rows[OTHER] != rows[TITLES["rope"]]


def test_a_scheme_as_it_is_set_is_added_and_its_defaults_come_back() -> None:
    app = open_page("compare", schemes="rope,alibi")
    assert app.button(key="add_entry").disabled
    find_control(app, "rope.base").set_value(500_000).run()
    app.button(key="add_entry").click().run()
    assert not app.exception
    assert link_of(app) == {"schemes": "rope,alibi,rope:base=500000"}
    find_control(app, "schemes").set_value(["rope", "alibi"]).run()
    assert OTHER not in find_control(app, "schemes").options


@pytest.mark.parametrize(("rows", "opened"), [("sin(p)", False), ("sin(p", True)])
def test_the_editor_of_a_link_is_open_only_where_something_is_to_be_mended(rows: str, opened: bool) -> None:
    own = (OwnScheme(1, "mine", (rows, "", "", "")),)
    app = open_page("compare", schemes=f"none,sinusoidal,{own[0].entry}", formulas=Formulas(()).format(own))
    title = message("Your schemes")
    assert [part.proto.expanded for part in app.expander if part.label == title] == [opened]


def test_pictures_of_a_text_that_ends_before_the_marked_position_are_saved() -> None:
    app = open_page("compare", text="two cats", tokenizer="words", table="random", d_model="64", position="8")
    assert all(make() for make in files_of(app, "html").values())
