"""The choice of a model that others have trained: MiniLM, any of the Hub, or one of the server's folders."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
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
from ui.markdown import as_code
from ui.settings import MINILM, state

__all__ = [
    "Model",
    "check_position_tables",
    "model_and_table",
    "model_control",
    "model_faults",
    "model_in_view",
    "model_sentence",
    "model_title",
    "position_choice",
    "positions_ready",
    "rows_of_tokens",
    "setting_parts",
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
        source: as the setting has it, without names of tensors: MINILM, an id of the Hub, or "./" and a folder.
        title: what people call it; foreign text.
        checkpoint: of which only the header has been read.
    """

    key: str
    source: str
    title: str
    checkpoint: Checkpoint

    @property
    def is_local(self) -> bool:
        """Whether its files are on this machine, so that nobody has to wait for rows."""
        return is_local(self.source)


def setting_parts(setting: str) -> tuple[str, str | None, str | None]:
    """Split a setting into a model's source and the tensors that the reader chose for tokens and positions, if any."""
    source, table, positions = f"{setting}::".split(":")[:3]
    return source, table or None, positions or None


def is_local(source: str) -> bool:
    """Return whether a model is on this machine: MiniLM, or one of the server's folders."""
    return source == MINILM or source.startswith("./")


def folders() -> list[str]:
    """List the models in the server's folder, as settings have them: "./name" and "./owner/name"."""
    root = models_folder()
    folders: list[str] = []
    with suppress(OSError):
        for pattern in ("*", "*/*") if root else ():
            for path in sorted(Path(root).glob(pattern))[: 10 * _MOST_FOLDERS]:
                name = f"./{path.relative_to(root).as_posix()}"
                weights = (
                    ".safetensors",
                    ".bin",
                    ".pt",
                    ".pth",
                )  # a sentence refuses pickles
                if path.is_dir() and ":" not in name and any(file.suffix in weights for file in path.iterdir()):
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
    source = None if chosen is None else setting_parts(chosen)[0]
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
    """Return whether a model's tokenizer can be used now; if not, fetch it and show how that goes or why it fails."""
    if is_local(source):
        with model_faults():
            model_tokenizer(source)
            return True
        return False
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


def tokenizer_fault(source: str) -> CheckpointError | None:
    """Return why a model's tokenizer.json gives no tokenizer, where that is known and another attempt is no use."""
    error: BaseException | None = None
    if not is_local(source):
        job = downloads.find(("tokenizer", source))
        error = None if job is None else job.error
    else:
        try:
            model_tokenizer(source)
        except CheckpointError as found:
            error = found
    return error if isinstance(error, CheckpointError) and error.is_lasting else None


def try_again(source: str) -> None:
    """Fetch a model's tokenizer again where that has failed before the reader chose it."""
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
    must_fetch = False
    with model_faults(key):
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
    with suppress(TableError):
        if earlier is not None and earlier.checkpoint.has_whole_table():
            return earlier, _mapped_table(earlier)
    return None


def _opened(wanted: str, setting: str) -> Model | None:
    source = setting_parts(wanted)[0]
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
    source, table, positions = setting_parts(wanted)
    key, visitor = ("checkpoint", wanted), this_visitor()
    if st.session_state.get(f"{setting}_asked") != wanted:
        st.session_state[f"{setting}_asked"] = wanted
        if (earlier := downloads.find(key)) is not None:
            downloads.retry(earlier, visitor)
    return downloads.submit(
        key, lambda report: open_checkpoint(source, table=table, positions=positions), visitor=visitor
    )


def _kept(wanted: str) -> Model | None:
    """Return a model that was in view, where that takes no time and is still possible."""
    source = setting_parts(wanted)[0]
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
    source, table, positions = setting_parts(wanted)
    if source == MINILM:
        return Model(MINILM, source, model_title(source), minilm_model())
    root = models_folder()
    if source not in folders():
        raise CheckpointError("source", source=source)
    files = sorted(Path(root, source).glob("*.*"))
    changed = "".join(f"-{about.st_mtime_ns}-{about.st_size}" for about in (path.stat() for path in files))
    key = f"{wanted}{changed}"
    return Model(key, source, model_title(source), _in_folder(key, root, source, table, positions))


@memo(size=lambda _checkpoint: 1_000_000)
def _in_folder(key: str, root: str, source: str, table: str | None, positions: str | None) -> Checkpoint:
    del key
    return open_checkpoint(source.removeprefix("./"), table=table, positions=positions, root=root)


