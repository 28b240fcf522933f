"""Measures of word order: whether the pooled output of a small encoder changes with the order of the tokens."""

import torch

from embedlib.measures.context import MeasureContext, has_positions
from embedlib.positional import PositionalScheme
from embedlib.transformer.encoder import float64_copy, relative_change

# By how many positions the text is moved to the right.
SHIFT = 16


def word_order(scheme: PositionalScheme, context: MeasureContext) -> dict[str, float | None]:
    """Return how much the pooled output changes under a swap, a reversal and a shift, by names in MEASURES.

    In "word_order_swap" two tokens change places: the first, and the one nearest the middle that differs from it. In
    "word_order_reversal" the text is read from its end. In "word_order_shift" it stands SHIFT = 16 positions later.

    Each is relative to the length of the pooled output of an encoder of one layer without a mask; exactly 0 where the
    scheme cannot see it. None for schemes that are causal only or have not so many positions; a swap also where all
    tokens are the same, a reversal where the text reads the same from its end.
    """
    changes: dict[str, float | None] = dict.fromkeys(("word_order_swap", "word_order_reversal", "word_order_shift"))
    if scheme.causal_only or not has_positions(scheme, context.seq_len):
        return changes
    exact = float64_copy(scheme)
    names, layer = context.reordered_layer
    x, mixed = layer.attend(exact, causal=False)  # (n_texts, …) each, the text as it is first
    if has_positions(scheme, context.seq_len + SHIFT):
        moved_x, moved = layer.attend(exact, causal=False, n_texts=1, offset=SHIFT)
        if torch.equal(moved_x, x[:1]) and torch.equal(moved, mixed[:1]):
            changes["word_order_shift"] = 0.0  # what comes after reads nothing else
        else:
            x, mixed, names = torch.cat([x, moved_x]), torch.cat([mixed, moved]), [*names, "word_order_shift"]
    before, *changed = layer.output(x, mixed).mean(dim=-2)  # (d_model,) each
    for name, after in zip(names[1:], changed, strict=True):
        changes[name] = relative_change(before, after)
    return changes
