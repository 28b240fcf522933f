"""What the sentences above the picture of a training step say: how many rows moved, for which reason, at which loss."""

import math

import streamlit as st

from embedlib.embedding.gradients import REASONS, RowStep, gradient_bytes
from embedlib.embedding.initialisation import INITIALISATIONS
from ui.embedding_layer import cache
from ui.embedding_layer.request import Request
from ui.embedding_layer.training import Training, trained_width
from ui.embedding_layer.written import bytes_written
from ui.i18n import _, ngettext
from ui.settings import state

SHORT = "normal_0.02"  # a start under which tied weights move every row


def what_moved(request: Request, wanted: Training, step: RowStep) -> str:
    """Say how many rows moved, and why."""
    counts = {reason: int((step.why == index).sum()) for index, reason in enumerate(REASONS)}
    moved, looked_up = request.vocab_size - counts["still"], int((step.counts > 0).sum())
    parts = [_moved(request, moved, looked_up), _loss(request, step)]
    if counts["softmax"]:
        parts.append(
            (
                _(
                    "Besides them, the gradient moved {count:,} because E is the output too: the softmax pushes every "
                    "row, now or in an earlier step, the more likely it finds its token the harder."
                )
                if wanted.steps > 1
                else _(
                    "Besides them, the gradient moved {count:,} because E is the output too: the softmax pushes every "
                    "row, the more likely it finds its token the harder."
                )
            ).format(count=counts["softmax"])
        )
    if counts["momentum"]:
        parts.append(
            ngettext(
                "{count:,} row goes on moving from an earlier step, whose gradient the optimizer remembers.",
                "{count:,} rows go on moving from an earlier step, whose gradients the optimizer remembers.",
                counts["momentum"],
            ).format(count=counts["momentum"])
        )
    if counts["decay"]:
        parts.append(_decayed(wanted, counts["decay"]))
    if moved == looked_up and not wanted.tied:
        parts.append(_("Every other row has a gradient of exactly 0, and stays where it was."))
    return " ".join(parts)


def _moved(request: Request, moved: int, looked_up: int) -> str:
    return " ".join(
        (
            ngettext(
                "**{moved:,} of {rows:,} row has moved** in the last step;",
                "**{moved:,} of {rows:,} rows have moved** in the last step;",
                request.vocab_size,
            ).format(moved=moved, rows=request.vocab_size),
            ngettext(
                "{count:,} row was looked up in it.", "{count:,} different rows were looked up in it.", looked_up
            ).format(count=looked_up),
        )
    )


def _loss(request: Request, step: RowStep) -> str:
    """Say the loss beside what a guess would cost, and of what part of the rows both are."""
    said = _("Loss before the step: **{loss:.2f} nats**, where a blind guess costs ln {rows:,} = {guess:.2f}.").format(
        loss=step.loss, rows=request.vocab_size, guess=math.log(request.vocab_size)
    )
    width = trained_width(request)
    if width < request.d_model:
        said += " " + _(
            "Loss and moves are those of the **first {width} of {d_model} dimensions**: the rest is left out so that "
            "the step stays quick."
        ).format(width=width, d_model=request.d_model)
    return said


def _decayed(wanted: Training, count: int) -> str:
    return (
        _(
            "The other {count:,} became shorter by weight decay alone, which multiplies every row by 1 − ηλ in each "
            "step: their gradient is too small to change a float32."
        )
        if wanted.tied
        else _(
            "{count:,} became shorter by weight decay alone, which multiplies every row of the table by 1 − ηλ in each "
            "step."
        )
    ).format(count=count)


def lost_gradients(request: Request, wanted: Training, step: RowStep) -> None:
    """Explain, where weights are tied, why the gradients of most rows come to nothing, and offer shorter rows."""
    lost = (step.counts == 0) & ((step.why == REASONS.index("still")) | (step.why == REASONS.index("decay")))
    if not wanted.tied or not bool(lost.any()):
        return
    typical = float(step.gradient_norms[lost].median())
    length = float(cache.table_of(request)[:, : trained_width(request)].norm(dim=1).mean())
    told = [
        _("**Why {count:,} rows have a gradient and still get nothing from it.**").format(count=int(lost.sum())),
        (
            _(
                "Rows of E are {length:.2g} long here, so a row’s product with itself is about {length:.2g}² = "
                "{square:.2g}, and with most others much less: the softmax spreads over the few rows that point the "
                "same way, and the others hardly count."
            )
            if request.matrix == "trained"
            else _(
                "Rows of E are {length:.2g} long here, so a row’s product with itself is about {length:.2g}² = "
                "{square:.2g}, and with others much less: the softmax is all but certain, and other rows hardly count."
            )
        ).format(length=length, square=length**2),
        _("Half of these rows have a gradient shorter than {size}.").format(size=_power(typical))
        if typical > 0
        else _("Half of these rows have a gradient so small that float32 writes it as 0."),
        _("It is not zero by rule, as without the tie, but it is lost in the sum: float32 keeps about 7 digits."),
    ]
    with st.container(border=True):
        st.write(" ".join(told))
        if request.matrix == "trained" or (request.matrix == "random" and request.start != SHORT):
            st.button(
                _("Begin with short rows: “{start}”").format(start=_(INITIALISATIONS[SHORT].title)),
                key="layer_short_rows",
                on_click=_begin_short,
            )


def _power(size: float) -> str:
    """Write a tiny number as the power of ten above it, in LaTeX."""
    return f"$10^{{{math.ceil(math.log10(size))}}}$"


def _begin_short() -> None:
    state.put(layer_matrix="random", layer_start=SHORT)
    state.dismiss_notices()


def gradient_size(request: Request, wanted: Training, step: RowStep) -> None:
    """Say what a gradient of the whole table takes, and what one of the rows looked up would."""
    looked_up = int((step.counts > 0).sum())
    dense, sparse = (bytes_written(size) for size in gradient_bytes(request.vocab_size, request.d_model, looked_up))
    if wanted.tied:
        sentence = _("The gradient of E takes {dense}: tied to the output, no row of it can be left out.")
    elif looked_up == request.vocab_size:
        sentence = _("The gradient of E takes {dense}: every row was looked up, so there is nothing to leave out.")
    else:
        sentence = ngettext(
            "A dense gradient of E takes {dense}, and {zeros:,} of its {rows:,} rows is zeros; with `sparse=True` "
            "torch keeps the rows that were looked up and no others, {sparse}.",
            "A dense gradient of E takes {dense}, and {zeros:,} of its {rows:,} rows are zeros; with `sparse=True` "
            "torch keeps the rows that were looked up and no others, {sparse}.",
            request.vocab_size - looked_up,
        )
    st.caption(
        sentence.format(dense=dense, zeros=request.vocab_size - looked_up, rows=request.vocab_size, sparse=sparse)
    )
