"""Word categories of the toy grammar, and the analogies (a : b = c : d) it implies.

King is to man as queen is to woman.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from embedlib.grammar.words import column_words
from embedlib.i18n import N_

GROUPS: dict[str, str] = {
    "people": N_("people"),
    "places": N_("places"),
    "animals": N_("animals"),
    "time": N_("numbers and time"),
    "things": N_("things"),
    "body": N_("food and body"),
    "actions": N_("actions"),
    "qualities": N_("qualities"),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """Words of one kind.

    Attributes:
        title: marked for translation.
        group: a key of GROUPS: there are more kinds than distinguishable colours, but fewer groups.
        columns: keys of grammar_words.COLUMNS with its words.
    """

    title: str
    group: str
    columns: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words, case-folded."""
        return tuple(word for column in self.columns for word in column_words(column))


KINDS: dict[str, Kind] = {
    "royals": Kind(N_("royals"), "people", ("royal_man", "royal_woman")),
    "relatives": Kind(N_("family"), "people", ("relative_man", "relative_woman")),
    "people": Kind(N_("men and women"), "people", ("person_man", "person_woman")),
    "trades": Kind(N_("trades"), "people", ("trade",)),
    "realms": Kind(N_("realms"), "places", ("realm",)),
    "countries": Kind(N_("countries"), "places", ("country",)),
    "capitals": Kind(N_("capitals"), "places", ("capital",)),
    "nationalities": Kind(N_("nationalities"), "places", ("nationality",)),
    "workplaces": Kind(N_("workplaces"), "places", ("workplace",)),
    "animals": Kind(N_("grown animals"), "animals", ("animal",)),
    "young": Kind(N_("young animals"), "animals", ("young",)),
    "homes": Kind(N_("animal homes"), "animals", ("home",)),
    "sounds": Kind(N_("animal sounds"), "animals", ("sound",)),
    "numbers": Kind(N_("numbers"), "time", ("number",)),
    "days": Kind(N_("days"), "time", ("day",)),
    "months": Kind(N_("months"), "time", ("month",)),
    "weather": Kind(N_("weather"), "time", ("weather",)),
    "colours": Kind(N_("colours"), "qualities", ("colour",)),
    "qualities": Kind(N_("qualities"), "qualities", ("quality",)),
    "comparatives": Kind(N_("comparatives"), "qualities", ("more",)),
    "foods": Kind(N_("foods"), "body", ("food",)),
    "body": Kind(N_("body parts"), "body", ("limb",)),
    "belongings": Kind(N_("belongings"), "things", ("keepsake", "belonging")),
    "tools": Kind(N_("tools"), "things", ("tool",)),
    "clothes": Kind(N_("clothes"), "things", ("garment",)),
    "vehicles": Kind(N_("vehicles"), "things", ("vehicle",)),
    "instruments": Kind(N_("musical instruments"), "things", ("instrument",)),
    "present": Kind(N_("present verbs"), "actions", ("does",)),
    "past": Kind(N_("past verbs"), "actions", ("did",)),
    "participles": Kind(N_("-ing verbs"), "actions", ("doing",)),
}

# relation -> the columns of its first and its second words, row by row.
_RELATIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "gender": (("royal_man", "royal_woman"), ("relative_man", "relative_woman"), ("person_man", "person_woman")),
    "capital": (("country", "capital"),),
    "young": (("animal", "young"),),
    "past": (("does", "did"),),
    "participle": (("does", "doing"),),
    "comparative": (("quality", "more"),),
    "tool": (("trade", "tool"),),
}
RELATIONS: dict[str, str] = {
    "gender": N_("man and woman of equal rank"),
    "capital": N_("country and capital"),
    "young": N_("animal and young"),
    "past": N_("verb in present and past"),
    "participle": N_("verb in present and -ing"),
    "comparative": N_("adjective and comparative"),
    "tool": N_("trade and tool"),
}


def word_kinds(words: Iterable[str]) -> list[str | None]:
    """Return the kind of each word, ignoring case, a key of KINDS; None for function words and unknown ones."""
    known = {word: name for name, kind in KINDS.items() for word in kind.words}
    return [known.get(word.casefold()) for word in words]


def pairs(relation: str) -> list[tuple[str, str]]:
    """Return the pairs of a relation, a key of RELATIONS: king and queen, France and Paris.

    Any two pairs (a, b), (c, d) make an analogy: b is to a as d is to c, and b - a + c should lie near d. At least 14
    pairs, case-folded; no word twice on the same side.
    """
    if relation not in _RELATIONS:
        raise ValueError(f"relation={relation!r} is unknown: choose among {', '.join(_RELATIONS)}")
    return [
        pair
        for first, second in _RELATIONS[relation]
        for pair in zip(column_words(first), column_words(second), strict=True)
    ]


def analogy_answer(a: str, b: str, c: str) -> str | None:
    """Return the word that a - b + c should be near to (king - man + woman), case-folded; None if the grammar has none.

    There is one where two of the words are in one of its relations, and the third has a partner in the same one: man
    and woman are, and king's is queen; so are France and Paris, and Rome's is Italy. The answer is never a, b or c.
    """
    a, b, c = a.casefold(), b.casefold(), c.casefold()
    for relation in RELATIONS:
        there = dict(pairs(relation))
        back = {second: first for first, second in there.items()}
        for way in (there, back):
            # From b to c as from a to the answer; or from b to a as from c to the answer.
            for start, stop, word in ((b, c, a), (b, a, c)):
                answer = way.get(word)
                if way.get(start) == stop and answer is not None and answer not in (a, b, c):
                    return answer
    return None
