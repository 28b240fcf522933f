import pytest
import torch

from embedlib.tokenizers.base import checked_ids, utf8_bytes, whole_text


@pytest.mark.parametrize("text", ["", "a", "日本語", "👩‍👩‍👧", "\x00\u202e\u0301"])
def test_any_whole_text_survives_its_bytes(text: str) -> None:
    assert utf8_bytes(text) == text.encode("utf-8")
    assert whole_text(utf8_bytes(text)) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ab\ud800c", "U+D800, at character 2"),
        ("\udfff", "U+DFFF, at character 0"),
        ("😀\ud83d", "U+D83D, at character 1"),
    ],
)
def test_a_lone_surrogate_is_named_with_its_place_and_the_remedy(text: str, found: str) -> None:
    with pytest.raises(ValueError, match=r"delete it, or type the whole character") as caught:
        utf8_bytes(text)
    assert found in str(caught.value)
    assert type(caught.value) is ValueError
    assert str(caught.value).encode()  # the message itself can be shown


def test_part_of_a_character_is_no_text() -> None:
    with pytest.raises(
        ValueError, match=r"no character \(E6 97 at byte 1\): give all the tokens of the character"
    ) as caught:
        whole_text(b"a\xe6\x97")
    assert type(caught.value) is ValueError


def test_ids_come_from_lists_and_tensors_alike() -> None:
    assert checked_ids([0, 5], 6) == [0, 5]
    assert checked_ids(torch.tensor([0, 5]), 6) == [0, 5]
    assert all(type(token_id) is int for token_id in checked_ids(torch.tensor([3]), 6))


@pytest.mark.parametrize("token_id", [-1, 6, 2**70])
def test_an_id_outside_the_vocabulary_is_refused_with_the_range(token_id: int) -> None:
    with pytest.raises(ValueError, match=f"token_id={token_id} is not in this vocabulary: ids are 0 … 5"):
        checked_ids([0, token_id], 6)


def test_a_fraction_is_no_id() -> None:
    with pytest.raises(TypeError):
        checked_ids([1.5], 6)  # type: ignore[list-item]
