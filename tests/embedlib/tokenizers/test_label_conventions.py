import pytest
from transformers.convert_slow_tokenizer import bytes_to_unicode

from embedlib import get_tokenizer
from embedlib.tokenizers import token_bytes_of
from embedlib.tokenizers.labels import CONVENTIONS, label_convention


def test_every_byte_has_the_letter_that_gpt2s_own_table_gives_it() -> None:
    for byte, letter in bytes_to_unicode().items():
        assert token_bytes_of([letter], "gpt2") == [bytes([byte])]


def test_gpt2s_vocabulary_in_its_letters_reads_back_as_its_bytes() -> None:
    tokenizer, letters = get_tokenizer("gpt2"), bytes_to_unicode()
    vocabulary = [tokenizer.token_bytes(token_id) for token_id in range(tokenizer.vocab_size)]
    labels = ["".join(letters[byte] for byte in token) for token in vocabulary]
    assert label_convention(labels) == "gpt2"
    assert token_bytes_of(labels) == vocabulary


@pytest.mark.parametrize(
    ("labels", "convention"),
    [
        (["Ġthe", "ing", "!"], "gpt2"),
        (["▁the", "ing", "<s>"], "sentencepiece"),
        (["the", "##ing", "[CLS]"], "wordpiece"),
        (["·the", "ing", "↵"], "visible"),
        ([" the", "ing"], "spaces"),
        (["the", "cat", "##"] + ["word"] * 100, "words"),
        ([], "words"),
    ],
)
def test_the_mark_that_most_labels_begin_with_tells_the_convention(labels: list[str], convention: str) -> None:
    assert label_convention(labels) == convention


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("label", ["", "\ud800", "⟨U+110000⟩", "Ġ日", "##", "<0x>"])
def test_any_label_has_bytes(convention: str, label: str) -> None:
    assert isinstance(token_bytes_of([label], convention)[0], bytes)
