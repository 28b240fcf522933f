"""The word and the sentences of the context page, typed or from an example, and their checks."""

import re
from dataclasses import dataclass

import streamlit as st

from ui.cache import tokenize_text
from ui.context.examples import HOMONYMS
from ui.i18n import _
from ui.markdown import as_code
from ui.settings import MINILM, state
from ui.shared.examples import examples, title_with_examples
from ui.shared.model_choice import model_control
from ui.shared.rows import show_english_note
from ui.shared.text.prepared import prepare
from ui.shared.text.text_area import set_area_texts, setting_area

MAX_CHARACTERS = 300  # of one sentence, so that three of them fit into a link
MAX_WORDS = 12  # that two sentences share, offered to choose from


@dataclass(frozen=True)
class WordRequest:
    """A word and the sentences that contain it, in plain hashable values.

    Attributes:
        word: in lower case.
        sentences: the two that are compared, then one to measure them by, where it has the word.
        two_meanings: whether it is the word that the sentences are about, and not another that they happen to share.
    """

    word: str
    sentences: tuple[str, ...]
    two_meanings: bool


def title_and_examples() -> None:
    """Draw the title, and beside it the words with two meanings."""
    title_with_examples(_examples)


def word_request() -> WordRequest | None:
    """Draw the sentences and the choice of the word; return None where there is nothing to compare."""
    labels = (
        _("First sentence"),
        _("Second sentence: the word means something else"),
        _("Third sentence: the word means the same as in the first"),
    )
    names = ("context_first", "context_second", "context_third")
    sentences = [setting_area(name, label, limit=MAX_CHARACTERS) for name, label in zip(names, labels, strict=True)]
    for notice in (notice for sentence in sentences for notice in sentence.notices):
        st.warning(notice)
    first, second, third = (_words(sentence.text) for sentence in sentences)
    shared = [word for word in first if word in second]
    if not shared:
        return None
    word = _chosen_or_rarest(shared)
    in_all = {word, *third} if any(one in third for one in shared) else set(shared)
    offered = [one for one in shared if one in in_all][:MAX_WORDS]
    st.pills(
        _("Word that is followed"),
        offered,
        default=word if word in offered else None,
        key=_pills_key(offered, word),
        on_change=_apply_word,
        args=(offered, word),
    )
    kept = sentences if word in third else sentences[:2]
    if len(kept) == 2 and sentences[2].text.strip():
        st.caption(_("The third sentence is left out, since {word} is not in it.").format(word=as_code(word[:40])))
    return WordRequest(word, tuple(sentence.text for sentence in kept), word == _rarest(shared))


def word_in_view() -> str:
    """Return the word that is followed: the reader's, or the rarest that the first two sentences share."""
    first, second = (_words(prepare(state.get(name)).text) for name in ("context_first", "context_second"))
    return _chosen_or_rarest([word for word in first if word in second])


def _chosen_or_rarest(shared: list[str]) -> str:
    """Return the reader's word, or that of the shared ones with the highest rank in GPT-2's vocabulary."""
    word = str(state.get("context_word")).casefold()
    return word if word in shared or not shared else _rarest(shared)


def _rarest(words: list[str]) -> str:
    return max(words[:MAX_WORDS], key=_rarity)


def _rarity(word: str) -> tuple[int, int]:
    """Return the number of a word's tokens and the id of the first, which is its rank where it is the only one."""
    tokens = tokenize_text(f" {word}", "gpt2")
    return len(tokens), tokens[0].id


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case, each once."""
    return list(dict.fromkeys(re.findall(r"\w+(?:['’]\w+)*", text.casefold())))


def _pills_key(offered: list[str], word: str) -> str:
    """Return the widget key of the word pills: a new one when their value is set by the program."""
    return f"context-word-{abs(hash((tuple(offered), word)))}"


def _apply_word(offered: list[str], word: str) -> None:
    chosen = st.session_state.get(_pills_key(offered, word))
    if chosen is not None:
        state.put(context_word=chosen)


def _examples() -> None:
    shown = next(
        (name for name in HOMONYMS if all(state.get(key) == text for key, text in _example_texts(name).items())), None
    )
    examples({name: name for name in HOMONYMS}, _load_example, shown=shown, key="context_example")


def _example_texts(name: str) -> dict[str, str]:
    """Return the texts of an example by their settings."""
    example = HOMONYMS[name]
    return {
        "context_first": example.first,
        "context_second": example.second,
        "context_third": example.third,
        "context_uses": example.uses,
    }


def _load_example(name: str) -> None:
    state.put(context_word=HOMONYMS[name].word)
    set_area_texts(**_example_texts(name))


def settings_sidebar() -> None:
    """Draw the choice of the model."""
    with st.sidebar:
        model_control()
        if state.get("model") == MINILM:
            show_english_note()
