"""Start, pause, step: the buttons that move a training, and where it stands."""

import math

import streamlit as st

from ui import state
from ui.i18n import _, ngettext
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
        st.progress(recording.last / recording.request.config.steps, text=_how_far(recording, watch))
        _numbers(recording, step)
    _what_went_wrong(recording)


def _buttons(recording: Recording) -> None:
    run, training = recording.run, recording.state == "training"
    over = recording.state in ("done", "diverged")
    label = _("Pause") if training else _("Start") if recording.state == "fresh" else _("Go on")
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
        disabled=recording.state == "fresh",
        on_click=from_the_start,
        args=(run,),
        help=_("Back to rows drawn by chance. What is trained stays, and is shown again as you start."),
    )


def _how_far(recording: Recording, watch: Watch) -> str:
    """Say in one line what goes on; it is always there, so that nothing jumps."""
    steps = recording.request.config.steps
    where = _("Step {step:,} of {steps:,}").format(step=recording.last, steps=steps)
    match recording.state:
        case "fresh":
            now = _("not trained yet")
        case "paused":
            now = _("paused")
        case "done":
            now = _("trained to the end")
        case "diverged":
            now = _("went astray")
        case _ if watch.place > 1:
            now = _("number {place} in the queue").format(place=watch.place)
        case _:
            now = _left(watch.seconds_left(recording.run))
    return f"{where} · {now}"


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
        _("Loss"),
        f"{loss:.3f}" if math.isfinite(loss) else "–",
        width="content",
        help=_("Mean over the pairs of step {step:,}, in nats. Rows that know nothing have {start:.3f}.").format(
            step=step, start=float(losses[0])
        ),
    )
    if recording.has_kinds and (known := measured.scores(recording, step)[step].kinds) is not None:
        st.metric(
            _("Of the same kind"),
            _("{percent:.0f} %").format(percent=100 * known.score),
            width="content",
            help=_(
                "Of each word's ten nearest words at step {step:,}, how many are of its own kind, on average. By "
                "chance it would be {chance:.1f} %."
            ).format(step=step, chance=100 * known.chance),
        )


def _what_went_wrong(recording: Recording) -> None:
    config = recording.request.config
    if recording.state == "diverged":
        better = float(f"{min(config.learning_rate / 10, 0.02):.1g}")
        with st.container(horizontal=True, vertical_alignment="center", key="train-astray"):
            st.error(
                _(
                    "The training went astray and was stopped at step {step:,}: with a learning rate of {rate:g} the "
                    "loss only grew. The rows are kept as they were before that; choose a lower rate, such as "
                    "{better:g}."
                ).format(step=recording.last, rate=config.learning_rate, better=better),
                width="stretch",
            )
            st.button(_("Take {rate:g}").format(rate=better), key="train-lower", on_click=_lower, args=(better,))
    elif recording.run.error is not None:
        st.error(_("The training failed here: press Go on to try again, or choose smaller numbers."))


def _lower(rate: float) -> None:
    state.put(train_learning_rate=rate)
    state.dismiss_notices()
