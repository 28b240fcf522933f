"""A trained model with its weights: opened in the background, once for all pages, and run for one visitor at a time."""

import threading
from dataclasses import dataclass

from embedlib.contextual import ContextModel, open_model
from ui.i18n import _
from ui.jobs import Jobs, Report, is_here, result_or_progress
from ui.markdown import as_code
from ui.shared.model_choice import Model, model_sentence

# Apart from all other work, which may take minutes; two models stay open while somebody is here. MiniLM takes 90 MB,
# and 0.1 s to open again.
models = Jobs(at_once=1, is_here=is_here, kept=2, is_quick=True)
running = threading.Lock()  # a pass takes all the processor has: two at once would take twice as long each


@dataclass(frozen=True, eq=False)
class OpenedModel:
    """A model that can be run.

    Attributes:
        key: what its numbers are kept under.
        source: what it can be opened from anywhere: "minilm", an id of the Hub, or a folder.
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
    """Return a model, or show that it is being opened, or say why it cannot be; `key` is that of what is shown."""
    checkpoint = chosen.checkpoint

    def work(report: Report) -> ContextModel:
        model = open_model(checkpoint)
        report(0.9)
        model.run(model.tokens("a").token_ids)  # the first run prepares what the others use
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
    """Tell whether a model that was asked for is still being opened."""
    job = models.find(("context", chosen.key))
    return job is not None and job.alive
