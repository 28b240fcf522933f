"""What is wrong with a file that somebody chose, or worth knowing about it, in a sentence of the reader's language."""

from embedlib.tables import ERRORS, NOTES, TableError, TableNote
from embedlib.tables.errors import filled
from ui.i18n import _
from ui.shared.markdown import as_code


def sentence(error: TableError) -> str:
    """Say what is wrong and what helps, as markdown in which names and cells of the file are code."""
    return filled(_(ERRORS[error.code]), error.values, quote=as_code)


def note_sentence(note: TableNote) -> str:
    """Say what there is to know about a table, as markdown likewise."""
    return filled(_(NOTES[note.code]), note.values, quote=as_code)
