"""Every line by length, as the chart of the page, as a table, and as a file of every score."""

from math import isfinite

import streamlit as st

from embedlib.extrapolation import Verdict, seed_spread
from embedlib.figures import SERIES
from embedlib.i18n import N_
from ui.components import measure_table as table_component
from ui.components.browser import is_narrow
from ui.components.measure_table import Column, Row
from ui.embed import embeddable
from ui.export import Drawing, Lines, figure_drawing, show
from ui.extrapolation.lines import colour_legend, lengths_figure, line_name, line_style
from ui.extrapolation.mechanism import trained_and_longest
from ui.extrapolation.progress import no_results_sentence
from ui.extrapolation.results import (
    Results,
    axis_title,
    chance_score,
    format_spread,
    scores_by_line,
    stack_seeds,
    twice_index,
    untrained_indices,
)
from ui.i18n import _, label_sentence, ngettext, number, separator, translate_labels
from ui.markdown import as_text
from ui.settings import controls, state
from ui.shared.page import current_theme, section
from ui.shared.saved_table import saved_table
from ui.shared.schemes import file_name
from ui.shared.scores import SHARES, format_machine, format_score

HEIGHT = 385  # px; style.css keeps as much free


@embeddable("lengths-chart")
def by_length(results: Results) -> None:
    """Draw the finished runs with their save menu, or say why there are none."""
    lines = tuple(scores_by_line(results))
    if not lines:
        if results.missing:
            st.info(no_results_sentence(results) + separator(" ") + _("Each run is drawn as soon as it has ended."))
        return
    show(scores_by_length, results, is_narrow())
    _front_control(lines, results.experiment)
    _show_notes(results)


def scores_by_length(results: Results, is_narrow: bool) -> Drawing:
    """Draw the scores of every line by length, the chosen one in front."""
    values = scores_by_line(results)
    trained = _("trained up to {length}").format(length=results.trained_length)
    level = chance_score(results.experiment, results.measure, results.request.shape)
    lines = [line_style(line, results.experiment, hollow=untrained_indices(results, line)) for line in values]
    front = state.get("ext_front")
    return figure_drawing(
        f"by-length-{results.experiment}",
        label_sentence(_(results.request.whole.title), trained),
        score_lines(results),
        lengths_figure,
        stack_seeds(values),
        key="by-length",
        alt=_alt_text(results),
        source=run_sources(results),
        lengths=results.lengths,
        lines=lines,
        trained=results.trained_length,
        x_title=_("length: {unit}").format(unit=_(results.request.whole.unit_of_length)),
        y_title=axis_title(results.measure),
        hover_texts=[_hover_texts(results, line, drawn.name) for line, drawn in zip(values, lines, strict=True)],
        trained_text=trained,
        unseen_text=_("unseen lengths"),
        ended_text=_("{name} has no position here"),
        shares=results.measure in SHARES,
        level=None if level is None else (level, _("guessing")),
        front=list(values).index(front) if front in values else None,
        remarks=_line_remarks(results, tuple(values), front),
        groups=colour_legend(tuple(values), results.experiment),
        narrow=is_narrow,
        height=HEIGHT,
    )


# What happens to a line past the trained length, by scheme and verdicts on it.
_REMARKS: dict[str, tuple[tuple[Verdict, ...], str]] = {
    "learned": (("breaks", "fades"), N_("row {position} was never trained")),
    "sinusoidal": (("breaks", "fades"), N_("slow waves at new values")),
    "rope": (("breaks", "fades"), N_("slow hands at new angles")),
    "t5": (("breaks", "fades"), N_("rarely trained distances")),
    "alibi": (("holds",), N_("far tokens count ever less")),
}


