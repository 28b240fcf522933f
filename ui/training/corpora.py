"""What is read: sentences of a grammar, Python's manual, or a text of the reader's own."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

import streamlit as st

from embedlib.grammar.generate import grammar_text
from embedlib.texts import reference_manual
from embedlib.word2vec.corpus import LEAST_ROWS, LEAST_WORDS, CorpusRefused, WordCorpus, word_corpus
from embedlib.word2vec.pretrained import N_SENTENCES, table_corpus
from ui.cache.bounded import BoundedCache
from ui.i18n import _, ngettext
from ui.settings import state
from ui.shared.markdown import as_code
from ui.shared.text.own_text import own_text, uploader
from ui.shared.text.text_area import put_text, text_area

# A text of fewer characters has few words five times: there, twice is enough for a row.
SHORT_TEXT = 100_000
EXAMPLE_SENTENCES = 120  # of the grammar, short enough for a link
MOST_WORDS = 3_000  # of a text of one's own; more points are no picture


@dataclass(frozen=True)
class Source:
    """A text that is in view.

    Attributes:
        name: one of settings.CORPORA.
        key: tells it from every other.
        text: of the reader's own; "" for the two that come with the app.
        file: name of the file it was read from; None where there is none.
    """

    name: str
    key: str
    text: str = field(default="", repr=False, compare=False)
    file: str | None = None

    @property
    def min_count(self) -> int:
        """How often a word must be met to have a row."""
        return 2 if self.text and len(self.text) < SHORT_TEXT else 5

    @property
    def most_words(self) -> int:
        """How many words have rows at most."""
        return MOST_WORDS if self.text else 10_000


# The grammar's 40,000 sentences take 2.5 MB as numbers.
_corpora: BoundedCache[str, WordCorpus] = BoundedCache(
    100_000_000, lambda corpus: 2 * corpus.ids.nbytes + 100 * len(corpus.words)
)


def source_section() -> Source:
    """Draw the choice of a text and what belongs to it; return the text that is in view."""
    titles = {
        "grammar": _("A grammar's sentences"),
        "manual": _("Python's manual"),
        "text": _("Your text"),
        "own": _("Your file"),
    }
    st.segmented_control(
        _("What is read"),
        state.options("train_corpus"),
        key="train_corpus",
        format_func=lambda name: titles[name],
        required=True,
        label_visibility="collapsed",
        on_change=state.dismiss_notices,
    )
    match state.get("train_corpus"):
        case "text":
            return _typed()
        case "own":
            return _own()
        case name:
            return Source(name, name)


def corpus_of(source: Source) -> WordCorpus | None:
    """Number the words of a text, or say in one sentence why nothing can be learned from it."""
    try:
        with st.spinner(_("Counting the words …"), show_time=False):
            return _corpora.get(source.key, lambda: _made(source))
    except CorpusRefused as refused:
        if source.name == "text" and source.text.strip() in ("", state.DEFAULT_TEXT.strip()):
            _invitation()
            return None
        with st.container(horizontal=True, vertical_alignment="center", key="train-refused"):
            st.error(refusal(refused, source.min_count), width="stretch")
            st.button(_("Back to the grammar"), key="train-grammar", on_click=_back)
        return None


def shipped_corpus(name: str) -> WordCorpus:
    """Return one of the two texts that come with the app: "grammar" or "manual"."""
    return _corpora.get(name, lambda: _made(Source(name, name)))


def refusal(refused: CorpusRefused, often: int) -> str:
    """Say why nothing can be learned from a text, and what helps."""
    found = refused.found
    if refused.code == "text_too_short":
        return ngettext(
            "The text has {found:,} word and needs at least {least:,} to learn from: paste a longer one.",
            "The text has {found:,} words and needs at least {least:,} to learn from: paste a longer one.",
            found,
        ).format(found=found, least=refused.least)
    if refused.code == "too_few_words":
        return ngettext(
            "Only {found:,} word comes at least {often} times in the text, and {least:,} different ones must: paste a "
            "longer one, which repeats its words.",
            "Only {found:,} words come at least {often} times in the text, and {least:,} different ones must: paste a "
            "longer one, which repeats its words.",
            found,
        ).format(found=found, least=refused.least, often=often)
    return _(
        "No sentence of the text has two words that come at least {often} times, so that no word has a neighbour: "
        "paste a longer one."
    ).format(often=often)


def told(source: Source, corpus: WordCorpus) -> str:
    """Say what the text is and how much of it there is."""
    if source.name == "grammar":
        what = _(
            "{sentences:,} sentences that a small grammar wrote. The grammar knows which words are of one kind; the "
            "training does not, it sees sentences only."
        ).format(sentences=N_SENTENCES)
    elif source.name == "manual":
        what = _("Python's reference manual, as the interpreter carries it. Nobody has said which words are alike.")
    elif source.file is not None:
        what = _("{file}, for this visit only: a link cannot carry it.").format(file=as_code(source.file))
    else:
        what = _("Your text.")
    rows = _("{words:,} running words, {rows:,} different ones that come at least {least} times: each has a row.")
    return f"{what} {rows.format(words=len(corpus.ids), rows=len(corpus.words), least=source.min_count)}"


def _invitation() -> None:
    """Say what a text must have, to a reader who has not written one yet."""
    with st.container(horizontal=True, vertical_alignment="center", key="train-invitation"):
        st.info(
            _(
                "Paste a text of at least {words:,} words. A word is a run of letters, with the apostrophes inside it; "
                "capitals make no difference. Each that comes at least twice gets a row, and {rows} different "
                "ones must."
            ).format(words=LEAST_WORDS, rows=LEAST_ROWS),
            width="stretch",
        )
        st.button(_("Use an example"), key="train-example", type="primary", on_click=_take_example)


def _take_example() -> None:
    put_text(grammar_text(EXAMPLE_SENTENCES))
    state.dismiss_notices()


def _typed() -> Source:
    prepared = text_area()
    for notice in prepared.notices:
        st.warning(notice)
    return Source("text", f"text {sha256(prepared.text.encode()).hexdigest()}", prepared.text)


def _own() -> Source:
    uploader()
    loaded = own_text()
    if loaded is None:
        st.info(_("No file is loaded yet: until you choose one, these are the grammar's sentences."))
        return Source("grammar", "grammar")
    return Source("own", loaded.key, loaded.text, loaded.name)


def _made(source: Source) -> WordCorpus:
    shipped: dict[str, Callable[[], WordCorpus]] = {
        "grammar": table_corpus,
        "manual": lambda: word_corpus(reference_manual()),
    }
    if source.name in shipped:
        return shipped[source.name]()
    return word_corpus(source.text, min_count=source.min_count, most_words=source.most_words)


def _back() -> None:
    state.put(train_corpus="grammar")
    state.dismiss_notices()
