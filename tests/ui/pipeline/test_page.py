import csv
import io
import itertools
import json
import math
import random
import re
import string
from functools import cache

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from embedlib import embed_text, get_tokenizer
from embedlib.measures import Effect
from embedlib.positional import SCHEMES
from embedlib.tokenizers import TOKENIZERS
from embedlib.word2vec import trained_rows, trained_table
from tests.messages import message, wording
from tests.ui.pages import (
    components,
    figure,
    files_of,
    find_control,
    link_of,
    open_page,
    payload,
    read_setting,
    says,
    sentences,
)
from ui.cache import Request
from ui.pipeline import sections
from ui.pipeline.effect import compute_effect
from ui.pipeline.request import linked_request
from ui.settings import state

CAT = {"text": "The cat sat on the mat", "table": "random"}
look_at = cache(open_page)  # a page that no test changes is opened once


def test_it_opens_with_an_example_and_true_numbers() -> None:
    app = look_at()
    assert not app.exception
    assert sentences(app) == []
    header, numbers = payload(app, "vector_sum")
    expected = embed_text(state.DEFAULT_TEXT, table=trained_rows(get_tokenizer("gpt2"))[0])
    assert header["ids"] == list(map(str, expected.token_ids.tolist()))
    token, position = numbers.reshape(2, 9, 64)
    assert np.array_equal(token, expected.token_embeddings.numpy())
    assert np.array_equal(position, expected.position_vectors.numpy())
    assert np.array_equal(token + position, expected.input_embeddings.numpy())


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_opens_and_what_is_untrained_is_called_so(scheme: str) -> None:
    app = look_at(scheme=scheme)
    assert not app.exception
    assert sentences(app) == []
    header, numbers = payload(app, "vector_sum")
    assert header["adds"] == (scheme != "none")
    assert header["causal"] == bool(SCHEMES[scheme].acts_on & {"score", "content"})
    assert (header["pairs"] is not None) == ("query_key" in SCHEMES[scheme].acts_on)
    assert np.isfinite(numbers).all()
    is_drawn = any(parameter.name == "seed" for parameter in SCHEMES[scheme].PARAMETERS)
    trained = bool(SCHEMES[scheme].WEIGHTS)
    assert says(app, "**Random, not trained** (seed…", seed="0") == (is_drawn and not trained)
    assert says(app, "Its numbers are those of a small model…", count="128") == trained


def test_a_rotary_scheme_shows_each_query_its_angles_and_the_turned_query() -> None:
    header, numbers = payload(look_at(scheme="rope"), "vector_sum")
    assert header["pairs"] == [1, 64]
    rows, angles, turned = numbers.reshape(3, 9, 64)
    for position, column in itertools.product(range(9), range(0, 64, 2)):
        angle = position * 10_000 ** (-column / 64)
        x, y = map(float, rows[position, column : column + 2])
        assert math.cos(angles[position, column]) == pytest.approx(math.cos(angle), abs=1e-5)
        assert math.sin(angles[position, column + 1]) == pytest.approx(math.sin(angle), abs=1e-5)
        assert turned[position, column] == pytest.approx(x * math.cos(angle) - y * math.sin(angle), abs=1e-5)
        assert turned[position, column + 1] == pytest.approx(x * math.sin(angle) + y * math.cos(angle), abs=1e-5)
    assert np.abs(angles).max() <= math.pi


def test_a_rotary_scheme_that_turns_some_columns_leaves_the_others() -> None:
    link = {"scheme": "rope", "rope.rotary_fraction": "0.5", "rope.pairing": "halves"}
    header, numbers = payload(open_page(**link), "vector_sum")
    assert header["pairs"] == [16, 32]
    rows, angles, turned = numbers.reshape(3, 9, 64)
    assert np.array_equal(rows[:, 32:], turned[:, 32:])
    assert not angles[:, 32:].any()
    assert np.array_equal(angles[:, :16], angles[:, 16:32])


