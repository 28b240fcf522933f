"""What holds for every tokenizer."""

from functools import partial
from pathlib import Path

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from embedlib.tokenizers import TOKENIZERS, Tokenizer, VocabularyUnavailable, get_tokenizer, token_spans
from embedlib.tokenizers.base import checked_ids
from embedlib.tokenizers.trained import TRAINED, train_tokenizer
from tests.embedlib.tokenizers.strategies import AWKWARD, TEXTS

ALWAYS_THERE = ["gpt2", "r50k_base", "bytes", "characters", "words"]
EVERY = [*ALWAYS_THERE, *TRAINED]
EXACT = ["gpt2", "bytes", "characters"]


@pytest.fixture(scope="module")
def gpt2() -> Tokenizer:
    return get_tokenizer("gpt2")


def make(name: str, text: str, gpt2: Tokenizer) -> Tokenizer:
    """A tokenizer that knows the text; gpt2 is made only once."""
    if name in TRAINED:
        return train_tokenizer(name, text, vocab_size=300)
    return gpt2 if name in ("gpt2", "r50k_base") else get_tokenizer(name, text=text)


@pytest.mark.parametrize("name", EXACT)
@settings(deadline=None)
@given(text=TEXTS)
@example(text=" \n\t ")
def test_tokens_tile_the_bytes_of_the_text_and_decode_to_it(name: str, text: str, gpt2: Tokenizer) -> None:
    if name == "characters" and not text:
        return
    tokenizer = make(name, text, gpt2)
    data = text.encode()
    tokens = tokenizer.tokenize(text)
    assert [token.start for token in tokens] == [0, *(token.stop for token in tokens)][: len(tokens)]
    assert (tokens[-1].stop if tokens else 0) == len(data)
    for token in tokens:
        assert token.bytes == data[token.start : token.stop] == tokenizer.token_bytes(token.id)
        assert token.stop > token.start
        assert 0 <= token.id < tokenizer.vocab_size
    assert tokenizer.encode(text) == [token.id for token in tokens]
    assert tokenizer.decode(tokenizer.encode(text)) == text


@settings(deadline=None)
@given(text=TEXTS)
def test_words_hold_all_but_the_white_space(text: str) -> None:
    if not text.strip():
        return
    tokenizer = get_tokenizer("words", text=text)
    data = text.encode()
    tokens = tokenizer.tokenize(text)
    between = [0, *(token.stop for token in tokens)], [*(token.start for token in tokens), len(data)]
    for stop, start in zip(*between, strict=True):
        assert not data[stop:start].decode().strip()
    for token in tokens:
        assert token.bytes == data[token.start : token.stop] == tokenizer.token_bytes(token.id)
    assert tokenizer.encode(tokenizer.decode(tokenizer.encode(text))) == tokenizer.encode(text)


@pytest.mark.parametrize("name", EVERY)
@settings(deadline=None)
@given(before=AWKWARD, surrogate=st.characters(categories=["Cs"]), after=AWKWARD)
def test_a_lone_surrogate_is_refused_plainly(
    name: str, before: str, surrogate: str, after: str, gpt2: Tokenizer
) -> None:
    tokenizer = make(name, "a", gpt2)
    text = before + surrogate + after
    for cut in (tokenizer.encode, tokenizer.tokenize, partial(token_spans, tokenizer)):
        with pytest.raises(
            ValueError, match=f"lone surrogate, U.{ord(surrogate):04X}, at character {len(before)}:"
        ) as caught:
            cut(text)
        assert type(caught.value) is ValueError


@pytest.mark.parametrize("name", ["characters", "words", *TRAINED])
def test_a_vocabulary_is_not_made_from_a_lone_surrogate(name: str, gpt2: Tokenizer) -> None:
    with pytest.raises(ValueError, match=r"lone surrogate, U\+DC00, at character 1"):
        make(name, "a\udc00", gpt2)


@pytest.mark.parametrize("name", EVERY)
def test_each_carries_its_name_and_gives_nothing_for_nothing(name: str) -> None:
    tokenizer = get_tokenizer(name, text="a") if name in TOKENIZERS else train_tokenizer(name, "a", vocab_size=300)
    assert tokenizer.name == name
    assert tokenizer.encode("") == tokenizer.tokenize("") == []
    assert tokenizer.decode([]) == ""


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("beyond", [-1, 0])
def test_ids_outside_the_vocabulary_are_refused(name: str, beyond: int, gpt2: Tokenizer) -> None:
    tokenizer = make(name, "a b", gpt2)
    token_id = beyond if beyond < 0 else tokenizer.vocab_size
    piece = getattr(tokenizer, "piece", tokenizer.token_bytes)
    for use in (tokenizer.token_bytes, piece, lambda i: tokenizer.decode([i])):
        with pytest.raises(ValueError, match=f"token_id={token_id} is not in this vocabulary: ids are 0 … "):
            use(token_id)


def test_the_names_are_those_of_the_registry() -> None:
    assert list(TOKENIZERS) == ["gpt2", "r50k_base", "cl100k_base", "o200k_base", "bytes", "characters", "words"]
    with pytest.raises(ValueError, match=r"name='gpt-2' is not a tokenizer: choose among gpt2, r50k_base, cl100k_base"):
        get_tokenizer("gpt-2")


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_a_vocabulary_not_yet_downloaded_is_asked_for_and_not_fetched(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDLIB_CACHE", str(tmp_path))
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("the network was asked"))
    with pytest.raises(VocabularyUnavailable, match=f"The vocabulary of {name} is not on this machine: download it"):
        get_tokenizer(name)


@pytest.mark.parametrize("name", ["characters", "words"])
def test_a_vocabulary_of_ones_own_needs_a_text(name: str) -> None:
    with pytest.raises(ValueError, match=rf"text=None: '{name}' makes its vocabulary from a text; pass get_tokenizer"):
        get_tokenizer(name)
    with pytest.raises(ValueError, match=rf"text='' holds no {name} to make a vocabulary from: give at least one"):
        get_tokenizer(name, text="")


def test_ids_come_from_lists_and_tensors_alike() -> None:
    assert checked_ids([0, 5], 6) == [0, 5]
    assert checked_ids(torch.tensor([0, 5]), 6) == [0, 5]
    assert all(type(token_id) is int for token_id in checked_ids(torch.tensor([3]), 6))


def test_a_fraction_is_no_id() -> None:
    with pytest.raises(TypeError):
        checked_ids([1.5], 6)  # type: ignore[list-item]
