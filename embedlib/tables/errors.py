"""What can be wrong with a table's file, with one sentence for each, which a page says in its reader's language."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from embedlib.i18n import N_

LONGEST_TEXT = 60  # characters of a name or a cell that a sentence quotes
MOST_NAMES = 8  # names that a sentence lists

# code -> sentence. Names in braces are the keys of an error's values. Sizes are in MB, of a million bytes. Lines of
# text files are counted from 1, as editors do, rows and columns of tables from 0, as token ids are.
TABLE_ERRORS: dict[str, str] = {
    # the file as a whole
    "no_file": N_("There is no file: give a table's file."),
    "missing_file": N_("{file} cannot be opened: check its place and its permissions."),
    "empty_file": N_("{file} is empty: save the table again."),
    "extension": N_("{file} is of no kind that can be read: save the table as one of {known}."),
    "too_large": N_("{file} needs {found_mb:,.1f} MB and the limit is {limit_mb:,.1f} MB: keep fewer rows or columns."),
    "too_many_rows": N_("{file} has more than {limit:,} rows: keep the ones you want to see."),
    "too_many_columns": N_("{file} has {found:,} columns and the limit is {limit:,}: save one token per row."),
    "pickle": N_(
        "{file} holds Python objects (a pickle), which can run programs when they are opened; it was not opened. "
        "Save plain numbers, such as a float32 array."
    ),
    "damaged": N_("{file} is no {format} file, or a damaged one: save or download it again."),
    "truncated": N_(
        "{file} announces {claimed:,} bytes of numbers and has {found:,}: save or download it again, whole."
    ),
    "packing": N_("{file} is packed in a way that is not read: save it with numpy.savez or numpy.savez_compressed."),
    "pyarrow_missing": N_("Reading and writing this format needs the package pyarrow: install it, or use .npy."),
    # its numbers
    "dtype": N_("{file} holds values of type {dtype}, which are no real numbers: save them as float32."),
    "dimensions": N_("{file} holds an array of shape {shape}: a table has two dimensions, one row per token."),
    "no_rows": N_("{file} has no row of numbers: save one row per token."),
    "one_row": N_("{file} has one row only: a picture needs at least two."),
    "no_columns": N_("{file} has no column of numbers: save one row of numbers per token."),
    "one_column": N_("{file} has one number per row: a picture needs at least two."),
    "not_a_number_value": N_(
        "{file} holds NaN, which is no number, in row {row:,}, column {column:,} (both counted from 0): put a number "
        "there, or leave the row out."
    ),
    "infinite": N_(
        "{file} holds an infinite number in row {row:,}, column {column:,} (both counted from 0): put a finite number "
        "there, or leave the row out."
    ),
    "beyond_float32": N_(
        "{file} holds a number beyond 3.4e38, the largest of float32, in row {row:,}, column {column:,} (both counted "
        "from 0): scale the table down."
    ),
    "too_large_numbers": N_(
        "{file} holds a number beyond 1e14, too large to work out distances with, in row {row:,}, column {column:,} "
        "(both counted from 0): divide the whole table by one number."
    ),
    "too_small_numbers": N_(
        "{file} holds no number beyond 1e-14; they are too small to work out distances with: multiply the whole table "
        "by one number."
    ),
    "all_rows_equal": N_("{file} has the same numbers in every row: nothing can tell its rows apart."),
    "missing_value": N_(
        "{file} has no value in row {row:,} (counted from 0) of {column}: put one there, or leave the row out."
    ),
    "ragged_rows": N_(
        "{file} has {found:,} numbers in row {row:,} (counted from 0) where the rows before have {expected:,}: give "
        "every row the same width."
    ),
    # text
    "not_utf8": N_("{file} is not UTF-8 text in line {line:,}: save it with the encoding UTF-8."),
    "ragged_line": N_(
        "{file} has {found:,} cells in line {line:,} where the first line has {expected:,}: give every line the same."
    ),
    "no_number": N_("{file} has {cell} in line {line:,}, column {column:,}, where a number belongs: correct it."),
    "long_line": N_("{file} has a line of more than {limit_mb:,.1f} MB: save one row per line."),
    "bad_text": N_("{file} cannot be read as a table from line {line:,} on: check its separators and quotes."),
    # several tables or files
    "choose": N_("{file} holds several tables: {choices}. Choose one of them."),
    "unknown_choice": N_("{file} has no table {choice}: choose one of {choices}."),
    "no_table": N_("{file} holds no table, a two-dimensional array of numbers, only {names}: save the table in it."),
    "label_count": N_("{file} has {labels:,} labels for {rows:,} rows: give one label per row, or none."),
    "metadata_lines": N_(
        "{file} has {lines:,} entries for {rows:,} vectors: give one line per vector. A single column has no heading, "
        "several columns have one."
    ),
    "vectors_missing": N_("{file} has labels but no vectors: add the file of vectors, or numbers after each label."),
    "two_tables": N_(
        "{file} and {other} both hold vectors: give one file, or one of vectors with one of labels (.tsv)."
    ),
    "too_many_files": N_("There are {found:,} files: give one file, or one of vectors with one of labels (.tsv)."),
    # the heading of a .safetensors
    "heading_length": N_(
        "{file} announces a heading of {claimed:,} bytes, which is more than the file or the limit has ({limit:,}): "
        "save or download it again."
    ),
    "heading_text": N_("{file} has a heading that is no valid .safetensors heading: save or download it again."),
    "heading_offsets": N_("{file} says that {tensor} lies where the file has no room for it: save it again."),
    "heading_overlap": N_("{file} says that {tensor} and {other} lie in the same place: save it again."),
    "heading_size": N_(
        "{file} says that {tensor} needs {claimed:,} bytes by its shape, and gives it {found:,}: save it again."
    ),
}

# What a table's reader should know though nothing is wrong.
TABLE_NOTES: dict[str, str] = {
    "constant_columns": N_("{constant:,} of {columns:,} columns hold the same number in every row."),
    "narrowed": N_("The numbers are stored as {dtype} and rounded to float32."),
    "chosen": N_("Of several tables in {file}, this is {choice}."),
    "left_out": N_("Columns that are neither numbers nor text are left out: {names}."),
}


class TableError(ValueError):
    """A table that cannot be read; the message is one plain English sentence with the remedy.

    Attributes:
        code: a key of TABLE_ERRORS, for a program to tell errors apart and for a page to say it in its own words.
        values: what the sentence is filled with. Text in it may come from the file: treat it as foreign.
    """

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(fill_sentence(TABLE_ERRORS[code], values, quote=repr))
        self.code = code
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        """Survive the way between processes, which rebuilds an exception from its message otherwise."""
        return _rebuilt, (self.code, self.values)


def _rebuilt(code: str, values: Mapping[str, Any]) -> TableError:
    return TableError(code, **values)


def fill_sentence(sentence: str, values: Mapping[str, Any], *, quote: Callable[[str], str]) -> str:
    """Put values into a sentence.

    Args:
        sentence: with names in braces, as in TABLE_ERRORS and TABLE_NOTES, in any language.
        values: numbers, texts, and tuples of texts.
        quote: how a text is set off from the sentence; the text is cut in its middle before, where it is long.

    Returns:
        The sentence, with at most MOST_NAMES of a tuple's texts.
    """
    return sentence.format(**{name: _shown(value, quote) for name, value in values.items()})


def _shown(value: Any, quote: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return quote(_shortened(value))
    if isinstance(value, tuple):
        names = [quote(_shortened(str(part))) for part in value[:MOST_NAMES]]
        return ", ".join([*names, "…"] if len(value) > MOST_NAMES else names) or "–"
    return value


def _shortened(text: str) -> str:
    half = LONGEST_TEXT // 2
    return text if len(text) <= LONGEST_TEXT else f"{text[: half - 1]}…{text[-half:]}"


def arrow(module: str = "") -> Any:
    """Import pyarrow, or a module of it such as "csv"; TableError where it is not installed."""
    try:
        return import_module(f"pyarrow.{module}" if module else "pyarrow")
    except ImportError as error:
        raise TableError("pyarrow_missing") from error
