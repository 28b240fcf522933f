import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest
from torch.utils.data import DataLoader

from embedlib import examples, get_tokenizer
from embedlib.texts import reference_manual, sliding_windows
from embedlib.word2vec import trained_table
from tests.embedlib.programs.running import run as run_program
from tests.messages import wording
from tests.ui.marked import OPEN, speak_marked
from tests.ui.pages import find_control, link_of, open_page, payload, read_setting, says, sent, sentences
from tests.ui.test_language import elements, is_translated, sent_labels, strings
from ui.batches import cache as batches_cache
from ui.batches.batch import batch_in_view, batch_numbers
from ui.batches.block import first_rows
from ui.batches.request import Request
from ui.shared.text.source import Source

MANUAL = {"batches_source": "manual", "batch_size": "8"}
LONG = {"batches_source": "text", "text": examples.LONG_TEXT, "batch_size": "8"}
CAT = {"batches_source": "text", "text": "The cat sat on the mat"}


def shapes(app: AppTest) -> dict[str, tuple[int, ...]]:
    """Read the ladder: for each name the numbers of its shape."""
    html = next(element.proto.body for element in app.get("html") if "shape-ladder" in element.proto.body)
    found = {}
    for rung in re.findall(r"<li>(.*?)</li>", html, re.DOTALL):
        sizes = tuple(int(size.replace(",", "")) for size in re.findall(r"<b>([\d,]+)</b>", rung))
        found |= {name: sizes for name in re.findall(r"<code>(.*?)</code>", rung)}
    return found


def load(app: AppTest, name: str, content: bytes) -> AppTest:
    app.file_uploader[0].set_value((name, content, "text/plain"))
    return app.run()


def example(app: AppTest, name: str) -> AppTest:
    pills = next(group for group in app.get("button_group") if group.key == "batches_example")
    return pills.set_value(name).run()


@pytest.mark.parametrize(("link", "text", "count"), [({}, examples.STORY, 16), (MANUAL, reference_manual(), 32)])
def test_a_text_is_cut_into_inputs_and_the_targets_that_follow_them(
    link: dict[str, str], text: str, count: int
) -> None:
    app = open_page("batches", **link)
    assert not app.exception
    assert sentences(app) == []
    ids = get_tokenizer("gpt2").encode(text)
    pairs = sent(app, "window-pairs")
    assert np.array(pairs["inputs"]).flatten().tolist() == ids[:count]
    assert np.array(pairs["targets"]).flatten().tolist() == ids[1 : count + 1]
    assert shapes(app)["token_ids"] == (len(ids),)
    assert link_of(app) == link


def test_the_page_opens_on_a_text_whose_words_have_trained_rows() -> None:
    tokenizer = get_tokenizer("gpt2")
    _table, known = batches_cache.table_with_trained(Source("story", "story", examples.STORY), "gpt2", 123)
    untrained = {tokenizer.decode([token]) for token in tokenizer.encode(examples.STORY) if not known[token]}
    assert untrained == {".", ","}
    app = open_page("batches")
    names = [element.proto.component_name for element in app.get("bidi_component")]
    assert names.index("window-pairs") < names.index("window-text") < names.index("tensor-block")


def test_the_lessons_batch_is_one_click_away_to_its_shapes_and_digits() -> None:
    app = example(open_page("batches"), "lesson")
    assert not app.exception
    assert sentences(app) == []
    assert app.get("button_group")
    ids = torch.tensor(get_tokenizer("gpt2").encode(examples.LONG_TEXT))
    inputs, targets = sliding_windows(ids, max_length=4, stride=4)
    pairs = sent(app, "window-pairs")
    assert pairs["inputs"] == inputs[:8].tolist()
    assert pairs["targets"] == targets[:8].tolist()
    assert pairs["starts"] == list(range(0, 32, 4))
    assert shapes(app) == {
        "text": (),
        "token_ids": (len(ids),),
        "all_inputs": (len(inputs), 4),
        "all_targets": (len(inputs), 4),
        "inputs": (8, 4),
        "targets": (8, 4),
        "token_embeddings": (8, 4, 256),
        "input_embeddings": (8, 4, 256),
    }
    torch.manual_seed(123)
    token_table, position_table = torch.nn.Embedding(50_257, 256), torch.nn.Embedding(4, 256)
    expected = (token_table(inputs[:8]) + position_table.weight).detach()
    header, values = payload(app, "tensor-block")
    assert header["shape"] == header["shown"] == [8, 4, 256]
    assert header["starts"] == pairs["starts"]
    np.testing.assert_array_equal(values.reshape(8, 4, 256), expected.numpy())
    assert link_of(app) == {"batches_source": "example", "batch_size": "8", "d_model": "256", "table": "random"}
    assert says(
        app,
        "This example also changes settings…",
        settings="tokenizer = gpt2, d_model = 256, seed = 123, table = random",
    )


