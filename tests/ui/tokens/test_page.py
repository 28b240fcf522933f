import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from embedlib import get_tokenizer
from embedlib.tokenizers import LANGUAGES, SENTENCES, VocabularyUnavailable
from tests.messages import message, wording
from tests.ui.pages import (
    components,
    files_of,
    find_control,
    link_of,
    open_page,
    packed,
    payload,
    says,
    says_only,
    sent,
    sentences,
    wait_for,
)
from ui.settings import state
from ui.shared.text import tokens
from ui.tokens.chat import role_titles
from ui.tokens.controls import EXAMPLES, TEA
from ui.tokens.names import character_label, tokenizer_title

CAT = "464 3797 3332 319 262 2603"
TEA_IDS = "15496 11 466 345 588 8887 30 220 50256 554 262 4252 18250 8812 2114 286 617 34680 27271 13"
FAMILY = "👩‍👩‍👧 naïve 日本語"
NAMES = {tokenizer_title(name): name for name in state.SETTINGS["tokenizers"].options}


def rows(app: AppTest, names: Mapping[str, str] = NAMES) -> dict[str, dict[str, Any]]:
    """Read the rows of tokens: for each tokenizer its first and last columns, its ids, and what else is said of it."""
    (table,) = components(app, "token-rows")
    header, body = packed(table.bytes)
    numbers, found = np.frombuffer(body, "<i4").tolist(), {}
    for row in header["rows"]:
        count = row["count"]
        first, last, ids = numbers[:count], numbers[count : 2 * count], numbers[2 * count : 3 * count]
        numbers = numbers[3 * count :]
        found[names[row["title"]]] = row | {"first": first, "last": last, "ids": ids}
    assert not numbers
    return found


def ids(app: AppTest, name: str) -> str:
    return " ".join(map(str, rows(app)[name]["ids"]))


def load(app: AppTest, name: str) -> AppTest:
    pills = next(group for group in app.get("button_group") if group.key == "tokens_example")
    return pills.set_value(name).run()


def cells(app: AppTest, index: int) -> dict[str, list[str]]:
    """Read a table of the page: for each tokenizer its further cells; in the first table its size and its source."""
    return {NAMES[title]: found for title, *found in app.table[index].value.values.tolist()}


def test_it_opens_with_words_pieces_and_characters_of_one_text() -> None:
    app = open_page("tokens", text="The cat sat on the mat")
    assert not app.exception
    assert sentences(app) == []
    found = rows(app)
    assert list(found) == ["words", "gpt2", "wordpiece", "unigram", "characters"]
    assert {name: found[name]["count"] for name in ("words", "gpt2", "characters")} == {
        "words": 6,
        "gpt2": 6,
        "characters": 22,
    }
    assert ids(app, "gpt2") == CAT
    assert found["gpt2"]["characters_per_token"] == pytest.approx(22 / 6)
    assert cells(app, 0)["gpt2"][0] == "50,257"


def test_it_opens_on_a_text_that_each_tokenizer_splits_differently_and_whose_queen_is_whole() -> None:
    app = open_page("tokens")
    assert sentences(app) == []
    assert "text" not in link_of(app)
    found = rows(app)
    splits = {name: tuple(spans(row)) for name, row in found.items()}
    assert len(set(splits.values())) == len(found) == 5
    at = state.SETTINGS["text"].by_page["tokens"].index("queen")
    for name in ("gpt2", "wordpiece", "unigram"):
        assert sum(begin < at + 5 and end >= at for begin, end in splits[name]) == 1, name
    elsewhere = app.switch_page("../pages/pipeline.py").run()
    assert payload(elsewhere, "vector_sum")[0]["n_rows"] == 9  # the text that all pages share is as it was


@pytest.mark.parametrize(
    ("name", "tokenizer", "expected"), [("cat", "gpt2", CAT), ("tea", "gpt2", TEA_IDS), ("fox", "words", "4 0 3 2 5 1")]
)
def test_an_example_shows_the_ids_that_courses_print(name: str, tokenizer: str, expected: str) -> None:
    app = load(open_page("tokens", text="something else", tokenizers="bytes"), name)
    assert not app.exception
    assert ids(app, tokenizer) == expected
    assert link_of(app).get("text", EXAMPLES["cat"].text) == EXAMPLES[name].text


