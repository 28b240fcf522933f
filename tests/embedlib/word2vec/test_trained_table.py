"""The table that ships: made again it has the same bytes, it is of today's grammar, and it means something."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from embedlib.errors import CodedError
from embedlib.grammar import KINDS, RELATIONS, pairs, word_kinds
from embedlib.tensor_files import read_tensors, write_tensors
from embedlib.word2vec.pretrained import N_SENTENCES, SHIPPED, TABLE_CONFIG, make_table, table_corpus, trained_table
from embedlib.word2vec.scores import analogy_scores, kind_score
from embedlib.word2vec.skip_gram import SkipGramConfig

ROOT = Path(__file__).parents[3]
SHORT = SkipGramConfig(d_model=8, steps=30)


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "short.safetensors"
    make_table(path, n_sentences=1_000, config=SHORT)
    return path


@pytest.mark.thorough
def test_a_table_made_again_in_another_process_has_the_same_bytes(short: Path, tmp_path: Path) -> None:
    program = (
        "import sys, torch; torch.set_num_threads(int(sys.argv[2])); from embedlib.word2vec.pretrained import *; "
        "make_table(sys.argv[1], n_sentences=1_000, config=SkipGramConfig(d_model=8, steps=30))"
    )
    arguments = [str(tmp_path / "again"), str(torch.get_num_threads())]
    subprocess.run([sys.executable, "-c", program, *arguments], cwd=ROOT, check=True)
    assert (tmp_path / "again").read_bytes() == short.read_bytes()


def test_the_table_that_ships_is_of_todays_grammar_and_settings() -> None:
    table, corpus = trained_table(), table_corpus()
    assert table.corpus == corpus.digest, "the grammar has changed: run bin/trained-table"
    assert (table.config, table.n_sentences) == (TABLE_CONFIG, N_SENTENCES)
    assert table.words == list(corpus.words)
    assert table.counts == corpus.counts.tolist()


def test_the_table_that_ships_is_small() -> None:
    assert SHIPPED.stat().st_size < 1_000_000


def test_the_table_that_ships_means_something() -> None:
    table = trained_table()
    actual = kind_score(table.vectors, word_kinds(table.words))
    assert actual.score > 0.9
    assert actual.chance < 0.05
    assert set(actual.by_kind) == set(KINDS)
    assert min(actual.by_kind.values()) > 0.6
    answered = analogy_scores(table.vectors, table.words, {name: pairs(name) for name in RELATIONS})
    assert {name: score.right for name, score in answered.items() if score.right < 0.85} == {}


def test_a_table_says_how_it_was_made(short: Path) -> None:
    table = trained_table(short)
    assert (table.config, table.n_sentences) == (SHORT, 1_000)
    assert table.vectors.shape == (len(table.words), 8)
    assert len(table.counts) == len(table.words)


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ({"kind": "skip-gram"}, {}),
        ({"config": {"d_model": -1}}, {}),
        ({"words": None}, {}),
        ({"words": [3]}, {}),
        ({"n_sentences": "1"}, {}),
        ({"words": ["king"]}, {}),
        ({}, {"vectors": torch.zeros(3, 8)}),
        ({}, {"counts": torch.zeros(3)}),
    ],
)
def test_a_table_that_does_not_hold_together_is_refused(
    short: Path, tmp_path: Path, said: dict[str, object], held: dict[str, torch.Tensor]
) -> None:
    about, tensors = read_tensors(short)
    write_tensors(tmp_path / "a", about | said, tensors | held)
    with pytest.raises(CodedError, match="'a' is no saved run"):
        trained_table(tmp_path / "a")
