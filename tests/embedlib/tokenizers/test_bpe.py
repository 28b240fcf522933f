import base64
import hashlib
from itertools import pairwise
from pathlib import Path

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from embedlib.tokenizers import ENCODINGS, bpe, special_tokens, tokenize_typed
from embedlib.tokenizers.bpe import BytePairTokenizer, byte_pair_tokenizer, parse_vocabulary
from embedlib.tokenizers.vocabularies import BASE_URL, VOCABULARIES, Vocabulary, read_vocabulary

HELLO = "Hello, do you like tea? <|endoftext|> In the sunlit terraces of someunknownPlace."
HELLO_IDS = [15496, 11, 466, 345, 588, 8887, 30, 220, 50256, 554, 262,
             4252, 18250, 8812, 2114, 286, 617, 34680, 27271, 13]  # fmt: skip
# The pattern of the original GPT-2 release (encoder.py); tiktoken's is a faster one that should cut alike.
GPT2_PATTERN = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
SMALL = [bytes([byte]) for byte in range(256)] + [b"aB", b"34"]


@pytest.fixture(scope="module")
def gpt2() -> BytePairTokenizer:
    return byte_pair_tokenizer("gpt2")


@pytest.fixture(scope="module")
def ranks() -> dict[bytes, int]:
    return parse_vocabulary(read_vocabulary("r50k_base"))


def merged(piece: bytes, ranks: dict[bytes, int]) -> list[int]:
    """Byte-pair encoding as in the paper: join the neighbours that make the best-ranked token, until none do."""
    parts = [bytes([byte]) for byte in piece]
    while True:
        pairs = [(ranks[left + right], i) for i, (left, right) in enumerate(pairwise(parts))
                 if left + right in ranks]  # fmt: skip
        if not pairs:
            return [ranks[part] for part in parts]
        _, first = min(pairs)
        parts[first : first + 2] = [parts[first] + parts[first + 1]]


def test_the_lessons_ids_come_out(gpt2: BytePairTokenizer) -> None:
    assert [token.id for token in tokenize_typed(gpt2, HELLO, special_tokens("gpt2"))] == HELLO_IDS
    assert gpt2.encode("<|endoftext|>") == [27, 91, 437, 1659, 5239, 91, 29]
    assert gpt2.encode("The cat sat on the mat") == [464, 3797, 3332, 319, 262, 2603]
    assert gpt2.vocab_size == 50257


@settings(deadline=None)
@given(
    text=st.one_of(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
        st.text("the cat's 12\n日é👩 .,!", max_size=60),
    )
)
def test_ids_are_those_of_a_plain_loop_over_the_original_pattern(
    text: str, gpt2: BytePairTokenizer, ranks: dict[bytes, int]
) -> None:
    pieces = regex.findall(GPT2_PATTERN, text)
    assert gpt2.encode(text) == [token_id for piece in pieces for token_id in merged(piece.encode(), ranks)]


def test_no_copy_is_made_and_no_cache_of_tiktokens_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bpe._cached_encoding.cache_clear()
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(blocked / "cache"))
    assert byte_pair_tokenizer("gpt2").encode("The cat") == [464, 3797]


@pytest.mark.parametrize("name", list(VOCABULARIES))
def test_addresses_and_hashes_are_those_that_tiktoken_pins(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = []
    monkeypatch.setattr(
        openai_public, "load_tiktoken_bpe", lambda url, expected_hash: arguments.append((url, expected_hash)) or {}
    )
    openai_public.ENCODING_CONSTRUCTORS[name]()
    vocabulary = VOCABULARIES[name]
    assert arguments == [(BASE_URL + vocabulary.file, vocabulary.sha256)]


@pytest.mark.parametrize(
    ("name", "vocab_size", "special", "pieces"),
    [
        # Both cut numbers after three digits, which GPT-2 does not; o200k_base also cuts before a capital letter.
        ("cl100k_base", 100277, ("<|endofprompt|>", 100276), [b"aB", b"1", b"2", b"3", b"4"]),
        ("o200k_base", 200019, ("<|endofprompt|>", 200018), [b"a", b"B", b"1", b"2", b"3", b"4"]),
    ],
)
def test_downloadable_encodings_take_pattern_and_special_tokens_from_tiktoken(
    name: str,
    vocab_size: int,
    special: tuple[str, int],
    pieces: list[bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(SMALL))
    (tmp_path / "small.tiktoken").write_bytes(data)
    monkeypatch.setenv("EMBEDLIB_CACHE", str(tmp_path))
    monkeypatch.setitem(VOCABULARIES, name, Vocabulary("small.tiktoken", hashlib.sha256(data).hexdigest()))
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("the network was asked"))
    before = dict(vars(openai_public))

    tokenizer = byte_pair_tokenizer(name)

    assert tokenizer.name == name
    assert tokenizer.vocab_size == vocab_size
    assert [token.bytes for token in tokenizer.tokenize("aB1234")] == pieces
    assert tokenizer.token_bytes(special[1]) == special[0].encode()
    with pytest.raises(ValueError, match=rf"token_id=300 stands for nothing in {name}: choose another"):
        tokenizer.token_bytes(300)
    assert vars(openai_public) == before  # what other code imports is untouched


def test_what_was_made_last_is_there_again_and_a_file_that_has_changed_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDLIB_CACHE", str(tmp_path))
    made = []
    for tokens in (SMALL, SMALL, [*SMALL, b"CD"]):
        data = b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in enumerate(tokens))
        (tmp_path / "small.tiktoken").write_bytes(data)
        monkeypatch.setitem(VOCABULARIES, "cl100k_base", Vocabulary("small.tiktoken", hashlib.sha256(data).hexdigest()))
        made.append(byte_pair_tokenizer("cl100k_base"))
    assert made[0]._encoding is made[1]._encoding
    assert [len(tokenizer.encode("CD")) for tokenizer in made] == [2, 2, 1]


def test_an_unknown_encoding_is_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="name='p50k_base' is not a byte-pair encoding: choose among gpt2, r50k_base"):
        byte_pair_tokenizer("p50k_base")
    assert set(ENCODINGS.values()) == set(VOCABULARIES)
