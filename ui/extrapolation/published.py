"""Published results of similar experiments, drawn the same way, and whether our order agrees."""

from collections.abc import Callable
from functools import partial

import streamlit as st
import torch
from plotly.graph_objects import Figure

from embedlib.extrapolation import Agreement, Published, agreement, published_results
from embedlib.figures import bars_figure
from embedlib.i18n import N_
from ui.components.browser import is_narrow
from ui.export import Drawing, Lines, show, show_texts
from ui.extrapolation.lines import colour_legend, lengths_figure, line_name, line_style
from ui.extrapolation.results import (
    Results,
    axis_title,
    nearest_length_index,
    none_learned,
    ordered_lines,
    scores_by_line,
    twice_index,
)
from ui.i18n import _, format_citation, label_sentence, number, separator
from ui.shared.page import section
from ui.shared.scores import format_score


@section(
    "lengths-published",
    N_("Published results"),
    lead=N_("What others have measured in a similar experiment with larger models, and whether our order agrees."),
)
def published_figures(results: Results) -> None:
    """Show the published figures that belong to the experiment, with their source, and compare the orders."""
    for one in published_results(results.experiment):
        st.markdown(_("**{title}.** {summary}").format(title=_(one.title), summary=_(one.setting)))
        if len(one.lengths) == 1:
            _table(one, results)
        else:
            show(published_figure, one.name, results.experiment, is_narrow())
        st.caption(_("**Source:** {source}").format(source=f"{format_citation(one.source)} · {one.url}"))
        for sentence in _order_sentences(one, results):
            st.markdown(sentence)


def published_figure(name: str, experiment: str, is_narrow: bool) -> Drawing:
    """Draw published curves like ours, and single values as bars; in the files one line per scheme."""
    one = next(one for one in published_results(experiment) if one.name == name)
    lines = separator("; ").join(
        f"{line_name(line, experiment)} {separator(', ').join(number(value, 'g') for value in values)}"
        for line, values in one.values.items()
    )
    heading = ["line", *map(str, one.lengths or ["value"])]
    return Drawing(
        name=f"published-{name}",
        title=_(one.title),
        numbers=Lines(heading, [[line, *values] for line, values in one.values.items()]),
        figure=_curves(one, experiment, is_narrow) if one.lengths else _bars(one, experiment),
        alt=_("{what}: {lines}").format(what=_(one.measure), lines=lines),
        source=f"{format_citation(one.source)} · {one.url}",
    )


def _curves(one: Published, experiment: str, is_narrow: bool) -> Callable[..., Figure]:
    lines = [line_style(line, experiment) for line in one.values]
    return partial(
        lengths_figure,
        torch.tensor(list(one.values.values()), dtype=torch.float64)[:, None],
        lengths=one.lengths,
        lines=lines,
        trained=one.trained_length,
        x_title=_("length in words"),
        y_title=_(one.measure),
        hover_texts=[
            [
                f"{drawn.name}\n{label_sentence(number(length, ','), number(value, 'g'))}"
                for length, value in zip(one.lengths, values, strict=True)
            ]
            for drawn, values in zip(lines, one.values.values(), strict=True)
        ],
        trained_text=_("trained up to {length}").format(length=one.trained_length),
        unseen_text=_("unseen lengths"),
        shares=False,
        groups=colour_legend(tuple(one.values), experiment),
        narrow=is_narrow,
        height=460,
    )


def _bars(one: Published, experiment: str) -> Callable[..., Figure]:
    values = [values[0] for values in one.values.values()]
    return partial(
        bars_figure,
        values,
        names=[line_name(line, experiment) for line in one.values],
        value_texts=[number(value, ".2f") for value in values],
        x_title=_(one.measure),
        tickformat=".1f",
    )


def _table(one: Published, results: Results) -> None:
    place = twice_index(results)
    ours = {standing.line: standing.mean for standing in ordered_lines(results, place)}
    cells: dict[str, list[str]] = {
        _("Scaling"): [line_name(line, results.experiment) for line in one.values],
        _("Published: {what} at {length:,} tokens, trained on {trained:,} and fine-tuned").format(
            length=one.lengths[0], trained=one.trained_length, what=_(one.measure)
        ): [number(values[0], "g") for values in one.values.values()],
    }
    if ours:
        heading = _("Here: {what} at {length:,} characters, trained on {trained:,}").format(
            length=results.lengths[place], trained=results.trained_length, what=axis_title(results.measure)
        )
        cells[heading] = [
            format_score(ours[line], results.measure) if line in ours else _("none") for line in one.values
        ]
    alt = _("{what}, there and here").format(what=_(one.measure))
    show_texts("published-table", cells, alt=alt)


def _order_sentences(one: Published, results: Results) -> list[str]:
    """Return sentences on whether each pair has the same order here and there, at comparable lengths."""
    if not scores_by_line(results) or none_learned(results):
        return []
    ratios = [length / one.trained_length for length in one.lengths[1:]] if len(one.lengths) > 1 else [2.0]
    sentences = []
    for at, ratio in enumerate(ratios):
        place = nearest_length_index(results, ratio)
        column = at + 1 if len(one.lengths) > 1 else 0
        theirs = {line: values[column] for line, values in one.values.items()}
        orders = agreement(ordered_lines(results, place), theirs, higher_is_better=one.higher_is_better)
        where = (
            _("(at length {theirs:,} there and {ours:,} here)").format(
                theirs=one.lengths[column], ours=results.lengths[place]
            )
            if one.lengths
            else _("(at length {ours:,} here)").format(ours=results.lengths[place])
        )
        sentences.append(_sentence(orders, where, results))
    return list(dict.fromkeys(sentences))


def _sentence(orders: Agreement, where: str, results: Results) -> str:
    count = len(orders.same) + len(orders.other) + len(orders.close)
    if not count:
        return _("To compare the two, train at least two of the schemes that were published.")
    n_same, n_other = len(orders.same), len(orders.other)
    verdict = (
        _("**Our order agrees with theirs** {where}.")
        if n_same == count
        else _("**Our order mostly agrees with theirs** {where}.")
        if n_same > count / 2
        else _("**Our order differs from theirs** {where}.")
    )
    sentences = [verdict.format(where=where)]
    if results.experiment == "back" and n_other > n_same:
        sentences.append(_("The reason: our task needs exact positions, and most of theirs do not."))
    sentences.append(_("Pairs of schemes in the same order: {same} of {count}.").format(same=n_same, count=count))
    if orders.other:
        pairs = _pairs(orders.other, results, _("{one} is better than {other}"))
        sentences.append(_("The other way round here: {pairs}.").format(pairs=pairs))
    if orders.close:
        pairs = _pairs(orders.close, results, _("{one} and {other}"))
        sentences.append(_("Too close to tell apart here: {pairs}.").format(pairs=pairs))
    return separator(" ").join(sentences)


def _pairs(pairs: tuple[tuple[str, str], ...], results: Results, form: str) -> str:
    return separator(", ").join(
        form.format(one=line_name(one, results.experiment), other=line_name(other, results.experiment))
        for one, other in pairs
    )
