"""Whether what the moving words are given fits together."""

from collections.abc import Sequence

import numpy as np

NONE = 255  # a word without a group, or without a kind


def check_run(steps: Sequence[int], step: int, follow: bool, n_steps: int) -> None:
    """Refuse steps that do not fit the run."""
    if not steps or steps[-1] > n_steps:
        raise ValueError(f"{len(steps)} steps, n_steps={n_steps}: give at least one step, and none beyond the last")
    if not follow and step not in steps:
        raise ValueError(f"step={step} is not among the steps: give one of {list(steps)[:8]}…{steps[-1]}")


def check_words(
    n_words: int,
    groups: bytes,
    legend: Sequence[tuple[str, str, int]],
    kinds: Sequence[str],
    kind_of: bytes,
    neighbours: Sequence[int],
) -> None:
    """Refuse words whose groups, kinds or neighbours do not exist."""
    if len(groups) != n_words or len(kind_of) != n_words:
        raise ValueError(f"{len(groups)} groups and {len(kind_of)} kinds for {n_words} words: give one of each")
    for name, indices, entries in (("groups", groups, legend), ("kind_of", kind_of, kinds)):
        found = np.frombuffer(indices, np.uint8)
        most = int(found[found != NONE].max(initial=0))
        if (found != NONE).any() and most >= len(entries):
            raise ValueError(f"{name} reaches {most} but there are {len(entries)}: give indices of them, or {NONE}")
    for _, colour, _ in legend:
        if len(colour) != 7 or colour[0] != "#":
            raise ValueError(f"legend has the colour {colour!r}: give each as #rrggbb")
    if any(not 0 <= index < n_words for index in neighbours):
        raise ValueError(f"neighbours reach from {min(neighbours)} to {max(neighbours)}: give 0..{n_words - 1}")
