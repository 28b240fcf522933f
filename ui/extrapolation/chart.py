"""Every line by length, as the chart of the page, as a table, and as a file of every score."""

from functools import partial
from math import isfinite

import streamlit as st

from embedlib.extrapolation import seed_spread
from embedlib.figures import SERIES
from embedlib.i18n import N_
from ui.components import measure_table as table_component
from ui.components.browser import is_narrow
from ui.components.measure_table import Column, Row
from ui.export import Drawing, Lines, show
from ui.extrapolation.lines import colours_named, lengths_figure, line_of, name_of
from ui.extrapolation.progress import nothing_yet
from ui.extrapolation.results import (
    Results,
    axis_title,
    guessing,
    hollow_places,
    spread_written,
    stacked,
    twice_place,
    values_of,
)
from ui.i18n import _, label_sentence, ngettext, number, separator, translate_labels
from ui.markdown import as_text
from ui.settings import controls, state
from ui.shared.page import current_theme, section
from ui.shared.saved_table import saved_table
from ui.shared.schemes import file_name
from ui.shared.scores import SHARES, format_machine, format_score

HEIGHT = 410  # px; style.css keeps as much free


def by_length(results: Results) -> None:
    """Draw the runs that there are, to look at and to take along; say why there are none."""
    lines = tuple(values_of(results))
    if not lines:
        if results.missing:
            st.info(nothing_yet(results) + separator(" ") + _("Runs are drawn as they end."))
        return
    show(scores_by_length, results, is_narrow())
    _front(lines, results.experiment)
    _notes(results)


def scores_by_length(results: Results, is_narrow: bool) -> Drawing:
    """Draw the scores of every line by length, the chosen one in front."""
    values = values_of(results)
    trained = _("trained up to {length}").format(length=results.trained_length)
    level = guessing(results.experiment, results.measure, results.request.shape)
    lines = [line_of(line, results.experiment, hollow=hollow_places(results, line)) for line in values]
    front = state.get("ext_front")
    return Drawing(
        name=f"by-length-{results.experiment}",
        key="by-length",
        title=label_sentence(_(results.request.whole.title), trained),
        numbers=score_lines(results),
        figure=partial(
            lengths_figure,
            stacked(values),
            lengths=results.lengths,
            lines=lines,
            trained=results.trained_length,
            x_title=_("length: {unit}").format(unit=_(results.request.whole.unit_of_length)),
            y_title=axis_title(results.measure),
            hover_texts=[_said(results, line, drawn.name) for line, drawn in zip(values, lines, strict=True)],
            trained_text=trained,
            unseen_text=_("unseen lengths"),
            ended_text=_("{name}: no position"),
            shares=results.measure in SHARES,
            level=None if level is None else (level, _("guessing")),
            front=list(values).index(front) if front in values else None,
            groups=colours_named(tuple(values), results.experiment),
            narrow=is_narrow,
            height=HEIGHT,
        ),
        alt=_in_words(results),
        source=source_of(results),
    )


def source_of(results: Results) -> str:
    """Say in a few words where the runs come from, for files."""
    said = _("trained on {machine}, {date}")
    places = [said.format(machine=format_machine(one.machine), date=one.date) for one in results.provenances]
    return separator("; ").join(places)


def _front(lines: tuple[str, ...], experiment: str) -> None:
    """Choose the line that stands out."""
    front = state.get("ext_front") if state.get("ext_front") in lines else None
    titles = {line: name_of(line, experiment) for line in lines}
    controls.control("ext_front", st.pills, lines, titles=titles, value=front)


def _said(results: Results, line: str, name: str) -> list[str]:
    """Say of every point what it is, under the pointer."""
    spread, hollow = seed_spread(values_of(results)[line]), hollow_places(results, line)
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
        words.append(said + "\n" + _("untrained rows") if place in hollow else said)
    return words


def _in_words(results: Results) -> str:
    """Say every line's score at the trained length and at twice that."""
    values, place = values_of(results), twice_place(results)
    trained = results.lengths.index(results.trained_length)
    lines = separator("; ").join(
        _("{name} {trained} and {twice}").format(
            name=name_of(line, results.experiment),
            trained=format_score(float(seed_spread(numbers).mean[trained]), results.measure),
            twice=format_score(float(seed_spread(numbers).mean[place]), results.measure),
        )
        for line, numbers in values.items()
    )
    return _("{what}. At {trained} and {twice}: {lines}.").format(
        what=axis_title(results.measure),
        trained=results.trained_length,
        twice=results.lengths[place],
        lines=lines,
    )


