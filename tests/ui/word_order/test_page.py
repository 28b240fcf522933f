import json
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from embedlib.positional import SCHEMES, make_scheme
from tests.embedlib.programs.running import run as run_program
from tests.messages import wording
from tests.ui.pages import link_of, open_page, says, sentences
from ui.word_order.request import PAIRS

ROOT = Path(__file__).parents[3]
ZERO = "0: cannot tell them apart"
MASKED_ONLY = "defined with the causal mask only"


def table(app: AppTest) -> dict[str, dict[str, str]]:
    """Read the page's table: for each scheme's title its cells."""
    return {row["Scheme"]: row for row in app.table[0].value.to_dict("records")}


def outputs(app: AppTest) -> dict[str, str]:
    """Read the last column, under the schemes' names."""
    cells = table(app)
    return {name: cells[scheme.title]["Output"] for name, scheme in SCHEMES.items()}


def blind(app: AppTest) -> set[str]:
    return {name for name, said in outputs(app).items() if said == ZERO}


def pair(name: str) -> dict[str, str]:
    _title, first, second = PAIRS[name]
    return {"first": first, "second": second}


def test_the_page_opens_with_an_answer_for_every_scheme() -> None:
    app = open_page("word_order")
    assert not app.exception
    assert sentences(app) == []
    assert set(table(app)) == {scheme.title for scheme in SCHEMES.values()}
    assert blind(app) == {"none"}
    assert {name for name, said in outputs(app).items() if said == MASKED_ONLY} == {
        name for name, scheme in SCHEMES.items() if scheme.causal_only
    }


def test_only_what_is_added_changes_the_bag_of_rows() -> None:
    cells = table(open_page("word_order"))
    for scheme in SCHEMES.values():
        added = "embedding" in scheme.acts_on
        assert cells[scheme.title]["Bag of rows"] == ("differs: 4 of 6 rows in both" if added else "the same")


def test_a_bias_by_the_distance_alone_cannot_see_a_reversal() -> None:
    app = open_page("word_order", **pair("nlp"))
    assert {"none", "alibi", "kerple", "sandwich"} <= blind(app)
    assert not {"learned", "sinusoidal", "rope", "t5", "shaw"} & blind(app)
    assert says(app, "ui.word_order.schemes:_summary#4")


@pytest.mark.parametrize(("layers", "sees"), [("1", False), ("2", True)])
def test_under_the_mask_one_layer_without_positions_is_blind_and_two_are_not(layers: str, sees: bool) -> None:
    app = open_page("word_order", causal="1", layers=layers)
    assert ("none" in blind(app)) != sees
    assert MASKED_ONLY not in outputs(app).values()


def test_the_last_chart_shows_what_the_mask_alone_lets_through() -> None:
    app = open_page("word_order")
    chart = json.loads(app.get("plotly_chart")[-1].proto.spec)["data"][0]
    assert chart["hovertext"] == [
        "1 layer, no mask",
        "2 layers, no mask",
        "1 layer, causal mask",
        "2 layers, causal mask",
    ]
    assert chart["x"][:3] == [0, 0, 0]
    assert chart["x"][3] > 0.01


def test_other_tokens_are_said_to_be_the_reason() -> None:
    app = open_page("word_order", cut="gpt2", **pair("nlp"))
    assert says(app, "ui.word_order:bag_sentence", first="2", second="2")
    assert blind(app) == set()


def test_two_equal_sentences_say_so_and_nothing_more() -> None:
    app = open_page("word_order", first="one two", second="one two", causal="1")
    assert not app.exception
    assert says(app, "ui.word_order.tokens:bag_sentence#2")
    assert [header.value for header in app.header] == ["The same tokens, at other places?"]


def drawn_tokens(app: AppTest) -> list[str]:
    annotations = json.loads(app.get("plotly_chart")[0].proto.spec)["layout"]["annotations"]
    return [note["text"] for note in annotations if not note["text"].startswith("<b>")]


def test_what_is_compared_is_said_and_the_row_at_the_end_is_drawn_where_there_is_one() -> None:
    without, masked = open_page("word_order"), open_page("word_order", causal="1")
    said = [" ".join(element.value for element in app.markdown) for app in (without, masked)]
    assert [bool(wording("ui.word_order.schemes:_pooled#2").search(text)) for text in said] == [True, False]
    assert [bool(wording("ui.word_order.schemes:_pooled#1").search(text)) for text in said] == [False, True]
    words = ["The", "cat", "sat", "on", "the", "mat"]
    assert drawn_tokens(without)[:6] == words
    assert drawn_tokens(masked)[:7] == [*words, "end row"]
    assert all(wording("ui.word_order:bag_sentence", count="6", moved="2").search(text) for text in said)


