"""The settings of the batches page, checked against the text, held within it, and written as a program."""

from dataclasses import dataclass

import streamlit as st

from embedlib.programs import batches_program
from embedlib.texts import PlanError, WindowPlan
from ui.batches import cache
from ui.batches.cache import Cut, ReadText
from ui.i18n import _, ngettext
from ui.settings import controls, state
from ui.shared.downloads import vocabulary_ready
from ui.shared.markdown import as_code
from ui.shared.rows import rows_control, rows_shown
from ui.shared.text.source import Source, choose_text

STRETCH = 160  # tokens in sight
_SAID = "batches_changed"
_FIRST = {"batch": 1, "batch_place": None, "batch_token": None}
_FILE = "batches_file"  # in the session: the key of the file that was in view


@dataclass(frozen=True)
class Request:
    """Everything that decides what the page shows, in plain values: what is large is looked up when it is needed.

    Attributes:
        source: the text.
        tokenizer: name in TOKENIZERS.
        cut: what WindowPlan is made of.
        batch: which batch is in view, from 0.
        d_model: row width.
        seed: of the two random tables.
        table: where the tokens' rows come from, "random", or "trained" where d_model is the trained width.
    """

    source: Source
    tokenizer: str
    cut: Cut
    batch: int
    d_model: int
    seed: int
    table: str

    @property
    def read(self) -> ReadText:
        """The text's tokens."""
        return cache.read_text(self.source, self.tokenizer)

    @property
    def plan(self) -> WindowPlan:
        """How they are cut."""
        return cache.plan_of(self.cut)


def settings_sidebar() -> None:
    """Draw the controls that are not about windows."""
    with st.sidebar:
        st.subheader(_("Tokens"))
        controls.tokenizer_control()
        st.subheader(_("Vectors"))
        rows_control(by_hand=False)
        controls.d_model_control()
        controls.number_control(
            "seed",
            _("Seed"),
            help_text=_("Both tables are drawn from one random stream: first the tokens' rows, then the positions'."),
        )


def source_section() -> Source:
    """Draw the choice of a text and what belongs to it; return the text that is in view."""
    titles = {
        "manual": _("Python's manual"),
        "example": _("The examples' text"),
        "text": _("Your text"),
        "own": _("Your file"),
    }
    source = choose_text(
        "batches_source",
        titles,
        label=_("Text"),
        instead="manual",
        no_file=lambda: st.info(_("No file is loaded yet: until you choose one, this is Python's manual.")),
        about_file=lambda file: st.caption(
            _("In view is {file}, for this visit only: a link cannot carry it.").format(file=file)
        ),
        on_change=_begin,
    )
    if source.name == "own" and st.session_state.get(_FILE) != source.key:
        st.session_state[_FILE] = source.key
        state.put(**_FIRST)
    return source


def _begin() -> None:
    """Begin another text with its first batch: a place in one text is none in another."""
    state.put(**_FIRST)
    state.dismiss_notices()


