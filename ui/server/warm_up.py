"""The warm-up: compute the opening page before the first visitor arrives.

This module imports torch, plotly and every page: import it only once the server answers.
"""

import ast
import atexit
import gc
import importlib
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qsl

import torch

from embedlib.figures import ProjectionText, norms_figure, projection_figure
from embedlib.tokenizers import TOKENIZERS
from embedlib.word2vec import skip_gram
from ui import cache
from ui.cache.bounded import permanent_results
from ui.cache.minilm import opens_with_minilm
from ui.extrapolation.outcomes import served_version
from ui.i18n import set_run_language
from ui.pipeline.effect import compute_effect, sampled_strip
from ui.pipeline.request import linked_request
from ui.pipeline.sections import WINDOW
from ui.projection.places import principal_places
from ui.projection.tables import grammar_table, minilm_table, token_names
from ui.server.files import compress_scripts
from ui.settings import state
from ui.shared.text.tokens import REMOTE_TOKENIZERS
from ui.tokens.cache import TokenizerSpec, train_shared
from ui.training.corpora import shipped_corpus

_ROOT = Path(__file__).parents[2]
_precomputing = threading.Lock()
# Allocations before a collection. A keystroke makes 600: with Python's default of 700, collecting took 3 % of the
# processor.
_COLLECTED_AFTER = 10_000


@permanent_results()
def warm_up(until_quiet: Callable[[], bool]) -> None:
    """Fill the caches for the opening example, draw its figures once, and freeze all objects.

    Without it the first visitor waits for torch and plotly to load. gc.freeze keeps these 220,000 objects out of later
    full collections, which they made 110 ms long.

    Args:
        until_quiet: waits for a pause in the traffic; returns False if the server ends instead.
    """
    # Every run of a page is a thread of its own, and each would first start a pool of helpers for torch: an edit of
    # 50 x 768 took 110 ms with two threads, 22 ms with one. Many visitors share the cores by their threads anyway.
    torch.set_num_threads(1)
    set_run_language("en")  # there is no session, and nobody reads the texts
    import_dependencies(_ROOT / "ui" / "main.py")
    import_dependencies(_ROOT / "pages" / "pipeline.py")
    request = linked_request({})
    sampled_strip(cache.strip_key(request))
    labels = cache.token_labels(request)
    projection = cache.project_request(request)
    projection_figure(
        projection.before[:, :2],
        projection.after[:, :2],
        labels=labels,
        axis_titles=["", ""],
        text=ProjectionText("", "", ""),
        theme="light",
    ).to_json()
    token_names(request.tokenizer, "")
    if not opens_with_minilm():
        principal_places(grammar_table(), 2, (), ())
    for kind in ("wordpiece", "unigram"):
        train_shared(TokenizerSpec(kind, pieces=state.SETTINGS["pieces"].default, train_on="sentences"))
    norms = cache.embed_request(request).token_embeddings.norm(dim=1)
    norms_figure(norms, None, None, labels=labels, names=("", "", ""), x_title="", y_title="", theme="light").to_json()
    served_version()
    rest = threading.Thread(target=warm_up_later_pages, args=(until_quiet,), name="warm-up-rest", daemon=True)
    rest.start()
    atexit.register(rest.join, 5.0)  # the interpreter must not shut down meanwhile
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECTED_AFTER)


def import_dependencies(script: Path) -> None:
    """Import the modules that a page script imports, without running it."""
    for node in ast.parse(script.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            importlib.import_module(node.module)


@permanent_results()
def warm_up_later_pages(until_quiet: Callable[[], bool]) -> None:
    """Compute what later pages need: 1 to 4 s, each step only while no traffic passes.

    During a visit it would take half of the processor, and Python's lock.
    """
    if sys.platform == "linux":  # where threads have priorities
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
    set_run_language("en")  # as above, on this thread
    torch.get_num_threads()  # as in `page_fragment`
    for part in (_import_pages, _compute_principal_map, compress_scripts, _train_a_step):
        if not until_quiet():
            return
        part()


def _import_pages() -> None:
    """Import all modules of pages, and pandas, which Streamlit imports for the first table: 0.25 s."""
    importlib.import_module("pandas")
    for page in sorted((_ROOT / "pages").glob("*.py")):
        import_dependencies(page)


def _compute_principal_map() -> None:
    if opens_with_minilm():
        principal_places(minilm_table(), 2, (), ())


def _train_a_step() -> None:
    """Train one step, since torch then imports its optimisers."""
    steps = skip_gram(shipped_corpus("grammar"))
    next(steps)
    next(steps)


def precompute(query: str) -> None:
    """Compute the first page of a visitor on a thread, while their browser loads its scripts.

    A link may name rows that are not cached yet: GPT-2's vocabulary of 768 columns takes 0.2 s. One visitor at a time.

    Args:
        query: of the address that was opened.
    """
    if _precomputing.acquire(blocking=False):
        threading.Thread(target=_precompute, args=(query,), name="foresee", daemon=True).start()


def _precompute(query: str) -> None:
    try:
        set_run_language("en")
        torch.get_num_threads()  # as in `page_fragment`
        request = linked_request(dict(parse_qsl(query, keep_blank_values=True)))
        if request.tokenizer in {*TOKENIZERS, "minilm"} - set(REMOTE_TOKENIZERS):  # nothing is fetched for it
            with suppress(ValueError):  # incompatible settings: the page shows the error
                compute_effect(request, 0, min(WINDOW, len(cache.request_chips(request))))
    finally:
        _precomputing.release()