def test_schemes_with_parameters_that_a_model_trains_are_marked_as_untrained() -> None:
    bars = json.loads(open_page("word_order").get("plotly_chart")[1].proto.spec)["data"][0]["hovertext"]
    for name, bar in zip(SCHEMES, bars, strict=True):
        trained = any(True for _ in make_scheme(name, d_model=64, n_heads=4).parameters())
        assert bar == SCHEMES[name].title + (", untrained" if trained else "")


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"first": ""}, wording("ui.word_order:checked_request")),
        ({"second": " \n "}, wording("ui.word_order:checked_request")),
        ({"heads": "5"}, wording("ui.settings:format", heads="5", d_model="64")),
        ({"first": "a " * 300}, wording("ui.shared:prepare", total="600", limit="400")),
        ({"first": "a " * 40}, wording("ui.shared:token_limit_notice", total="40", limit="32")),
        ({"layers": "3"}, wording("ui.settings:_from_link", name="layers", raw="`3`", rule="one of 1, 2")),
        ({"cut": "gpt9"}, wording("ui.settings:_from_link", name="cut", raw="`gpt9`")),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(link: dict[str, str], sentence: re.Pattern[str]) -> None:
    app = open_page("word_order", **link)
    assert not app.exception
    assert any(sentence.search(found) for found in sentences(app)), sentences(app)


def test_a_scheme_that_cannot_be_had_in_these_sizes_says_why_and_the_others_stay() -> None:
    app = open_page("word_order", d_model="12", heads="4")
    assert not app.exception
    assert wording("ui.word_order:append").fullmatch(outputs(app)["rope"])
    assert says(app, "ui.settings:_reason", d_model="12", heads="4", head_dim="3", nearest="16")
    assert outputs(app)["none"] == ZERO


def test_a_pair_fills_both_sentences_and_the_link() -> None:
    app = open_page("word_order")
    app.get("button_group")[0].set_value("dog").run()
    assert not app.exception
    assert {name: link_of(app)[name] for name in ("first", "second")} == pair("dog")
    assert blind(app) == {"none"}


def test_a_parameter_from_the_link_is_used() -> None:
    small = open_page("word_order", **{"learned.std": "0.02"})
    assert outputs(small)["learned"] != outputs(open_page("word_order"))["learned"]
    assert '"learned": {"std": 0.02}' in small.code[0].value


def captions(app: AppTest) -> str:
    return " ".join(element.value for element in app.caption)


def test_the_encoder_reads_trained_rows_and_the_page_says_which_tokens_have_them() -> None:
    app = open_page("word_order", **pair("dog"))
    assert wording("ui.shared:_text_sentence", known=...).search(captions(app))
    trained = outputs(app)
    box = next(box for box in app.selectbox if box.key == "shown_table")
    assert "by_hand" not in box.options
    assert box.set_value("random").run().session_state["table"] == "random"
    assert wording("ui.shared:random_sentence", seed="123").search(captions(app))
    assert outputs(app) != trained
    assert {name for name, said in trained.items() if said == ZERO} == blind(app) == {"none"}
    narrow = open_page("word_order", d_model="32")
    assert wording("ui.shared:width_sentence", width="64").search(captions(narrow))


def test_tokens_with_one_trained_row_count_as_one_and_are_named() -> None:
    texts = {"first": "King saw the cat", "second": "the cat saw king"}
    app = open_page("word_order", **texts)
    assert wording("ui.word_order:_origin", tokens="`King` and `king`").search(captions(app))
    assert says(app, "ui.word_order:bag_sentence", count="4", moved="4")
    assert "none" in blind(app)
    random = open_page("word_order", table="random", **texts)
    assert says(random, "ui.word_order:what_the_mask_sees.caption")
    assert blind(random) == set()
    cased = open_page("word_order", first="King and cat", second="king and cat")
    assert says(cased, "ui.word_order.tokens:bag_sentence#2")
    spaced = open_page("word_order", first="king and cat", second="cat and king", cut="gpt2")
    assert "count as the same token: `king` and `·king`, `·cat` and `cat`." in captions(spaced)


@pytest.mark.parametrize(
    "link",
    [
        {"first": '"quoted" \\ 日本 end', "second": 'end "quoted" \\ 日本', "layers": "2", "causal": "1"},
        {"first": "The king saw naïve cats", "second": "naïve cats saw the King", "layers": "2", "causal": "1"},
        {"first": "one two", "second": "two one", "d_model": "16", "layers": "2", "causal": "1"},
    ],
)
def test_the_program_prints_the_numbers_of_the_page(link: dict[str, str]) -> None:
    app = open_page("word_order", **link)
    output, _names = run_program(app.code[0].value)
    printed = dict(re.findall(r"^(\w+) +\d+ rows in both, output changed by ([\d.]+)%$", output, re.MULTILINE))
    assert set(printed) == set(SCHEMES)
    for name, said in outputs(app).items():
        assert float(printed[name]) == pytest.approx(0.0 if said == ZERO else float(said.rstrip("%")), abs=0.0501)


def test_the_tokens_stay_where_the_encoder_cannot_be_had() -> None:
    app = open_page("word_order", heads="5")
    assert len(app.error) == 1
    assert len(app.get("plotly_chart")) == 1
    assert says(app, "ui.word_order:bag_sentence", count="6")
