"""Tables of vectors in files: readers of many formats, errors in one sentence, text output, search by name."""

from embedlib.errors import fill_sentence
from embedlib.tables.errors import TABLE_ERRORS, TABLE_NOTES, TableError
from embedlib.tables.layout import SEPARATORS, TextLayout
from embedlib.tables.names import MAX_MATCHES, LineNames, ManyNames, ManyRowNames, NumberNames, RowNames, search_names
from embedlib.tables.reading import READERS, read_array, read_table
from embedlib.tables.table import EmbeddingTable, TableFile, TableNote
from embedlib.tables.writing import (
    ProjectorPair,
    csv_header,
    float32_rows,
    write_columns,
    write_metadata_tsv,
    write_projector_pair,
    write_vectors_tsv,
)
