"""The choice of a trained model: MiniLM, any of the Hub, or one of the server's folders."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from embedlib.checkpoints import CHECKPOINT_ERRORS, Checkpoint, CheckpointError, open_checkpoint
from embedlib.tables import TableError, fill_sentence
from ui.cache.bounded import memo
from ui.cache.minilm import minilm_model
from ui.cache.models import FOLDER_VARIABLE as FOLDER_VARIABLE
from ui.cache.models import model_tokenizer, models_folder
from ui.i18n import _
from ui.jobs import downloads, result_or_progress, this_visitor
from ui.markdown import as_code
from ui.settings import MINILM, state

__all__ = [
    "Model",
    "model_control",
    "model_if_open",
    "model_in_view",
    "model_of_this_machine",
    "model_sentence",
    "model_title",
    "position_choice",
    "show_model_errors",
    "split_model_setting",
]

# Popular models with .safetensors weights, and whether the Hub gates them.
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


@dataclass(frozen=True, eq=False, slots=True)
class Model:
    """A model that a page shows.

    Attributes:
        key: identifies the model and the version of its files in caches.
        source: as the setting has it, without names of tensors: MINILM, an id of the Hub, or "./" and a folder.
        title: its display name; foreign text.
        checkpoint: of which only the header has been read.
    """

    key: str
    source: str
    title: str
    checkpoint: Checkpoint

    @property
    def cache_key(self) -> str:
        """Identifies the model in the key of a cache."""
        return self.key

    @property
    def is_local(self) -> bool:
        """Return whether its files are on this machine, so that rows need no download."""
        return is_local(self.source)


def split_model_setting(setting: str) -> tuple[str, str | None, str | None]:
    """Split a setting into the model's source and the tensors chosen for tokens and positions, if any."""
    source, table, positions = f"{setting}::".split(":")[:3]
    return source, table or None, positions or None


def is_local(source: str) -> bool:
    """Return whether a model is on this machine: MiniLM, or one of the server's folders."""
    return source == MINILM or source.startswith("./")


def folders() -> list[str]:
    """List the models in the server's folder as settings name them: "./name" and "./owner/name"."""
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
    """Return a model's title, as plain text."""
    return "MiniLM" if source == MINILM else source.removeprefix("./")


def model_control(
    setting: str = "model", *, label: str | None = None, optional: bool = False, none: str | None = None
) -> str | None:
    """Draw the choice of a model, and return the setting's value.

    Args:
        setting: whose kind is `Model` of ui.settings.kinds.
        label: of the widget; None for "Model".
        optional: whether none may be chosen.
        none: placeholder while none is chosen; None for "none".
    """
    chosen: str | None = state.get(setting)
    source = None if chosen is None else split_model_setting(chosen)[0]
    offered = [*IN_USE, *folders()]
    key = f"choose_{setting}"
    st.session_state[key] = source
    st.selectbox(
        label or _("Model"),
        offered if source is None or source in offered else [*offered, source],
        index=None if optional else 0,
        key=key,
        format_func=source_label,
        accept_new_options=True,
        placeholder=none or _("none"),
        help=_("Or a Hugging Face id, owner/name. MiniLM needs no network."),
        on_change=_choose,
        args=(setting, key),
    )
    if (problem := st.session_state.get(f"{setting}_problem")) is not None:
        st.error(model_sentence(CheckpointError("source", source=problem)))
    return chosen


def source_label(source: str) -> str:
    """Return a model's label in the list of choices; folders keep their dot, since names may equal those on the Hub."""
    if source == MINILM:
        return model_title(source)
    return _("{name} (gated)").format(name=source) if IN_USE.get(source) else source


def _choose(setting: str, key: str) -> None:
    source = parse_source(st.session_state[key])
    st.session_state[f"{setting}_problem"] = None
    try:
        state.put(**{setting: None if source is None else state.SETTINGS[setting].parse(source)})
    except ValueError:
        st.session_state[f"{setting}_problem"] = source


def parse_source(typed: str | None) -> str | None:
    """Parse a typed or pasted model: an id, its URL on the Hub, or a folder's name."""
    if typed is None:
        return None
    source = typed.strip().removeprefix("https://huggingface.co/").rstrip("/")
    return f"./{source}" if source != MINILM and f"./{source}" in folders() and "/" not in source else source


def tokenizer_ready(source: str) -> bool:
    """Return whether a model's tokenizer is loaded; if not, fetch it and show progress or failure."""
    if is_local(source):
        with show_model_errors():
            model_tokenizer(source)
            return True
        return False
    size = result_or_progress(
        lambda report: model_tokenizer(source).vocab_size,
        job=("tokenizer", source),
        title=_("Tokenizer of {name}").format(name=as_code(source)),
        key=f"tokenizer-{source}",
        failure=model_sentence,
        queue=downloads,
    )
    return size is not None


