"""Heights of the components of a batch, reserved until the browser has drawn them."""

from math import ceil

from embedlib.texts import WindowPlan
from ui.components.tensor_block import drawn_shape
from ui.components.window_pairs import MAX_COLUMNS, MAX_ROWS

WIDE = 1040  # px that a component has on a screen of 1440, with the sidebar open
NARROW = 356  # on one of 390


def text_height(labels: list[str], plan: WindowPlan, *, width: int) -> int:
    """Estimate the height of the text with its windows, whose tokens scroll beyond 380 px, 330 on a phone."""
    most, around = (380, 249) if width == WIDE else (330, 338)
    if len(labels) == plan.n_ids:  # no strip
        around -= 107
    lines = ceil(sum(max(22, 10.9 * len(label) + 12) for label in labels) / (0.97 * width))
    over_one = 1 if plan.shuffle else min(4, -(-plan.max_length // plan.stride), plan.batch_size)
    with_samples = ceil(lines * min(1, plan.batch_size * min(plan.stride, plan.max_length) / len(labels)))
    return around + min(most, lines * 56 + with_samples * 23 * over_one - 2)


def pairs_height(n_samples: int, n_positions: int, *, width: int) -> int:
    """Work out the height of inputs and targets, beside each other or each line under its other one."""
    around = 54 if width == WIDE else 148
    if n_samples > MAX_ROWS or n_positions > MAX_COLUMNS:  # a line says how many are drawn
        around += 28 if width == WIDE else 49
    n_samples = min(n_samples, MAX_ROWS)
    cell = (width - 84) / (2 * n_positions + 1)  # as window_pairs/grid.ts lays them out
    beside = cell >= 76 and 2 * max(170, 40 + n_positions * min(132, cell)) + min(132, cell) <= width
    return around + (min(690, 66 + n_samples * 72) if beside else min(730, 88 + n_samples * 156))


def block_height(shape: tuple[int, int, int], *, width: int) -> int:
    """Return the height of a block of this shape, for the sentence that says how much of it is drawn."""
    more = 0 if drawn_shape(shape) == shape else 21
    return 628 if width == WIDE else 728 + more
