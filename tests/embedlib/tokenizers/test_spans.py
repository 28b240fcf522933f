from collections.abc import Iterable

import pytest
import torch
from hypothesis import example, given, settings

from embedlib.tokenizers import Token, Tokenizer, get_tokenizer, token_spans
from embedlib.tokenizers.trained import TRAINED, train_tokenizer
from tests.embedlib.tokenizers.strategies import TEXTS

LEARNED = "The cat sat on the mat; the cats' mats sat. 日本語 naïve 👩‍👩‍👧 हिन्दी"
NAMES = ["gpt2", "bytes", "characters", "words", *TRAINED]
MADE_FROM_ITS_TEXT = ["characters", "words"]


@pytest.fixture(scope="module")
def tokenizers() -> dict[str, Tokenizer]:
    return {name: get_tokenizer(name) for name in ("gpt2", "bytes")} | {
        kind: train_tokenizer(kind, LEARNED, vocab_size=300) for kind in TRAINED
    }


class OneByOne:
    """A tokenizer of somebody else's: every second byte, and no arrays."""

    name, vocab_size = "half", 256

    def tokenize(self, text: str) -> list[Token]:
        return [Token(byte, bytes([byte]), i, i + 1) for i, byte in enumerate(text.encode())][::2]

    def encode(self, text: str) -> list[int]:
        return [token.id for token in self.tokenize(text)]

    def decode(self, token_ids: Iterable[int]) -> str:
        return bytes(token_ids).decode()

    def token_bytes(self, token_id: int) -> bytes:
        return bytes([token_id])


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None)
@given(text=TEXTS)
@example(text="")
@example(text="\n")
@example(text=LEARNED)
def test_spans_are_the_ids_and_places_of_tokenize(name: str, text: str, tokenizers: dict[str, Tokenizer]) -> None:
    if name in MADE_FROM_ITS_TEXT and not text.strip():
        return
    tokenizer = get_tokenizer(name, text=text) if name in MADE_FROM_ITS_TEXT else tokenizers[name]
    expected = tokenizer.tokenize(text)
    spans = token_spans(tokenizer, text)
    assert spans.ids.tolist() == [token.id for token in expected] == tokenizer.encode(text)
    assert spans.starts.tolist() == [token.start for token in expected]
    assert spans.stops.tolist() == [token.stop for token in expected]
    assert spans.ids.dtype == spans.starts.dtype == spans.stops.dtype == torch.int64
    assert len(spans) == len(expected)


def test_a_tokenizer_that_is_not_ours_is_asked_for_its_tokens() -> None:
    spans = token_spans(OneByOne(), "abcde")
    assert (spans.ids.tolist(), spans.starts.tolist(), spans.stops.tolist()) == ([97, 99, 101], [0, 2, 4], [1, 3, 5])
    assert len(token_spans(OneByOne(), "")) == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("run", ["a", "日", "!", "\n", "👩‍👩‍👧"])
def test_a_very_long_run_is_cut_like_any_text(name: str, run: str, tokenizers: dict[str, Tokenizer]) -> None:
    text = f"the{run * (200_000 // len(run))}cat"
    tokenizer = get_tokenizer(name, text=text) if name in MADE_FROM_ITS_TEXT else tokenizers[name]
    spans = token_spans(tokenizer, text)
    places = torch.stack([spans.starts, spans.stops], 1).flatten()
    assert bool((places.diff() >= 0).all())
    covered = int((spans.stops - spans.starts).sum())
    white = len(text.encode()) - len("".join(text.split()).encode())
    assert len(text.encode()) - white <= covered <= len(text.encode())
