"""What of the extrapolation page the link carries."""

from typing import Any

from embedlib.extrapolation import EXPERIMENTS, FIRST_SCHEMES, FIRST_SEEDS
from embedlib.positional import SCALINGS, SCHEMES
from ui.i18n import _, between
from ui.settings import OWN_ENTRIES, Choice, Names, OptionalChoice, OptionalWhole, Real, Setting, Whole

MEASURES = ("exact", "accuracy", "perplexity", "loss")
# What a language model is trained on: the built-in manual, the app's text, or a file of the reader's own.
TEXTS = ("manual", "text", "own")


class Steps(OptionalWhole):
    """How many steps; None is as many as the experiment has."""

    def in_words(self, value: Any) -> str:
        """Say what None stands for, experiment by experiment."""
        if value is not None:
            return super().in_words(value)
        each = (f"{_(whole.title)} {whole.shapes['small'].n_steps}" for whole in EXPERIMENTS.values())
        return _("the experiment’s own ({every})").format(every=between(", ").join(each))


SETTINGS: dict[str, Setting] = {
    "experiment": Choice("back", tuple(EXPERIMENTS)),
    "ext_schemes": Names(list(FIRST_SCHEMES), (*SCHEMES, *OWN_ENTRIES)),
    "ext_seeds": Whole(len(FIRST_SEEDS), 1, 5),  # how many, from 0
    "ext_steps": Steps(None, 50, 2_000),  # None: as many as the experiment has
    "ext_rate": Real(5e-3, 1e-5, 100.0),
    "ext_text": Choice("manual", TEXTS),
    "ext_measure": OptionalChoice(None, MEASURES),  # None: what tells the schemes apart
    # Which line stands out in the chart: a scheme, or a way to stretch RoPE.
    "ext_front": OptionalChoice(None, tuple(dict.fromkeys((*SCHEMES, *SCALINGS, *OWN_ENTRIES)))),
    # What is shown where both are there: the runs that ship with the project, or those of this server.
    "ext_runs": Choice("shipped", ("shipped", "here")),
    "ext_size": Choice("small", ("small", "wide")),
}
