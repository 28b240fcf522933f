"""Start, pause, step: the buttons that control a training, and its progress."""

import math
import time
from dataclasses import dataclass

import streamlit as st

from embedlib.word2vec import axes_step
from ui.i18n import _, number
from ui.jobs import rough_duration, this_visitor
from ui.settings import state
from ui.training import step_results
from ui.training.request import CONFIG, Request
from ui.training.run import Run
from ui.training.runs import cancel_requests, request_run
from ui.training.view import Recording, State

# What is trained already is shown at the pace at which the page's own settings train, or nobody could follow it.
_PACE = 18.0  # kept steps in a second: six seconds for a whole run
_LONGEST_LEAP = 4.0  # seconds that are made up for at once, where a page is slow
_STEP_WAIT = 0.3  # seconds in which a requested step is mostly done
_MOST_WATCHES = 30
_WATCHES = "training_watches"
_BEGUN = "training_begun"  # in the session: a training has begun by itself


@dataclass
class Watch:
    """A visitor's position in a training, and their goal."""

    goal: int = 0  # the step that they want it to reach
    last: int = 0  # the newest kept step that they have been shown
    queue_position: int = 0  # in the queue, 1 for the next; 0 where it trains or nothing is requested
    leap: bool = False  # whether steps on the way are passed over: a link asks for one step, not for a show
    _shown_at: float = -math.inf  # when `last` moved, on the clock
    _since: tuple[float, int] = (0.0, 0)  # when this stretch of training began, and the training's step then

    def begin(self, goal: int, run: Run, *, leap: bool = False) -> None:
        """Set the goal: the step in view or a later one."""
        self.goal, self.leap = goal, leap
        self._shown_at, self._since = time.monotonic(), (time.monotonic(), run.current_step)

    def advance(self, run: Run) -> None:
        """Show more of the stored steps, no faster than eyes can follow."""
        if run.current_step >= self.goal > self.last and self.goal not in run.kept_steps:
            self.goal = run.goal_after(self.goal)  # another visitor's requests went past it
        kept = [step for step in run.kept_steps if self.last < step <= self.goal]
        ready = run.current_step >= axes_step(run.request.config) or run.is_over  # it may have begun beyond, elsewhere
        if not kept or not ready:
            return
        now = time.monotonic()
        count = len(kept) if self.leap else int(_PACE * min(now - self._shown_at, _LONGEST_LEAP))
        if count:
            self.last, self._shown_at = kept[min(count, len(kept)) - 1], now

    def seconds_left(self, run: Run) -> float | None:
        """Estimate the seconds until the goal; None where it is too early to tell."""
        began, step = self._since
        passed, to_show = time.monotonic() - began, sum(self.last < kept <= self.goal for kept in run.scheduled)
        left = 0.0 if self.leap else to_show / _PACE
        if run.is_over or run.current_step >= self.goal:
            return left
        if run.current_step - step < 10 or passed < 1:
            return None
        return max(left, passed * (self.goal - run.current_step) / (run.current_step - step))


def transport(recording: Recording, step: int) -> None:
    """Draw the buttons, the progress, and the numbers of the step in view."""
    watch = get_watch(recording.run)
    with st.container(horizontal=True, vertical_alignment="center", key="train-transport"):
        _buttons(recording)
        st.progress(step / recording.request.config.steps, text=_progress_sentence(recording, watch, step))
        _show_numbers(recording, step)
    _show_error(recording)


def _buttons(recording: Recording) -> None:
    run, training = recording.run, recording.state == "training"
    over = recording.state in ("done", "diverged")
    begins = recording.state in ("fresh", "diverged")
    label = _("Pause") if training else _("Start") if begins else _("Resume")
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
        _("One step"),
        key="train-one",
        icon=":material/skip_next:",
        disabled=over or training,
        on_click=step_once,
        args=(run,),
    )
    st.button(
        _("From the start"),
        key="train-first",
        icon=":material/replay:",
        disabled=recording.state == "fresh" or (recording.last == 0 and not training),
        on_click=restart,
        args=(run,),
        help=_("Shows step 0 again, from which you can start once more; trained steps are kept."),
    )


def _progress_sentence(recording: Recording, watch: Watch, step: int) -> str:
    """Return one line on the training's state; while it runs, only the picture names the step."""
    at = recording.run.current_step
    if recording.state == "training" and step == recording.last:
        sentences = [_("Training")]
    else:
        sentences = [_("Step {step:,} of {steps:,}").format(step=step, steps=recording.request.config.steps)]
    trained = _("trained to {at:,}").format(at=at)
    match recording.state:
        case "fresh":
            sentences.append(_("press Start"))  # trained steps that are kept come no sooner by being named
        case "paused":
            sentences.append(_("paused"))
            sentences += [trained] if at != step else []
        case "done":
            sentences.append(_("training finished"))
        case "diverged":
            sentences.append(_("diverged at {at:,}").format(at=at))
        case _:
            sentences += [trained] if step != recording.last else []
            left = watch.seconds_left(recording.run)
            if watch.queue_position > 1:
                sentences.append(_("number {place} in the queue").format(place=watch.queue_position))
            elif left is not None:
                sentences.append(_("{time} left").format(time=rough_duration(left)))
    return " · ".join(sentences)


