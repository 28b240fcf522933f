"""Directions that mean something: axes between words, and what is to one word as another is to a third."""

import streamlit as st

from embedlib.neighbours import analogy, meaning_axis, rank_of
from embedlib.programs import Part, analogy_part
from ui.i18n import _
from ui.projection.places import Line
from ui.projection.tables import ShownTable
from ui.projection.view import View, choose
from ui.settings import controls, state
from ui.shared.markdown import as_code

SHOWN = 5
# What is suggested of words that other tables have too.
FOR_THE_GRAMMAR = {
    "from_x": "man, boy, king",
    "to_x": "woman, girl, queen",
    "from_y": "dog, cat, cow",
    "to_y": "puppy, kitten, calf",
    "analogy": "king, man, woman, queen",
}


def lines_of_meaning(table: ShownTable) -> list[Line] | None:
    """Draw the four ends of two axes; return the axes, or say in one sentence what they lack."""
    columns = st.columns(4)
    asked = [
        ("from_x", _("Across: from")),
        ("to_x", _("to")),
        ("from_y", _("Up: from")),
        ("to_y", _("to ")),
    ]
    ends = []
    for column, (name, label) in zip(columns, asked, strict=True):
        written = _suitable(name, table)
        with column:
            st.text_input(
                label,
                help=_("A word, or several with commas: their mean is the end of the axis."),
                **controls.shown_instead(name, written),
            )
        ends.append(_words(written))
    missing = [word for words in ends for word in words if table.names.found.find(word) is None]
    if missing:
        st.error(
            _("This table has no row for {words}: choose others, or search for how it writes them.").format(
                words=", ".join(as_code(word[:40]) for word in dict.fromkeys(missing))
            )
        )
        return None
    if not all(ends):
        st.info(_("Each end of an axis needs at least one word of this table: type them above."))
        return None
    rows = [tuple(table.names.found.find(word) or 0 for word in words) for words in ends]
    lines = [
        Line(rows[0], rows[1], ", ".join(ends[0]), ", ".join(ends[1])),
        Line(rows[2], rows[3], ", ".join(ends[2]), ", ".join(ends[3])),
    ]
    try:
        for line in lines:
            meaning_axis(table.vectors, line.start, line.stop)
    except ValueError:  # all that is left of what can be wrong with rows that exist
        st.error(_("The two ends of an axis are the same point: choose other words for one of them."))
        return None
    return lines


def analogies(view: View) -> Part | None:
    """Draw a − b + c with the rows nearest to it, and the rank of the answer that the reader expects.

    Returns:
        What of the page's program prints them; None where there is nothing to print.
    """
    st.header(_("What is to this as that is to those?"))
    st.caption(
        _(
            "Rows can be added and taken away like arrows: a − b + c lies where something should be that is to c as a "
            "is to b. The rows nearest to that place are listed; a, b and c themselves do not count."
        )
    )
    words = [word.strip() for word in [*_suitable("analogy", view.table).split(","), "", "", "", ""][:4]]
    columns = st.columns([3, 3, 3, 4], vertical_alignment="bottom")
    for index, (column, label) in enumerate(
        zip(columns, (_("a"), _("− b"), _("+ c"), _("expected (optional)")), strict=True)
    ):
        with column:
            key = f"analogy_{index}"
            st.session_state[key] = words[index]
            st.text_input(label, key=key, on_change=_take_analogy)
    rows = [view.table.names.found.find(word) if word else None for word in words]
    missing = [word for word, row in zip(words, rows, strict=True) if word and row is None]
    if missing:
        st.error(
            _("This table has no row for {words}: choose others, or search for how it writes them.").format(
                words=", ".join(as_code(word[:40]) for word in missing)
            )
        )
        return None
    a, b, c, expected = rows
    if a is None or b is None or c is None:
        st.info(_("Type three words of the table."))
        return None
    inputs = (a, b, c)
    others = view.table.n_rows - len(set(inputs))
    if not others:
        st.info(_("The table has no row besides these."))
        return None
    expected = None if expected in inputs else expected
    _answer(view, inputs, expected, k=min(SHOWN, others))
    return analogy_part(*inputs, k=min(SHOWN, others), metric=view.metric, expected=expected)


def _answer(view: View, rows: tuple[int, int, int], expected: int | None, *, k: int) -> None:
    table = view.table
    found = analogy(table.vectors, *rows, k=k, metric=view.metric)
    ids = found.ids.tolist()
    st.dataframe(
        {
            "rank": list(range(1, len(ids) + 1)),
            "token": [table.names.labels[row] for row in ids],
            "similarity": found.similarities.tolist(),
            "row": ids,
        },
        hide_index=True,
        width=560,
        column_config={
            "rank": st.column_config.NumberColumn(_("rank")),
            "token": st.column_config.TextColumn(_("nearest to a − b + c")),
            "similarity": st.column_config.NumberColumn(_("similarity"), format="%.3f"),
            "row": st.column_config.NumberColumn(_("row"), format="%d"),
        },
        key="analogy-answers",
        on_select=lambda: _choose(ids),
        selection_mode="single-row",
    )
    if expected is not None:
        rank = rank_of(table.vectors, found.query, expected, metric=view.metric, exclude=rows)
        st.markdown(
            _("{word} comes in at rank **{rank:,}** of {total:,}.").format(
                word=as_code(table.names.labels[expected]), rank=rank, total=table.n_rows - len(set(rows))
            )
        )


def _take_analogy() -> None:
    state.put(analogy=", ".join(st.session_state[f"analogy_{index}"].replace(",", " ") for index in range(4)))
    state.dismiss_notices()


def _choose(ids: list[int]) -> None:
    rows = st.session_state["analogy-answers"].selection.rows
    if rows:
        choose(ids[rows[0]])


def _suitable(name: str, table: ShownTable) -> str:
    """Return what the reader wrote; instead of a suggestion that this table has no rows for, one for the grammar's."""
    written = str(state.get(name))
    if written != state.SETTINGS[name].default:
        return written
    for suggestion in (written, FOR_THE_GRAMMAR[name]):
        if all(table.names.found.find(word) is not None for word in _words(suggestion)):
            return suggestion
    return ""


def _words(written: str) -> list[str]:
    return [word.strip() for word in written.split(",") if word.strip()][:20]
