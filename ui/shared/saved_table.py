"""A sortable table with its save menu."""

from collections.abc import Callable, Mapping, Sequence

from ui.components import measure_table as table_component
from ui.components.measure_table import Column, Row, measure_table, table_columns
from ui.export import Numbers, save_table
from ui.i18n import translate_labels


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
    numbers: Numbers | None = None,
    source: str = "",
) -> None:
    """Show a table by `measure_table`, with its save menu by `save_table`."""
    grid = table_columns(columns, rows, labels=labels, turned=turned, plain=plain)
    save_table(name, title, grid, numbers=numbers, source=source)
    measure_table(columns, rows, labels=labels, key=key, turned=turned, plain=plain, on_row=on_row)


def plain_table(
    columns: Sequence[Column],
    rows: Sequence[Row],
    *,
    first: str,
    key: str,
    alt: str,
    on_row: Callable[[], None] | None = None,
    name: str = "",
    numbers: Numbers | None = None,
) -> None:
    """Show a table of texts with its save menu.

    Args:
        columns: after that of the titles.
        rows: in unsorted order.
        first: header of the titles.
        key: Streamlit key, without "__".
        alt: describes the table, also in its files.
        on_row: called when a row is selected; None if rows cannot be selected.
        name: of the files; "" for the key.
        numbers: for CSV and NPZ; None for the texts of the cells.
    """
    labels = translate_labels(table_component.LABELS) | {"table": alt, "scheme": first}
    saved_table(
        columns,
        rows,
        labels=labels,
        key=key,
        name=name or key,
        title=alt,
        plain=True,
        on_row=on_row,
        numbers=numbers,
    )