@pytest.mark.parametrize(("specials", "count"), [("special", 20), ("text", 25)])
def test_the_name_of_a_special_token_is_one_token_or_text(specials: str, count: int) -> None:
    app = open_page("tokens", text=TEA, specials=specials)
    ordinary = get_tokenizer("gpt2").encode(TEA)
    assert ids(app, "gpt2") == (TEA_IDS if specials == "special" else " ".join(map(str, ordinary)))
    assert rows(app)["gpt2"]["count"] == count
    assert any("`<|endoftext|>`" in caption.value for caption in app.caption)


def test_there_is_no_switch_where_the_text_holds_no_special_token() -> None:
    keys = [group.key for group in open_page("tokens").get("button_group")]
    assert "chat_specials" in keys
    assert "specials" not in keys


def test_bytes_that_are_no_character_are_shown_as_bytes() -> None:
    app = open_page("tokens", text=FAMILY, tokenizers="words,gpt2,bpe,wordpiece,unigram,characters,bytes")
    assert not app.exception
    everything = "".join(str(element.proto) for element in app.get("bidi_component"))
    everything += components(app, "token-rows")[0].bytes.decode("utf-8", "ignore")
    assert "\ufffd" not in everything
    assert rows(app)["bytes"]["ids"] == list(FAMILY.encode())
    assert rows(app)["gpt2"]["labels"]["0"] == "⟨F0 9F 91⟩"
    assert "[UNK]" in rows(app)["wordpiece"]["labels"].values()


def test_a_trained_vocabulary_is_as_large_as_asked_for_and_says_what_it_was_trained_on() -> None:
    app = open_page("tokens", tokenizers="bpe,wordpiece", pieces="700")
    assert {name: size for name, (size, _source) in cells(app, 0).items()} == {"bpe": "700", "wordpiece": "700"}
    for train_on, msgid in (
        ("manual", "trained here on {count:,} characters of Python’s manual."),
        ("sentences", "trained here on {count:,} characters of simple sentences…"),
    ):
        app = open_page("tokens", tokenizers="bpe,wordpiece", pieces="700", train_on=train_on)
        expected = wording(msgid, count="40,000")
        assert all(expected.fullmatch(source) for _size, source in cells(app, 0).values())


def sidebar(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.sidebar.caption)


def test_the_size_that_was_reached_and_the_least_stand_beside_the_size() -> None:
    app = open_page("tokens", tokenizers="gpt2,bpe,unigram", pieces="8000")
    unigram, reached = tokenizer_title("unigram"), cells(app, 0)["unigram"][0]
    assert wording("The vocabulary of {name} is trained…", name=unigram, reached=reached).search(sidebar(app))
    assert wording(
        "The vocabulary of {name} is trained…", name=tokenizer_title("bpe"), least="256", reached=...
    ).search(sidebar(app))
    assert "gpt2" not in sidebar(app)
    least = int(re.findall(r"[\d,]+", sidebar(app)[sidebar(app).index(unigram) :])[1].replace(",", ""))
    assert sentences(open_page("tokens", tokenizers="unigram", pieces=str(least))) == []
    refused = open_page("tokens", tokenizers="gpt2,unigram", pieces=str(least - 1))
    assert wording("set at least {least:,}, the…", least=least).search(" ".join(sentences(refused)))
    assert wording("The vocabulary of {name} needs…", name=unigram, least=least).search(sidebar(refused))


def test_tokens_that_hold_nothing_of_the_text_are_counted_and_give_no_ratio() -> None:
    found = rows(open_page("tokens", text="ж ж naïve ж", tokenizers="gpt2,wordpiece,unigram"))
    assert {name: row["unknown"] for name, row in found.items()} == {"gpt2": 0, "wordpiece": 4, "unigram": 4}
    assert found["wordpiece"]["count"] == 4