def _line_remarks(results: Results, lines: tuple[str, ...], front: str | None) -> list[tuple[int, int, str]]:
    """Return (line, length, text) for each remark where a line falls or holds; only of the front line, if any."""
    position, _longest = trained_and_longest(results)
    remarks = []
    # Where room is short the first have it, RoPE before all.
    for one in sorted(results.readings, key=lambda one: one.line != "rope"):
        scheme = "rope" if results.experiment == "scaling" and one.line == "none" else one.line
        verdicts, text = _REMARKS.get(scheme, ((), ""))
        if results.experiment == "back" and scheme == "rope" and one.verdict == "holds":
            verdicts, text = ("holds",), N_("three places back is a known distance")
        if one.verdict not in verdicts or one.line not in lines or front not in (None, one.line):
            continue
        place = twice_index(results) if one.falls_at is None else results.lengths.index(one.falls_at)
        remarks.append((lines.index(one.line), place, _(text).format(position=position)))
    return remarks


def run_sources(results: Results) -> str:
    """Return the sources of the runs, for saved files."""
    said = _("trained on {machine}, {date}")
    places = [said.format(machine=format_machine(one.machine), date=one.date) for one in results.provenances]
    return separator("; ").join(places)


def _front_control(lines: tuple[str, ...], experiment: str) -> None:
    """Draw the choice of the highlighted line."""
    front = state.get("ext_front") if state.get("ext_front") in lines else None
    titles = {line: line_name(line, experiment) for line in lines}
    controls.control("ext_front", st.pills, lines, titles=titles, value=front)


def _hover_texts(results: Results, line: str, name: str) -> list[str]:
    """Return the hover text of each point of a line."""
    spread, hollow = seed_spread(scores_by_line(results)[line]), untrained_indices(results, line)
    words = []
    for place, length in enumerate(results.lengths):
        mean, least, greatest = (
            format_score(float(bound[place]), results.measure) for bound in (spread.mean, spread.least, spread.greatest)
        )
        count = int(spread.count[place])
        sentence = ngettext(
            "{name}\n{length}: {mean}, {count} run",
            "{name}\n{length}: {mean}\n{least} to {greatest}, {count} runs",
            count,
        )
        said = sentence.format(name=name, length=length, mean=mean, least=least, greatest=greatest, count=count)
        words.append(said + "\n" + _("its position rows there are untrained") if place in hollow else said)
    return words


def _alt_text(results: Results) -> str:
    """Return a sentence with every line's score at the trained length and at twice that."""
    values, place = scores_by_line(results), twice_index(results)
    trained = results.lengths.index(results.trained_length)
    lines = separator("; ").join(
        _("{name} {trained} and {twice}").format(
            name=line_name(line, results.experiment),
            trained=format_score(float(seed_spread(numbers).mean[trained]), results.measure),
            twice=format_score(float(seed_spread(numbers).mean[place]), results.measure),
        )
        for line, numbers in values.items()
    )
    return _("{what}, at lengths {trained} and {twice}: {lines}.").format(
        what=axis_title(results.measure),
        trained=results.trained_length,
        twice=results.lengths[place],
        lines=lines,
    )


def _show_notes(results: Results) -> None:
    """Explain the marks that the chart has."""
    sentences = []
    if max(len(seeds) for seeds in results.scores.values()) > 1:
        sentences.append(
            _(
                "Each model was trained {count} times from different random starts: small points are single runs, "
                "lines their mean."
            ).format(count=max(len(seeds) for seeds in results.scores.values()))
        )
    if any(untrained_indices(results, line) for line in results.lines):
        sentences.append(
            _("Hollow points (○): here the model meets positions for which it has only an untrained, random row.")
        )
    if colour_legend(tuple(scores_by_line(results)), results.experiment):
        sentences.append(_("The colour of a line says how its scheme works; the next section explains it."))
    sentences += _formula_notes(results)
    if sentences:
        st.caption(separator(" ").join(sentences))


def _short_number(value: float) -> str:
    return number(value, ".3g")


