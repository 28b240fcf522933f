"""Tokens of a text, or one sentence on why there are none; remote vocabularies are downloaded."""

from collections.abc import Callable, Sized
from contextlib import suppress
from typing import TypeVar

import streamlit as st

from embedlib.tokenizers import VocabularyUnavailable, download_vocabulary, has_vocabulary
from ui.i18n import _, separator
from ui.jobs import downloads, result_or_progress

REMOTE_TOKENIZERS = ("cl100k_base", "o200k_base")  # whose vocabularies do not ship with the app
Tokens = TypeVar("Tokens", bound=Sized)


def tokens_or_notice(
    tokenize: Callable[[], Tokens], *, tokenizer: str | None = None, limit: int | None = None
) -> Tokens | None:
    """Tokenize a text, or show one sentence on why it has no tokens yet.

    Args:
        tokenize: cuts the text; it may raise ValueError where a vocabulary is made of the text and finds no word in it.
        tokenizer: name of a tokenizer whose vocabulary may have to be downloaded first; None for none.
        limit: most tokens that the page shows, with a notice if there are more. None for all.

    Returns:
        All tokens, at least one; None where a notice is shown instead.
    """
    if tokenizer is not None and not vocabulary_ready(tokenizer):
        return None
    tokens = None
    with suppress(ValueError):
        tokens = tokenize()
    if tokens is None or not len(tokens):
        show_no_tokens()
        return None
    if limit is not None:
        warn_of_limit(len(tokens), limit)
    return tokens


def vocabulary_ready(name: str) -> bool:
    """Return whether a tokenizer's vocabulary is here; if not, download it and show progress or failure."""
    if name not in REMOTE_TOKENIZERS or has_vocabulary(name):
        return True
    result_or_progress(
        lambda report: download_vocabulary(name),
        job=("vocabulary", name),
        title=_("Vocabulary of {name}").format(name=name),
        key=f"vocabulary-{name}",
        failure=lambda error: _download_failure(name, error),
        queue=downloads,
        retry_first=True,
    )
    return has_vocabulary(name)


def _download_failure(name: str, error: BaseException) -> str:
    reasons = {
        "network": _("{name} cannot be fetched: its server does not answer."),
        "timeout": _("{name} cannot be fetched: its server does not answer."),
        "content": _("{name} has changed on its server."),
        "disk": _("{name} cannot be stored here."),
    }
    cause = error.cause if isinstance(error, VocabularyUnavailable) else "network"
    return reasons.get(cause, reasons["network"]).format(name=name) + separator(" ") + _("Try again, or choose gpt2.")


def show_no_tokens() -> None:
    """Show that a text has no token: it is empty, white space, or dropped by the tokenizer."""
    st.info(_("The text has no tokens: type something."))


def warn_of_limit(n_tokens: int, limit: int) -> None:
    """Warn if a text has more tokens than the page draws."""
    if notice := token_limit_notice(n_tokens, limit):
        st.warning(notice)


def token_limit_notice(n_tokens: int, limit: int) -> str | None:
    """Return the notice that a text has more tokens than the page draws; None if it has not."""
    if n_tokens <= limit:
        return None
    return _("Shown: {limit:,} of {total:,} tokens.").format(total=n_tokens, limit=limit)