def _notes(results: Results) -> None:
    """Say how the chart is read, as far as it has such marks."""
    sentences = []
    if max(len(seeds) for seeds in results.scores.values()) > 1:
        sentences.append(_("Lines: mean over seeds. Small points: single runs."))
    if any(hollow_places(results, line) for line in results.lines):
        sentences.append(_("Hollow (○): positions without trained rows."))
    sentences += _of_formulas(results)
    if sentences:
        st.caption(separator(" ").join(sentences))


def _short(value: float) -> str:
    return number(value, ".3g")


def _of_formulas(results: Results) -> list[str]:
    """Say where formulas have no value, and what they learned, seed by seed."""
    sentences = []
    for entry in results.request.formulas:
        scores = next(iter(results.scores[entry].values()), ())
        if without := [number(score.length, ",") for score in scores if score.state == "undefined"]:
            sentence = _("{scheme} has no value at {lengths}.")
            sentences.append(
                sentence.format(scheme=name_of(entry, results.experiment), lengths=separator(", ").join(without))
            )
        for (line, seed), learned in results.learned.items():
            if line == entry:
                values = separator("; ").join(
                    f"{name} = {separator(', ').join(map(_short, found))}" for name, found in learned.items()
                )
                sentence = _("{scheme}, seed {seed}, learned {values}.")
                sentences.append(
                    sentence.format(scheme=name_of(entry, results.experiment), seed=seed, values=as_text(values))
                )
    return sentences


@section("lengths-table", N_("Scores by length"))
def table_by_length(results: Results) -> None:
    """Show the mean and the spread of every line from the trained length on; a heading sorts by its length."""
    values = values_of(results)
    what = axis_title(results.measure)
    caption = _("{what}: mean ± half the range over seeds.")
    caption = caption.format(what=what[:1].upper() + what[1:])
    if any(hollow_places(results, line) for line in values):
        caption += separator(" ") + _("Hollow (○): positions without trained rows.")
    st.caption(caption)
    labels = translate_labels(table_component.LABELS) | {
        "table": _("Scores by length"),
        "undefined": _("no position"),
    }
    columns = [_column(results, results.lengths[place]) for place in _places(results)]
    rows = [_row(results, line) for line in values]
    saved_table(
        columns,
        rows,
        labels=labels,
        key="length-table",
        name="scores-by-length",
        numbers=score_lines(results),
        title=label_sentence(_(results.request.whole.title), what),
        source=source_of(results),
    )


def _column(results: Results, length: int) -> Column:
    trained = results.trained_length
    if length == trained:
        return Column(_("{length}, trained").format(length=length), _("longest in training"))
    return Column(number(length, ","), _("unseen in training"))


def _places(results: Results) -> list[int]:
    """Return the places of the trained length and of longer ones."""
    return [place for place, length in enumerate(results.lengths) if length >= results.trained_length]


def _row(results: Results, line: str) -> Row:
    drawn, spread, hollow = (
        line_of(line, results.experiment),
        seed_spread(values_of(results)[line]),
        hollow_places(results, line),
    )
    seeds = int(spread.count.max())
    means, halves = spread.mean.tolist(), spread.half.tolist()
    texts = [
        spread_written(means[place], halves[place], results.measure, seeds=seeds) + (" ○" if place in hollow else "")
        for place in _places(results)
    ]
    return Row(
        title=drawn.name,
        colour=SERIES[current_theme()][drawn.group],
        front=state.get("ext_front") == line,
        values=[means[place] if abs(means[place]) < float("inf") else None for place in _places(results)],
        texts=texts,
    )


def score_lines(results: Results) -> Lines:
    """Return one line per run and length: all numbers of its score, and the mean over seeds of the one that is drawn.

    What is not defined is left empty.
    """
    numbers = ("loss", "perplexity", "accuracy", "exact")
    means = {line: seed_spread(values).mean.tolist() for line, values in values_of(results).items()}
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
