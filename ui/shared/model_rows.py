"""Token and position rows of trained models; those of the Hub are fetched in the background."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

import streamlit as st
import torch
from torch import Tensor

from embedlib.checkpoints import Checkpoint, CheckpointError, open_checkpoint
from embedlib.tables import TableError
from ui.cache.bounded import memo
from ui.cache.minilm import cache_positions, cached_positions
from ui.i18n import _
from ui.jobs import downloads, result_or_progress
from ui.markdown import as_code
from ui.shared.model_choice import (
    Model,
    is_local,
    model_if_open,
    model_in_view,
    model_of_this_machine,
    model_sentence,
    show_model_errors,
)

_MOST_POSITIONS = 64  # MB of a table of positions
_ROWS_KEPT = 64_000_000  # bytes of rows of the Hub's models


def whole_table(model: Model, *, key: str) -> Tensor | None:
    """Return all rows of a model, memory-mapped; those of the Hub are fetched after a click.

    Args:
        model: whose rows.
        key: of the button and progress widgets, unique on the page.

    Returns:
        (vocab_size, d_model) in the file's dtype, read-only; None before it is loaded, which the page shows.
    """
    checkpoint = model.checkpoint
    must_fetch = False
    with show_model_errors(key):
        if checkpoint.has_whole_table():
            return _mapped_table(model)
        must_fetch = True
    if not must_fetch:
        return None
    wanted: set[str] = st.session_state.setdefault("whole_tables", set())
    if model.key not in wanted:
        title = _("Load all {rows:,} rows of {name} ({size:,.0f} MB)")
        st.button(
            title.format(rows=checkpoint.vocab_size, name=as_code(model.title), size=checkpoint.table_bytes / 1e6),
            key=f"{key}_load",
            on_click=wanted.add,
            args=(model.key,),
        )
        return None
    n_rows = result_or_progress(
        lambda report: len(_mapped_table(model, report)),
        job=("table", model.key),
        title=_("Rows of {name}").format(name=as_code(model.title)),
        key=key,
        failure=model_sentence,
        queue=downloads,
    )
    return None if n_rows is None else _mapped_table(model)


# Its memory is a file's; it outlives the file's name.
@memo(size=lambda _rows: 1_000, key=lambda model, progress=None: model.key)
def _mapped_table(model: Model, progress: Callable[[float], None] | None = None) -> Tensor:
    return model.checkpoint.whole_table(progress=progress)


def model_and_table(setting: str = "model", *, key: str) -> tuple[Model, Tensor] | None:
    """Return the model of a setting with all its rows; until they are loaded, the previous model and rows.

    Args:
        setting: as for model_in_view.
        key: as for whole_table.
    """
    model, before = model_in_view(setting), f"{setting}_with_table"
    rows = None if model is None else whole_table(model, key=key)
    if model is not None and rows is not None:
        st.session_state[before] = st.session_state[f"{setting}_in_view"]
        return model, rows
    earlier = model_if_open(st.session_state[before]) if before in st.session_state else None
    with suppress(TableError):
        if earlier is not None and earlier.checkpoint.has_whole_table():
            return earlier, _mapped_table(earlier)
    return None


class _RowCache:
    """Fetched rows of the Hub's models, so that an edit of the text fetches new tokens only."""

    def __init__(self, limit: int) -> None:
        self._limit, self._bytes = limit, 0
        self._rows: dict[tuple[str, int], Tensor] = {}  # oldest first
        self._lock = threading.Lock()

    def put(self, model: str, ids: Sequence[int], rows: Tensor) -> None:
        """Cache rows, (len(ids), d_model); the oldest are evicted beyond the limit."""
        with self._lock:
            for token_id, row in zip(ids, rows, strict=True):
                self._bytes += 0 if (model, token_id) in self._rows else row.nbytes
                self._rows[model, token_id] = row
            while self._bytes > self._limit and len(self._rows) > len(ids):
                self._bytes -= self._rows.pop(next(iter(self._rows))).nbytes

    def get(self, model: str, ids: Sequence[int]) -> dict[int, Tensor]:
        """Return the cached rows among these."""
        with self._lock:
            return {token_id: self._rows[model, token_id] for token_id in ids if (model, token_id) in self._rows}


_row_cache = _RowCache(_ROWS_KEPT)


def model_token_rows(model: Model, token_ids: Sequence[int], *, key: str) -> Tensor | None:
    """Return rows of a model: from this machine at once, from the Hub in the background, fetching only new ones.

    Args:
        model: whose rows.
        token_ids: (n,) ids, in any order, repeated or not.
        key: of the progress widgets, unique on the page.

    Returns:
        (n, d_model) float32; None while they are fetched or on failure, which the page shows.
    """
    if model.is_local:
        with show_model_errors(key):
            return _require_finite(model, model.checkpoint.rows(token_ids, dtype=torch.float32))
        return None
    distinct = sorted(set(token_ids))
    rows = _row_cache.get(model.key, distinct)
    missing = tuple(token_id for token_id in distinct if token_id not in rows)
    if missing:
        fetched = result_or_progress(
            lambda report: model.checkpoint.rows(missing, dtype=torch.float32),
            job=("rows", model.key, missing),
            title=_("Rows of {name}").format(name=as_code(model.title)),
            key=key,
            failure=model_sentence,
            queue=downloads,
        )
        if fetched is None:
            return None
        _row_cache.put(model.key, missing, fetched)
        rows |= dict(zip(missing, fetched, strict=True))
    width = model.checkpoint.d_model
    with show_model_errors():
        return _require_finite(
            model, torch.stack([rows[token] for token in token_ids]) if rows else torch.empty(0, width)
        )
    return None


def _require_finite(model: Model, rows: Tensor) -> Tensor:
    if rows.isfinite().all():
        return rows
    value = f"{rows[~rows.isfinite()][0].item():g}"
    raise CheckpointError("unsupported", source=model.title, found=f"{model.checkpoint.table_name} with {value}")


def positions_ready(source: str, *, key: str) -> bool:
    """Return whether a model's position rows are cached; if not, read them, in the background for the Hub's.

    Args:
        source: as `Model.source`.
        key: of the progress widgets.

    Returns:
        False while they are read or on failure, which the page shows.
    """
    if cached_positions(source) is not None:
        return True
    if is_local(source):
        with show_model_errors():
            cache_positions(source, _read_positions(model_of_this_machine(source).checkpoint))
            return True
        return False
    rows = result_or_progress(
        lambda report: _read_positions(open_checkpoint(source)),
        job=("positions", source),
        title=_("Rows of {name}").format(name=as_code(source)),
        key=key,
        failure=model_sentence,
        queue=downloads,
    )
    if rows is not None:
        cache_positions(source, rows)
    return rows is not None


def check_position_tables(checkpoint: Checkpoint) -> None:
    """Raise CheckpointError unless a model has one position table: scheme settings name no tensor."""
    if len(choices := checkpoint.position_choices) > 1 and checkpoint.position_name is None:
        raise CheckpointError("unsupported", source=checkpoint.name, found=f"{len(choices)} position tables")
    if checkpoint.position_name is None:
        raise CheckpointError("missing", source=checkpoint.name, file="position_embeddings.weight")


def _read_positions(checkpoint: Checkpoint) -> Tensor:
    check_position_tables(checkpoint)
    megabytes = checkpoint.n_positions * checkpoint.d_model * 4 / 1e6
    if megabytes > _MOST_POSITIONS:
        raise CheckpointError("too_large", file=checkpoint.name, found_mb=megabytes, limit_mb=_MOST_POSITIONS)
    return checkpoint.position_table(dtype=torch.float32)
