"""Upload and download of tables, and the actions on marked rows."""

import hashlib
import io
import tempfile
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Any

import streamlit as st

from embedlib.i18n import N_
from embedlib.tables import (
    READERS,
    SEPARATORS,
    EmbeddingTable,
    TableError,
    TableFile,
    TextLayout,
    read_table,
    write_metadata_tsv,
    write_vectors_tsv,
)
from ui.components.measure_table import Column, Row
from ui.export import download
from ui.i18n import _, separator
from ui.markdown import as_code
from ui.projection.tables import OWN, ShownTable, error_sentence, note_sentence, own_table
from ui.projection.view import FEWEST, View, mark_rows, marked_rows
from ui.settings import state
from ui.shared.page import section
from ui.shared.saved_table import plain_table
from ui.shared.upload import renew_upload, upload, upload_attempt

LISTED = 1_000
_UPLOAD = "upload"
_NOTES, _WAITS = "upload_notes", "upload_waiting"  # in the session
_SEPARATORS = dict(
    zip(SEPARATORS, (N_("tabs"), N_("semicolons"), N_("commas"), N_("vertical bars"), N_("spaces")), strict=True)
)
_DECIMALS = {".": N_("decimal points"), ",": N_("decimal commas")}
_HEADERS = {True: N_("a heading"), False: N_("no heading")}
_LISTED_COLUMNS = 20  # that labels may be in, besides those of text
_ENCODINGS = ("utf-8", "windows-1252", "windows-1250", "windows-1251", "gb18030", "shift_jis", "utf-16")


@dataclass(frozen=True)
class _PendingFiles:
    """Uploaded files with several tables, until the reader has chosen one."""

    files: Sequence[Any]
    name: str
    choices: Sequence[str]


@dataclass(frozen=True)
class _OwnFiles:
    """The files of the reader's table in view, and which of their tables it is."""

    files: Sequence[TableFile]
    choice: str | None


@section("projection-files", N_("Your own table"))
def load_and_save(table: ShownTable, rows: Sequence[int] | None = None) -> None:
    """Draw the upload of a table and the download of the one in view, or of its isolated rows."""
    left, right = st.columns(2, gap="large")
    with left:
        _upload_section()
    if table.path is not None and table.is_large and not rows:
        return  # the file is there, and as text it might be larger than memory
    with right:
        count = len(rows or ()) or table.n_rows
        st.markdown(_("**Rows to save: {count:,}**").format(count=count))
        save_pair(table, rows or None, key="whole")


def save_pair(table: ShownTable, rows: Sequence[int] | None, *, key: str) -> None:
    """Draw downloads of rows, None for all, as vectors.tsv and metadata.tsv, written on click."""
    names = table.names

    def vectors() -> bytes:
        target = io.BytesIO()
        write_vectors_tsv(target, table.vectors if rows is None else table.rows(rows))
        return target.getvalue()

    def metadata() -> bytes:
        target = io.BytesIO()
        kept = range(table.n_rows) if rows is None else rows
        columns = {name: [values[row] for row in kept] for name, values in names.columns.items()}
        write_metadata_tsv(target, [names.texts[row] for row in kept], columns=columns)
        return target.getvalue()

    with st.container(horizontal=True):
        for title, name, make in (
            (_("Numbers (vectors.tsv)"), "vectors.tsv", vectors),
            (_("Names (metadata.tsv)"), "metadata.tsv", metadata),
        ):
            download(title, make, name, kind="text/tab-separated-values", key=f"{key}-{name}")


def _upload_section() -> None:
    attempt = upload_attempt(_UPLOAD)
    upload(
        _("Load a table"),
        lambda files: _load_files(files, None),
        key=_UPLOAD,
        types=[*(ending[1:] for ending in READERS), "gz"],
        several=True,
        about=_("One row of numbers for each token; their names may be in a second file (.tsv or .txt).")
        + separator(" ")
        + _("Formats: {endings}; any may be packed as .gz.").format(endings=", ".join(READERS)),
        previous_stays=True,
    )
    with st.container(key="too-large"):
        too_large = _("Over {limit} MB or another type: save less, or as {endings}.")
        st.caption(too_large.format(limit=st.get_option("server.maxUploadSize"), endings=", ".join(READERS)))
    _choice_of_table(attempt)
    if (table := own_table()) is not None and table.layout is not None and state.get("vectors") == OWN:
        _text_layout(table, table.layout, attempt)
    for remark in st.session_state.get(_NOTES, []):
        st.caption(remark)


