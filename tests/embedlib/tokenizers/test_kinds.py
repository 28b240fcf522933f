import pytest

from embedlib import get_tokenizer
from embedlib.tokenizers import (
    SCRIPTS,
    TOKEN_KINDS,
    character_counts,
    label_bytes,
    token_kinds,
    token_label,
    token_scripts,
)
from embedlib.tokenizers.labels import CONVENTIONS


@pytest.fixture(scope="module")
def vocabulary() -> list[bytes]:
    tokenizer = get_tokenizer("gpt2")
    return [tokenizer.token_bytes(token_id) for token_id in range(tokenizer.vocab_size)]


# Ids from GPT-2's published vocabulary, with what they stand for.
@pytest.mark.parametrize(
    ("token_id", "token_bytes", "expected", "in_script"),
    [
        (262, b" the", "word_start", "Latin"),
        (464, b"The", "word_piece", "Latin"),
        (278, b"ing", "word_piece", "Latin"),
        (470, b"'t", "word_piece", "Latin"),
        (1853, b" 2015", "number", "Common"),
        (15, b"0", "number", "Common"),
        (13, b".", "punctuation", "Common"),
        (366, b' "', "punctuation", "Common"),
        (10185, b"!!!", "punctuation", "Common"),
        (198, b"\n", "white_space", "Common"),
        (220, b" ", "white_space", "Common"),
        (628, b"\n\n", "white_space", "Common"),
        (1849, "\u00a0".encode(), "white_space", "Common"),
        (188, b"\x00", "special", "Common"),
        (50256, b"<|endoftext|>", "special", "Latin"),
        (94, b"\xa1", "incomplete", "Unknown"),
        (10263, b" \xe5", "incomplete", "Unknown"),
    ],
)
def test_tokens_of_gpt2_are_what_they_are(
    vocabulary: list[bytes], token_id: int, token_bytes: bytes, expected: str, in_script: str
) -> None:
    assert vocabulary[token_id] == token_bytes
    assert token_kinds([token_bytes]) == [expected]
    assert token_scripts([token_bytes]) == [in_script]


def test_a_whole_vocabulary_is_told_as_each_token_by_itself(vocabulary: list[bytes]) -> None:
    assert token_kinds(vocabulary) == [kind for token in vocabulary for kind in token_kinds([token])]
    assert token_scripts(vocabulary) == [script for token in vocabulary for script in token_scripts([token])]
    assert set(token_kinds(vocabulary)) == set(TOKEN_KINDS) - {"unused"}
    assert set(token_scripts(vocabulary)) <= set(SCRIPTS)


@pytest.mark.parametrize(
    ("text", "expected", "in_script"),
    [
        ("привет", "other_script", "Cyrillic"),
        (" привет", "other_script", "Cyrillic"),
        ("日本", "other_script", "Han"),
        ("日の", "other_script", "Mixed"),
        ("スター", "other_script", "Katakana"),
        ("らーめん", "other_script", "Hiragana"),
        ("и\u0301", "other_script", "Cyrillic"),
        ("ﾊﾝ", "other_script", "Katakana"),
        ("नमस्ते", "other_script", "Devanagari"),
        ("한국", "other_script", "Hangul"),
        ("λόγος", "other_script", "Greek"),
        ("ሰላም", "other_script", "Other"),
        ("naïve", "word_piece", "Latin"),
        ("e\u0301", "word_piece", "Latin"),
        ("Ａ", "word_piece", "Latin"),
        ("µ", "word_piece", "Common"),
        ("aб", "other_script", "Mixed"),
        ("3rd", "word_piece", "Latin"),
        ("½", "number", "Common"),
        ("١٢", "number", "Common"),
        ("1,000", "number", "Common"),
        ("👩", "punctuation", "Common"),
        ("\u200d", "special", "Common"),
        ("\ue000", "special", "Common"),
        ("[CLS]", "special", "Latin"),
        ("</s>", "special", "Latin"),
        ("[x]", "punctuation", "Latin"),
        ("<img …>", "punctuation", "Latin"),
        (" **bold**", "punctuation", "Latin"),
        ("$x^2$", "punctuation", "Latin"),
        ("' a", "punctuation", "Latin"),
        (" C++", "word_start", "Latin"),
        (" Paris (Texas)", "word_start", "Latin"),
        (".com", "word_piece", "Latin"),
        ("-ing", "word_piece", "Latin"),
        ("", "special", "Common"),
    ],
)
def test_letters_numbers_and_signs_of_any_script_are_told_apart(text: str, expected: str, in_script: str) -> None:
    assert token_kinds([text.encode()]) == [expected]
    assert token_scripts([text.encode()]) == [in_script]


def test_lengths_count_whole_characters() -> None:
    assert character_counts([" é".encode(), b" \xe5", "日本".encode()]).tolist() == [2, 1, 2]


@pytest.mark.parametrize(
    ("label", "convention", "expected"),
    [
        ("Ġthe", "gpt2", "word_start"),
        ("the", "gpt2", "word_piece"),
        ("▁the", "sentencepiece", "word_start"),
        ("the", "sentencepiece", "word_piece"),
        ("the", "wordpiece", "word_start"),
        ("##ing", "wordpiece", "word_piece"),
        ("##", "wordpiece", "punctuation"),
        ("·the", "visible", "word_start"),
        ("↵", "visible", "white_space"),
        ("⟨E6 97⟩", "visible", "incomplete"),
        ("⟨U+200D⟩", "visible", "special"),
        ("the", "words", "word_start"),
        ("42", "words", "number"),
        ("Ċ", "gpt2", "white_space"),
        ("æĹ", "gpt2", "incomplete"),
        ("<|endoftext|>", "gpt2", "special"),
        ("<0x0A>", "sentencepiece", "white_space"),
        ("<0xE6>", "sentencepiece", "incomplete"),
        ("▁", "sentencepiece", "white_space"),
        ("[unused7]", "wordpiece", "unused"),
        ("<unused12>", "sentencepiece", "unused"),
        ("[unused]", "wordpiece", "punctuation"),
        ("日本", "words", "other_script"),
    ],
)
def test_labels_are_read_by_the_convention_of_their_vocabulary(label: str, convention: str, expected: str) -> None:
    assert token_kinds(CONVENTIONS[convention]([label])) == [expected]


def test_labels_as_this_library_writes_them_have_the_kinds_of_their_bytes(vocabulary: list[bytes]) -> None:
    actual = token_kinds(label_bytes([token_label(token) for token in vocabulary]))
    for token, seen, true in zip(vocabulary, actual, token_kinds(vocabulary), strict=True):
        assert seen == true or "·" in token.decode(), token  # a dot that is itself looks like a space
