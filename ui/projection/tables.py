"""The tables that can be in view: learned, random, from the server's folder, or the reader's own, with their names."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.grammar import GROUPS, KINDS, word_kinds
from embedlib.i18n import N_
from embedlib.tables import (
    TABLE_NOTES,
    EmbeddingTable,
    LineNames,
    ManyNames,
    ManyRowNames,
    NumberNames,
    RowNames,
    TableError,
    TableNote,
    fill_sentence,
    read_table,
)
from embedlib.texts import reference_manual, words
from embedlib.tokenizers import token_label
from embedlib.word2vec import CountedTable, cooccurrence_table
from ui import cache
from ui.cache import minilm
from ui.cache.bounded import memo
from ui.cache.models import is_model_source, model_tokenizer
from ui.i18n import _, separator
from ui.jobs import Report, result_or_progress
from ui.markdown import as_code
from ui.settings import state
from ui.shared.model_choice import Model, model_sentence, tokenizer_fault, tokenizer_ready
from ui.shared.model_rows import model_and_table
from ui.shared.origin import minilm_sentence
from ui.shared.text.tokens import vocabulary_ready

FROM_TEXT = ("characters", "words")  # tokenizers whose vocabulary is made from the text
# A folder of tables that every visitor may open; they are read from there as they are needed, never whole.
FOLDER_VARIABLE = "EMBEDDING_EXPLORER_TABLES"
OWN = "yours"
MODEL = "model"  # any that others have trained; which one, the setting of this name says
# GPT-2's whole vocabulary fits; of a larger table a picture has the density, or rows drawn at random.
MOST_POINTS = 2**16
_LARGE_FILE = 2**26  # bytes that are read in the background
_MOST_MAPPED = 2**28  # bytes of a file whose pages stay with the process
# Of a file in the server's folder, which is read in place; the squares of so many numbers stay finite in float32.
_MOST_BYTES, _MOST_ROWS = 2**35, 2**26
_USUAL_WIDTH = 64  # its words are the same at any width, and this one is there already


@dataclass(frozen=True, eq=False)
class Names:
    """Names of the rows."""

    texts: Sequence[str]  # as they are, to search in
    labels: Sequence[str]  # as they are written, every sign visible
    pieces: Sequence[bytes] | None  # as bytes, where the table is a tokenizer's
    tokenizer: str | None  # what cuts a text into rows; None: by words
    by_word: RowNames
    columns: dict[str, list[str]] = field(default_factory=dict)  # what else is known of each row

    def missing(self, words: Sequence[str]) -> list[str]:
        """Return the words that have no row, each once."""
        return [word for word in dict.fromkeys(words) if self.by_word.find(word) is None]


@dataclass(frozen=True, eq=False)
class ShownTable:
    """A table in view."""

    key: str  # what its numbers are kept under; another table never has it
    source: str  # "minilm", MODEL, "learned", "grammar", "random", OWN, or the name of a file in the server's folder
    vectors: "Tensor | NDArray[Any]"  # (n_rows, d_model); a file that is read in place where it is an array
    names: Names
    origin: str  # where its numbers come from, one sentence
    counts: Sequence[int] | None = None  # how often each row was met in training, where that is known
    groups: tuple[NDArray[np.int64], Sequence[str]] | None = None  # each row's group of meaning, and their titles
    path: Path | None = None  # of the file in the server's folder

    @property
    def is_large(self) -> bool:
        """True if the table has more rows than a picture has points."""
        return self.n_rows > MOST_POINTS

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.vectors.shape[0])

    @property
    def d_model(self) -> int:
        """Row width."""
        return int(self.vectors.shape[1])

    def rows(self, ids: Sequence[int] | NDArray[np.int64]) -> Tensor:
        """Return some rows, (len(ids), d_model) float32 on the CPU."""
        if isinstance(self.vectors, Tensor):
            wanted = torch.as_tensor(np.asarray(ids, dtype=np.int64), device=self.vectors.device)
            return self.vectors[wanted].detach().float().cpu()
        return torch.from_numpy(np.asarray(self.vectors[np.asarray(ids, dtype=np.int64)], dtype=np.float32))


def choices() -> dict[str, str]:
    """Return the titles of the tables to choose from, by their names in the link."""
    titles = {"minilm": "MiniLM"} if minilm.has_minilm() else {}
    titles |= {
        MODEL: _("another model"),
        "grammar": _("a small grammar"),
        "learned": _("Python’s manual"),
        "random": _("random"),
    }
    if own_table() is not None:
        titles[OWN] = _("your own")
    return titles | {name: name for name in folder_files()}


def table_in_view(text: str) -> ShownTable | None:
    """Return the table that the settings name; show in one sentence why there is none.

    Args:
        text: the reader's text, from which some tokenizers make their vocabulary.
    """
    wanted = state.get("vectors")
    if wanted == "minilm" and minilm.has_minilm():
        return minilm_table()
    if wanted == MODEL:
        return _model_table()
    if wanted == "random":
        return _random_or_none(text)
    if wanted == "learned":
        return _learned_or_none(state.get("d_model"))
    if wanted == OWN and (loaded := own_table()) is not None:
        return _file_table(loaded, st.session_state["own_table_key"], OWN)
    if (path := folder_files().get(wanted)) is not None:
        return folder_table(path)
    if wanted == OWN:
        file = state.get("own_file")
        sentence = (
            _("A link cannot carry a table: load it below. Until then the page shows the table “{shown}”.")
            if file is None
            else _("The link shows {file}: load it below. Until then the page shows the table “{shown}”.")
        )
        st.info(sentence.format(file=file and as_code(file.split("/")[1]), shown=choices()["grammar"]))
    elif wanted != "grammar":
        shown = fallback_table()
        sentence = _("There is no table {name} here, so the page shows the table “{shown}”.")
        st.info(sentence.format(name=as_code(wanted[:40]), shown=choices()[shown]))
        if shown == "minilm":
            return minilm_table()
    return grammar_table()


def fallback_table() -> str:
    """Return the name of the table that is shown where the link names none that is here."""
    is_known = state.get("vectors") in (OWN, "grammar", "minilm")  # each with a notice of its own
    return "minilm" if minilm.opens_with_minilm() and not is_known else "grammar"


def _model_table() -> ShownTable | None:
    """Return the table of a model with its tokens as names; show progress, or why it cannot be loaded."""
    found = model_and_table(key="model-table")
    if found is None:
        return None
    model, rows = found
    fault = tokenizer_fault(model.source)
    if fault is None and not tokenizer_ready(model.source):
        return None
    if fault is not None and fault.code != "missing":
        st.error(model_sentence(fault))
    n_rows, n_columns = rows.shape
    return ShownTable(
        key=f"model-{model.key}",
        source=MODEL,
        vectors=rows,
        names=_model_names(model) if fault is None else word_names([str(row) for row in range(n_rows)]),
        origin=_("{file}: {rows:,} rows × {columns:,}.").format(
            file=as_code(model.title), rows=n_rows, columns=n_columns
        ),
    )


@memo(200_000_000, size=lambda names: 400 * len(names.texts), key=lambda model: model.key)
def _model_names(model: Model) -> Names:
    """Name the rows by the model's own tokens; rows without a token by their number."""
    tokenizer, n_rows = model_tokenizer(model.source), model.checkpoint.vocab_size
    spelled = any(tokenizer.marks[::2])  # with a mark inside words, "##ing", or at their ends
    data = []
    for row in range(n_rows):
        piece = tokenizer.piece(row) if row < tokenizer.vocab_size else ""
        data.append((piece.encode() if spelled else tokenizer.token_bytes(row)) if piece else f"[{row}]".encode())
    texts = [one.decode("utf-8", "replace") for one in data]
    named = model.source == "minilm" or is_model_source(model.source)
    return Names(
        texts,
        [token_label(one) for one in data],
        None if spelled else data,
        model.source if named and tokenizer.vocab_size <= n_rows else None,
        RowNames(texts),
    )


