"""A plain table that sorts by any column, with what it can be saved as under it."""

from collections.abc import Callable, Sequence

from ui.components import measure_table as table_component
from ui.components.measure_table import Column, Row, as_columns, measure_table
from ui.export import Arrays, take_along
from ui.i18n import translated


def plain_table(
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    first: str,
    key: str,
    alt: str,
    on_row: Callable[[], None] | None = None,
    name: str = "",
    table: Callable[[], str] | None = None,
    arrays: Callable[[], Arrays] | None = None,
) -> None:
    """Draw the table.

    Args:
        columns: after that of the titles.
        rows: as they stand before anything is sorted.
        first: heading of the titles.
        key: Streamlit key, without "__".
        alt: what the table shows, also in what is saved.
        on_row: called when a title is chosen; None where none can be.
        name: of the files; "" for the key.
        table: writes the CSV; None for what stands in the cells.
        arrays: finds the numbers as arrays; None where there are none.
    """
    labels = translated(table_component.LABELS) | {"table": alt, "scheme": first}
    measure_table(columns, rows, labels=labels, key=key, plain=True, on_row=on_row)
    take_along(
        name or key,
        grid=lambda: as_columns(columns, rows, labels=labels, plain=True),
        table=table,
        arrays=arrays,
        title=alt,
    )
