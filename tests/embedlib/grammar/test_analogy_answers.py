"""What the grammar answers."""

import pytest

from embedlib.grammar.kinds import analogy_answer


@pytest.mark.parametrize(
    ("a", "b", "c", "answer"),
    [
        ("king", "man", "woman", "queen"),
        ("woman", "man", "king", "queen"),
        ("Queen", "WOMAN", "man", "king"),
        ("paris", "france", "italy", "rome"),
        ("France", "Paris", "Rome", "italy"),
        ("puppy", "dog", "cat", "kitten"),
        ("eats", "drives", "drove", "ate"),
        ("king", "man", "king", None),
        ("king", "france", "woman", None),
        ("man", "man", "woman", None),
        ("nonsense", "man", "woman", None),
    ],
)
def test_the_fourth_word_of_an_analogy(a: str, b: str, c: str, answer: str | None) -> None:
    assert analogy_answer(a, b, c) == answer
