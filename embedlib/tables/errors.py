"""What can be wrong with a table's file, with one sentence for each, which a page says in its reader's language."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from embedlib.i18n import N_

LONGEST_TEXT = 60  # characters of a name or a cell that a sentence quotes
MOST_NAMES = 8  # names that a sentence lists

# code -> sentence. Names in braces are the keys of an error's values. Sizes are in MB, of a million bytes. Lines of
# text files are counted from 1, as editors do, rows and columns of tables from 0, as token ids are.
TABLE_ERRORS: dict[str, str] = {
    "file": N_(
        "{file} cannot be read as a table: check its path, or save it as {known}; pickle is never loaded, since it can "
        "run programs."
    ),
    "shape": N_(
        "{file} holds {found}: a table needs at least two rows and two columns of numbers, and not all rows alike."
    ),
    "value": N_(
        "{file} has {value} in row {row:,}, column {column} (rows counted from 1): write a finite number below 1e14."
    ),
    "ragged": N_(
        "{file} has {found:,} cells in row {row:,} (counted from 1), not {expected:,}: give every row as many."
    ),
    "labels": N_(
        "{file} has {labels:,} labels for {rows:,} rows of numbers: "
        "add one file of vectors, with one label for each row."
    ),
    # the file as a whole
    "no_file": N_("Choose a table’s file."),
    "missing_file": N_("{file} cannot be opened: check path and permissions."),
    "empty_file": N_("{file} is not valid: save it again."),
    "extension": N_("{file} is not supported: save as {known}."),
    "too_large": N_("{file} needs {found_mb:,.1f} MB of memory, over the limit of {limit_mb:,.1f}: save part of it."),
    "too_many_rows": N_("{file} has over {limit:,} rows: keep fewer."),
    "too_many_columns": N_("{file} has {found:,} columns (limit: {limit:,}): save fewer."),
    "too_many_arrays": N_("{file} holds over {limit:,} arrays: save fewer."),
    "pickle": N_("{file} holds Python objects (pickle): save plain numbers."),
    "damaged": N_("{file} is not a whole, valid {format} file: save it or download it again."),
    "truncated": N_("{file} is not valid: save it again."),
    "packing": N_("{file} has an unsupported compression: use numpy.savez."),
    # its numbers
    "dtype": N_("{file} holds {dtype}: save float32."),
    "dimensions": N_("{file} has shape {shape}: save one row per token."),
    "no_rows": N_("{file} needs at least two rows and two columns."),
    "one_row": N_("{file} needs at least two rows and two columns."),
    "no_columns": N_("{file} needs at least two rows and two columns."),
    "one_column": N_("{file} needs at least two rows and two columns."),
    "not_a_number_value": N_("{file} is not finite in row {row:,}, column {column:,} (from 0): replace it."),
    "infinite": N_("{file} is not finite in row {row:,}, column {column:,} (from 0): replace it."),
    "beyond_float32": N_("{file} exceeds 1e14 in row {row:,}, column {column:,} (from 0): scale it down."),
    "too_large_numbers": N_("{file} exceeds 1e14 in row {row:,}, column {column:,} (from 0): scale it down."),
    "too_small_numbers": N_("{file} has no number above 1e-14: scale it up."),
    "all_rows_equal": N_("{file} has only equal rows: change one."),
    "missing_value": N_("{file} has no value in row {row:,} (from 0) of {column}: add one."),
    "ragged_rows": N_(
        "{file} has {found:,} numbers in row {row:,} (from 0), not {expected:,}: make rows equally long."
    ),
    # several tables or files
    "choose": N_("Choose a table of {file}: {choices}."),
    "unknown_choice": N_("Choose a table of {file}: {choices}."),
    "no_table": N_("{file} has only {names}: save a table of numbers."),
    "label_count": N_("{file} has {labels:,} labels for {rows:,} rows: give one each, or none."),
    "metadata_lines": N_(
        "{file} has {lines:,} entries for {rows:,} vectors: write one line each, several columns under a heading."
    ),
    "vectors_missing": N_("{file} has labels only: add the file of vectors."),
    "too_many_files": N_("Give one file of vectors and one of labels (.tsv)."),
    # the heading of a .safetensors
    "heading_length": N_("{file} is not valid: save it again."),
    "heading_text": N_("{file} is not valid: save it again."),
    "heading_offsets": N_("{file} is not valid: save it again."),
    "heading_overlap": N_("{file} is not valid: save it again."),
    "heading_size": N_("{file} is not valid: save it again."),
}

# What a table's reader should know though nothing is wrong.
TABLE_NOTES: dict[str, str] = {
    "constant_columns": N_("Constant columns: {constant:,} of {columns:,}."),
    "narrowed": N_("{dtype} rounded to float32."),
    "chosen": N_("Table {choice} of {file}."),
    "left_out": N_("Columns left out: {names}."),
    "empty_columns": N_("Left out, since they are empty: {names}."),
    "text_columns": N_("Not read as dimensions, since they hold text or gaps: {names}."),
    "announced_rows": N_("The first line announces {announced:,} rows; there are {rows:,}."),
}


class TableError(ValueError):
    """A table that cannot be read; the message is one plain English sentence with the remedy.

    Attributes:
        code: a key of TABLE_ERRORS, for a program to tell errors apart and for a page to say it in its own words.
        values: what the sentence is filled with. Text in it may come from the file: treat it as foreign.
        sentences: code -> sentence; TABLE_ERRORS.
    """

    sentences: ClassVar[Mapping[str, str]] = TABLE_ERRORS

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(fill_sentence(self.sentences[code], values, quote=repr))
        self.code = code
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        """Survive the way between processes, which rebuilds an exception from its message otherwise."""
        return _rebuilt, (type(self), self.code, self.values)


def _rebuilt(kind: type[TableError], code: str, values: Mapping[str, Any]) -> TableError:
    return kind(code, **values)


def fill_sentence(sentence: str, values: Mapping[str, Any], *, quote: Callable[[str], str]) -> str:
    """Put values into a sentence.

    Args:
        sentence: with names in braces, as in TABLE_ERRORS and TABLE_NOTES, in any language.
        values: numbers, texts, and tuples of texts.
        quote: how a text is set off from the sentence; the text is cut in its middle before, where it is long.

    Returns:
        The sentence, with at most MOST_NAMES of a tuple's texts.
    """
    return sentence.format(**{name: _written(value, quote) for name, value in values.items()})


def _written(value: Any, quote: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return quote(_shortened(value))
    if isinstance(value, tuple):
        names = [quote(_shortened(str(part))) for part in value[:MOST_NAMES]]
        return ", ".join([*names, "…"] if len(value) > MOST_NAMES else names) or "–"
    return value


def _shortened(text: str) -> str:
    half = LONGEST_TEXT // 2
    return text if len(text) <= LONGEST_TEXT else f"{text[: half - 1]}…{text[-half:]}"
