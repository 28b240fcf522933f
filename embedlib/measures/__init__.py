"""Numbers that compare positional schemes, all computed on the same text and seed, all listed in MEASURES."""

from collections.abc import Callable, Iterable, Mapping

import torch

from embedlib.i18n import N_
from embedlib.measures.context import Measure, MeasureContext
from embedlib.measures.contributions import (
    content_on_rows,
    content_term,
    has_similarity,
    injection_point,
    named_terms,
    paired_columns,
    pick_head,
    position_planes,
    random_similarity,
    rotated_units,
    score_bias,
)
from embedlib.measures.logits import receptive_field, receptive_fields, shift_std
from embedlib.measures.order import word_order
from embedlib.measures.periods import extrapolate_rotation, pair_period, pair_speed
from embedlib.measures.probes import probes_r2
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
from embedlib.measures.verdict import AddedCost, Rounding, Verdict, verdict
from embedlib.positional import PositionalScheme

__all__ = [
    "MEASURES",
    "AddedCost",
    "Measure",
    "MeasureContext",
    "Rounding",
    "Verdict",
    "acts_by_logits",
    "adjacent_distance",
    "content_on_rows",
    "content_term",
    "extrapolate_rotation",
    "far_profile",
    "has_similarity",
    "injection_point",
    "mean_by_distance",
    "named_terms",
    "pair_period",
    "pair_speed",
    "paired_columns",
    "pairwise_distance",
    "pick_head",
    "position_planes",
    "position_rows",
    "profile_or_none",
    "random_similarity",
    "receptive_fields",
    "relative",
    "relative_similarity",
    "rotated_units",
    "score_bias",
    "similarity_matrix",
    "similarity_profile",
    "standard",
    "standard_similarity",
    "take",
    "verdict",
]


# What a measure is computed from.
_POSITIONS = N_("All positions.")
_TEXT = N_("All positions and the text.")
_RANDOM = N_("The first 128 positions, random tokens.")
_SHUFFLED = N_("The first 32 positions, shuffled tokens.")


def _joint_measure(
    of: Callable[[PositionalScheme, MeasureContext], Mapping[str, float | None]], *words: str
) -> Measure:
    """Describe one of several measures computed together; all of those read the text."""
    name, title, summary, reads = words
    return Measure(
        name,
        title,
        summary,
        reads,
        reads_text=True,
        compute=lambda scheme, context: of(scheme, context)[name],
        together=of,
    )


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "toeplitz_r2",
            N_("Explained by distance"),
            N_("R² of similarity on distance; chance: 0."),
            _POSITIONS,
            reads_text=False,
            compute=toeplitz_r2,
        ),
        Measure(
            "shift_std",
            N_("Spread under shift"),
            N_("Standard deviation of a logit as both tokens shift."),
            _RANDOM,
            reads_text=False,
            compute=shift_std,
        ),
        Measure(
            "uniqueness",
            N_("Closest two positions"),
            N_("Smallest distance between two positions; identical: 0."),
            _POSITIONS,
            reads_text=False,
            compute=uniqueness,
        ),
        Measure(
            "smoothness",
            N_("Step / mean distance"),
            N_("Mean distance of neighbours over that of all pairs; smooth: near 0, random: 1."),
            _POSITIONS,
            reads_text=False,
            compute=smoothness,
        ),
        Measure(
            "monotonicity",
            N_("Trend with distance"),
            N_("Rank correlation of similarity with distance; always falling: −1."),
            _POSITIONS,
            reads_text=False,
            compute=monotonicity,
        ),
        Measure(
            "norm_ratio",
            N_("Position / token length"),
            N_("Mean length of position rows over that of token rows."),
            _TEXT,
            reads_text=True,
            compute=norm_ratio,
        ),
        Measure(
            "receptive_field",
            N_("Effective reach"),
            N_("Nearest tokens with 99% of the bias’s weight, mean of heads."),
            _POSITIONS,
            reads_text=False,
            compute=receptive_field,
        ),
        _joint_measure(
            probes_r2,
            "probe_absolute_r2",
            N_("Position probe"),
            N_("R² of a linear probe for position; chance: up to 0.1."),
            _SHUFFLED,
        ),
        _joint_measure(
            probes_r2,
            "probe_relative_r2",
            N_("Distance probe"),
            N_("R² of a linear probe for distance; chance: up to 0.1."),
            _SHUFFLED,
        ),
        _joint_measure(
            word_order,
            "word_order_swap",
            N_("Change by a swap"),
            N_("Relative change of an encoder’s output when two tokens swap."),
            _TEXT,
        ),
        _joint_measure(
            word_order,
            "word_order_reversal",
            N_("Change by reversal"),
            N_("Relative change when the text is reversed."),
            _TEXT,
        ),
        _joint_measure(
            word_order,
            "word_order_shift",
            N_("Change by a shift"),
            N_("Relative change when the text starts 16 positions later."),
            _TEXT,
        ),
    )
}


def take(scheme: PositionalScheme, context: MeasureContext, names: Iterable[str]) -> dict[str, float | None]:
    """Compute several measures of one scheme, by name; those computed together are computed once.

    Give all schemes the same context: it caches what they share.
    """
    values: dict[str, float | None] = {}
    for name in (wanted := list(names)):
        if name not in MEASURES:
            raise ValueError(f"name={name!r} must be one of {', '.join(MEASURES)}")
        measure = MEASURES[name]
        with torch.inference_mode():  # of hundreds of small products, keeping nothing for gradients saves 7 %
            if name not in values and measure.together is not None:
                values.update(measure.together(scheme, context))
            elif name not in values:
                values[name] = measure.compute(scheme, context)
    return {name: values[name] for name in wanted}
