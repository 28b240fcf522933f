"""Scores against plain loops, and against meaning.analogy and neighbour_rank one by one."""

import math

import pytest
import torch

from embedlib.neighbours.analogies import analogy, neighbour_rank
from embedlib.word2vec.scores import analogy_score, analogy_scores, kind_score

ROWS = torch.randn(40, 6, generator=torch.Generator().manual_seed(3))
KINDS = [None if row % 7 == 0 else ("small" if row % 10 == 3 else "abc"[row % 3]) for row in range(40)]
WORDS = [f"w{row}" for row in range(40)]


def looped_score(row: int, k: int) -> float:
    others = [other for other in range(40) if other != row]
    cosine = {
        other: float(torch.cosine_similarity(ROWS[row].double(), ROWS[other].double(), dim=0)) for other in others
    }
    same = sum(KINDS[other] == KINDS[row] for other in others)
    nearest = sorted(others, key=lambda other: -cosine[other])[: min(k, same)]
    return sum(KINDS[other] == KINDS[row] for other in nearest) / len(nearest)


@pytest.mark.parametrize("k", [1, 5, 10, 100])
def test_neighbours_of_the_same_kind_are_those_of_a_plain_loop(k: int) -> None:
    result = kind_score(ROWS, KINDS, k=k)
    arguments = [row for row in range(40) if KINDS[row] is not None]
    for row in range(40):
        if KINDS[row] is None:
            assert math.isnan(float(result.by_word[row]))
        else:
            assert float(result.by_word[row]) == pytest.approx(looped_score(row, k))
    assert result.score == pytest.approx(math.fsum(looped_score(row, k) for row in arguments) / len(arguments))
    assert set(result.by_kind) == {"small", "a", "b", "c"}
    for kind, score in result.by_kind.items():
        of_kind = [row for row in arguments if KINDS[row] == kind]
        assert score == pytest.approx(math.fsum(looped_score(row, k) for row in of_kind) / len(of_kind))


def test_chance_is_what_rows_without_meaning_reach_on_average() -> None:
    others = [sum(other == kind for other in KINDS) - 1 for kind in KINDS if kind is not None]
    assert kind_score(ROWS, KINDS).chance == pytest.approx(math.fsum(n / 39 for n in others) / len(others))
    scores = [kind_score(torch.randn(40, 6, generator=torch.Generator().manual_seed(n)), KINDS) for n in range(300)]
    assert sum(result.score for result in scores) / 300 == pytest.approx(scores[0].chance, abs=0.01)


def test_a_word_alone_in_its_kind_is_not_asked() -> None:
    result = kind_score(ROWS[:4], ["a", "a", "b", None])
    assert result.by_word.isnan().tolist() == [False, False, True, True]
    assert set(result.by_kind) == {"a"}


def test_analogies_are_those_asked_one_by_one() -> None:
    pairs = [("w1", "w2"), ("w5", "w9"), ("w7", "w30"), ("w1", "nobody")]
    result = analogy_score(ROWS, WORDS, pairs)
    assert result.quadruples.tolist() == [
        [1, 2, 5, 9], [1, 2, 7, 30], [5, 9, 1, 2], [5, 9, 7, 30], [7, 30, 1, 2], [7, 30, 5, 9],
    ]  # fmt: skip
    for (a, b, c, d), rank in zip(result.quadruples.tolist(), result.ranks.tolist(), strict=True):
        arguments = analogy(ROWS, b, a, c, k=37)
        assert rank == 1 + arguments.ids.tolist().index(d)
        assert rank == neighbour_rank(ROWS, arguments.query, d, exclude=(a, b, c))
    assert result.right == sum(rank == 1 for rank in result.ranks.tolist()) / 6


def test_relations_without_two_pairs_are_left_out() -> None:
    relations = {"some": [("w1", "w2"), ("w3", "w4")], "one": [("w1", "w2"), ("w3", "x")], "none": [("x", "y")]}
    result = analogy_scores(ROWS, WORDS, relations)
    assert list(result) == ["some"]
    assert result["some"].quadruples.shape == (2, 4)
