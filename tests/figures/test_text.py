import re
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from embedlib.figures.text import columns, hover, plain, shorten


def shown(text: str) -> str:
    """What plotly.js shows for a string: it splits at <…>, looks the tags up, and only then decodes entities."""
    pieces = re.split(r"(<[^<>]*>)", text)
    assert len(pieces) == 1, "plotly.js would look for a tag"
    assert not re.search(r"[$]+[^$]*[$]+", text), "plotly.js would look for a formula"
    names = {"amp": "&", "lt": "<", "gt": ">"}

    def character(match: re.Match[str]) -> str:
        name = match[1]
        return chr(int(name[1:])) if name.startswith("#") else names[name]

    return re.sub(r"&(#\d+|[a-z]+);", character, text)


@example("&#60;a href='x'>$x^2$<br>&lt;")
@given(st.text(st.sampled_from("<>&$;/#abrlt64\"'=% ")))
def test_any_mix_of_marks_is_shown_as_written(text: str) -> None:
    assert shown(plain(text)) == text


def test_right_to_left_text_is_isolated_and_other_text_is_not() -> None:
    assert plain("שלום") == "\u2068שלום\u2069"
    assert plain("سلام") == "\u2068سلام\u2069"
    assert plain("日本 é") == "日本 é"


def test_short_text_stays_and_long_text_ends_in_an_ellipsis() -> None:
    assert shorten("fourteen chars") == "fourteen chars"
    assert shorten("fifteen chars !", 14) == "fifteen chars…"
    assert len(shorten("x" * 99)) == 14


def test_a_hover_puts_expressions_where_the_sentence_names_them() -> None:
    made = hover("{token} at {position}\n{value} %{x}", token="%{y}", position="%{customdata}", value="%{z:.4f}", x="")
    assert made == "<b>%{y} at %{customdata}</b><br>%{z:.4f} &#37;<extra></extra>"


def test_a_hover_of_one_line_is_not_bold() -> None:
    assert hover("a < b: {value}", value="%{z}") == "a &lt; b: %{z}<extra></extra>"


@pytest.mark.parametrize("template", ["{other}", "{}", "{0}"])
def test_a_hover_with_an_unknown_name_says_which_are_known(template: str) -> None:
    with pytest.raises(ValueError, match="may only name value"):
        hover(template, value="%{z}")


def test_a_chinese_character_takes_the_room_of_two_letters() -> None:
    assert [columns(text) for text in ("", "cat", "été", "猫", "猫 cat", "ｃ")] == [0, 3, 3, 2, 6, 2]
    assert shorten("词元的嵌入向量") == "词元的嵌入向量"
    assert shorten("词元的嵌入向量的") == "词元的嵌入向…"


def test_of_all_characters_those_that_are_read_from_right_to_left_are_isolated() -> None:
    characters = [chr(code) for code in range(0x80, sys.maxunicode + 1)]
    right_to_left = {character for character in characters if unicodedata.bidirectional(character) in ("R", "AL")}
    assert max(right_to_left) < "\U00020000"
    for character in characters[:0x20000]:
        assert (plain(f"a{character}").startswith("\u2068")) == (character in right_to_left), hex(ord(character))