def _formula_notes(results: Results) -> list[str]:
    """Return sentences on where formulas have no value, and what they learned, seed by seed."""
    sentences = []
    for entry in results.request.formulas:
        scores = next(iter(results.scores[entry].values()), ())
        if without := [number(score.length, ",") for score in scores if score.state == "undefined"]:
            sentence = _("{scheme} has no value at {lengths}.")
            sentences.append(
                sentence.format(scheme=line_name(entry, results.experiment), lengths=separator(", ").join(without))
            )
        for (line, seed), learned in results.learned.items():
            if line == entry:
                values = separator("; ").join(
                    f"{name} = {separator(', ').join(map(_short_number, found))}" for name, found in learned.items()
                )
                sentence = _("{scheme}, seed {seed}, has learned {values}.")
                sentences.append(
                    sentence.format(scheme=line_name(entry, results.experiment), seed=seed, values=as_text(values))
                )
    return sentences


@section(
    "lengths-table",
    N_("Results by length"),
    lead=N_(
        "The same numbers as in the chart, from the trained length on. Read along a row to see what a scheme loses; "
        "choose a length to sort the schemes by it. A full bar is the largest number of its column."
    ),
)
def table_by_length(results: Results) -> None:
    """Show the mean and the spread of every line from the trained length on; a heading sorts by its length."""
    values = scores_by_line(results)
    what = axis_title(results.measure)
    caption = _("{what}: the mean over all runs, ± half the difference between the best and the worst.")
    caption = caption.format(what=what[:1].upper() + what[1:])
    if any(untrained_indices(results, line) for line in values):
        caption += separator(" ") + _(
            "Hollow points (○): here the model meets positions for which it has only an untrained, random row."
        )
    st.caption(caption)
    labels = translate_labels(table_component.LABELS) | {
        "table": _("Results by length"),
        "undefined": _("no position"),
    }
    columns = [_column(results, results.lengths[place]) for place in _tabulated_indices(results)]
    rows = [_row(results, line) for line in values]
    saved_table(
        columns,
        rows,
        labels=labels,
        key="length-table",
        name="scores-by-length",
        numbers=score_lines(results),
        title=label_sentence(_(results.request.whole.title), what),
        source=run_sources(results),
    )


def _column(results: Results, length: int) -> Column:
    trained = results.trained_length
    if length == trained:
        return Column(_("{length}, trained").format(length=length), _("the longest length in training"))
    return Column(number(length, ","), _("longer than anything in training"))


def _tabulated_indices(results: Results) -> list[int]:
    """Return the indices of the trained length and of longer ones."""
    return [place for place, length in enumerate(results.lengths) if length >= results.trained_length]


def _row(results: Results, line: str) -> Row:
    drawn, spread, hollow = (
        line_style(line, results.experiment),
        seed_spread(scores_by_line(results)[line]),
        untrained_indices(results, line),
    )
    seeds = int(spread.count.max())
    means, halves = spread.mean.tolist(), spread.half.tolist()
    texts = [
        format_spread(means[place], halves[place], results.measure, seeds=seeds) + (" ○" if place in hollow else "")
        for place in _tabulated_indices(results)
    ]
    return Row(
        title=drawn.name,
        colour=SERIES[current_theme()][drawn.group],
        front=state.get("ext_front") == line,
        values=[means[place] if abs(means[place]) < float("inf") else None for place in _tabulated_indices(results)],
        texts=texts,
    )


def score_lines(results: Results) -> Lines:
    """Return one line per run and length: all numbers of its score, and the mean over seeds of the one that is drawn.

    What is not defined is left empty.
    """
    numbers = ("loss", "perplexity", "accuracy", "exact")
    means = {line: seed_spread(values).mean.tolist() for line, values in scores_by_line(results).items()}
    lines = [
        [results.experiment, file_name(line, results.request.own), seed, score.length, score.seq_len, score.state]
        + [getattr(score, number) for number in numbers]
        + [mean if isfinite(mean) else None]
        for line in results.lines
        for seed, scores in results.scores[line].items()
        for score, mean in zip(scores, means[line], strict=True)
    ]
    mean = f"{results.measure}_mean"
    return Lines(["experiment", "line", "seed", "length", "positions", "state", *numbers, mean], lines)
