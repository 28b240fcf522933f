"""The loss over the steps of a training."""

import math
from bisect import bisect
from functools import partial

from embedlib.figures.over_steps import StepLine, over_steps_figure, thinned
from ui.i18n import _
from ui.training.drawn import chart, step_written, told
from ui.training.tables import written
from ui.training.view import TrainingView

LOSSES = 160  # points drawn of them; each the mean of a few steps where they lie close
HEIGHT = 300


def loss_curve(view: TrainingView) -> None:
    """Say the loss of the step in view, and draw that of all steps so far."""
    losses = view.recording.losses
    known = losses.isfinite().nonzero()[:, 0].tolist()
    nothing = view.request.config.knows_nothing
    told("loss", _loss_told(view))
    if not known:
        return
    last = view.request.config.steps
    steps, values = thinned(known, losses[known].tolist(), last=last, most=LOSSES)
    if view.step in known and view.step not in steps:  # the step in view has a point of its own
        at = bisect(steps, view.step)
        steps, values = [*steps[:at], view.step, *steps[at:]], [*values[:at], float(losses[view.step]), *values[at:]]
    line = StepLine(_("loss"), steps, values, named=False)
    draw = partial(
        over_steps_figure,
        [line],
        last=last,
        scale="number",
        x_title=_("step"),
        y_title=_("loss in nats"),
        levels=[(nothing, _("knows nothing: {loss:.2f}").format(loss=nothing))],
        shown=(view.step, step_written(view.step)),
        hover_text=_("{name}\nstep {x}: {y}"),
        height=HEIGHT,
    )
    recording = view.recording
    chart(
        "loss",
        draw,
        shows=(recording.key, len(recording.losses), view.step),
        heading=_("Loss by step"),
        alt=_("Loss {before:.2f} at step {first:,}, {now:.2f} at step {last:,}.").format(
            before=values[0], first=steps[0], now=values[-1], last=steps[-1]
        ),
        table=lambda: written(["step", "loss"], ([step, float(losses[step])] for step in known)),
    )


def _loss_told(view: TrainingView) -> str:
    losses, nothing = view.recording.losses, view.request.config.knows_nothing
    now = float(losses[view.step])
    if not math.isfinite(now):
        return _("The loss of this step is not known: the saved training does not hold it.")
    said = _("Loss at step {step:,}: **{loss:.2f} nats**.").format(step=view.step, loss=now)
    if view.recording.state == "diverged":
        last = float(losses[-1])
        return f"{said} " + (
            _(
                "At step {last:,}, where training was stopped, it was {loss:,.0f}; rows that know nothing have "
                "{nothing:.2f}."
            )
            if math.isfinite(last)
            else _("At step {last:,}, where training was stopped, it was no finite number any more.")
        ).format(last=len(losses) - 1, loss=last, nothing=nothing)
    if view.step == view.first:
        return f"{said} " + _(
            "Rows that know nothing take true neighbours and noise for equally likely: {terms} · ln 2."
        ).format(terms=1 + view.request.config.negatives)
    return f"{said} " + _("Rows that know nothing have {nothing:.2f}.").format(nothing=nothing)