def test_an_unknown_token_and_a_mark_are_named_as_the_vocabulary_spells_them() -> None:
    app = open_page("tokens", text="naïve unit", tokenizers="wordpiece,unigram", closely="wordpiece")
    names = [label for label, _id in sent(app, "byte-table")["tokens"]]
    assert names[0] == "[UNK]"
    assert any(name.startswith("##") for name in names)
    marks = " ".join(caption.value for caption in app.caption)
    assert wording("`##` marks a piece that continues a word.").search(marks)
    assert wording("▁ marks a space.").search(marks)
    unigram = sent(open_page("tokens", text="naïve unit", tokenizers="unigram", closely="unigram"), "byte-table")
    assert "<unk>" in [label for label, _id in unigram["tokens"]]


def test_white_space_alone_has_no_ratio_and_is_no_mistake() -> None:
    app = open_page("tokens", text=" ")
    assert not app.exception
    assert not app.error
    assert [NAMES[found.value.split(":")[0]] for found in app.info] == ["words"]
    for name in ("wordpiece", "unigram"):
        row = rows(app)[name]
        assert (row["count"], row["characters_per_token"], row["bytes_per_token"]) == (0, None, None)


def test_what_is_not_about_the_text_stays_without_one() -> None:
    for app in (open_page("tokens", text=""), open_page("tokens", text="", tokenizers="wordpiece", train_on="text")):
        assert not app.exception
        assert chat_tokens(app)
        assert len(bars(app)["x"]) == len(LANGUAGES)
        assert "tokens_by_language" in app.code[0].value
        assert not components(app, "token-rows")


def test_the_pieces_that_wordpiece_tries_and_the_scores_of_unigram_are_those_of_ones_own_word() -> None:
    app = open_page("tokens", text="a statement ж", tokenizers="wordpiece,unigram", closely="wordpiece", character="3")
    taken = [re.sub("`", "", row[-1]) for row in app.table[1].value.values]
    assert "".join(piece.removeprefix("##") for piece in taken) == "statement"
    assert len(taken) == sum(begin >= 2 and end < 11 for begin, end in spans(rows(app)["wordpiece"]))
    app = open_page("tokens", text="a statement ж", tokenizers="wordpiece,unigram", closely="unigram", character="3")
    splits = [(split, float(total.replace("−", "-"))) for _which, split, total in app.table[1].value.values]
    sums = [total for _split, total in splits]
    assert sums == sorted(sums, reverse=True)
    for split, total in splits:
        assert -sum(map(float, re.findall(r"` −(\d+\.\d\d)", split))) == pytest.approx(total, abs=0.05)
    unknown = open_page("tokens", text="a statement ж", tokenizers="wordpiece", closely="wordpiece", character="12")
    assert "`" not in unknown.table[1].value.values[-1][-1]


def spans(row: dict[str, Any]) -> list[tuple[int, int]]:
    return list(zip(row["first"], row["last"], strict=True))


def test_llama_2_keeps_the_mark_of_the_systems_message_in_its_row() -> None:
    app = open_page("tokens", chat="llama_2")
    lines = sent(app, "token-line")["lines"]
    roles = role_titles()
    assert [title for title, _tokens in lines] == [roles[role] for role in ("user", "system", "user", "assistant")]
    assert "".join(label for label, *_rest in lines[1][1]).startswith("·<<SYS>>")
    assert says(app, "Special tokens in a chat")


def test_gemmas_text_begins_with_its_first_special_token() -> None:
    title, tokens = sent(open_page("tokens", chat="gemma"), "token-line")["lines"][0]
    assert (title, [token[0] for token in tokens]) == (message("Beginning"), ["<bos>"])


def test_a_text_that_has_not_changed_is_not_packed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a text that no other test has " * 3
    (before,) = components(open_page("tokens", text=text), "token-rows")
    monkeypatch.setattr("ui.tokens.rows.pack_rows", None)  # called again, it fails
    app = open_page("tokens", text=text, closely="words", character="4")
    assert not app.exception
    assert len(components(app, "token-rows")[0].bytes) == pytest.approx(len(before.bytes), abs=8)


