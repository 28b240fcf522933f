"""What holds for every kind that is trained."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from embedlib.errors import CodedError
from embedlib.tokenizers.trained import TRAINED, TrainedTokenizer, train_tokenizer
from tests.embedlib.tokenizers.strategies import AWKWARD

ROOT = Path(__file__).parents[4]
ENGLISH = "The cat sat on the mat. The cats are sitting on the mats, and the mat is under the sitting cats.\n"
# Nothing in it is more frequent than anything else, so that all is decided by how ties are broken.
TIES = "abcd efgh ijkl mnop qrst uvwx yzAB CDEF GHIJ 日本語 語本日 naïve"
SEEN_BY_ANOTHER = """
import sys
from embedlib.tokenizers.trained import TRAINED, train_tokenizer
for kind in TRAINED:
    made = train_tokenizer(kind, sys.argv[1], vocab_size=int(sys.argv[2]))
    print(ascii([made.piece(i) for i in range(made.vocab_size)]), getattr(made, "scores", None))
"""


def least(kind: str, text: str) -> int:
    with pytest.raises(CodedError) as caught:
        train_tokenizer(kind, text, vocab_size=0)
    assert caught.value.code == "vocabulary_too_small"
    return int(caught.value.values["least"])


def ids_where_they_lie(tokenizer: TrainedTokenizer, text: str) -> list[int]:
    """The ids of a text, once their tokens are seen to hold its bytes, all but white space between them."""
    data, stop = text.encode(), 0
    tokens = tokenizer.tokenize(text)
    for token in tokens:
        assert token.bytes == data[token.start : token.stop] != b""
        assert not data[stop : token.start].decode().strip()
        stop = token.stop
    assert not data[stop:].decode().strip()
    return [token.id for token in tokens]


def pieces(tokenizer: TrainedTokenizer) -> list[str]:
    return [tokenizer.piece(token_id) for token_id in range(tokenizer.vocab_size)]


@pytest.mark.parametrize("kind", TRAINED)
@settings(deadline=None, max_examples=60)
@given(text=AWKWARD, more=st.integers(0, 40))
@example(text=ENGLISH, more=0)
@example(text="\n x", more=1)
@example(text="<unk> <unk> <unk>", more=20)
def test_a_text_is_known_to_what_was_learned_from_it(kind: str, text: str, more: int) -> None:
    text = text.replace("\0", "")  # which Unigram never knows
    if not text.strip():
        return
    arguments = least(kind, text) + more
    tokenizer = train_tokenizer(kind, text, vocab_size=arguments)
    assert tokenizer.name == kind
    assert tokenizer.requested_size == arguments >= tokenizer.vocab_size == len(set(pieces(tokenizer)))
    assert tokenizer.learned_from == len(text)

    assert tokenizer.unknown_id not in ids_where_they_lie(tokenizer, text)


@pytest.mark.parametrize("kind", TRAINED)
@settings(deadline=None, max_examples=25)
@given(text=AWKWARD, more=st.integers(0, 40))
def test_learning_again_gives_the_same_vocabulary(kind: str, text: str, more: int) -> None:
    if not text.strip():
        return
    arguments = least(kind, text) + more
    first, *others = (train_tokenizer(kind, text, vocab_size=arguments) for _ in range(3))
    for other in others:
        assert pieces(first) == pieces(other)
        assert getattr(first, "scores", None) == getattr(other, "scores", None)


@pytest.mark.thorough
def test_another_process_learns_the_same_on_another_number_of_threads() -> None:
    text = f"{TIES} {ENGLISH}"
    done = subprocess.run(
        [sys.executable, "-c", SEEN_BY_ANOTHER, text, "300"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"RAYON_NUM_THREADS": "1", "PYTHONHASHSEED": "1", "TOKENIZERS_PARALLELISM": "false"},
    )
    here = [train_tokenizer(kind, text, vocab_size=300) for kind in TRAINED]
    assert done.stdout.splitlines() == [f"{pieces(made)!a} {getattr(made, 'scores', None)}" for made in here]


@pytest.mark.parametrize(
    ("kind", "smallest", "sentence"),
    [
        ("bpe", 256, "is smaller than the alphabet, 256 single bytes: choose at least 256"),
        ("wordpiece", 1 + 4 + 2, "is smaller than the alphabet of this text with .UNK. .*: choose at least 7"),
        ("unigram", 1 + 1 + 4, "is smaller than the alphabet of this text with <unk> and ▁: choose at least 6"),
    ],
)
def test_a_vocabulary_smaller_than_the_alphabet_is_refused_with_the_least(
    kind: str, smallest: int, sentence: str
) -> None:
    text = "ab a.\n日 ab"  # a, b, ".", 日; inside words b and, by Unigram's words, "."
    smallest -= kind == "wordpiece"  # "." is a word of its own
    with pytest.raises(CodedError, match=f"vocab_size={smallest - 1} {sentence.replace('7', '6')}") as caught:
        train_tokenizer(kind, text, vocab_size=smallest - 1)
    assert (caught.value.code, caught.value.values["least"]) == ("vocabulary_too_small", smallest)
    assert train_tokenizer(kind, text, vocab_size=smallest).vocab_size == smallest


@pytest.mark.parametrize("kind", TRAINED)
@pytest.mark.parametrize("text", ["", " \n\t\u3000\x1c"])
def test_a_text_without_a_word_is_refused(kind: str, text: str) -> None:
    with pytest.raises(CodedError, match=r"text holds no .* to learn from: give at least one") as caught:
        train_tokenizer(kind, text, vocab_size=1_000)
    assert (caught.value.code, caught.value.values["least"]) == ("text_too_short", 1)


@pytest.mark.parametrize("kind", TRAINED)
def test_a_small_text_gives_what_it_has_however_much_is_asked(kind: str) -> None:
    tokenizer = train_tokenizer(kind, "ab ab", vocab_size=2**40)  # memory for so many would not be had
    assert tokenizer.requested_size == 2**40
    assert tokenizer.vocab_size < 300
    assert tokenizer.piece(tokenizer.encode("ab ab")[-1]) == {"bpe": "Ġab", "wordpiece": "ab", "unigram": "▁ab"}[kind]


@pytest.mark.parametrize("kind", TRAINED)
def test_a_pickled_one_does_the_same(kind: str) -> None:
    tokenizer = train_tokenizer(kind, ENGLISH, vocab_size=300)
    copy = pickle.loads(pickle.dumps(tokenizer))
    assert copy.tokenize(ENGLISH + "日 <unk>") == tokenizer.tokenize(ENGLISH + "日 <unk>")
    assert (pieces(copy), copy.requested_size, copy.learned_from) == (pieces(tokenizer), 300, len(ENGLISH))


def test_an_unknown_kind_is_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="kind='words' is not a tokenizer that is trained: choose among bpe, wordp"):
        train_tokenizer("words", "a", vocab_size=9)
