"""How far this visitor is in a training: what they want of it, and how much of it they have been shown."""

import math
import time
from dataclasses import dataclass

import streamlit as st

from embedlib.word2vec.history import look_ahead
from ui.jobs.view import this_visitor
from ui.settings import state
from ui.training.recording import Recording, State
from ui.training.request import Request
from ui.training.run import Run
from ui.training.runs import want, want_no_more
from ui.training.settings import CONFIG

SECONDS_BETWEEN = 0.5
# What is trained already is shown at the pace at which the page's own settings train, or nobody could follow it.
_PACE = 18.0  # kept steps in a second: six seconds for a whole run
_LONGEST_LEAP = 4.0  # seconds that are made up for at once, where a page is slow
_STEP_WAIT = 0.3  # seconds in which a step that was asked for mostly is there
_MOST_WATCHES = 30
_WATCHES = "training_watches"
_BEGUN = "training_begun"  # in the session: a training has begun by itself


@dataclass
class Watch:
    """One visitor and one training.

    Attributes:
        goal: the step that they want it to reach.
        last: the newest kept step that they have been shown.
        place: which turn it has, 1 for the next; 0 where it trains or nothing is wanted.
        leap: whether steps on the way to the goal are passed over: a link asks for one step, not for a show.
    """

    goal: int = 0
    last: int = 0
    place: int = 0
    leap: bool = False
    _shown_at: float = -math.inf  # when `last` moved, on the clock
    _since: tuple[float, int] = (0.0, 0)  # when this stretch of training began, and the training's step then

    def begin(self, goal: int, run: Run, *, leap: bool = False) -> None:
        """Want a step, the one in view or one after it."""
        self.goal, self.leap = goal, leap
        self._shown_at, self._since = time.monotonic(), (time.monotonic(), run.at)

    def advance(self, run: Run) -> None:
        """Show more of what is there by now, no faster than eyes follow."""
        if run.at >= self.goal > self.last and self.goal not in run.kept:
            self.goal = run.goal_after(self.goal)  # somebody else's training went past it
        kept = [step for step in run.kept if self.last < step <= self.goal]
        ready = run.at >= look_ahead(run.request.config) or run.over  # it may have begun beyond, elsewhere
        if not kept or not ready:
            return
        now = time.monotonic()
        count = len(kept) if self.leap else int(_PACE * min(now - self._shown_at, _LONGEST_LEAP))
        if count:
            self.last, self._shown_at = kept[min(count, len(kept)) - 1], now

    def seconds_left(self, run: Run) -> float | None:
        """Estimate how long it is to the goal; None where it is too early to tell."""
        began, step = self._since
        passed, to_show = time.monotonic() - began, sum(self.last < kept <= self.goal for kept in run.scheduled)
        shown = 0.0 if self.leap else to_show / _PACE
        if run.over or run.at >= self.goal:
            return shown
        if run.at - step < 10 or passed < 1:
            return None
        return max(shown, passed * (self.goal - run.at) / (run.at - step))


def watch_of(run: Run) -> Watch:
    """Return how far this visitor is; a training that is new to them begins by itself where it should."""
    watches: dict[Request, Watch] = st.session_state.setdefault(_WATCHES, {})
    watch = watches.pop(run.request, None)
    if watch is None:
        watch = Watch()
        asked: int | None = state.get("train_step")
        first = not st.session_state.get(_BEGUN)
        if first and asked is not None:
            steps = run.request.config.steps
            watch.begin(max(min(asked, steps), run.kept[-1]), run, leap=True)
        elif run.begun_at:
            watch.begin(run.begun_at, run, leap=True)
        elif first and _usual(run.request):
            watch.begin(run.request.config.steps, run)
        if not first:
            state.put(train_step=None)  # it was a step of another training
        st.session_state[_BEGUN] = True
    watches[run.request] = watch  # the last used
    while len(watches) > _MOST_WATCHES:
        del watches[next(iter(watches))]
    return watch


def recording_of(run: Run) -> Recording:
    """Return as much of a training as this visitor is to see now, and ask for what they want next."""
    want_no_more(this_visitor(), but=run)  # they have changed what they want
    watch = watch_of(run)
    # A run may have begun anew, or been put back.
    watch.last = max(step for step in run.kept if step <= watch.last)
    if watch.goal:
        watch.place = want(run, _target(watch, run), visitor=this_visitor())
        if watch.leap and run.at < _target(watch, run):
            _wait_for(run, watch.goal)
            want(run, _target(watch, run), visitor=this_visitor())
            _wait_for(run, _target(watch, run))
    watch.advance(run)
    return Recording(run, watch.last, _state(watch, run))


def start(run: Run) -> None:
    """Want all of it."""
    run.recover()
    _begin(run, run.request.config.steps)


def pause(run: Run) -> None:
    """Want no more: what is in view stays, and where that was the newest, the step at which the training now stands."""
    watch = watch_of(run)
    live = watch.last == run.kept[-1]
    want_no_more(this_visitor(), of=run)
    run.hold()  # also where it is ahead of the picture: the step that is said is then the one that is saved
    if live:
        watch.last = run.kept[-1]
    watch.begin(watch.last, run)
    state.dismiss_notices()


def step_on(run: Run) -> None:
    """Want one step more."""
    run.recover()
    watch = watch_of(run)
    _begin(run, run.goal_after(watch.last), leap=True)


def from_the_start(run: Run) -> None:
    """Be at step 0 again, with all still to come."""
    want_no_more(this_visitor(), of=run)
    _begin(run, 0)
    watch_of(run).last = 0


def _begin(run: Run, goal: int, *, leap: bool = False) -> None:
    watch_of(run).begin(goal, run, leap=leap)
    state.put(train_step=None)
    state.dismiss_notices()


def _target(watch: Watch, run: Run) -> int:
    """Return what the training must reach: the goal, whose rows are kept, then the step whose rows give the axes."""
    return watch.goal if run.at < watch.goal else look_ahead(run.request.config)


def _wait_for(run: Run, goal: int) -> None:
    """Wait a moment for a few steps, so that a press of a button is answered in one run of the page."""
    until = time.monotonic() + _STEP_WAIT
    while run.at < goal and not run.over and time.monotonic() < until:
        time.sleep(0.01)


def _state(watch: Watch, run: Run) -> State:
    at_end = watch.last == run.kept[-1]
    if run.diverged and at_end:
        return "diverged"
    if watch.last == run.request.config.steps:
        return "done"
    if watch.goal > watch.last and not (run.over and at_end):
        return "training"
    return "paused" if watch.last else "fresh"


def _usual(request: Request) -> bool:
    """Tell whether nothing was chosen yet: such a training begins by itself."""
    usual = all(getattr(request.config, name) == rule.default for name, rule in CONFIG.items())
    return usual and request.corpus == "grammar" and not request.loaded
