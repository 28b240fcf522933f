"""Numbers that tell positional schemes apart, all taken on the same text and seed, all listed in MEASURES."""

from collections.abc import Callable, Iterable, Mapping

import torch

from embedlib.i18n import N_
from embedlib.measures.context import Measure, MeasureContext
from embedlib.measures.contributions import (
    content_on_rows,
    content_term,
    has_similarity,
    named_terms,
    paired_columns,
    pick_head,
    place_of,
    position_planes,
    score_bias,
    turned_units,
)
from embedlib.measures.logits import receptive_field, receptive_fields, shift_std
from embedlib.measures.order import word_order
from embedlib.measures.probes import absolute_probe, probes_r2, relative_probe
from embedlib.measures.profiles import (
    acts_by_logits,
    far_profile,
    profile_or_none,
    relative,
    relative_similarity,
    standard,
    standard_similarity,
)
from embedlib.measures.rows import norm_ratio, position_rows, smoothness, uniqueness
from embedlib.measures.similarity import (
    adjacent_distance,
    mean_by_distance,
    monotonicity,
    pairwise_distance,
    similarity_matrix,
    similarity_profile,
    toeplitz_r2,
)
from embedlib.positional import PositionalScheme

__all__ = [
    "MEASURES",
    "Measure",
    "MeasureContext",
    "absolute_probe",
    "acts_by_logits",
    "adjacent_distance",
    "content_on_rows",
    "content_term",
    "far_profile",
    "has_similarity",
    "mean_by_distance",
    "named_terms",
    "paired_columns",
    "pairwise_distance",
    "pick_head",
    "place_of",
    "position_planes",
    "position_rows",
    "profile_or_none",
    "receptive_fields",
    "relative",
    "relative_probe",
    "relative_similarity",
    "score_bias",
    "similarity_matrix",
    "similarity_profile",
    "standard",
    "standard_similarity",
    "take",
    "turned_units",
]


def _of_several(of: Callable[[PositionalScheme, MeasureContext], Mapping[str, float | None]], *words: str) -> Measure:
    """Describe one of several measures that come out of one computation; all of those read the text."""
    name, title, summary = words
    return Measure(
        name, title, summary, reads_text=True, compute=lambda scheme, context: of(scheme, context)[name], together=of
    )


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "toeplitz_r2",
            N_("Told by distance alone"),
            N_("How much of the similarity of two positions their distance explains: 1 is all of it (Toeplitz R²)."),
            reads_text=False,
            compute=toeplitz_r2,
        ),
        Measure(
            "shift_std",
            N_("Logit moves with the text"),
            N_("How much an attention logit varies while both its tokens move along together: 0 is not at all."),
            reads_text=False,
            compute=shift_std,
        ),
        Measure(
            "uniqueness",
            N_("Closest two positions"),
            N_("The least distance between any two positions: 0 means that two of them look the same."),
            reads_text=False,
            compute=uniqueness,
        ),
        Measure(
            "smoothness",
            N_("Step against spread"),
            N_("The distance of neighbours over that of any two positions: small is smooth, 1 is random."),
            reads_text=False,
            compute=smoothness,
        ),
        Measure(
            "monotonicity",
            N_("Trend with distance"),
            N_("Rank correlation of similarity with distance: −1 where farther always means less alike."),
            reads_text=False,
            compute=monotonicity,
        ),
        Measure(
            "norm_ratio",
            N_("Position against token"),
            N_("The mean length of the added rows over that of the token rows."),
            reads_text=True,
            compute=norm_ratio,
        ),
        Measure(
            "receptive_field",
            N_("Reach of the bias"),
            N_("How many of the nearest tokens hold 99 % of the weight that the bias gives, mean of all heads."),
            reads_text=False,
            compute=receptive_field,
        ),
        _of_several(
            probes_r2,
            "probe_absolute_r2",
            N_("Position read back"),
            N_("How well a straight line reads the position from a hidden state: 1 is perfect, 0 is chance."),
        ),
        _of_several(
            probes_r2,
            "probe_relative_r2",
            N_("Distance read back"),
            N_("How well a straight line reads the distance from two hidden states: 1 is perfect, 0 is chance."),
        ),
        _of_several(
            word_order,
            "word_order_swap",
            N_("Sees a swap"),
            N_("How much a small encoder's output changes when two tokens change places: 0 is not at all."),
        ),
        _of_several(
            word_order,
            "word_order_reversal",
            N_("Sees a reversal"),
            N_("How much a small encoder's output changes when the text is reversed: 0 is not at all."),
        ),
        _of_several(
            word_order,
            "word_order_shift",
            N_("Sees a shift"),
            N_("How much a small encoder's output changes when the text stands 16 positions later: 0 is not at all."),
        ),
    )
}


def take(scheme: PositionalScheme, context: MeasureContext, names: Iterable[str]) -> dict[str, float | None]:
    """Take several measures of one scheme; what comes out of one computation is computed once.

    Args:
        scheme: any.
        context: the text and the seed. Where several schemes are measured, the same one for all: it keeps what they
            share.
        names: keys of MEASURES.

    Returns:
        Each name, in the order given, with what its ``compute`` returns.

    Raises:
        ValueError: an unknown name, or a context that does not fit the scheme.
    """
    found: dict[str, float | None] = {}
    for name in (wanted := list(names)):
        if name not in MEASURES:
            raise ValueError(f"name={name!r} must be one of {', '.join(MEASURES)}")
        measure = MEASURES[name]
        with torch.inference_mode():  # of hundreds of small products, keeping nothing for gradients saves 7 %
            if name not in found and measure.together is not None:
                found.update(measure.together(scheme, context))
            elif name not in found:
                found[name] = measure.compute(scheme, context)
    return {name: found[name] for name in wanted}
