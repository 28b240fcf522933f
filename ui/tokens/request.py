"""The request of the tokens page: its tokenizers and text, read from the controls and checked."""

from dataclasses import dataclass

import streamlit as st

from embedlib.checkpoints import CheckpointError
from embedlib.errors import CodedError
from embedlib.tables import TableError
from embedlib.tokenizers import align
from ui.cache.minilm import has_minilm, minilm_error
from ui.i18n import _, separator
from ui.settings import OWN_TOKENIZER as OWN
from ui.settings import TOKENIZER_NAMES, TRAINED_HERE, controls, is_model_name, state
from ui.shared.model_choice import model_sentence, tokenizer_ready
from ui.shared.text.tokens import vocabulary_ready
from ui.tokens.cache import TokenizerSpec, least_pieces, load_tokenizer, tokenize
from ui.tokens.controls import own_tokenizer
from ui.tokens.names import refusal_sentence, tokenizer_title


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that decides the numbers of the page, in plain hashable values."""

    text: str  # prepared; empty where only what needs none of it is shown
    specs: tuple[TokenizerSpec, ...]  # side by side, at least one
    closely: TokenizerSpec  # the one of them whose details are shown
    specials: bool  # whether the names of special tokens in the text are these tokens


def show_reached_sizes(request: Request) -> None:
    """Show beside the size the sizes that vocabularies trained here reached, and the least possible."""
    lines = []
    for name in state.get("tokenizers"):
        spec = tokenizer_spec(name, request.text)
        least = least_pieces(spec) if spec.is_trained_here else None
        if least is None:
            continue
        if spec in request.specs:
            line = _("The vocabulary of {name} is trained here with {reached:,} entries; it needs at least {least:,}.")
            lines.append(line.format(name=tokenizer_title(name), reached=load_tokenizer(spec).vocab_size, least=least))
        else:
            lines.append(
                _("The vocabulary of {name} needs at least {least:,} entries.").format(
                    name=tokenizer_title(name), least=least
                )
            )
    if lines:
        with st.sidebar:
            for line in lines:
                st.caption(line)


def ready_tokenizers() -> list[str]:
    """Return the chosen tokenizers that are ready; show the progress or the errors of the others."""
    chosen = state.get("tokenizers")
    names = [name for name in TOKENIZER_NAMES if name in chosen] + [name for name in chosen if is_model_name(name)]
    if not chosen:
        st.info(_("Choose a tokenizer in the settings."))
    return [name for name in (*names, OWN) if name in chosen and _check_ready(name)]


def _check_ready(name: str) -> bool:
    """Return whether a tokenizer is ready; else show its progress or what is wrong."""
    if is_model_name(name):
        return tokenizer_ready(name)
    if name == OWN:
        if own_tokenizer() is None:
            st.info(_("A link carries no file: load it in the settings."))
        return own_tokenizer() is not None
    if name == "minilm" and not has_minilm():
        if (error := minilm_error()) is not None:
            st.error(model_sentence(error))
        return False
    return vocabulary_ready(name)


def checked_request(text: str, names: list[str]) -> Request | None:
    """Build a request without tokenizers that cannot be trained, each with a notice; None if none is left."""
    specs = [tokenizer_spec(name, text) for name in names]
    with st.spinner(_("Training a vocabulary of {count:,}").format(count=state.get("pieces"))):
        refused = {spec.name: _problem(spec, text) for spec in specs}
    problems: dict[str, list[TokenizerSpec]] = {}  # one notice for a problem of several
    for spec in specs:
        if problem := refused[spec.name]:
            problems.setdefault(problem, []).append(spec)
    for problem, without in problems.items():
        # A text of white space is no mistake; a vocabulary that is too small is one.
        say = st.error if text.strip() or any(spec.train_on not in ("", "text") for spec in without) else st.info
        say(separator(", ").join(tokenizer_title(spec.name) for spec in without) + separator(": ") + problem)
    left = tuple(spec for spec in specs if not refused[spec.name])
    return _build_request(text, left) if left else None


def request_without_text(names: list[str]) -> Request:
    """Build a request without a text: of the tokenizers that need none, or gpt2, which is always there."""
    specs = [tokenizer_spec(name, "") for name in names]
    fitting = [
        spec
        for spec in specs
        if not spec.is_trained_here or (spec.train_on != "text" and spec.pieces >= (least_pieces(spec) or 0))
    ]
    return _build_request("", tuple(fitting) or (TokenizerSpec("gpt2"),))


def _build_request(text: str, specs: tuple[TokenizerSpec, ...]) -> Request:
    wanted = state.get("closely")
    closely = next((spec for spec in specs if spec.name == wanted), specs[0])
    return Request(text, specs, closely, state.get("specials") == "special")


def tokenizer_spec(name: str, text: str) -> TokenizerSpec:
    """Return the tokenizer of a name with the current settings, for a text."""
    if name in TRAINED_HERE:
        train_on = state.get("train_on")
        return TokenizerSpec(name, text if train_on == "text" else "", state.get("pieces"), train_on)
    if name == OWN and (own := own_tokenizer()) is not None:
        return TokenizerSpec(name, own[0])
    return TokenizerSpec(name, text if name in ("characters", "words") else "")


def closely_control(request: Request) -> None:
    """Draw the choice of the tokenizer that the rest of the page is about."""
    controls.control(
        "closely",
        st.pills,
        wrap=True,
        options=[spec.name for spec in request.specs],
        titles=tokenizer_title,
        required=True,
        value=request.closely.name,
    )


def _problem(spec: TokenizerSpec, text: str) -> str | None:
    """Return a sentence on why a tokenizer cannot be trained; None where it can."""
    try:
        if spec.is_from_model:  # foreign, so that all of it is tried
            align(text, {spec.name: tokenize(spec, text, False)})
        load_tokenizer(spec)
    except TableError as error:
        return model_sentence(error)
    except CodedError as error:
        return refusal_sentence(error)
    except ValueError:  # the one text that is not empty and still has no token
        if spec.is_from_model:
            return model_sentence(CheckpointError("damaged", file="tokenizer.json", format="tokenizer"))
        return _("the text has no words: type some.")
    return None