def _learned_or_none(d_model: int) -> ShownTable | None:
    table = _learned_table(_USUAL_WIDTH)
    most = len(table.words) - 1
    if d_model > most:
        st.error(_("{words} words need d_model ≤ {most}.").format(most=most, words=most + 1))
        return None
    return ShownTable(
        key=f"learned-{d_model}",
        source="learned",
        vectors=_learned_table(d_model).vectors,
        names=_learned_names(),
        origin=_(
            "Each point is the row of one of {words:,} words of Python’s manual. The rows were counted, not learned: "
            "PPMI."
        ).format(words=len(table.words)),
        counts=table.counts,
    )


def minilm_table() -> ShownTable:
    """Return MiniLM's rows, which are 47 MB, under the names of its vocabulary."""
    return ShownTable(
        key="minilm",
        source="minilm",
        vectors=minilm.minilm_table(),
        names=_minilm_names(),
        origin=minilm_sentence(),
    )


@memo()
def _minilm_names() -> Names:
    texts = minilm.minilm_pieces()
    return Names(texts, [token_label(text.encode()) for text in texts], None, "minilm", RowNames(texts))


def grammar_table() -> ShownTable:
    """Return the table that ships with the library, whose words have known meanings."""
    table = cache.shipped_table()
    names, groups = _load_word_relations()
    return ShownTable(
        key="grammar",
        source="grammar",
        vectors=table.vectors,
        names=names,
        origin=_(
            "Each point is the row of one word. The rows were trained by skip-gram on {sentences:,} sentences of a "
            "small grammar, in {steps:,} steps (seed {seed})."
        ).format(steps=table.config.steps, sentences=table.n_sentences, seed=table.config.seed),
        counts=table.counts,
        groups=groups,
    )


