import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from transformers.convert_slow_tokenizer import bytes_to_unicode

from embedlib.tokenizers import (
    ByteTokenizer,
    Token,
    Tokenizer,
    get_tokenizer,
    label_bytes,
    split_characters,
    token_label,
    token_labels,
    vocabulary_spellings,
)
from embedlib.tokenizers.labels import CONVENTIONS, label_convention
from embedlib.tokenizers.trained import train_tokenizer

PIECES = "👩‍👩‍👧 naïve 日本語"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.fixture(scope="module")
def gpt2() -> Tokenizer:
    return get_tokenizer("gpt2")


def unseen(label: str) -> list[str]:
    """The invisible or text-changing characters of a label, other than the blanks between bytes."""
    rest = re.sub("⟨[0-9A-F]{2}( [0-9A-F]{2})*⟩", "", label)
    return [sign for sign in rest if unicodedata.category(sign)[0] in "CZ"]


def cut(data: bytes, *borders: int) -> list[Token]:
    """Tokens of some bytes with borders at these offsets."""
    edges = [0, *borders, len(data)]
    return [Token(0, data[start:stop], start, stop) for start, stop in pairwise(edges)]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("cat", "cat"),
        (" the", "·the"),
        ("  ", "··"),
        ("\n", "↵"),
        ("\t", "⇥"),
        ("\r\n", "␍↵"),
        ("\x00\x07\x1b\x7f", "␀␇␛␡"),
        ("\x85", "⟨U+0085⟩"),
        ("\u200b\u200d\ufeff\u00ad", "⟨U+200B⟩⟨U+200D⟩⟨U+FEFF⟩⟨U+00AD⟩"),
        ("a\u202eb\u2066c", "a⟨U+202E⟩b⟨U+2066⟩c"),
        ("\u00a0\u2003\u3000\u2028\u2029", "⟨U+00A0⟩⟨U+2003⟩⟨U+3000⟩⟨U+2028⟩⟨U+2029⟩"),
        ("\u3164\u115f\u2800\u034f\ufe0f", "⟨U+3164⟩⟨U+115F⟩⟨U+2800⟩⟨U+034F⟩⟨U+FE0F⟩"),
        ("\ufffd\ufffc", "⟨U+FFFD⟩⟨U+FFFC⟩"),
        ("\ue000\U0010ffff", "⟨U+E000⟩⟨U+10FFFF⟩"),
        ("\u0301", "◌\u0301"),
        (" \u0301", "·◌\u0301"),
        ("e\u0301\u0323", "e\u0301\u0323"),
        ("\u200d\u093f", "⟨U+200D⟩◌\u093f"),
        ("\u20e3", "◌\u20e3"),
        ("日本", "日本"),
        ("👩", "👩"),
        ("שלום", "שלום"),
        ("<b>&amp;*x*", "<b>&amp;*x*"),
        ("", ""),
    ],
)
def test_each_kind_of_character_has_its_sign(text: str, label: str) -> None:
    assert token_label(text.encode()) == label


@pytest.mark.parametrize(
    ("data", "label"),
    [
        (b"\xe6\x97", "⟨E6 97⟩"),
        (b"\xa5", "⟨A5⟩"),
        (b" \xe6", "·⟨E6⟩"),
        (b"\x97a\xe6\x97\xa5\xf0\x9f", "⟨97⟩a日⟨F0 9F⟩"),
        (b"\xff\xfe", "⟨FF FE⟩"),
        (b"\xed\xa0\x80", "⟨ED A0 80⟩"),
        (b"\xa5\xcc\x81", "⟨A5⟩◌\u0301"),
    ],
)
def test_bytes_that_are_no_character_are_shown_as_bytes(data: bytes, label: str) -> None:
    assert token_label(data) == label


@settings(deadline=None)
@given(st.one_of(st.binary(), TEXTS.map(str.encode)))
@example(bytes(range(256)))
@example("\ufffd".encode() + b"\xef\xbf")
def test_no_bytes_give_a_label_that_is_lossy_empty_or_harmful(data: bytes) -> None:
    label = token_label(data)
    assert "\ufffd" not in label
    assert bool(label) == bool(data)
    assert not unseen(label)
    assert not label[:1] or unicodedata.category(label[0])[0] != "M"


def test_labels_are_in_the_order_of_the_tokens(gpt2: Tokenizer) -> None:
    assert token_labels(gpt2.tokenize("Hi,\n日")) == ["Hi", ",", "↵", "⟨E6 97⟩", "⟨A5⟩"]
    assert token_labels([]) == []


