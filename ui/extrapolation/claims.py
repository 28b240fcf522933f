"""Claims of courses on schemes at longer lengths, checked by the shipped runs."""

from collections.abc import Sequence

from embedlib.extrapolation import EXPERIMENTS, Reading
from embedlib.i18n import N_
from ui.export import show_texts
from ui.extrapolation.reading import verdict_titles
from ui.extrapolation.request import default_request
from ui.extrapolation.results import collect_results
from ui.i18n import _
from ui.shared.page import section

# Scheme, what is claimed of it, and whether it then holds past the trained length.
CLAIMS = (
    ("sinusoidal", N_("Periodic sinusoids help with longer sequences"), True),
    ("learned", N_("Learned positions end at the trained length"), False),
    ("rope", N_("RoPE, being relative, helps with longer sequences"), True),
    ("alibi", N_("ALiBi extrapolates to longer sequences"), True),
)
TESTED = ("back", "sort", "text")


@section("lengths-claims", N_("Common claims"))
def claims() -> None:
    """Show each claim beside what its scheme does in the shipped runs of three experiments, with a verdict."""
    schemes = tuple(scheme for scheme, _claim, _holds in CLAIMS)
    by_experiment = [
        {one.line: one for one in collect_results(default_request(name, schemes)).readings} for name in TESTED
    ]
    rows: dict[str, list[str]] = {_("Claim"): [], _("Verdict"): []}
    rows |= {_(EXPERIMENTS[name].title): [] for name in TESTED}
    claim_cells, verdict_cells, *outcome_cells = rows.values()
    for scheme, claim, holds in CLAIMS:
        outcomes = [lines[scheme] for lines in by_experiment if scheme in lines]
        if len(outcomes) < len(TESTED):
            continue
        claim_cells.append(_(claim))
        verdict_cells.append(f"**{_claim_verdict(outcomes, holds=holds)}**")
        for cells, one in zip(outcome_cells, outcomes, strict=True):
            cells.append(_outcome_sentence(one))
    if claim_cells:
        show_texts("claims", rows, alt=_("Common claims"), stacks=True)


def _claim_verdict(outcomes: Sequence[Reading], *, holds: bool) -> str:
    agreeing = sum((one.verdict == "holds") == holds for one in outcomes)
    return _("confirmed") if agreeing == len(outcomes) else _("depends on the task") if agreeing else _("refuted")


def _outcome_sentence(one: Reading) -> str:
    title = verdict_titles()[one.verdict]
    return title if one.at is None else _("{verdict} at {length}").format(verdict=title, length=one.at)
