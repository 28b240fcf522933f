"""Tables of vectors in files: six formats read, what is wrong said in one sentence, and a pair of .tsv written."""

from embedlib.table_files.errors import ERRORS, NOTES, TableError
from embedlib.table_files.reading import READERS, read_table
from embedlib.table_files.table import EmbeddingTable, TableFile, TableNote
from embedlib.table_files.writing import (
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