def _choice_of_table(attempt: int) -> None:
    """Ask which table of the pending files to load; a new upload replaces them."""
    waiting: _PendingFiles | None = st.session_state.get(_WAITS)
    if waiting is None:
        return
    st.info(
        _("{file} holds {count:,} tables: choose one.").format(file=as_code(waiting.name), count=len(waiting.choices))
    )
    choice = st.selectbox(
        _("Table in the file"),
        waiting.choices,
        index=None,
        key=f"upload-choice-{attempt}",
        placeholder=_("choose one"),
    )
    if choice:
        renew_upload(_UPLOAD, _load_files(waiting.files, choice))
        st.rerun()
    if st.button(_("Cancel"), key="upload-none", type="tertiary"):
        st.session_state[_WAITS] = None
        st.rerun()


def _text_layout(table: EmbeddingTable, layout: TextLayout, attempt: int) -> None:
    """Show how a text file was parsed, with controls that parse it again."""
    labels = _("no labels")
    if layout.label_column or table.labels_from:
        labels = _("labels from {column}").format(column=as_code(table.labels_from or layout.label_column or ""))
    said = _("Read as: {separator}, {decimal}, {heading}, {labels}.").format(
        separator=_(_SEPARATORS[layout.separator or ","]),
        decimal=_(_DECIMALS[layout.decimal or "."]),
        heading=_(_HEADERS[bool(layout.header)]),
        labels=labels,
    )
    if layout.encoding != "utf-8":
        said += separator(" ") + _("Encoding: {encoding}.").format(encoding=layout.encoding)
    columns = dict.fromkeys(["", layout.label_column or "", *table.columns, *layout.columns[:_LISTED_COLUMNS]])
    with st.container(horizontal=True, vertical_alignment="center", key="text-layout"):
        st.caption(said, width="content")
        with st.popover(_("Change"), type="tertiary"):

            def select(title: str, options: Iterable[Any], part: str, written: Callable[[Any], str]) -> Any:
                choices, found = list(options), getattr(layout, part)
                at = choices.index(found) if found in choices else None
                return st.selectbox(title, choices, at, format_func=written, key=f"layout-{part}-{attempt}")

            picked = {
                "separator": select(_("Separator"), _SEPARATORS, "separator", lambda one: _(_SEPARATORS[one])),
                "decimal": select(_("Decimal mark"), _DECIMALS, "decimal", lambda one: _(_DECIMALS[one])),
                "header": select(_("Heading"), _HEADERS, "header", lambda one: _(_HEADERS[one])),
                "label_column": select(_("Labels"), columns, "label_column", lambda one: one or _("no labels")),
            }
            if layout.encoding != "utf-8":
                encodings = dict.fromkeys([layout.encoding, *_ENCODINGS])
                picked["encoding"] = select(_("Encoding"), encodings, "encoding", str)
    changed = {part: value for part, value in picked.items() if value != getattr(layout, part)}
    if changed:
        found_anew: dict[str, Any] = {"columns": ()}
        if "decimal" not in changed and "label_column" not in changed:
            found_anew["label_column"] = None  # columns get other names
        if "separator" in changed:
            found_anew |= {"decimal": None, "header": None}
        _parse_again(replace(layout, **found_anew | changed))


def _parse_again(layout: TextLayout) -> None:
    """Parse the files of the reader's own table in another layout; on an error the table stays as it is."""
    kept: _OwnFiles = st.session_state["own_files"]
    try:
        loaded = _read_files(kept.files, kept.choice, layout)
    except TableError as error:
        renew_upload(_UPLOAD, error_sentence(error))
        st.rerun()
    _show_table(loaded, layout)
    state.put(row=None, isolated=[], seen=None)  # other rows than those, perhaps
    mark_rows([])
    st.session_state[_NOTES] = [note_sentence(note) for note in loaded.notes]
    renew_upload(_UPLOAD)
    st.rerun()


def _read_files(files: Sequence[Any], choice: str | None, layout: TextLayout) -> EmbeddingTable:
    limit = st.get_option("server.maxUploadSize") * 2**20
    return read_table(list(files), choice=choice, layout=layout, limit_bytes=limit)


def _show_table(table: EmbeddingTable, layout: TextLayout) -> None:
    st.session_state["own_table"] = table  # the numbers of a large one are in a file without a name
    st.session_state["own_table_key"] = f"own-{token_hex(8)}"
    st.session_state["own_layout"] = layout


def _store_files(files: Sequence[Any], choice: str | None) -> None:
    """Store files on disk, to parse them again in another layout, until the next table or the end of the visit."""
    opened = ExitStack()
    copies = [opened.enter_context(tempfile.TemporaryFile()) for _file in files]
    for file, copy in zip(files, copies, strict=True):
        copy.write(file.getbuffer())
    kept = _OwnFiles([TableFile(file.name, copy) for file, copy in zip(files, copies, strict=True)], choice)
    weakref.finalize(kept, opened.close)
    st.session_state["own_files"] = kept


