"""Byte-pair encoding of one piece of a text, merge by merge: parts, candidate pairs, next merge."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from embedlib.components.payload import STEPS
from embedlib.i18n import N_
from ui.components import register

__all__ = ["LABELS", "MAX_PARTS", "MAX_PIECES", "Piece", "State", "merge_player"]

MAX_PIECES = 2_000
MAX_PARTS = 256

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = STEPS | {
    "pieces": N_("Pieces of the text"),
    "figure": N_("Parts of the chosen piece"),
    "step": N_("Step {number} of {count}"),
    "piece": N_("We follow one piece of the text, ‘{piece}’. (· is a space.)"),
    "start": N_("It begins as {count} single bytes."),
    "merged": N_("‘{left}’ and ‘{right}’ became ‘{whole}’ (rank {rank})."),
    "following": N_("Of all neighbours ‘{left}’ and ‘{right}’ have the lowest rank, {rank}: they are merged next."),
    "finished": N_("No neighbours stand in the list any more, so nothing is merged."),
    "finished_one": N_("There is nothing left to merge."),
    "id_of_one": N_("The piece is one token; its id is {ids}."),
    "ids": N_("These parts are the tokens; their ids are {ids}."),
    "rank": N_("Rank"),
    "rank_below": N_(
        "Between neighbours stands the rank of their merge, its number in the list: the lower it is, the earlier "
        "training learned it."
    ),
    "id_below": N_("Under each token stands its id."),
    "no_rank": N_("none"),
    "merges": N_("Merges so far"),
    "no_merges": N_("No pair has been merged yet."),
}

_component = register("merge-player", "merge_player", styles=["_shared/stepper.css"])


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece that the pre-tokenizer cuts from the text."""

    label: str
    """Its text with visible marks."""
    first: int
    """The column of the text, a character as it is read, that it begins in."""
    last: int
    """The column that it ends in."""


@dataclass(frozen=True, slots=True)
class State:
    """The chosen piece between two merges."""

    parts: Sequence[str]
    """Labels of the parts, in order, at least one."""
    ranks: Sequence[int | None]
    """Of each neighbouring pair, one fewer than parts; None if the pair is not a merge."""
    pair: int | None
    """Index of the left part of the pair that merges next, or None."""


def merge_player(
    pieces: Sequence[Piece],
    *,
    chosen: int,
    states: Sequence[State],
    ids: Sequence[int],
    labels: Mapping[str, str],
    key: str,
) -> None:
    """Draw the pieces, and play the merges of the chosen one.

    The page's shared pointer counts columns of the text: the piece under it is highlighted, and a click on a piece
    selects the piece's first column. The page learns of that by token_rows, and sends that piece's states: from the
    bytes to the tokens, each from the one before by merging its pair. `ids` are those of the last state's tokens.
    """
    _component(
        key=key,
        data={
            "pieces": [[piece.label, piece.first, piece.last] for piece in pieces],
            "chosen": chosen,
            "states": [asdict(state) for state in states],
            "ids": [str(token_id) for token_id in ids],
            "labels": dict(labels),
        },
    )
