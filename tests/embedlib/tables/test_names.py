"""Rows are found by the words that a reader writes, however the table marks them."""

from pathlib import Path

import pytest

from embedlib.errors import CodedError
from embedlib.tables import (
    MAX_MATCHES,
    LineNames,
    ManyRowNames,
    NumberNames,
    RowNames,
    TableError,
    search_names,
)
from embedlib.tables import names as names_file

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
    assert RowNames(PIECES).find_words("The king, don't!") == [
        ("The", 2),
        ("king", 3),
        (",", None),
        ("don't", 7),
        ("!", None),
    ]


def test_a_text_search_has_the_word_itself_first_then_what_begins_with_it() -> None:
    names = ["concat", " cat", "category", "Cat", "dog"]
    assert search_names(names, "cat") == [1, 3, 2, 0]


def test_an_expression_is_searched_anywhere_and_in_order() -> None:
    assert search_names(["b1", "a", "22", "c3d"], r"\d", expression=True) == [0, 2, 3]
    assert search_names(["Cat", "cat"], "cat", expression=True) == [1]


def test_nothing_wanted_is_nothing_found() -> None:
    assert search_names(["a"], "") == search_names(["a"], "", expression=True) == []


def test_a_malformed_expression_is_refused_with_what_it_lacks() -> None:
    with pytest.raises(CodedError, match="not well formed: missing ") as caught:
        search_names(["a"], "(", expression=True)
    assert (caught.value.code, caught.value.values["detail"]) == ("pattern", "missing )")


def test_an_expression_that_never_ends_is_stopped() -> None:
    with pytest.raises(CodedError, match="make it simpler") as caught:
        search_names(["a" * 40 + "b"] * 3, r"(a|a)*$", expression=True, timeout=0.05)
    assert caught.value.code == "timeout"


def test_rows_without_names_are_called_by_their_numbers_and_found_by_them() -> None:
    names = NumberNames(2_000_000)
    assert (len(names), names[7], names[-1], names[1:4]) == (2_000_000, "7", "1999999", ["1", "2", "3"])
    with pytest.raises(IndexError):
        names[2_000_000]
    assert [names.find_row(name) for name in ("0", "1999999", "2000000", "007", "-1", "1.0", "", "٣", "9" * 50)] == [
        *(0, 1_999_999),
        *[None] * 7,
    ]
    assert ManyRowNames(names).find_words("12 cats, 2000000") == [
        ("12", 12),
        ("cats", None),
        (",", None),
        ("2000000", None),
    ]


def test_a_number_finds_its_row_first_and_then_those_that_begin_with_it() -> None:
    n_rows = 12_345
    names = NumberNames(n_rows)
    for sought in ("12", "0", "999", "1", "12344", "12345"):
        expected = [row for row in range(n_rows) if str(row).startswith(sought)]
        assert search_names(names, sought) == expected, sought
    assert search_names(names, "cat") == []
    assert len(search_names(NumberNames(10**8), "1")) == MAX_MATCHES


LINES = ["apple", "Banana", "pineapple", "", "thé", "apples", "apple", " APPLE"]


@pytest.fixture(params=["\n", "\r\n"])
def line_names(request: pytest.FixtureRequest, tmp_path: Path) -> LineNames:
    path = tmp_path / "names.txt"
    path.write_bytes(request.param.join(LINES).encode())
    return LineNames(path)


def test_each_line_of_a_text_file_names_a_row(line_names: LineNames, tmp_path: Path) -> None:
    assert list(line_names) == LINES
    (tmp_path / "ends.txt").write_bytes(b"one\ntwo \xff\n")
    assert list(LineNames(tmp_path / "ends.txt")) == ["one", "two \ufffd"]


def test_a_line_is_found_by_its_name_and_of_equal_ones_the_first(line_names: LineNames) -> None:
    rows = [line_names.find_row(name) for name in ("apple", "thé", "pine", "e", "banana", "apples", "")]
    assert rows == [0, 4, None, None, None, 5, None]
    assert ManyRowNames(line_names).find_words("apple Thé thé") == [("apple", 0), ("Thé", None), ("thé", 4)]


def test_lines_that_hold_a_text_are_found_whatever_the_size_of_the_pieces(
    line_names: LineNames, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [0, 6, 7, 5, 2]  # the text itself, what begins with it, the others
    for size in (1, 7, 12, 2**22):
        monkeypatch.setattr(names_file, "_PIECE_BYTES", size)
        assert search_names(line_names, "Apple") == expected
        assert search_names(line_names, "thé") == [4]
        assert search_names(line_names, "(a)|.") == []
    assert line_names.matching_rows("a", 2) == [0, 1]


@pytest.mark.parametrize(("content", "code"), [(None, "file"), (b"", "damaged")])
def test_a_file_of_no_names_is_refused(tmp_path: Path, content: bytes | None, code: str) -> None:
    path = tmp_path / "names.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TableError, match=r"names\.txt") as refused:
        LineNames(path)
    assert refused.value.code == code
