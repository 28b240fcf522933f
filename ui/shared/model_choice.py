"""The choice of a model that others have trained: MiniLM, any of the Hub, or one of the server's folders."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
import torch
from torch import Tensor

from embedlib.checkpoints import CHECKPOINT_ERRORS, Checkpoint, CheckpointError, open_checkpoint
from embedlib.tables import TableError, fill_sentence
from ui.cache.bounded import memo
from ui.cache.minilm import keep_positions, kept_positions, minilm_model
from ui.cache.models import FOLDER_VARIABLE as FOLDER_VARIABLE
from ui.cache.models import model_tokenizer, models_folder
from ui.i18n import _
from ui.jobs import Job, downloads, show_job, this_visitor
from ui.settings import MINILM, state
from ui.shared.markdown import as_code

__all__ = [
    "Model",
    "model_and_table",
    "model_control",
    "model_in_view",
    "model_sentence",
    "model_title",
    "positions_ready",
    "rows_of_tokens",
    "whole_table",
]

# Models in use whose weights are there as .safetensors, and whether the Hub gives them only to who has asked.
IN_USE = {
    MINILM: False,
    "openai-community/gpt2": False,
    "google-bert/bert-base-uncased": False,
    "google-bert/bert-base-multilingual-cased": False,
    "FacebookAI/roberta-base": False,
    "HuggingFaceTB/SmolLM2-135M": False,
    "Qwen/Qwen2.5-0.5B": False,
    "EleutherAI/pythia-70m": False,
    "meta-llama/Llama-3.2-1B": True,
    "google/gemma-2-2b": True,
    "mistralai/Mistral-7B-v0.3": True,
}
_MOST_FOLDERS = 200
_MOST_POSITIONS = 64  # MB of a table of positions
_ROWS_KEPT = 64_000_000  # bytes of rows of the Hub's models


@dataclass(frozen=True, eq=False, slots=True)
class Model:
    """A model in view.

    Attributes:
        key: what its numbers are kept under; another model, or the same after a change of its files, has another.
        source: as the setting has it, without the table's name: MINILM, an id of the Hub, or "./" and a folder.
        title: what people call it; foreign text.
        checkpoint: of which only the heading has been read.
    """

    key: str
    source: str
    title: str
    checkpoint: Checkpoint

    @property
    def is_local(self) -> bool:
        """Whether its files are on this machine, so that nobody has to wait for rows."""
        return is_local(self.source)


def is_local(source: str) -> bool:
    """Tell whether a model is on this machine: MiniLM, or one of the server's folders."""
    return source == MINILM or source.startswith("./")


def folders() -> list[str]:
    """List the models in the server's folder, as settings have them: "./name" and "./owner/name"."""
    root = models_folder()
    folders: list[str] = []
    with suppress(OSError):
        for pattern in ("*", "*/*") if root else ():
            for path in sorted(Path(root).glob(pattern))[: 10 * _MOST_FOLDERS]:
                name = f"./{path.relative_to(root).as_posix()}"
                if path.is_dir() and ":" not in name and any(path.glob("*.safetensors")):
                    folders.append(name)
    return folders[:_MOST_FOLDERS]


def model_title(source: str) -> str:
    """Name a model, as text and not as markdown."""
    return "MiniLM" if source == MINILM else source.removeprefix("./")


def model_control(
    setting: str = "model", *, label: str | None = None, optional: bool = False, none: str | None = None
) -> str | None:
    """Draw the choice of a model, and return it as the setting has it.

    Args:
        setting: whose kind is `Model` of ui.settings.kinds.
        label: what stands over it; None for "Model".
        optional: whether none may be chosen.
        none: what stands there while none is; None for "none".
    """
    chosen: str | None = state.get(setting)
    source = None if chosen is None else chosen.partition(":")[0]
    offered = [*IN_USE, *folders()]
    key = f"choose_{setting}"
    st.session_state[key] = source
    st.selectbox(
        label or _("Model"),
        offered if source is None or source in offered else [*offered, source],
        index=None if optional else 0,
        key=key,
        format_func=source_in_list,
        accept_new_options=True,
        placeholder=none or _("none"),
        help=_("Or a Hugging Face id, owner/name. MiniLM needs no network."),
        on_change=_choose,
        args=(setting, key),
    )
    if (problem := st.session_state.get(f"{setting}_problem")) is not None:
        st.error(model_sentence(CheckpointError("source", source=problem)))
    return chosen


