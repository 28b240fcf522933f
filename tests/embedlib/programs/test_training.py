"""The program of the training page prints what the library computes."""

import re
from pathlib import Path

import pytest
import torch

from embedlib.grammar import grammar_text, word_kinds
from embedlib.neighbours.analogies import analogy, neighbour_rank
from embedlib.programs import training_program
from embedlib.word2vec import SkipGramConfig, kind_score, save_skip_gram, skip_gram, word_corpus
from tests.embedlib.programs.running import run

CONFIG = SkipGramConfig(d_model=8, steps=40, batch_size=256, window=2, learning_rate=0.1, seed=4)
TEXT = grammar_text(400)
CORPUS = word_corpus(TEXT, min_count=2)
STEPS = [(step.rows.clone(), step.loss, step.state()) for step in skip_gram(CORPUS, CONFIG)]


def test_a_text_with_kinds_and_analogies() -> None:
    source = training_program(
        "text",
        CONFIG,
        30,
        text=TEXT,
        min_count=2,
        word="king",
        k=4,
        analogy=("king", "man", "woman"),
        n_answers=3,
        expected="queen",
    )
    printed, names = run(source)
    rows, loss, _ = STEPS[30]
    assert torch.equal(names["rows"], rows)
    assert f"step 30: loss {loss:.4f}\n" in printed
    score = kind_score(rows, word_kinds(CORPUS.words))
    assert f"same kind among the 10 nearest: {score.score:.4f}, by chance {score.chance:.4f}\n" in printed
    assert all(f"  {name}: {value:.4f}\n" in printed for name, value in score.by_kind.items())
    king, man, woman, queen = (CORPUS.words.index(word) for word in ("king", "man", "woman", "queen"))
    cosines = torch.cosine_similarity(rows.double(), rows[king].double()[None])
    nearest = [row for row in cosines.argsort(descending=True).tolist() if row != king][:4]
    start = torch.cosine_similarity(STEPS[0][0].double(), STEPS[0][0][king].double()[None])
    before = [row for row in start.argsort(descending=True).tolist() if row != king]
    for row in nearest:
        assert f"{CORPUS.words[row]} {cosines[row]:.4f}, at first at place {before.index(row) + 1}\n" in printed
    answers = analogy(rows, king, man, woman, k=3)
    for cosine, row in zip(answers.similarities.tolist(), answers.ids.tolist(), strict=True):
        assert f"\n{CORPUS.words[row]} {cosine:.4f}\n" in printed
    assert f"queen is at place {neighbour_rank(rows, answers.query, queen, exclude=[king, man, woman])}\n" in printed
    moves = (rows - STEPS[0][0]).norm(dim=1)
    said = re.findall(r"^(\w+) moved by ([\d.]+), met (\d+) times$", printed, re.MULTILINE)
    assert len(said) == 10
    for word, move, met in said:
        row = CORPUS.words.index(word)
        assert (float(move), int(met)) == (pytest.approx(float(moves[row]), abs=6e-5), int(CORPUS.counts[row]))
    assert float(said[0][1]) == pytest.approx(float(moves.max()), abs=6e-5)


@pytest.mark.parametrize("step", [0, 12, 30])
def test_a_file_whose_training_is_gone_on_with(step: int, tmp_path: Path) -> None:
    (tmp_path / "it's.txt").write_text(TEXT, encoding="utf-8-sig")
    save_skip_gram(tmp_path / "training.safetensors", STEPS[12][2], CORPUS.words)
    source = training_program(
        "own",
        CONFIG,
        step,
        file="it's.txt",
        min_count=2,
        loaded=("training.safetensors", 12),
        has_kinds=False,
        has_relations=False,
    )
    printed, names = run(source, tmp_path)
    assert torch.equal(names["rows"], STEPS[step][0])
    assert torch.equal(names["first"], STEPS[0][0])
    assert printed.startswith(f"step {step}")
    assert "kind_score" not in source
    assert "analogy" not in source


def test_texts_that_come_with_the_library_and_settings_as_they_are_take_no_words() -> None:
    written = training_program("grammar", SkipGramConfig(), 0)
    assert "corpus = table_corpus()\nconfig = SkipGramConfig()\n" in written
    assert "word_corpus" not in written
    manual = training_program("manual", SkipGramConfig(steps=5), 5)
    assert "text = reference_manual()\ncorpus = word_corpus(text)\nconfig = SkipGramConfig(steps=5)\n" in manual
    for source in (written, manual):
        compile(source, "program.py", "exec")


def test_what_no_program_is_for_is_refused() -> None:
    with pytest.raises(ValueError, match="corpus='mine' is unknown: choose among grammar, manual, text, own"):
        training_program("mine", CONFIG, 0)
    with pytest.raises(ValueError, match=r"step=41 must be in \[0, 40\]"):
        training_program("grammar", CONFIG, 41)
