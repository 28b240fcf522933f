"""The tables that can be in view: random, learned here, the reader's own, or laid out by whoever runs the server."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
import torch
from numpy.typing import NDArray
from torch import Tensor

from embedlib.cooccurrence import CountedTable, cooccurrence_table
from embedlib.corpus import reference_manual, words
from embedlib.labels import token_label
from embedlib.row_names import RowNames
from embedlib.table_files import EmbeddingTable, TableError, read_table
from ui import cache, state
from ui.bounded_cache import BoundedCache
from ui.i18n import _
from ui.markdown import as_code

# A folder of tables that every visitor may open; they are read from there as they are needed, never whole.
FOLDER_VARIABLE = "EMBEDDING_EXPLORER_TABLES"
OWN = "yours"
_USUAL_WIDTH = 64  # its words are the same at any width, and this one is there already


@dataclass(frozen=True, eq=False)
class Names:
    """What the rows stand for.

    Attributes:
        texts: as they are, to search in.
        labels: as they are written, every sign visible.
        pieces: as bytes, where the table is a tokenizer's; None where they are words.
        tokenizer: what cuts a text into rows; None: by the words themselves.
        found: rows by word.
        columns: what else is known of each row.
    """

    texts: Sequence[str]
    labels: Sequence[str]
    pieces: Sequence[bytes] | None
    tokenizer: str | None
    found: RowNames
    columns: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ShownTable:
    """A table in view.

    Attributes:
        key: what its numbers are kept under; another table never has it.
        source: "learned", "random", OWN, or the name of a file in the server's folder.
        vectors: (n_rows, d_model); a file that is read in place where it is an array.
        names: what the rows stand for.
        told: where its numbers come from, one sentence.
        counts: how often each row was met where it was learned; None where that is not known.
    """

    key: str
    source: str
    vectors: "Tensor | NDArray[Any]"
    names: Names
    told: str
    counts: Sequence[int] | None = None

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
    """Return what can be put into view, by its name in the link: what each is called."""
    found = {"learned": _("learned here, from Python's manual"), "random": _("random")}
    if own() is not None:
        found[OWN] = _("your own")
    return found | {name: name for name in folder_files()}


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


def table_in_view(text: str) -> ShownTable | None:
    """Return the table that the settings name, or show in one sentence why there is none.

    Args:
        text: the reader's text, from which some tokenizers make their vocabulary.
    """
    wanted = state.get("vectors")
    if wanted == "random":
        return _random(state.get("tokenizer"), text, state.get("d_model"), state.get("seed"))
    if wanted == "learned":
        return _learned_or_none(state.get("d_model"))
    if wanted == OWN and (loaded := own()) is not None:
        return _shown(loaded, st.session_state["own_table_key"], OWN)
    if (path := folder_files().get(wanted)) is not None:
        return _from_folder(path)
    st.info(
        _(
            "The link shows a table that its sender had loaded, and a link cannot carry it: load it below under "
            "“Your own table”. Until then the table learned here is in view."
        )
        if wanted == OWN
        else _("There is no table {name} on this server; the table learned here is in view.").format(
            name=as_code(wanted[:40])
        )
    )
    return _learned_or_none(state.get("d_model"))


def _learned_or_none(d_model: int) -> ShownTable | None:
    most = len(_learned(_USUAL_WIDTH).words) - 1
    if d_model > most:
        st.error(
            _(
                "d_model = {d_model} is more than {most} words can teach, since {words} words have no more than that "
                "many directions: choose {most} or less, or the random table."
            ).format(d_model=d_model, most=most, words=most + 1)
        )
        return None
    return learned_table(d_model)


def learned_table(d_model: int) -> ShownTable:
    """Return the table learned from Python's manual; d_model must be less than its number of words."""
    table = _learned(d_model)
    return ShownTable(
        key=f"learned-{d_model}",
        source="learned",
        vectors=table.vectors,
        names=_learned_names(),
        told=_(
            "Learned here: each of the {words:,} words that Python's reference manual has five times or more was "
            "counted with the words around it; no chance is in it."
        ).format(words=len(table.words)),
        counts=table.counts,
    )


@lru_cache(maxsize=8)
def _learned(d_model: int) -> CountedTable:
    return cooccurrence_table(_manual(), d_model=d_model)


@lru_cache(maxsize=1)
def _manual() -> list[str]:
    return words(reference_manual())


@lru_cache(maxsize=1)
def _learned_names() -> Names:
    return _word_names(_learned(_USUAL_WIDTH).words)


def _random(tokenizer: str, text: str, d_model: int, seed: int) -> ShownTable:
    own_vocabulary = tokenizer in ("characters", "words")
    names = _token_names(tokenizer, text if own_vocabulary else "")
    return ShownTable(
        key=f"random-{tokenizer}-{d_model}-{seed}" + (f"-{hash(text)}" if own_vocabulary else ""),
        source="random",
        vectors=cache.table_of(len(names.texts), d_model, seed),
        names=names,
        told=_("The numbers are random: standard normal, seed {seed}. Training would move them.").format(seed=seed),
    )


@lru_cache(maxsize=4)
def _token_names(tokenizer: str, text: str) -> Names:
    found = cache.tokenizer_for(tokenizer, text)
    pieces = [found.token_bytes(token_id) for token_id in range(found.vocab_size)]
    texts = [piece.decode("utf-8", "replace") for piece in pieces]
    return Names(texts, [token_label(piece) for piece in pieces], pieces, tokenizer, RowNames(texts))


def _word_names(texts: Sequence[str], columns: dict[str, list[str]] | None = None) -> Names:
    labels = [token_label(text.encode("utf-8", "replace")).replace("·", " ") for text in texts]
    return Names(texts, labels, None, None, RowNames(texts), columns or {})


# Keyed by the loaded table's own key: as long as somebody has it in view, its names are at hand.
_names: BoundedCache[str, Names] = BoundedCache(200_000_000, lambda names: 300 * len(names.texts))


def _shown(table: EmbeddingTable, key: str, source: str) -> ShownTable:
    return ShownTable(
        key=key,
        source=source,
        vectors=table.vectors,
        names=_names.get(key, lambda: _names_of(table)),
        told=_("The numbers are those of {file}, {rows:,} × {columns:,}.").format(
            file=as_code(table.name), rows=table.vectors.shape[0], columns=table.vectors.shape[1]
        ),
    )


def _names_of(table: EmbeddingTable) -> Names:
    """Name the rows: as the file does, else by GPT-2's tokens where there are exactly as many, else by number."""
    n_rows = table.vectors.shape[0]
    if table.labels is not None:
        return _word_names(table.labels, table.columns)
    gpt2 = cache.tokenizer_for("gpt2", "")
    if n_rows == gpt2.vocab_size:
        return _token_names("gpt2", "")
    return _word_names([str(row) for row in range(n_rows)])


def _from_folder(path: Path) -> ShownTable | None:
    from ui.projection.upload_sentences import sentence

    about = path.stat()
    key = f"{path.name}-{about.st_mtime_ns}-{about.st_size}"
    try:
        return _shown(_opened(path, key), key, path.name)
    except TableError as error:
        st.error(sentence(error))
        return None


@lru_cache(maxsize=4)
def _opened(path: Path, key: str) -> EmbeddingTable:
    return read_table([path])
