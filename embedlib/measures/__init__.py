"""Numbers that compare positional schemes, all computed on the same text and seed, all listed in MEASURES."""

from collections.abc import Callable, Iterable, Mapping

import torch

from embedlib.i18n import N_
from embedlib.measures.context import Measure, MeasureContext
from embedlib.measures.contributions import (
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
    text_content_term,
)
from embedlib.measures.effects import Effect, EffectKind, effect_kind, effect_on_rows
from embedlib.measures.logits import receptive_field, receptive_fields, shift_std
from embedlib.measures.order import word_order
from embedlib.measures.periods import extrapolate_rotation, pair_period, pair_speed
from embedlib.measures.probes import probes_r2
from embedlib.measures.profiles import (
    far_profile,
    is_logit_term,
    profile_or_none,
    relative_similarity,
    scale_to_origin,
    standard_similarity,
    standardise,
)
from embedlib.measures.rows import norm_ratio, position_rows, smoothness, uniqueness
from embedlib.measures.similarity import (
    adjacent_distance,
    mean_by_distance,
    monotonicity,
    pairwise_distance,
    similarity_matrix,
    toeplitz_r2,
)
from embedlib.measures.verdict import MIN_LOGIT_STEP, AddedCost, Rounding, Verdict, verdict
from embedlib.positional import PositionalScheme

# What a measure is computed from.
_POSITIONS = N_("Measured at all positions.")
_TEXT = N_("Measured on the text, at all positions.")
_RANDOM = N_("Measured at the first 128 positions with random tokens.")
_SHUFFLED = N_("Measured at the first 32 positions with shuffled tokens.")


def _joint_measure(
    of: Callable[[PositionalScheme, MeasureContext], Mapping[str, float | None]], *words: str
) -> Measure:
    """Describe one of several measures computed together; all of those read the text."""
    name, title, summary, basis = words
    return Measure(
        name,
        title,
        summary,
        basis,
        reads_text=True,
        compute=lambda scheme, context: of(scheme, context)[name],
        compute_joint=of,
    )


MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "toeplitz_r2",
            N_("Does only the distance count, without tokens?"),
            N_(
                "1: two positions at the same distance are always equally similar, as long as no token rows are added. "
                "0: their distance says nothing."
            ),
            _POSITIONS,
            reads_text=False,
            compute=toeplitz_r2,
        ),
        Measure(
            "shift_std",
            N_("How much does a score change if both tokens move on?"),
            N_("Standard deviation of an attention score; 0: only the distance counts."),
            _RANDOM,
            reads_text=False,
            compute=shift_std,
        ),
        Measure(
            "uniqueness",
            N_("How far apart are the two most similar position rows?"),
            N_("Length of their difference. 0: two positions cannot be told apart."),
            _POSITIONS,
            reads_text=False,
            compute=uniqueness,
        ),
        Measure(
            "smoothness",
            N_("Is a small step in position a small step in the row?"),
            N_("Mean distance of neighbours, divided by that of all pairs. Near 0: small steps. 1: as far as any."),
            _POSITIONS,
            reads_text=False,
            compute=smoothness,
        ),
        Measure(
            "monotonicity",
            N_("Do farther positions count less?"),
            N_("Rank correlation of similarity with distance. −1: the farther, the less, without exception."),
            _POSITIONS,
            reads_text=False,
            compute=monotonicity,
        ),
        Measure(
            "norm_ratio",
            N_("How long are the position rows compared with the token rows?"),
            N_("Mean length of the position rows, divided by that of the token rows."),
            _TEXT,
            reads_text=True,
            compute=norm_ratio,
        ),
        Measure(
            "receptive_field",
            N_("How many tokens does a head reach?"),
            N_("The number of nearest tokens that get 99% of the weight, if the bias alone decides; mean of heads."),
            _POSITIONS,
            reads_text=False,
            compute=receptive_field,
        ),
        _joint_measure(
            probes_r2,
            "probe_absolute_r2",
            N_("Can the position be read from the output?"),
            N_(
                "Multiply each number of the output by a learned weight and add them up (a linear probe): does that "
                "give the position? 1: exactly; up to 0.1: no better than chance. Even NoPE gives a hint: each token "
                "reads only itself and earlier tokens (causal mask), so a later output is a mixture of more tokens. "
                "ALiBi weakens this hint: far tokens count less, so every output is mostly a mixture of the last few."
            ),
            _SHUFFLED,
        ),
        _joint_measure(
            probes_r2,
            "probe_relative_r2",
            N_("Can the distance of two tokens be read from the output?"),
            N_(
                "A linear probe, weights with which the numbers of an output are added up, is applied to two outputs: "
                "does the difference give their distance? 1: exactly; up to 0.1: no better than chance. Even NoPE "
                "gives a hint: each token reads only itself and earlier tokens, so a later output is a mixture of "
                "more tokens."
            ),
            _SHUFFLED,
        ),
        _joint_measure(
            word_order,
            "word_order_swap",
            N_("Does the output change if two tokens swap places?"),
            N_(
                "How much the output of one untrained layer without a mask changes, compared with the length of the "
                "output. 0: it stays the same."
            ),
            _TEXT,
        ),
        _joint_measure(
            word_order,
            "word_order_reversal",
            N_("Does the output change if the text is read backwards?"),
            N_(
                "How much the output of one untrained layer without a mask changes, compared with the length of the "
                "output. 0: it stays the same."
            ),
            _TEXT,
        ),
        _joint_measure(
            word_order,
            "word_order_shift",
            N_("Does the output change if the whole text moves 16 places on?"),
            N_(
                "How much the output of one untrained layer without a mask changes, compared with the length of the "
                "output. 0: it stays the same."
            ),
            _TEXT,
        ),
    )
}


def compute_measures(
    scheme: PositionalScheme, context: MeasureContext, names: Iterable[str]
) -> dict[str, float | None]:
    """Compute several measures of one scheme, by name; those computed together are computed once.

    Give all schemes the same context: it caches what they share.
    """
    values: dict[str, float | None] = {}
    for name in (wanted := list(names)):
        if name not in MEASURES:
            raise ValueError(f"name={name!r} must be one of {', '.join(MEASURES)}")
        measure = MEASURES[name]
        with torch.inference_mode():  # of hundreds of small products, keeping nothing for gradients saves 7 %
            if name not in values and measure.compute_joint is not None:
                values.update(measure.compute_joint(scheme, context))
            elif name not in values:
                values[name] = measure.compute(scheme, context)
    return {name: values[name] for name in wanted}
