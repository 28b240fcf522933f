from functools import cache

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from embedlib import Tokenizer, get_tokenizer
from embedlib.tokenizers import add_special_tokens, special_tokens, split_specials, tokenize_typed
from embedlib.tokenizers.bpe import byte_pair_tokenizer

PARTS = ["<|endoftext|>", "<|end", "oftext|>", "<|im_start|>", "<|im_end|>", "<|", "|>", " the", "日", "\n", "a", "  "]


@cache
def gpt2() -> Tokenizer:
    return get_tokenizer("gpt2")


@cache
def extended() -> tiktoken.Encoding:
    """GPT-2's encoding with two more special tokens, by tiktoken itself."""
    theirs = byte_pair_tokenizer("gpt2")._encoding
    return tiktoken.Encoding(
        "more",
        pat_str=theirs._pat_str,
        mergeable_ranks=theirs._mergeable_ranks,
        special_tokens=theirs._special_tokens | {"<|im_start|>": 50257, "<|im_end|>": 50258},
    )


@pytest.mark.parametrize("name", ["gpt2", "r50k_base", "cl100k_base", "o200k_base"])
def test_they_are_those_that_tiktoken_defines(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {})
    theirs = openai_public.ENCODING_CONSTRUCTORS["r50k_base" if name == "gpt2" else name]()["special_tokens"]
    actual = special_tokens(name)
    assert actual == theirs
    assert list(actual.values()) == sorted(actual.values())
    assert special_tokens("bytes") == special_tokens("wordpiece") == {}


@settings(deadline=None)
@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_any_text_gives_what_tiktoken_gives_with_all_specials_allowed(text: str) -> None:
    more = add_special_tokens(special_tokens("gpt2"), ["<|im_start|>", "<|im_end|>"], vocab_size=50257)
    tokens = tokenize_typed(gpt2(), text, more)
    assert [token.id for token in tokens] == extended().encode(text, allowed_special="all")
    assert all(text.encode()[token.start : token.stop] == token.bytes for token in tokens)
    assert tokenize_typed(gpt2(), text, {}) == gpt2().tokenize(text)
    assert "".join(part for part, _ in split_specials(text, more)) == text


def test_the_longer_of_two_names_counts() -> None:
    assert split_specials("<s><s>>", {"<s>": 0, "<s>>": 1}) == [("<s>", 0), ("<s>>", 1)]
    assert split_specials("", {}) == split_specials("", {"<s>": 0}) == []
    assert split_specials("a", {"": 0}) == [("a", None)]


def test_new_tokens_get_the_next_free_ids_and_known_ones_keep_theirs() -> None:
    actual = add_special_tokens({"<|endoftext|>": 50256}, ["<a>", "<|endoftext|>", "<b>", "<a>"], vocab_size=50257)
    assert actual == {"<|endoftext|>": 50256, "<a>": 50257, "<b>": 50258}
