"""The chart in words, from its numbers: who holds, who breaks and where, and the order at twice the trained length."""

from itertools import pairwise

import streamlit as st

from embedlib.length_reading import GROWN, KEPT_SHARE, LEARNED, Reading, Verdict
from ui.extrapolation.lines import name_of
from ui.extrapolation.measures import SHARES, better_sign, guessing, written
from ui.extrapolation.numbers import order_at, readings, twice_place
from ui.extrapolation.runs import Results
from ui.i18n import _


def what_it_says(results: Results) -> None:
    """Say what the chart shows, line by line and as an order."""
    found = readings(results)
    if not found:
        return
    st.header(_("What the chart says"))
    lines = []
    for verdict, (icon, title) in _titles().items():
        mine = [one for one in found if one.verdict == verdict]
        if mine:
            told = ", ".join(_told(one, results) for one in mine)
            lines.append(f":{icon[1]}[:material/{icon[0]}:] **{title}** {told}")
    st.markdown("  \n".join(lines))
    words = order_in_words(results, twice_place(results))
    if min(len(seeds) for seeds in results.scores.values() if seeds) < 2:
        words += " " + _("Lines of a single run have no seeds to compare: their order may be chance.")
    st.markdown(words)
    if twice_place(results) != len(results.lengths) - 1:
        st.markdown(order_in_words(results, len(results.lengths) - 1))
    with st.expander(_("How this is told")):
        st.markdown(_how(results))


def order_in_words(results: Results, place: int) -> str:
    """Say the order at a tested length past the trained one, given by its place, as markdown."""
    length, order = results.lengths[place], order_at(results, place)
    there = [one for one in order if one.mean == one.mean]
    shown = [f"{name_of(one.line, results.experiment)} {written(one.mean, results.measure)}" for one in there]
    signs = ["≈" if one.close_to(other) else better_sign(results.measure) for one, other in pairwise(there)]
    text = "".join(f"{name} {sign} " for name, sign in zip(shown, [*signs, ""], strict=True)).strip()
    lead = (
        _("**At {length}, twice the trained length:**")
        if length == 2 * results.trained_length
        else _("**At {length}, {ratio:.2g} times the trained length:**")
    ).format(length=length, ratio=length / results.trained_length)
    ended = [name_of(one.line, results.experiment) for one in order if one.mean != one.mean]
    if ended:
        text += "; " + _("no position there: {lines}").format(lines=", ".join(ended))
    return f"{lead} {text}."


def _titles() -> dict[Verdict, tuple[tuple[str, str], str]]:
    """Return an icon, its colour and a title for each verdict that is told."""
    return {
        "holds": (("check_circle", "green"), _("Holds:")),
        "fades": (("trending_down", "orange"), _("Fades:")),
        "breaks": (("cancel", "red"), _("Breaks:")),
        "ends": (("block", "red"), _("Has no position:")),
        "not learned": (("help", "gray"), _("Did not learn it, even at trained lengths:")),
    }


def _told(one: Reading, results: Results) -> str:
    """Say of one line what the verdict rests on."""
    name, numbers = name_of(one.line, results.experiment), results.measure
    if one.verdict == "not learned":
        return _("{name} ({trained} at {length})").format(
            name=name, trained=written(one.trained, numbers), length=results.trained_length
        )
    if one.at is None:
        return _("{name} ({trained} at {length}, {last} at {greatest})").format(
            name=name,
            trained=written(one.trained, numbers),
            length=results.trained_length,
            last=written(one.last, numbers),
            greatest=one.last_length,
        )
    return _("{name} from {at} on ({trained} at {length}, {last} at {greatest})").format(
        name=name,
        at=one.at,
        trained=written(one.trained, numbers),
        length=results.trained_length,
        last=written(one.last, numbers),
        greatest=one.last_length,
    )


def _how(results: Results) -> str:
    close = _("“≈” stands where the seeds of two neighbours overlap, so that their order may be chance.")
    if results.measure in SHARES:
        over = guessing(results.experiment, results.measure, results.request.shape)
        sentence = _(
            "By the means over the seeds. A line holds if it keeps at least {kept:.0%} of what it scores at {length} "
            "at every longer length; it breaks at the first length where it keeps less than {broken:.0%}; else it "
            "fades, from the first length below {kept:.0%} on. One that is right in less than {learned:.0%} at "
            "{length} did not learn the task."
        ).format(kept=KEPT_SHARE[0], broken=KEPT_SHARE[1], length=results.trained_length, learned=LEARNED)
        if over is not None:
            sentence += " " + _("All of this counts from what guessing gets, {share:.2%}.").format(share=over)
        return f"{sentence} {close}"
    sentence = _(
        "By the means over the seeds. A line holds if its perplexity is at most {held:g} times that at {length} at "
        "every longer length; it breaks at the first length where it is more than {broken:g} times that; else it "
        "fades, from the first length above {held:g} times on."
    ).format(held=GROWN[0], broken=GROWN[1], length=results.trained_length)
    return f"{sentence} {close}"
