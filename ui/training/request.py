"""The request of a training, in plain values: visitors with equal requests share one run."""

from dataclasses import asdict, dataclass, field, replace

import streamlit as st

from embedlib.word2vec import SkipGramConfig
from ui.i18n import _, separator
from ui.settings import Real, Whole, controls, state

# Fields of SkipGramConfig that have a setting each, "train_" before their names.
CONFIG = {
    name: row
    for name in ("steps", "d_model", "window", "negatives", "learning_rate", "batch_size", "seed")
    if isinstance(row := state.SETTINGS[f"train_{name}"], Whole | Real)
}


@dataclass(frozen=True)
class Request:
    """Everything that decides the numbers of a training."""

    corpus: str  # an option of the setting "train_corpus"
    key: str  # identifies the text
    config: SkipGramConfig
    min_count: int = 5  # how often a word must occur to have a row
    most_words: int = 10_000  # how many words have rows at most, the most frequent ones
    file: str | None = field(default=None, compare=False)  # that the text was read from
    loaded: str = ""  # identifies the saved training that is resumed; "" for a new one


def settings_sidebar() -> None:
    """Draw the controls that decide how rows are trained, behind the ones of the picture."""
    with st.sidebar.expander(_("More")):
        for name, (label, help_text) in _control_texts().items():
            rule = CONFIG[name]
            among = _("From {least:,.10g} to {most:,.10g}.").format(least=rule.minimum, most=rule.maximum)
            controls.control(f"train_{name}", label=label, help=help_text + separator(" ") + among)


def chosen_config() -> SkipGramConfig:
    """Return the training settings from the controls."""
    return SkipGramConfig(**{name: state.get(f"train_{name}") for name in CONFIG})


def set_controls(config: SkipGramConfig) -> None:
    """Set the controls to a training's settings; call it before they are drawn."""
    values = asdict(config)
    state.put(**{f"train_{name}": values[name] for name in CONFIG})


def fits_controls(config: SkipGramConfig) -> bool:
    """Return whether the controls can express a configuration."""
    values = asdict(config)
    in_range = all(rule.minimum <= values[name] <= rule.maximum for name, rule in CONFIG.items())
    usual = replace(SkipGramConfig(), **{name: values[name] for name in CONFIG})
    return in_range and usual == config


def _control_texts() -> dict[str, tuple[str, str]]:
    """Return the label and the help text of each control."""
    return {
        "steps": (
            _("Optimizer steps"),
            _("How often the rows are moved. The learning rate falls to 0 at the last step."),
        ),
        "d_model": (_("d_model"), _("How many numbers each row has.")),
        "window": (
            _("Window"),
            _("How many words on each side count as neighbours. Wide windows teach topics, narrow ones grammar."),
        ),
        "negatives": (
            _("Negative samples per pair"),
            _("How many random words each row is pushed away from, for one neighbour that pulls."),
        ),
        "learning_rate": (
            _("Learning rate"),
            _(
                "How far a step moves the rows. Too low, and they hardly move; too high, and the loss grows without "
                "bound."
            ),
        ),
        "batch_size": (_("Batch size"), _("How many pairs of neighbours one step looks at.")),
        "seed": (_("Seed"), _("The same seed gives the same random numbers.")),
    }