def source_in_list(source: str) -> str:
    """Write a model where it is chosen; a folder with its dot, for it may be called like a model of the Hub."""
    if source == MINILM:
        return model_title(source)
    return _("{name} (gated)").format(name=source) if IN_USE.get(source) else source


def _choose(setting: str, key: str) -> None:
    source = typed_source(st.session_state[key])
    st.session_state[f"{setting}_problem"] = None
    state.dismiss_notices()
    try:
        state.put(**{setting: None if source is None else state.SETTINGS[setting].parse(source)})
    except ValueError:
        st.session_state[f"{setting}_problem"] = source


def typed_source(typed: str | None) -> str | None:
    """Read what somebody has typed or pasted as a model: an id, its address on the Hub, or a folder's name."""
    if typed is None:
        return None
    source = typed.strip().removeprefix("https://huggingface.co/").rstrip("/")
    return f"./{source}" if source != MINILM and f"./{source}" in folders() and "/" not in source else source


def tokenizer_ready(source: str) -> bool:
    """Tell whether a model's tokenizer can be used now; if not, fetch it and show how that goes or why it fails."""
    if is_local(source):
        try:
            model_tokenizer(source)
        except TableError as error:
            st.error(model_sentence(error))
            return False
        return True
    job = downloads.submit(
        ("tokenizer", source), lambda report: model_tokenizer(source).vocab_size, visitor=this_visitor()
    )
    return show_job(
        job,
        title=_("Tokenizer of {name}").format(name=as_code(source)),
        key=f"tokenizer-{source}",
        failure=model_sentence,
        queue=downloads,
    )


def tokenizer_is_missing(source: str) -> bool:
    """Tell whether it is known that a model has no tokenizer.json."""
    if not is_local(source):
        job = downloads.find(("tokenizer", source))
        return job is not None and isinstance(job.error, CheckpointError) and job.error.code == "missing"
    try:
        model_tokenizer(source)
    except CheckpointError as error:
        return error.code == "missing"
    return False


def try_again(source: str) -> None:
    """Let a model's tokenizer be fetched anew where that has failed before the reader chose it."""
    if (earlier := downloads.find(("tokenizer", source))) is not None:
        downloads.retry(earlier, this_visitor())


def model_in_view(setting: str = "model") -> Model | None:
    """Open the model of a setting, those of the Hub in the background, and show how that goes or why it fails.

    Returns:
        The model. While another is being opened, or cannot be, the one that was in view before; None where there was
        none.
    """
    wanted: str | None = state.get(setting)
    if wanted is None:
        return None
    before = f"{setting}_in_view"
    model = _opened(wanted, setting)
    if model is not None:
        st.session_state[before] = wanted
        return model
    earlier: str | None = st.session_state.get(before)
    model = None if earlier in (None, wanted) else _kept(str(earlier))
    if model is not None:
        st.caption(_("{name} stays in view.").format(name=as_code(model.title)))
    return model


def whole_table(model: Model, *, key: str) -> Tensor | None:
    """Return all rows of a model, mapped from a file; those of the Hub are fetched once the reader has asked for it.

    Args:
        model: whose rows.
        key: of the widgets that offer it and show how it goes; another for each place of a page.

    Returns:
        (vocab_size, d_model) in the file's dtype, only to be read; None before it is there, which the page says.
    """
    checkpoint = model.checkpoint
    try:
        if checkpoint.has_whole_table():
            return _mapped_table(model)
    except TableError as error:
        st.error(model_sentence(error))
        st.button(_("Try again"), key=f"{key}_again")
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
    job = downloads.submit(
        ("table", model.key), lambda report: len(_mapped_table(model, report)), visitor=this_visitor()
    )
    title = _("Rows of {name}").format(name=as_code(model.title))
    done = show_job(job, title=title, key=key, failure=model_sentence, queue=downloads)
    return _mapped_table(model) if done else None


# Its memory is a file's; it outlives the file's name.
@memo(size=lambda _rows: 1_000, key=lambda model, progress=None: model.key)
def _mapped_table(model: Model, progress: Callable[[float], None] | None = None) -> Tensor:
    return model.checkpoint.whole_table(progress=progress)


