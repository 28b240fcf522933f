"""Where some tokenizers cut a text and others do not."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embedlib.tokenizers.aligned_rows import AlignedRow, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Disagreements:
    """Where some tokenizers cut and others do not.

    Attributes:
        names: the tokenizers compared, in order.
        places: (n_places,) the boundaries in question; boundary b lies between column b - 1 and column b.
        cuts: (n_names, n_places) int8: 1 where that tokenizer cuts, 0 where one of its tokens goes across, -1 where it
            says nothing, because the column beside the boundary belongs to none of its tokens.
        columns: (n_split,) the columns that some cut into pieces and others leave whole.
        stretches: (n_stretches, 2) the (first column, one more than the last) between two boundaries that no token of
            any tokenizer goes across; together they are the text.
        disputed: (n_stretches,) bool, whether a place or a column in question lies within the stretch.
    """

    names: tuple[str, ...]
    places: Ints
    cuts: NDArray[np.int8]
    columns: Ints
    stretches: Ints
    disputed: NDArray[np.bool_]


def find_disagreements(rows: Mapping[str, AlignedRow], n_columns: int) -> Disagreements:
    """Compare where tokenizers cut; embedlib.tokenizers.alignment says by what rule.

    Args:
        rows: for each tokenizer where its tokens lie.
        n_columns: how many columns the text has.

    Returns:
        Places, columns and stretches.
    """
    n = n_columns
    cuts = np.ones((len(rows), n + 1), np.int8)  # the text's two ends are boundaries of everybody's
    split, whole = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    for index, row in enumerate(rows.values()):
        cuts[index, 1:n] = np.where(_crossed(row, n)[1:n], 0, 1)
        silent = ~row.covered
        cuts[index, 1:n][silent[1:] | silent[:-1]] = -1
        touching = row.to_token - row.from_token
        split |= touching > 1
        whole |= touching == 1
    for index, row in enumerate(rows.values()):
        _mark_leaps(cuts, index, ~row.covered)
    joined = (cuts == 0).any(axis=0)
    open_places = joined & (cuts == 1).any(axis=0)
    in_question = split & whole  # (n_columns,)
    ends = np.flatnonzero(~joined)
    disputed = np.add.reduceat(np.append(in_question, False) | open_places, ends[:-1]) > 0 if n else np.zeros(0)
    places = np.flatnonzero(open_places)
    return Disagreements(
        names=tuple(rows),
        places=places,
        cuts=cuts[:, places],
        columns=np.flatnonzero(in_question),
        stretches=np.stack([ends[:-1], ends[1:]], axis=1),
        disputed=disputed.astype(np.bool_),
    )


def _crossed(row: AlignedRow, n_columns: int) -> NDArray[np.bool_]:
    """Tell for each boundary whether a token goes across it, (n_columns + 1,)."""
    change = np.bincount(row.first + 1, minlength=n_columns + 1)[: n_columns + 1]
    change = change - np.bincount(row.last + 1, minlength=n_columns + 1)[: n_columns + 1]
    crossed: NDArray[np.bool_] = change.cumsum() > 0
    return crossed


def _mark_leaps(cuts: NDArray[np.int8], index: int, silent: NDArray[np.bool_]) -> None:
    """Let a tokenizer cut where its own space begins, if another's token leaps over all of that space."""
    change = np.diff(np.concatenate(([0], silent.astype(np.int8), [0])))
    begin, end = np.flatnonzero(change == 1), np.flatnonzero(change == -1)  # columns begin … end - 1 are nobody's
    crossed = np.concatenate((np.zeros((len(cuts), 1), np.int64), (cuts == 0).cumsum(axis=1)), axis=1)
    leaps = (crossed[:, end + 1] - crossed[:, begin] == end + 1 - begin).any(axis=0)
    cuts[index, begin[leaps]] = 1
