"""JSON: a list of records or of rows, one a line or all in one, or an object of columns or of labelled vectors."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from embedlib.tables.errors import TableError
from embedlib.tables.layout import SNIFFED_ROWS, TextLayout, plan_columns
from embedlib.tables.table import Limits, Parts, TableFile
from embedlib.tables.text import read_rows, utf8_stream


def read_json(file: TableFile, limits: Limits, choice: str | None) -> Parts:
    """Read a .json or .jsonl by the rules of a text table, each record as a row; numbers keep their spelling."""
    with utf8_stream(file, limits) as (stream, _):
        text = stream.read().decode("utf-8-sig")
    try:
        names, rows = _table(_numbered_values(text))
    except (ValueError, RecursionError) as error:
        raise TableError("damaged", file=file.name, format="JSON") from error
    if not rows:
        raise TableError("shape", file=file.name, found="0 rows")
    first = [cells for _, cells in rows[:SNIFFED_ROWS]]
    layout = TextLayout(",", ".", header=names is not None)
    plan = plan_columns(first if names is None else [names, *first], layout)
    limits.check_columns(file.name, len(plan.names))
    parts = read_rows(rows, plan, file.name, limits, choice)
    parts.layout = None  # nothing in it was guessed
    return parts


def _numbered_values(text: str) -> list[tuple[int, Any]]:
    """Return the records of a list, or the values of lines, each with its number from 1."""
    options: dict[str, Any] = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), str)
    try:
        value = json.loads(text, **options)
    except json.JSONDecodeError:
        lines = enumerate(text.split("\n"), start=1)
        return [(number, json.loads(line, **options)) for number, line in lines if line.strip()]
    return list(enumerate(_records(value) if isinstance(value, dict) else value, start=1))


def _records(value: Mapping[str, Any]) -> list[Any]:
    """Convert an object of columns, or of words with their vectors, to rows."""
    if all(isinstance(column, dict) for column in value.values()):  # as pandas writes a data frame
        rows = dict.fromkeys(row for column in value.values() for row in column)
        return [{"": row} | {name: column.get(row) for name, column in value.items()} for row in rows]
    if all(isinstance(column, list) for column in value.values()):
        if any(not isinstance(cell, str) for column in value.values() for cell in column[:1]):
            return [dict(zip(value, cells, strict=True)) for cells in zip(*value.values(), strict=True)]
        return [[word, vector] for word, vector in value.items()]
    raise ValueError("an object of neither columns nor vectors")


def _table(values: Sequence[tuple[int, Any]]) -> tuple[list[str] | None, list[tuple[int, list[str]]]]:
    """Return the names of the columns, if records have any, and the rows as cells of text."""
    if all(isinstance(value, dict) for _, value in values):
        names = list(dict.fromkeys(name for _, value in values for name in value))
        rows = [(number, [_cell(value.get(name)) for name in names]) for number, value in values]
        return list(map(_cell, names)), rows
    if all(isinstance(value, list) for _, value in values):
        return None, [(number, [_cell(cell) for cell in value]) for number, value in values]
    raise ValueError("records of several kinds")


def _cell(value: Any) -> str:
    if value is None or isinstance(value, str):
        return (value or "").encode("utf-8", "replace").decode()  # JSON can spell half a surrogate pair
    if isinstance(value, list):
        return f"[{' '.join(_cell(part) or 'null' for part in value)}]"
    return json.dumps(value)
