"""Why texts longer than in training break a model: what each kind of scheme meets there for the first time."""

import math

import streamlit as st
import torch
from torch import Tensor

from embedlib.figures import DIAL, dials_figure
from embedlib.i18n import N_
from embedlib.measures import paired_columns
from embedlib.positional import RotaryPositions, make_scheme, sinusoidal_frequencies
from ui.components.browser import is_narrow
from ui.export import Columns, Drawing, figure_drawing, show
from ui.extrapolation.controls import measure_titles
from ui.extrapolation.lines import line_name
from ui.extrapolation.results import Results, verdict_measure
from ui.i18n import _, join_sentences, separator
from ui.shared.page import section
from ui.shared.schemes import first_met, scheme_title, seen_in_training
from ui.shared.scores import format_score

# What a text longer than in training brings that the model has not met, by scheme.
_REASONS = {
    "none": N_(
        "**{scheme}**: no position enters the scores, so none can be new. Where the answer depends on places, such a "
        "model could not learn it in the first place."
    ),
    "learned": N_(
        "**{scheme}**: to the row of each token a row for its position is added, which was learned. In training the "
        "positions 0 to {last} occurred. The rows after them were never trained; they are still random."
    ),
    "sinusoidal": N_(
        "**{scheme}**: to the row of each token a row of waves is added, fast ones and slow ones. Every position has "
        "such a row, but the matrices that make queries and keys of it were trained on positions 0 to {last} alone. "
        "Later, the slow waves have values that these matrices never met, and no training told which scores to make."
    ),
    "rope": N_(
        "**{scheme}**: the score is the product of two vectors, query and key. Their numbers are rotated in "
        "pairs, like the hands of clocks, fast and slow ones: the later a token stands, the further. The angle "
        "between the hands of two tokens grows with their distance. Distances up to {last} were seen in training; "
        "larger ones bring the slow hands to new angles, as the dials show. A little past {last} these lie near seen "
        "ones, so the scores change little. Far past it nothing in training told which scores to make, and a far token "
        "can get any weight."
    ),
    "alibi": N_(
        "**{scheme}**: from each score a penalty is subtracted, the distance of the two tokens times the slope of the "
        "head. A token farther away than any in training gets a larger penalty, so it counts even less. A head with a "
        "steep slope therefore sees hardly anything but what it saw in training."
    ),
    "t5": N_(
        "**{scheme}**: distances are sorted into groups, called buckets: near ones have a bucket each, far ones share "
        "one. For each bucket a number is learned that is added to the score. Distances beyond {last} fall into "
        "buckets that training hardly reached or never did, so their numbers are hardly trained or not at all."
    ),
}
# Why models of schemes that meet nothing new get worse too, by experiment: those of _NOTHING_NEW.
_NOTHING_NEW = ("none", "alibi")
_CROWD = N_(
    "A model can get worse without meeting anything new, as here with {schemes}: the weights with which a token "
    "attends to others add up to 1. In a longer text more tokens share them, and many far ones together take weight "
    "from the near one that is needed."
)
_WORSE = {
    "back": _CROWD,
    "text": _CROWD,
    "sort": N_(
        "A model can get worse without meeting anything new, as here with {schemes}: the more numbers there are to "
        "sort, the more places there are for a mistake, and ALiBi’s penalty makes the far ones count less."
    ),
}
# Whether that matters depends on the task.
_TASKS = {
    "back": N_(
        "In this task the answer always stands three places back. Heads with RoPE learn to give this one distance "
        "nearly all weight, and its angle is the same in a longer text. Far tokens at new angles take some of the "
        "weight, but most stays where the answer is. A scheme that sees only places has no such distance to keep to."
    ),
    "sort": N_("In this task each answer depends on all numbers, near and far, so what is new does matter."),
    "text": N_(
        # Unit("text", "rope", seed=0, source="manual"): weights of all heads, of the last 32 characters of 24 texts.
        "A language model shares its weight among many characters, near and far. In one of our small models with RoPE, "
        "trained on 64 characters, distances of 64 and more got 4% of the weight in a text of 96 characters, 23% in "
        "one of 128 and 75% in one of 256. The near characters, which it had learned to read, lost it: that is why "
        "RoPE holds at first and breaks later. With the far ones hidden, its perplexity at 512 characters was 4.5, as "
        "in a short text."
    ),
    "scaling": N_(
        # In the same model all hands at half speed double the perplexity at length 64, the four slow ones leave it.
        "A scaling slows the hands down, so that the angles of a longer text stay inside the blue arc. But linear "
        "scaling slows the fast hands as well, by which the model tells near characters apart: even between neighbours "
        "the hands then stand as they never stood in training. Therefore it breaks first. The others leave the fastest "
        "hands nearly as they were."
    ),
}


