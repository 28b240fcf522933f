import pytest

from embedlib.tokenizers import get_tokenizer
from embedlib.tokenizers.simple import ByteTokenizer, ListTokenizer

FOX = "Quick fox is in the house"


def vocabulary(name: str, text: str) -> tuple[str, ...]:
    tokenizer = get_tokenizer(name, text=text)
    assert isinstance(tokenizer, ListTokenizer)
    return tokenizer.vocabulary


def test_six_words_are_sorted_as_in_a_dictionary() -> None:
    tokenizer = get_tokenizer("words", text=FOX)
    assert vocabulary("words", FOX) == ("fox", "house", "in", "is", "Quick", "the")
    assert tokenizer.vocab_size == 6
    assert tokenizer.encode(FOX) == [4, 0, 3, 2, 5, 1]
    assert tokenizer.encode("in is the house") == [2, 3, 5, 1]
    assert tokenizer.decode([4, 0]) == "Quick fox"


def test_characters_are_the_distinct_code_points_sorted() -> None:
    assert vocabulary("characters", "abBA 日é\n") == ("\n", " ", "A", "a", "B", "b", "é", "日")
    assert get_tokenizer("characters", text="ab").encode("baab") == [1, 0, 0, 1]


def test_offsets_are_in_bytes_and_skip_white_space() -> None:
    tokens = get_tokenizer("words", text="日本 é, x").tokenize("日本\u3000 é,x")
    assert [(token.bytes.decode(), token.start, token.stop) for token in tokens] == [
        ("日本", 0, 6),
        ("é", 10, 12),  # after a white space of three bytes and one of one
        (",", 12, 13),
        ("x", 13, 14),
    ]


def test_an_unknown_word_or_character_is_named_with_its_place_and_the_remedy() -> None:
    with pytest.raises(
        ValueError, match=r"text holds 'dog' at character 4, which is not among the 6 words of this vocab"
    ):
        get_tokenizer("words", text=FOX).encode("fox dog")
    with pytest.raises(
        ValueError, match=r"holds '\\n' at character 1, .* 2 characters .*: make the tokenizer from a text"
    ):
        get_tokenizer("characters", text="ab").tokenize("a\n")


def test_a_text_of_white_space_has_characters_but_no_words() -> None:
    assert vocabulary("characters", " \n ") == ("\n", " ")
    with pytest.raises(ValueError, match="holds no words to make a vocabulary from"):
        get_tokenizer("words", text=" \n ")


def test_bytes_are_their_own_ids() -> None:
    tokenizer = ByteTokenizer()
    assert tokenizer.encode("é!") == [0xC3, 0xA9, 0x21]
    assert tokenizer.decode([0xC3, 0xA9]) == "é"
    assert [tokenizer.token_bytes(byte) for byte in range(256)] == [bytes([byte]) for byte in range(256)]
    with pytest.raises(ValueError, match=r"no character \(C3 at byte 0\)"):
        tokenizer.decode([0xC3])