def _table_choice(error: BaseException, setting: str, source: str) -> bool:
    """Draw the choice of the tensor of token rows if the error is that none has a usual name; return whether it is."""
    if not isinstance(error, TableError) or error.code != "choose":
        return False
    title = _("Embedding table of {name}").format(name=model_title(source))
    _tensor_choice(title, error.values["choices"], None, f"{setting}_table", setting, f"{source}:")
    return True


def position_choice(model: Model, setting: str = "model") -> None:
    """Draw the choice of the tensor of position rows of a model with several: an encoder's, a decoder's."""
    checkpoint = model.checkpoint
    if len(checkpoint.position_choices) > 1:
        source, table, _positions = setting_parts(str(state.get(setting)))
        title = _("Position table of {name}").format(name=model.title)
        key = f"{setting}_positions"
        before = f"{source}:{table or ''}:"
        _tensor_choice(title, checkpoint.position_choices, checkpoint.position_name, key, setting, before)


def _tensor_choice(title: str, choices: Sequence[str], chosen: str | None, key: str, setting: str, before: str) -> None:
    """Draw the choice of a tensor, whose name a model's setting has after `before`."""
    st.session_state[key] = chosen
    st.selectbox(
        title,
        choices,
        index=None,
        key=key,
        placeholder=_("choose one"),
        on_change=_choose_tensor,
        args=(key, setting, before),
    )


def _choose_tensor(key: str, setting: str, before: str) -> None:
    if tensor := st.session_state[key]:
        with suppress(ValueError):
            state.put(**{setting: state.SETTINGS[setting].parse(before + tensor)})


@contextmanager
def model_faults(key: str | None = None) -> Iterator[None]:
    """Show one sentence where a model's files cannot give what the block needs, and go on after the block.

    Args:
        key: of a button that tries again; None for no button.
    """
    try:
        yield
    except TableError as error:
        st.error(model_sentence(error))
        if key is not None:
            st.button(_("Try again"), key=f"{key}_again")


def model_sentence(error: BaseException) -> str:
    """Return what is wrong with a model and what helps, as markdown in which foreign text is code."""
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
        with model_faults(key):
            return _finite(model, model.checkpoint.rows(token_ids, dtype=torch.float32))
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
    with model_faults():
        return _finite(model, torch.stack([rows[token] for token in token_ids]) if rows else torch.empty(0, width))
    return None


def _finite(model: Model, rows: Tensor) -> Tensor:
    if rows.isfinite().all():
        return rows
    value = f"{rows[~rows.isfinite()][0].item():g}"
    raise CheckpointError("unsupported", source=model.title, found=f"{model.checkpoint.table_name} with {value}")


def positions_ready(source: str, *, key: str) -> bool:
    """Return whether a model's position rows are at hand; if not, read them, those of the Hub in the background.

    Args:
        source: as `Model.source`.
        key: of the widgets that show how it goes.

    Returns:
        True where they are kept. False while they come or where they cannot, which the page says.
    """
    if kept_positions(source) is not None:
        return True
    if is_local(source):
        with model_faults():
            keep_positions(source, _positions_of(_of_this_machine(source).checkpoint))
            return True
        return False
    job = downloads.submit(
        ("positions", source), lambda report: _positions_of(open_checkpoint(source)), visitor=this_visitor()
    )
    done = show_job(
        job, title=_("Rows of {name}").format(name=as_code(source)), key=key, failure=model_sentence, queue=downloads
    )
    if done:
        keep_positions(source, job.result())
    return done


def check_position_tables(checkpoint: Checkpoint) -> None:
    """Raise CheckpointError unless a model has one position table: settings of a scheme name no tensor."""
    if len(choices := checkpoint.position_choices) > 1 and checkpoint.position_name is None:
        raise CheckpointError("unsupported", source=checkpoint.name, found=f"{len(choices)} position tables")
    if checkpoint.position_name is None:
        raise CheckpointError("missing", source=checkpoint.name, file="position_embeddings.weight")


def _positions_of(checkpoint: Checkpoint) -> Tensor:
    check_position_tables(checkpoint)
    megabytes = checkpoint.n_positions * checkpoint.d_model * 4 / 1e6
    if megabytes > _MOST_POSITIONS:
        raise CheckpointError("too_large", file=checkpoint.name, found_mb=megabytes, limit_mb=_MOST_POSITIONS)
    return checkpoint.position_table(dtype=torch.float32)
