"""The tokens of the text as chips, to choose from and to take along."""

from collections.abc import Callable, Sequence

import torch

from ui.components import token_chips as chips_component
from ui.components.token_chips import Chip, token_chips
from ui.export import lines_csv, readable, take_along
from ui.i18n import _, translated
from ui.settings import state


def token_choice(
    chips: Sequence[Chip], *, key: str, on_chosen: Callable[[], None] = state.dismiss_notices, note: str = ""
) -> int | None:
    """Draw the chips, and return the position of the chosen one: the setting `token`."""
    chosen = token_chips(
        chips,
        chosen=state.get("token"),
        labels=translated(chips_component.LABELS),
        key=key,
        on_chosen=on_chosen,
        note=note,
    )
    state.put(token=chosen)
    if chips:
        take_along(
            "token-chips",
            grid=lambda: {"": [[(chip.label, str(chip.id) if chip.known else "") for chip in chips]]},
            table=lambda: chips_csv(chips),
            arrays=lambda: {"token_ids": torch.tensor([chip.id for chip in chips])},
            title=_("Tokens"),
        )
    return chosen


def chips_csv(chips: Sequence[Chip]) -> str:
    """Write one line per token: position, id, text, bytes in hex; no id where the table in view has no row for it."""
    lines = (
        [chip.position, chip.id if chip.known else None, readable(bytes.fromhex(chip.bytes_hex)), chip.bytes_hex]
        for chip in chips
    )
    return lines_csv(["position", "token_id", "token", "bytes"], lines)
