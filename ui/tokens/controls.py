"""Controls of the tokens page: the text with its examples, the tokenizers, and their training text."""

from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Literal

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from embedlib.checkpoints import CheckpointError, FileTokenizer
from embedlib.examples import EXAMPLES as SHARED
from embedlib.examples import in_language
from embedlib.i18n import N_
from ui.cache.minilm import has_minilm
from ui.cache.models import loaded_tokenizers
from ui.i18n import _, language, separator
from ui.markdown import as_code
from ui.settings import MOST_MODELS, TOKENIZER_NAMES, TRAINED_HERE, controls, is_model_name, state
from ui.settings import OWN_TOKENIZER as OWN
from ui.shared.examples import examples, title_with_examples
from ui.shared.model_choice import folders, model_sentence, parse_source, retry_tokenizer, source_label
from ui.shared.text.prepared import PreparedText
from ui.shared.text.text_area import current_text, set_text, text_area
from ui.shared.upload import upload
from ui.tokens.cache import encoding_specials
from ui.tokens.names import tokenizer_option_label

MOST_MB = 64  # of a tokenizer.json; Gemma's has 33
# Models in use whose tokenizers differ; of several sizes the smallest.
TOKENIZERS_IN_USE = (
    "Qwen/Qwen2.5-0.5B",
    "HuggingFaceTB/SmolLM2-135M",
    "meta-llama/Llama-3.2-1B",
    "google/gemma-2-2b",
    "mistralai/Mistral-7B-v0.3",
    "google-bert/bert-base-cased",
    "google-bert/bert-base-multilingual-cased",
    "google-bert/bert-base-chinese",
    "google-bert/bert-base-german-cased",
    "FacebookAI/xlm-roberta-base",
)
TEA = "Hello, do you like tea? <|endoftext|> In the sunlit terraces of someunknownPlace."


@dataclass(frozen=True)
class TokensExample:
    """An example text, how its special tokens are read, and its tokenizer, which is added if missing.

    The title is English, marked for translation.
    """

    title: str
    text: str
    specials: Literal["text", "special"] = "text"
    shows: str = "gpt2"


EXAMPLES: dict[str, TokensExample] = {
    "opening": TokensExample(N_("Words and pieces"), state.SETTINGS["text"].by_page["tokens"]),
    "cat": TokensExample(N_("The cat sat on the mat"), SHARED["cat"].text),
    "tea": TokensExample(N_("A special token"), TEA, "special"),
    "pieces": TokensExample(SHARED["pieces"].title, SHARED["pieces"].text),
    "fox": TokensExample(N_("Six words"), SHARED["fox"].text, shows="words"),
    "long": TokensExample(
        N_("Long words"), "Untranslatable counterexamples disproportionately overwhelm uncompromising tokenizers."
    ),
}


def text_with_examples() -> PreparedText:
    """Draw the title with the examples beside it, and the text area; return the text that can be used."""
    title_with_examples(partial(_examples, current_text().text))
    prepared = text_area()
    _specials_in_text(prepared.text)
    return prepared


def _examples(text: str) -> None:
    """Draw the choice of examples, with the loaded one marked."""
    specials = state.get("specials")
    loaded = (
        name
        for name, example in EXAMPLES.items()
        if (in_language(example.text, language()), example.specials) == (text, specials)
    )
    titles = {name: _(example.title) for name, example in EXAMPLES.items()}
    examples(titles, _load_example, shown=next(loaded, None), key="tokens_example")


def _load_example(name: str) -> None:
    example, names = EXAMPLES[name], state.get("tokenizers")
    state.put(character=None, closely="gpt2", specials=example.specials)
    if example.shows not in names:
        state.put(tokenizers=[example.shows, *names])
    set_text(in_language(example.text, language()))


