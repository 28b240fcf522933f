"""The table as it is viewed now, gathered once per run, and measures of its rows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray

from embedlib.neighbours import Neighbours, nearest_neighbours, row_norms, similarity_to
from embedlib.tables import ManyNames
from embedlib.tokenizers import (
    SCRIPTS,
    TOKEN_KINDS,
    character_counts,
    label_bytes,
    token_kinds,
    token_label,
    token_scripts,
)
from ui import cache
from ui.cache.bounded import memo
from ui.components.measure_table import chosen_row
from ui.components.token_chips import Chip
from ui.i18n import _
from ui.projection.tables import MODEL, OWN, ShownTable
from ui.projection.whole import known_neighbours
from ui.settings import controls, state
from ui.shared.text.prepared import MAX_TOKENS

MAX_POINTS = 200  # more tokens than that cover the picture
NEIGHBOURS = 10
_WORD = 5  # characters, a space among them; shorter words say little of where they stand
PICTURE = "point-cloud"
FEWEST = 3  # rows that can be looked at alone


@dataclass(frozen=True, slots=True)
class TextRow:
    """One token of the text that has a row."""

    position: int  # in the text, counted over all its tokens
    row: int  # in the table


@dataclass(frozen=True, slots=True)
class TextRows:
    """A text as the table in view reads it."""

    chips: list[Chip]  # one per token or word, known to the table or not
    rows: list[TextRow]  # those that have a row, at most MAX_POINTS
    unknown: list[str]  # the words that have none, each once
    total: int  # how many tokens or words have a row


@dataclass(frozen=True, eq=False)
class View:
    """A table with the settings of the current view."""

    table: ShownTable
    text: TextRows  # the reader's text as rows of it
    map: str  # "pca", "tsne", "umap" or "meaning"
    chosen: int | None
    isolated: tuple[int, ...]  # the rows to which the picture is narrowed; empty for all
    metric: str

    @property
    def text_ids(self) -> list[int]:
        """The rows of the text's tokens, as often as they occur."""
        return [row.row for row in self.text.rows]

    @property
    def always(self) -> list[int]:
        """The rows that are drawn even where the others are a sample: the text's, the chosen one and its neighbours."""
        if self.chosen is None:
            return sorted({*self.text_ids})
        return sorted({*self.text_ids, self.chosen, *([] if self.nearest is None else self.nearest.ids[0].tolist())})

    @cached_property
    def nearest(self) -> Neighbours | None:
        """The chosen row's nearest others in the full space; None until those of a large table are found elsewhere.

        Looked for once: found while the page is drawn, they would be in its table and not in its picture.
        """
        if self.chosen is None:
            return None
        count = min(NEIGHBOURS, self.table.n_rows - 1)
        find = known_neighbours if self.table.is_large else _nearest_rows
        return find(self.table, self.chosen, self.metric, count)

    @property
    def picture(self) -> str:
        """Identity of the picture in the browser, which keeps zoom and rotation as long as it is the same."""
        return f"{self.table.key}/{self.map}/{len(self.isolated)}"

    @property
    def is_dense(self) -> bool:
        """True if the picture shows all rows of a large table: their density, and points where they are few."""
        flat = state.get("view") == "2d"
        return self.table.is_large and self.map == "pca" and flat and not self.isolated


def gather_view(table: ShownTable, text: TextRows) -> View:
    """Gather the settings of the view; rows that this table lacks are ignored."""
    _reset_for_new_table(table)
    chosen = state.get("row")
    isolated = tuple(row for row in state.get("isolated") if row < table.n_rows)
    return View(
        table=table,
        text=text,
        # Axes of meaning where words have known meanings.
        map=str(state.get("map") or ("meaning" if table.groups is not None or table.source == "minilm" else "pca")),
        chosen=chosen if chosen is not None and chosen < table.n_rows else None,
        isolated=isolated if len(isolated) >= FEWEST else (),
        metric=state.get("metric"),
    )


