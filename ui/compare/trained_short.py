"""What became of the schemes in finished runs: trained on short sequences, tested on twice as long ones."""

from collections.abc import Sequence

import streamlit as st

from embedlib.extrapolation.experiments import EXPERIMENTS, units_of
from embedlib.extrapolation.shipped_runs import FinishedUnit
from ui.compare.request import Comparison
from ui.i18n import _, ngettext
from ui.shared.schemes import label_of
from ui.shared.scores import score_written, shipped_runs

# Two whose orders are each other's reverse, and a language model; with how many times the trained length is told.
BESIDE = {"sort": 2, "back": 2, "text": 8}


def trained_short(shown: Comparison) -> None:
    """Say what the chosen schemes scored past the trained length, with where that comes from, and lead there."""
    lines = [line for name in BESIDE if (line := _line(name, shown))]
    if lines:
        st.markdown(_("**Trained short, tested long** by small decoders:") + "\n" + "\n".join(lines))
        st.caption(
            _(
                "The trained length of {length} above is assumed for the picture; these runs were trained, at "
                "lengths of {lengths}."
            ).format(length=shown.n_positions, lengths=_lengths())
            + " "
            + _origin(shown)
        )
    st.page_link(
        "../pages/extrapolation.py", label=_("Every length, and runs of your own"), icon=":material/arrow_forward:"
    )


def _line(experiment: str, shown: Comparison) -> str:
    """Return one experiment's scores as an item of a list; nothing where no run of these schemes ships."""
    whole, shape = EXPERIMENTS[experiment], EXPERIMENTS[experiment].shapes["small"]
    length = BESIDE[experiment] * shape.trained_length
    scores = {key.name: _mean_at(experiment, key.name, length) for key in shown.keys}
    told = [
        f"{label_of(name)} {score_written(score, whole.measure)}" for name, score in scores.items() if score is not None
    ]
    if experiment == "text":
        before = {name: _mean_at(experiment, name, shape.trained_length) for name in scores}
        told = [
            _("{name} {trained} and {score}").format(
                name=label_of(name),
                trained=score_written(trained, whole.measure),
                score=score_written(score, whole.measure),
            )
            for name, score in scores.items()
            if score is not None and (trained := before[name]) is not None
        ]
    if not told:
        return ""
    sentence = {
        "sort": _("sorting {twice} values, trained on up to {trained}, whole answers right: {scores}."),
        "back": _("looking three back in {twice} positions, trained on up to {trained}, tokens right: {scores}."),
        "text": _(
            "guessing the next character, trained on windows of {trained}, perplexity at {trained} and at {twice} "
            "(lower is better): {scores}."
        ),
    }[experiment]
    return "- " + sentence.format(twice=length, trained=shape.trained_length, scores=", ".join(told))


def _mean_at(experiment: str, scheme: str, length: int) -> float | None:
    """Return the mean over the seeds of a scheme's runs that ship, at a length; None where there is none."""
    whole = EXPERIMENTS[experiment]
    place = whole.shapes["small"].lengths.index(length)
    found = [getattr(one.scores[scheme][place], whole.measure) for one in _shipped(experiment, (scheme,))]
    return sum(found) / len(found) if found and None not in found else None


def _lengths() -> str:
    """Return the lengths at which the runs were trained, as a list in a sentence."""
    *first, last = (str(EXPERIMENTS[name].shapes["small"].trained_length) for name in BESIDE)
    return _("{first} and {last}").format(first=", ".join(first), last=last)


def _shipped(experiment: str, schemes: Sequence[str]) -> list[FinishedUnit]:
    """Return the runs that ship with the experiment's own settings."""
    return [shipped_runs()[unit] for unit in units_of(experiment, schemes=schemes) if unit in shipped_runs()]


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
