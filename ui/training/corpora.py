"""What is read: sentences of a grammar, Python's manual, or a text of the reader's own."""

from collections.abc import Callable

import streamlit as st

from embedlib.grammar import grammar_text
from embedlib.word2vec import LEAST_ROWS, LEAST_WORDS, N_SENTENCES, CorpusRefused, WordCorpus, table_corpus, word_corpus
from ui.cache.bounded import memo
from ui.i18n import _, ngettext
from ui.settings import state
from ui.shared.markdown import as_code
from ui.shared.text.source import Source, choose_text, manual_text
from ui.shared.text.text_area import put_text

# A text of fewer characters has few words five times: there, twice is enough for a row.
SHORT_TEXT = 100_000
EXAMPLE_SENTENCES = 120  # of the grammar, short enough for a link
MOST_WORDS = 3_000  # of a text of one's own; more points are no picture


def least_count(source: Source) -> int:
    """Return how often a word must be met to have a row."""
    return 2 if source.is_own and len(source.text) < SHORT_TEXT else 5


def most_words(source: Source) -> int:
    """Return how many words have rows at most."""
    return MOST_WORDS if source.is_own else 10_000


def source_section() -> Source:
    """Draw the choice of a text and what belongs to it; return the text that is in view."""
    titles = {
        "grammar": _("A grammar's sentences"),
        "manual": _("Python's manual"),
        "text": _("Your text"),
        "own": _("Your file"),
    }
    return choose_text(
        "train_corpus",
        titles,
        label=_("What is read"),
        instead="grammar",
        no_file=lambda: st.info(_("No file is loaded yet: until you choose one, these are the grammar's sentences.")),
        collapsed=True,
    )


def corpus_of(source: Source) -> WordCorpus | None:
    """Number the words of a text, or say in one sentence why nothing can be learned from it."""
    try:
        with st.spinner(_("Counting the words …"), show_time=False):
            return _words_of(source)
    except CorpusRefused as refused:
        if source.name == "text" and source.text.strip() in ("", state.DEFAULT_TEXT.strip()):
            _invitation()
            return None
        with st.container(horizontal=True, vertical_alignment="center", key="train-refused"):
            st.error(refusal(refused, least_count(source)), width="stretch")
            st.button(_("Back to the grammar"), key="train-grammar", on_click=_back)
        return None


def shipped_corpus(name: str) -> WordCorpus:
    """Return one of the two texts that come with the app: "grammar" or "manual"."""
    return _words_of(Source(name, name))


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


def text_in_words(source: Source, corpus: WordCorpus) -> str:
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
    return f"{what} {rows.format(words=len(corpus.ids), rows=len(corpus.words), least=least_count(source))}"


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


# The grammar's 40,000 sentences take 2.5 MB as numbers.
@memo(100_000_000, size=lambda corpus: 2 * corpus.ids.nbytes + 100 * len(corpus.words), key=lambda source: source.key)
def _words_of(source: Source) -> WordCorpus:
    shipped: dict[str, Callable[[], WordCorpus]] = {
        "grammar": table_corpus,
        "manual": lambda: word_corpus(manual_text()),
    }
    if source.name in shipped:
        return shipped[source.name]()
    return word_corpus(source.text, min_count=least_count(source), most_words=most_words(source))


def _back() -> None:
    state.put(train_corpus="grammar")
    state.dismiss_notices()
