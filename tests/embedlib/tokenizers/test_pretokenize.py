import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import normalizers, pre_tokenizers

from embedlib.tokenizers import bert_cuts, code_points, spaced_cuts
from embedlib.tokenizers.pretokenize import Cuts, character_cuts, word_cuts
from embedlib.tokenizers.simple import cut_characters, cut_words

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
# What words hang on: apostrophes, joiners, marks, signs, digits, white space of one, two and three bytes.
AWKWARD = st.text("ab'’\u200c\u200d\u0301é日ｱन् \n\t\x1c\x85\u3000-_.$+3²", max_size=20)


def pairs(cuts: Cuts) -> list[tuple[int, int]]:
    starts, stops = cuts
    return list(zip(starts.tolist(), stops.tolist(), strict=True))


@given(text=st.one_of(TEXTS, AWKWARD))
@example(text="")
@example(text="'a''b'c'")
def test_words_and_characters_are_cut_as_one_after_the_other(text: str) -> None:
    codes = code_points(text)
    assert pairs(word_cuts(codes)) == list(cut_words(text))
    assert pairs(character_cuts(codes)) == list(cut_characters(text))
    assert pairs(spaced_cuts(codes)) == [found.span() for found in re.finditer(r"\S+", text)]


@given(text=st.text("ab$+_.,-«»'é日本ｱ한ß3 \n\t\u3000", max_size=30))
def test_words_for_wordpiece_are_cut_as_bert_cuts_them(text: str) -> None:
    spaced = normalizers.BertNormalizer(
        clean_text=False, handle_chinese_chars=True, strip_accents=False, lowercase=False
    ).normalize_str(text)
    expected = [word for word, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(spaced)]
    assert [text[start:stop] for start, stop in pairs(bert_cuts(code_points(text)))] == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("don't pay $5.", ["don", "'", "t", "pay", "$", "5", "."]),
        ("日本語の", ["日", "本", "語", "の"]),
        ("##ing [UNK]", ["#", "#", "ing", "[", "UNK", "]"]),
        ("\U00020000\U0002f800x", ["\U00020000", "\U0002f800", "x"]),
        ("e\u0301te\u0301\u3000👩\u200d👧", ["e\u0301te\u0301", "👩\u200d👧"]),
        (" \n", []),
    ],
)
def test_punctuation_and_ideographs_are_words_of_their_own(text: str, words: list[str]) -> None:
    assert [text[start:stop] for start, stop in pairs(bert_cuts(code_points(text)))] == words
