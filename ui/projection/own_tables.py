"""Tables from files: the reader's own, and those in the folder of whoever runs the server."""

import os
from functools import lru_cache
from pathlib import Path

import streamlit as st

from embedlib.tables import EmbeddingTable, TableError, read_table
from ui import cache
from ui.cache.bounded import BoundedCache
from ui.i18n import _
from ui.projection.shown_table import Names, ShownTable, word_names
from ui.projection.token_tables import token_names
from ui.projection.upload_sentences import sentence
from ui.shared.markdown import as_code

# A folder of tables that every visitor may open; they are read from there as they are needed, never whole.
FOLDER_VARIABLE = "EMBEDDING_EXPLORER_TABLES"
OWN = "yours"


def own() -> EmbeddingTable | None:
    """Return the table that this visitor has loaded."""
    return st.session_state.get("own_table")


def folder_files() -> dict[str, Path]:
    """Return the files in the server's folder of tables, by name."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder or not Path(folder).is_dir():
        return {}
    endings = (".npy", ".safetensors")  # those that can be read in place
    return {path.name: path for path in sorted(Path(folder).iterdir()) if path.suffix in endings}


# Keyed by the loaded table's own key: as long as somebody has it in view, its names are at hand.
_names: BoundedCache[str, Names] = BoundedCache(200_000_000, lambda names: 300 * len(names.texts))


def shown(table: EmbeddingTable, key: str, source: str) -> ShownTable:
    """Bring a table that was read into view."""
    return ShownTable(
        key=key,
        source=source,
        vectors=table.vectors,
        names=_names.get(key, lambda: _names_of(table)),
        told=_told(table),
    )


def _told(table: EmbeddingTable) -> str:
    """Say which files the numbers and the names are from."""
    if table.labels_from is None:
        sentence = _("The numbers are those of {file}, {rows:,} × {columns:,}.")
    else:
        sentence = _("The numbers are those of {file}, {rows:,} × {columns:,}; {labels} names the rows.")
    n_rows, n_columns = table.vectors.shape
    return sentence.format(
        file=as_code(table.name), rows=n_rows, columns=n_columns, labels=as_code(table.labels_from or "")
    )


def _names_of(table: EmbeddingTable) -> Names:
    """Name the rows: as the file does, else by GPT-2's tokens where there are exactly as many, else by number."""
    n_rows = table.vectors.shape[0]
    if table.labels is not None:
        return word_names(table.labels, table.columns)
    gpt2 = cache.tokenizer_for("gpt2", "")
    if n_rows == gpt2.vocab_size:
        return token_names("gpt2", "")
    return word_names([str(row) for row in range(n_rows)])


def from_folder(path: Path) -> ShownTable | None:
    """Open a table of the server's folder, or say in one sentence why it cannot be had."""
    about = path.stat()
    key = f"{path.name}-{about.st_mtime_ns}-{about.st_size}"
    try:
        return shown(_opened(path, key), key, path.name)
    except TableError as error:
        st.error(sentence(error))
        return None


@lru_cache(maxsize=4)
def _opened(path: Path, key: str) -> EmbeddingTable:
    return read_table([path])