@memo()
def _load_word_relations() -> tuple[Names, tuple[NDArray[np.int64], Sequence[str]]]:
    words, groups = cache.shipped_table().words, list(GROUPS)
    numbers = [len(groups) if kind is None else groups.index(KINDS[kind].group) for kind in word_kinds(words)]
    return word_names(words), (np.array(numbers), [*GROUPS.values(), N_("other words")])


@memo()
def _learned_table(d_model: int) -> CountedTable:
    return cooccurrence_table(_manual_words(), d_model=d_model)


@memo()
def _manual_words() -> list[str]:
    return words(reference_manual())


@memo()
def _learned_names() -> Names:
    return word_names(_learned_table(_USUAL_WIDTH).words)


def _random_or_none(text: str) -> ShownTable | None:
    tokenizer = state.get("tokenizer")
    if not vocabulary_ready(tokenizer):
        return None
    with suppress(ValueError):  # a vocabulary of nothing
        table = random_table(tokenizer, text, state.get("d_model"), state.get("seed"))
        if table.n_rows > 1:
            return table
    st.info(_("This tokenizer takes its vocabulary from your text, which is too short: type more."))
    return None


def word_names(texts: Sequence[str], columns: dict[str, list[str]] | None = None) -> Names:
    """Name rows that stand for words, or for whatever a file says."""
    return Names(texts, [_printable_name(text) for text in texts], None, None, RowNames(texts), columns or {})


def _printable_name(text: str) -> str:
    return token_label(text.encode("utf-8", "replace")).replace("·", " ")


def own_table() -> EmbeddingTable | None:
    """Return the table that this visitor has uploaded."""
    return st.session_state.get("own_table")


def folder_files() -> dict[str, Path]:
    """Return the files in the server's folder of tables, by name."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder or not Path(folder).is_dir():
        return {}
    endings = (".npy", ".safetensors")  # those that can be read in place
    return {path.name: path for path in sorted(Path(folder).iterdir()) if path.suffix in endings}


def _file_table(table: EmbeddingTable, key: str, source: str, path: Path | None = None) -> ShownTable:
    n_rows, n_columns = table.vectors.shape
    lines = names_beside(path)
    names = _row_names(table, key, lines)
    origin = _("{file}: {rows:,} rows × {columns:,}.").format(file=as_code(table.name), rows=n_rows, columns=n_columns)
    labels_from = lines.name if lines is not None else table.labels_from
    if labels_from is not None:
        origin += separator(" ") + _("Names from {labels}.").format(labels=as_code(labels_from))
    vectors = table.vectors if n_rows > MOST_POINTS else _mapped_tensor(table.vectors)
    return ShownTable(key=key, source=source, vectors=vectors, names=names, origin=origin, path=path)


def _mapped_tensor(vectors: "Tensor | NDArray[Any]") -> "Tensor | NDArray[Any]":
    """Return a file's rows as a tensor on its pages: a search that copies each block takes six times as long."""
    if not isinstance(vectors, np.memmap) or vectors.filename is None or vectors.nbytes > _MOST_MAPPED:
        return vectors
    if vectors.dtype != np.float32 or not vectors.flags.c_contiguous:
        return vectors
    n_rows, n_columns = vectors.shape
    # Copy on write: torch wants memory that may be written to.
    return torch.from_numpy(np.memmap(vectors.filename, np.float32, "c", vectors.offset, (n_rows, n_columns)))


