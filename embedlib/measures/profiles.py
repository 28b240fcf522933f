"""Influence of a position by distance, in units in which every scheme can be drawn on one chart."""

import torch
from torch import Tensor

from embedlib.measures.similarity import mean_by_distance
from embedlib.positional import PositionalScheme


def similarity_or_none(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return how alike any two positions are.

    Returns: (seq_len, seq_len) float32 on the CPU in the scheme's own unit; None where the scheme has no such thing,
    because it does nothing, reads the content, or has no row for some of these positions. Keys after the query may be
    NaN where a scheme is causal only.
    """
    if not scheme.acts_on:
        return None
    try:
        similarity = scheme.similarity(seq_len)
    except ValueError:
        return None
    defined = similarity.tril() if scheme.causal_only else similarity
    return similarity.detach().float().cpu() if defined.isfinite().all() else None


def relative(values: Tensor, profile: Tensor, *, logits: bool) -> Tensor | None:
    """Express similarities in what distance 0 has, so that distance 0 becomes 1.

    Args:
        values: similarities of any shape.
        profile: (n,) their mean by distance.
        logits: True for a bias, which is added to logits: its exponential multiplies the attention weight, so the
            result is ``exp(values - profile[0])``. False for products: ``values / profile[0]``.

    Returns:
        Shaped like values; None for products of which distance 0 has less than half of what some other distance has:
        it is then no unit to measure them in.
    """
    if logits:
        return (values - profile[0]).exp()
    origin, greatest = abs(float(profile[0])), float(profile.abs().max())
    return None if origin < max(greatest / 2, 1e-9) else values / profile[0]


def standard(profile: Tensor, values: Tensor | None = None) -> Tensor | None:
    """Subtract the mean over all distances and divide by the standard deviation over them.

    Args:
        profile: (n,) similarity by distance, n at least 2.
        values: similarities of any shape to express in this unit; None takes the profile itself.

    Returns:
        Shaped like values; the profile becomes one of mean 0 and variance 1 (the biased one). None where the profile is
        constant.
    """
    spread = profile.std(correction=0)
    if float(spread) <= 1e-6 * float(profile.abs().max()):
        return None
    return ((profile if values is None else values) - profile.mean()) / spread


def acts_by_logits(scheme: PositionalScheme) -> bool:
    """Return whether the scheme's similarity is a term of the logits rather than a product of rows or rotations."""
    return "score" in scheme.acts_on and "embedding" not in scheme.acts_on


def relative_similarity(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return the similarity of any two positions in units of distance 0; None where that is not defined.

    Returns:
        (seq_len, seq_len) float32 on the CPU; its diagonal has mean 1.
    """
    similarity = similarity_or_none(scheme, seq_len)
    if similarity is None:
        return None
    return relative(similarity, mean_by_distance(similarity), logits=acts_by_logits(scheme))


def standard_similarity(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return the similarity of any two positions as a z-score over distances; None where that is not defined.

    Returns:
        (seq_len, seq_len) float32 on the CPU; its mean by distance has mean 0 and variance 1.
    """
    similarity = similarity_or_none(scheme, seq_len)
    return None if similarity is None else standard(mean_by_distance(similarity), similarity)


def profile_or_none(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return the mean similarity by distance in the scheme's own unit, (seq_len,); None where it is not defined."""
    similarity = similarity_or_none(scheme, seq_len)
    return None if similarity is None else mean_by_distance(similarity)


def far_profile(scheme: PositionalScheme, *, trained: int, length: int) -> Tensor | None:
    """Return the similarity by distance past the trained length, in units of distance 0.

    Returns:
        (length,) float32 on the CPU, NaN where a scheme that is undefined past training ends; None where the scheme has
        no similarity at all.
    """
    ends = getattr(scheme, "past_training", "") == "undefined"
    own = profile_or_none(scheme, trained if ends else length)
    if own is None:
        return None
    similarity = relative(own, own, logits=acts_by_logits(scheme))
    if similarity is None or not ends:
        return similarity
    return torch.cat([similarity, similarity.new_full((length - trained,), torch.nan)])