@section(
    "lengths-why",
    N_("Why longer texts break a model"),
    lead=N_(
        "In attention every token gives a score to each token before it; the higher the score, the more it takes over "
        "from that one. Positional schemes let places or distances change these scores. A longer text has places and "
        "distances that training never had, and it depends on the scheme what the model meets there."
    ),
)
def mechanism(results: Results) -> None:
    """List what each scheme meets past its trained length, and draw it for RoPE, or the sinusoids, as arcs on dials."""
    trained, tested = trained_and_longest(results)
    schemes = results.request.schemes
    reasons = [
        "- "
        + join_sentences(
            _(sentence).format(scheme=scheme_title(scheme), last=trained - 1),
            _outcome(results, scheme),
        )
        for scheme, sentence in _REASONS.items()
        if scheme in schemes
    ]
    st.markdown("\n".join(reasons))
    worse = [one.line for one in results.readings if one.line in _NOTHING_NEW and one.verdict != "holds"]
    if worse and results.experiment in _WORSE:
        named = separator(", ").join(line_name(line, results.experiment) for line in worse)
        st.markdown(_(_WORSE[results.experiment]).format(schemes=named))
    rotating = next((scheme for scheme in ("rope", "sinusoidal") if scheme in schemes), None)
    if rotating is None:
        return
    shape = results.request.shape
    known = (trained - 1) * pair_frequencies(rotating, shape.d_model, shape.n_heads)
    whole = int((known >= 2 * math.pi).sum())
    st.subheader(_dials_title(rotating))
    show(dials, rotating, shape.d_model, shape.n_heads, trained, tested, is_narrow())
    st.markdown(
        _(
            "In training, with {trained} positions, {whole} of {pairs} hands ran all the way round their circle; the "
            "others saw only the blue arc. With {tested} positions they also point to the dotted arc, to which no "
            "example in training led: the layers have learned what to do with the angles that they met, and nothing "
            "tells them what to do with others."
        ).format(trained=trained, whole=whole, pairs=len(known), tested=tested)
    )
    sentence = _(_TASKS[results.experiment])
    if results.experiment == "back" and rotating == "rope":
        sentence = join_sentences(sentence, _("Sorting needs far tokens, too, and there RoPE breaks: choose “Sort”."))
    st.markdown(sentence)


def _outcome(results: Results, scheme: str) -> str:
    """Return a sentence on what became of a scheme's score past the trained length; "" where none is known."""
    line = "none" if results.experiment == "scaling" else scheme
    one = next((one for one in results.readings if one.line == line), None)
    if one is None or one.last_length <= results.trained_length:
        return ""
    measure = verdict_measure(results)
    title = measure_titles()[measure]
    return _("{measure} here: {before} at length {trained}, {after} at length {longest}.").format(
        measure=f"{title[:1].upper()}{title[1:]}",
        before=format_score(one.trained, measure),
        trained=results.trained_length,
        after=format_score(one.last, measure),
        longest=one.last_length,
    )


def trained_and_longest(results: Results) -> tuple[int, int]:
    """Return the number of positions of the longest sequences in training, and of the longest that are tested."""
    positions = {
        score.length: score.seq_len for runs in results.scores.values() for one in runs.values() for score in one
    }
    return positions[results.trained_length], max(positions.values())


def pair_frequencies(scheme: str, d_model: int, n_heads: int) -> Tensor:
    """Return the radians by which each pair of columns is rotated per position, (n_pairs,) float64, fastest first."""
    if scheme == "sinusoidal":
        return sinusoidal_frequencies(d_model)
    rope = make_scheme(scheme, d_model=d_model, n_heads=n_heads)
    assert isinstance(rope, RotaryPositions)
    return rope.angles(2)[1]


def _dials_title(scheme: str) -> str:
    if scheme == "rope":
        return _("RoPE’s hands: angles between two tokens")
    return _("Angles of {scheme} in training and in longer texts").format(scheme=scheme_title(scheme))


def dials(scheme: str, d_model: int, n_heads: int, trained: int, tested: int, narrow: bool) -> Drawing:
    """Draw the arcs of every pair in training and at the longest length."""
    frequencies = pair_frequencies(scheme, d_model, n_heads)
    made = make_scheme(scheme, d_model=d_model, n_heads=n_heads)
    first, second = (columns.tolist() for columns in paired_columns(made))
    turns = {
        "radians_per_position": frequencies,
        "turns_in_training": (trained - 1) * frequencies / (2 * torch.pi),
        "turns_at_the_longest": (tested - 1) * frequencies / (2 * torch.pi),
    }
    columns = 4 if narrow else 8
    return figure_drawing(
        f"dials-{scheme}",
        _dials_title(scheme),
        Columns(turns, row="pair"),
        dials_figure,
        frequencies,
        key="dials",
        names=[_("dims {first}, {second}").format(first=a, second=b) for a, b in zip(first, second, strict=True)],
        trained=trained,
        tested=tested,
        trained_name=seen_in_training(scheme, trained),
        unseen_name=first_met(scheme, trained, tested),
        columns=columns,
        cell=DIAL,
    )
