"""Start, pause, step: the buttons that move a training, and where it stands."""

import math

import streamlit as st

from ui.i18n import _, ngettext
from ui.settings import state
from ui.training import measured
from ui.training.recording import Recording
from ui.training.watching import Watch, from_the_start, pause, start, step_on, watch_of


def transport(recording: Recording, step: int) -> None:
    """Draw the buttons, how far the training is, and what is known of the step in view.

    Args:
        recording: what this visitor has seen of a training.
        step: in view.
    """
    watch = watch_of(recording.run)
    with st.container(horizontal=True, vertical_alignment="center", key="train-transport"):
        _buttons(recording)
        st.progress(step / recording.request.config.steps, text=_how_far(recording, watch, step))
        _numbers(recording, step)
    _what_went_wrong(recording)


def _buttons(recording: Recording) -> None:
    run, training = recording.run, recording.state == "training"
    over = recording.state in ("done", "diverged")
    begins = recording.state in ("fresh", "diverged")
    label = _("Pause") if training else _("Start") if begins else _("Go on")
    st.button(
        label,
        key="train-go",
        type="secondary" if over else "primary",
        icon=":material/pause:" if training else ":material/play_arrow:",
        disabled=over,
        on_click=pause if training else start,
        args=(run,),
    )
    st.button(
        _("Step"),
        key="train-one",
        icon=":material/skip_next:",
        disabled=over or training,
        on_click=step_on,
        args=(run,),
        help=_(
            "Trains one step. Where more is trained already, because you have been there or somebody else has the same "
            "settings, it shows the next step that was kept."
        ),
    )
    st.button(
        _("From the start"),
        key="train-first",
        icon=":material/replay:",
        disabled=recording.state == "fresh" or (recording.last == 0 and not training),
        on_click=from_the_start,
        args=(run,),
        help=_("Back to rows drawn by chance. What is trained stays, and is shown again as you start."),
    )


def _how_far(recording: Recording, watch: Watch, step: int) -> str:
    """Say in one line which step is in view and what goes on; it is always there, so that nothing jumps."""
    said = [_("Step {step:,} of {steps:,} in view").format(step=step, steps=recording.request.config.steps)]
    at = recording.run.at
    match recording.state:
        case "fresh":
            said.append(_("not trained yet: press Start") if at == 0 else _("trained to {at:,}").format(at=at))
        case "paused":
            said.append(_("paused") if at == step else _("paused, trained to {at:,}").format(at=at))
        case "done":
            said.append(_("trained to the end"))
        case "diverged":
            said.append(_("stopped at step {at:,}").format(at=at))
        case _:
            if step != recording.last:
                said.append(_("trained to {at:,}").format(at=at))
            waits = watch.place > 1
            said.append(
                _("number {place} in the queue").format(place=watch.place)
                if waits
                else _left(watch.seconds_left(recording.run))
            )
    return " · ".join(said)


def _left(seconds: float | None) -> str:
    if seconds is None:
        return _("training")
    count = max(1, math.ceil(seconds))
    if count < 100:
        return ngettext("about {count} second left", "about {count} seconds left", count).format(count=count)
    count = round(count / 60)
    return ngettext("about {count} minute left", "about {count} minutes left", count).format(count=count)


def _numbers(recording: Recording, step: int) -> None:
    """Show what is known of the step in view, large enough for a hall."""
    losses = recording.history.losses
    loss = float(losses[step])
    st.metric(
        _("Loss at step {step:,}").format(step=step),
        f"{loss:.3f}" if math.isfinite(loss) else "–",
        width="content",
        help=_("Mean over the pairs of step {step:,}, in nats. Rows that know nothing have {start:.3f}.").format(
            step=step, start=float(losses[0])
        ),
    )
    if recording.has_kinds and (known := measured.scores(recording, step)[step].kinds) is not None:
        st.metric(
            _("Same kind at step {step:,}").format(step=step),
            f"{known.score:.0%}",
            width="content",
            help=_(
                "Of each word's ten nearest words at step {step:,}, how many are of its own kind, on average. By "
                "chance it would be {chance:.1%}."
            ).format(step=step, chance=known.chance),
        )


def _what_went_wrong(recording: Recording) -> None:
    config = recording.request.config
    if recording.state == "diverged":
        better = float(f"{min(config.learning_rate / 10, 0.02):.1g}")
        with st.container(horizontal=True, vertical_alignment="center", key="train-astray"):
            st.error(
                _astray(recording).format(
                    step=recording.run.at, sound=recording.last, rate=config.learning_rate, better=better
                ),
                width="stretch",
            )
            st.button(_("Take {rate:g}").format(rate=better), key="train-lower", on_click=_lower, args=(better,))
    elif recording.run.error is not None:
        st.error(_("The training failed here: press Go on to try again, or choose smaller numbers."))


def _astray(recording: Recording) -> str:
    if math.isfinite(float(recording.losses[-1])):
        return _(
            "With a learning rate of {rate:g} the loss stayed far above its start, and the training was stopped at "
            "step {step:,}: the rows are those of step {sound:,} again. Choose a lower rate, such as {better:g}."
        )
    return _(
        "With a learning rate of {rate:g} the loss grew past all numbers, and the training was stopped at step "
        "{step:,}: the rows are those of step {sound:,} again. Choose a lower rate, such as {better:g}."
    )


def _lower(rate: float) -> None:
    state.put(train_learning_rate=rate)
    state.dismiss_notices()
