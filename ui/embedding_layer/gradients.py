"""Which rows a training step moves: those that were looked up, and what ties, decay and momentum add to them."""

import streamlit as st

from embedlib.embedding.gradients import ROW_OPTIMIZERS, TIED, UNTIED, StepRefused
from embedlib.embedding.optimizers import RowOptimizer
from ui.embedding_layer.moves import moves_chart
from ui.embedding_layer.request import Request
from ui.embedding_layer.settings import SETTINGS
from ui.embedding_layer.training import Training, steps_of, training
from ui.embedding_layer.why_moved import gradient_size, lost_gradients, what_moved
from ui.i18n import _, ngettext
from ui.settings import controls, state
from ui.settings.kinds import Real

OWN_RATE = "layer_rate_own"  # in the session: whether the reader has set the learning rate


def which_rows_learn(request: Request) -> None:
    """Draw the controls and how far each row moved, or a sentence that says why no step can be taken."""
    st.header(_("Which rows learn"))
    st.write(
        _(
            "The smallest language model: look up a token’s row, and ask by its products with output rows which token "
            "comes next; the last token is asked for and not looked up. A gradient reaches E only through what was "
            "read of it."
        )
    )
    if request.matrix == "trained":
        st.caption(_("The steps start from E as it stands above, its trained rows among them."))
    _controls()
    wanted = training()
    try:
        step = steps_of(request, wanted)[-1]
    except StepRefused as refusal:
        st.info(_refused(refusal, wanted))
        return
    st.write(what_moved(request, wanted, step))
    lost_gradients(request, wanted, step)
    moves_chart(request, wanted)
    gradient_size(request, wanted, step)


def _controls() -> None:
    left, middle, right = st.columns([2, 1, 1], vertical_alignment="bottom")
    with left:
        st.segmented_control(
            _("Optimizer"),
            state.options("layer_optimizer"),
            key="layer_optimizer",
            format_func=lambda name: ROW_OPTIMIZERS[name].title,
            required=True,
            on_change=_take_usual_rate,
        )
    with middle:
        _rate_control()
    with right:
        controls.number_control(
            "layer_steps", _("Steps"), help_text=_("The tokens are cut into so many parts, one for each step.")
        )
    st.toggle(
        _("Tie the output weights to E"),
        key="layer_tied",
        help=_("The rows that tell which token comes next are those of E itself, as in GPT-2."),
        on_change=state.dismiss_notices,
    )
    kind = ROW_OPTIMIZERS[state.get("layer_optimizer")]
    formula, sentence = st.columns([1, 1], gap="large")
    with formula:
        st.latex((TIED if state.get("layer_tied") else UNTIED) + r"\qquad " + kind.formula)
    with sentence:
        st.write(_("**{title}.** {summary}").format(title=kind.title, summary=_told(kind)))


def _told(kind: RowOptimizer) -> str:
    """Say which rows an optimizer moves, as the weights are tied or not."""
    if not state.get("layer_tied"):
        return _(kind.summary)
    told = _("The rows of E are the output too, so every row has a gradient, whether it was looked up or not.")
    if not kind.decays:
        return told
    return told + " " + _("And weight decay makes every row shorter in each step, by learning rate times weight decay.")


def _rate_control() -> None:
    kind, rule = ROW_OPTIMIZERS[state.get("layer_optimizer")], SETTINGS["layer_rate"]
    assert isinstance(rule, Real)
    st.number_input(
        _("Learning rate (usual: {rate:g})").format(rate=kind.learning_rate),
        rule.minimum,
        rule.maximum,
        key="layer_rate",
        step=kind.learning_rate / 10,
        format="%.9g",
        on_change=_keep_rate,
    )


def _keep_rate() -> None:
    st.session_state[OWN_RATE] = True
    state.dismiss_notices()


def _take_usual_rate() -> None:
    """Follow the optimizer with the learning rate, unless the reader has set one."""
    usual = {kind.learning_rate for kind in ROW_OPTIMIZERS.values()}
    if state.get("layer_rate") in usual and not st.session_state.get(OWN_RATE):
        state.put(layer_rate=ROW_OPTIMIZERS[state.get("layer_optimizer")].learning_rate)
    state.dismiss_notices()


def _refused(refusal: StepRefused, wanted: Training) -> str:
    if refusal.code == "too_few_tokens":
        return ngettext(
            "{steps} step needs at least {least} tokens, and there are fewer: type more.",
            "{steps} steps need at least {least} tokens, and there are fewer: type more, or take fewer steps.",
            wanted.steps,
        ).format(steps=wanted.steps, least=wanted.steps + 1)
    if refusal.code == "tied_needs_dense":
        return _(
            "SparseAdam needs a gradient that holds the rows looked up and no others; tied weights give every row one. "
            "Choose another optimizer, or untie the weights."
        )
    return _("This vocabulary is too large for so many tokens at once: look up fewer, or choose a smaller one.")
