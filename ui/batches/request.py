"""The settings of the batches page, checked against the text, held within it, and written as a program."""

from dataclasses import dataclass

import streamlit as st

from embedlib.errors import CodedError
from embedlib.i18n import N_
from embedlib.programs import batches_program
from embedlib.texts import WindowPlan
from embedlib.tokenizers import TokenSpans
from ui.batches import cache
from ui.batches.cache import TokenizedText, WindowSettings
from ui.export import show_program
from ui.i18n import _
from ui.markdown import as_code
from ui.settings import controls, state
from ui.shared.page import section
from ui.shared.rows import row_source, rows_control
from ui.shared.text.source import Source, choose_text
from ui.shared.text.tokens import show_no_tokens, tokens_or_notice

STRETCH = 160  # tokens in sight
_CHANGED = "batches_changed"
_FIRST = {"batch": 1, "batch_place": None, "batch_token": None}
_FILE = "batches_file"  # in the session: the key of the file that was in view


@dataclass(frozen=True)
class Request:
    """Everything that decides what the page shows, in plain values; large results are looked up in the cache."""

    source: Source
    tokenizer: str
    cut: WindowSettings
    batch: int  # from 0
    d_model: int
    seed: int
    table: str  # "random", or "trained" where d_model is the trained width

    @property
    def tokenized_text(self) -> TokenizedText:
        """The text with its tokens."""
        return cache.tokenize_text(self.source, self.tokenizer)

    @property
    def plan(self) -> WindowPlan:
        """The plan of the text's windows."""
        return cache.window_plan(self.cut)


def settings_sidebar() -> None:
    """Draw the controls of the windows, and under "More" those of tokens and vectors."""
    with st.sidebar:
        st.subheader(_("Windows"))
        for setting, label, help_text in (
            ("max_length", _("Context length"), _("Tokens in each window; in programs max_length.")),
            ("stride", _("Stride"), _("Tokens from the start of one window to the start of the next.")),
            ("batch_size", _("Batch size"), _("Windows that are read together, as the sequences of one batch.")),
        ):
            limits = _("From 1 to {greatest:,}.").format(greatest=state.maximum(setting))
            controls.control(setting, label=label, help=f"{help_text} {limits}")
        controls.control("shuffle")
        if state.get("shuffle"):
            controls.control(
                "shuffle_seed", help=_("The order is that of the first epoch of PyTorch’s DataLoader with this seed.")
            )
        with st.expander(_("More"), key="batches-more"):
            controls.control(
                "drop_last", help=_("Leaves out the last batch where it has fewer sequences than the others.")
            )
            controls.tokenizer_control()
            rows_control(by_hand=False)
            controls.d_model_control()
            controls.control("seed")


def source_section() -> Source:
    """Draw the choice of a text and its controls; return the text that is in view."""
    titles = {
        "story": _("Story"),
        "example": _("Essay"),
        "manual": _("Python’s manual"),
        "text": _("Your text"),
        "own": _("Your file"),
    }
    source = choose_text(
        "batches_source",
        titles,
        label=_("Text"),
        instead="story",
        no_file=lambda: st.info(_("No file is loaded, so the story is shown.")),
        about_file=lambda file: st.caption(_("Showing {file} (this session only).").format(file=file)),
        collapsed=True,
        on_change=_reset_batch,
    )
    if source.name == "own" and st.session_state.get(_FILE) != source.key:
        st.session_state[_FILE] = source.key
        state.put(**_FIRST)
    return source


def _reset_batch() -> None:
    """Reset to the first batch: an index into one text means nothing in another."""
    state.put(**_FIRST)


def checked_request(source: Source) -> Request | None:
    """Build a request from the controls, or show in one sentence why there is nothing to cut."""
    tokenizer = state.get("tokenizer")
    if not source.text:
        show_no_tokens()
        return None

    def tokenize() -> TokenSpans:
        with st.spinner(_("Tokenizing …"), show_time=False):
            return cache.tokenize_text(source, tokenizer).spans

    if (tokens := tokens_or_notice(tokenize, tokenizer=tokenizer)) is None:
        return None
    windows = ("max_length", "stride", "batch_size", "shuffle", "shuffle_seed", "drop_last")
    cut = WindowSettings(len(tokens), *(state.get(name) for name in windows))
    try:
        n_batches = cache.window_plan(cut).n_batches
    except CodedError as error:
        st.error(plan_error_sentence(error))
        return None
    clamp_settings(cut, n_batches)
    batch = state.get("batch") - 1
    return Request(source, tokenizer, cut, batch, state.get("d_model"), state.get("seed"), row_source(by_hand=False))


def plan_error_sentence(error: CodedError) -> str:
    """Return a sentence on why a text gives no batch, with the remedy."""
    if error.code == "no_batch":
        n_windows, batch_size = error.values["n_windows"], error.values["batch_size"]
        return _(
            "The text gives {count:,} windows, and a batch needs {batch_size:,}: turn off drop_last, or lower "
            "the batch size to {count:,}."
        ).format(count=n_windows, batch_size=batch_size)
    n_ids, max_length = error.values["n_ids"], error.values["max_length"]
    if n_ids < 2:
        return _("A single token has no next one to predict: type more.")
    return _(
        "The text has {n_ids:,} tokens, and a window with its last target needs {needed:,}: lower the context "
        "length from {max_length:,} to {most:,}."
    ).format(n_ids=n_ids, max_length=max_length, needed=max_length + 1, most=n_ids - 1)


def clamp_settings(cut: WindowSettings, n_batches: int) -> None:
    """Clamp the batch, the scroll position and the token to what exists, in the link too, with a notice."""
    changes: dict[str, tuple[WindowSettings, int | None, str]] = st.session_state.setdefault(_CHANGED, {})
    for name, (of, value, _sentence) in list(changes.items()):
        if of != cut or state.get(name) != value:
            del changes[name]
    last = max(0, cut.n_ids - STRETCH)
    batch, place, token = (state.get(name) for name in ("batch", "batch_place", "batch_token"))
    if batch > n_batches:
        sentence = _("There is no batch {number:,}, so the last one, {count:,}, is shown.")
        changes["batch"] = (cut, n_batches, sentence.format(number=batch, count=n_batches))
        state.put(batch=n_batches)
    no_token = _("There is no token {place:,}; the last one is {last:,}.")
    if place is not None and place > last:
        if place >= cut.n_ids:
            changes["batch_place"] = (cut, last, no_token.format(place=place, last=cut.n_ids - 1))
        state.put(batch_place=last)
    if token is not None and token >= cut.n_ids:
        changes["batch_token"] = (cut, None, no_token.format(place=token, last=cut.n_ids - 1))
        state.put(batch_token=None)
    for _cut, _value, sentence in changes.values():
        st.warning(sentence)


@section("batches-code", N_("Code"))
def show_code(request: Request) -> None:
    """Show the program that prints the batch in view."""
    if request.source.file is not None:
        st.caption(_("Put your text in the program’s folder, as {file}.").format(file=as_code(request.source.file)))
    widget = """
from embedlib.widgets import matrix
matrix(input_embeddings[0], title="first sequence of the batch", rows="position", columns="dimension")
"""
    show_program(program(request), "batches", widget)


def program(request: Request) -> str:
    """Write the program that prints the page's numbers."""
    source = request.source
    return batches_program(
        request.plan,
        text=source.text if source.name in ("story", "example", "text") else None,
        file=source.file,
        tokenizer=request.tokenizer,
        table=request.table,
        d_model=request.d_model,
        table_seed=request.seed,
        batch=request.batch,
    )
