"""What is trained on what, in plain values: who asks for the same shares one training."""

from dataclasses import asdict, dataclass, field, replace

import streamlit as st

from embedlib.word2vec import SkipGramConfig
from ui.i18n import _
from ui.settings import controls, state
from ui.training.settings import CONFIG


@dataclass(frozen=True)
class Request:
    """Everything that decides the numbers of a training.

    Attributes:
        corpus: one of settings.CORPORA.
        key: tells the text from every other.
        config: how rows are trained.
        min_count: how often a word must be met to have a row.
        most_words: how many words have rows at most, the most frequent ones.
        file: name of the file that the text was read from; None where there is none.
        loaded: tells which saved training is gone on with; "" for one that begins here.
    """

    corpus: str
    key: str
    config: SkipGramConfig
    min_count: int = 5
    most_words: int = 10_000
    file: str | None = field(default=None, compare=False)
    loaded: str = ""


def settings_sidebar() -> None:
    """Draw the controls that decide how rows are trained."""
    with st.sidebar:
        st.subheader(_("Training"))
        for name, (label, help_text) in _controls().items():
            rule = CONFIG[name]
            among = _("From {least:,.9g} to {most:,.9g}.").format(least=rule.minimum, most=rule.maximum)
            controls.number_control(f"train_{name}", label, help_text=f"{help_text} {among}")
        changed = any(state.get(f"train_{name}") != setting.default for name, setting in CONFIG.items())
        st.button(
            _("Back to the defaults"), key="train-defaults", type="tertiary", disabled=not changed, on_click=_reset
        )


def chosen_config() -> SkipGramConfig:
    """Return how rows are to be trained, as the controls say."""
    return SkipGramConfig(**{name: state.get(f"train_{name}") for name in CONFIG})


def put_config(config: SkipGramConfig) -> None:
    """Let the controls say how a training was begun; call it before they are drawn."""
    values = asdict(config)
    state.put(**{f"train_{name}": values[name] for name in CONFIG})


def fits_controls(config: SkipGramConfig) -> bool:
    """Tell whether the controls can say all of this."""
    values = asdict(config)
    in_range = all(rule.minimum <= values[name] <= rule.maximum for name, rule in CONFIG.items())
    usual = replace(SkipGramConfig(), **{name: values[name] for name in CONFIG})
    return in_range and usual == config


def _reset() -> None:
    put_config(SkipGramConfig())
    state.dismiss_notices()


def _controls() -> dict[str, tuple[str, str]]:
    """Name each control, and say what it does."""
    return {
        "steps": (_("Steps"), _("How often all rows may move. The learning rate falls to 0 over them.")),
        "d_model": (_("d_model"), _("How many numbers each row has.")),
        "window": (
            _("Window"),
            _("How many words to each side count as neighbours. More of them tell topics, fewer tell grammar."),
        ),
        "negatives": (
            _("Negatives"),
            _("By how many words of noise each true neighbour is weighed: rows also learn what does not go together."),
        ),
        "learning_rate": (
            _("Learning rate"),
            _("How far rows move at first. Too little and they hardly leave their places, too much and they run away."),
        ),
        "batch_size": (
            _("Batch size"),
            _("How many pairs of neighbours are looked at in one step. More make steps surer and slower."),
        ),
        "seed": (_("Seed"), _("Of the first rows and of all draws: the same seed gives the same numbers.")),
    }
