"""What the first visitor is going to see, computed before they come.

This imports torch, plotly and every page: the launcher does so only once the server answers.
"""

import atexit
import gc
import os
import sys
import threading
from contextlib import suppress

import torch

from embedlib.figures import ProjectionText, norms_figure, projection_figure
from embedlib.word2vec import skip_gram
from ui import cache
from ui.cache import Request
from ui.cache.bounded import keep_what_is_there
from ui.cache.minilm import opens_with_minilm
from ui.extrapolation.outcomes import served_version
from ui.i18n import speak
from ui.pipeline.request import most_tokens
from ui.projection.places import principal_places
from ui.projection.tables import grammar_table, minilm_table, token_names
from ui.server.files import compress_scripts
from ui.settings import state
from ui.tokens.cache import TokenizerSpec, trained
from ui.training.corpora import shipped_corpus


def default_request() -> Request:
    """Return what the pipeline page shows without a link."""
    value = state.defaults("", {})
    parameters = {
        name.removeprefix(f"{value['scheme']}."): default
        for name, default in value.items()
        if name.startswith(f"{value['scheme']}.")
    }
    return Request(
        text=value["text"],
        tokenizer=value["tokenizer"],
        table=value["table"],
        d_model=value["d_model"],
        seed=value["seed"],
        scale=value["scale"],
        scheme=value["scheme"],
        parameters=tuple(parameters.items()),
        max_tokens=most_tokens(value["scheme"], value["d_model"], parameters),
    )


def warm_up() -> None:
    """Fill the caches for the opening example, draw its figures once, which imports all that draws, and freeze it all.

    Without it the first visitor waits for torch and plotly to load. gc.freeze keeps the 220,000 objects that are here
    by then out of every later full collection, which they made 110 ms long.
    """
    # Every run of a page is a thread of its own, and each would first start a pool of helpers for torch: an edit of
    # 50 x 768 took 110 ms with two threads, 22 ms with one. Many visitors share the cores by their threads anyway.
    torch.set_num_threads(1)
    speak("en")  # nobody reads the words that are made here, and there is no session to ask
    request = default_request()
    cache.strip_of(cache.strip_key(request), cache.limit_of(request))
    labels = cache.labels_of(request)
    projection = cache.projected(request)
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
        trained(TokenizerSpec(kind, pieces=state.SETTINGS["pieces"].default, train_on="sentences"))
    norms = cache.embedded(request).token_embeddings.norm(dim=1)
    norms_figure(norms, None, None, labels=labels, names=("", "", ""), x_title="", y_title="", theme="light").to_json()
    served_version()
    rest = threading.Thread(target=warm_up_the_rest, name="warm-up-rest", daemon=True)
    rest.start()
    atexit.register(rest.join, 5.0)  # the interpreter must not be taken down under it
    keep_what_is_there()
    gc.collect()
    gc.freeze()


def warm_up_the_rest() -> None:
    """Compress scripts, place MiniLM's rows, and train a first step, for which torch imports its optimisers: 1 to 4 s.

    It is done beside the first visits, which it lets go before: few of them begin with a projection or a training.
    """
    if sys.platform == "linux":  # where a thread has a priority of its own
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
    compress_scripts()
    if opens_with_minilm():
        speak("en")  # as above, on this thread
        principal_places(minilm_table(), 2, (), ())
    steps = skip_gram(shipped_corpus("grammar"))
    next(steps)
    next(steps)
    keep_what_is_there()
