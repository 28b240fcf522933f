"""The short program that trains rows as the training page does, and prints what the page shows of one step."""

from collections.abc import Sequence
from dataclasses import asdict

from embedlib.word2vec.skip_gram import SkipGramConfig

_Name = tuple[str, str]  # what is imported: its module, and it
_Part = tuple[list[_Name], str]  # what some lines import, and the lines

# What makes the corpus: what it imports, and its lines.
_WORDS = ("embedlib.word2vec.corpus", "word_corpus")
_FEWER = "corpus = word_corpus(text, min_count={min_count}, most_words={most_words})\n"
_CORPORA = {
    "grammar": ([("embedlib.word2vec.pretrained", "table_corpus")], "corpus = table_corpus()\n"),
    "manual": (
        [("embedlib.texts.corpus", "reference_manual"), _WORDS],
        "corpus = word_corpus(reference_manual())\n",
    ),
    "text": ([_WORDS], "text = {text}\n" + _FEWER),
    "own": (
        [("pathlib", "Path"), _WORDS],
        "text = Path({file}).read_bytes().decode('utf-8-sig')\n" + _FEWER,
    ),
}
_BEGUN = "steps = skip_gram(corpus, config)\n"
_LOADED = """\
saved, _ = load_skip_gram({loaded})  # as it was at step {begun}
steps = itertools.chain(itertools.islice(skip_gram(corpus, config), 1), resume_skip_gram(corpus, saved))
"""
_SAVED = """\
saved, _ = load_skip_gram({loaded})
first = next(skip_gram(corpus, config)).rows.clone()
rows = saved.tensors["rows"]
print(f"step {{saved.step}}")
"""
_TRAINING = """
first = None
for step in steps:
    if first is None:
        first = step.rows.clone()
    if step.step == {step}:
        break
rows = step.rows
print(f"step {{step.step}}: loss {{step.loss:.4f}}")
"""
_KINDS = """
score = kind_score(rows, kinds_of(corpus.words))
print(f"same kind among the 10 nearest: {score.score:.4f}, by chance {score.chance:.4f}")
for name, value in score.by_kind.items():
    print(f"  {name}: {value:.4f}")
"""
_RELATIONS = """
for name, found in analogy_scores(rows, corpus.words, {name: pairs(name) for name in RELATIONS}).items():
    print(f"{name}: {found.right:.4f} of {len(found.ranks)} analogies are right")
"""
_NEIGHBOURS = """
row = corpus.words.index({word})
nearest = nearest_neighbours(rows, rows[row][None], {k}, exclude=[row])
before = nearest_neighbours(first, first[row][None], len(first) - 1, exclude=[row]).ids[0].tolist()
for cosine, other in zip(nearest.similarities[0].tolist(), nearest.ids[0].tolist()):
    print(f"{{corpus.words[other]}} {{cosine:.4f}}, at first at place {{before.index(other) + 1}}")
"""
_ANALOGY = """
a, b, c = (corpus.words.index(word) for word in {words})
answers = analogy(rows, a, b, c, k={k})
for cosine, other in zip(answers.similarities.tolist(), answers.ids.tolist()):
    print(f"{{corpus.words[other]}} {{cosine:.4f}}")
"""
_EXPECTED = """\
expected = {expected}
place = rank_of(rows, answers.query, corpus.words.index(expected), exclude=[a, b, c])
print(f"{{expected}} is at place {{place}}")
"""
_MOVED = """
changes = row_changes(first, rows)
for row in changes.order[:10].tolist():
    print(f"{corpus.words[row]} moved by {changes.moves[row]:.4f}, met {int(corpus.counts[row])} times")
"""


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
    asked: Sequence[str] = (),
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
        most_words: how many words of these have rows at most.
        loaded: name of the file with the saved training that is gone on with, and its step; None begins anew.
        has_kinds: whether the kinds of the corpus' words are known, and so a score.
        has_relations: whether it has pairs of words that the grammar knows, and so analogies to count.
        word: whose nearest rows are printed; None leaves them out.
        k: how many.
        asked: the words a, b and c of an analogy; empty leaves it out.
        n_answers: how many rows it prints.
        expected: the word whose place among its answers is printed; None leaves it out.

    Returns:
        Source text of a program that needs torch and this library only.

    Raises:
        ValueError: an unknown corpus, or step outside the training.
    """
    if corpus not in _CORPORA:
        raise ValueError(f"corpus={corpus!r} is unknown: choose among {', '.join(_CORPORA)}")
    if not 0 <= step <= config.steps:
        raise ValueError(f"step={step} must be in [0, {config.steps}], the steps of this training")
    needed, made = _CORPORA[corpus]
    parts = [_training(step, loaded)]
    if has_kinds:
        parts.append(([("embedlib.grammar.kinds", "kinds_of"), ("embedlib.word2vec.scores", "kind_score")], _KINDS))
    if has_relations:
        names = [("embedlib.grammar.kinds", name) for name in ("RELATIONS", "pairs")]
        parts.append(([*names, ("embedlib.word2vec.scores", "analogy_scores")], _RELATIONS))
    if word is not None:
        parts.append(([("embedlib", "nearest_neighbours")], _NEIGHBOURS.format(word=repr(word), k=k)))
    if asked:
        parts.append(([("embedlib.neighbours.analogies", "analogy")], _ANALOGY.format(words=tuple(asked), k=n_answers)))
        if expected is not None:
            parts.append(([("embedlib.neighbours.analogies", "rank_of")], _EXPECTED.format(expected=repr(expected))))
    parts.append(([("embedlib.word2vec.history", "row_changes")], _MOVED))
    head = made.format(text=repr(text), file=repr(file), min_count=min_count, most_words=most_words)
    body = f"config = SkipGramConfig({_changed(config)})\n" + "".join(code for _, code in parts)
    imports = _imports([*needed, *(name for names, _ in parts for name in names)])
    return f"{imports}\ntorch.set_num_threads(1)  # with others, sums may differ in their last digits\n{head}{body}"


def _training(step: int, loaded: tuple[str, int] | None) -> _Part:
    """Write what makes `first` and `rows`, those of step 0 and of the step that is shown."""
    names = [("embedlib.word2vec.skip_gram", "SkipGramConfig"), ("embedlib.word2vec.skip_gram", "skip_gram")]
    if loaded is None or step == 0:
        return names, _BEGUN + _TRAINING.format(step=step)
    file, begun = loaded
    names.append(("embedlib.word2vec.checkpoint", "load_skip_gram"))
    if step == begun:
        return names, _SAVED.format(loaded=repr(file))
    names += [("", "itertools"), ("embedlib.word2vec.skip_gram", "resume_skip_gram")]
    return names, _LOADED.format(loaded=repr(file), begun=begun) + _TRAINING.format(step=step)


def _imports(names: Sequence[_Name]) -> str:
    """Write what is imported: the standard library, torch, then this library, each module once."""
    modules: dict[str, set[str]] = {}
    for module, name in names:
        modules.setdefault(module, set()).add(name)
    plain = [f"import {name}\n" for name in sorted(modules.pop("", set()))]
    lines = [f"from {module} import {', '.join(sorted(found))}\n" for module, found in sorted(modules.items())]
    ours = [line for line in lines if line.startswith("from embedlib")]
    theirs = plain + [line for line in lines if line not in ours]
    return "".join([*theirs, *(["\n"] if theirs else []), "import torch\n", *ours])


def _changed(config: SkipGramConfig) -> str:
    """Write the settings that are not the usual ones."""
    usual = asdict(SkipGramConfig())
    return ", ".join(f"{name}={value!r}" for name, value in asdict(config).items() if value != usual[name])