# As long as an uploaded table is in view, its names are cached under its key.
@memo(
    200_000_000,
    size=lambda names: 16 * len(names.texts) if isinstance(names.texts, ManyNames) else 300 * len(names.texts),
    key=lambda table, key, lines: key,
)
def _row_names(table: EmbeddingTable, key: str, lines: Path | None) -> Names:
    """Return the names in the file, else GPT-2's tokens where there are exactly as many, else numbers."""
    n_rows = table.vectors.shape[0]
    if lines is not None:
        names = LineNames(lines)
        if len(names) != n_rows:
            raise TableError("labels", file=lines.name, labels=len(names), rows=n_rows)
        return _many_names(names) if n_rows > MOST_POINTS else word_names(list(names))
    if table.labels is not None:
        return word_names(table.labels, table.columns)
    gpt2 = cache.tokenizer_for("gpt2", "")
    if n_rows == gpt2.vocab_size:
        return token_names("gpt2", "")
    if n_rows > MOST_POINTS:
        return _many_names(NumberNames(n_rows))
    return word_names([str(row) for row in range(n_rows)], table.columns)


def _many_names(texts: ManyNames) -> Names:
    return Names(texts, _LazyNames(texts), None, None, ManyRowNames(texts))


class _LazyNames(Sequence[str]):
    """Names as they are written, each computed when it is read."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, at: Any) -> Any:
        return [*map(_printable_name, self._texts[at])] if isinstance(at, slice) else _printable_name(self._texts[at])


def folder_table(path: Path) -> ShownTable | None:
    """Open a table of the server's folder; show progress, or in one sentence why it cannot be read."""
    key = "-".join(
        f"{file.name}-{file.stat().st_mtime_ns}-{file.stat().st_size}" for file in (path, names_beside(path)) if file
    )
    try:
        if path.stat().st_size > _LARGE_FILE and not _is_checked(path, key):
            return None
        return _file_table(_open_table(path, key), key, path.name, path)
    except TableError as error:
        st.error(error_sentence(error))
        return None


def _is_checked(path: Path, key: str) -> bool:
    """Check a large file's numbers in the background, with progress; return whether that is done."""

    def work(report: Report) -> bool:
        _open_table.keep(
            _read_path(path, progress=report), path, key
        )  # and not as its result: it counts as large as it is
        return True

    title = _("Opening {name}").format(name=as_code(path.name))
    is_read = result_or_progress(
        work,
        job=("table", key),
        title=title,
        key="table-job",
        failure=lambda error: (
            error_sentence(error) if isinstance(error, TableError) else _("{title}: failed.").format(title=title)
        ),
    )
    return is_read is not None


# A mapped one takes next to nothing, but holds its file open.
@memo(200_000_000, size=lambda table: 10**6 if isinstance(table.vectors, np.memmap) else table.vectors.nbytes)
def _open_table(path: Path, key: str) -> EmbeddingTable:
    return _read_path(path, checked=path.stat().st_size > _LARGE_FILE)  # which has been read before, in the background


def _read_path(path: Path, *, checked: bool = False, progress: Callable[[float], None] | None = None) -> EmbeddingTable:
    return read_table([path], limit_mapped=_MOST_BYTES, max_rows=_MOST_ROWS, checked=checked, progress=progress)


def names_beside(path: Path | None) -> Path | None:
    """Return the text file beside a table that names its rows, one a line, where there is one."""
    lines = None if path is None else path.with_suffix(".txt")
    return lines if lines is not None and lines.is_file() else None


def random_table(tokenizer: str, text: str, d_model: int, seed: int) -> ShownTable:
    """Return the table of a seed, one row for each token."""
    own_vocabulary = tokenizer in FROM_TEXT
    names = token_names(tokenizer, text if own_vocabulary else "")
    return ShownTable(
        key=f"random-{tokenizer}-{d_model}-{seed}" + (f"-{hash(text)}" if own_vocabulary else ""),
        source="random",
        vectors=cache.random_table(len(names.texts), d_model, seed),
        names=names,
        origin=_("**Random, not trained** (seed {seed}).").format(seed=seed),
    )


@memo(100_000_000, size=lambda names: 300 * len(names.texts))
def token_names(tokenizer: str, text: str) -> Names:
    """Return the names of a vocabulary's rows; some tokenizers build their vocabulary from the text."""
    vocabulary = cache.tokenizer_for(tokenizer, text)
    pieces = [vocabulary.token_bytes(token_id) for token_id in range(vocabulary.vocab_size)]
    texts = [piece.decode("utf-8", "replace") for piece in pieces]
    return Names(texts, [token_label(piece) for piece in pieces], pieces, tokenizer, RowNames(texts))


def error_sentence(error: TableError) -> str:
    """Return what is wrong and the remedy, as markdown in which names and cells of the file are code."""
    return fill_sentence(_(error.sentences[error.code]), error.values, quote=lambda text: as_code(text or '""'))


def note_sentence(note: TableNote) -> str:
    """Return a note about a table, as markdown likewise."""
    return fill_sentence(_(TABLE_NOTES[note.code]), note.values, quote=as_code)
