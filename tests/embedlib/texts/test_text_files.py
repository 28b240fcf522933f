import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedlib.errors import CodedError
from embedlib.texts import check_text_size, read_text

TEXT = "The cat sat on the mat.\nÀ la claire fontaine\r\n日本語\tnaïve 👩‍👩‍👧\n"
LIMIT = 10_000


def refused(data: bytes) -> CodedError:
    with pytest.raises(CodedError) as error:
        read_text(data, limit=LIMIT, name="a.txt")
    assert str(error.value).startswith("'a.txt' ")
    assert str(error.value).endswith(".")
    return error.value


@given(text=st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_utf8_is_read_as_it_is(text: str) -> None:
    if text.strip() and not text.startswith("\ufeff") and not text.startswith("%PDF-"):
        assert read_text(text.encode(), limit=LIMIT) == text


def test_line_ends_stay_and_a_mark_at_the_beginning_goes() -> None:
    assert read_text(TEXT.encode(), limit=LIMIT) == TEXT
    assert read_text(codecs.BOM_UTF8 + TEXT.encode(), limit=LIMIT) == TEXT


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", ["Plain English, line by line.\n" * 9, "À la claire fontaine\r\nnaïve\n"])
def test_utf16_and_utf32_are_told_with_their_mark_and_without(encoding: str, text: str) -> None:
    assert refused(text.encode(encoding)).code == "not_utf8"


REFUSED = {
    "empty": [b"", b" \n\t \r\n", codecs.BOM_UTF8],
    "binary": [
        b"%PDF-1.7\n1 0 obj\n",
        b"PK\x03\x04" + b"x" * 30,
        b"\x89PNG\r\n\x1a\n" + b"x" * 99,
        b"\x7fELF" + bytes(range(256)) * 9,
        bytes(100),
        b"text with \x00 inside",
        b"\x01\x02\x03 some words",
    ],
    "not_utf8": [
        b"one\ntwo\nd\xe9j\xe0 vu\n",
        codecs.BOM_UTF8 + b"d\xe9j\xe0 vu",
        "日本語のテキスト".encode("utf-16"),
        codecs.BOM_UTF16_BE + "日本語".encode("utf-16-be"),
    ],
}


@pytest.mark.parametrize(("code", "data"), [(code, data) for code, files in REFUSED.items() for data in files])
def test_what_is_no_text_in_utf8_is_refused(code: str, data: bytes) -> None:
    assert refused(data).code == code


def test_a_file_over_the_limit_is_refused_by_its_size_alone() -> None:
    message = r"'big.txt' has 20\.0 MB, over the limit of 5\.0"
    with pytest.raises(CodedError, match=message) as error:
        check_text_size(20_000_000, limit=5_000_000, name="big.txt")
    assert error.value.code == "too_large"
    assert refused(b"a" * (LIMIT + 1)).code == "too_large"
    assert read_text(b"a" * LIMIT, limit=LIMIT) == "a" * LIMIT
