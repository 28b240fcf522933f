"""The program that trains rows as the training page does, and prints the numbers of one step."""

from collections.abc import Sequence
from dataclasses import asdict

from embedlib.programs.render import fill, program
from embedlib.word2vec import SkipGramConfig

_CORPORA = ("grammar", "manual", "text", "own")


def training_program(
    corpus: str,
    config: SkipGramConfig,
    step: int,
    *,
    text: str = "",
    file: str = "",
    min_count: int = 5,
    most_words: int = 10_000,
    loaded: tuple[str, int] | None = None,
    has_kinds: bool = True,
    has_relations: bool = True,
    word: str | None = None,
    k: int = 10,
    analogy: Sequence[str] = (),
    n_answers: int = 5,
    expected: str | None = None,
) -> str:
    """Write the program that trains up to a step and prints its numbers.

    Args:
        corpus: "grammar", "manual", "text" for `text` as a literal, "own" for that of `file`.
        config: only settings that differ from the defaults are written.
        min_count: least frequency of a word of "text" or "own".
        loaded: name of the file of a saved training that is resumed, and its step; None begins anew.
        has_kinds: whether the kinds of the corpus' words are known, and so a score.
        has_relations: whether it has pairs of words from the grammar's relations, and so analogies to count.
        word: whose nearest rows are printed; None for none.
        analogy: the words a, b and c of one; empty for none.
        expected: the word whose rank among its answers is printed; None for none.
    """
    if corpus not in _CORPORA:
        raise ValueError(f"corpus={corpus!r} is unknown: choose among {', '.join(_CORPORA)}")
    if not 0 <= step <= config.steps:
        raise ValueError(f"step={step} must be in [0, {config.steps}], the steps of this training")
    usual, settings = asdict(SkipGramConfig()), asdict(config)
    changed = {name: value for name, value in settings.items() if value != usual[name]}
    limits = {} if corpus == "manual" else {"min_count": min_count, "most_words": most_words}
    given = {"text": text if corpus == "text" else None, "file": file if corpus == "own" else None}
    return program(fill("training", **(locals() | given)))