def _show_numbers(recording: Recording, step: int) -> None:
    """Show the numbers of the step in view in one line, large enough for a lecture hall."""
    moving = recording.state == "training" and step == recording.last
    losses = recording.history.losses
    loss = float(losses[step])
    st.metric(
        _("Loss") if moving else _("Loss, step {step:,}").format(step=step),
        number(loss, ".3f") if math.isfinite(loss) else "–",
        width="content",
        help=_(
            "How wrong the predictions of this step are: the mean cost of its pairs. Untrained rows have {start:.3f}."
        ).format(start=float(losses[0])),
    )
    if (known := step_results.scores(recording, step).get(step)) is not None:
        st.metric(
            _("Same kind"),
            number(known.score, ".0%"),
            width="content",
            help=_(
                "Of the ten words nearest to a word, this share is of its kind; by chance it would be {chance:.1%}."
            ).format(chance=known.chance),
        )


def _show_error(recording: Recording) -> None:
    rate = recording.request.config.learning_rate
    if recording.state == "diverged":
        better = float(f"{min(rate / 10, 0.02):.1g}")
        with st.container(horizontal=True, vertical_alignment="center", key="train-astray"):
            st.error(
                _(
                    "Diverged at step {step:,}; showing {sound:,}. Set the learning rate below {rate:g}, such as "
                    "{better:g}."
                ).format(step=recording.run.current_step, sound=recording.last, rate=rate, better=better),
                width="stretch",
            )
            st.button(_("Take {rate:g}").format(rate=better), key="train-lower", on_click=_lower_rate, args=(better,))
    elif recording.run.error is not None:
        st.error(_("The training failed. Press Resume to try again, or choose smaller numbers in the settings."))


def _lower_rate(rate: float) -> None:
    state.put(train_learning_rate=rate)


def get_watch(run: Run) -> Watch:
    """Return this visitor's watch of a run; a new one starts the training by itself where it should."""
    watches: dict[Request, Watch] = st.session_state.setdefault(_WATCHES, {})
    watch = watches.pop(run.request, None)
    if watch is None:
        watch = Watch()
        wanted: int | None = state.get("train_step")
        first = not st.session_state.get(_BEGUN)
        if first and wanted is not None:
            steps = run.request.config.steps
            watch.begin(max(min(wanted, steps), run.kept_steps[-1]), run, leap=True)
        elif run.begun_at:
            watch.begin(run.begun_at, run, leap=True)
        elif first and _is_default(run.request):
            watch.begin(run.request.config.steps, run)
        if not first:
            state.put(train_step=None)  # it was a step of another training
        st.session_state[_BEGUN] = True
    watches[run.request] = watch  # the last used
    while len(watches) > _MOST_WATCHES:
        del watches[next(iter(watches))]
    return watch


def current_recording(run: Run) -> Recording:
    """Return as much of a run as this visitor sees now, and request their next steps."""
    cancel_requests(this_visitor(), but=run)  # of runs that they no longer view
    watch = get_watch(run)
    # A run may have been restarted or reset.
    watch.last = max(step for step in run.kept_steps if step <= watch.last)
    if watch.goal:
        watch.queue_position = request_run(run, _target(watch, run), visitor=this_visitor())
        if watch.leap and run.current_step < _target(watch, run):
            _wait_for(run, watch.goal)
            request_run(run, _target(watch, run), visitor=this_visitor())
            _wait_for(run, _target(watch, run))
    watch.advance(run)
    return Recording(run, watch.last, _state(watch, run))


def start(run: Run) -> None:
    """Request all steps."""
    run.recover()
    _set_goal(run, run.request.config.steps)


def pause(run: Run) -> None:
    """Pause at the step in view, or at the training's current one where the newest is in view."""
    watch = get_watch(run)
    live = watch.last == run.kept_steps[-1]
    cancel_requests(this_visitor(), of=run)
    run.hold()  # also where it is ahead of the picture: the step that is shown is then the one that is saved
    if live:
        watch.last = run.kept_steps[-1]
    watch.begin(watch.last, run)
    state.dismiss_notices()


def step_once(run: Run) -> None:
    """Request one more step."""
    run.recover()
    watch = get_watch(run)
    _set_goal(run, run.goal_after(watch.last), leap=True)


def restart(run: Run) -> None:
    """Return to step 0; the stored steps remain."""
    cancel_requests(this_visitor(), of=run)
    _set_goal(run, 0)
    get_watch(run).last = 0


def _set_goal(run: Run, goal: int, *, leap: bool = False) -> None:
    get_watch(run).begin(goal, run, leap=leap)
    state.put(train_step=None)


def _target(watch: Watch, run: Run) -> int:
    """Return the next step to train to: the goal, then the step whose rows give the axes."""
    return watch.goal if run.current_step < watch.goal else axes_step(run.request.config)


def _wait_for(run: Run, goal: int) -> None:
    """Wait a moment for a few steps, so that a click is answered within one rerun."""
    until = time.monotonic() + _STEP_WAIT
    while run.current_step < goal and not run.is_over and time.monotonic() < until:
        time.sleep(0.01)


def _state(watch: Watch, run: Run) -> State:
    at_end = watch.last == run.kept_steps[-1]
    if run.diverged and at_end:
        return "diverged"
    if watch.last == run.request.config.steps:
        return "done"
    if watch.goal > watch.last and not (run.is_over and at_end):
        return "training"
    return "paused" if watch.last else "fresh"


def _is_default(request: Request) -> bool:
    """Return whether all settings are defaults: such a training starts by itself."""
    usual = all(getattr(request.config, name) == rule.default for name, rule in CONFIG.items())
    return usual and request.corpus == "grammar" and not request.loaded
