import regex
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import normalizers, pre_tokenizers

from embedlib.tokenizers import bert_words, spaced_words
from embedlib.tokenizers.pretokenize import Spans, characters, words

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
# What words hang on: apostrophes, joiners, marks, signs, digits, white space of one, two and three bytes.
AWKWARD = st.text("ab'’\u200c\u200d\u0301é日ｱन् \n\t\x1c\x85\u3000-_.$+3²", max_size=20)


def pieces(text: str, spans: Spans) -> list[str]:
    starts, stops = spans
    return [text[start:stop] for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)]


def words_by_loop(text: str) -> list[str]:
    """Letters, digits and marks in a row, and what may stand between two of them; or one sign."""
    actual: list[str] = []
    open_word = False
    for place, sign in enumerate(text):
        in_word = bool(regex.match(r"[\p{L}\p{N}\p{M}]", sign))
        between = open_word and sign in "'’\u200c\u200d" and bool(regex.match(r"[\p{L}\p{N}\p{M}]", text[place + 1 :]))
        if open_word and (in_word or between):
            actual[-1] += sign
        elif not sign.isspace():
            actual.append(sign)
        open_word = in_word or between
    return actual


@given(text=st.one_of(TEXTS, AWKWARD))
@example(text="")
@example(text="'a''b'c'")
def test_each_rule_splits_as_one_character_after_the_other_says(text: str) -> None:
    assert pieces(text, words(text)) == words_by_loop(text)
    assert pieces(text, characters(text)) == list(text)
    assert pieces(text, spaced_words(text)) == text.split()


@given(text=st.text("ab$+_.,-«»'é日本ｱ한ß3 \n\t\u3000", max_size=30))
def test_words_for_wordpiece_are_cut_as_bert_cuts_them(text: str) -> None:
    spaced = normalizers.BertNormalizer(
        clean_text=False, handle_chinese_chars=True, strip_accents=False, lowercase=False
    ).normalize_str(text)
    expected = [word for word, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(spaced)]
    assert pieces(text, bert_words(text)) == expected
