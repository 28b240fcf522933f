"""The saved training that a visitor goes on with, or that waits until its text is in view."""

from dataclasses import dataclass
from secrets import token_hex

import streamlit as st

from embedlib.word2vec.corpus import WordCorpus
from embedlib.word2vec.skip_gram import SkipGramState
from ui.training.corpora import Source
from ui.training.request import Request, chosen_config, put_config

PROBLEM = "training_file_problem"  # in the session: the sentence that says what is wrong with the last file
_LOADED = "training_loaded"
_WAITS = "training_waits_for_its_text"


@dataclass(eq=False)
class _Waiting:
    """A saved training whose text was not in view when it was loaded."""

    name: str
    words: tuple[str, ...]
    state: SkipGramState
    source: str = ""  # the text, once it is there


@dataclass(frozen=True, eq=False)
class Loaded:
    """A saved training that this visitor has loaded, and the text that it goes on with."""

    key: str
    name: str
    source: str
    state: SkipGramState


def go_on(name: str, source: str, saved: SkipGramState) -> None:
    """Have a saved training in view; call it before the controls are drawn, which say how it was begun."""
    st.session_state[_LOADED] = Loaded(token_hex(8), name, source, saved)
    put_config(saved.config)


def wait_for_text(name: str, words: tuple[str, ...], saved: SkipGramState) -> None:
    """Keep a saved training until its text is in view."""
    st.session_state[_WAITS] = _Waiting(name, words, saved)


def forget_waiting() -> None:
    """Let no saved training wait any more."""
    st.session_state[_WAITS] = None


def take_up_waiting() -> None:
    """Go on with a saved training whose text is there by now; call it before the controls are drawn."""
    waiting: _Waiting | None = st.session_state.get(_WAITS)
    if waiting is not None and waiting.source:
        go_on(waiting.name, waiting.source, waiting.state)
        st.session_state[_WAITS] = st.session_state[PROBLEM] = None


def look_for_waiting(source: Source, corpus: WordCorpus) -> None:
    """Begin a new run of the page where the text in view is the one that a saved training waits for."""
    waiting: _Waiting | None = st.session_state.get(_WAITS)
    if waiting is not None and waiting.words == corpus.words:
        waiting.source = source.key
        st.rerun()


def loaded_for(source: Source) -> Loaded | None:
    """Return the saved training that is in view: text and controls still say what they said when it was loaded."""
    loaded: Loaded | None = st.session_state.get(_LOADED)
    if loaded is None or loaded.source != source.key or loaded.state.config != chosen_config():
        return None
    return loaded


def request_for(source: Source) -> Request:
    """Return what is to be trained on what."""
    loaded = loaded_for(source)
    return Request(
        corpus=source.name,
        key=source.key,
        config=chosen_config(),
        min_count=source.min_count,
        most_words=source.most_words,
        file=source.file,
        loaded="" if loaded is None else loaded.key,
    )
