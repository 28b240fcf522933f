"""The chart in sentences: which lines hold, which break and where, and their order past training."""

import math

import streamlit as st

from embedlib.extrapolation import GROWTH_LIMITS, LEARNED_SHARES, SHARE_LIMITS, Standing, Verdict, distinct_groups
from ui.extrapolation.lines import line_name
from ui.extrapolation.results import (
    Results,
    better_sign,
    chance_score,
    none_learned,
    ordered_lines,
    twice_index,
    verdict_measure,
)
from ui.i18n import _, separator
from ui.shared.scores import SHARES, format_score

_ICONS: dict[Verdict, str] = {
    "holds": ":green[:material/check_circle:]",
    "fades": ":orange[:material/trending_down:]",
    "breaks": ":red[:material/cancel:]",
    "ends": ":red[:material/block:]",
    "in part": ":gray[:material/timelapse:]",
    "not learned": ":gray[:material/help:]",
}


def verdict_titles() -> dict[Verdict, str]:
    """Return the title of each verdict."""
    return {
        "holds": _("holds"),
        "fades": _("fades"),
        "breaks": _("breaks"),
        "ends": _("ends: it has no further position"),
        "in part": _("partly learned"),
        "not learned": _("not learned"),
        "unknown": "–",
    }


def show_verdicts(results: Results) -> None:
    """Show a verdict on every line past the trained length."""
    read = results.readings
    if read and none_learned(results):
        sentence = _(
            "No scheme has learned the task, so their order would mean nothing: train with more steps (in Settings)."
        )
        st.markdown(sentence)
        return
    parts = []
    for verdict, icon in _ICONS.items():
        lines = [
            line_name(one.line, results.experiment)
            + ("" if one.at is None else separator(" ") + _("(at {length})").format(length=one.at))
            for one in read
            if one.verdict == verdict
        ]
        if lines:
            title = verdict_titles()[verdict]
            parts.append(
                f"{icon}\u00a0**{title[:1].upper()}{title[1:]}**{separator(': ')}{separator(', ').join(lines)}"
            )
    if parts:
        st.markdown(" &nbsp; ".join(parts))


def show_reasons(results: Results) -> None:
    """Show what the verdicts mean, and why schemes have not learned to look back."""
    if not results.readings or none_learned(results):
        return
    sentences = [_limits_sentence(results)]
    failed = {
        one.line
        for one in results.readings
        if results.experiment == "back" and one.verdict in ("not learned", "in part")
    }
    if "none" in failed:
        sentence = _(
            "Without positions ({none}) only the causal mask hints at the order: the earlier a token stands, the fewer "
            "others it sees. In a short text that is enough to guess better than by chance, but not to find the third "
            "token back."
        )
        sentences.append(sentence.format(none=line_name("none", "back")))
    if "alibi" in failed:
        sentences.append(
            _("ALiBi always favours nearer tokens, so it is hard for it to pick the third and not the first or second.")
        )
    st.caption(separator(" ").join(sentences))


def _limits_sentence(results: Results) -> str:
    """Return the limits between the verdicts in one sentence."""
    measure = verdict_measure(results)
    if measure not in SHARES:
        sentence = _(
            "Past length {length} a scheme holds if its perplexity grows to at most {kept:g} times, fades above that, "
            "and breaks above {broken:g} times."
        )
    elif chance_score(results.experiment, measure, results.request.shape) is None:
        sentence = _(
            "Past length {length} a scheme holds if it keeps {kept:.0%} of its result or more, fades below that, and "
            "breaks below {broken:.0%}."
        )
    else:
        sentence = _(
            "Past length {length} a scheme holds if it keeps {kept:.0%} or more of its lead over guessing, fades below "
            "that, and breaks below {broken:.0%}."
        )
    kept, broken = SHARE_LIMITS if measure in SHARES else GROWTH_LIMITS
    return sentence.format(length=results.trained_length, kept=kept, broken=broken)


def show_orders(results: Results) -> None:
    """Show the order of the lines at twice the trained length, and at the greatest length."""
    if not results.readings or none_learned(results):
        return
    places = sorted({twice_index(results), len(results.lengths) - 1})
    for place in places:
        st.markdown(order_markdown(results, place))
    if len(results.request.seeds) == 1 or any("[" in order_markdown(results, place) for place in places):
        st.caption(
            _("The runs of schemes in brackets overlap, so their order may be chance; with a single run, any may.")
        )


def show_verdict_rule(results: Results) -> None:
    """Explain the thresholds that decide each verdict."""
    if results.readings:
        with st.expander(_("How we decide")):
            st.markdown(_verdict_rule(results))


def order_markdown(results: Results, place: int) -> str:
    """Return the order at a tested length past the trained one, by its index, as markdown."""
    length, order = results.lengths[place], ordered_lines(results, place)
    there = [one for one in order if one.mean == one.mean]
    text = f" {better_sign(results.measure)} ".join(_tied_names(group, results) for group in distinct_groups(there))
    if ended := [line_name(one.line, results.experiment) for one in order if one.mean != one.mean]:
        text += separator("; ") + _("without a position there: {lines}").format(lines=separator(", ").join(ended))
    lead = _("**At {length}, {ratio:.2g} × the trained length:**")
    return lead.format(length=length, ratio=length / results.trained_length) + separator(" ") + text + separator(".")


def _tied_names(group: list[Standing], results: Results) -> str:
    """Return the names of lines that differ less than their seeds, in brackets where they are several."""
    named = separator(", ").join(
        f"{line_name(one.line, results.experiment)}\u00a0{format_score(one.mean, results.measure)}" for one in group
    )
    return named if len(group) == 1 else f"[{named}]"


def _verdict_rule(results: Results) -> str:
    measure, length = verdict_measure(results), results.trained_length
    if measure not in SHARES:
        return _(
            "A scheme holds as long as its perplexity is at most {held:g} times what it was at {length} (a loss that "
            "is {held_loss:.2f} higher). Above that it fades; above {broken:g} times (a loss {broken_loss:.2f} higher) "
            "it breaks."
        ).format(
            held=GROWTH_LIMITS[0],
            held_loss=math.log(GROWTH_LIMITS[0]),
            broken=GROWTH_LIMITS[1],
            broken_loss=math.log(GROWTH_LIMITS[1]),
            length=length,
        )
    sentence = _(
        "A scheme holds as long as it keeps at least {kept:.0%} of its result at {length}. Below that it fades; below "
        "{broken:.0%} it breaks."
    ).format(kept=SHARE_LIMITS[0], broken=SHARE_LIMITS[1], length=length)
    if not results.request.whole.needs_text:
        sentence += separator(" ") + _(
            "A task counts as not learned if the result at {length} is under {learned:.0%}, and as partly learned if "
            "it is under {wholly:.0%} at some trained length."
        ).format(length=length, learned=LEARNED_SHARES[0], wholly=LEARNED_SHARES[1])
    if (chance := chance_score(results.experiment, measure, results.request.shape)) is not None:
        sentence += separator(" ") + _(
            "Guessing already gives {share:.2%}, so results count from there and not from 0."
        ).format(share=chance)
    if measure != results.measure:
        sentence += separator(" ") + _("For the loss these verdicts are taken from the share of right tokens.")
    return sentence