def model_and_table(setting: str = "model", *, key: str) -> tuple[Model, Tensor] | None:
    """Return the model of a setting with all its rows; until they are there, those that were in view before.

    Args:
        setting: as for model_in_view.
        key: as for whole_table.
    """
    model, before = model_in_view(setting), f"{setting}_with_table"
    rows = None if model is None else whole_table(model, key=key)
    if model is not None and rows is not None:
        st.session_state[before] = st.session_state[f"{setting}_in_view"]
        return model, rows
    earlier = _kept(st.session_state[before]) if before in st.session_state else None
    if earlier is not None and earlier.checkpoint.has_whole_table():
        return earlier, _mapped_table(earlier)
    return None


def _opened(wanted: str, setting: str) -> Model | None:
    source = wanted.partition(":")[0]
    if is_local(source):
        try:
            return _of_this_machine(wanted)
        except TableError as error:
            if not _table_choice(error, setting, source):
                st.error(model_sentence(error))
                st.button(_("Try again"), key=f"{setting}_again")
            return None
    job = _opening(wanted, setting)
    if job.error is not None and _table_choice(job.error, setting, source):
        return None
    done = show_job(
        job,
        title=_("Opening {name}").format(name=as_code(source)),
        key=f"{setting}_job",
        failure=model_sentence,
        queue=downloads,
    )
    return Model(wanted, source, source, job.result()) if done else None


def _opening(wanted: str, setting: str) -> Job[Checkpoint]:
    """Return the job that opens a model of the Hub; one that failed before the reader chose it begins anew."""
    source, _colon, tensor = wanted.partition(":")
    key, visitor = ("checkpoint", wanted), this_visitor()
    if st.session_state.get(f"{setting}_asked") != wanted:
        st.session_state[f"{setting}_asked"] = wanted
        if (earlier := downloads.find(key)) is not None:
            downloads.retry(earlier, visitor)
    return downloads.submit(key, lambda report: open_checkpoint(source, table=tensor or None), visitor=visitor)


def _kept(wanted: str) -> Model | None:
    """Return a model that was in view, where that takes no time and is still possible."""
    source = wanted.partition(":")[0]
    with suppress(TableError):
        if is_local(source):
            return _of_this_machine(wanted)
        job = downloads.find(("checkpoint", wanted))
        if job is not None and job.state == "done":
            return Model(wanted, source, source, job.result())
    return None


def _of_this_machine(wanted: str) -> Model:
    """Open MiniLM or a model of the server's folder; a change of its files makes it another.

    Raises:
        TableError: it cannot be read.
    """
    source, _colon, tensor = wanted.partition(":")
    if source == MINILM:
        return Model(MINILM, source, model_title(source), minilm_model())
    root = models_folder()
    if source not in folders():
        raise CheckpointError("missing_file", file=source)
    files = sorted(Path(root, source).glob("*.*"))
    changed = "".join(f"-{about.st_mtime_ns}-{about.st_size}" for about in (path.stat() for path in files))
    key = f"{wanted}{changed}"
    return Model(key, source, model_title(source), _in_folder(key, root, source, tensor))


@memo(size=lambda _checkpoint: 1_000_000)
def _in_folder(key: str, root: str, source: str, tensor: str) -> Checkpoint:
    del key
    return open_checkpoint(source.removeprefix("./"), table=tensor or None, root=root)


def _table_choice(error: BaseException, setting: str, source: str) -> bool:
    """Let the reader say which tensor holds the rows, where its name is not a usual one and that is the error."""
    if not isinstance(error, TableError) or error.code not in ("choose", "unknown_choice"):
        return False
    key = f"{setting}_table"
    st.selectbox(
        _("Embedding table of {name}").format(name=model_title(source)),
        error.values["choices"],
        index=None,
        key=key,
        placeholder=_("choose one"),
        on_change=_choose_table,
        args=(setting, source, key),
    )
    return True


def _choose_table(setting: str, source: str, key: str) -> None:
    if tensor := st.session_state[key]:
        with suppress(ValueError):
            state.put(**{setting: state.SETTINGS[setting].parse(f"{source}:{tensor}")})