def test_an_example_leaves_the_readers_text_as_it_is() -> None:
    app = open_page("batches", text="My own words, long typed", batches_source="text", batch_token="2")
    for name in ("lesson", "shuffled", "gaps", "overlap"):
        example(app, name)
        assert not app.exception
        assert link_of(app)["text"] == "My own words, long typed"
        assert link_of(app)["batches_source"] in ("example", "manual")
    choice = find_control(app, "batches_source")
    choice.set_value("text").run()
    assert sent(app, "window-text")["tokens"] == ["My", "·own", "·words", ",", "·long", "·typed"]


def test_the_shuffled_example_leaves_a_rest_that_drop_last_drops() -> None:
    app = example(open_page("batches"), "shuffled")
    n_windows = (len(get_tokenizer("gpt2").encode(reference_manual())) - 17) // 16 + 1
    rest = n_windows % 10
    assert rest > 0
    ladder = next(element.proto.body for element in app.get("html") if "shape-ladder" in element.proto.body)
    assert wording("Of all {total:,} windows drop_last…", count=rest, total=f"{n_windows:,}").search(ladder)
    assert says(app, "Windows that drop_last leaves out: {count:,},…", count=rest)


def test_what_drop_last_leaves_out_is_no_input_in_the_picture() -> None:
    link = {"text": "one two three four five six seven eight nine ten", "tokenizer": "words"}
    sizes = {"max_length": "2", "stride": "2", "batch_size": "3", "drop_last": "1"}
    app = open_page("batches", batches_source="text", **link, **sizes)
    text = sent(app, "window-text")
    assert text["coverage"] == [1] * 6 + [0] * 4
    assert text["dropped"] == [0] * 6 + [1] * 2 + [0] * 2
    dropped = wording("Windows that drop_last leaves out: the…")
    (said,) = [caption.value for caption in app.caption if dropped.search(caption.value)]
    counted = wording("Of the {total:,} tokens of the text {parts}.", total="10").search(said)
    assert counted
    assert re.findall(r"\d+", counted[0]) == ["10", "6", "1", "1", "2"], (
        "all, inputs, only a target, left over, left out"
    )


def test_token_rows_and_position_rows_the_same_for_every_sample_add_up_to_the_block() -> None:
    token, position, total = (
        payload(open_page("batches", d_model="256", block=block), "tensor-block")[1]
        for block in ("token", "position", "input")
    )
    np.testing.assert_array_equal(token + position, total)
    torch.manual_seed(123)
    torch.nn.Embedding(50_257, 256)
    rows = torch.nn.Embedding(4, 256).weight.detach().numpy()
    np.testing.assert_array_equal(position.reshape(4, 4, 256), np.stack([rows] * 4))


@pytest.mark.parametrize("drop_last", ["0", "1"])
def test_a_shuffled_batch_is_that_of_a_real_data_loader(drop_last: str) -> None:
    link = {"max_length": "6", "stride": "3", "batch_size": "5", "shuffle_seed": "7", "batch": "4"}
    app = open_page("batches", shuffle="1", drop_last=drop_last, **(LONG | link))
    inputs, targets = sliding_windows(get_tokenizer("gpt2").encode(examples.LONG_TEXT), max_length=6, stride=3)
    windows = list(zip(inputs, targets, strict=True))
    generator = torch.Generator().manual_seed(7)
    loader = DataLoader(windows, batch_size=5, shuffle=True, drop_last=drop_last == ("1"), generator=generator)  # type: ignore[arg-type]
    batches = list(loader)
    pairs = sent(app, "window-pairs")
    assert pairs["inputs"] == batches[3][0].tolist()
    assert pairs["targets"] == batches[3][1].tolist()
    assert says(app, "**Batch {number:,}** of {count:,}", count=len(batches))


