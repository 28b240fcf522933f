"""The chart in words, from its numbers: who holds, who breaks and where, and the order at twice the trained length."""

import math

import streamlit as st

from embedlib.extrapolation import GROWN, KEPT_SHARE, LEARNED, Reading, Standing, Verdict, distinct_groups
from ui.extrapolation.lines import name_of
from ui.extrapolation.results import (
    Results,
    better_sign,
    guessing,
    judged_by,
    none_learned,
    order_at,
    readings,
    twice_place,
)
from ui.i18n import _
from ui.shared.scores import SHARES, score_written


def what_it_says(results: Results) -> None:
    """Say what the chart shows, line by line and as an order."""
    found = readings(results)
    if not found:
        return
    st.header(_("What the chart says"))
    if none_learned(results):
        st.markdown(
            _(
                "No line has learned the task, so that their order says nothing: more steps are needed. "
                "At {length}: {lines}."
            ).format(
                length=results.trained_length,
                lines=", ".join(
                    f"{name_of(one.line, results.experiment)} {score_written(one.trained, results.measure)}"
                    for one in found
                ),
            )
        )
        return
    lines = []
    for verdict, (icon, title) in _titles().items():
        mine = [one for one in found if one.verdict == verdict]
        if mine:
            told = ", ".join(_in_words(one, results) for one in mine)
            lines.append(f":{icon[1]}[:material/{icon[0]}:] **{title}** {told}")
    st.markdown("  \n".join(lines))
    if results.measure == "loss":
        st.caption(_scale(results))
    words = order_in_words(results, twice_place(results))
    if min(len(seeds) for seeds in results.scores.values() if seeds) < 2:
        words += " " + _("Lines of a single run have no seeds to compare: their order may be chance.")
    st.markdown(words)
    if twice_place(results) != len(results.lengths) - 1:
        st.markdown(order_in_words(results, len(results.lengths) - 1))
    st.caption(
        _(
            "“{sign}” stands between the first of each group. The others of a group are not told apart from its first: "
            "their seeds overlap."
        ).format(sign=better_sign(results.measure))
    )
    with st.expander(_("How this is told")):
        st.markdown(_how(results))


def order_in_words(results: Results, place: int) -> str:
    """Say the order at a tested length past the trained one, given by its place, as markdown."""
    length, order = results.lengths[place], order_at(results, place)
    there = [one for one in order if one.mean == one.mean]
    text = f" {better_sign(results.measure)} ".join(_group(group, results) for group in distinct_groups(there))
    lead = (
        _("**At {length}, twice the trained length:**")
        if length == 2 * results.trained_length
        else _("**At {length}, {ratio:.2g} times the trained length:**")
    ).format(length=length, ratio=length / results.trained_length)
    ended = [name_of(one.line, results.experiment) for one in order if one.mean != one.mean]
    if ended:
        text += "; " + _("no position there: {lines}").format(lines=", ".join(ended))
    return f"{lead} {text}."


def _group(group: list[Standing], results: Results) -> str:
    """Name lines that the seeds do not tell apart, in brackets where they are several."""
    named = ", ".join(
        f"{name_of(one.line, results.experiment)} {score_written(one.mean, results.measure)}" for one in group
    )
    return named if len(group) == 1 else f"[{named}]"


def _scale(results: Results) -> str:
    """Say on which scale a loss is judged."""
    if judged_by(results) == "accuracy":
        return _(
            "Judged by the tokens right: where a task is learned its loss is next to nothing, and ten times as much "
            "may still be nothing. The numbers in brackets are losses."
        )
    return _(
        "A loss is judged by how much is added to it, which is how many times its perplexity is that at {length}."
    ).format(length=results.trained_length)


def _titles() -> dict[Verdict, tuple[tuple[str, str], str]]:
    """Return an icon, its colour and a title for each verdict that is told."""
    return {
        "holds": (("check_circle", "green"), _("Holds:")),
        "fades": (("trending_down", "orange"), _("Fades:")),
        "breaks": (("cancel", "red"), _("Breaks:")),
        "ends": (("block", "red"), _("Has no position:")),
        "in part": (("timelapse", "gray"), _("Learned only in part, even within training:")),
        "not learned": (("help", "gray"), _("Did not learn it, even at trained lengths:")),
    }


def _in_words(one: Reading, results: Results) -> str:
    """Say of one line what the verdict rests on."""
    name, numbers = name_of(one.line, results.experiment), results.measure
    if one.verdict == "not learned":
        return _("{name} ({trained} at {length})").format(
            name=name, trained=score_written(one.trained, numbers), length=results.trained_length
        )
    if one.verdict == "in part" and one.last_length != one.worst_length:
        return _("{name} ({worst} at {length}, {last} at {greatest})").format(
            name=name,
            worst=score_written(one.worst, numbers),
            length=one.worst_length,
            last=score_written(one.last, numbers),
            greatest=one.last_length,
        )
    if one.at is None:
        return _("{name} ({trained} at {length}, {last} at {greatest})").format(
            name=name,
            trained=score_written(one.trained, numbers),
            length=results.trained_length,
            last=score_written(one.last, numbers),
            greatest=one.last_length,
        )
    return _("{name} from {at} on ({trained} at {length}, {last} at {greatest})").format(
        name=name,
        at=one.at,
        trained=score_written(one.trained, numbers),
        length=results.trained_length,
        last=score_written(one.last, numbers),
        greatest=one.last_length,
    )


def _how(results: Results) -> str:
    measure = judged_by(results)
    if measure in SHARES:
        over = guessing(results.experiment, measure, results.request.shape)
        sentence = _(
            "By the means over the seeds. A line holds if it keeps at least {kept:.0%} of what it scores at {length} "
            "at every longer length; it breaks at the first length where it keeps less than {broken:.0%}; else it "
            "fades, from the first length below {kept:.0%} on."
        ).format(kept=KEPT_SHARE[0], broken=KEPT_SHARE[1], length=results.trained_length)
        if not results.request.whole.needs_text:
            sentence += " " + _(
                "One that is right in less than {learned:.0%} at {length} did not learn the task, one in less than "
                "{wholly:.0%} anywhere up to there learned it only in part."
            ).format(length=results.trained_length, learned=LEARNED[0], wholly=LEARNED[1])
        if over is not None:
            sentence += " " + _("All of this counts from what guessing gets, {share:.2%}.").format(share=over)
        return sentence
    if measure == "loss":
        return _(
            "By the means over the seeds. A line holds if its loss is at most {held:.2f} above that at {length} at "
            "every longer length, which makes {held_times:g} times the perplexity; it breaks at the first length where "
            "it is more than {broken:.2f} above that, {broken_times:g} times the perplexity; else it fades."
        ).format(
            held=math.log(GROWN[0]),
            held_times=GROWN[0],
            broken=math.log(GROWN[1]),
            broken_times=GROWN[1],
            length=results.trained_length,
        )
    return _(
        "By the means over the seeds. A line holds if its perplexity is at most {held:g} times that at {length} at "
        "every longer length; it breaks at the first length where it is more than {broken:g} times that; else it "
        "fades, from the first length above {held:g} times on."
    ).format(held=GROWN[0], broken=GROWN[1], length=results.trained_length)
