"""A table of numbers that sorts by any column, with a bar in each cell and words where there is no number."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from embedlib.i18n import N_
from ui.components import register
from ui.components._shared.payload import check_labels

__all__ = ["LABELS", "Column", "Row", "measure_table"]

# Every string on the component, in English; the page passes the same names with translations.
LABELS: dict[str, str] = {
    "table": N_("Measures of each scheme"),
    "scheme": N_("Scheme"),
    "sort": N_("Sort by {column}"),
    "undefined": N_("not defined"),
    "hint": N_("Choose a heading to sort; its meaning stands here."),
}

_component = register("measure-table", "measure_table")


@dataclass(frozen=True, slots=True)
class Column:
    """One measure."""

    title: str
    help: str


@dataclass(frozen=True, slots=True)
class Row:
    """One scheme.

    Attributes:
        title: its name.
        colour: as "#rrggbb".
        front: whether it stands out.
        values: one per column; None where the measure is not defined.
        texts: how each value is written; what stands for None does not matter.
    """

    title: str
    colour: str
    front: bool
    values: Sequence[float | None]
    texts: Sequence[str]


def measure_table(
    columns: Sequence[Column], rows: Sequence[Row], *, labels: Mapping[str, str], key: str, turned: bool = False
) -> None:
    """Draw the table; a click on a heading sorts by it, another one the other way round.

    Args:
        columns: in order.
        rows: in the order in which they stand before anything is sorted.
        labels: the entries of LABELS, translated.
        key: Streamlit key, without "__".
        turned: whether columns lie across, each with its help beneath its title, for more columns than rows.

    Raises:
        ValueError: labels lacks an entry, or a row has not one value and one text per column.
    """
    check_labels(labels, LABELS)
    for row in rows:
        if not len(row.values) == len(row.texts) == len(columns):
            raise ValueError(f"row {row.title!r} has {len(row.values)} values for {len(columns)} columns")
    data = {"columns": list(map(_fields, columns)), "rows": list(map(_fields, rows)), "labels": dict(labels)}
    _component(key=key, data=data | {"turned": turned})


def _fields(entry: Column | Row) -> dict[str, object]:
    """Name the fields without the deep copies that asdict makes: 17 µs for fifteen rows instead of 250."""
    return {field.name: getattr(entry, field.name) for field in fields(entry)}
