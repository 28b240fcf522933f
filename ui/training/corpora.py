"""The training text: sentences of a grammar, Python's manual, or a text of the reader's own."""

from collections.abc import Callable

import streamlit as st

from embedlib.errors import CodedError
from embedlib.examples import in_language
from embedlib.grammar import grammar_text
from embedlib.word2vec import MIN_ROWS, MIN_WORDS, N_SENTENCES, WordCorpus, table_corpus, word_corpus
from ui.cache.bounded import memo
from ui.i18n import _, language, separator
from ui.markdown import as_code
from ui.settings import state
from ui.shared.text.source import Source, choose_text, manual_text
from ui.shared.text.text_area import set_text

# A text of fewer characters has few words five times: there, twice is enough for a row.
SHORT_TEXT = 100_000
EXAMPLE_SENTENCES = 120  # of the grammar, short enough for a link
MOST_WORDS = 3_000  # of a text of one's own; more points are no picture


def least_count(source: Source) -> int:
    """Return how often a word must occur to have a row."""
    return 2 if source.is_own and len(source.text) < SHORT_TEXT else 5


def most_words(source: Source) -> int:
    """Return how many words have rows at most."""
    return MOST_WORDS if source.is_own else 10_000


def source_section() -> Source:
    """Draw the choice of a text and its controls; return the text that is in view."""
    titles = {
        "grammar": _("A small grammar"),
        "manual": _("Python’s manual"),
        "text": _("Your text"),
        "own": _("Your file"),
    }
    return choose_text(
        "train_corpus",
        titles,
        label=_("Training text"),
        instead="grammar",
        no_file=lambda: st.info(_("There is no file yet, so the sentences of the grammar are used.")),
        collapsed=True,
    )


def load_corpus(source: Source) -> WordCorpus | None:
    """Number the words of a text; show in one sentence why nothing can be learned from it."""
    try:
        with st.spinner(_("Counting words…"), show_time=False):
            return _build_corpus(source)
    except CodedError as refused:
        new = source.name == "text" and source.text.strip() in ("", in_language(state.DEFAULT_TEXT, language()))
        with st.container(horizontal=True, vertical_alignment="center", key="train-refused"):
            if new:
                st.info(
                    _("Paste a text of at least {words:,} words, {rows} of which occur twice or more.").format(
                        words=MIN_WORDS, rows=MIN_ROWS
                    ),
                    width="stretch",
                )
                st.button(_("Use an example"), key="train-example", type="primary", on_click=_use_example)
            else:
                st.error(refusal_sentence(refused, least_count(source)), width="stretch")
                st.button(_("Back to the grammar"), key="train-grammar", on_click=_use_grammar)
        return None


def shipped_corpus(name: str) -> WordCorpus:
    """Return one of the two texts that ship with the app: "grammar" or "manual"."""
    return _build_corpus(Source(name, name))


def refusal_sentence(refused: CodedError, often: int) -> str:
    """Return a sentence on why nothing can be learned from a text, with the remedy."""
    if refused.code == "text_too_short":
        return _("The text has {found:,} words, and training needs {least:,}: paste more.").format(
            found=refused.values["found"], least=refused.values["least"]
        )
    if refused.code == "too_few_words":
        return _(
            "Only {found:,} words occur {often} times, and training needs {least:,} such words: paste a longer text."
        ).format(found=refused.values["found"], least=refused.values["least"], often=often)
    return _("No sentence has two frequent words, so no word has a neighbour: paste a longer text.")


def describe_text(source: Source, corpus: WordCorpus, d_model: int) -> str:
    """Return a sentence on the text, its size and that of its rows."""
    if source.file is not None:
        what = _("The training text is {file}, which only this session can see.").format(file=as_code(source.file))
    else:
        what = {
            "grammar": _("The training text is {sentences:,} sentences made by a small grammar.").format(
                sentences=N_SENTENCES
            ),
            "manual": _("The training text is Python’s manual."),
        }.get(source.name, _("The training text is your text."))
    rows = _(
        "It has {words:,} words. The {rows:,} different words that occur at least {least} times have a row of "
        "{numbers} numbers each."
    )
    sizes = {"words": len(corpus.ids), "rows": len(corpus.words), "numbers": d_model}
    return what + separator(" ") + rows.format(**sizes, least=least_count(source))


def _use_example() -> None:
    set_text(grammar_text(EXAMPLE_SENTENCES))


# The grammar's 40,000 sentences take 2.5 MB as numbers.
@memo(100_000_000, size=lambda corpus: 2 * corpus.ids.nbytes + 100 * len(corpus.words), key=lambda source: source.key)
def _build_corpus(source: Source) -> WordCorpus:
    shipped: dict[str, Callable[[], WordCorpus]] = {
        "grammar": table_corpus,
        "manual": lambda: word_corpus(manual_text()),
    }
    if source.name in shipped:
        return shipped[source.name]()
    return word_corpus(source.text, min_count=least_count(source), most_words=most_words(source))


def _use_grammar() -> None:
    state.put(train_corpus="grammar")
