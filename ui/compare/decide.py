"""Table of what each scheme costs, how it scores past its trained length, and who uses it."""

from collections.abc import Sequence

import streamlit as st

from embedlib.extrapolation import EXPERIMENTS
from ui.cache.schemes import SchemeKey
from ui.components.browser import is_narrow
from ui.embed import embeddable
from ui.export import save_table, show_lists
from ui.i18n import _, number, separator
from ui.markdown import as_text
from ui.shared.page import text_table
from ui.shared.schemes import group_titles, injection_point, past_training_sentence, scheme_title
from ui.shared.scores import format_machine, format_score, mean_at, shipped_units

# Two whose orders are each other's reverse, and a language model; with how many times the trained length is read.
TIMES = {"sort": 2, "back": 2, "text": 8}


@embeddable("compare-glance")
def decision_table(keys: Sequence[SchemeKey]) -> None:
    """Show one line for each scheme, with scores of trained decoders, and under it a link to all of them."""
    st.header(_("Schemes at a glance"))
    titles = {
        "sort": _("Sorting {length} numbers (trained on {trained})"),
        "back": _("Repeating the number three places back, among {length} (trained on {trained})"),
        "text": _("Perplexity at {trained} characters (as trained) → at {length}; lower is better"),
    }
    on_phone = is_narrow()
    if on_phone:  # as a list under each scheme
        titles = {
            "sort": _("Sorting {length}"),
            "back": _("Three back, {length}"),
            "text": _("Perplexity, {trained} → {length}"),
        }
    cells = {
        _("Scheme"): [scheme_title(key.entry) for key in keys],
        _("What it does"): [group_titles()[injection_point(key.scheme())] for key in keys],
        _("Numbers to learn"): [_parameters_text(key) for key in keys],
        _("What is new in longer texts"): [past_training_sentence(key.scheme()) for key in keys],
    }
    for name, times in TIMES.items():
        trained = EXPERIMENTS[name].shapes["small"].trained_length
        heading = titles[name].format(length=times * trained, trained=trained)
        cells[heading] = ["–" if key.own else _score_text(name, key.name) for key in keys]
    cells[_("Used by")] = [_(key.scheme().used_by) for key in keys]
    save_table("schemes", _("Schemes at a glance"), cells)
    with st.container(key="decision-table"):
        if on_phone:
            show_lists(cells | {_("Scheme"): [as_text(title) for title in cells[_("Scheme")]]})
        else:
            text_table(cells, alt=_("Schemes at a glance"))
    caption, link = st.columns([4, 1], vertical_alignment="center")
    caption.caption(
        _(
            "The results come from small models that we have trained and then given longer inputs than in training; "
            "the percentages are the share of right answers. A perplexity of 5 means: as unsure as if there were 5 "
            "equally likely characters to choose from; 1 would be certainty. Sorting needs all numbers, near and far, "
            "wherever they stand: a model without positions does well there, and to one with RoPE the far distances "
            "are new. Repeating the number three places back needs one short distance: there RoPE holds, and a model "
            "without positions fails."
        )
    )
    with link:
        st.page_link("../pages/extrapolation.py", label=_("Every length"), icon=":material/arrow_forward:")


def _parameters_text(key: SchemeKey) -> str:
    """Write how many numbers a scheme learns, of a table of rows how long it is."""
    count = number(sum(parameter.numel() for parameter in key.scheme().parameters()), ",")
    if key.name != "learned":
        return count
    rows = number(key.scheme().max_seq_len, ",")
    return _("{count} ({rows} rows of {width})").format(count=count, rows=rows, width=key.d_model)


def _score_text(experiment: str, scheme: str) -> str:
    """Write a scheme's score past the trained length, for text after that at it; a dash where no run ships."""
    whole = EXPERIMENTS[experiment]
    trained = whole.shapes["small"].trained_length
    lengths = [trained, TIMES[experiment] * trained] if experiment == "text" else [TIMES[experiment] * trained]
    scores = [mean_at(experiment, scheme, length) for length in lengths]
    return " → ".join("–" if score is None else format_score(score, whole.measure) for score in scores)


def score_source(keys: Sequence[SchemeKey]) -> str:
    """Return a sentence on the source of the scores."""
    runs = [one for name in TIMES for one in shipped_units(name, [key.name for key in keys if not key.own])]
    if not runs:
        return ""
    made = [run.provenance for run in runs]
    origins = {f"{format_machine(one.machine)}, {one.device}, {one.date}" for one in made}
    listed = separator("; ").join(sorted(origins))
    versions = separator(", ").join(sorted({one.version for one in made}))
    n_seeds = len({run.unit.seed for run in runs})
    return _(
        "Each result is the mean of {count} runs that differ in their random start. Trained on: {origins}, version "
        "{versions}."
    ).format(count=n_seeds, origins=listed, versions=versions)