def test_the_text_in_sight_begins_where_the_batch_does_and_counts_its_windows() -> None:
    app = open_page("batches", **MANUAL, stride="2", batch="100")
    text = sent(app, "window-text")
    starts = [99 * 8 * 2 + 2 * row for row in range(8)]
    assert text["starts"] == starts
    assert text["first"] == starts[0] - 8
    assert text["coverage"] == [2] * len(text["tokens"])
    assert text["tokens"][8] == sent(app, "window-pairs")["texts"][str(sent(app, "window-pairs")["inputs"][0][0])]


def test_next_and_previous_and_a_number_choose_the_batch() -> None:
    app = open_page("batches", **MANUAL)
    assert app.button(key="batch-previous").disabled
    app.button(key="batch-next").click().run()
    assert link_of(app)["batch"] == "2"
    app.number_input(key="shown_batch").set_value(40).run()
    assert sent(app, "window-text")["starts"][0] == 39 * 32
    app.button(key="batch-previous").click().run()
    assert link_of(app)["batch"] == "39"
    assert not app.exception


def test_the_block_holds_trained_rows_and_says_which_tokens_have_them() -> None:
    app = open_page("batches", batches_source="text", text="the king feeds a naïve cat", tokenizer="words")
    words, trained = read_setting(app, "text").split()[:4], trained_table()
    header, values = payload(app, "tensor-block")
    assert header["tokens"] == [words]
    rows = trained.vectors[[trained.words.index(word) for word in words]]
    torch.manual_seed(123)
    torch.nn.Embedding(6, 64)
    expected = rows + torch.nn.Embedding(4, 64).weight.detach()
    np.testing.assert_array_equal(values.reshape(4, 64), expected.numpy())
    origin = (
        wording("The rows were trained on {sentences:,} sentences of a small grammar."),
        wording("The position rows are random (seed {seed})."),
    )
    assert any(all(pattern.search(caption.value) for pattern in origin) for caption in app.caption)


def test_another_width_has_random_rows_and_the_trained_ones_bring_theirs_back() -> None:
    app = open_page("batches", d_model="8", **LONG)
    assert says(app, "Token rows and position rows are random here (seed {seed}).")
    assert says(app, "Trained rows need d_model =…", width="64")
    find_control(app, "table").set_value("trained").run()
    assert shapes(app)["input_embeddings"] == (8, 4, 64)
    assert says(app, "Of {count:,} tokens {known:,} have…", sentences="40,000")


def test_two_texts_of_ones_own_do_not_get_each_others_trained_rows() -> None:
    tables = [
        batches_cache.table_with_trained(Source("own", key, text), "words", 1)
        for key, text in (("first", "king cat"), ("second", "cat king naïve"), ("first", "king cat"))
    ]
    assert [len(known) for _table, known in tables] == [2, 3, 2]
    assert tables[0][0] is tables[2][0]


