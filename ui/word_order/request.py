"""The two sentences and the settings of the word order page, checked against each other."""

from dataclasses import dataclass

import streamlit as st

from embedlib.examples import in_language
from embedlib.i18n import N_
from embedlib.tokenizers import Token
from ui import cache
from ui.i18n import _, language
from ui.settings import controls, state
from ui.shared import rules
from ui.shared.examples import examples, title_with_examples
from ui.shared.own_scheme import own_editor, write_your_own
from ui.shared.rows import row_source, rows_control
from ui.shared.text.prepared import PreparedText
from ui.shared.text.text_area import set_area_texts, setting_area
from ui.shared.text.tokens import warn_of_limit

MAX_TOKENS = 32
MAX_CHARACTERS = 400  # so that two of them fit into a link
# Title, first and second sentence, in English.
PAIRS: dict[str, tuple[str, str, str]] = {
    "dog": (N_("Dog and man"), "the dog saw the man", "the man saw the dog"),  # every word has a trained row
    "cat": (N_("Cat and mat"), "the cat sat on the mat", "the mat sat on the cat"),
    "nlp": (N_("I love NLP, reversed"), "I love NLP", "NLP love I"),
    "not": (N_("Place of “not”"), "she was happy , not sad", "she was not happy , sad"),
}
SENTENCES = ("first", "second")


@dataclass(frozen=True)
class Request:
    """Everything that decides the numbers of the page but the scheme, in plain hashable values.

    Its `table` is "random", or "minilm" or "trained" where `cut` and d_model are those of these rows.
    """

    first: str
    second: str
    cut: str
    table: str
    d_model: int
    heads: int
    seed: int
    layers: int
    causal: bool


def settings_sidebar() -> None:
    """Draw the controls that decide how the two sentences are read."""
    with st.sidebar:
        controls.tokenizer_control(
            setting="cut",
            help_text=_(
                "Under “words” a moved word keeps its token; under gpt2 the space before it can change the token."
            ),
        )
        rows_control(by_hand=False, setting="cut")
        st.subheader(_("Encoder"))
        controls.control("layers", titles=str)
        controls.control(
            "causal", help=_("On: tokens attend to themselves and earlier ones (GPT). Off: to all (BERT).")
        )
        with st.expander(_("More")):
            controls.d_model_control()
            controls.heads_control()
            controls.seed_control()
        own_editor([one.entry for one in state.get("formulas")])
        write_your_own(lambda _entry: {})


def checked_request(first: PreparedText, second: PreparedText) -> Request | None:
    """Build a request from the controls, or show in one sentence why there is none."""
    for notice in (*first.notices, *second.notices):
        st.warning(notice)
    if not first.text.strip() or not second.text.strip():
        st.info(_("Type two sentences or choose an example."))
        return None
    request = Request(
        first=first.text,
        second=second.text,
        table=row_source(by_hand=False, setting="cut"),
        **{name: state.get(name) for name in ("cut", "d_model", "heads", "seed", "layers", "causal")},
    )
    for tokens in all_tokens(request):
        warn_of_limit(len(tokens), MAX_TOKENS)
    return request


def encoder_exists(request: Request) -> bool:
    """Return whether an encoder of these sizes exists; else show in one sentence why not."""
    problem = rules.broken_scheme_rule("none", d_model=request.d_model, n_heads=request.heads)
    if problem:
        st.error(problem)
    return not problem


def all_tokens(request: Request) -> tuple[list[Token], list[Token]]:
    """Cut both sentences into tokens, with one vocabulary for the two."""
    tokenizer = cache.tokenizer_for(request.cut, both_texts(request))
    return tokenizer.tokenize(request.first), tokenizer.tokenize(request.second)


def both_texts(request: Request) -> str:
    """Return the text from which a tokenizer builds its vocabulary."""
    return f"{request.first}\n{request.second}"


def two_sentences() -> tuple[PreparedText, PreparedText]:
    """Draw the title with the examples, and the two text areas; return the prepared texts."""
    title_with_examples(_examples)
    first, second = st.columns(2)
    with first:
        prepared_first = setting_area("first", _("First sentence"), limit=MAX_CHARACTERS, key="first-sentence")
    with second:
        prepared_second = setting_area("second", _("Second sentence"), limit=MAX_CHARACTERS, key="second-sentence")
    return prepared_first, prepared_second


def _examples() -> None:
    now = tuple(state.get(name) for name in SENTENCES)
    pair = next((name for name in PAIRS if _pair(name) == now), None)
    examples({name: _(title) for name, (title, *_rest) in PAIRS.items()}, _load_pair, shown=pair, key="pair")


def _pair(name: str) -> tuple[str, ...]:
    """Return a pair's sentences as readers of this run's language find them."""
    return tuple(in_language(sentence, language()) for sentence in PAIRS[name][1:])


def _load_pair(name: str) -> None:
    first, second = _pair(name)
    set_area_texts(first=first, second=second)