def _load_files(files: Sequence[Any], choice: str | None) -> str | None:
    """Load the files' table, or return a sentence on what is wrong with them."""
    st.session_state[_NOTES], st.session_state[_WAITS] = [], None
    try:
        loaded = _read_files(files, choice, TextLayout())
    except TableError as error:
        if error.code == "choose":
            st.session_state[_WAITS] = _PendingFiles(files, error.values["file"], error.values["choices"])
            return None
        return error_sentence(error)
    is_first = own_table() is None  # later on the address has the file that was loaded last
    _show_table(loaded, TextLayout())
    _store_files(files if loaded.layout is not None else [], choice)
    notes = [note_sentence(note) for note in loaded.notes]
    file = "/".join([_sha256(files), loaded.name.replace("/", " ")[:200], *([choice[:200]] if choice else [])])
    wanted = state.get("own_file") if state.get("vectors") == OWN else None
    if wanted is None or _file_identity(wanted) != _file_identity(file):  # else the link's rows are those of this file
        state.put(row=None, isolated=[], seen=None)
        mark_rows([])
        if wanted is not None and is_first:
            notes.append(
                _("The link shows {wanted} of other content: SHA-256 {sha}.").format(
                    wanted=as_code(wanted.split("/")[1]), sha=as_code(wanted[:16] + "…")
                )
            )
    state.put(vectors=OWN, own_file=file)
    st.session_state[_NOTES] = notes
    return None


def _file_identity(file: str) -> tuple[str, ...]:
    """Return a file's identity: its hash and the chosen array, whatever its name."""
    sha, _name, *choice = file.split("/", 2)
    return (sha, *choice)


def _sha256(files: Sequence[Any]) -> str:
    """Return the SHA-256 of a file; of several, that of theirs, so that their order means nothing."""
    digests = [hashlib.sha256(file.getbuffer()).hexdigest() for file in files]
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(sorted(digests)).encode()).hexdigest()


def show_selection(view: View, matches: list[int] | None) -> None:
    """Show the selected rows and their actions; without a selection, those of the rows that a search matched."""
    if view.isolated:
        _show_isolated(view)
    elif state.get("isolated"):
        st.info(_("The link asks for fewer than three rows, so all are shown."))
    rows = [row for row in marked_rows() if row < view.table.n_rows]
    searched = not rows and bool(matches)
    rows = rows or list(matches or ())
    if not rows:
        st.caption(
            _(
                "Draw a box or a lasso around points of the picture, and you can list them, save them or look at them "
                "alone."
            )
        )
        return
    count = len(rows)
    if not searched:
        st.markdown(_("**Selected: {count:,}**").format(count=count))
        _link_note("marked", rows)
    with st.container(horizontal=True):
        st.button(
            _("Look at these alone"),
            key="isolate",
            disabled=count < FEWEST,
            help=_("This needs at least {count} rows.").format(count=FEWEST),
            on_click=_isolate,
            args=(rows,),
        )
        if not searched:
            st.button(_("Clear selection"), key="clear-mark", type="tertiary", on_click=mark_rows, args=([],))
    with (listed := st.expander(_("List"), key="selection-list", on_change="rerun")):
        if listed.open:
            _show_rows(view.table, rows)
            save_pair(view.table, rows, key="marked")


def _show_isolated(view: View) -> None:
    st.info(
        _("The picture shows {count:,} of {total:,} rows.").format(count=len(view.isolated), total=view.table.n_rows)
    )
    _link_note("isolated", view.isolated)
    st.button(_("Show all rows"), key="show-all", on_click=_show_all)


def _link_note(setting: str, rows: Sequence[int]) -> None:
    if not state.SETTINGS[setting].format(list(rows)):
        st.caption(_("A link cannot hold so many rows: save them instead."))


def _isolate(rows: list[int]) -> None:
    state.put(isolated=sorted(rows))
    mark_rows([])


def _show_all() -> None:
    state.put(isolated=[])


def _show_rows(table: ShownTable, rows: list[int]) -> None:
    more = table.names.columns
    plain_table(
        [Column(_("row")), *map(Column, more)],
        [
            Row(
                table.names.labels[row],
                [float(row), *[None] * len(more)],
                [str(row), *(str(values[row]) for values in more.values())],
            )
            for row in rows[:LISTED]
        ],
        first=_("token"),
        key="listed",
        alt=_("List"),
    )
    if len(rows) > LISTED:
        st.caption(_("The list shows the first {count:,}; all are saved.").format(count=LISTED))