def test_what_a_link_asks_for_past_the_end_is_changed_with_a_sentence_each() -> None:
    app = open_page("batches", **MANUAL, batch="99999", batch_place="700000", batch_token="800000", tokenizer="bytes")
    count = len(reference_manual().encode())
    n_batches = -(-((count - 5) // 4 + 1) // 8)
    expected = (
        wording("There is no batch {number:,}, so…", number="99,999", count=f"{n_batches:,}"),
        wording("There is no token {place:,}; the…", place="700,000", last=f"{count - 1:,}"),
        wording("There is no token {place:,}; the…", place="800,000", last=f"{count - 1:,}"),
    )
    said = sentences(app)
    assert len(said) == len(expected)
    assert all(pattern.fullmatch(sentence) for pattern, sentence in zip(expected, said, strict=True)), said
    changed = {"tokenizer": "bytes", "table": "random", "batch": str(n_batches), "batch_place": str(count - 160)}
    assert link_of(app) == MANUAL | changed


def test_a_batch_past_the_last_one_shows_the_last_one() -> None:
    app = open_page("batches", batch="9999", **LONG)
    assert not app.exception
    inputs, _ = sliding_windows(get_tokenizer("gpt2").encode(examples.LONG_TEXT), max_length=4, stride=4)
    rest = len(inputs) % 8
    assert sent(app, "window-pairs")["inputs"] == inputs[-rest:].tolist()
    assert shapes(app)["inputs"] == (rest, 4)
    assert app.button(key="batch-next").disabled
    app.number_input(key="shown_batch").set_value(77).run()
    assert [
        bool(wording("There is no batch {number:,}, so…", number="77").match(sentence)) for sentence in sentences(app)
    ] == [True]
    app.button(key="batch-previous").click().run()
    assert sentences(app) == []


def test_another_text_begins_with_its_first_batch_and_no_token() -> None:
    app = open_page("batches", **MANUAL, batch="40", batch_place="2000", batch_token="2001")
    choice = find_control(app, "batches_source")
    choice.set_value("example").run()
    assert sentences(app) == []
    assert link_of(app) == {"batches_source": "example", "batch_size": "8"}


def test_a_chosen_token_says_which_batches_have_it_and_leads_there() -> None:
    app = open_page("batches", **MANUAL, batch_token="100", batch_place="3000")
    assert (sent(app, "window-text")["chosen"], sent(app, "window-text")["chosen_label"]) == (100, "·")
    app.button(key="token-in-sight").click().run()
    assert (sent(app, "window-text")["first"], sent(app, "window-text")["chosen_label"]) == (92, None)
    assert says(app, "Token {place:,}, {token}, is not in this batch but in another.", place="100")
    app.button(key="batch-with-3").click().run()
    assert link_of(app)["batch"] == "4"
    assert says(app, "Token {place:,}, {token}, is in this batch.")
    text = sent(app, "window-text")
    assert text["first"] == 92
    assert text["chosen"] == 100


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ({"stride": "1"}, wording("Neighbouring windows share {shared:,}…", shared="3", length="4")),
        ({"stride": "4"}, wording("The stride equals the context length, so no token is read twice.")),
        ({"stride": "6"}, wording("The stride is larger than the…", count="2")),
        ({"drop_last": "1", "batch_size": "20"}, wording("Windows that drop_last leaves out: the…")),
        (
            {"batch": "3"},
            wording("The windows of this batch lie between tokens {first:,} and {last:,}.", first="32", last="47"),
        ),
        (
            {**LONG, "max_length": "7", "stride": "7"},
            re.compile(r" \d+ \D+, 1 \D+, \D+5 \D+$"),  # inputs, a target only, left over
        ),
    ],
)
def test_what_the_stride_does_is_said(link: dict[str, str], said: re.Pattern[str]) -> None:
    app = open_page("batches", **link)
    assert any(said.search(caption.value) for caption in app.caption)


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"stride": "0"}, wording("{title}: link has {name} =…", name="stride", raw="`0`")),
        ({"batches_source": "text", "text": "a"}, wording("A single token has no next one…")),
        (
            CAT | {"max_length": "50"},
            wording("The text has {n_ids:,} tokens, and…", n_ids="6", max_length="50", needed="51", most="5"),
        ),
        (
            CAT | {"drop_last": "1", "batch_size": "8"},
            wording("The text gives {count:,} windows,…", count="1", batch_size="8"),
        ),
        (
            CAT | {"drop_last": "1", "stride": "1", "batch_size": "8"},
            wording("The text gives {count:,} windows,…", count="2", batch_size="8"),
        ),
        ({"batches_source": "own"}, wording("No file is loaded, so the story is shown.")),
    ],
)
def test_what_cannot_be_cut_is_one_sentence_and_the_controls_stay(
    link: dict[str, str], sentence: re.Pattern[str]
) -> None:
    app = open_page("batches", **link)
    assert not app.exception
    assert len(sentences(app)) == 1
    assert sentence.search(sentences(app)[0])
    assert find_control(app, "stride").value >= 1
    assert wording("Batches").fullmatch(app.title[0].value)


