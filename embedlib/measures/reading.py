"""Probe measures: what a straight line reads about positions in the hidden states under a scheme."""

from torch import Tensor

from embedlib.measures.context import MeasureContext, has_positions
from embedlib.measures.probes import Probe, probe_both
from embedlib.measures.texts import LONGEST
from embedlib.positional import PositionalScheme

# Ridge penalty per sample; hidden states have variance 1. Without it what cannot be read scores well below chance.
_PENALTY = 0.2


def probe_states(scheme: PositionalScheme, context: MeasureContext) -> Tensor | None:
    """Return hidden states of shuffled texts, to read positions from.

    The tokens of the text are drawn at random with replacement, so that they tell nothing about where they stand, and
    run through one layer with random weights under a causal mask, which every scheme can stand.

    Args:
        scheme: any.
        context: rows, seed, and seq_len, of which at most 32 count.

    Returns:
        (n_sequences, seq_len, d_model) float32, about 768 tokens. Not defined (None) where the
        scheme has not so many positions.
    """
    if not has_positions(scheme, min(context.seq_len, LONGEST)):
        return None
    layer = context.shuffled
    return layer.output(*layer.attend(scheme, causal=True))


def probes(scheme: PositionalScheme, context: MeasureContext) -> tuple[Probe, Probe] | None:
    """Return how well a position, and the distance of two, are read from hidden states.

    Args:
        scheme: any.
        context: as for ``probe_states``.

    Returns:
        What ``probe_both`` finds in ``probe_states``; None where either is not defined.
    """
    hidden = probe_states(scheme, context)
    if hidden is None:
        return None
    n_train = len(hidden) * 3 // 4
    return probe_both(hidden, n_train=n_train, alpha=_PENALTY * n_train * hidden.shape[1])


def absolute_probe(scheme: PositionalScheme, context: MeasureContext) -> Probe | None:
    """Return how well a position is read from its hidden state; see ``probes``."""
    found = probes(scheme, context)
    return None if found is None else found[0]


def relative_probe(scheme: PositionalScheme, context: MeasureContext) -> Probe | None:
    """Return how well i - j is read from h_i - h_j; see ``probes``."""
    found = probes(scheme, context)
    return None if found is None else found[1]


def probe_absolute_r2(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return R² of ``absolute_probe``: at most 1, about 0 by chance; not defined (None) where that is not."""
    return probes_r2(scheme, context)["probe_absolute_r2"]


def probe_relative_r2(scheme: PositionalScheme, context: MeasureContext) -> float | None:
    """Return R² of ``relative_probe``: at most 1, about 0 by chance; not defined (None) where that is not."""
    return probes_r2(scheme, context)["probe_relative_r2"]


def probes_r2(scheme: PositionalScheme, context: MeasureContext) -> dict[str, float | None]:
    """Return R² of both probes by their names in MEASURES, from the same hidden states."""
    found = probes(scheme, context)
    absolute, relative = (None, None) if found is None else (probe.r2 for probe in found)
    return {"probe_absolute_r2": absolute, "probe_relative_r2": relative}
