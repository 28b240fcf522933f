"""Which table is meant where a file holds several."""

from collections.abc import Sequence

from embedlib.tables.errors import TableError
from embedlib.tables.table import TableNote


def chosen(
    file: str, tables: Sequence[str], names: Sequence[str], choice: str | None, *, usual: Sequence[str] = ()
) -> tuple[str, list[TableNote]]:
    """Find the table that is meant.

    Args:
        file: the name to say in a sentence.
        tables: the names of the tables in the file.
        names: the names of all that is in the file.
        choice: the table that somebody asked for, or None.
        usual: names that token embeddings go by, the most usual first; a table may have more in front of its name,
            such as "model." before "embed_tokens.weight".

    Returns:
        The table asked for; else the first that has a usual name; else the only one. And a note where there are others.

    Raises:
        TableError: "no_table"; "unknown_choice"; or "choose", with all that there is as values["choices"].
    """
    if not tables:
        raise TableError("no_table", file=file, names=tuple(names))
    if choice is not None and choice not in tables:
        raise TableError("unknown_choice", file=file, choice=choice, choices=tuple(tables))
    found = choice or (tables[0] if len(tables) == 1 else _usual(tables, usual))
    if found is None:
        raise TableError("choose", file=file, choices=tuple(tables))
    others = len(tables) > 1
    return found, [TableNote("chosen", {"file": file, "choice": found})] if others else []


def _usual(tables: Sequence[str], usual: Sequence[str]) -> str | None:
    """Return the table of the most usual name; where two end in it, it takes somebody to choose."""
    for name in usual:
        found = [table for table in tables if table == name] or [
            table for table in tables if table.endswith(f".{name}")
        ]
        if len(found) == 1:
            return found[0]
        if found:
            return None
    return None
