import unicodedata

import pytest
import regex

from embedlib import get_tokenizer
from embedlib.tokenizers import LANGUAGES, SENTENCES, all_sentences, token_scripts, tokens_by_language

SCRIPTS = {"en": "Latin", "fr": "Latin", "zh": "Han", "hi": "Devanagari", "ar": "Arabic"}


@pytest.mark.parametrize("name", list(SENTENCES))
def test_each_sentence_is_there_in_each_language_and_its_script(name: str) -> None:
    assert list(SENTENCES[name]) == list(LANGUAGES)
    for language, text in SENTENCES[name].items():
        letters = "".join(character for character in text if unicodedata.category(character)[0] in "LM")
        assert token_scripts([letters.encode()]) == [SCRIPTS[language]], text
        assert text == unicodedata.normalize("NFC", text)
        assert text == text.strip()
        assert unicodedata.category(text[-1]) == "Po"  # ends as a sentence does


@pytest.mark.parametrize("tokenizer_name", ["gpt2", "bytes", "characters", "words"])
@pytest.mark.parametrize("names", [["story"], ["pharmacy", "garden"], list(SENTENCES)])
def test_counts_are_those_of_each_sentence_by_itself(tokenizer_name: str, names: list[str]) -> None:
    tokenizer = get_tokenizer(tokenizer_name, text=all_sentences())
    for actual in tokens_by_language(tokenizer, names):
        texts = [SENTENCES[name][actual.language] for name in names]
        english = sum(len(tokenizer.encode(SENTENCES[name]["en"])) for name in names)
        tokens = sum(len(tokenizer.encode(text)) for text in texts)
        assert actual.texts == tuple(texts)
        assert actual.tokens == tokens
        assert actual.ratio == tokens / english
        assert actual.characters == sum(len(regex.findall(r"\X", text)) for text in texts)
        assert actual.bytes == sum(len(text.encode()) for text in texts)
        assert actual.tokens_per_character == tokens / actual.characters
        assert actual.tokens_per_byte == tokens / actual.bytes
        assert actual.unknown == 0


def test_english_is_the_measure_and_bytes_cost_one_token_each() -> None:
    actual = {count.language: count for count in tokens_by_language(get_tokenizer("bytes"))}
    assert list(actual) == list(LANGUAGES)
    assert actual["en"].ratio == 1
    assert {count.tokens_per_byte for count in actual.values()} == {1}


def test_gpt2_asks_more_of_every_other_language() -> None:
    ratios = [count.ratio for count in tokens_by_language(get_tokenizer("gpt2"))]
    assert ratios[0] == 1
    assert all(ratio is not None and ratio > 1 for ratio in ratios[1:])


def test_what_is_unknown_is_counted() -> None:
    tokenizer = get_tokenizer("characters", text=all_sentences())
    space = tokenizer.encode(" ")[0]
    actual = tokens_by_language(tokenizer, ["train"], unknown_id=space)
    assert [count.unknown for count in actual] == [SENTENCES["train"][code].count(" ") for code in LANGUAGES]


@pytest.mark.parametrize("names", [[], ["story", "weather"]])
def test_another_sentence_is_refused_with_the_choices(names: list[str]) -> None:
    with pytest.raises(ValueError, match="give at least one of story, train, pharmacy, garden, teacher"):
        tokens_by_language(get_tokenizer("bytes"), names)
