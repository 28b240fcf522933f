"""The chart of the page: every line by length, with its seeds, and the lengths that training never saw."""

from functools import partial

import streamlit as st
from plotly.graph_objects import Figure

from embedlib.extrapolation.seeds import seed_spread
from embedlib.figures.by_length import by_length_figure
from embedlib.figures.layout import CONFIG
from ui.cache.figures import kept_figure
from ui.components.width_watch import narrow
from ui.export.take_along import take_along
from ui.extrapolation.lines import colours_named, line_of, name_of
from ui.extrapolation.measures import axis_title, guessing
from ui.extrapolation.numbers import hollow_places, stacked, twice_place, values_of
from ui.extrapolation.progress import nothing_yet
from ui.extrapolation.runs import Results
from ui.extrapolation.tables import scores_csv
from ui.i18n import _, ngettext
from ui.settings import controls, state
from ui.shared import theme
from ui.shared.scores import SHARES, score_written

HEIGHT = 520  # px; style.css keeps as much free


def by_length(results: Results) -> None:
    """Draw what there is of the runs, to look at and to take along; say what is empty for now."""
    values = values_of(results)
    is_narrow = narrow(key="extrapolation-width")
    if not values:
        if results.missing:
            st.info(nothing_yet(results) + " " + _("The chart grows with every run that ends."))
        return
    front = state.get("ext_front") if state.get("ext_front") in values else None
    figure = kept_figure(("by-length", results.key, front, is_narrow), partial(_figure, results, front, is_narrow))
    st.plotly_chart(figure, key="by-length", alt=_told(results), theme=None, config=CONFIG)
    _front(tuple(values), results.experiment, front)
    _notes(results)
    title = _("{experiment}: trained up to {length}").format(
        experiment=_(results.request.whole.title), length=results.trained_length
    )
    take_along(
        f"by-length-{results.experiment}",
        table=lambda: scores_csv(results),
        figure=lambda: _figure(results, front, False, title),
    )


def _front(lines: tuple[str, ...], experiment: str, front: str | None) -> None:
    """Choose the line that stands out."""
    shown = controls.shown_instead("ext_front", front)
    st.pills(_("Bring one to the front"), lines, format_func=lambda line: name_of(line, experiment), **shown)


def _figure(results: Results, front: str | None, is_narrow: bool, title: str = "") -> Figure:
    values = values_of(results)
    lines = [line_of(line, results.experiment, hollow=hollow_places(results, line)) for line in values]
    level = guessing(results.experiment, results.measure, results.request.shape)
    return by_length_figure(
        stacked(values),
        lengths=results.lengths,
        lines=lines,
        trained=results.trained_length,
        x_title=_("length: {unit}").format(unit=_(results.request.whole.unit_of_length)),
        y_title=axis_title(results.measure),
        theme=theme.current(),
        said=[_said(results, line, drawn.name) for line, drawn in zip(values, lines, strict=True)],
        trained_text=_("trained up to {length}").format(length=results.trained_length),
        unseen_text=_("never seen"),
        ended_text=_("{name}: no position there"),
        shares=results.measure in SHARES,
        level=None if level is None else (level, _("guessing")),
        front=None if front is None else list(values).index(front),
        groups=colours_named(tuple(values), results.experiment),
        narrow=is_narrow,
        height=HEIGHT,
        title=title,
    )


def _said(results: Results, line: str, name: str) -> list[str]:
    """Say of every point what it is, under the pointer."""
    spread, hollow = seed_spread(values_of(results)[line]), hollow_places(results, line)
    words = []
    for place, length in enumerate(results.lengths):
        mean, least, greatest = (
            score_written(float(bound[place]), results.measure)
            for bound in (spread.mean, spread.least, spread.greatest)
        )
        count = int(spread.count[place])
        sentence = ngettext(
            "{name}\n{length}: {mean} in {count} run",
            "{name}\n{length}: {mean} on average\nfrom {least} to {greatest} in {count} runs",
            count,
        )
        said = sentence.format(name=name, length=length, mean=mean, least=least, greatest=greatest, count=count)
        words.append(f"{said}\n{_('rows that training never met')}" if place in hollow else said)
    return words


def _told(results: Results) -> str:
    """Say the chart in numbers: every line at the trained length and at twice that."""
    values, place = values_of(results), twice_place(results)
    trained = results.lengths.index(results.trained_length)
    lines = "; ".join(
        _("{name} {trained} and {twice}").format(
            name=name_of(line, results.experiment),
            trained=score_written(float(seed_spread(numbers).mean[trained]), results.measure),
            twice=score_written(float(seed_spread(numbers).mean[place]), results.measure),
        )
        for line, numbers in values.items()
    )
    return _("{what} by length, {count} lines. At {trained}, the longest in training, and at {twice}: {lines}.").format(
        what=axis_title(results.measure),
        count=len(values),
        trained=results.trained_length,
        twice=results.lengths[place],
        lines=lines,
    )


def _notes(results: Results) -> None:
    """Say how the chart is read, as far as it has such marks."""
    sentences = []
    if max(len(seeds) for seeds in results.scores.values()) > 1:
        sentences.append(_("Lines are means over the seeds, bands go from the least to the greatest."))
    if results.experiment == "scaling":
        sentences.append(_("All of them turn queries and keys: here colours only tell them apart."))
    if any(hollow_places(results, line) for line in results.lines):
        sentences.append(_("Hollow marks: the table has a row for these positions, and training never met it."))
    waiting = len({line for line, _seed in results.missing if not results.scores[line]})
    if waiting:
        sentence = ngettext("{count} line has no run yet.", "{count} lines have no run yet.", waiting)
        sentences.append(sentence.format(count=waiting))
    if sentences:
        st.caption(" ".join(sentences))