def test_a_text_that_gives_fewer_pieces_than_asked_for_says_so() -> None:
    row = cells(open_page("tokens", tokenizers="bpe", train_on="text", text="ab ab ab"), 0)["bpe"]
    assert int(row[0]) < 300
    assert wording("The training text gives no more;…", asked="1,000").search(row[1])


@pytest.mark.parametrize(
    ("closely", "text", "character"),
    [("gpt2", "The unbelievable naïveté", 6), ("bpe", FAMILY, 0), ("gpt2", "a  b\n", 2)],
)
def test_the_merges_end_with_the_tokens_of_the_piece(closely: str, text: str, character: int) -> None:
    app = open_page("tokens", text=text, closely=closely, tokenizers="gpt2,bpe", character=str(character))
    player = sent(app, "merge-player")
    _label, first, last = player["pieces"][player["chosen"]]
    assert first <= character <= last
    row = rows(app)[closely]
    inside = [
        token_id
        for token_id, begin, end in zip(row["ids"], row["first"], row["last"], strict=True)
        if first <= begin and end <= last
    ]
    assert player["ids"] == [str(token_id) for token_id in inside]
    for before, after in zip(player["states"], player["states"][1:], strict=False):
        pair = before["pair"]
        assert before["ranks"][pair] == min(rank for rank in before["ranks"] if rank is not None)
        assert len(after["parts"]) == len(before["parts"]) - 1
    assert player["states"][-1]["pair"] is None
    assert len(player["states"][-1]["parts"]) == len(inside)


def test_a_tokenizer_without_merges_says_whose_are_shown() -> None:
    app = open_page("tokens", closely="words")
    assert says(
        app, "{name} does not work with ranked merges of bytes, so these are the merges of {other}.", other="GPT-2"
    )


def test_a_special_token_has_no_merges() -> None:
    app = open_page("tokens", text=TEA, specials="special", character=str(TEA.index("<") + 3))
    assert says(app, "{token} is a special token: it has…")
    assert not app.exception


def test_a_character_shows_its_code_points_and_bytes() -> None:
    found = sent(open_page("tokens", text="ï日"), "byte-table")
    assert [found["kinds"][kind] for kind in found["order"]] == [
        ["ï", [["U+00EF", "LATIN SMALL LETTER I WITH DIAERESIS", [0xC3, 0xAF]]]],
        ["日", [["U+65E5", "CJK UNIFIED IDEOGRAPH-65E5", [0xE6, 0x97, 0xA5]]]],
    ]
    assert [token_id for _label, token_id in found["tokens"]] == get_tokenizer("gpt2").encode("ï日")
    assert found["token_of_byte"] == [0, 0, 1, 1, 2]  # of 日 a token has two bytes and one the last


def test_only_the_bytes_around_the_chosen_character_are_sent() -> None:
    app = open_page("tokens", text="word " * 400, character="1500")
    found = sent(app, "byte-table")
    assert len(found["order"]) == 240
    assert found["first_column"] == 1_380
    assert says(app, "Shown are characters {first:,} to {last:,}…", first="1,381", last="1,620", total="2,000")


def chat_tokens(app: AppTest) -> list[list[Any]]:
    return [token for _title, tokens in sent(app, "token-line")["lines"] for token in tokens]


def test_a_chat_has_one_token_for_each_border_or_its_name_in_pieces() -> None:
    special = chat_tokens(open_page("tokens"))
    borders = [token for token in special if token[2] == "special"]
    assert [token[:2] for token in borders] == [["<|im_start|>", 50257], ["<|im_end|>", 50258]] * 3
    typed = chat_tokens(open_page("tokens", chat_specials="text"))
    assert not any(token[3] for token in typed)
    assert [token[1] for token in typed] == get_tokenizer("gpt2").encode(
        "<|im_start|>system\nAnswer in one short sentence.<|im_end|>\n"
        "<|im_start|>user\nDo you like tea?<|im_end|>\n<|im_start|>assistant\nYes, with a little milk.<|im_end|>\n"
    )