def test_the_three_parts_of_the_sum_are_saved_to_the_bit_beside_their_tokens() -> None:
    app = open_page(text='=HYPERLINK("x"),日本', d_model="4", table="random", tokenizer="gpt2", scheme="sinusoidal")
    found = embed_text('=HYPERLINK("x"),日本', d_model=4)
    lines = list(csv.DictReader(io.StringIO(files_of(app)["input-embeddings.csv"]().decode())))
    assert len(lines) == 3 * len(found.tokens)
    parts = {"token": found.token_embeddings, "position": found.position_vectors, "input": found.input_embeddings}
    for part, expected in parts.items():
        rows = [line for line in lines if line["part"] == part]
        values = np.array([[line[f"dim_{column}"] for column in range(4)] for line in rows], dtype=np.float32)
        assert np.array_equal(values, expected.numpy())
        assert b"".join(bytes.fromhex(line["bytes"]) for line in rows).decode() == found.text
        assert [line["token"].removeprefix("'") for line in rows] == [
            token.bytes.decode("utf-8", "replace") for token in found.tokens
        ]
    assert rows[0]["token"] == "="


def test_a_bias_is_added_to_the_scores_of_the_keys_up_to_the_query() -> None:
    header, numbers = payload(look_at(scheme="alibi"), "vector_sum")
    rows = (
        embed_text(state.DEFAULT_TEXT, table=trained_rows(get_tokenizer("gpt2"))[0]).token_embeddings.double().numpy()
    )
    plain, bias = numbers.reshape(2, 9, 9)
    for matrix, limit in zip((plain, bias, plain + bias), header["limits"], strict=True):
        assert limit / 2 < np.abs(matrix).max() < 2 * limit  # small scores are not blank beside a large term
    for query, key in itertools.product(range(9), repeat=2):
        seen = key <= query
        score = sum(rows[query, column] * rows[key, column] for column in range(16)) / 4  # the first of four heads
        assert plain[query, key] == pytest.approx(score if seen else 0, abs=1e-4)
        assert bias[query, key] == (-0.25 * (query - key) if seen else 0)


def test_of_a_long_text_the_terms_of_a_window_are_those_of_all_tokens() -> None:
    link = {"text": "a b c d e f g h i j " * 8, "scheme": "fire"}
    _, whole = payload(open_page(**link), "vector_sum")
    _, late = payload(open_page(**link, token="75"), "vector_sum")
    first, second = whole.reshape(2, 64, 64), late.reshape(2, 64, 64)
    assert np.allclose(first[:, 17:, 17:], second[:, :-17, :-17], atol=1e-5)


def test_rows_past_the_trained_ones_are_called_untrained() -> None:
    for count in (128, 129):
        app = open_page(scheme="learned", text=" ".join(["the"] * count))
        assert says(app, "The rows from position {count} on…", count="128") == (count > 128)


@pytest.mark.parametrize(("scheme", "sizes"), [("learned", {"d_model": "32"}), ("t5", {"t5.num_buckets": "16"})])
def test_weights_are_random_where_trained_ones_do_not_fit_and_the_switch_says_why(
    scheme: str, sizes: dict[str, str]
) -> None:
    app = open_page(scheme=scheme, **sizes)
    assert says(app, "**Random, not trained** (seed…", seed="0")
    switch = find_control(app, f"{scheme}.weights")
    assert (len(switch.options), switch.value, switch.disabled) == (1, "random", True)
    assert wording("There are trained weights only for {sizes}.", sizes=...).search(switch.help)
    assert link_of(app) == {"scheme": scheme, **sizes} | ({"table": "random"} if "d_model" in sizes else {})


def test_the_switch_brings_random_rows_and_their_settings() -> None:
    app = open_page(scheme="learned")
    assert "learned.std" not in {control.key for control in app.number_input}
    assert "weights='trained'" in app.code[0].value.replace('"', "'")
    find_control(app, "learned.weights").set_value("random").run()
    assert link_of(app)["learned.weights"] == "random"
    assert "learned.std" in {control.key for control in app.number_input}
    assert "torch.nn.Embedding" in app.code[0].value


def test_a_link_that_says_how_random_weights_are_drawn_has_these() -> None:
    app = open_page(scheme="learned", **{"learned.seed": "5"})
    assert says(app, "**Random, not trained** (seed…", seed="5")


def test_two_tokens_of_one_word_are_said_to_have_one_row() -> None:
    assert says(look_at(), "These tokens have equal rows,…", tokens="`The` = `·the`")
    assert not says(look_at(table="random"), "These tokens have equal rows,…")
    assert not says(open_page(text="The cat and a dog"), "These tokens have equal rows,…")


