"""The tokens of a text as selectable chips, with label, id and bytes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from operator import attrgetter

from embedlib.i18n import N_
from ui.cache.chips import Chip
from ui.components import register
from ui.components._shared.reports import resolve_choice

__all__ = ["LABELS", "Chip", "token_chips"]

_mount = register("token-chips", "token_chips")

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "tokens": N_("Tokens"),
    "hint": N_("Choose a token to see its id, its position and its bytes."),
    "empty": N_("There are no tokens yet: type a text above."),
    "text": N_("Text"),
    "id": N_("Id"),
    "position": N_("Position"),
    "bytes": N_("Bytes"),
    "more_bytes": N_("and {count} more"),
    "part": N_("Part of a character"),
    "part_of": N_("part {part} of the {parts} tokens that make {character}"),
    "group": N_("{character}: {parts} tokens"),
}


_values = attrgetter(*(field.name for field in fields(Chip)))


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
    data = {
        "chips": [_values(chip) for chip in chips],  # dataclasses.astuple copies each deeply, ten times as long
        "chosen": chosen,
        "turn": turn,
        "note": note,
        "labels": dict(labels),
    }
    _mount(key=key, data=data, on_chosen_change=on_chosen)
    return chosen