def test_what_a_message_says_never_becomes_a_special_token() -> None:
    app = open_page("tokens", chat_user="<|im_end|> <|endoftext|>", chat_assistant="")
    said = [token for token in chat_tokens(app) if token[2] == "content"]
    assert not any(token[3] for token in said)
    assert 50256 not in [token[1] for token in chat_tokens(app)]
    assert [title for title, _tokens in sent(app, "token-line")["lines"]][:2] == [
        role_titles()[role] for role in ("system", "user")
    ]


@pytest.mark.parametrize(
    "link", [{"chat": "llama_3", "chat_system": ""}, {"chat": "llama_2", "chat_user": ""}, {"chat": "dialogpt"}]
)
def test_every_format_takes_every_chat(link: dict[str, str]) -> None:
    app = open_page("tokens", **link)
    assert not app.exception
    assert chat_tokens(app)


def bars(app: AppTest) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(app.get("plotly_chart")[0].proto.spec)["data"][0]
    return found


def test_the_bars_are_the_tokens_of_the_sentence_in_each_language() -> None:
    app = open_page("tokens", same_sentence="garden")
    counted = [len(get_tokenizer("gpt2").encode(SENTENCES["garden"][code])) for code in LANGUAGES]
    assert bars(app)["x"] == counted
    assert f" {counted[2] / counted[0]:.2f} ×" in bars(app)["hovertext"][2]
    assert cells(app, 1)["gpt2"][3] == f"{counted[3]} · {counted[3] / counted[0]:.2f}×"
    assert cells(app, 1)["wordpiece"][3].endswith(" ?")


def test_a_sentence_of_ones_own_is_one_bar_more() -> None:
    own = "Jeden Abend lesen die Kinder eine Geschichte."
    app = open_page("tokens", own_sentence=own)
    count = len(get_tokenizer("gpt2").encode(own))
    assert bars(app)["x"][5:] == [count]
    english = len(get_tokenizer("gpt2").encode(SENTENCES["story"]["en"]))
    assert cells(app, 1)["gpt2"][-1] == f"{count} · {count / english:.2f}×"
    saved = csv.DictReader(io.StringIO(files_of(app)["tokens-by-language.csv"]().decode()))
    assert [line["tokens"] for line in saved if (line["tokenizer"], line["language"]) == ("gpt2", "own")] == [
        str(count)
    ]


@pytest.mark.parametrize("closely", ["words", "wordpiece", "unigram", "characters"])
def test_every_tokenizer_can_be_looked_at_closely(closely: str) -> None:
    app = open_page("tokens", closely=closely, same_sentence="all", own_sentence="ж !")
    assert not app.exception
    assert sentences(app) == []


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"text": ""}, wording("The text has no tokens: type…")),
        ({"text": " \n"}, wording("the text has no words: type some.")),
        (
            {"text": " ", "tokenizers": "wordpiece", "train_on": "text"},
            wording("the text has no words: type some."),
        ),
        (
            {"tokenizers": "bpe", "pieces": "255"},
            wording("set at least {least:,}, the…", least="256"),
        ),
        (
            {"tokenizers": "gpt2,wordpiece", "pieces": "15", "train_on": "text", "text": "The cat sat on the mat"},
            wording("set at least {least:,}, the…", least="16"),
        ),
        (
            {"tokenizers": "gpt9"},
            wording("{title}: link has {name} =…", name="tokenizers", raw="`gpt9`"),
        ),
        ({"text": "a" * 20_001}, wording("Used: {limit:,} of {total:,}…", total="20,001")),
        ({"text": "a" * 400}, wording("This piece has {count:,} bytes;…", count="400", most="256")),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(link: dict[str, str], sentence: re.Pattern[str]) -> None:
    app = open_page("tokens", **link)
    assert not app.exception
    assert any(sentence.search(found) for found in sentences(app)), sentences(app)


def test_the_least_vocabulary_that_is_named_is_one_that_works() -> None:
    app = open_page("tokens", tokenizers="wordpiece,unigram", pieces="5")
    assert {NAMES[error.value.split(":")[0]] for error in app.error} == {"wordpiece", "unigram"}
    number = max(int(found) for error in app.error for found in re.findall(r"\d+", error.value))
    assert sentences(open_page("tokens", tokenizers="wordpiece,unigram", pieces=str(number))) == []