def test_a_family_is_one_character() -> None:
    assert wording("Characters: {characters:,}, bytes:…", characters="1", bytes="18").search(
        chips_note(open_page(text="👩‍👩‍👧"))
    )


def chips_note(app: AppTest) -> str:
    return str(json.loads(components(app, "token-chips")[0].bytes)["note"])


@pytest.mark.parametrize("tokenizer", [name for name in TOKENIZERS if name not in ("cl100k_base", "o200k_base")])
def test_every_tokenizer_that_ships_opens(tokenizer: str) -> None:
    app = open_page(tokenizer=tokenizer, text="naïve 日本語 👩‍👩‍👧")
    assert not app.exception
    assert sentences(app) == []


def test_the_six_rows_are_shown_to_the_digit() -> None:
    app = open_page()
    app.pills(key="example").set_value("six_rows").run()
    _, numbers = payload(app, "vector_sum")
    assert [f"{number:.4f}" for number in numbers[9:12]] == ["-0.4015", "0.9666", "-1.1481"]


def test_scaled_rows_are_scaled_in_the_sum_and_not_in_the_matrix() -> None:
    plain, scaled = look_at(**CAT), open_page(**CAT, scale="1")
    assert np.array_equal(payload(scaled, "vector_sum")[1][:384], payload(plain, "vector_sum")[1][:384] * 8)
    strips = [payload(app, "vector_sum")[0]["strip"] for app in (plain, scaled)]
    assert strips[0]["address"] == strips[1]["address"]
    assert strips[1]["limit"] == payload(scaled, "vector_sum")[0]["limits"][0] / 8


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_matrix_stands_beside_its_rows_and_not_beside_scores(scheme: str) -> None:
    header, _ = payload(look_at(scheme=scheme), "vector_sum")
    assert ("strip" in header) is not header["causal"]
    if "strip" in header:
        assert header["strip"]["vocab_size"] == 50_257


def test_the_link_carries_what_differs_from_the_defaults_and_nothing_else() -> None:
    app = open_page(d_model="32", scheme="learned", text="one two")
    assert link_of(app) == {"d_model": "32", "scheme": "learned", "text": "one two", "table": "random"}
    find_control(app, "d_model").set_value(64).run()
    assert link_of(app) == {"scheme": "learned", "text": "one two"}


def test_a_wrong_link_falls_back_and_says_so() -> None:
    wrong = {"d_model": "99999999999", "scheme": "roope", "tokenizer": "<b>x</b>", "sinusoidal.base": "nan"}
    app = open_page(**wrong, scale="maybe", seed="[win](http://192.0.2.1)`b`$x$")
    assert not app.exception
    quoted = {name: f"`{raw}`" for name, raw in wrong.items() if name != "tokenizer"}
    quoted |= {"scale": "`maybe`", "seed": "``[win](http://192.0.2.1)`b`$x$``"}
    for name, raw in quoted.items():
        pattern = wording("{title}: link has {name} =…", name=name, raw=raw)
        assert any(pattern.search(found) for found in sentences(app)), sentences(app)
    assert len(sentences(app)) == len(quoted) + 1
    assert payload(app, "vector_sum")[0]["n_rows"] == 9


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {"d_model": "65"},
            wording(
                "{scheme} needs d_model divisible…", scheme=SCHEMES["sinusoidal"].title, d_model="65", nearest="64"
            ),
        ),
        ({"d_model": "7", "scheme": "rope"}, wording("{scheme} needs an even head…")),
        ({"table": "by_hand", "text": "I love cats"}, wording("The matrix has rows for…", words="I, love, NLP")),
        (
            {"table": "by_hand", "text": "I love NLP I"},
            wording("{limit} positions, {count}…", limit="3", count="4"),
        ),
        ({"scheme": "rope", "rope.rotary_fraction": "0"}, wording("{scheme} does not support…")),
    ],
)
def test_settings_that_do_not_go_together_get_one_sentence(link: dict[str, str], sentence: re.Pattern[str]) -> None:
    app = open_page(**link)
    assert not app.exception
    assert len(sentences(app)) == 1
    assert sentence.search(sentences(app)[0])
    assert app.get("bidi_component")[0].proto.component_name == "live-text"


def test_white_space_alone_is_tokens_like_any_other() -> None:
    app = open_page(text="  \n")
    assert sentences(app) == []
    assert payload(app, "vector_sum")[0]["n_rows"] >= 1


