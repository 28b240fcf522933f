"""Rows are found by the words that a reader writes, however the table marks them."""

import pytest

from embedlib.tables import RowNames, SearchError, search_names

PIECES = ["the", " the", " The", "Ġking", "king", "▁queen", "s", "don't", "E", "é"]


@pytest.mark.parametrize(
    ("word", "row"),
    [
        ("the", 1),  # the whole word rather than the piece inside one
        (" the", 1),
        ("THE", 0),
        ("king", 3),
        ("queen", 5),
        ("Queen", 5),
        ("Ġking", 3),
        ("É", 9),
        ("e", 8),
        ("cat", None),
        ("", None),
        (" ", None),
    ],
)
def test_a_word_is_found_as_a_whole_word_first_and_in_any_case_last(word: str, row: int | None) -> None:
    assert RowNames(PIECES).find(word) == row


def test_a_text_is_cut_into_words_and_signs() -> None:
    assert RowNames(PIECES).rows_of("The king, don't!") == [
        ("The", 2),
        ("king", 3),
        (",", None),
        ("don't", 7),
        ("!", None),
    ]


def test_of_equal_names_the_first_row_counts() -> None:
    assert RowNames(["a", "b", "a"]).find("a") == 0


def test_a_text_search_has_the_word_itself_first_then_what_begins_with_it() -> None:
    names = ["concat", " cat", "category", "Cat", "dog"]
    assert search_names(names, "cat") == [1, 3, 2, 0]


def test_an_expression_is_searched_anywhere_and_in_order() -> None:
    assert search_names(["b1", "a", "22", "c3d"], r"\d", expression=True) == [0, 2, 3]
    assert search_names(["Cat", "cat"], "cat", expression=True) == [1]


def test_nothing_wanted_is_nothing_found() -> None:
    assert search_names(["a"], "") == search_names(["a"], "", expression=True) == []


def test_a_malformed_expression_is_refused_with_what_it_lacks() -> None:
    with pytest.raises(SearchError, match="not well formed: missing ") as caught:
        search_names(["a"], "(", expression=True)
    assert (caught.value.code, caught.value.detail) == ("pattern", "missing )")


def test_an_expression_that_never_ends_is_stopped() -> None:
    with pytest.raises(SearchError, match="make it simpler") as caught:
        search_names(["a" * 40 + "b"] * 3, r"(a|a)*$", expression=True, timeout=0.05)
    assert caught.value.code == "timeout"
