"""What is put side by side: tokenizers and a text, read from the page's controls and checked."""

from dataclasses import dataclass

import streamlit as st

from embedlib.tokenizers.trained import TrainingRefused
from ui.i18n import _
from ui.settings import controls, state
from ui.shared.downloads import vocabulary_ready
from ui.tokens.cache import TokenizerSpec, least_pieces, tokenizer_of
from ui.tokens.names import choice_title, refusal, title_of
from ui.tokens.settings import TOKENIZER_NAMES, TRAINED_HERE


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides the numbers of the page, in plain hashable values.

    Attributes:
        text: prepared; empty where only what needs none of it is shown.
        specs: those side by side, at least one.
        closely: the one of them that is looked at closely.
        specials: whether the names of special tokens in the text are these tokens.
    """

    text: str
    specs: tuple[TokenizerSpec, ...]
    closely: TokenizerSpec
    specials: bool


def tokenizer_controls() -> None:
    """Draw the choice of tokenizers."""
    st.pills(
        _("Tokenizers side by side"),
        list(TOKENIZER_NAMES),
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
        controls.choice_control("train_on", _("Trained on"), {"manual": _("Python’s manual"), "text": _("this text")})
        controls.number_control(
            "pieces",
            _("Size of the vocabulary"),
            help_text=_("How many pieces the tokenizers that are trained here may have. A short text may give fewer."),
        )


def sizes_reached(request: Request) -> None:
    """Say beside the size what was reached, and the least that works, for each tokenizer that is trained here."""
    said = []
    for name in state.get("tokenizers"):
        spec = cutter_of(name, request.text)
        least = least_pieces(spec) if spec.trained else None
        if least is None:
            continue
        if spec in request.specs:
            reached = tokenizer_of(spec).vocab_size
            sentence = _("{name}: {reached:,} reached, {least:,} are the least.")
            said.append(sentence.format(name=title_of(name), reached=reached, least=least))
        else:
            said.append(_("{name}: {least:,} are the least.").format(name=title_of(name), least=least))
    if said:
        with st.sidebar:
            st.caption("  \n".join(said))


def ready_tokenizers() -> list[str]:
    """Name the chosen tokenizers that can be used now, and say how it stands with the others."""
    names = [name for name in TOKENIZER_NAMES if name in state.get("tokenizers")]
    if not names:
        st.info(_("No tokenizer is chosen: choose one or more, for example gpt2."))
    return [name for name in names if vocabulary_ready(name)]


def checked_request(text: str, names: list[str]) -> Request | None:
    """Gather a request from the controls; what cannot be had is said in a sentence each and left out.

    Args:
        text: prepared, not empty.
        names: tokenizers that are ready.

    Returns:
        A request; None where no tokenizer is left.
    """
    specs = [cutter_of(name, text) for name in names]
    with st.spinner(_("Training a vocabulary of {count:,} pieces").format(count=state.get("pieces"))):
        refused = {spec.name: _problem(spec) for spec in specs}
    problems: dict[str, list[TokenizerSpec]] = {}  # what is wrong with several is said once
    for spec in specs:
        if problem := refused[spec.name]:
            problems.setdefault(problem, []).append(spec)
    for problem, without in problems.items():
        # A text of white space is no mistake; a vocabulary that is too small is one.
        say = st.error if text.strip() or any(spec.on_manual for spec in without) else st.info
        say(f"{', '.join(title_of(spec.name) for spec in without)}: {problem}")
    left = tuple(spec for spec in specs if not refused[spec.name])
    return _looked_at(text, left) if left else None


def without_text(names: list[str]) -> Request:
    """Gather what is shown where there is no text: the tokenizers that need none, or gpt2, which is always there.

    Args:
        names: tokenizers that are ready.
    """
    specs = [cutter_of(name, "") for name in names]
    fitting = [
        spec for spec in specs if not spec.trained or (spec.on_manual and spec.pieces >= (least_pieces(spec) or 0))
    ]
    return _looked_at("", tuple(fitting) or (TokenizerSpec("gpt2"),))


def _looked_at(text: str, specs: tuple[TokenizerSpec, ...]) -> Request:
    wanted = state.get("closely")
    closely = next((spec for spec in specs if spec.name == wanted), specs[0])
    return Request(text, specs, closely, state.get("specials") == "special")


def cutter_of(name: str, text: str) -> TokenizerSpec:
    """Say which tokenizer a name stands for, as the controls are set, on a text."""
    if name in TRAINED_HERE:
        on_manual = state.get("train_on") == "manual"
        return TokenizerSpec(name, "" if on_manual else text, state.get("pieces"), on_manual)
    return TokenizerSpec(name, text if name in ("characters", "words") else "")


def closely_control(request: Request) -> None:
    """Draw the choice of the tokenizer that the rest of the page looks at."""
    st.pills(
        _("Look closely at"),
        help=_("Its merges, its bytes, its special tokens and its fairness are what follows."),
        wrap=True,
        options=[spec.name for spec in request.specs],
        format_func=title_of,
        required=True,
        **controls.shown_instead("closely", request.closely.name),
    )


def _problem(spec: TokenizerSpec) -> str | None:
    """Say in one sentence why a tokenizer cannot be had; None where it can."""
    try:
        tokenizer_of(spec)
    except TrainingRefused as error:
        return refusal(error)
    except ValueError:  # the one text that is not empty and still has no token
        return _("finds no word here: white space only separates. Type a word.")
    return None
