"""What became of the schemes in finished runs: trained on short sequences, tested on twice as long ones."""

from functools import cache

import streamlit as st

from embedlib.experiment_units import units_of
from embedlib.experiments import EXPERIMENTS
from embedlib.length_reading import score_values
from embedlib.positional import SCHEMES
from embedlib.seed_spread import seed_spread
from ui.compare.request import Comparison, label_of
from ui.extrapolation.measures import written
from ui.extrapolation.outcomes import shipped
from ui.i18n import _, ngettext

BESIDE = ("sort", "back")  # the two whose orders are each other's reverse


def trained_short(shown: Comparison) -> None:
    """Say what the chosen schemes scored at twice the trained length, with where that comes from, and lead there."""
    lines = [line for name in BESIDE if (line := _line(name, shown))]
    if lines:
        st.markdown(_("**Trained short, tested long** by small decoders:") + "\n" + "\n".join(lines))
        st.caption(_origin())
    st.page_link(
        "../pages/extrapolation.py", label=_("Every length, and runs of your own"), icon=":material/arrow_forward:"
    )


def _line(experiment: str, shown: Comparison) -> str:
    """Return one experiment's scores as an item of a list; nothing where no run of these schemes ships."""
    whole, shape = EXPERIMENTS[experiment], EXPERIMENTS[experiment].shapes["small"]
    scores = _at_twice(experiment)
    told = [
        f"{label_of(key.name)} {written(scores[key.name], whole.measure)}" for key in shown.keys if key.name in scores
    ]
    if not told:
        return ""
    sentence = {
        "sort": _("sorting {twice} values, trained on up to {trained}, whole answers right: {scores}."),
        "back": _("looking three back in {twice} positions, trained on up to {trained}, tokens right: {scores}."),
    }[experiment]
    return "- " + sentence.format(twice=2 * shape.trained_length, trained=shape.trained_length, scores=", ".join(told))


@cache
def _at_twice(experiment: str) -> dict[str, float]:
    """Return the mean over the seeds of each scheme of which runs ship; they do not change while the server runs."""
    whole, shape = EXPERIMENTS[experiment], EXPERIMENTS[experiment].shapes["small"]
    place = shape.lengths.index(2 * shape.trained_length)
    found = {}
    for scheme in SCHEMES:
        finished = [shipped()[unit] for unit in units_of(experiment, schemes=(scheme,)) if unit in shipped()]
        scores = {one.unit.seed: one.scores[scheme] for one in finished}
        if scores:
            values = score_values(scores, whole.measure, len(shape.lengths))
            found[scheme] = float(seed_spread(values).mean[place])
    return found


def _origin() -> str:
    """Say where the scores come from."""
    wanted = [unit for name in BESIDE for unit in units_of(name, schemes=tuple(SCHEMES)) if unit in shipped()]
    n_seeds = len({unit.seed for unit in wanted})
    origins = [shipped()[unit].provenance for unit in wanted]
    told = "; ".join(
        _("{machine}, computed on {device}, {date}, version {versions}").format(
            machine=machine,
            device=device,
            date=date,
            versions=", ".join(
                sorted(
                    {one.version for one in origins if (one.machine, one.device, one.date) == (machine, device, date)}
                )
            ),
        )
        for machine, device, date in sorted({(one.machine, one.device, one.date) for one in origins})
    )
    return ngettext(
        "Runs that ship with the project, one seed: {told}.",
        "Runs that ship with the project, means of {count} seeds: {told}.",
        n_seeds,
    ).format(count=n_seeds, told=told)
