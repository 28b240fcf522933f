import csv
import io
import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from babel.numbers import format_compact_decimal
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from embedlib.embedding import (
    BYTES_PER_NUMBER,
    INITIALISATIONS,
    MODEL_SIZES,
    ROW_OPTIMIZERS,
    embedding_table,
    initial_table,
)
from embedlib.word2vec import trained_table
from tests.messages import message, wording
from tests.ui.pages import (
    change_settings,
    files_of,
    find_control,
    link_of,
    open_page,
    payload,
    read_setting,
    says,
    sentences,
    table_rows,
    wait_for,
)
from ui import cache as shared
from ui.embedding_layer import cache
from ui.embedding_layer.layers import shapes_sentence
from ui.embedding_layer.lookup import drawn_tokens
from ui.embedding_layer.request import Request, parse_ids
from ui.i18n import set_run_language
from ui.jobs.job import Job
from ui.settings import state
from ui.shared.formats import format_bytes, format_count, format_seconds

CAT = "The cat sat on the mat"
MOVED = "**In the last step {moved:,} of…"
LOOKED_UP = message("looked up")
FOX = {"text": "Quick fox is in the house", "tokenizer": "words", "d_model": "3", "seed": "42"}


def open_layer(**link: str) -> AppTest:
    app = open_page("embedding_layer", **link)
    assert not app.exception
    return app


def test_rows_that_are_random_among_trained_ones_are_marked_and_where_all_are_random_none_is() -> None:
    rows = [
        payload(open_layer(text=CAT, layer_matrix=matrix), "embedding_matrix")[0] for matrix in ("trained", "random")
    ]
    assert [header["by_chance"] for header in rows] == [[False] * 5 + [True], [False] * 6]


def load(name: str) -> AppTest:
    """Press an example."""
    app = open_layer()
    app.get("button_group")[0].set_value(name).run()
    assert not app.exception
    return app


