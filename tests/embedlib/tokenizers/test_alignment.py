"""Columns, tokens and disagreements against loops over single bytes and single boundaries."""

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import regex
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from embedlib import Token, Tokenizer, get_tokenizer
from embedlib.tokenizers import AlignedRow, Alignment, TokenSpans, align, token_counts
from embedlib.tokenizers.trained import TRAINED, train_tokenizer

ALPHABET = "ab, \n\tïe\u0301日本👩\u200d👧हिन्दीبَي"
NAMES = ("gpt2", "bytes", "characters", "words")
LEARNED = "abba, baab ab\tb ïe e\u0301 日本 本日, " * 3  # lacks some of ALPHABET


@cache
def gpt2() -> Tokenizer:
    return get_tokenizer("gpt2")


def tokenized(text: str, names: Sequence[str] = NAMES) -> dict[str, list[Token]]:
    if not text.strip():
        names = [name for name in names if name in ("gpt2", "bytes")]
    return {name: (gpt2() if name == "gpt2" else get_tokenizer(name, text=text)).tokenize(text) for name in names}


@cache
def trained(kind: str) -> Tokenizer:
    return train_tokenizer(kind, LEARNED, vocab_size=270 if kind == "bpe" else 24)


def columns_by_loop(text: str, tokens: Sequence[Token]) -> list[list[int]]:
    """The columns that each token has bytes of."""
    column_of_byte = []
    for column, character in enumerate(regex.findall(r"\X", text)):
        column_of_byte += [column] * len(character.encode())
    return [sorted({column_of_byte[byte] for byte in range(token.start, token.stop)}) for token in tokens]


def spans(row: AlignedRow) -> list[tuple[int, int]]:
    return list(zip(row.first.tolist(), row.last.tolist(), strict=True))


@settings(deadline=None)
@given(st.text(ALPHABET, max_size=30))
def test_each_token_lies_over_the_columns_of_its_bytes(text: str) -> None:
    given = tokenized(text) | {kind: trained(kind).tokenize(text) for kind in TRAINED}
    aligned = align(text, given)
    assert "".join(aligned.columns) == text
    for name, tokens in given.items():
        row, expected = aligned.rows[name], columns_by_loop(text, tokens)
        assert spans(row) == [(columns[0], columns[-1]) for columns in expected]
        for column in range(len(aligned.columns)):
            touching = [index for index, columns in enumerate(expected) if column in columns]
            assert bool(row.covered[column]) is bool(touching)
            for part, index in enumerate(touching):
                if expected[index][0] == column:
                    assert (row.first_part[index], row.first_parts[index]) == (part, len(touching))
                if expected[index][-1] == column:
                    assert (row.last_part[index], row.last_parts[index]) == (part, len(touching))


@settings(deadline=None)
@given(st.text(ALPHABET, max_size=30))
def test_chips_follow_each_other_without_overlap_and_fill_what_is_covered(text: str) -> None:
    given = tokenized(text) | {kind: trained(kind).tokenize(text) for kind in TRAINED}
    for row in align(text, given).rows.values():
        assert (row.right > row.left).all()
        assert (row.left[1:] >= row.right[:-1] - 1e-12).all()
        assert (row.right - row.left).sum() == pytest.approx(row.covered.sum())


def test_a_token_for_the_unknown_lies_over_what_it_stands_for() -> None:
    text = "ab 한국 ba"
    tokens = {kind: trained(kind).tokenize(text) for kind in ("wordpiece", "unigram")}
    aligned = align(text, tokens)
    for kind, row in aligned.rows.items():
        (unknown,) = (index for index, token in enumerate(tokens[kind]) if token.id == 0)
        assert trained(kind).token_bytes(0) in (b"[UNK]", b"<unk>")
        assert spans(row)[unknown] == (3, 4)
    assert not aligned.rows["wordpiece"].covered[2]  # its spaces are nobody's


def test_a_token_without_bytes_stays_in_a_column() -> None:
    tokens = [Token(0, b"", 0, 0), Token(1, b"ab", 0, 2), Token(2, b"", 2, 2)]
    row = align("ab", {"marks": tokens}).rows["marks"]
    assert spans(row) == [(0, 0), (0, 1), (1, 1)]
    assert row.first_part.tolist() == [0, 1, 1]
    assert row.left.tolist() == [0, 0.5, 1.5]
    assert row.right.tolist() == [0.5, 1.5, 2]


def test_spans_align_as_the_tokens_do() -> None:
    text = "naïve 日本"
    tokens = gpt2().tokenize(text)
    starts = torch.tensor([token.start for token in tokens])
    spanned = TokenSpans(torch.arange(len(tokens)), starts, torch.tensor([token.stop for token in tokens]))
    rows = align(text, {"tokens": tokens, "spans": spanned}).rows
    for field in fields(AlignedRow):
        np.testing.assert_array_equal(getattr(rows["spans"], field.name), getattr(rows["tokens"], field.name))
    assert token_counts(text, spanned) == token_counts(text, tokens)


