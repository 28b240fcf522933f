from itertools import combinations, pairwise

import pytest

from embedlib.tokenizers.trained import UnigramTokenizer, WordPieceTokenizer, best_splits, longest_matches
from embedlib.tokenizers.trained.unigram import train_unigram
from embedlib.tokenizers.trained.wordpiece import train_wordpiece

ENGLISH = "The unsinkable sink was sinking; the thinking thinker's unthinkable thinking sank. 日本語 日本\n"


@pytest.fixture(scope="module")
def wordpiece() -> WordPieceTokenizer:
    return train_wordpiece(ENGLISH, 70)


@pytest.fixture(scope="module")
def unigram() -> UnigramTokenizer:
    return train_unigram(ENGLISH, 60)


@pytest.mark.parametrize("word", ["thinking", "unsinkable", "sinks", "T", "thinker"])
def test_what_is_found_are_the_tokens_and_nothing_longer_was_passed_over(
    word: str, wordpiece: WordPieceTokenizer
) -> None:
    matches = longest_matches(wordpiece, word)
    assert [match.piece for match in matches] == [wordpiece.piece(number) for number in wordpiece.encode(word)]
    for match in matches:
        assert match.tried[-1] == match.piece
        assert not set(match.tried[:-1]) & set(wordpiece.pieces)
        assert [len(piece) for piece in match.tried] == sorted(map(len, match.tried), reverse=True)


def test_a_word_with_a_character_that_is_not_known_ends_without_a_piece(wordpiece: WordPieceTokenizer) -> None:
    matches = longest_matches(wordpiece, "thiñk")
    assert matches[-1].piece is None
    assert matches[-1].tried[-1] == "##ñ"
    assert wordpiece.encode("thiñk") == [wordpiece.unknown_id]


@pytest.mark.parametrize("word", ["", "a" * 101])
def test_a_word_without_a_cut_is_refused(word: str, wordpiece: WordPieceTokenizer) -> None:
    with pytest.raises(ValueError, match=f"word has {len(word)} characters"):
        longest_matches(wordpiece, word)


@pytest.mark.parametrize("word", ["thinking", "unsink", "sinkable", "日本語", "thethe", "inging"])
def test_the_cuts_are_the_best_of_all_in_order(word: str, unigram: UnigramTokenizer) -> None:
    text, scores = "▁" + word, dict(zip(unigram.pieces[1:], unigram.scores[1:], strict=True))
    places = [(0, *inner, len(text)) for n in range(len(text)) for inner in combinations(range(1, len(text)), n)]
    cuts = [tuple(text[start:stop] for start, stop in pairwise(at)) for at in places]
    totals = sorted((sum(map(scores.__getitem__, cut)) for cut in cuts if set(cut) <= set(scores)), reverse=True)
    actual = best_splits(unigram, word, 3)
    assert [split.score for split in actual] == pytest.approx(totals[:3])
    tokens = unigram.encode(f"a {word}")[len(unigram.encode("a")) :]
    assert list(actual[0].pieces) == [unigram.piece(number) for number in tokens]
    for split in actual:
        assert "".join(split.pieces) == text
        assert split.scores == tuple(map(scores.__getitem__, split.pieces))


def test_a_character_that_is_not_known_leaves_no_cut(unigram: UnigramTokenizer) -> None:
    assert best_splits(unigram, "thiñk") == []
