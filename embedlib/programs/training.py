"""The program that trains rows as the training page does, and prints what the page shows of one step."""

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
    """Write the program whose output is what the page shows of a step.

    Args:
        corpus: "grammar", "manual", "text" for a text that becomes a literal, "own" for a file's.
        config: how rows are trained; what is not as usual is written down.
        step: that is shown; the program stops there.
        text: of "text".
        file: name of the file that "own" reads.
        min_count: how often a word of "text" or "own" must be met.
        loaded: name of the file with the saved training that is gone on with, and its step; None begins anew.
        has_kinds: whether the kinds of the corpus' words are known, and so a score.
        has_relations: whether it has pairs of words that the grammar knows, and so analogies to count.
        word: whose nearest rows are printed; None leaves them out.
        analogy: the words a, b and c of one; empty leaves it out.
        expected: the word whose place among its answers is printed; None leaves it out.

    Returns:
        Source text of a program that needs torch and this library only.
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