def _reset_for_new_table(table: ShownTable) -> None:
    """Reset the chosen, marked and isolated rows after a change of table; a link may bring its own."""
    if state.get("vectors") == OWN and table.source != OWN:
        return  # another stands in until the reader's own is loaded, whose rows the link names
    names = f"{table.source}/{table.names.tokenizer}/{table.key if table.source in (OWN, MODEL) else ''}"
    before = st.session_state.get("rows_are_of", names)
    st.session_state["rows_are_of"] = names
    if before != names:
        state.put(row=None, isolated=[], token=None)
        mark_rows([])
    key = st.session_state.get("seen_is_of", table.key)
    st.session_state["seen_is_of"] = table.key
    if key != table.key:
        state.put(seen=None)


def metric_title(metric: str) -> str:
    """Return a measure's column heading in tables of neighbours."""
    return {"cosine": _("cosine"), "dot": _("dot product"), "euclidean": _("− distance")}[metric]


def metric_sentence(metric: str) -> str:
    """Return a sentence on how to read a measure of similarity in tables."""
    return {
        "cosine": _("The cosine is 1 if two rows point the same way and 0 if they have nothing in common."),
        "dot": _("The dot product is large if two rows are long and point the same way."),
        "euclidean": _("The distance is 0 for equal rows; its sign is turned, so that more is nearer."),
    }[metric]


def choose_panel() -> str:
    """Show the two panels beside the picture to choose from; return "analogies" or "neighbours"."""
    titles = {"analogies": _("Analogies"), "neighbours": _("Nearest neighbours")}
    # No `st.tabs`: at every rerun it looks for what can be focused, which lays out the page again and again.
    panel: str = controls.control(
        "beside",
        st.segmented_control,
        list(titles),
        titles=titles,
        value=shown_panel(),
        required=True,
        collapsed=True,
        on_change=lambda: _set_panel(shown_panel(), state.get("row")),
    )
    return panel


def _default_panel(chosen: int | None) -> str:
    """Return the default panel beside the picture: the neighbours once a row has been chosen."""
    return "analogies" if chosen in (None, state.defaults("projection", {})["row"]) else "neighbours"


def _set_panel(beside: str, row: int | None) -> None:
    state.set_local(row=row, beside=None if beside == _default_panel(row) else beside)


def shown_panel() -> str:
    """Return the panel that is shown beside the picture: "analogies" or "neighbours"."""
    return str(state.get("beside") or _default_panel(state.get("row")))


def choose_row(row: int | None) -> None:
    """Choose a row, and show the panel of its neighbours."""
    _set_panel(shown_panel() if row is None else "neighbours", row)


def choose_listed(key: str, ids: list[int]) -> None:
    """Choose the row that is clicked in a table of rows."""
    row = chosen_row(key, len(ids))
    if row is not None:
        choose_row(ids[row])


def marked_rows() -> list[int]:
    """Return the rows that the reader has marked with box or lasso, as long as their table is in view."""
    return list(state.get("marked"))


def mark_rows(rows: "list[int] | NDArray[np.int64]") -> None:
    """Store the rows that the reader has marked."""
    state.set_local(marked=[int(row) for row in rows])


def text_rows(table: ShownTable, text: str) -> TextRows:
    """Cut a text into the table's tokens: by its tokenizer, or else into words."""
    if table.names.tokenizer is not None:
        tokens = _token_chips(text, table.names.tokenizer) if text else []
        return _limit_text_rows(tokens, [(chip.position, chip.id) for chip in tokens], [])
    words = table.names.by_word.find_words(text)[:MAX_TOKENS]
    return _limit_text_rows(
        [_word_chip(position, word, row) for position, (word, row) in enumerate(words)],
        [(position, row) for position, (_, row) in enumerate(words) if row is not None],
        list(dict.fromkeys(word for word, row in words if row is None)),
    )


@memo()
def _token_chips(text: str, tokenizer: str) -> list[Chip]:
    return cache.token_chips(cache.tokenize_text(text, tokenizer)[:MAX_TOKENS], tokenizer)


