"""The three words of an analogy: the reader's, or ones that the text has."""

import difflib
from dataclasses import dataclass

from embedlib.grammar.kinds import answer_of
from ui.i18n import _
from ui.settings import state
from ui.shared.markdown import as_code
from ui.training.view import TrainingView

INPUTS = ("train_a", "train_b", "train_c")
# What is suggested of words that Python's manual has.
_FOR_THE_MANUAL = ("right", "left", "start")
_LONG = 4  # letters of a word that is suggested, where the text has such


@dataclass(frozen=True)
class Asked:
    """An analogy of words that have rows.

    Attributes:
        rows: a, b and c of a - b + c.
        expected: the row of the answer, typed by the reader or known to the grammar; None for neither.
    """

    rows: tuple[int, int, int]
    expected: int | None


def asked_of(view: TrainingView) -> Asked | None:
    """Return the analogy that is in view; None where a word is missing or has no row."""
    found = {word: row for row, word in enumerate(view.words)}
    rows = [found.get(word) for word in words_asked(view)]
    if any(row is None for row in rows):
        return None
    a, b, c = (row or 0 for row in rows)
    if len(set(view.words)) - len({a, b, c}) < 1:
        return None
    typed = expected_word()
    answer = typed or answer_of(*(view.words[row] for row in (a, b, c)))
    expected = None if answer is None else found.get(answer)
    return Asked((a, b, c), None if expected in (a, b, c) else expected)


def words_asked(view: TrainingView) -> list[str]:
    """Return a, b and c as they are written in the text; instead of usual ones that it has not, some that it has."""
    written, usual, have = _written(), _usual(), set(view.words)
    if have.issuperset(usual):
        return written
    # All texts that are learned from have more words than three.
    frequent = sorted(view.words, key=lambda word: len(word) < _LONG)[:3]
    instead = _FOR_THE_MANUAL if have.issuperset(_FOR_THE_MANUAL) else frequent
    return [other if word == old else word for word, old, other in zip(written, usual, instead, strict=True)]


def only_frequent(words: list[str]) -> bool:
    """Tell whether words stand for no analogy, but are there for a start."""
    return _written() == _usual() and words not in (_usual(), list(_FOR_THE_MANUAL))


def expected_word() -> str:
    """Return the answer that the reader expects; "" for none."""
    return _clean(state.get("train_expected"))


def _written() -> list[str]:
    return [_clean(state.get(name)) for name in INPUTS]


def _usual() -> list[str]:
    return [state.SETTINGS[name].default for name in INPUTS]


def _clean(word: str) -> str:
    return str(word).strip().casefold()


def missing_told(view: TrainingView, word: str) -> str:
    """Say which word has no row, and which ones are written nearly the same."""
    said = _("{word} has no row: it is not in the text, or too rare in it.").format(word=as_code(word[:40]))
    near = difflib.get_close_matches(word[:40], view.words, n=3, cutoff=0.6)
    if not near:
        return said
    return f"{said} " + _("There is {words}.").format(words=", ".join(as_code(other) for other in near))
