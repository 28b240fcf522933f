"""Vocabularies that do not ship with the app, fetched in the background when somebody chooses one."""

import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field

import streamlit as st

from embedlib.tokenizers import VocabularyUnavailable, download_vocabulary, has_vocabulary
from ui.i18n import _, between

REMOTE_TOKENIZERS = ("cl100k_base", "o200k_base")
FORGET_FAILURE = 60.0  # seconds after which a failure no longer speaks for the network


@dataclass(frozen=True)
class _Attempt:
    result: "Future[object]" = field(default_factory=Future)
    started: float = field(default_factory=time.monotonic)

    def is_stale(self) -> bool:
        return self.result.done() and time.monotonic() - self.started > FORGET_FAILURE


_attempts: dict[str, _Attempt] = {}
_lock = threading.Lock()


def vocabulary_ready(name: str) -> bool:
    """Tell whether a tokenizer can be used now; if not, start to fetch it and show how that goes.

    Args:
        name: of a tokenizer.

    Returns:
        True where the tokenizer can be used. False where the page has to wait: what is shown says why, and the
        page runs again by itself once the vocabulary is there.
    """
    if name not in REMOTE_TOKENIZERS or has_vocabulary(name):
        return True
    attempt = _attempt(name)
    if not attempt.result.done():
        _show_progress(name)
    elif not has_vocabulary(name):
        _show_failure(name, attempt.result.exception())
    return has_vocabulary(name)


def _attempt(name: str) -> _Attempt:
    """Return the attempt under way, or the last one, or begin a new one."""
    with _lock:
        attempt = _attempts.get(name)
        if attempt is None or attempt.is_stale():
            attempt = _attempts[name] = _Attempt()
            # A daemon: a slow server must not hold the app when it is told to stop.
            threading.Thread(target=_run, args=(name, attempt.result), daemon=True).start()
        return attempt


def _run(name: str, result: "Future[object]") -> None:
    try:
        result.set_result(download_vocabulary(name))
    except Exception as error:
        result.set_exception(error)


def _forget(name: str) -> None:
    with _lock:
        _attempts.pop(name, None)


def _show_failure(name: str, error: BaseException | None) -> None:
    reasons = {
        "network": _("{name} cannot be fetched: its server does not answer."),
        "timeout": _("{name} cannot be fetched: its server does not answer."),
        "content": _("{name} has changed on its server."),
        "disk": _("{name} cannot be stored here."),
    }
    cause = error.cause if isinstance(error, VocabularyUnavailable) else "network"
    st.error(reasons.get(cause, reasons["network"]).format(name=name) + between(" ") + _("Try again, or choose gpt2."))
    st.button(_("Try again"), key=f"try-again-{name}", on_click=_forget, args=(name,))


@st.fragment(run_every=0.5)
def _show_progress(name: str) -> None:
    if _attempt(name).result.done():
        st.rerun()
    st.info(_("Fetching the vocabulary of {name}…").format(name=name))