def _limit_text_rows(chips: list[Chip], rows: list[tuple[int, int]], unknown: list[str]) -> TextRows:
    kept = [TextRow(position, row) for position, row in rows[:MAX_POINTS]]
    return TextRows(chips, kept, unknown, len(rows))


def _word_chip(position: int, word: str, row: int | None) -> Chip:
    return Chip(
        position=position,
        id=row or 0,
        label=token_label(word.encode("utf-8", "replace")),
        bytes_hex=word.encode("utf-8", "replace").hex(" ").upper(),
        space_before=position > 0,
        part=1,
        parts=1,
        group=None,
        character="",
        known=row is not None,
    )


def _table_key(table: ShownTable, *rest: object) -> tuple[object, ...]:
    """Return a table's cache key."""
    return (table.key, *rest)


def row_kinds(table: ShownTable, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the kinds of some rows, (len(ids),), as indices of KINDS."""
    return _measure_names(table, ids, lambda pieces: _index_names(list(TOKEN_KINDS), token_kinds(pieces)), "kinds")


def row_scripts(table: ShownTable, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the scripts of some rows, (len(ids),), as indices of SCRIPTS."""
    return _measure_names(table, ids, lambda pieces: _index_names(list(SCRIPTS), token_scripts(pieces)), "scripts")


def name_lengths(table: ShownTable, ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the number of characters of some rows' names, (len(ids),)."""
    return _measure_names(table, ids, lambda pieces: character_counts(pieces).astype(np.float32), "lengths")


def _measure_names(
    table: ShownTable, ids: NDArray[np.int64], measure: Callable[[list[bytes]], NDArray[Any]], name: str
) -> NDArray[Any]:
    """Measure the names of some rows; of all rows once, unless names are computed when read."""
    texts = table.names.texts
    if isinstance(texts, ManyNames):
        return measure([texts[row].encode("utf-8", "replace") for row in ids.tolist()])
    measured: NDArray[Any] = _all_measures(table, name, measure)[ids]
    return measured


@memo(key=lambda table, name, measure: (table.key, name))
def _all_measures(table: ShownTable, name: str, measure: Callable[[list[bytes]], NDArray[Any]]) -> NDArray[Any]:
    return measure(_pieces(table))


def norms_by_row(table: ShownTable, ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the lengths of some rows' vectors, (len(ids),)."""
    return row_norms(table.rows(ids)).numpy() if table.is_large else _norms(table)[ids]


@memo(key=_table_key)
def _norms(table: ShownTable) -> NDArray[np.float32]:
    return row_norms(table.vectors).float().cpu().numpy()


def landmarks(table: ShownTable, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank rows by how well their names serve as landmarks, as indices into ids: words first."""
    kinds, lengths = row_kinds(table, ids), name_lengths(table, ids)
    word = (kinds == list(TOKEN_KINDS).index("word_start")) & (lengths >= _WORD)
    return np.argsort(~word, kind="stable")


def similarities(table: ShownTable, row: int, metric: str, ids: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the similarity of some rows to one, (len(ids),); greater is more similar."""
    if table.is_large:
        return similarity_to(table.rows(ids), table.rows([row])[0], metric).numpy()
    return _similarities(table, row, metric)[ids]


@memo(key=_table_key)
def _similarities(table: ShownTable, row: int, metric: str) -> NDArray[np.float32]:
    return similarity_to(table.vectors, table.rows([row])[0], metric).numpy()


@memo(key=_table_key)
def _nearest_rows(table: ShownTable, row: int, metric: str, count: int) -> Neighbours:
    return nearest_neighbours(
        table.vectors,
        table.rows([row]),
        count,
        metric,
        exclude=[row],
        row_norms=torch.from_numpy(_norms(table)),
    )


def _index_names(order: list[str], names: Iterable[str]) -> NDArray[np.int64]:
    number = {name: index for index, name in enumerate(order)}
    return np.array([number[name] for name in names], dtype=np.int64)


def _pieces(table: ShownTable) -> list[bytes]:
    names = table.names
    return list(names.pieces) if names.pieces is not None else label_bytes(names.texts)
