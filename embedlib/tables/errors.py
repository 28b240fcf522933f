"""Kinds of errors and notes of table files, one sentence each, which a page shows translated."""

from collections.abc import Mapping
from typing import Any, ClassVar

from embedlib.errors import CodedError, fill_sentence
from embedlib.i18n import N_

# code -> sentence; the names in braces are the keys of an error's values. A MB has a million bytes.
TABLE_ERRORS: dict[str, str] = {
    "file": N_(
        "{file} cannot be opened as a table: save it as {known}; pickle is never loaded, since it can run programs."
    ),
    "damaged": N_("{file} is not a whole, valid {format} file: save it or download it again."),
    "empty": N_("{file} is empty: save it or download it again."),
    "lfs": N_("{file} is only a Git LFS pointer, not the file itself: run git lfs pull."),
    "too_large": N_(
        "{file} is over the limit of {rows:,} rows, {columns:,} columns and {limit_mb:,.0f} MB of memory: "
        "save part of it."
    ),
    # `found` is technical, such as "complex64 (3, 4)"
    "shape": N_(
        "{file} holds {found}: a table needs two axes, at least two rows and columns, numbers such as float32, and "
        "rows that differ."
    ),
    # of a text file, the row is the line as editors count it; `column` is a name or a number, as text
    "value": N_(
        "{file} has {value} in row {row:,}, column {column} (rows counted from 1): write a finite number below 1e14."
    ),
    "ragged": N_(
        "{file} has {found:,} cells in row {row:,} (counted from 1), not {expected:,}: give every row as many."
    ),
    "choose": N_("Choose one of those in {file}: {choices}."),
    "no_rows": N_("{file} has no rows of numbers: add at least two, below the heading if there is one."),
    "labels": N_(
        "{file} has {labels:,} labels for {rows:,} rows of numbers: add one file of vectors, with one label for each "
        "row."
    ),
}

# What a table's reader should know though nothing is wrong.
TABLE_NOTES: dict[str, str] = {
    "constant_columns": N_("Constant columns: {constant:,} of {columns:,}."),
    "narrowed": N_("{dtype} rounded to float32."),
    "chosen": N_("Table {choice} of {file}."),
    # names have the reason behind them, such as "day (timestamp[s])"
    "left_out": N_("Left out: {names}."),
    "bytes": N_("Bytes of column {column}: read as float32."),
    "empty_columns": N_("Left out, since they are empty: {names}."),
    "further_columns": N_("Kept beside the dimensions: {names}."),
    "announced_rows": N_("The first line announces {announced:,} rows; there are {rows:,}."),
}


class TableError(CodedError):
    """Error of a table that cannot be read; `sentences` has the sentence of each code."""

    sentences: ClassVar[Mapping[str, str]] = TABLE_ERRORS

    def __init__(self, code: str, /, **values: Any) -> None:
        super().__init__(code, fill_sentence(self.sentences[code], values, quote=repr), **values)