@pytest.mark.parametrize(
    ("text", "borders", "expected"),
    [
        ("ab日cd", (3,), [(0, 2, "日")]),  # whole characters at both ends of the run stay out
        ("日本", (1, 4), [(0, 3, "日本")]),  # a token that ends one and begins the next
        ("日x本", (1, 5), [(0, 3, "日x本")]),
        ("日x本", (1, 3, 4, 5), [(0, 2, "日"), (3, 5, "本")]),
        ("a日", (1, 2, 3), [(1, 4, "日")]),
    ],
)
def test_runs_hold_the_characters_across_borders_and_no_others(
    text: str, borders: tuple[int, ...], expected: list[tuple[int, int, str]]
) -> None:
    actual = split_characters(cut(text.encode(), *borders))
    assert [(run.start_token, run.stop_token, run.text) for run in actual] == expected


@settings(deadline=None)
@given(data=st.data(), text=TEXTS)
def test_a_character_is_in_a_run_exactly_when_a_border_lies_inside_it(data: st.DataObject, text: str) -> None:
    encoded = text.encode()
    borders = sorted(data.draw(st.sets(st.integers(1, len(encoded) - 1)))) if len(encoded) > 1 else []
    tokens = cut(encoded, *borders) if encoded else []
    inside = []  # code points with a border inside, by looking at each
    offset = 0
    for character in text:
        length = len(character.encode())
        if any(offset < border < offset + length for border in borders):
            inside.append(character)
        offset += length
    runs = split_characters(tokens)
    joined = iter("".join(run.text for run in runs))
    assert all(character in joined for character in inside)  # in this order
    for run in runs:
        part = b"".join(token.bytes for token in tokens[run.start_token : run.stop_token])
        assert run.text.encode() in part
        assert run.text[0] in inside
        assert run.text[-1] in inside
        assert run.stop_token - run.start_token > 1
    assert all(before.stop_token <= after.start_token for before, after in pairwise(runs))


def test_a_list_cut_inside_a_character_is_refused(gpt2: Tokenizer) -> None:
    tokens = gpt2.tokenize("日本")
    for part in (tokens[1:], tokens[:-1], tokens[1:2]):
        with pytest.raises(ValueError, match="begin or end inside a character: give all the tokens of a text"):
            split_characters(part)


def test_gpt2s_vocabulary_in_its_letters_reads_back_as_its_bytes() -> None:
    tokenizer, letters = get_tokenizer("gpt2"), bytes_to_unicode()
    vocabulary = [tokenizer.token_bytes(token_id) for token_id in range(tokenizer.vocab_size)]
    labels = ["".join(letters[byte] for byte in token) for token in vocabulary]
    assert label_convention(labels) == "gpt2"
    assert label_bytes(labels) == vocabulary


@pytest.mark.parametrize(
    ("labels", "convention"),
    [
        (["Ġthe", "ing", "!"], "gpt2"),
        (["▁the", "ing", "<s>"], "sentencepiece"),
        (["the", "##ing", "[CLS]"], "wordpiece"),
        (["·the", "ing", "↵"], "visible"),
        ([" the", "ing"], "spaces"),
        (["the", "cat", "##"] + ["word"] * 100, "words"),
        ([], "words"),
    ],
)
def test_the_mark_that_most_labels_begin_with_tells_the_convention(labels: list[str], convention: str) -> None:
    assert label_convention(labels) == convention


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("label", ["", "\ud800", "⟨U+110000⟩", "Ġ日", "##", "<0x>"])
def test_any_label_has_bytes(convention: str, label: str) -> None:
    assert isinstance(CONVENTIONS[convention]([label])[0], bytes)


def test_a_vocabulary_with_marks_gives_its_own_spelling_of_each_token() -> None:
    text = "low lower lowest widest newest"
    tokenizer = train_tokenizer("wordpiece", text, vocab_size=25)
    ids = tokenizer.encode("lowest ☃")
    spelled = vocabulary_spellings(tokenizer, ids)
    assert [spelled[token_id] for token_id in ids] == [tokenizer.piece(token_id) for token_id in ids]
    assert spelled[ids[-1]] == "[UNK]"
    assert any(piece.startswith("##") for piece in spelled.values())


@pytest.mark.parametrize("tokenizer", [ByteTokenizer(), train_tokenizer("bpe", "low lower lowest", vocab_size=260)])
def test_a_vocabulary_of_bytes_has_no_spelling_of_its_own(tokenizer: Tokenizer) -> None:
    assert vocabulary_spellings(tokenizer, tokenizer.encode("low")) == {}