def tokenizer_fault(source: str) -> CheckpointError | None:
    """Return the lasting error of a model's tokenizer.json, if one is known; another attempt would fail too."""
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


def retry_tokenizer(source: str) -> None:
    """Fetch a model's tokenizer again if that has failed before."""
    if (earlier := downloads.find(("tokenizer", source))) is not None:
        downloads.retry(earlier, this_visitor())


def model_in_view(setting: str = "model") -> Model | None:
    """Open the model of a setting, in the background for the Hub's, and show progress or failure.

    Returns:
        The model. While it is being opened, or if it cannot be, the previous one; None if there is none.
    """
    wanted: str | None = state.get(setting)
    if wanted is None:
        return None
    before = f"{setting}_in_view"
    model = _open_model(wanted, setting)
    if model is not None:
        st.session_state[before] = wanted
        return model
    earlier: str | None = st.session_state.get(before)
    model = None if earlier in (None, wanted) else model_if_open(str(earlier))
    if model is not None:
        st.caption(_("{name} stays in view.").format(name=as_code(model.title)))
    return model


def _open_model(wanted: str, setting: str) -> Model | None:
    source, table, positions = split_model_setting(wanted)

    def failure(error: BaseException) -> str | None:
        return None if _table_choice(error, setting, source) else model_sentence(error)

    if is_local(source):
        try:
            return model_of_this_machine(wanted)
        except TableError as error:
            if (sentence := failure(error)) is not None:
                st.error(sentence)
                st.button(_("Try again"), key=f"{setting}_again")
            return None
    checkpoint = result_or_progress(
        lambda report: open_checkpoint(source, table=table, positions=positions),
        job=("checkpoint", wanted),
        title=_("Opening {name}").format(name=as_code(source)),
        key=f"{setting}_job",
        failure=failure,
        queue=downloads,
        retry_first=True,
    )
    return None if checkpoint is None else Model(wanted, source, source, checkpoint)


def model_if_open(wanted: str) -> Model | None:
    """Return the model of a setting if it is open already; else None."""
    source = split_model_setting(wanted)[0]
    with suppress(TableError):
        if is_local(source):
            return model_of_this_machine(wanted)
        job = downloads.find(("checkpoint", wanted))
        if job is not None and job.state == "done":
            return Model(wanted, source, source, job.result())
    return None


def model_of_this_machine(wanted: str) -> Model:
    """Open MiniLM or a model of the server's folder; changed files make it another model.

    Raises:
        TableError: it cannot be read.
    """
    source, table, positions = split_model_setting(wanted)
    if source == MINILM:
        return Model(MINILM, source, model_title(source), minilm_model())
    root = models_folder()
    if source not in folders():
        raise CheckpointError("source", source=source)
    files = sorted(Path(root, source).glob("*.*"))
    changed = "".join(f"-{about.st_mtime_ns}-{about.st_size}" for about in (path.stat() for path in files))
    key = f"{wanted}{changed}"
    return Model(key, source, model_title(source), _open_folder(key, root, source, table, positions))


@memo(size=lambda _checkpoint: 1_000_000)
def _open_folder(key: str, root: str, source: str, table: str | None, positions: str | None) -> Checkpoint:
    del key
    return open_checkpoint(source.removeprefix("./"), table=table, positions=positions, root=root)


def _table_choice(error: BaseException, setting: str, source: str) -> bool:
    """Draw the choice of the token table if that is what the error asks for; return whether it is."""
    if not isinstance(error, TableError) or error.code != "choose":
        return False
    title = _("Embedding table of {name}").format(name=model_title(source))
    _tensor_choice(title, error.values["choices"], None, f"{setting}_table", setting, f"{source}:")
    return True


def position_choice(model: Model, setting: str = "model") -> None:
    """Draw the choice of the position table of a model with several, such as an encoder's and a decoder's."""
    checkpoint = model.checkpoint
    if len(checkpoint.position_choices) > 1:
        source, table, _positions = split_model_setting(str(state.get(setting)))
        title = _("Position table of {name}").format(name=model.title)
        key = f"{setting}_positions"
        before = f"{source}:{table or ''}:"
        _tensor_choice(title, checkpoint.position_choices, checkpoint.position_name, key, setting, before)


def _tensor_choice(title: str, choices: Sequence[str], chosen: str | None, key: str, setting: str, before: str) -> None:
    """Draw the choice of a tensor, whose name follows `before` in the model's setting."""
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
def show_model_errors(key: str | None = None) -> Iterator[None]:
    """Show an error of a model's files as one sentence, and continue after the block.

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
    """Describe an error of a model and its remedy, as markdown with foreign text as code."""
    if not isinstance(error, TableError):
        error = CheckpointError("network", seconds=60)
    return fill_sentence(_(CHECKPOINT_ERRORS[error.code]), error.values, quote=as_code)
