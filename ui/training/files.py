"""A training saved and resumed, and its rows as a table."""

import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from secrets import token_hex

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from embedlib.errors import CodedError
from embedlib.grammar import KINDS
from embedlib.tables import write_projector_pair
from embedlib.tensor_files import ERRORS
from embedlib.word2vec import SkipGramState, WordCorpus, load_skip_gram, save_skip_gram
from ui import cache
from ui.cache.bounded import memo
from ui.export import download
from ui.i18n import _, separator
from ui.markdown import as_code, file_as_code
from ui.settings import state
from ui.shared.text.source import Source
from ui.shared.upload import renew_upload, upload
from ui.training.corpora import least_count, most_words, shipped_corpus
from ui.training.request import Request, chosen_config, fits_controls, set_controls
from ui.training.run import Run
from ui.training.view import TrainingView

_LOADED = "training_loaded"
_WAITS = "training_waits_for_its_text"  # in the session: a saved training whose text is not in view yet
LIMIT = 150_000_000  # bytes; six tables of the largest size that the page trains take 18 MB
_UPLOAD = "train-upload"


@dataclass(eq=False)
class _PendingResume:
    """A saved training that waits for its text to be in view."""

    name: str
    words: tuple[str, ...]
    state: SkipGramState
    source: str = ""  # the text, once it is in view


@dataclass(frozen=True, eq=False)
class Loaded:
    """A saved training that this visitor has loaded, and its text."""

    key: str
    name: str
    source: str
    state: SkipGramState


def save_and_load(view: TrainingView, source: Source, corpus: WordCorpus) -> None:
    """Draw the download of the training in view, and the upload of a saved one."""
    st.header(_("Save or resume"))
    left, right = st.columns(2, gap="large")
    with left:
        _download_section(view)
    with right:
        _draw_resume_upload(source, corpus)


def _download_section(view: TrainingView) -> None:
    run, step = view.recording.run, view.step
    if run.diverged:
        about = _("Diverged at step {at:,}: cannot be resumed.").format(at=run.current_step)
    elif view.recording.state == "training":  # the state is that of the last slice, and the rows are ahead of it
        about = _("Pause the training to save all of it; the text is not saved.")
    else:
        about = _("Resumes from step {at:,}; the text is not saved.").format(at=run.state.step)
    rows = _("Rows of step {step:,}, for Projection or TensorBoard.").format(step=step)
    st.caption(about + separator(" ") + rows)
    with st.container(horizontal=True):
        if not run.diverged:
            download(
                _("Training (.safetensors)"),
                partial(saved_training, run),
                "training.safetensors",
                kind="application/octet-stream",
                key="train-save",
            )
        for title, name, part in (
            (_("Rows (vectors.tsv)"), "vectors.tsv", 0),
            (_("Words (metadata.tsv)"), "metadata.tsv", 1),
        ):
            make = partial(_table_part, run, step, part)
            download(title, make, name, kind="text/tab-separated-values", key=f"train-{name}")


def saved_training(run: Run) -> bytes:
    """Return the file of a training, at the step at which its last slice ended."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "training.safetensors"
        save_skip_gram(path, run.state, run.history.words)
        return path.read_bytes()


def _table_part(run: Run, step: int, part: int) -> bytes:
    """Return the numbers or the names of the rows at a step."""
    columns = {"count": [str(count) for count in run.history.counts.tolist()]}
    if run.has_kinds:
        columns["kind"] = ["" if kind is None else KINDS[kind].title for kind in run.kinds]
    return write_projector_pair(run.history.rows(step), run.history.words, columns=columns)[part]


def _draw_resume_upload(source: Source, corpus: WordCorpus) -> None:
    upload(
        _("Resume a saved training (.safetensors)"),
        lambda file: _resume_file(file, source, corpus),
        key=_UPLOAD,
        types=["safetensors"],
        limit_mb=LIMIT // 10**6,
    )
    if (loaded := loaded_training(source)) is not None:
        st.caption(
            _("Resumed {file} at step {step:,} (this session).").format(
                file=as_code(loaded.name), step=loaded.state.step
            )
        )


def _resume_file(uploaded: UploadedFile, source: Source, corpus: WordCorpus) -> str | None:
    """Resume a file's training, or return a sentence on why that is impossible."""
    st.session_state[_WAITS] = None
    name, file = uploaded.name, file_as_code(uploaded.name)
    if uploaded.size > LIMIT:
        return _(ERRORS["no_run"]).format(file=file)
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "training.safetensors"
            path.write_bytes(uploaded.getvalue())
            saved, words = load_skip_gram(path)
    except CodedError as error:
        return _(ERRORS[error.code]).format(file=file)
    if saved.diverged:
        return _("The run in {file} diverged: lower the learning rate.").format(file=file)
    if not fits_controls(saved.config):
        return _("{file} has settings this page lacks: resume it in Python.").format(file=file)
    fitting = _find_text(words, source, corpus)
    if fitting is None:
        st.session_state[_WAITS] = _PendingResume(name, words, saved)
        return _("{file} was trained on another text: choose that text.").format(file=file)
    resume(name, fitting, saved)
    if fitting != source.key:
        state.put(train_corpus=fitting)
    return None


def _find_text(words: tuple[str, ...], source: Source, corpus: WordCorpus) -> str | None:
    """Return the key of a text with exactly these words: the one in view, else one that ships with the app."""
    if corpus.words == words:
        return source.key
    return next((name for name in ("grammar", "manual") if shipped_corpus(name).words == words), None)


def resume(name: str, source: str, saved: SkipGramState) -> None:
    """Resume a saved training; call it before the controls are drawn, which show its settings."""
    st.session_state[_LOADED] = Loaded(token_hex(8), name, source, saved)
    set_controls(saved.config)


def resume_pending() -> None:
    """Resume a pending training once its text is in view; call it before the controls are drawn."""
    waiting: _PendingResume | None = st.session_state.get(_WAITS)
    if waiting is not None and waiting.source:
        resume(waiting.name, waiting.source, waiting.state)
        st.session_state[_WAITS] = None
        renew_upload(_UPLOAD)


def check_pending(source: Source, corpus: WordCorpus) -> None:
    """Rerun the page where the text in view is the one that a pending training needs."""
    waiting: _PendingResume | None = st.session_state.get(_WAITS)
    if waiting is not None and waiting.words == corpus.words:
        waiting.source = source.key
        st.rerun()


def loaded_training(source: Source) -> Loaded | None:
    """Return the saved training in view; None where text or controls have changed since it was loaded."""
    loaded: Loaded | None = st.session_state.get(_LOADED)
    if loaded is None or loaded.source != source.key or loaded.state.config != chosen_config():
        return None
    return loaded


def build_request(source: Source) -> Request:
    """Build the request from the controls, for a text."""
    loaded = loaded_training(source)
    return Request(
        corpus=source.name,
        key=source.key,
        config=chosen_config(),
        min_count=least_count(source),
        most_words=most_words(source),
        file=source.file,
        loaded="" if loaded is None else loaded.key,
    )


@memo(400_000_000, key=lambda request, source, corpus: request)
def shared_run(request: Request, source: Source, corpus: WordCorpus) -> Run:
    """Return the run of a request, which all visitors with the same request share."""
    loaded = loaded_training(source) if request.loaded else None
    return Run(request, corpus, begun=None if loaded is None else loaded.state, device=cache.device().device)
