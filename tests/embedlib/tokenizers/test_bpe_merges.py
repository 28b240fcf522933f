"""Merging by hand ends where tiktoken ends, and each step is one merge by the stated rule."""

import base64
import hashlib
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import regex
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from embedlib import get_tokenizer
from embedlib.tokenizers import MAX_PIECE_BYTES, MergeRules, has_vocabulary, merge_rules, merge_steps, pre_tokens
from embedlib.tokenizers.bpe import byte_pair_tokenizer
from embedlib.tokenizers.trained import TrainedTokenizer, train_tokenizer
from embedlib.tokenizers.vocabularies import VOCABULARIES, Vocabulary

TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.text("ab 'sreLL12日本ïé\u0301👩\u200d\n\t\r\x0b\x1c\x85\xa0\u2028!?-हि", max_size=60),
    st.lists(st.sampled_from(["the", " the", "  ", "ing", "'ll", "2024", "\r\n", " naïve", "日本語"])).map("".join),
)
LARGER = [name for name in ("cl100k_base", "o200k_base") if has_vocabulary(name)]


@cache
def rules(name: str = "gpt2") -> MergeRules:
    return merge_rules(name)


@cache
def encoding(name: str = "gpt2") -> tiktoken.Encoding:
    return byte_pair_tokenizer(name)._encoding


def ids(text: str, name: str = "gpt2") -> list[int | None]:
    data = text.encode()
    actual: list[int | None] = []
    for start, stop in pre_tokens(rules(name), text):
        actual += merge_steps(rules(name), data[start:stop])[-1].ids
    return actual


@settings(deadline=None, max_examples=300)
@given(TEXTS)
def test_the_last_steps_are_tiktokens_ids(text: str) -> None:
    assert ids(text) == encoding().encode_ordinary(text)


def test_a_letter_goes_on_with_a_word_only_where_tiktokens_unicode_knows_it() -> None:
    single_bytes = {bytes([byte]): byte for byte in range(256)}
    known = tiktoken.Encoding("letters", pat_str=r"\p{L}", mergeable_ranks=single_bytes, special_tokens={})
    letters = [chr(code) for code in range(0x10000, 0x33500, 7) if regex.match(r"\p{L}", chr(code))]
    expected = [bool(known.encode_ordinary(letter)) for letter in letters]
    assert [len(pre_tokens(rules(), f"a{letter}")) == 1 for letter in letters[::23]] == expected[::23]
    assert set(expected[::23]) == {True, False}


@pytest.mark.parametrize("name", LARGER)
@settings(deadline=None, max_examples=200)
@given(text=TEXTS)
def test_they_are_for_the_larger_encodings_that_are_here(name: str, text: str) -> None:
    assert ids(text, name) == encoding(name).encode_ordinary(text)


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_each_encodings_own_pattern_cuts_and_a_token_no_merge_makes_is_looked_up(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = [bytes([byte]) for byte in range(256)] + [b"he", b"ll", b"hell", b"12", b"123", b"abc", b" w"]
    data = b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))
    (tmp_path / "small.tiktoken").write_bytes(data)
    monkeypatch.setenv("EMBEDLIB_CACHE", str(tmp_path))
    monkeypatch.setitem(VOCABULARIES, name, Vocabulary("small.tiktoken", hashlib.sha256(data).hexdigest()))
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {t: i for i, t in enumerate(tokens)})
    theirs = tiktoken.Encoding(**openai_public.ENCODING_CONSTRUCTORS[name]())
    ours = merge_rules(name)

    for text in ("HelloWorld hell 12345 abc, abc", "don'T  stop\r\n\r\n 日本", "abc", "1234", "\t\tx\n \n"):
        data = text.encode()
        actual: list[int | None] = []
        for start, stop in pre_tokens(ours, text):
            actual += merge_steps(ours, data[start:stop])[-1].ids
        assert actual == theirs.encode_ordinary(text)
    steps = merge_steps(ours, b"abc")  # no pair of it is a token, all three are
    assert [step.is_whole_token for step in steps] == [False, True]
    assert steps[-1].parts == (b"abc",)


@settings(deadline=None)
@given(st.binary(min_size=1, max_size=40) | TEXTS.map(str.encode).filter(bool))
def test_each_step_merges_the_lowest_rank_leftmost_of_equals(piece: bytes) -> None:
    ranks = encoding()._mergeable_ranks
    steps = merge_steps(rules(), piece)
    assert steps[0].parts == tuple(bytes([byte]) for byte in piece)
    for step, following in pairwise(steps):
        assert step.ranks == tuple(ranks.get(a + b) for a, b in pairwise(step.parts))
        known = [rank for rank in step.ranks if rank is not None]
        assert step.rank == min(known)
        at = step.merge_index
        assert at == step.ranks.index(min(known))
        assert following.parts[:at] == step.parts[:at]
        assert following.parts[at] == step.parts[at] + step.parts[at + 1]
        assert following.parts[at + 1 :] == step.parts[at + 2 :]
    assert steps[-1].merge_index is steps[-1].rank is None
    assert not any(rank is not None for rank in steps[-1].ranks)
    assert all(step.ids == tuple(ranks[part] for part in step.parts) for step in steps)


@cache
def trained() -> TrainedTokenizer:
    return train_tokenizer("bpe", "the cat sat on the mat, naïve and then again: 日本, 日本語. " * 3, vocab_size=300)


@settings(deadline=None)
@given(TEXTS)
def test_a_trained_vocabulary_is_merged_as_its_tokenizer_does(text: str) -> None:
    learned = merge_rules(trained())
    data = text.encode()
    steps = [merge_steps(learned, data[start:stop]) for start, stop in pre_tokens(learned, text)]
    assert [token_id for piece in steps for token_id in piece[-1].ids] == trained().encode(text)


@pytest.mark.parametrize("length", [0, MAX_PIECE_BYTES + 1])
def test_a_piece_too_long_to_show_and_an_empty_one_are_refused(length: int) -> None:
    with pytest.raises(ValueError, match=rf"piece has {length} bytes, it must have 1 … {MAX_PIECE_BYTES}"):
        merge_steps(rules(), b"a" * length)
    assert len(merge_steps(rules(), b"a" * MAX_PIECE_BYTES)[-1].parts) < MAX_PIECE_BYTES


def test_another_encoding_and_half_a_character_are_refused() -> None:
    with pytest.raises(ValueError, match="source='bytes' does not merge byte pairs: choose among gpt2"):
        merge_rules("bytes")
    with pytest.raises(ValueError, match="source='bytes' does not merge byte pairs"):
        merge_rules(get_tokenizer("bytes"))
    with pytest.raises(ValueError, match="lone surrogate"):
        pre_tokens(rules(), "a\ud800")
