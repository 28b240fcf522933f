"""A table that sorts by any column, with what it can be saved as under it."""

from collections.abc import Callable, Mapping, Sequence

from ui.components import measure_table as table_component
from ui.components.measure_table import Column, Row, as_columns, measure_table
from ui.export import Arrays, take_along
from ui.i18n import translated


def saved_table(
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    labels: Mapping[str, str],
    key: str,
    name: str,
    title: str,
    turned: bool = False,
    plain: bool = False,
    on_row: Callable[[], None] | None = None,
    table: Callable[[], str] | None = None,
    arrays: Callable[[], Arrays] | None = None,
    source: str = "",
) -> None:
    """Draw a table.

    How it looks is said as to `measure_table`, what is saved as to `take_along`.
    """
    measure_table(columns, rows, labels=labels, key=key, turned=turned, plain=plain, on_row=on_row)
    take_along(
        name,
        grid=lambda: as_columns(columns, rows, labels=labels, turned=turned, plain=plain),
        table=table,
        arrays=arrays,
        title=title,
        source=source,
    )


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
    """Draw a table whose cells are only written.

    Args:
        columns: after that of the titles.
        rows: as they stand before anything is sorted.
        first: heading of the titles.
        key: Streamlit key, without "__".
        alt: what the table shows, also in what is saved.
        on_row: called when a title is chosen; None where none can be.
        name: of the files; "" for the key.
        table: writes the CSV; None for what stands in the cells.
        arrays: finds the numbers as arrays; None for the columns of the CSV, where `table` writes it.
    """
    labels = translated(table_component.LABELS) | {"table": alt, "scheme": first}
    saved_table(
        columns,
        rows,
        labels=labels,
        key=key,
        name=name or key,
        title=alt,
        plain=True,
        on_row=on_row,
        table=table,
        arrays=arrays,
    )