def test_a_text_that_is_the_word_manual_is_trained_on_as_any_other() -> None:
    row = cells(open_page("tokens", tokenizers="wordpiece", train_on="text", text="manual"), 0)["wordpiece"]
    assert int(row[0]) < 30
    assert wording("trained here on your text.").search(row[1])


def test_no_tokenizer_at_all_asks_for_one() -> None:
    app = open_page("tokens")
    find_control(app, "tokenizers").set_value([]).run()
    assert not app.exception
    assert says_only(app, "Choose a tokenizer in the settings.")
    assert chat_tokens(app)
    assert len(bars(app)["x"]) == len(LANGUAGES)


def test_encodings_that_cannot_be_fetched_leave_the_others_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(name: str) -> None:
        raise VocabularyUnavailable(name, "network", "a sentence of the library")

    monkeypatch.setenv("EMBEDLIB_CACHE", str(tmp_path))
    monkeypatch.setattr(tokens, "download_vocabulary", refuse)
    app = open_page("tokens", tokenizers="gpt2,cl100k_base,o200k_base", closely="o200k_base")
    wait_for(app, lambda: len(app.error) == 2, lambda: sentences(app))
    assert all(wording("{name} cannot be fetched: its…").search(found) for found in sentences(app))
    assert list(rows(app)) == ["gpt2"]


def answer(app: AppTest, name: str, given: Any) -> AppTest:
    key = f"question-{name}-answer"
    inputs = [*app.radio, *app.number_input]
    return next(found for found in inputs if found.key == key).set_value(given).run()


def test_the_questions_know_the_answers_that_the_page_shows() -> None:
    app = open_page("tokens", text="naïve counterexamples", same_sentence="train")
    player, counted = sent(app, "merge-player"), bars(app)["x"]
    state = player["states"][0]
    left, right = state["parts"][state["pair"]], state["parts"][state["pair"] + 1]
    dearest = list(LANGUAGES)[counted.index(max(counted))]
    for name, given in (
        ("tokens-first-merge", f"{left} + {right}"),
        ("tokens-bytes", 2.0),
        ("tokens-dearest", dearest),
    ):
        app = answer(app, name, given)
        assert not app.exception
    assert len(app.success) == 3
    assert "C3 AF" in app.success[1].value
    app = answer(app, "tokens-bytes", 1.0)
    assert len(app.success) == 2
    assert len(app.warning) == 1


def test_the_settings_of_the_page_are_in_the_link() -> None:
    link = {
        "text": "one two",
        "tokenizers": "gpt2,bytes",
        "closely": "bytes",
        "character": "3",
        "chat": "llama_3",
        "same_sentence": "all",
        "own_sentence": "eins zwei",
    }
    found = link_of(open_page("tokens", **link))
    assert {name: found[name] for name in link} == link


def test_a_token_that_mixes_what_was_said_with_a_border_is_pointed_out() -> None:
    said = " ".join(element.value for element in open_page("tokens").markdown)
    assert wording("**With special tokens the chat has…", special="34", typed="68").search(said)
    assert wording("Then the end of a message and the…", token="`.<`").search(said)


@pytest.mark.parametrize(
    ("character", "label"),
    [
        ("a", "a"),
        (" ", "·"),
        ("\r\n", "␍↵"),
        ("👩‍👧", "👩‍👧"),
        ("e\u0301", "e\u0301"),
        ("\u0301", "◌\u0301"),
        ("\u200b", "⟨U+200B⟩"),
    ],
)
def test_a_character_is_written_as_it_is_read_where_it_can_be_seen(character: str, label: str) -> None:
    assert character_label(character) == label


def test_one_tokenizer_alone_may_be_in_a_link_and_names_that_are_wrong_are_left_out() -> None:
    setting = state.SETTINGS["tokenizers"]
    assert setting.parse("gpt2") == ["gpt2"]
    assert setting.repair("gpt9,bytes,gpt2,bytes") == ["bytes", "gpt2"]
    assert setting.repair("gpt9") == setting.default
    for raw in ("", "gpt9", "gpt2,gpt2"):
        with pytest.raises(ValueError, match=f"^{raw}$"):
            setting.parse(raw)
