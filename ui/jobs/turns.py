"""Whose turn it is: one piece of work for each who waits, round and round, however much one of them asked for."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Visitor = TypeVar("Visitor", bound=Hashable)
Work = TypeVar("Work", bound=Hashable)


def in_turns(visitors: Iterable[Visitor], wishes: Mapping[Visitor, Sequence[Work]]) -> list[tuple[Visitor, Work]]:
    """Put the work of several visitors in a fair order.

    Args:
        visitors: who waits, whoever is next first.
        wishes: what each of them waits for, in their own order; two may wait for the same.

    Returns:
        Every piece of work once, with the visitor whose turn it takes.
    """
    ring = list(visitors)
    left = {visitor: list(wishes.get(visitor, ())) for visitor in ring}
    order: list[tuple[Visitor, Work]] = []
    taken: set[Work] = set()
    while ring:
        for visitor in list(ring):
            while left[visitor] and left[visitor][0] in taken:
                left[visitor].pop(0)
            if not left[visitor]:
                ring.remove(visitor)
                continue
            work = left[visitor].pop(0)
            taken.add(work)
            order.append((visitor, work))
    return order
