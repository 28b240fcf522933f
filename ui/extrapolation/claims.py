"""Claims of courses on schemes at longer lengths, checked by the shipped runs."""

from collections.abc import Sequence

from embedlib.extrapolation import EXPERIMENTS, Reading
from embedlib.i18n import N_
from ui.export import show_texts
from ui.extrapolation.request import default_request
from ui.extrapolation.results import collect_results
from ui.extrapolation.verdicts import verdict_titles
from ui.i18n import _
from ui.shared.page import section

# Scheme, what is claimed of it, and whether it then holds past the trained length.
CLAIMS = (
    ("sinusoidal", N_("Sinusoids are periodic, so they help with longer sequences"), True),
    ("learned", N_("Learned positions end at the trained length"), False),
    ("rope", N_("RoPE is relative, so it helps with longer sequences"), True),
    ("alibi", N_("ALiBi extrapolates to longer sequences"), True),
)
_REASONS = {
    "sinusoidal": N_(
        "The fast waves repeat, but the slow ones do not finish a single round in training, and a model cannot read "
        "values that it has never met."
    ),
    "learned": N_("There is no trained row for a position that training never had."),
    "rope": N_(
        "Known distances stay readable however long the text is, but larger distances bring the slow hands to new "
        "angles: what counts is which distances a task needs."
    ),
    "alibi": N_(
        "Its penalty makes far tokens count ever less, so a longer text disturbs little; but that suits a language "
        "model better than a task that needs exact places or far tokens."
    ),
}
TESTED = ("back", "sort", "text")


@section(
    "lengths-claims",
    N_("Common claims"),
    lead=N_(
        "What courses and blogs say of four schemes, beside what these schemes did in three experiments. A claim is "
        "confirmed if all three agree with it, and refuted if none does."
    ),
)
def claims() -> None:
    """Show each claim beside what its scheme does in the shipped runs of three experiments, with a verdict."""
    schemes = tuple(scheme for scheme, _claim, _holds in CLAIMS)
    by_experiment = [
        {one.line: one for one in collect_results(default_request(name, schemes)).readings} for name in TESTED
    ]
    rows: dict[str, list[str]] = {_("Claim"): [], _("Verdict"): []}
    rows |= {_(EXPERIMENTS[name].title): [] for name in TESTED}
    rows[_("Why")] = []
    claim_cells, verdict_cells, *outcome_cells, reason_cells = rows.values()
    for scheme, claim, holds in CLAIMS:
        outcomes = [lines[scheme] for lines in by_experiment if scheme in lines]
        if len(outcomes) < len(TESTED):
            continue
        claim_cells.append(_(claim))
        verdict_cells.append(f"**{_claim_verdict(outcomes, holds=holds)}**")
        reason_cells.append(_(_REASONS[scheme]))
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
