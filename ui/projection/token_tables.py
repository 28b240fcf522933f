"""Random tables, one row for each token of a vocabulary."""

from functools import lru_cache

from embedlib.tables.names import RowNames
from embedlib.tokenizers.labels import token_label
from ui import cache
from ui.i18n import _
from ui.projection.shown_table import Names, ShownTable

FROM_TEXT = ("characters", "words")  # tokenizers whose vocabulary is made from the text


def random_table(tokenizer: str, text: str, d_model: int, seed: int) -> ShownTable:
    """Return the table of a seed, one row for each token."""
    own_vocabulary = tokenizer in FROM_TEXT
    names = token_names(tokenizer, text if own_vocabulary else "")
    return ShownTable(
        key=f"random-{tokenizer}-{d_model}-{seed}" + (f"-{hash(text)}" if own_vocabulary else ""),
        source="random",
        vectors=cache.table_of(len(names.texts), d_model, seed),
        names=names,
        told=_("The numbers are random: standard normal, seed {seed}. Training would move them.").format(seed=seed),
    )


@lru_cache(maxsize=4)
def token_names(tokenizer: str, text: str) -> Names:
    """Name the rows of a vocabulary, which is made from the text where its tokenizer is."""
    found = cache.tokenizer_for(tokenizer, text)
    pieces = [found.token_bytes(token_id) for token_id in range(found.vocab_size)]
    texts = [piece.decode("utf-8", "replace") for piece in pieces]
    return Names(texts, [token_label(piece) for piece in pieces], pieces, tokenizer, RowNames(texts))
