"""Tables to load and to save, and the marked rows that are looked at or saved alone."""

import hashlib
import io
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from embedlib.i18n import N_
from embedlib.tables import READERS, EmbeddingTable, TableError, read_table, write_metadata_tsv, write_vectors_tsv
from ui.components.measure_table import Column, Row
from ui.export import download
from ui.i18n import _, between
from ui.projection.tables import OWN, ShownTable, note_sentence, sentence
from ui.projection.view import FEWEST, View, mark, marked
from ui.settings import state
from ui.shared.markdown import as_code
from ui.shared.page import late_block
from ui.shared.saved_table import plain_table

# Larger tables are kept in a file without a name, which goes when the visit does; smaller ones in memory.
_IN_MEMORY = 16_000_000
LISTED = 1_000


@dataclass(frozen=True)
class _Waiting:
    """Files of which one table must be chosen, taken out of the uploader, which is free for others meanwhile."""

    files: Sequence[Any]
    name: str
    choices: Sequence[str]


@late_block("projection-files", N_("Your own table"), height=119, phone=308)
def load_and_save(table: ShownTable, rows: Sequence[int] | None = None) -> None:
    """Draw what loads a table and what saves the one in view, or those rows that the picture is narrowed to."""
    left, right = st.columns(2, gap="large")
    with left:
        _loader()
    if table.path is not None and table.is_large and not rows:
        return  # the file is there, and as text it might be larger than memory
    with right:
        count = len(rows or ()) or table.n_rows
        st.markdown(_("**Rows to save: {count:,}**").format(count=count))
        save_pair(table, rows or None, key="whole")


def save_pair(table: ShownTable, rows: Sequence[int] | None, *, key: str) -> None:
    """Offer rows as vectors.tsv and metadata.tsv, made when somebody asks; None for all."""
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


def _loader() -> None:
    attempt = int(st.session_state.setdefault("upload_attempt", 0))
    files = st.file_uploader(
        _("Load a table"),
        [ending[1:] for ending in READERS],
        accept_multiple_files=True,
        key=f"upload-{attempt}",
        help=_("One row per token; names in a second .tsv.") + between(" ") + _("Kept for this session only."),
    )
    with st.container(key="too-large"):
        too_large = _("Over {limit} MB or another type: save less, or as above.")
        st.caption(too_large.format(limit=st.get_option("server.maxUploadSize")))
    if files:
        _load(files, None)
    _choice_of_table(attempt)
    if problem := st.session_state.get("upload_problem"):
        with st.container(key="upload-problem"):
            st.error(problem)
            st.caption(_("The previous one stays."))
    for remark in st.session_state.get("upload_notes", []):
        st.caption(remark)


def _choice_of_table(attempt: int) -> None:
    """Ask which table of the waiting files is meant; other files in the uploader take their place."""
    waiting: _Waiting | None = st.session_state.get("upload_waiting")
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
        _load(waiting.files, choice)
    if st.button(_("Cancel"), key="upload-none", type="tertiary"):
        _finish()


def _load(files: Sequence[Any], choice: str | None) -> None:
    """Put the files' table into view, or keep the sentence that says what is wrong with them."""
    try:
        loaded = read_table(list(files), choice=choice, limit_bytes=st.get_option("server.maxUploadSize") * 2**20)
    except TableError as error:
        if error.code == "choose":
            _finish(waiting=_Waiting(files, error.values["file"], error.values["choices"]))
        _finish(problem=sentence(error))
        return
    st.session_state["own_table"] = _moved_to_disk(loaded)
    st.session_state["own_table_key"] = f"own-{token_hex(8)}"
    notes = [note_sentence(note) for note in loaded.notes]
    file = "/".join([_sha256(files), loaded.name.replace("/", " ")[:200], *([choice[:200]] if choice else [])])
    wanted = state.get("own_file") if state.get("vectors") == OWN else None
    if wanted is None or _content(wanted) != _content(file):  # else the link's rows are those of this file
        state.put(row=None, isolated=[], seen=None)
        mark([])
        if wanted is not None:
            notes.append(
                _("The link shows {wanted} of other content: SHA-256 {sha}.").format(
                    wanted=as_code(wanted.split("/")[1]), sha=as_code(wanted[:16] + "…")
                )
            )
    state.put(vectors=OWN, own_file=file)
    _finish(notes=notes)


