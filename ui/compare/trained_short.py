"""What became of the schemes in finished runs: trained on short sequences, tested on twice as long ones."""

from collections.abc import Sequence

import streamlit as st

from embedlib.experiment_units import units_of
from embedlib.experiments import EXPERIMENTS
from embedlib.finished_runs import FinishedUnit
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
        st.caption(_origin(shown))
    st.page_link(
        "../pages/extrapolation.py", label=_("Every length, and runs of your own"), icon=":material/arrow_forward:"
    )


def _line(experiment: str, shown: Comparison) -> str:
    """Return one experiment's scores as an item of a list; nothing where no run of these schemes ships."""
    whole, shape = EXPERIMENTS[experiment], EXPERIMENTS[experiment].shapes["small"]
    scores = {key.name: _at_twice(experiment, key.name) for key in shown.keys}
    told = [f"{label_of(name)} {written(score, whole.measure)}" for name, score in scores.items() if score is not None]
    if not told:
        return ""
    sentence = {
        "sort": _("sorting {twice} values, trained on up to {trained}, whole answers right: {scores}."),
        "back": _("looking three back in {twice} positions, trained on up to {trained}, tokens right: {scores}."),
    }[experiment]
    return "- " + sentence.format(twice=2 * shape.trained_length, trained=shape.trained_length, scores=", ".join(told))


def _at_twice(experiment: str, scheme: str) -> float | None:
    """Return the mean over the seeds of a scheme's runs that ship; None where none does."""
    whole = EXPERIMENTS[experiment]
    shape = whole.shapes["small"]
    place = shape.lengths.index(2 * shape.trained_length)
    found = [getattr(one.scores[scheme][place], whole.measure) for one in _shipped(experiment, (scheme,))]
    return sum(found) / len(found) if found else None


def _shipped(experiment: str, schemes: Sequence[str]) -> list[FinishedUnit]:
    """Return the runs that ship with the experiment's own settings."""
    return [shipped()[unit] for unit in units_of(experiment, schemes=schemes) if unit in shipped()]


def _origin(shown: Comparison) -> str:
    """Say where the scores come from."""
    runs = [one for name in BESIDE for one in _shipped(name, [key.name for key in shown.keys])]
    n_seeds = len({one.unit.seed for one in runs})
    origins = [one.provenance for one in runs]
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
