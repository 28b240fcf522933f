"""The page's controls: the experiment, what is compared, and how it is trained."""

import streamlit as st

from embedlib.extrapolation import EXPERIMENTS
from ui.extrapolation.outcomes import has_wide
from ui.extrapolation.request import MEASURES, text_choice
from ui.i18n import _, separator
from ui.settings import OptionalWhole, controls, state
from ui.shared.own_scheme import own_editor, write_your_own
from ui.shared.schemes import available_schemes, frozen_labels, scheme_title
from ui.shared.text.source import Source


def experiment_choice() -> None:
    """Draw the choice of the experiment."""
    controls.control("experiment", titles=lambda name: _(EXPERIMENTS[name].title))


def text_to_train_on() -> Source | None:
    """Draw the choice of the text and return it; None where the experiment has no choice."""
    return text_choice() if EXPERIMENTS[state.get("experiment")].needs_text and not _is_wide() else None


def measure_choice() -> None:
    """Draw the choice of the measure."""
    experiment = state.get("experiment")
    chosen = state.get("ext_measure")
    offered = MEASURES[experiment]
    controls.control(
        "ext_measure",
        st.segmented_control,
        list(offered),
        titles=measure_titles(),
        value=chosen if chosen in offered else offered[0],
        required=True,
    )


def measure_titles() -> dict[str, str]:
    """Name the measures for people."""
    return {
        "exact": _("share of right answers"),
        "accuracy": _("share of right tokens"),
        "perplexity": _("perplexity"),
        "loss": _("loss"),
    }


def training_sidebar() -> None:
    """Draw what is compared and how it is trained."""
    with st.sidebar:
        whole = EXPERIMENTS[state.get("experiment")]
        if not whole.scales_rope:
            schemes = available_schemes(state.get("ext_schemes"))
            controls.control("ext_schemes", st.multiselect, schemes, titles=frozen_labels(schemes, scheme_title))
            chosen = state.get("ext_schemes")
            if others := [one for one in state.get("formulas") if one.entry not in chosen]:
                names = separator(", ").join(one.name for one in others)
                st.button(
                    _("Add your own: {names}").format(names=names),
                    key="own-others",
                    on_click=state.put,
                    kwargs={"ext_schemes": [*chosen, *(one.entry for one in others)]},
                )
            write_your_own(lambda entry: {"ext_schemes": [*state.get("ext_schemes"), entry]})
            own_editor(state.get("ext_schemes"))
        with st.expander(_("More")):
            if has_wide(state.get("experiment")):
                sizes = {"small": _("2 layers, d_model 64"), "wide": _("8 layers, d_model 512")}
                controls.control("ext_size", titles=sizes)
            controls.control("ext_seeds")
            if _is_wide():
                st.caption(_("These larger models were trained on a GPU; this server cannot train them."))
                return
            _steps_control(whole.shapes["small"].n_steps)
            controls.control(
                "ext_rate",
                help=_("How far each step moves the weights. From about 1 on, the loss grows without bound."),
            )


def _steps_control(usual: int) -> None:
    """Draw the number of steps; a value equal to the experiment's default follows that default."""
    rule = state.SETTINGS["ext_steps"]
    assert isinstance(rule, OptionalWhole)

    def keep_in_bounds() -> None:
        given = state.get("ext_steps") or usual
        value = min(max(given, rule.minimum), rule.maximum)
        if value != given:
            st.session_state["ext_steps_beyond"] = True
        state.put(ext_steps=None if value == usual else value)

    # Without bounds of its own: the browser would keep a number beyond them in the field, and not send it.
    shown = state.get("ext_steps") or usual
    controls.control("ext_steps", st.number_input, step=50, value=shown, on_change=keep_in_bounds)
    if st.session_state.pop("ext_steps_beyond", False):
        sentence = _("Steps must be between {least} and {most:,}; using {used:,}.")
        used = state.get("ext_steps") or usual
        st.warning(sentence.format(least=rule.minimum, most=rule.maximum, used=used))


def _is_wide() -> bool:
    return state.get("ext_size") == "wide" and has_wide(state.get("experiment"))
