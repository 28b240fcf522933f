"""A job on the page: its progress or queue position, remaining time, and a cancel button."""

from collections.abc import Callable, Hashable
from typing import Any

import streamlit as st

from ui.i18n import _, label_sentence, number
from ui.jobs.job import Job, Report, Result, State
from ui.jobs.presence import new_visitor
from ui.jobs.queue import Jobs, jobs
from ui.jobs.times import rough_duration
from ui.page_runs import fragment

SECONDS_RUNNING = 0.5  # between updates of a running job
SECONDS_WAITING = 2.5  # between updates of a queued job: ten of them at the pace above take half a core


def this_visitor() -> str:
    """Return the name of the session that runs this page, for Jobs.submit."""
    if "visitor" not in st.session_state:
        st.session_state["visitor"] = new_visitor()
    return str(st.session_state["visitor"])


def result_or_progress(
    work: Callable[[Report], Result],
    *,
    job: Hashable,
    title: str,
    key: str,
    failure: Callable[[BaseException], str | None] | None = None,
    queue: Jobs | None = None,
    retry_first: bool = False,
) -> Result | None:
    """Return the result of a background job; until it is there, start it and show progress or failure.

    Args:
        work: as `Jobs.submit` takes it.
        job: the key under which visitors share the work.
        title: as `show_job` takes it, like `key` and `failure`.
        key: of the widgets.
        failure: returns a translated sentence for an exception.
        queue: in which the work waits; `jobs` without it.
        retry_first: whether to restart work that has failed, or that this visitor cancelled, when it is first requested
            under `key`, or after other work: a remote server may answer again by now.

    Returns:
        None before the result is there, which the page shows.
    """
    queue = jobs if queue is None else queue  # an empty queue counts as false
    visitor, asked = this_visitor(), f"{key}_asked"
    if retry_first and st.session_state.get(asked) != job:
        st.session_state[asked] = job
        if (earlier := queue.find(job)) is not None:
            queue.retry(earlier, visitor)
    submitted = queue.submit(job, work, visitor=visitor)
    return submitted.result() if show_job(submitted, title=title, key=key, failure=failure, queue=queue) else None


def show_job(
    job: Job[Any],
    *,
    title: str,
    key: str,
    draw: Callable[[Any], None] | None = None,
    failure: Callable[[BaseException], str | None] | None = None,
    queue: Jobs | None = None,
) -> bool:
    """Show a job while it lives, and rerun the page once it is over; call it in every run until then.

    Another job that was shown under the same key before is cancelled for this visitor.

    Args:
        job: returned by Jobs.submit in this run for `this_visitor()`. A finished one shows nothing.
        title: of the work, translated; markdown, so that foreign text in it goes through `as_code`.
        key: of the widgets.
        draw: shows Job.latest, beneath; called twice a second in a fragment once there is something to show.
        failure: returns a translated sentence for an exception; None if it has drawn a remedy itself. Without it, the
            page says that the work failed.
        queue: whose job it is; `jobs` without it.

    Returns:
        Whether it was done, and nothing was shown. Use this rather than the job's state: the job may finish right after
        it was shown, and its result would be drawn below its progress.
    """
    retry = (jobs if queue is None else queue).retry
    visitor = this_visitor()
    before: Job[Any] | None = st.session_state.get(f"{key}_job")
    if before is not None and before is not job and before.key != job.key:
        before.cancel(visitor)
    if job.alive:
        st.session_state[f"{key}_job"] = job
    else:
        st.session_state.pop(f"{key}_job", None)  # a session must not hold on to results
    if job.state == "done":
        return True
    if job.is_cancelled_by(visitor):
        st.info(_("{title}: stopped.").format(title=title))
        st.button(_("Start again"), key=f"{key}_again", on_click=retry, args=(job, visitor))
    elif job.state == "failed":
        assert job.error is not None
        sentence = failure(job.error) if failure else _("{title}: failed.").format(title=title)
        if sentence is not None:
            st.error(sentence)
            st.button(_("Try again"), key=f"{key}_again", on_click=retry, args=(job, visitor))
    else:
        state = job.state
        every = SECONDS_WAITING if state == "queued" else SECONDS_RUNNING
        fragment(_live, run_every=every)(job, state, visitor, title, key, draw)
    return False


def _live(job: Job[Any], state: State, visitor: str, title: str, key: str, draw: Callable[[Any], None] | None) -> None:
    """Draw the job's progress; rerun the page once its state changes."""
    if job.state != state or job.is_cancelled_by(visitor):
        st.rerun()
    job.add_waiter(visitor)
    bar, stop = st.columns([5, 1], vertical_alignment="center")
    bar.progress(job.share, text=label_sentence(title, _progress_text(job)))
    stop.button(_("Cancel"), key=f"{key}_cancel", on_click=job.cancel, args=(visitor,))
    if draw is not None and (latest := job.latest) is not None:  # None again at the moment when it is done
        draw(latest)


def _progress_text(job: Job[Any]) -> str:
    position = job.queue_position
    if position:
        return _("number {place} in the queue").format(place=position)
    if not job.share:
        return _("preparing")
    seconds = job.seconds_left
    share = int(100 * job.share) / 100  # all of it only once it is done
    if seconds is None:
        return number(share, ".0%")
    return _("{share:.0%}, {time} left").format(share=share, time=rough_duration(seconds))
