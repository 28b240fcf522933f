"""Which rows a training step moves: those that were looked up, and what ties, decay and momentum add to them."""

import streamlit as st

from embedlib.gradient_rows import (
    REASONS,
    ROW_OPTIMIZERS,
    TIED,
    UNTIED,
    RowStep,
    StepRefused,
    gradient_bytes,
)
from ui import controls, state
from ui.embedding_layer.moves import moves_chart
from ui.embedding_layer.request import Request
from ui.embedding_layer.training import Training, steps_of, trained_width, training
from ui.embedding_layer.written import bytes_written
from ui.i18n import _, ngettext


def which_rows_learn(request: Request) -> RowStep | None:
    """Draw the controls and how far each row moved; return the last step, or None where a sentence stands instead."""
    st.header(_("Which rows learn"))
    st.write(
        _(
            "The smallest language model: look up a token’s row, and ask by its products with output rows which token "
            "comes next; the last token is asked for and not looked up. A gradient reaches E only through what was "
            "read of it."
        )
    )
    _controls()
    wanted = training()
    try:
        step = steps_of(request, wanted)[-1]
    except StepRefused as refusal:
        st.info(_refused(refusal, wanted))
        return None
    st.write(_summary(request, wanted, step))
    moves_chart(request, wanted)
    _gradient_size(request, step)
    return step


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
        controls.number_control("layer_rate", _("Learning rate"), help_text=None)
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
        tied = _("The rows of E are the output too, so every row has a gradient, whether it was looked up or not.")
        summary = tied if state.get("layer_tied") else _(kind.summary)
        st.write(_("**{title}.** {summary}").format(title=kind.title, summary=summary))


def _take_usual_rate() -> None:
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


def _summary(request: Request, wanted: Training, step: RowStep) -> str:
    """Say how many rows moved, and why."""
    moved = int((step.moves > 0).sum())
    looked_up = int((step.counts > 0).sum())
    parts = [
        ngettext(
            "**{moved:,} of {rows:,} row has moved** in the last step; {looked_up:,} was looked up.",
            "**{moved:,} of {rows:,} rows have moved** in the last step; {looked_up:,} were looked up.",
            moved,
        ).format(moved=moved, rows=request.vocab_size, looked_up=looked_up)
    ]
    counts = {reason: int((step.why == index).sum()) for index, reason in enumerate(REASONS)}
    if counts["softmax"]:
        parts.append(
            _(
                "The other {count:,} moved because E is the output too: the softmax pushes every row, the more likely "
                "it finds its token the harder."
            ).format(count=counts["softmax"])
        )
    if wanted.tied and counts["still"]:
        parts.append(
            _(
                "The gradient of {count:,} is too small to change a float32: between rows as long as these the softmax "
                "is nearly certain. Begin with shorter rows, such as “Normal, 0.02”, and all of them move."
            ).format(count=counts["still"])
        )
    if counts["momentum"]:
        parts.append(
            _("{count:,} go on moving from an earlier step, whose gradients the optimizer remembers.").format(
                count=counts["momentum"]
            )
        )
    if counts["decay"]:
        parts.append(
            _("{count:,} only became shorter: weight decay shrinks every row of the table in each step.").format(
                count=counts["decay"]
            )
        )
    if moved == looked_up and not wanted.tied:
        parts.append(_("Every other row has a gradient of exactly 0, and stays where it was."))
    return " ".join(parts)


def _gradient_size(request: Request, step: RowStep) -> None:
    """Say what a gradient of the whole table takes, and what one of the rows looked up would."""
    looked_up = int((step.counts > 0).sum())
    dense, sparse = gradient_bytes(request.vocab_size, request.d_model, looked_up)
    zeros = int((step.gradient_norms == 0).sum())
    parts = [
        _(
            "A dense gradient of E takes {dense}, and {zeros:,} of its {rows:,} rows are zeros; with `sparse=True` "
            "torch keeps the rows that were looked up and no others, {sparse}."
        )
        if zeros
        else _("The gradient of E takes {dense}, and none of its rows is zero: there is nothing to leave out.")
    ]
    parts = [
        part.format(dense=bytes_written(dense), zeros=zeros, rows=request.vocab_size, sparse=bytes_written(sparse))
        for part in parts
    ]
    width = trained_width(request)
    if width < request.d_model:
        parts.append(
            _("The step is taken on the first {width} of {d_model} dimensions, so that it stays quick.").format(
                width=width, d_model=request.d_model
            )
        )
    st.caption(" ".join(parts))
