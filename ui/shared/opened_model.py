"""Trained models with all weights: opened in the background, shared by all pages, run by one visitor at a time."""

import threading
from dataclasses import dataclass

from embedlib.contextual import ContextModel, open_model
from ui.i18n import _
from ui.jobs import Jobs, Report, is_here, result_or_progress
from ui.markdown import as_code
from ui.shared.model_choice import Model, model_sentence

# A queue of its own, since other work may take minutes; two models stay open while visitors are connected. MiniLM takes
# 90 MB, and 0.1 s to open again.
models = Jobs(at_once=1, is_here=is_here, kept=2, is_quick=True)
running = threading.Lock()  # a forward pass uses all cores: two at once would take twice as long each


@dataclass(frozen=True, eq=False)
class OpenedModel:
    """A model that can be run.

    Attributes:
        key: identifies the model in caches.
        source: "minilm", an id of the Hub, or a folder.
        model: with all its weights.
    """

    key: str
    source: str
    model: ContextModel

    @property
    def cache_key(self) -> str:
        """Identifies the model in the key of a cache."""
        return self.key


def opened_model(chosen: Model, *, key: str) -> OpenedModel | None:
    """Return a model, or show that it is being opened, or why it cannot be; `key` is that of the widgets."""
    checkpoint = chosen.checkpoint

    def work(report: Report) -> ContextModel:
        model = open_model(checkpoint)
        report(0.9)
        model.run(model.tokens("a").token_ids)  # the first run warms up the model
        return model

    model = result_or_progress(
        work,
        job=("context", chosen.key),
        title=_("Opening {name}").format(name=as_code(chosen.title)),
        key=key,
        failure=model_sentence,
        queue=models,
    )
    return None if model is None else OpenedModel(chosen.key, chosen.source.removeprefix("./"), model)


def is_opening(chosen: Model) -> bool:
    """Return whether a requested model is still being opened."""
    job = models.find(("context", chosen.key))
    return job is not None and job.alive