def plan_controls() -> None:
    """Draw the controls that decide how the ids are cut into windows, and these into batches."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="batch-controls"):
        for setting, label, help_text in (
            ("max_length", _("max_length"), _("How many tokens each window holds: what the model sees at once.")),
            (
                "stride",
                _("stride"),
                _("How far the next window starts: less than max_length overlaps, more leaves gaps."),
            ),
            ("batch_size", _("batch_size"), _("How many windows go through the model together.")),
        ):
            with st.container(width=148):
                limits = _("From 1 to {greatest:,}.").format(greatest=state.greatest(setting))
                controls.number_control(setting, label, help_text=f"{help_text} {limits}")
        with st.container(width="content"):
            st.toggle(
                _("shuffle"),
                key="shuffle",
                help=_("Takes the windows in random order, so that a batch is no single passage."),
                on_change=state.dismiss_notices,
            )
            st.toggle(
                _("drop_last"),
                key="drop_last",
                help=_("Leaves out the last batch where it is not full."),
                on_change=state.dismiss_notices,
            )
        if state.get("shuffle"):
            with st.container(width=190):
                controls.number_control(
                    "shuffle_seed",
                    _("Seed of the order"),
                    help_text=_("The same seed gives the order that torch's DataLoader has in its first epoch."),
                )


def checked_request(source: Source) -> Request | None:
    """Gather a request from the controls, or show in one sentence why there is nothing to cut."""
    tokenizer = state.get("tokenizer")
    if not source.text:
        st.info(_("The text is empty: type something, or choose Python's manual."))
        return None
    if not vocabulary_ready(tokenizer):
        return None
    try:
        with st.spinner(_("Cutting the text into tokens …"), show_time=False):
            read = cache.read_text(source, tokenizer)
    except ValueError:  # the one text that is not empty and still has no token
        st.info(_("The tokenizer “words” finds no word here: white space only separates. Type a word."))
        return None
    windows = ("max_length", "stride", "batch_size", "shuffle", "shuffle_seed", "drop_last")
    cut = Cut(read.n_tokens, *(state.get(name) for name in windows))
    try:
        n_batches = cache.plan_of(cut).n_batches
    except PlanError as error:
        st.error(broken_plan(error))
        return None
    within(cut, n_batches)
    shown = state.get("batch") - 1
    return Request(source, tokenizer, cut, shown, state.get("d_model"), state.get("seed"), rows_shown(by_hand=False))


def broken_plan(error: PlanError) -> str:
    """Say why no batch comes of a text and what helps."""
    if error.code == "no_batch":
        n_windows, batch_size = error.values["n_windows"], error.values["batch_size"]
        return ngettext(
            "The text gives {count:,} window and a batch needs {batch_size:,}, so drop_last leaves no batch: turn "
            "drop_last off, or choose a batch_size of {count:,}.",
            "The text gives {count:,} windows and a batch needs {batch_size:,}, so drop_last leaves no batch: turn "
            "drop_last off, or choose a batch_size of {count:,} or less.",
            n_windows,
        ).format(count=n_windows, batch_size=batch_size)
    n_ids, max_length = error.values["n_ids"], error.values["max_length"]
    if n_ids < 2:
        return _("The text has a single token and nothing follows it: type a longer text.")
    return _(
        "The text has {n_ids:,} tokens; a window of {max_length:,} and its targets need {needed:,}: choose a "
        "max_length of {most:,} or less, or a longer text."
    ).format(n_ids=n_ids, max_length=max_length, needed=max_length + 1, most=n_ids - 1)


def sizes(request: Request) -> str:
    """Count what the text became, from its characters to its batches."""
    plan, text, read = request.plan, request.source.text, request.read
    parts = [
        ngettext("{count:,} character", "{count:,} characters", len(text)).format(count=len(text)),
        ngettext("{count:,} token", "{count:,} tokens", read.n_tokens).format(count=read.n_tokens),
        ngettext("{count:,} window", "{count:,} windows", plan.n_windows).format(count=plan.n_windows),
        ngettext("{count:,} batch", "{count:,} batches", plan.n_batches).format(count=plan.n_batches),
    ]
    return " → ".join(parts)


def within(cut: Cut, n_batches: int) -> None:
    """Change a batch, a place or a token that is not there, in the link too, and say so until it is changed again.

    Args:
        cut: what the plan is made of.
        n_batches: of an epoch.
    """
    said: dict[str, tuple[Cut, int | None, str]] = st.session_state.setdefault(_SAID, {})
    for name, (of, value, _sentence) in list(said.items()):
        if of != cut or state.get(name) != value:
            del said[name]
    last = max(0, cut.n_ids - STRETCH)
    batch, place, token = (state.get(name) for name in ("batch", "batch_place", "batch_token"))
    if batch > n_batches:
        sentence = ngettext(
            "There is no batch {number:,}: an epoch has {count:,} batch, which is shown instead.",
            "There is no batch {number:,}: an epoch has {count:,} batches, and the last one is shown instead.",
            n_batches,
        )
        said["batch"] = (cut, n_batches, sentence.format(number=batch, count=n_batches))
        state.put(batch=n_batches)
    if place is not None and place > last:
        if place >= cut.n_ids:
            sentence = _("There is no token {place:,}: the text has {count:,}, and its end is shown instead.")
            said["batch_place"] = (cut, last, sentence.format(place=place, count=cut.n_ids))
        state.put(batch_place=last)
    if token is not None and token >= cut.n_ids:
        sentence = _("There is no token {place:,} to choose: the text has {count:,}, numbered from 0.")
        said["batch_token"] = (cut, None, sentence.format(place=token, count=cut.n_ids))
        state.put(batch_token=None)
    for _cut, _value, sentence in said.values():
        st.warning(sentence)


def show_code(request: Request) -> None:
    """Show the program that prints the batch in view."""
    st.header(_("The code"))
    sentence = _("Plain PyTorch with a DataLoader; it prints the batch in view. Run it in the folder of this project.")
    if request.source.file is not None:
        sentence += " " + _("Put {file} there.").format(file=as_code(request.source.file))
    st.caption(sentence)
    st.code(program(request), language="python")


def program(request: Request) -> str:
    """Write the program that prints the page's numbers."""
    source = request.source
    return batches_program(
        request.plan,
        text=source.text if source.name in ("example", "text") else None,
        file=source.file,
        tokenizer=request.tokenizer,
        table=request.table,
        d_model=request.d_model,
        table_seed=request.seed,
        batch=request.batch,
    )
