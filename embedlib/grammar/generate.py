"""English sentences by the thousand, written by a grammar, so that what their words mean is known."""

import random
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

from embedlib.grammar.rules import ACTIONS, BEARERS, PARTS, SENTENCES
from embedlib.grammar.words import COLUMNS, ROWS, TABLE_OF

_MARK = re.compile(r"<([a-z]+)>|\{([a-z_]+)(\d?)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiouAEIOU])")
_GENDERED = ("royal", "relative", "person")
_PRONOUNS = {"he": ("he", "she"), "his": ("his", "her"), "him": ("him", "her"), "himself": ("himself", "herself")}


def sentences(seed: int = 0) -> Iterator[str]:
    """Write sentences without end.

    Each is made by choosing what it is about, a sentence of SENTENCES, and words for its slots, all by chance from the
    seed. What goes together does: the capital with its country, the pronoun with the gender, the tense with the time.

    Yields: A sentence that begins with a capital letter and ends with a full stop.
    """
    # Only random() is promised to give the same numbers in every version of Python.
    chance = random.Random(seed)
    subjects, edges = list(SENTENCES), list(accumulate(share for share, _ in SENTENCES.values()))
    while True:
        place = chance.random() * edges[-1]
        subject = next(name for name, edge in zip(subjects, edges, strict=True) if place < edge)
        yield _Writer(chance).sentence(SENTENCES[subject][1])


@lru_cache(maxsize=1)  # a megabyte or two, where making them takes a second
def grammar_text(n_sentences: int = 20_000, *, seed: int = 0) -> str:
    """Return the first sentences of a seed as one text, a sentence on each line.

    Args:
        n_sentences: at least 1; 20,000 have every word of KINDS some dozens of times.

    Returns:
        About 42 characters for each sentence.
    """
    if n_sentences < 1:
        raise ValueError(f"n_sentences={n_sentences} must be at least 1")
    written = sentences(seed)
    return "\n".join(next(written) for _ in range(n_sentences))


class _Writer:
    """Fills the slots of one sentence and remembers what was drawn for it."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._rows: dict[tuple[str, str], int] = {}
        self._women: dict[str, bool] = {}

    def sentence(self, choices: tuple[str, ...]) -> str:
        text = self._fill(self._choose_one(choices))
        text = _ARTICLE.sub(r"\1n ", text[0].upper() + text[1:])
        return f"{text}."

    def _choose_one(self, choices: tuple[str, ...]) -> str:
        return choices[int(self._chance.random() * len(choices))]

    def _fill(self, text: str) -> str:
        return _MARK.sub(self._replace_words, text)

    def _replace_words(self, mark: re.Match[str]) -> str:
        part, slot, digit = mark.groups()
        if part:
            return self._fill(self._choose_one(PARTS[part]))
        if slot in _PRONOUNS:
            return _PRONOUNS[slot][self._is_woman(digit)]
        if slot == "action":
            return self._fill(self._choose_one(ACTIONS[self._word("does", digit)]))
        if slot == "bearer":
            return self._fill(BEARERS[self._word("quality", "")][digit == "2"])
        if slot in _GENDERED:
            slot = f"{slot}_woman" if self._is_woman(digit) else f"{slot}_man"
        return self._word(slot, digit)

    def _is_woman(self, digit: str) -> bool:
        if digit not in self._women:
            self._women[digit] = self._chance.random() < 0.5
        return self._women[digit]

    def _word(self, column: str, digit: str) -> str:
        table = TABLE_OF[column]
        if (table, digit) not in self._rows:
            free = [row for row in range(len(ROWS[table])) if row not in self._chosen_rows(table)]
            self._rows[table, digit] = free[int(self._chance.random() * len(free))]
        return ROWS[table][self._rows[table, digit]][COLUMNS[table].index(column)]

    def _chosen_rows(self, table: str) -> list[int]:
        return [row for (other, _), row in self._rows.items() if other == table]
