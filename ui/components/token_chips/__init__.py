"""The tokens of a text as selectable chips, with label, id and bytes."""

from collections.abc import Callable, Mapping, Sequence

from embedlib.components.chips import LABELS, Chip, chips_data
from ui.components import register
from ui.components._shared.reports import resolve_choice

__all__ = ["LABELS", "Chip", "token_chips"]

_mount = register("token-chips", "token_chips")


def token_chips(
    chips: Sequence[Chip],
    *,
    chosen: int | None,
    labels: Mapping[str, str],
    key: str,
    on_chosen: Callable[[], None],
    note: str = "",
) -> int | None:
    """Draw the chips and return the position of the selected one.

    See `reports.resolve_choice` for `chosen`, which any view of the page can set. A group's chips are adjacent.
    `note` is shown with the hint while no token is hovered or selected; without it neither is.
    """
    chosen, turn = resolve_choice(key, "chosen", chosen)
    if all(chip.position != chosen for chip in chips):
        chosen = None
    data = chips_data(chips, chosen=chosen, turn=turn, note=note, labels=labels)
    _mount(key=key, data=data, on_chosen_change=on_chosen)
    return chosen