def settings_sidebar() -> None:
    """Draw the choice of tokenizers, and behind "More" the training text of those that are trained here."""
    with st.sidebar:
        controls.control(
            "tokenizers",
            st.pills,
            _available_tokenizers(),
            selection_mode="multi",
            titles=tokenizer_option_label,
            wrap=True,
        )
        with st.expander(_("Tokenizer of a model")):
            _model_control()
            upload(
                _("Your tokenizer.json"), _load_tokenizer_file, key="own-tokenizer", types=["json"], limit_mb=MOST_MB
            )
        if not any(name in TRAINED_HERE for name in state.get("tokenizers")):
            return
        with st.expander(_("More")):
            titles = {"sentences": _("sentences"), "manual": _("Python’s manual"), "text": _("your text")}
            controls.control("train_on", titles=titles)
            controls.control("pieces", help=_("A short training text may give fewer entries than this."))


def _available_tokenizers() -> list[str]:
    """List the tokenizers that can be chosen: those that are there, the models added, and the reader's file."""
    chosen = state.get("tokenizers")
    names = [name for name in TOKENIZER_NAMES if name != "minilm" or has_minilm() or name in chosen]
    names += [name for name in chosen if is_model_name(name)]
    return [*names, OWN] if OWN in chosen or own_tokenizer() is not None else names


def _model_control() -> None:
    """Add a model's tokenizer: one of a list, of a folder of the server's, or any id of the Hub."""
    st.selectbox(
        _("Model"),
        [name for name in (*TOKENIZERS_IN_USE, *folders()) if name not in state.get("tokenizers")],
        index=None,
        key="add_tokenizer",
        format_func=source_label,
        accept_new_options=True,
        placeholder=_("owner/name"),
        on_change=_add_model,
    )
    if (problem := st.session_state.get("add_tokenizer_problem")) is not None:
        st.error(model_sentence(CheckpointError("source", source=problem)))


def _add_model() -> None:
    source = parse_source(st.session_state["add_tokenizer"])
    st.session_state["add_tokenizer"] = None
    st.session_state["add_tokenizer_problem"] = None if source is None or is_model_name(source) else source
    if source is not None and is_model_name(source):
        retry_tokenizer(source)
        _add_tokenizer(source)


def _add_tokenizer(name: str) -> None:
    """Add a tokenizer to the comparison; the first of too many models is removed."""
    names = [other for other in state.get("tokenizers") if other != name]
    models = [other for other in names if is_model_name(other)]
    if is_model_name(name) and len(models) >= MOST_MODELS:
        names.remove(models[0])
    state.put(tokenizers=[*names, name], closely=name)


def own_tokenizer() -> tuple[str, FileTokenizer] | None:
    """Return the tokenizer that this visitor has uploaded, and a hash of its file."""
    return st.session_state.get("own_tokenizer")


def _load_tokenizer_file(file: UploadedFile) -> str | None:
    """Add the tokenizer of a file, or return a sentence on what is wrong with it."""
    content = file.getvalue()
    key = sha256(content).hexdigest()
    try:
        made = loaded_tokenizers.get(key) or FileTokenizer(file.name, content)
    except CheckpointError as error:
        return model_sentence(CheckpointError(error.code, **{**error.values, "file": file.name}))
    loaded_tokenizers[key] = made
    st.session_state["own_tokenizer"] = key, made
    _add_tokenizer(OWN)
    return None


def specials_control(setting: str) -> None:
    """Draw the switch between the two readings of a special token's name, of the chat or of the reader's text."""
    controls.control(
        setting,
        label=_("Read names of special tokens"),
        titles={"text": _("as ordinary text"), "special": _("as one token each")},
    )


def _specials_in_text(text: str) -> None:
    """Draw the switch on special tokens where the text contains names of some."""
    known = {name for tokenizer in state.get("tokenizers") for name in encoding_specials(tokenizer)}
    names = sorted(name for name in known if name in text)
    if not names:
        return
    specials_control("specials")
    sentence = _("Your text has names of special tokens, which only OpenAI’s tokenizers know: {names}.")
    st.caption(sentence.format(names=separator(", ").join(map(as_code, names))))
