"""A sortable table: numbers with a bar in each cell, or texts and numbers with selectable rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.reports import read_report

__all__ = ["LABELS", "Column", "Row", "chosen_row", "measure_table", "table_columns"]

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "table": N_("Measures of each scheme"),
    "scheme": N_("Scheme"),
    "sort": N_("Sort by {column}"),
    "undefined": N_("not defined"),
}

_component = register("measure-table", "measure_table")


@dataclass(frozen=True, slots=True)
class Column:
    """One measure."""

    title: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One scheme.

    Attributes:
        title: its name.
        values: one per column; None where the measure is not defined, and in a plain table for a text.
        texts: of the values; that of None is shown, and sorted by, in a plain table only.
        colour: as "#rrggbb".
        front: whether it is highlighted.
    """

    title: str
    values: Sequence[float | None]
    texts: Sequence[str]
    colour: str = ""
    front: bool = False


def measure_table(
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    labels: Mapping[str, str],
    key: str,
    turned: bool = False,
    plain: bool = False,
    on_row: Callable[[], None] | None = None,
) -> None:
    """Draw the table; a click on a column header sorts by it, another one reverses the order.

    Args:
        columns: in order.
        rows: in unsorted order.
        labels: the entries of LABELS, translated.
        key: Streamlit key, without "__".
        turned: whether to transpose the table, with each column's help under its title.
        plain: whether cells are compact texts without bars.
        on_row: called when a title is selected; see `chosen_row`. None if rows cannot be selected.
    """
    data = {
        "columns": list(map(_fields, columns)),
        "rows": list(map(_fields, rows)),
        "turned": turned,
        "plain": plain,
        "chooses": on_row is not None,
        "labels": dict(labels),
    }
    if on_row is None:
        _component(key=key, data=data)
    else:
        _component(key=key, data=data, on_row_change=on_row)


def chosen_row(key: str, n_rows: int) -> int | None:
    """Return the index of the row just selected in a table; None for none or an invalid one."""
    row = read_report(key, "row")
    return row if type(row) is int and 0 <= row < n_rows else None


def table_columns(
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    labels: Mapping[str, str],
    turned: bool = False,
    plain: bool = False,
) -> dict[str, list[str]]:
    """Return the table's texts by column, for saving."""
    cells = [
        [
            labels["undefined"] if value is None and not plain else text
            for value, text in zip(row.values, row.texts, strict=True)
        ]
        for row in rows
    ]
    names, titles = [column.title for column in columns], [row.title for row in rows]
    if turned:
        return {"": names} | dict(zip(titles, cells, strict=True))
    return {labels["scheme"]: titles} | {name: [line[at] for line in cells] for at, name in enumerate(names)}


def _fields(entry: Column | Row) -> dict[str, object]:
    """Return the fields by name, without the deep copies of asdict: 17 µs for fifteen rows instead of 250."""
    return {field.name: getattr(entry, field.name) for field in fields(entry)}
