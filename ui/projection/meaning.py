"""Directions with a meaning: axes between words, and analogies."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from embedlib.neighbours import Analogy, analogy, meaning_axis, neighbour_rank
from embedlib.programs import Part, analogy_part
from ui.cache.bounded import memo
from ui.components.measure_table import Column, Row
from ui.export import Lines
from ui.i18n import _, number, separator
from ui.markdown import as_code
from ui.projection.places import MeaningAxis
from ui.projection.tables import ShownTable
from ui.projection.view import View, choose_listed, metric_sentence, metric_title
from ui.settings import controls, state
from ui.shared.saved_table import plain_table

ANSWERS = 5
# Suggested where a table has these words and not those of the defaults.
FOR_THE_MANUAL = {
    "from_x": "integer, float",
    "to_x": "string, bytes",
    "from_y": "class, method",
    "to_y": "loop, while",
    "analogy": "list, lists, strings, string",
}


def meaning_axes(table: ShownTable) -> list[MeaningAxis] | None:
    """Draw the four ends of two axes; return the axes, or show in one sentence which words are missing."""
    labels = {
        "from_x": _("Left end"),
        "to_x": _("Right end"),
        "from_y": _("Lower end"),
        "to_y": _("Upper end"),
    }
    ends = []
    for column, (name, label) in zip(st.columns(4), labels.items(), strict=True):
        with column:
            controls.control(
                name,
                st.text_input,
                label=label,
                help=_("One word, or several with commas between them: then it is the mean of their rows."),
                value=_word_or_default(name, table),
            )
        ends.append(_split_words(_word_or_default(name, table)))
    if _show_missing(table, [word for words in ends for word in words]):
        return None
    if not all(ends):
        st.info(_("Each of the four ends needs a word of this table."))
        return None
    rows = [tuple(table.names.by_word.find(word) or 0 for word in words) for words in ends]
    lines = [MeaningAxis(rows[at], rows[at + 1], *map(separator(", ").join, ends[at : at + 2])) for at in (0, 2)]
    try:
        for line in lines:
            meaning_axis(table.vectors, line.start, line.stop)
    except ValueError:  # all that is left of what can be wrong with rows that exist
        st.error(_("The two ends of an axis are equal, so there is no direction between them: change one."))
        return None
    return lines


def analogies(view: View) -> None:
    """Draw a − b + c with the rows nearest to it and the rank of the expected one."""
    words = analogy_words(view.table)
    if all(words[:3]):
        sentence = _("{b} is to {a} as {c} is to what? The answer should lie near {a} − {b} + {c}.")
        st.write(sentence.format(**dict(zip("abc", map(as_code, words), strict=False))))
    else:
        st.write(_("b is to a as c is to what? The answer should lie near a − b + c."))
    with st.container(key="analogy-words"):
        columns = st.columns(4, gap="xxsmall", vertical_alignment="bottom")
        labels = (_("a"), _("− b"), _("+ c"), _("= answer"))
        for index, (column, label) in enumerate(zip(columns, labels, strict=True)):
            key = f"analogy_{index}"
            st.session_state[key] = words[index]
            column.text_input(label, key=key, on_change=_apply_analogy)
    if _show_missing(view.table, words):
        return
    asked = _analogy_in_view(view)
    if asked is None:
        st.info(_("Type three words that have rows in this table."))
    elif not asked.k:
        st.info(_("The table has no other rows that could be the answer."))
    else:
        _show_answers(view, asked)


def analogy_in_program(view: View) -> Part | None:
    """Return the program's part that computes the analogy; None where there is none."""
    asked = _analogy_in_view(view)
    if asked is None or not asked.k:
        return None
    return analogy_part(*asked.inputs, k=asked.k, metric=view.metric, expected=asked.expected)


class _Analogy(NamedTuple):
    inputs: tuple[int, int, int]  # rows of a, b and c
    expected: int | None  # row of the expected answer
    k: int  # how many answers the table has, at most ANSWERS


def _analogy_in_view(view: View) -> _Analogy | None:
    find = view.table.names.by_word.find
    a, b, c, expected = (find(word) if word else None for word in analogy_words(view.table))
    if a is None or b is None or c is None:
        return None
    inputs = (a, b, c)
    k = min(ANSWERS, view.table.n_rows - len(set(inputs)))
    return _Analogy(inputs, None if expected in inputs else expected, k)


def analogy_words(table: ShownTable) -> list[str]:
    """Return a, b, c and the expected answer as they are written, "" where there is none."""
    return [word.strip() for word in [*_word_or_default("analogy", table).split(","), "", "", "", ""][:4]]


def _show_answers(view: View, asked: _Analogy) -> None:
    table = view.table
    answers, rank = _analogy_with_rank(table, *asked, view.metric)
    ids = answers.ids.tolist()
    if asked.expected is not None:
        st.markdown(
            _("Of the {total:,} other tokens, {word} is number **{rank:,}** in nearness to a − b + c.").format(
                word=as_code(table.names.labels[asked.expected]), rank=rank, total=table.n_rows - len(set(asked.inputs))
            )
        )
    plain_table(
        [Column(_("place in the list")), Column(metric_title(view.metric))],
        [
            Row(table.names.labels[row], [float(place), similarity], [str(place), number(similarity, ".3f")])
            for place, (row, similarity) in enumerate(zip(ids, answers.similarities.tolist(), strict=True), start=1)
        ],
        first=_("nearest to a − b + c"),
        key="analogy-answers",
        alt=_("Analogies"),
        on_row=partial(choose_listed, "analogy-answers", ids),
        numbers=Lines(
            ["rank", "row", "label", view.metric],
            [
                [place, row, table.names.labels[row], similarity]
                for place, (row, similarity) in enumerate(zip(ids, answers.similarities.tolist(), strict=True), start=1)
            ],
        ),
    )
    st.caption(metric_sentence(view.metric))


# A key in the text leaves it alone: in a table of 30,000 rows it is half of the run.
@memo(key=lambda table, *asked: (table.key, *asked))
def _analogy_with_rank(
    table: ShownTable, rows: tuple[int, int, int], expected: int | None, k: int, metric: str
) -> tuple[Analogy, int]:
    """Return the k rows nearest to a - b + c, and the rank of the expected one, 0 where there is none."""
    answers = analogy(table.vectors, *rows, k=k, metric=metric)
    if expected is None:
        return answers, 0
    return answers, neighbour_rank(table.vectors, answers.query, expected, metric=metric, exclude=rows)


def _show_missing(table: ShownTable, words: list[str]) -> bool:
    missing = table.names.missing([word for word in words if word])
    if missing:
        named = separator(", ").join(as_code(word[:40]) for word in missing)
        st.error(_("This table has no row for {words}: choose other words.").format(words=named))
    return bool(missing)


def _apply_analogy() -> None:
    state.set_local(analogy=", ".join(st.session_state[f"analogy_{index}"].replace(",", " ") for index in range(4)))


def _word_or_default(name: str, table: ShownTable) -> str:
    """Return what the reader wrote, or a default whose words are in this table."""
    written = str(state.get(name))
    if written != state.SETTINGS[name].default:
        return written
    suggestions = (suggestion for suggestion in (written, FOR_THE_MANUAL[name]))
    return next((text for text in suggestions if not table.names.missing(_split_words(text))), "")


def _split_words(written: str) -> list[str]:
    return [word.strip() for word in written.split(",") if word.strip()][:20]
