"""What is put side by side: tokenizers and a text, read from the page's controls and checked."""

from dataclasses import dataclass

import streamlit as st

from embedlib.trained_tokenizers import TrainingRefused
from ui import controls, state
from ui.downloads import vocabulary_ready
from ui.i18n import _
from ui.tokens.cache import Cutter, tokenizer_of
from ui.tokens.settings import CUTTERS, TRAINED_HERE
from ui.tokens.titles import choice_title, title_of
from ui.tokens.training import refusal


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides the numbers of the page, in plain hashable values.

    Attributes:
        text: prepared, not empty.
        cutters: those side by side, at least one.
        closely: the one of them that is looked at closely.
        specials: whether the names of special tokens in the text are these tokens.
    """

    text: str
    cutters: tuple[Cutter, ...]
    closely: Cutter
    specials: bool


def tokenizer_controls() -> None:
    """Draw the choice of tokenizers."""
    st.pills(
        _("Tokenizers side by side"),
        list(CUTTERS),
        selection_mode="multi",
        key="tokenizers",
        format_func=choice_title,
        wrap=True,
        on_change=state.dismiss_notices,
    )


def settings_sidebar() -> None:
    """Draw what the tokenizers that are trained here are trained on, as long as one of them is chosen."""
    if not any(name in TRAINED_HERE for name in state.get("tokenizers")):
        return
    with st.sidebar:
        st.subheader(_("Trained here"))
        st.caption(_("BPE, WordPiece and Unigram learn their vocabularies here, from the text of your choice."))
        st.segmented_control(
            _("Trained on"),
            state.options("train_on"),
            key="train_on",
            format_func=lambda name: {"manual": _("Python’s manual"), "text": _("this text")}[name],
            required=True,
            on_change=state.dismiss_notices,
        )
        controls.number_control(
            "pieces",
            _("Size of the vocabulary"),
            help_text=_("How many pieces the tokenizers that are trained here may have. A short text may give fewer."),
        )


def checked_request(text: str) -> Request | None:
    """Gather a request from the controls; what cannot be had is said in a sentence each and left out.

    Args:
        text: prepared, not empty.

    Returns:
        A request; None where no tokenizer is left.
    """
    names = [name for name in CUTTERS if name in state.get("tokenizers")]
    if not names:
        st.info(_("No tokenizer is chosen: choose one or more, for example gpt2."))
    cutters = [cutter_of(name, text) for name in names if vocabulary_ready(name)]
    with st.spinner(_("Training a vocabulary of {count:,} pieces").format(count=state.get("pieces"))):
        refused = {cutter.name: _problem(cutter) for cutter in cutters}
    problems: dict[str, list[str]] = {}  # what is wrong with several is said once
    for name, problem in refused.items():
        if problem:
            problems.setdefault(problem, []).append(title_of(name))
    for problem, without in problems.items():
        st.error(f"{', '.join(without)}: {problem}")
    left = tuple(cutter for cutter in cutters if not refused[cutter.name])
    if not left:
        return None
    wanted = state.get("closely")
    closely = next((cutter for cutter in left if cutter.name == wanted), left[0])
    return Request(text, left, closely, state.get("specials") == "special")


def cutter_of(name: str, text: str) -> Cutter:
    """Say which tokenizer a name stands for, as the controls are set, on a text."""
    if name in TRAINED_HERE:
        on_manual = state.get("train_on") == "manual"
        return Cutter(name, "" if on_manual else text, state.get("pieces"), on_manual)
    return Cutter(name, text if name in ("characters", "words") else "")


def closely_control(request: Request) -> None:
    """Draw the choice of the tokenizer that the rest of the page looks at."""
    st.pills(
        _("Look closely at"),
        help=_("Its merges, its bytes, its special tokens and its fairness are what follows."),
        wrap=True,
        options=[cutter.name for cutter in request.cutters],
        format_func=title_of,
        required=True,
        **controls.shown_instead("closely", request.closely.name),
    )


def _problem(cutter: Cutter) -> str | None:
    """Say in one sentence why a tokenizer cannot be had; None where it can."""
    try:
        tokenizer_of(cutter)
    except TrainingRefused as error:
        return refusal(error)
    except ValueError:  # the one text that is not empty and still has no token
        return _("finds no word here: white space only separates. Type a word.")
    return None