def test_the_page_comes_back_when_the_settings_fit_again() -> None:
    app = open_page("batches", **CAT, max_length="50")
    assert not app.header
    find_control(app, "max_length").set_value(2).run()
    assert sentences(app) == []
    assert shapes(app)["inputs"] == (1, 2)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", wording("{file} has no text: choose…")),
        (b"  \n ", wording("{file} has no text: choose…")),
        ("ein Text\n".encode("utf-16"), wording("{file} is not UTF-8: save it…")),
        ("ein Text\n".encode("utf-32"), wording("{file} is not UTF-8: save it…")),
        (bytes(range(256)) * 20, wording("{file} is no text: save it as…")),
        (b"%PDF-1.7 \n", wording("{file} is no text: save it as…")),
        ("naïve\n".encode("latin-1"), wording("{file} is not UTF-8: save it…")),
        (b"a" * 20_000_000, wording("{file} has {found_mb:,.1f} MB,…", found_mb="20.0", limit_mb="5.0")),
    ],
)
def test_a_file_that_is_no_text_is_one_sentence_and_the_page_stays(content: bytes, said: re.Pattern[str]) -> None:
    app = load(open_page("batches", batches_source="own"), "notes `x`.txt", content)
    assert not app.exception
    assert [bool(said.search(error.value)) for error in app.error] == [True]
    assert "``notes `x`.txt``" in app.error[0].value
    assert shapes(app)["inputs"] == (4, 4)
    assert app.file_uploader[0].value in (None, [])


def test_a_text_file_is_cut_and_kept_until_another_one_is_good(tmp_path: Path) -> None:
    name, text = "my 'own' file.txt", "One two three four five six seven.\r\n" * 20
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode())
    app = load(open_page("batches", batches_source="own", tokenizer="bytes"), name, (tmp_path / name).read_bytes())
    assert sentences(app) == []
    assert np.array(sent(app, "window-pairs")["inputs"]).flatten().tolist() == list(text.encode()[:16])
    assert run_program(app.code[0].value, tmp_path)[1]["inputs"].flatten().tolist() == list(text.encode()[:16])
    assert any(f"`{name}`" in caption.value for caption in app.caption)
    app.number_input(key="shown_batch").set_value(7).run()
    load(app, "bad.txt", b"\x00\x01")
    assert link_of(app)["batch"] == "7"
    assert [error.value.startswith("`bad.txt`") for error in app.error] == [True]
    assert shapes(app)["token_ids"] == (len(text.encode()),)
    load(app, "other.txt", b"abcdefgh")
    assert not app.error
    assert shapes(app)["token_ids"] == (8,)
    assert "batch" not in link_of(app)


def test_a_long_text_sends_only_what_is_seen() -> None:
    text = "The quick brown fox jumps over the lazy dog. " * 23_000  # 1 MB
    app = load(open_page("batches", batches_source="own", shuffle="1"), "big.txt", text.encode())
    find_control(app, "batch_size").set_value(512).run()
    find_control(app, "max_length").set_value(1024).run()
    find_control(app, "stride").set_value(3).run()
    assert not app.exception
    assert shapes(app)["inputs"] == (512, 1024)
    size = sum(len(element.proto.bytes) for element in app.get("bidi_component"))
    assert size < 400_000
    assert len(sent(app, "window-text")["tokens"]) <= 200
    pairs = sent(app, "window-pairs")
    assert (len(pairs["inputs"]), len(pairs["inputs"][0])) == (16, 64)


def test_what_is_taken_along_holds_the_batch_and_its_block() -> None:
    text = 'a "b", c\nd ' * 6
    request = Request(
        Source("text", f"text {text}", text),
        "bytes",
        batches_cache.WindowSettings(66, 3, 2, 4, False, 1, False),
        1,
        5,
        9,
        "random",
    )
    batch = batch_in_view(request)
    lines = list(csv.DictReader(io.StringIO(batch_numbers(batch).csv())))
    data = text.encode()
    assert len(lines) == 12
    for line in lines:
        place = (4 + int(line["sequence"])) * 2 + int(line["position"])
        assert int(line["token_in_text"]) == place
        assert (int(line["input_id"]), int(line["target_id"])) == (data[place], data[place + 1])
    numbers = list(csv.DictReader(io.StringIO(first_rows(request).saved_numbers().csv())))
    torch.manual_seed(9)
    token_table, position_table = torch.nn.Embedding(256, 5), torch.nn.Embedding(3, 5)
    parts = {"token": token_table(batch.inputs), "position": position_table.weight.expand(4, 3, 5)}
    parts["input"] = parts["token"] + parts["position"]
    assert len(numbers) == 3 * 12
    for line in numbers:
        expected = parts[line["part"]][int(line["sequence"]), int(line["position"])].tolist()
        assert [np.float32(line[f"dim_{column}"]) for column in range(5)] == [np.float32(number) for number in expected]


