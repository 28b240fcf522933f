"""Arguments out of range are refused with their value and the rule; what a page can mend has a code and its numbers."""

import math
from collections.abc import Callable

import pytest
import torch

from embedlib.errors import CodedError
from embedlib.grammar import grammar_text
from embedlib.word2vec import (
    RowHistory,
    SkipGramConfig,
    analogy_scores,
    cooccurrence_table,
    kind_score,
    resume_skip_gram,
    row_changes,
    save_skip_gram,
    skip_gram,
    word_corpus,
)
from embedlib.word2vec.pretrained import make_table
from embedlib.word2vec.scores import analogy_score

ROWS, WORDS = torch.eye(4), list("abcd")
LETTERS = [f"{a}{b}" for a in "dcba" for b in "zyxw"]
SETTINGS = [
    *((name, 0) for name in ("d_model", "window", "negatives", "batch_size", "steps")),
    *(("learning_rate", rate) for rate in (0.0, -1.0, math.nan, math.inf)),
    *(("weight_decay", decay) for decay in (-0.1, math.nan, math.inf)),
    *(("subsample", share) for share in (0.0, 1.1, math.nan)),
    *(("seed", seed) for seed in (-1, 2**63)),
]


def make_text(n_words: int) -> str:
    return " ".join(LETTERS[i % len(LETTERS)] for i in range(n_words))


def resume_on_corpus(min_count: int) -> None:
    state = next(skip_gram(word_corpus(grammar_text(300), min_count=8), SkipGramConfig(d_model=2))).state()
    next(resume_skip_gram(word_corpus(grammar_text(300), min_count=min_count), state))


def history() -> RowHistory:
    noted = RowHistory(("a",), torch.ones(1), SkipGramConfig())
    noted.add(6, 1.0)
    return noted


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: word_corpus(make_text(300), min_count=0), "min_count=0 must be at least 1"),
    (lambda: word_corpus(make_text(300), most_words=11), "most_words=11 must be at least 12"),
    (lambda: cooccurrence_table(WORDS, d_model=0), "d_model=0 must be at least 1"),
    (lambda: cooccurrence_table(WORDS, window=0), "window=0 must be at least 1"),
    (lambda: cooccurrence_table(WORDS, min_count=0), "min_count=0 must be at least 1"),
    (lambda: cooccurrence_table(list("abab"), d_model=2, min_count=2), r"less than the 2 words .* longer text"),
    (lambda: kind_score(ROWS, ["a"] * 3), r"kinds=3 .* as many as rows=4"),
    (lambda: kind_score(ROWS, ["a"] * 4, k=0), "k=0 must be at least 1"),
    (lambda: kind_score(ROWS[:2], ["a", None]), "no kind with two words"),
    (lambda: analogy_score(ROWS, WORDS[:3], [("a", "b"), ("c", "d")]), r"words=3 .* as many as rows=4"),
    (lambda: analogy_score(ROWS, WORDS, [("a", "b"), ("c", "x")]), r"pairs=1 of them .* at least 2"),
    (lambda: analogy_scores(ROWS, WORDS[:3], {"one": [("a", "b"), ("b", "c")]}), r"words=3 .* as many as rows=4"),
    (lambda: row_changes(torch.zeros(2, 3), torch.zeros(3, 2)), r"before \(2, 3\) and after \(3, 2\)"),
    (lambda: history().add(2, 1.0), "step=2 must not come before 6"),
    (lambda: history().add_rows(7, ROWS), "step=7 must be at most 6"),
    (lambda: resume_on_corpus(min_count=20), r"state has \d+ rows and corpus \d+ words"),
    (
        lambda: save_skip_gram("x", next(skip_gram(word_corpus(make_text(300)))).state(), ("king",)),
        r"words=1 .* rows=16",
    ),
    (lambda: make_table("x", n_sentences=5), "text has"),
    (
        lambda: make_table("x", n_sentences=500, config=SkipGramConfig(learning_rate=1e30)),
        r"learning_rate=1e\+30 is too high",
    ),
    *(
        (lambda name=name, wrong=wrong: SkipGramConfig(**{name: wrong}), f"{name}={wrong} must")
        for name, wrong in SETTINGS
    ),
]
FEW_WORDS = [("", 0), ("   \n", 0), ("中文没有空格", 1), (make_text(199), 199), ("1 2 3 " * 300, 0)]
CODED: list[tuple[str, str, int, int]] = [
    *((text, "text_too_short", 200, found) for text, found in FEW_WORDS),
    ("yes no " * 200, "too_few_words", 12, 2),
    (" ".join(f"{a}{b}{c}" for a in "abcdefg" for b in "abcdefg" for c in "abcdefg"), "too_few_words", 12, 0),
    (make_text(320).replace(" ", ". "), "no_neighbours", 2, 1),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_out_of_range_is_refused(
    call: Callable[[], object], message: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("refused")
    monkeypatch.chdir(folder)
    with pytest.raises(ValueError, match=message):
        call()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(("text", "code", "least", "found"), CODED)
def test_a_text_with_too_little_to_learn_from_is_refused(text: str, code: str, least: int, found: int) -> None:
    with pytest.raises(CodedError, match="longer one") as refused:
        word_corpus(text)
    assert (refused.value.code, refused.value.values) == (code, {"least": least, "found": found})
