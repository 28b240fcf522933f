"""Where the numbers of a page come from: a sentence for the page, a few words for its files."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ui import cache
from ui.cache import Request
from ui.i18n import _, label_sentence, separator
from ui.markdown import as_code
from ui.settings import state
from ui.shared.rows import LEARNED, learned_titles, width_sentence

MOST_NAMED = 12  # tokens that a sentence lists


@dataclass(frozen=True)
class Origin:
    """The origin of an embedding matrix's rows.

    Attributes:
        table: "minilm", "trained", "random" or "by_hand".
        seed: of random and untrained rows.
    """

    table: str
    seed: int

    @property
    def in_files(self) -> str:
        """A few words for files and figures that are saved."""
        if self.table == "by_hand":
            return _("by hand, 3 words × 3")
        if self.table == "minilm":
            return model_source("MiniLM")
        return (
            learned_titles()["trained"] if self.table == "trained" else _("random, seed {seed}").format(seed=self.seed)
        )

    def sentence(self, *, trained: Callable[[], str], random: str | None = None, setting: str = "tokenizer") -> str:
        """Return the sentence for the page.

        Args:
            trained: returns the sentence about trained rows, as `trained_sentence` writes it.
            random: the sentence about random rows; None for the usual one.
            setting: the one that names the page's tokenizer.
        """
        if self.table == "by_hand":
            return _("The numbers are written by hand, so that you can check each sum.")
        if self.table == "minilm":
            return minilm_sentence()
        if self.table == "trained":
            return trained()
        if random is None:
            random = with_reason(_("**Random, not trained** (seed {seed}).").format(seed=self.seed), setting=setting)
        return random


def rows_sentence(request: Request) -> str:
    """Return the sentence on where the text's rows come from; it names tokens with untrained rows."""

    def trained() -> str:
        labels, known = cache.token_labels(request), cache.trained_tokens(request)
        return trained_sentence(labels, known, seed=request.seed, of=cache.trained_count(request))

    sentence = Origin(request.table, request.seed).sentence(trained=trained)
    if request.scale and request.table != "by_hand":
        sentence += separator(" ") + _("In the sum they are multiplied by √{d_model}.").format(d_model=request.d_model)
    return sentence


def with_reason(sentence: str, *, setting: str = "tokenizer", table: str = "table") -> str:
    """Append why the chosen learned rows do not fit, if they were chosen, to a sentence about random rows."""
    return sentence + separator(" ") + width_sentence(setting, table) if state.get(table) in LEARNED else sentence


def minilm_sentence() -> str:
    """Return the sentence about MiniLM's rows."""
    return _("The token rows are those of {name}, a small trained model.").format(name="all-MiniLM-L6-v2")


def model_source(model: str) -> str:
    """Return a few words for numbers that are a model's weights."""
    return _("{model}’s weights").format(model=model)


def join_sources(rows: str, schemes: Iterable[tuple[str, str]]) -> str:
    """Join the origin of rows, "" for none, and each scheme's title with the origin of its numbers."""
    return separator("; ").join([*filter(None, [rows]), *(label_sentence(title, source) for title, source in schemes)])


def trained_sentence(
    labels: Sequence[str], known: Sequence[bool], *, seed: int, of: tuple[int, int] | None = None
) -> str:
    """Return how many tokens have trained rows, which have not, and the counts of the whole table (trained, all)."""
    text = _text_sentence(labels, known, seed=seed)
    if of is None or of[0] == of[1]:
        return text
    return (
        text
        + separator(" ")
        + _("In the whole table {trained:,} of {rows:,} rows are trained.").format(trained=of[0], rows=of[1])
    )


def _text_sentence(labels: Sequence[str], known: Sequence[bool], *, seed: int) -> str:
    table = cache.shipped_table()
    others = {label: None for label, met in zip(labels, known, strict=True) if not met}
    values = {"known": sum(known), "count": len(known), "sentences": table.n_sentences, "seed": seed}
    if not others:
        return _("The rows were trained on {sentences:,} sentences of a small grammar.").format(**values)
    if not any(known):
        return _("**Random, not trained** (seed {seed}).").format(**values)
    named = separator(", ").join(map(as_code, list(others)[:MOST_NAMED]))
    if (more := len(others) - MOST_NAMED) > 0:
        named += separator(" ") + _("and {count:,} more").format(count=more)
    return _(
        "Of {count:,} tokens {known:,} have rows trained on {sentences:,} sentences of a small grammar. These have "
        "random rows (seed {seed}): {tokens}."
    ).format(tokens=named, **values)