def test_nothing_aligns_with_nothing() -> None:
    aligned = align("", {"gpt2": [], "bytes": []})
    actual = aligned.disagreements()
    assert aligned.columns == []
    assert (
        actual.boundaries.tolist()
        == actual.columns.tolist()
        == actual.stretches.tolist()
        == actual.disputed.tolist()
        == []
    )


@pytest.mark.parametrize(
    "tokens",
    [[Token(0, b"abc", 0, 3)], [Token(0, b"b", 1, 2), Token(0, b"a", 0, 1)], [Token(0, b"a", -1, 1)]],
)
def test_tokens_of_another_text_are_refused(tokens: list[Token]) -> None:
    with pytest.raises(
        ValueError, match="tokens of 'mine' are not in order within the text's 2 bytes: give the tokens"
    ):
        align("ab", {"mine": tokens})


def verdicts(aligned: Alignment, name: str, spans_of: dict[str, list[tuple[int, int]]]) -> list[int]:
    """For each inner boundary 1 for a cut, 0 for none, -1 for nothing said; the definition in a loop."""
    n = len(aligned.columns)
    mine = spans_of[name]
    held = {column for first, last in mine for column in range(first, last + 1)}
    actual = []
    for boundary in range(1, n):
        if boundary - 1 not in held or boundary not in held:
            actual.append(-1)
        else:
            actual.append(int(not any(first < boundary <= last for first, last in mine)))
    for first_after in range(1, n):  # a gap of columns begin … first_after - 1 with tokens on both sides
        if first_after in held and first_after - 1 not in held:
            begin = first_after - 1
            while begin > 0 and begin - 1 not in held:
                begin -= 1
            others = [span for other in spans_of.values() for span in other]
            if begin > 0 and any(first < begin and first_after <= last for first, last in others):
                actual[begin - 1] = 1
    return actual


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[str, dict[str, list[Token]]]:
    """A text of one-byte columns, cut by three tokenizers at places of their own, white space at times left out."""
    text = draw(st.text("abc  ", min_size=1, max_size=12))
    made = {}
    for name in ("one", "two", "three"):
        places = [0, *sorted(draw(st.sets(st.integers(1, len(text) - 1)))), len(text)] if len(text) > 1 else [0, 1]
        leaves_out = draw(st.booleans())
        made[name] = [
            Token(0, text[start:stop].encode(), start, stop)
            for start, stop in pairwise(places)
            if not (leaves_out and text[start:stop].isspace())
        ]
    return text, made


@given(cut_texts())
def test_disagreements_are_those_of_a_loop_over_the_boundaries(given: tuple[str, dict[str, list[Token]]]) -> None:
    text, made = given
    aligned = align(text, made)
    spans_of = {name: [(token.start, token.stop - 1) for token in tokens] for name, tokens in made.items()}
    said = {name: verdicts(aligned, name, spans_of) for name in made}
    actual = aligned.disagreements()
    expected = [b for b in range(1, len(text)) if {0, 1} <= {said[name][b - 1] for name in made}]
    assert actual.boundaries.tolist() == expected
    assert actual.cuts.tolist() == [[said[name][b - 1] for b in expected] for name in made]
    ends = [b for b in range(1, len(text)) if all(said[name][b - 1] != 0 for name in made)]
    stretches = list(zip([0, *ends], [*ends, len(text)], strict=True))
    assert actual.stretches.tolist() == [list(stretch) for stretch in stretches]
    assert actual.disputed.tolist() == [any(start < b < stop for b in expected) for start, stop in stretches]
    assert actual.columns.tolist() == []


def test_a_character_in_pieces_for_some_and_whole_for_others_is_in_question() -> None:
    text = "a日é"
    aligned = align(text, tokenized(text))
    assert aligned.disagreements(["gpt2", "words"]).columns.tolist() == [1]
    assert aligned.disagreements(["gpt2", "bytes"]).columns.tolist() == [2]
    assert aligned.disagreements(["characters", "bytes"]).disputed.tolist() == [False, True, True]
    assert aligned.disagreements(["bytes"]).disputed.tolist() == [False] * 3
    assert aligned.disagreements([]).stretches.tolist() == [[0, 1], [1, 2], [2, 3]]


def test_another_name_is_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match="name='bpe' is not aligned here: choose among gpt2, bytes"):
        align("a", tokenized("a", ["gpt2", "bytes"])).disagreements(["bpe"])


def test_counts_tell_characters_as_they_are_read_from_code_points_and_bytes() -> None:
    text = "👩‍👩‍👧 naïve"
    actual = token_counts(text, gpt2().encode(text))
    assert (actual.characters, actual.code_points, actual.bytes) == (7, 11, 25)
    assert actual.characters_per_token == 7 / actual.tokens
    assert actual.bytes_per_token == 25 / actual.tokens
    assert align(text, tokenized(text)).counts("gpt2") == actual
    assert token_counts("", []).bytes_per_token is None
    assert token_counts("", []).characters_per_token is None
