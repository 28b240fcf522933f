"""Influence of a position by distance, in units that put every scheme on one chart."""

import torch
from torch import Tensor

from embedlib.measures.similarity import mean_by_distance
from embedlib.positional import PositionalScheme


def similarity_or_none(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return the similarity of any two positions, (seq_len, seq_len) float32 on the CPU, in the scheme's own unit.

    None where the scheme does nothing, reads the content, or has no row for some of these positions. Keys after the
    query may be NaN where a scheme is causal only.
    """
    if not scheme.acts_on:
        return None
    try:
        similarity = scheme.similarity(seq_len)
    except ValueError:
        return None
    defined = similarity.tril() if scheme.causal_only else similarity
    return similarity.detach().float().cpu() if defined.isfinite().all() else None


def scale_to_origin(values: Tensor, profile: Tensor, *, logits: bool) -> Tensor | None:
    """Express similarities in units of distance 0, which becomes 1.

    A bias (`logits`) is added to logits and its exponential multiplies the attention weight: ``exp(values -
    profile[0])``. Products: ``values / profile[0]``, or None if distance 0 has less than half of what some other
    distance has: it is then no unit to measure them in. `profile` is (n,), the mean by distance.
    """
    if logits:
        return (values - profile[0]).exp()
    origin, greatest = abs(float(profile[0])), float(profile.abs().max())
    return None if origin < max(greatest / 2, 1e-9) else values / profile[0]


def standardise(profile: Tensor, values: Tensor | None = None) -> Tensor | None:
    """Standardise similarities by the mean and (biased) standard deviation of a profile, (n,) with n at least 2.

    `values` has any shape, None takes the profile itself. None where the profile is constant.
    """
    spread = profile.std(correction=0)
    if float(spread) <= 1e-6 * float(profile.abs().max()):
        return None
    return ((profile if values is None else values) - profile.mean()) / spread


def is_logit_term(scheme: PositionalScheme) -> bool:
    """Return whether the scheme's similarity is a term of the logits rather than a product of rows or rotations."""
    return "score" in scheme.acts_on and "embedding" not in scheme.acts_on


def relative_similarity(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return the similarity of any two positions in units of distance 0, (seq_len, seq_len) float32 on the CPU.

    Its diagonal has mean 1; None where not defined.
    """
    similarity = similarity_or_none(scheme, seq_len)
    if similarity is None:
        return None
    return scale_to_origin(similarity, mean_by_distance(similarity), logits=is_logit_term(scheme))


def standard_similarity(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return the similarity of any two positions as a z-score over distances, (seq_len, seq_len) float32 on the CPU.

    None where not defined.
    """
    similarity = similarity_or_none(scheme, seq_len)
    return None if similarity is None else standardise(mean_by_distance(similarity), similarity)


def profile_or_none(scheme: PositionalScheme, seq_len: int) -> Tensor | None:
    """Return the mean similarity by distance in the scheme's own unit, (seq_len,); None where it is not defined."""
    similarity = similarity_or_none(scheme, seq_len)
    return None if similarity is None else mean_by_distance(similarity)


def far_profile(scheme: PositionalScheme, *, trained: int, length: int) -> Tensor | None:
    """Return the similarity by distance past the trained length, in units of distance 0, (length,) float32 on the CPU.

    NaN where a scheme that is undefined past training ends; None where the scheme has no similarity at all.
    """
    ends = getattr(scheme, "past_training", "") == "undefined"
    own = profile_or_none(scheme, trained if ends else length)
    if own is None:
        return None
    similarity = scale_to_origin(own, own, logits=is_logit_term(scheme))
    if similarity is None or not ends:
        return similarity
    return torch.cat([similarity, similarity.new_full((length - trained,), torch.nan)])