def product(app: AppTest) -> tuple[dict[str, Any], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Read what the animation was sent: its header, the rows of E, what was looked up, what was multiplied."""
    header, numbers = payload(app, "one-hot-product")
    matrix = numbers.reshape(-1, header["k"])
    drawn, n_tokens = len(header["rows"]), len(header["ids"])
    return header, matrix[:drawn], matrix[drawn : drawn + n_tokens], matrix[drawn + n_tokens :]


def text_of(app: AppTest) -> str:
    return " ".join(element.value for kind in (app.markdown, app.caption) for element in kind)


def chart(app: AppTest, position: int) -> dict[str, Any]:
    spec: dict[str, Any] = json.loads(app.get("plotly_chart")[position].proto.spec)
    return spec


def test_the_page_opens_with_a_matrix_both_ways_and_no_complaint() -> None:
    app = open_layer(text=CAT, layer_matrix="random")
    assert sentences(app) == []
    header, _table, looked_up, multiplied = product(app)
    assert header["ids"] == [464, 3797, 3332, 319, 262, 2603]
    assert header["positions"] == list(range(6))
    assert looked_up.tobytes() == multiplied.tobytes()
    torch.manual_seed(123)
    expected = torch.nn.Embedding(50_257, 64).weight.detach()[header["ids"]]
    assert np.array_equal(looked_up, expected.numpy())
    assert has_size(app, "50,257", "64")


def has_size(app: AppTest, rows: str, d_model: str) -> bool:
    size = wording("**The embedding matrix E has {rows:,}…", d_model=d_model).search(text_of(app))
    return size is not None and rows in size[0]


def trained_row(word: str) -> NDArray[np.float32]:
    table = trained_table()
    row: NDArray[np.float32] = table.vectors[table.words.index(word)].numpy()
    return row


def test_the_page_opens_with_trained_rows_and_says_so_in_one_sentence() -> None:
    app = open_layer()
    header, _table, looked_up, multiplied = product(app)
    assert header["tokens"][:3] == ["The", "·king", "·and"]
    assert np.array_equal(looked_up[:3], np.stack([trained_row(word) for word in ("the", "king", "and")]))
    assert looked_up.tobytes() == multiplied.tobytes()
    assert wording("The rows were trained on {sentences:,} sentences of a small grammar.", sentences="40,000").search(
        text_of(app)
    )
    assert wording("In the whole table {trained:,} of…", rows="50,257", trained="1,723").search(text_of(app))
    assert "layer_matrix" not in link_of(app)
    assert wording("The rows were trained on {sentences:,} sentences of a small grammar.", sentences="40,000").search(
        text_of(open_layer(layer_ids="464 5822"))
    )


def test_tokens_that_no_training_moved_are_named_and_have_random_rows_as_long() -> None:
    app = open_layer(text="the king naïve", tokenizer="words")
    header, _table, looked_up, _multiplied = product(app)
    random = embedding_table(3, 64)[header["ids"][2]].numpy()
    np.testing.assert_allclose(looked_up[2], random * float(trained_table().vectors.square().mean().sqrt()), rtol=1e-6)
    assert wording("After training its {count:,} rows…", count="2").search(text_of(app))
    assert wording("**Random, not trained** (seed…", seed="123").search(
        text_of(open_layer(text="naïve", tokenizer="words"))
    )


def test_another_width_has_random_rows_and_the_trained_ones_bring_theirs_back() -> None:
    app = open_layer(d_model="8")
    assert wording("Here the rows are random, as before training (“{start}”, seed {seed}).", seed="123").search(
        text_of(app)
    )
    assert wording("Trained rows need d_model =…", width="64").search(text_of(app))
    box = find_control(app, "layer_matrix")
    assert box.value == "random"
    box.set_value("trained").run()
    assert read_setting(app, "d_model") == 64
    assert wording("The rows were trained on {sentences:,} sentences of a small grammar.").search(text_of(app))
    box = find_control(app, "layer_matrix")
    box.set_value("random").run()
    assert link_of(app)["layer_matrix"] == "random"
    assert wording(
        "Here the rows are random, as before training (“{start}”, seed {seed}).",
        start=INITIALISATIONS["normal_1"].title,
        seed="123",
    ).search(text_of(app))
    letters = open_layer(tokenizer="bytes")
    assert wording("“Trained on sentences” is a small…").search(text_of(letters))
    assert link_of(letters) == {"tokenizer": "bytes", "layer_matrix": "random"}


def test_beside_trained_rows_other_layers_are_those_beside_random_ones() -> None:
    numbers = {}
    for matrix in ("trained", "random"):
        app = open_layer(text=CAT, layer_matrix=matrix, layer_start="uniform", layer_second="1")
        positions = payload(app, "vector_sum")[1].reshape(2, 6, 64)[1]
        second = next(element.value for element in app.table if LOOKED_UP in element.value.columns)
        numbers[matrix] = (positions.tolist(), second.values.tolist())
    assert numbers["trained"] == numbers["random"]


def test_lesson_1_a_table_of_six_rows_and_id_3() -> None:
    app = load("six_rows")
    header, table, looked_up, multiplied = product(app)
    assert header["rows"] == [0, 1, 2, 3, 4, 5]
    assert header["ids"] == [3]
    expected = [
        [0.3374, -0.1778, -0.1690],
        [0.9178, 1.5810, 1.3010],
        [1.2753, -0.2010, -0.1606],
        [-0.4015, 0.9666, -1.1481],
        [-1.1589, 0.3255, -0.6315],
        [-2.8400, -0.7849, -1.4096],
    ]
    assert np.round(table, 4).tolist() == np.float32(expected).tolist()
    assert np.round(looked_up, 4).tolist() == np.float32([[-0.4015, 0.9666, -1.1481]]).tolist()
    assert looked_up.tobytes() == multiplied.tobytes()


def test_lesson_3_is_one_click_away_and_is_measured_at_once() -> None:
    app = load("gpt2_size")
    sizes = [read_setting(app, f"layer_cost_{name}") for name in ("rows", "width", "tokens")]
    assert sizes == [50_257, 768, 1_024]
    columns = [list(column) for element in app.table for column in element.value.values.T]
    assert ["d · n = 786,432", "0", "1,024"] in columns
    computed, selecting = format_count(2 * 50_257 * 768 * 1_024), format_count(50_257 * 1_024)
    assert ["–", f"2 · V · d · n = {computed}", f"V · n = {selecting}"] in columns
    assert isinstance(app.session_state["layer-cost_job"], Job)
    app.session_state["layer-cost_job"].stop()


def test_lesson_5_every_sample_gets_the_same_position_rows() -> None:
    app = load("positions")
    header, numbers = payload(app, "vector_sum")
    assert header["n_columns"] == 256
    count = header["n_rows"]
    assert count == len(header["ids"]) == len(header["tokens"]) == header["total"] == 20
    _rows, added = numbers.reshape(2, count, 256)
    torch.manual_seed(123)
    torch.nn.Embedding(50_257, 256)
    positions = torch.nn.Embedding(4, 256).weight.detach().numpy()
    for token in range(count):
        assert np.array_equal(added[token], positions[token % 4])
    assert shapes_sentence(count, 4, 256) in text_of(app)


def test_the_matrix_begins_as_it_is_told_to() -> None:
    _header, table, _looked_up, _multiplied = product(open_layer(**FOX, layer_start="xavier_normal"))
    assert np.array_equal(table, initial_table("xavier_normal", 6, 3, seed=42).numpy())


@pytest.mark.parametrize("start", INITIALISATIONS)
def test_a_table_is_drawn_as_it_begins_and_lengths_that_are_made_wider_are_those_of_its_rows(start: str) -> None:
    expected = initial_table(start, 700, 24, seed=5)
    assert torch.equal(cache.draw_table(cache.TableKey(start, 700, 24, 5)).table.cpu(), expected)
    torch.testing.assert_close(cache.initial_norms(start, 700, 24, 5), expected.norm(dim=1), rtol=1e-5, atol=0)


def test_a_step_moves_the_rows_that_were_looked_up_and_with_tied_weights_every_row() -> None:
    assert wording(MOVED, moved="5", rows="50,257", count="5").search(text_of(open_layer(text=CAT)))
    tied = text_of(open_layer(**FOX, layer_tied="1"))
    assert wording(MOVED, moved="6", rows="6", count="5").search(tied)
    assert wording("The softmax at the output gave…", count="1").search(tied)


@pytest.mark.parametrize("matrix", ["random", "trained"])
def test_tied_long_rows_leave_most_gradients_too_small_for_float32_and_short_ones_do_not(matrix: str) -> None:
    app = open_layer(layer_tied="1", layer_matrix=matrix)
    assert wording("**{count:,} rows have…").search(text_of(app))
    assert wording("The loss before the step was…", loss=..., rows="50,257", guess="10.82").search(text_of(app))
    app.button(key="layer_short_rows").click().run()
    assert wording(
        "Here the rows are random, as before training (“{start}”, seed {seed}).",
        start=INITIALISATIONS["normal_0.02"].title,
        seed="123",
    ).search(text_of(app))
    assert wording(MOVED, moved="50,257", rows="50,257").search(text_of(app))
    assert not wording("**{count:,} rows have…").search(text_of(app))


@pytest.mark.parametrize("steps", ["1", "2"])
def test_under_adamw_the_rows_that_decay_moves_are_told_from_those_that_the_tied_output_moves(steps: str) -> None:
    link = {"layer_matrix": "random", "layer_rate": "0.001", "layer_steps": steps}
    link |= {"text": "the cat sat on the mat", "layer_tied": "1"}
    adam, adamw = (text_of(open_layer(layer_optimizer=name, **link)) for name in ("adam", "adamw"))

    def number(sentence: re.Pattern[str], text: str, place: int) -> int:
        found = sentence.search(text)
        assert found, text
        return int(re.findall(r"\d+(?:,\d+)*", found[0])[place].replace(",", ""))

    by_gradient = number(wording(MOVED, rows="50,257"), adam, -3)  # then of how many rows, and how many looked up
    assert wording(MOVED, moved="50,257", rows="50,257").search(adamw)
    decayed = number(wording("Rows that weight decay alone…"), adamw, 0)
    assert decayed > 40_000
    assert abs(by_gradient + decayed - 50_257) <= 2, "what Adam moves, and what only decay moves, are all rows"
    assert wording("Weight decay makes all rows a little shorter.").search(adamw)


def test_weight_decay_moves_every_row_and_momentum_those_of_before() -> None:
    assert wording("Rows that weight decay alone…", count="50,252").search(
        text_of(open_layer(text=CAT, layer_optimizer="adamw", layer_rate="0.001"))
    )
    later = text_of(open_layer(layer_optimizer="adam", layer_rate="0.001", layer_steps="2"))
    assert wording("Rows that moved only because…").search(later)


def test_an_optimizer_brings_its_usual_learning_rate() -> None:
    app = open_layer()
    change_settings(app, layer_optimizer="adam")
    control = find_control(app, "layer_optimizer")
    control.set_value("adamw").run()
    assert read_setting(app, "layer_rate") == ROW_OPTIMIZERS["adamw"].learning_rate


def test_the_learning_rate_that_the_reader_has_set_stays() -> None:
    for rate in (0.05, 0.001):
        app = open_layer(**FOX)
        find_control(app, "layer_rate").set_value(rate).run()
        control = find_control(app, "layer_optimizer")
        control.set_value("adam").run()
        control.set_value("sgd").run()
        assert read_setting(app, "layer_rate") == rate
    labels = [field.label for field in app.number_input]
    assert any(wording("Learning rate (usual: {rate:g})", rate="0.1").search(label) for label in labels)


def test_loss_and_picture_say_of_how_many_dimensions_they_are() -> None:
    app = open_layer(d_model="768")
    assert wording("(To be quick, only the first {width}…", width="83", d_model="768").search(text_of(app))
    titles = [chart(app, place)["layout"]["yaxis"].get("title", {}).get("text") for place in range(3)]
    assert any(
        title and wording("length of the move in {width} dimensions", width="83").search(title) for title in titles
    )


def test_every_known_model_is_a_row_and_the_readers_own_matrix_is_the_first() -> None:
    app = open_layer(**FOX)
    rows = table_rows(app, "model-sizes")
    assert [row["title"] for row in rows] == [message("your matrix E"), *MODEL_SIZES]
    assert rows[0]["values"][:4] == [6, 3, 18, 18 * BYTES_PER_NUMBER["fp32"]]
    small = next(row for row in rows if row["title"] == "GPT-2 small")
    assert small["texts"] == ["50,257", "768", format_count(38_597_376), "154 MB", "31.0%", format_count(124_439_808)]


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"layer_ids": "3 x"}, wording("{table} has the rows 0 to…", table="E", named="`x`", last="50,256")),
        (
            {"layer_ids": "50257"},
            re.compile(
                wording("{table} has the rows 0 to…", last="50,256").pattern
                + " "
                + wording("The ids of your text are used.").pattern
            ),
        ),
        ({"layer_ids": "-1"}, wording("The ids of your text are used.")),
        ({"layer_matrix": "nlp"}, wording("There are no rows by hand for…")),
        ({"layer_matrix": "sum"}, wording("There are no rows by hand for…")),
        (
            {"layer_second": "1", "layer_second_ids": "0 9 x 9"},
            wording(
                "{table} has the rows 0 to…",
                table=message("the second layer"),
                last="3",
                named="`9`, `x`",
            ),
        ),
        ({"text": "one"}, wording("{least} tokens are needed for…", least="2")),
        ({"layer_optimizer": "sparse_adam", "layer_tied": "1"}, wording("SparseAdam cannot train tied…")),
        (
            {"layer_ids": "1 " * 90},
            wording("Only the first {limit} of the {count} ids are looked up.", count="90", limit="64"),
        ),
        (
            {"layer_cost_rows": "1000000", "layer_cost_width": "4096"},
            wording("E would take {size}, more than…", size="16.4 GB", most="537 MB"),
        ),
        (
            {"layer_cost_tokens": "8192"},
            wording("That would be {count} operations,…", most=format_count(4e11), fewer="5,181"),
        ),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(link: dict[str, str], sentence: re.Pattern[str]) -> None:
    app = open_layer(**link)
    assert any(sentence.search(found) for found in sentences(app)), sentences(app)


@pytest.mark.parametrize(
    "link",
    [
        {"text": "👩‍👩‍👧 naïve 日本語", "layer_steps": "4"},
        {"text": "日本", "tokenizer": "bytes", "layer_context": "64"},
        {"text": "‮ evil **b** <i>$x$", "token": "0"},
        {"layer_ids": "220 162 220 255", "tokenizer": "bytes"},
        {"layer_matrix": "sum", "text": "word word", "layer_tied": "1"},
        {"layer_matrix": "nlp", "text": "I I I I love"},
        {"d_model": "2", "tokenizer": "bytes", "layer_start": "xavier_normal"},
        {"layer_rate": "10", "layer_optimizer": "adamw", "layer_steps": "4", "layer_tied": "1"},
    ],
)
def test_a_rare_text_or_setting_is_shown_without_complaint(link: dict[str, str]) -> None:
    app = open_layer(**link)
    assert sentences(app) == []
    assert "\ufffd" not in text_of(app) + "".join(product(app)[0]["tokens"] + product(app)[0]["row_names"])


@pytest.mark.parametrize(
    ("raw", "ids", "passed"),
    [
        ("2 3 5 1", (2, 3, 5, 1), ()),
        ("[2, 3,5;1]", (2, 3, 5, 1), ()),
        ("", (), ()),
        (" \n", (), ()),
        ("1 six 2 9 six", (1, 2), ("six", "9")),
        ("1 ² 2", (1, 2), ("²",)),
        ("6", (), ("6",)),
        ("9" * 5_000, (), ("9" * 5_000,)),
    ],
)
def test_ids_are_read_as_people_type_them(raw: str, ids: tuple[int, ...], passed: tuple[str, ...]) -> None:
    assert parse_ids(raw, 6) == (ids, passed)


def test_ids_say_that_they_override_the_text_and_give_way_to_it() -> None:
    app = open_layer(text=CAT, layer_ids="3 3")
    assert wording("The typed ids are looked up in place of those of your text.").search(text_of(app))
    assert wording("Ids that are looked up:…", tokens="2", different="1").search(text_of(app))
    app.button(key="layer_use_text").click().run()
    assert read_setting(app, "layer_ids") == ""
    assert product(app)[0]["ids"] == [464, 3797, 3332, 319, 262, 2603]
    assert wording("Ids that are looked up:…", tokens="6", different="6").search(text_of(app))


@pytest.mark.parametrize(("matrix", "text"), [("nlp", "I love NLP"), ("sum", "word")])
def test_a_matrix_by_hand_without_rows_for_the_text_gives_way_to_the_random_one(matrix: str, text: str) -> None:
    app = open_layer(layer_matrix=matrix)
    assert len(sentences(app)) == 1
    assert has_size(app, "50,257", "64")
    assert "tokenizer" in [box.key for box in app.selectbox], "the random matrix has its controls"
    app.button(key="layer_back").click().run()
    assert read_setting(app, "text") == text
    assert wording("The numbers are written by hand, so that you can check each sum.").search(text_of(app))
    assert not says(app, "There are no rows by hand for…")


def test_what_the_reader_wrote_comes_back_after_an_example() -> None:
    app = open_layer(text="My own words", d_model="7")
    assert not [button for button in app.button if button.key == "layer_undo"]
    for name in ("fox", "nlp"):
        app.get("button_group")[0].set_value(name).run()
    app.button(key="layer_undo").click().run()
    assert (read_setting(app, "text"), read_setting(app, "d_model")) == ("My own words", 7)
    assert read_setting(app, "layer_matrix") == "trained"
    assert not [button for button in app.button if button.key == "layer_undo"]


def test_a_size_that_is_too_large_becomes_the_largest_with_a_sentence() -> None:
    app = open_layer()
    field = find_control(app, "layer_cost_tokens")
    assert wording("{label}, at most {most:,}", most="8,192").fullmatch(field.label)
    field.set_value(9_000).run()
    assert read_setting(app, "layer_cost_tokens") == 8_192
    assert says(app, "{label} can be at most {most:,};…", given="9,000", most="8,192")
    find_control(app, "layer_cost_tokens").set_value(10).run()
    assert sentences(app) == []


def test_the_table_of_positions_is_drawn_after_the_second_layer_where_there_is_one() -> None:
    torch.manual_seed(42)
    torch.nn.Embedding(6, 3)
    without = torch.get_rng_state()
    alone = torch.nn.Embedding(4, 3).weight.detach().numpy()
    torch.set_rng_state(without)
    torch.nn.Embedding(4, 5)
    after = torch.nn.Embedding(4, 3).weight.detach().numpy()
    for link, expected in (({}, alone), ({"layer_second": "1"}, after)):
        app = open_layer(**FOX, layer_ids="2 3 5 1", **link)
        _header, numbers = payload(app, "vector_sum")
        assert np.array_equal(numbers.reshape(2, 4, 3)[1], expected)
    begins = [" ".join(f"{value:.4f}".replace("-", "−") for value in table[0]) for table in (after, alone)]
    sentence = wording("The position table above now begins…", after=begins[0], alone=begins[1])
    assert sentence.search(text_of(app))


@pytest.mark.parametrize(
    ("count", "context", "shapes"),
    [
        (20, 4, ["(5, 4, 3)", "(4, 3)"]),
        (1, 4, ["(1, 1, 3)", "(1, 3)"]),
        (6, 4, ["(1, 4, 3)", "(4, 3)"]),
    ],
)
def test_shapes_are_those_of_the_sequences_that_there_are(count: int, context: int, shapes: list[str]) -> None:
    sentence = shapes_sentence(count, context, 3)
    assert re.findall(r"\([\d, ]+\)", sentence) == shapes
    rest = wording("The last sequence is shorter, {rest} long, so only…", rest=count % context)
    assert bool(rest.search(sentence)) == (count > context and count % context > 0)


def test_the_tokens_drawn_row_by_row_hold_the_chosen_one() -> None:
    for count in range(1, 65):
        for chosen in (None, *range(count)):
            first, last = drawn_tokens(count, chosen)
            assert 0 <= first < last <= count
            assert last - first == min(count, 8)
            assert chosen is None or first <= chosen < last


def test_a_chosen_token_further_down_is_drawn() -> None:
    app = open_layer(text="a b c d e f g h i j k l", tokenizer="words", token="10")
    assert 10 in product(app)[0]["positions"]


def answer(app: AppTest, name: str) -> Any:
    return app.number_input(key=f"question-layer-{name}-answer")


@pytest.mark.parametrize(("name", "right"), [("zeros", 15), ("place", 0), ("read", 4)])
def test_a_question_knows_the_answer_from_the_pages_numbers(name: str, right: int) -> None:
    app = open_layer(**FOX, layer_ids="2 3 5 1", layer_context="2")
    answer(app, name).set_value(right + 1).run()
    assert not app.success
    answer(app, name).set_value(right).run()
    assert len(app.success) == 1
    assert wording("Right.").match(app.success[0].value)


@pytest.mark.parametrize(
    ("ids", "right", "told"),
    [
        ("2 3 5 1", 4, wording("{different:,}, with that of {token}:…", different="4", before="3")),
        ("2 3 5 2", 3, wording("{different:,}, as many as in one…")),
    ],
)
def test_a_text_twice_looks_its_last_token_up_as_well(ids: str, right: int, told: re.Pattern[str]) -> None:
    app = open_layer(**FOX, layer_ids=ids)
    read = torch.tensor([int(part) for part in ids.split()] * 2)[:-1]
    assert len(read.unique()) == right
    answer(app, "read").set_value(right).run()
    assert told.search(app.success[0].value)


def test_the_linear_layer_is_run_and_gives_the_same() -> None:
    assert wording("For the {tokens:,} tokens drawn above, `torch.nn.Linear…", count="384").search(
        text_of(open_layer(text=CAT))
    )


def test_a_measurement_is_shown_with_what_was_measured() -> None:
    app = open_layer(layer_cost_rows="50", layer_cost_width="4", layer_cost_tokens="6")
    charts = len(app.get("plotly_chart"))
    app.button(key="layer_cost_measure").click().run()
    wait_for(app, lambda: says(app, "**The lookup took {lookup}, the…"))
    assert not app.exception
    assert wording("equal bit for bit").search(text_of(app))
    assert len(app.get("plotly_chart")) == charts + 1


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (format_bytes(999), "999 bytes"),
        (format_bytes(205_852_672), "206 MB"),
        (format_bytes(999_600), "1.00 MB"),
        (format_bytes(14.4e9), "14.4 GB"),
        (format_seconds(3.21e-5), "32.1 µs"),
        (format_seconds(0.0123), "12.3 ms"),
        (format_seconds(1.5), "1.50 s"),
        (format_count(50_257), "50,257"),
        (format_count(38_597_376), "38.6 million"),
        (format_count(79_047_426_048), "79.0 billion"),
        (format_count(1.2e12), "1.20 trillion"),
    ],
)
def test_sizes_are_written_in_three_digits(written: str, text: str) -> None:
    assert written == text


def test_every_optimizer_can_be_chosen() -> None:
    assert set(state.SETTINGS["layer_optimizer"].options) == set(ROW_OPTIMIZERS)  # type: ignore[attr-defined]
    assert shared.device()


def test_the_shares_of_the_models_are_drawn_when_somebody_opens_them() -> None:
    closed, opened = open_layer(**FOX), open_layer(**FOX, layer_shares="1")
    assert len(opened.get("plotly_chart")) == len(closed.get("plotly_chart")) + 1
    bars = chart(opened, -1)["data"]
    assert [bar["name"] for bar in bars] == ["embedding matrix", "second matrix, for the output", "everything else"]


def test_the_product_the_moves_and_every_line_of_the_tables_are_saved() -> None:
    app = open_layer(**FOX, layer_ids="2 3 5 1")
    files = {name: list(csv.reader(io.StringIO(make().decode()))) for name, make in files_of(app, "csv").items()}
    assert np.array_equal(np.float32([line[2:] for line in files["one-hot-product.csv"][1:]]), product(app)[2])
    moved = [line[0] for line in files["row-moves.csv"][1:] if float(line[3]) > 0]
    assert moved == ["2", "3", "5"]
    assert files["embedding-matrices.csv"][1][:6] == ["E", "6", "3", "0", "18", "72"]
    lengths = {"embedding-matrices": 1 + len(MODEL_SIZES), "cost-of-a-lookup": 3, "token-chips": 4}
    assert {name: len(files[f"{name}.csv"]) - 1 for name in lengths} == lengths


def test_what_is_kept_of_a_one_hot_product_is_that_of_its_own_matrix_and_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    multiplied: list[list[int]] = []
    product = cache.one_hot_lookup

    def noting(table: torch.Tensor, token_ids: torch.Tensor) -> torch.Tensor:
        multiplied.append(token_ids.tolist())
        return product(table, token_ids)

    monkeypatch.setattr(cache, "one_hot_lookup", noting)
    first = Request("a text", "gpt2", "random", 97, 5, 8_231, next(iter(INITIALISATIONS)), (3, 96, 3, 0), typed=True)
    second = replace(first, token_ids=(96, 7, 7, 3, 12))
    other = replace(second, seed=8_232)
    for request in (first, second, other):
        table = cache.full_matrix(request)
        for start, stop in ((0, len(request.token_ids)), (1, 3)):
            rows = cache.product_rows(request, start, stop)
            one_hot = torch.eye(97)[list(request.token_ids[start:stop])]
            torch.testing.assert_close(rows, one_hot @ table, rtol=0, atol=0)
    assert multiplied == [[3, 96, 0], [7, 12], [96, 7, 3, 12]]


@pytest.mark.parametrize(
    ("count", "written"),
    [
        (999_999, "999,999"),
        (1_234_567, "123 万"),
        (38_597_376, "3,860 万"),
        (99_994_000, "9,999 万"),
        (124_439_808, "1.24 亿"),
        (51_539_607_552, "515 亿"),
        (4.2e12, "4.20 万亿"),
    ],
)
def test_chinese_counts_by_ten_thousands_as_babel_does(count: float, written: str) -> None:
    set_run_language("zh")
    try:
        assert format_count(count) == written
    finally:
        set_run_language("en")
    if count >= 1e6:
        of_babel = format_compact_decimal(count, locale="zh", fraction_digits=2)
        assert written.rpartition(" ")[2] == of_babel.lstrip("0123456789.")
        shown = float(written.partition(" ")[0].replace(",", ""))
        assert shown == pytest.approx(float(of_babel.rstrip("万亿")), rel=0.005)
