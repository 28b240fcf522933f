"""What the grammar answers to an analogy: king is to man as … is to woman."""

from embedlib.grammar.grammar_kinds import RELATIONS, pairs


def answer_of(a: str, b: str, c: str) -> str | None:
    """Return the word that a - b + c should be near to, where the grammar knows it.

    It does where two of the words stand in one of its relations, and the third has a partner in the same one: man and
    woman do, and king's is queen; so do France and Paris, and Rome's is Italy.

    Args:
        a: in any case, such as king.
        b: such as man.
        c: such as woman.

    Returns:
        Without its case; None where the grammar has no answer, or it would be a, b or c itself.
    """
    a, b, c = a.casefold(), b.casefold(), c.casefold()
    for relation in RELATIONS:
        there = dict(pairs(relation))
        back = {second: first for first, second in there.items()}
        for way in (there, back):
            # From b to c as from a to the answer; or from b to a as from c to the answer.
            for start, stop, asked in ((b, c, a), (b, a, c)):
                answer = way.get(asked)
                if way.get(start) == stop and answer is not None and answer not in (a, b, c):
                    return answer
    return None
