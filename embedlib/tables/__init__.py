"""Tables of vectors in files: six formats read, what is wrong said in one sentence, and a pair of .tsv written."""

from embedlib.tables.errors import ERRORS, NOTES, TableError
from embedlib.tables.reading import READERS, read_table
from embedlib.tables.table import EmbeddingTable, TableFile, TableNote
from embedlib.tables.writing import (
    ProjectorPair,
    write_metadata_tsv,
    write_projector_pair,
    write_vectors_tsv,
)

__all__ = [
    "ERRORS",
    "NOTES",
    "READERS",
    "EmbeddingTable",
    "ProjectorPair",
    "TableError",
    "TableFile",
    "TableNote",
    "read_table",
    "write_metadata_tsv",
    "write_projector_pair",
    "write_vectors_tsv",
]