def _content(file: str) -> tuple[str, ...]:
    """Return a file's hash and which of its arrays is meant: what it is called means nothing."""
    sha, _name, *choice = file.split("/", 2)
    return (sha, *choice)


def _sha256(files: Sequence[Any]) -> str:
    """Return the SHA-256 of a file; of several, that of theirs, so that their order means nothing."""
    digests = [hashlib.sha256(file.getbuffer()).hexdigest() for file in files]
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(sorted(digests)).encode()).hexdigest()


def _finish(*, problem: str | None = None, notes: Sequence[str] = (), waiting: _Waiting | None = None) -> None:
    """Begin anew with an empty uploader, so that the server lets go of the files' bytes."""
    st.session_state["upload_problem"] = problem
    st.session_state["upload_notes"] = list(notes)
    st.session_state["upload_waiting"] = waiting
    st.session_state["upload_attempt"] += 1
    st.rerun()


def _moved_to_disk(table: EmbeddingTable) -> EmbeddingTable:
    """Keep a large table's numbers in a file that nobody else can open, and that vanishes with the visit."""
    if table.vectors.nbytes <= _IN_MEMORY or isinstance(table.vectors, np.memmap):
        return table
    file = tempfile.TemporaryFile()
    table.vectors.tofile(file)
    file.flush()
    mapped: NDArray[Any] = np.memmap(file, dtype=table.vectors.dtype, mode="r", shape=table.vectors.shape)
    return replace(table, vectors=mapped)


def selection(view: View, matches: list[int] | None) -> None:
    """Say what is selected and what can be done with it; without a selection, the same for what a search matched."""
    if view.isolated:
        _isolated(view)
    elif state.get("isolated"):
        st.info(_("The link isolates under three rows: showing all."))
    rows = [row for row in marked() if row < view.table.n_rows]
    searched = not rows and bool(matches)
    rows = rows or list(matches or ())
    if not rows:
        st.caption(_("Select points to list, save or isolate them."))
        return
    count = len(rows)
    if not searched:
        st.markdown(_("**Selected: {count:,}**").format(count=count))
        _link_note("marked", rows)
    with st.container(horizontal=True):
        st.button(
            _("Isolate selection"),
            key="isolate",
            disabled=count < FEWEST,
            help=_("This needs at least {count} rows.").format(count=FEWEST),
            on_click=_isolate,
            args=(rows,),
        )
        if not searched:
            st.button(_("Clear selection"), key="clear-mark", type="tertiary", on_click=mark, args=([],))
    with st.expander(_("List")):
        _listed(view.table, rows)
        save_pair(view.table, rows, key="marked")


def _isolated(view: View) -> None:
    st.info(_("Shown: {count:,} of {total:,} rows.").format(count=len(view.isolated), total=view.table.n_rows))
    _link_note("isolated", view.isolated)
    st.button(_("Show all rows"), key="show-all", on_click=_show_all)


def _link_note(setting: str, rows: Sequence[int]) -> None:
    if not state.SETTINGS[setting].format(list(rows)):
        st.caption(_("Too many rows for a link: save them."))


def _isolate(rows: list[int]) -> None:
    state.put(isolated=sorted(rows))
    mark([])
    state.dismiss_notices()


def _show_all() -> None:
    state.put(isolated=[])
    state.dismiss_notices()


def _listed(table: ShownTable, rows: list[int]) -> None:
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
        st.caption(_("Listed: {count:,}; all are saved.").format(count=LISTED))
