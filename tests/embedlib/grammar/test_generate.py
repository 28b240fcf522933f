"""Sentences whose meaning is known: every slot filled, everything that must agree agrees, every word of one kind."""

import re
from collections import Counter
from itertools import islice

import pytest

from embedlib.grammar import GROUPS, KINDS, RELATIONS, grammar_text, pairs, word_kinds
from embedlib.grammar.generate import sentences
from embedlib.grammar.rules import ACTIONS, BEARERS, PARTS, SENTENCES
from embedlib.grammar.words import COLUMNS, ROWS, column_words
from embedlib.texts import words

TEXT = grammar_text(8_000, seed=5)
LINES = TEXT.split("\n")
COUNTS = Counter(words(TEXT))
ALL = [word for kind in KINDS.values() for word in kind.words]
FIRST = "\n".join(
    [
        "The smell of pasta filled the kitchen.",
        "The Polish mayor of Warsaw opened the museum.",
        "The walls of the museum are black and brown.",
    ]
)
WOMEN, MEN = ({pair[place] for pair in pairs("gender")} for place in (1, 0))


def rule_texts() -> list[str]:
    return [
        *(text for _, texts in SENTENCES.values() for text in texts),
        *(text for texts in (*PARTS.values(), *ACTIONS.values(), *BEARERS.values()) for text in texts),
    ]


def test_there_are_some_hundred_words_and_each_is_of_one_kind() -> None:
    assert 300 <= len(ALL) <= 500
    assert len(ALL) == len(set(ALL))
    assert 20 <= len(KINDS) <= 30
    assert {kind.group for kind in KINDS.values()} == set(GROUPS)


def test_every_column_is_of_one_kind_and_every_row_is_whole() -> None:
    columns = [column for kind in KINDS.values() for column in kind.columns]
    assert sorted(columns) == sorted(column for names in COLUMNS.values() for column in names)
    for table, rows in ROWS.items():
        assert {len(row) for row in rows} == {len(COLUMNS[table])}


def test_words_between_the_slots_are_of_no_kind() -> None:
    between = " ".join(re.sub(r"\{\w+\}|<\w+>", " ", text) for text in rule_texts())
    actual = words(between)
    assert {word: kind for word, kind in zip(actual, word_kinds(actual), strict=True) if kind} == {}


def test_every_word_is_written_often() -> None:
    assert {word: COUNTS[word] for word in ALL if COUNTS[word] < 5} == {}


def test_most_of_the_vocabulary_is_of_some_kind() -> None:
    kinds = word_kinds(list(COUNTS))
    assert sum(kind is not None for kind in kinds) == len(ALL)
    assert len(kinds) < 700


def test_sentences_begin_with_a_capital_letter_end_with_a_stop_and_have_no_slot_left() -> None:
    for line in LINES:
        assert re.fullmatch(r"[A-Z][A-Za-z ,:]+\.", line), line
        assert "  " not in line


def test_sentences_are_varied() -> None:
    assert len(set(LINES)) > 0.45 * len(LINES)
    assert Counter(LINES).most_common(1)[0][1] < 40


def test_the_seed_decides_every_sentence() -> None:
    assert grammar_text(200, seed=5) == "\n".join(LINES[:200])
    assert list(islice(sentences(5), 200)) == LINES[:200]
    assert grammar_text(200, seed=6) != "\n".join(LINES[:200])


def test_the_first_sentences_are_those_of_every_machine() -> None:
    assert grammar_text(3) == FIRST


def test_an_stands_before_vowels_and_a_before_consonants() -> None:
    assert [line for line in LINES if re.search(r"\b[Aa] [aeiouAEIOU]", line)] == []
    assert [line for line in LINES if re.search(r"\b[Aa]n [^aeiouAEIOU]", line)] == []


def test_a_capital_is_that_of_its_country_and_its_people() -> None:
    row_of = {word: row for row in ROWS["nations"] for word in row}
    for line in LINES:
        if re.search(r"capital of|most \w+ city|mayor of|treaty|flew from|richer|larger|busier|so (busy|large)", line):
            continue
        assert len({row_of[word] for word in re.findall(r"[A-Z][a-z]+", line) if word in row_of}) <= 1, line
    about = [line for line in LINES if " is the capital of " in line]
    assert len(about) > 20
    for line in about:
        capital, country = line.rstrip(".").split(" is the capital of ")
        assert row_of[capital] is row_of[country]


def test_pronouns_agree_with_the_only_person_of_a_sentence() -> None:
    seen = 0
    for line in LINES:
        actual = set(words(line))
        people = actual & (WOMEN | MEN)
        hers, his = actual & {"she", "her", "herself"}, actual & {"he", "his", "him", "himself"}
        if len(people) == 1 and (hers or his):
            seen += 1
            assert bool(hers) == bool(people & WOMEN), line
            assert bool(his) == bool(people & MEN), line
    assert seen > 1_000


def test_tenses_agree_with_the_time() -> None:
    time = {"does": r"every|most days", "did": r"yesterday|last (week|night)|ago", "doing": r"now|at this moment"}
    seen = Counter[str]()
    for column, others in (("does", ("did", "doing")), ("did", ("does", "doing")), ("doing", ("does", "did"))):
        for line in LINES:
            actual = set(words(line))
            if actual & set(column_words(column)):
                seen[column] += 1
                assert not any(actual & set(column_words(other)) for other in others), line
                assert re.search(time[column], line.casefold()), line
    assert min(seen.values()) > 200


def test_nothing_is_compared_or_joined_with_itself() -> None:
    of_some_kind = set(ALL)
    for line in LINES:
        actual = [word for word in words(line) if word in of_some_kind]
        assert len(actual) == len(set(actual)), line


@pytest.mark.parametrize("relation", RELATIONS)
def test_every_relation_pairs_words_that_are_written(relation: str) -> None:
    actual = pairs(relation)
    assert len(actual) >= 14
    for side in zip(*actual, strict=True):
        assert len(set(side)) == len(side)
        assert {word for word in side if word not in COUNTS} == set()


def test_what_is_to_what_as_what() -> None:
    assert {("king", "queen"), ("man", "woman")} <= set(pairs("gender"))
    assert ("france", "paris") in pairs("capital")
    assert ("horse", "foal") in pairs("young")
    assert ("sings", "sang") in pairs("past")
    assert ("sings", "singing") in pairs("participle")


def test_kinds_are_found_in_any_case_and_not_for_other_words() -> None:
    assert word_kinds(["Queen", "paris", "the", "qwerty"]) == ["royals", "capitals", None, None]


def test_an_unknown_relation_and_no_sentences_are_refused() -> None:
    with pytest.raises(ValueError, match=r"relation='size' is unknown: choose among gender, capital"):
        pairs("size")
    with pytest.raises(ValueError, match="n_sentences=0 must be at least 1"):
        grammar_text(0)