def test_a_long_text_is_windowed_and_said() -> None:
    app = open_page(text="a b c d e f g h i j " * 20, token="150")
    header, _ = payload(app, "vector_sum")
    assert (header["n_rows"], header["total"]) == (64, 201)
    assert header["first_position"] <= 150 < header["first_position"] + 64
    find_control(app, "window").set_value(0).run()
    assert payload(app, "vector_sum")[0]["first_position"] == 0


def test_text_that_looks_like_code_stays_text() -> None:
    text = "<script>alert(1)</script> **bold** [x](http://example.com) ![i](http://example.com/i.png) $x$ <|endoftext|>"
    app = open_page(text=text)
    assert not app.exception
    assert 50256 not in [int(token_id) for token_id in payload(app, "vector_sum")[0]["ids"]]
    for kind in (app.markdown, app.caption, app.title, app.header):
        assert not any("example.com" in element.value for element in kind)


def test_a_text_too_long_for_a_link_stays_out_of_it_and_the_rest_stays_in() -> None:
    text = random.Random(0).choices(string.ascii_letters, k=12_000)  # which no packing makes short enough
    app = open_page(text="".join(text), d_model="32")
    assert link_of(app) == {"d_model": "32", "table": "random"}
    assert says(app, "Too long for the link: copy…")


@pytest.mark.parametrize(
    "link", [{"d_model": "65"}, {"d_model": "7", "scheme": "rope"}, {"d_model": "65", "scale": "1"}]
)
def test_tokens_and_rows_stay_where_the_positions_cannot_be_had(link: dict[str, str]) -> None:
    app = open_page(**CAT, **link)
    header, numbers = payload(app, "vector_sum")
    assert header["ids"] == ["464", "3797", "3332", "319", "262", "2603"]
    assert not header["adds"]
    expected = embed_text(
        CAT["text"], d_model=int(link["d_model"]), scheme="none", scale_by_sqrt_d="scale" in link
    ).token_embeddings
    token, position = numbers.reshape(2, 6, -1)
    assert np.array_equal(token, expected.numpy())
    assert not position.any()
    assert not app.header
    assert not app.code


def test_chips_stay_where_the_table_by_hand_has_no_such_words() -> None:
    app = open_page(table="by_hand", text="I love cats")
    components = [element.proto.component_name for element in app.get("bidi_component")]
    assert "token-chips" in components
    assert "vector_sum" not in components
    assert wording("The text is one token, from a…", tokens="3").search(chips_note(app))


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({}, wording("The rows were trained on {sentences:,} sentences of a small grammar.", sentences="40,000")),
        ({}, wording("In the whole table {trained:,} of…", rows="50,257", trained="1,723")),
        (
            {"text": CAT["text"]},
            wording("Of {count:,} tokens {known:,} have…", known="5", count="6", sentences="40,000"),
        ),
        ({"text": CAT["text"]}, wording("Of {count:,} tokens {known:,} have…", seed="123", tokens="`·mat`")),
        (
            {"text": "xylophones", "seed": "9"},
            wording("**Random, not trained** (seed…", seed="9"),
        ),
        (
            {"text": "king " + " ".join("qrtvxzjy0123456")},
            re.compile("`·0`, `·1`, `·2`, `·3` " + wording("and {count:,} more", count="3").pattern),
        ),
        (
            {"text": "king `", "tokenizer": "words"},
            wording("Of {count:,} tokens {known:,} have…", seed="123", tokens="`` ` ``"),
        ),
        ({"scale": "1"}, wording("In the sum they are multiplied by √{d_model}.", d_model="64")),
        (
            CAT | {"table": "by_hand", "text": "NLP love I"},
            wording("The numbers are written by hand, so that you can check each sum."),
        ),
    ],
)
def test_it_says_where_the_rows_come_from_and_which_tokens_have_none_trained(
    link: dict[str, str], sentence: re.Pattern[str]
) -> None:
    app = look_at(**link)
    assert not app.exception
    assert any(sentence.search(caption.value) for caption in app.caption), [caption.value for caption in app.caption]


