from collections import Counter
from itertools import pairwise

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from embedlib.tokenizers.labels import byte_letters
from embedlib.tokenizers.trained.bpe import MAX_RUN, TrainedBytePairs, train_byte_pairs

# The pattern of the original GPT-2 release (encoder.py).
GPT2_PATTERN = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
ENGLISH = "The cats' mats sat there; that cat's mat, the hat and the rat were fat.\nAt that the cat sat flat.\n\n"
TEXTS = st.text(st.one_of(st.sampled_from("the cats'\n .日本é\u0301"), st.characters(exclude_categories=["Cs", "Cn"])))


@pytest.fixture(scope="module")
def learned() -> TrainedBytePairs:
    return train_byte_pairs(ENGLISH, 300)


def merged_by_hand(text: str, n_merges: int) -> list[tuple[bytes, bytes]]:
    """Count all pairs anew for every merge; of equally frequent ones take the lowest ids."""
    ids = {bytes([byte]): i for i, (_, byte) in enumerate(sorted((c, b) for b, c in byte_letters().items()))}
    words = [[bytes([byte]) for byte in word.encode()] for word in regex.findall(GPT2_PATTERN, text)]
    merges = []
    for _ in range(n_merges):
        counts = Counter(pair for word in words for pair in pairwise(word))
        if not counts:
            break
        left, right = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
        merges.append((left, right))
        ids[left + right] = len(ids)
        for number, word in enumerate(words):
            joined: list[bytes] = []
            for part in word:
                if joined and (joined[-1], part) == (left, right):
                    joined[-1] = left + right
                else:
                    joined.append(part)
            words[number] = joined
    return merges


def test_merges_are_those_of_counting_by_hand(learned: TrainedBytePairs) -> None:
    merges = merged_by_hand(ENGLISH, 44)
    assert list(learned.merges) == merges
    assert list(train_byte_pairs(ENGLISH, 266).merges) == merges[:10]
    assert learned.vocab_size == 256 + len(merges) < learned.requested_size
    assert [learned.token_bytes(256 + i) for i in range(len(merges))] == [left + right for left, right in merges]


@settings(deadline=None)
@given(text=TEXTS)
@example(text=ENGLISH)
def test_ids_are_those_of_hugging_faces_own_byte_pairs(text: str, learned: TrainedBytePairs) -> None:
    characters = byte_letters()
    merges = [tuple("".join(characters[byte] for byte in part) for part in pair) for pair in learned.merges]
    vocabulary = {learned.piece(token_id): token_id for token_id in range(learned.vocab_size)}
    reference = Tokenizer(models.BPE(vocabulary, merges))
    reference.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    assert learned.encode(text) == reference.encode(text).ids
    assert learned.decode(learned.encode(text)) == text


def test_bytes_are_written_as_hugging_face_writes_them() -> None:
    characters = byte_letters()
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    text = "".join(map(chr, range(0x800))) + "日\U0001f469\U00040000\U00100000"
    ((written, _),) = byte_level.pre_tokenize_str(text)
    assert written == "".join(characters[byte] for byte in text.encode())
    assert sorted(characters.values()) == sorted(pre_tokenizers.ByteLevel.alphabet())
    assert list(characters) == list(range(256))


def test_a_run_too_long_for_the_trainer_is_cut_and_nothing_is_lost() -> None:
    tokenizer = train_byte_pairs("ab" * (10 * MAX_RUN) + " the the the", 266)
    assert tokenizer.merges[:2] == ((b"a", b"b"), (b"ab", b"ab"))
    assert tokenizer.decode(tokenizer.encode("ab" * 5_000)) == "ab" * 5_000
    assert len(tokenizer.encode("ab" * 500)) < 20
