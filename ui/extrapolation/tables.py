"""The scores in numbers: a table by length, and every score of every run to take along."""

import csv
import io

import streamlit as st

from embedlib.extrapolation.seeds import seed_spread
from embedlib.figures.colours import SERIES
from ui.components import measure_table as table_component
from ui.components.measure_table import Column, Row, measure_table
from ui.extrapolation.lines import line_of
from ui.extrapolation.measures import axis_title, spread_written
from ui.extrapolation.numbers import hollow_places, values_of
from ui.extrapolation.runs import Results
from ui.i18n import _, translated
from ui.settings import state
from ui.shared import theme


def table_by_length(results: Results) -> None:
    """Show the mean and the spread of every line from the trained length on; a heading sorts by its length."""
    values = values_of(results)
    if not values:
        return
    st.header(_("In numbers"))
    st.caption(
        _(
            "{what}: mean over the seeds, ± half of what lies between the least and the greatest. {marks}"
            " Shorter lengths are in the CSV under the chart."
        ).format(
            what=axis_title(results.measure)[:1].upper() + axis_title(results.measure)[1:],
            marks=_("○ marks rows of positions that training never met.")
            if any(hollow_places(results, line) for line in values)
            else "",
        )
    )
    labels = translated(table_component.LABELS) | {
        "table": _("Scores, one row for each line, by length"),
        "undefined": _("no position"),
        "hint": _("Choose a length to sort by it."),
    }
    measure_table(
        [_column(results, results.lengths[place]) for place in _shown(results)],
        [_row(results, line) for line in values],
        labels=labels,
        key="length-table",
    )


def _column(results: Results, length: int) -> Column:
    trained = results.trained_length
    if length == trained:
        return Column(_("{length}, trained").format(length=length), _("the longest in training"))
    return Column(f"{length:,}", _("never seen in training"))


def _shown(results: Results) -> list[int]:
    """Return the places of the trained length and those past it; shorter ones would push these out of sight."""
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
        for place in _shown(results)
    ]
    return Row(
        title=drawn.name,
        colour=SERIES[theme.current()][drawn.group],
        front=state.get("ext_front") == line,
        values=[means[place] if abs(means[place]) < float("inf") else None for place in _shown(results)],
        texts=texts,
    )


def scores_csv(results: Results) -> str:
    """Write one line per run and length: all numbers of its score; what is not defined is left empty."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(
        ["experiment", "line", "seed", "length", "positions", "state", "loss", "perplexity", "accuracy", "exact"]
    )
    for line in results.lines:
        for seed, scores in results.scores[line].items():
            for score in scores:
                numbers = (score.loss, score.perplexity, score.accuracy, score.exact)
                writer.writerow(
                    [results.experiment, line, seed, score.length, score.seq_len, score.state]
                    + ["" if number is None else repr(number) for number in numbers]
                )
    return target.getvalue()
