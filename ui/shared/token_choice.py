"""The tokens of the text as selectable chips, with their save menu."""

from collections.abc import Callable, Sequence

from ui.components import token_chips as chips_component
from ui.components.token_chips import Chip, token_chips
from ui.export import Lines, decode_token, save_table
from ui.i18n import _, translate_labels
from ui.settings import state


def token_choice(
    chips: Sequence[Chip], *, key: str, on_chosen: Callable[[], None] = state.dismiss_notices, note: str = ""
) -> int | None:
    """Draw the chips, and return the position of the selected one: the setting `token`."""
    if chips:
        lines = [
            [
                chip.position,
                chip.id if chip.known else None,
                decode_token(bytes.fromhex(chip.bytes_hex)),
                chip.bytes_hex,
            ]
            for chip in chips
        ]
        grid = {"": [[(chip.label, str(chip.id) if chip.known else "") for chip in chips]]}
        save_table("token-chips", _("Tokens"), grid, numbers=Lines(["position", "token_id", "token", "bytes"], lines))
    chosen = token_chips(
        chips,
        chosen=state.get("token"),
        labels=translate_labels(chips_component.LABELS),
        key=key,
        on_chosen=on_chosen,
        note=note,
    )
    state.put(token=chosen)
    return chosen