def test_words_of_one_kind_lie_side_by_side_at_first_sight_and_by_chance_they_do_not() -> None:
    def beside_each_other(app: AppTest) -> list[bool]:
        rows = next(
            trace for trace in figure(app, "projection")["data"] if wording("token row").fullmatch(trace["name"])
        )
        x, y = (np.array(rows[axis]) for axis in "xy")
        apart = np.hypot(x[:, None] - x, y[:, None] - y)
        pairs = {1: 3, 3: 1, 6: 8, 8: 6}  # king and queen, dog and cat
        return [min(set(pairs) - {one}, key=lambda two: apart[one, two]) == pairs[one] for one in pairs]

    assert all(beside_each_other(look_at()))
    assert not all(beside_each_other(look_at(table="random")))


def test_trained_rows_are_those_of_the_file_and_the_others_random() -> None:
    shipped = trained_table()
    _, numbers = payload(look_at(text=CAT["text"]), "vector_sum")
    rows = numbers.reshape(2, 6, 64)[0]
    for row, word in zip(rows[:5], ("the", "cat", "sat", "on", "the"), strict=True):
        assert np.array_equal(row, shipped.vectors[shipped.words.index(word)].numpy())
    drawn = embed_text(CAT["text"], scheme="none").token_embeddings[5]
    # A mean of 44,000 numbers differs in its last bit with the number of threads that took it.
    np.testing.assert_allclose(rows[5], (drawn * shipped.vectors.square().mean().sqrt()).numpy(), rtol=1e-6)


def test_another_width_has_random_rows_and_choosing_trained_ones_brings_theirs() -> None:
    app = open_page(d_model="32")
    assert find_control(app, "table").value == "random"
    assert says(app.sidebar, "Trained rows need d_model =…", width="64")
    expected = embed_text(state.DEFAULT_TEXT, d_model=32)
    assert np.array_equal(payload(app, "vector_sum")[1][: 9 * 32], expected.token_embeddings.numpy().ravel())
    find_control(app, "table").set_value("trained").run()
    assert read_setting(app, "d_model") == 64
    assert find_control(app, "table").value == "trained"
    assert link_of(app) == {}
    find_control(app, "table").set_value("random").run()
    assert link_of(app) == {"table": "random"}
    expected = embed_text(state.DEFAULT_TEXT)
    assert np.array_equal(payload(app, "vector_sum")[1][: 9 * 64], expected.token_embeddings.numpy().ravel())


@pytest.mark.parametrize("tokenizer", ["characters", "bytes"])
def test_rows_of_words_are_not_offered_for_characters_and_bytes(tokenizer: str) -> None:
    app = open_page(tokenizer=tokenizer, text="a cat")
    assert not app.exception
    assert find_control(app, "table").value == "random"
    own = [message("random"), message("by hand, 3 words × 3")]
    assert find_control(app, "table").options[-2:] == own
    assert message("trained on {sentences:,} sentences", sentences=40_000) not in find_control(app, "table").options
    assert says(app.sidebar, "“Trained on sentences” is a small…")
    assert "show_trained" not in [button.key for button in app.button]
    assert link_of(app) == {"tokenizer": tokenizer, "text": "a cat", "table": "random"}
    find_control(app, "tokenizer").set_value("words").run()
    assert find_control(app, "table").value == "trained"
    assert link_of(app) == {"tokenizer": "words", "text": "a cat"}


def test_after_an_example_with_random_rows_one_click_brings_the_trained_ones_back() -> None:
    app = open_page()
    assert "show_trained" not in [button.key for button in app.button]
    app.pills(key="example").set_value("six_rows").run()
    app.button(key="show_trained").click().run()
    assert not app.exception
    assert (read_setting(app, "table"), read_setting(app, "d_model")) == ("trained", 64)
    assert find_control(app, "table").value == "trained"
    assert "show_trained" not in [button.key for button in app.button]


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"text": "The quick brown fox", "d_model": "768"},
        {"tokenizer": "characters", "scheme": "rope", "scale": "1"},
        {"table": "by_hand", "text": "I love NLP"},
        {"scheme": "learned", "learned.seed": "7", "d_model": "no number"},
        {"table": "random", "seed": "5"},
    ],
)
def test_what_a_link_will_show_is_known_before_there_is_a_session(
    link: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Request] = []

    def noted(request: Request, first: int, stop: int) -> Effect:
        shown.append(request)
        return compute_effect(request, first, stop)

    monkeypatch.setattr(sections, "compute_effect", noted)
    open_page(**link)
    assert set(shown) == {linked_request(link)}