def test_the_questions_are_answered_by_the_numbers_of_now() -> None:
    app = open_page("batches", max_length="4", stride="4", **LONG)
    ids = get_tokenizer("gpt2").encode(examples.LONG_TEXT)
    answer = len(sliding_windows(ids, max_length=4, stride=1)[0])
    app.number_input(key="question-batches-windows-answer").set_value(answer).run()
    assert [bool(wording("Right.").match(success.value)) for success in app.success] == [True]
    app.number_input(key="question-batches-windows-answer").set_value(answer + 1).run()
    assert says(app, "One too many: the last window…")
    app.number_input(key="question-batches-windows-answer").set_value(answer + 9).run()
    assert says(app, "Windows start at 0, {stride:,},…", stride="1")
    app.radio(key="question-batches-target-answer").set_value(str(ids[4])).run()
    app.number_input(key="question-batches-positions-answer").set_value(4).run()
    assert len(app.success) == 2
    find_control(app, "max_length").set_value(5).run()
    assert not app.success
    assert not app.exception


@pytest.mark.parametrize(("text", "shown"), [("a a a a a a a a a a", ""), ("aaaaaaaaaa", ""), ("a`b`c`d`", "`` ` ``")])
def test_a_text_of_repeats_or_backticks_has_a_question_with_two_answers_that_show_them(text: str, shown: str) -> None:
    app = open_page("batches", batches_source="text", text=text, tokenizer="bytes", max_length="1")
    assert not app.exception
    options = app.radio(key="question-batches-target-answer").options
    assert len(options) >= 2
    assert not shown or shown in options


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ("8", wording("All windows together are the only batch; its sequences: {count:,}.")),
        ("1", wording("Batch {number:,} takes {count:,} windows as its sequences, in…", number="1")),
    ],
)
def test_the_step_to_the_batch_says_which_windows_it_gets(size: str, said: re.Pattern[str]) -> None:
    app = open_page(
        "batches", batches_source="text", text="abcd", tokenizer="bytes", max_length="1", stride="1", batch_size=size
    )
    assert any(said.search(element.proto.body) for element in app.get("html"))


@pytest.mark.parametrize(
    "link",
    [
        {"batch_token": "100", "shuffle": "1", "stride": "3"},
        {"batches_source": "text", "drop_last": "1"},
        {"batch": "99999", "batch_place": "999999", "batch_token": "999999", "shuffle": "1", "drop_last": "1"},
        {"batches_source": "own", "stride": "6", "drop_last": "1", "batch_size": "500", "block": "position"},
    ],
)
def test_nothing_on_the_page_escapes_translation(link: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    speak_marked(monkeypatch)
    app = open_page("batches", **link)
    assert not app.exception
    seen = [found for element in elements(app) for found in strings(element)]
    assert len(seen) > 10
    for kind, text in seen:
        assert is_translated(kind, text) or "<style>" in text, f"{kind}: {text!r}"
    ladder = [text for _, text in seen if "shape-ladder" in text]
    assert ladder or app.error
    for visible in (piece for text in ladder for piece in re.split("<[^>]*>", re.sub(r"<code>\w+</code>", "", text))):
        assert OPEN in visible or not re.search(r"[A-Za-z]", visible), visible
    for name, text in sent_labels(app).items():
        assert text.startswith(OPEN), f"{name}: {text!r}"


def test_a_file_is_refused_in_the_readers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    speak_marked(monkeypatch)
    app = load(open_page("batches", batches_source="own"), "x.txt", b"%PDF-1.7 \n")
    assert app.error[0].value.startswith(OPEN)
