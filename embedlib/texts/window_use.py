"""What an epoch of batches makes of each id of a text: read once, read more often, only answered, or passed over."""

from dataclasses import dataclass

import torch

from embedlib.texts.batches import WindowPlan


@dataclass(frozen=True)
class WindowUse:
    """How many ids of a text an epoch uses and how; the last four of these counts and `inputs` add up to all ids.

    Attributes:
        inputs: ids that are an input of at least one window.
        repeated: those among them that are an input of more than one.
        only_targets: ids that are the last target of a window and an input of none.
        only_dropped: ids that only windows have which are in no batch, as inputs or as their last target.
        between: ids between two windows, which no window has: the stride is more than the length.
        left_over: ids after the last window, too few for one more.
    """

    inputs: int
    repeated: int
    only_targets: int
    only_dropped: int
    between: int
    left_over: int


def window_use(plan: WindowPlan) -> WindowUse:
    """Count what an epoch makes of the ids of a text.

    Args:
        plan: how the text is cut; with shuffle and drop_last, the counts are those of its seed's first epoch.

    Returns:
        The counts, for which each id is looked at once.
    """
    coverage = plan.coverage()  # (n_ids,)
    ends = torch.arange(plan.n_windows) * plan.stride + plan.max_length  # (n_windows,), each window's last target
    is_target = torch.zeros(plan.n_ids, dtype=torch.bool)
    is_target[ends] = True
    is_target[ends[plan.dropped]] = False
    is_input = coverage > 0
    rest = (~is_input).nonzero()[:, 0]  # few, as a rule
    only_targets = int(is_target[rest].sum())
    only_dropped = 0
    if plan.n_dropped:
        is_dropped = plan.dropped_coverage() > 0
        is_dropped[ends[plan.dropped]] = True
        only_dropped = int((is_dropped & ~is_target)[rest].sum())
    counts = [plan.n_ids - len(rest), only_targets, only_dropped]
    return WindowUse(
        inputs=counts[0],
        repeated=int((coverage > 1).sum()),
        only_targets=counts[1],
        only_dropped=counts[2],
        between=plan.n_ids - sum(counts) - plan.n_left_over,
        left_over=plan.n_left_over,
    )
