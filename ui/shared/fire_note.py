"""What FIRE does past its threshold, in a sentence: no picture of fewer positions can show it."""

from embedlib.positional import FirePositions
from ui.i18n import _


def fire_note(scheme: FirePositions, n_positions: int) -> str:
    """Say that the distance alone does not decide, and whether the positions that are shown can tell.

    Args:
        scheme: with its threshold L; the bias of query i and key j depends on i once i > L.
        n_positions: how many positions are drawn and measured.
    """
    if n_positions - 1 > scheme.threshold:
        sentence = _(
            "FIRE is not translation invariant: up to position {threshold:g} the distance alone counts, "
            "past it the same distance means less and less."
        )
    else:
        sentence = _(
            "FIRE is not translation invariant, but no position from 0 to {last} can show it: up to position "
            "{threshold:g} the distance alone counts, past it the same distance means less and less. A threshold "
            "below {last} brings it into view."
        )
    return sentence.format(threshold=scheme.threshold, last=n_positions - 1)