def model_sentence(error: BaseException) -> str:
    """Say what is wrong with a model and what helps, as markdown in which foreign text is code."""
    if not isinstance(error, TableError):
        error = CheckpointError("network", seconds=60)
    return fill_sentence(_(CHECKPOINT_ERRORS[error.code]), error.values, quote=as_code)


class _RowsKept:
    """Rows of the Hub's models that somebody has asked for, so that an edit of a text fetches what is new alone."""

    def __init__(self, limit: int) -> None:
        self._limit, self._bytes = limit, 0
        self._rows: dict[tuple[str, int], Tensor] = {}  # the first that came first
        self._lock = threading.Lock()

    def put(self, model: str, ids: Sequence[int], rows: Tensor) -> None:
        """Keep rows, (len(ids), d_model); the oldest go where they are too many."""
        with self._lock:
            for token_id, row in zip(ids, rows, strict=True):
                self._bytes += 0 if (model, token_id) in self._rows else row.nbytes
                self._rows[model, token_id] = row
            while self._bytes > self._limit and len(self._rows) > len(ids):
                self._bytes -= self._rows.pop(next(iter(self._rows))).nbytes

    def get(self, model: str, ids: Sequence[int]) -> dict[int, Tensor]:
        """Return those rows that are kept."""
        with self._lock:
            return {token_id: self._rows[model, token_id] for token_id in ids if (model, token_id) in self._rows}


_rows_kept = _RowsKept(_ROWS_KEPT)


def rows_of_tokens(model: Model, token_ids: Sequence[int], *, key: str) -> Tensor | None:
    """Return rows of a model: at once from this machine, from the Hub in the background, where only new ones are read.

    Args:
        model: whose rows.
        token_ids: (n,) ids, in any order, repeated or not.
        key: of the widgets that show how it goes; another for each place of a page.

    Returns:
        (n, d_model) float32; None while they come or where they cannot, which the page says.
    """
    if model.is_local:
        try:
            return model.checkpoint.rows(token_ids, dtype=torch.float32)
        except TableError as error:
            st.error(model_sentence(error))
            st.button(_("Try again"), key=f"{key}_again")
            return None
    distinct = sorted(set(token_ids))
    rows = _rows_kept.get(model.key, distinct)
    missing = tuple(token_id for token_id in distinct if token_id not in rows)
    if missing:
        job = downloads.submit(
            ("rows", model.key, missing),
            lambda report: model.checkpoint.rows(missing, dtype=torch.float32),
            visitor=this_visitor(),
        )
        done = show_job(
            job,
            title=_("Rows of {name}").format(name=as_code(model.title)),
            key=key,
            failure=model_sentence,
            queue=downloads,
        )
        if not done:
            return None
        _rows_kept.put(model.key, missing, job.result())
        rows |= dict(zip(missing, job.result(), strict=True))
    width = model.checkpoint.d_model
    return torch.stack([rows[token_id] for token_id in token_ids]) if rows else torch.empty(0, width)


def positions_ready(source: str, *, key: str) -> bool:
    """Tell whether a model's position rows are at hand; if not, read them, those of the Hub in the background.

    Args:
        source: as `Model.source`.
        key: of the widgets that show how it goes.

    Returns:
        True where they are kept. False while they come or where they cannot, which the page says.
    """
    if kept_positions(source) is not None:
        return True
    if is_local(source):
        try:
            keep_positions(source, _positions_of(_of_this_machine(source).checkpoint))
        except TableError as error:
            st.error(model_sentence(error))
            return False
        return True
    job = downloads.submit(
        ("positions", source), lambda report: _positions_of(open_checkpoint(source)), visitor=this_visitor()
    )
    done = show_job(
        job, title=_("Rows of {name}").format(name=as_code(source)), key=key, failure=model_sentence, queue=downloads
    )
    if done:
        keep_positions(source, job.result())
    return done


def _positions_of(checkpoint: Checkpoint) -> Tensor:
    megabytes = checkpoint.n_positions * checkpoint.d_model * 4 / 1e6
    if megabytes > _MOST_POSITIONS:
        raise CheckpointError("too_large", file=checkpoint.name, found_mb=megabytes, limit_mb=_MOST_POSITIONS)
    return checkpoint.position_table(dtype=torch.float32)
