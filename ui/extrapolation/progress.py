"""Pending runs of a visitor: their progress, and the time they will take."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from statistics import median

import streamlit as st

from embedlib.cluster import CLUSTER_ERRORS, ClusterError
from embedlib.extrapolation import EXPERIMENTS, Size, Task, Unit
from embedlib.tables import fill_sentence
from ui import cache
from ui.cache.bounded import memo
from ui.extrapolation.lines import unit_label
from ui.extrapolation.outcomes import measured, runs, trained_here, unit_work
from ui.extrapolation.request import Request
from ui.extrapolation.results import Results, missing_units
from ui.i18n import _, separator
from ui.jobs import SECONDS_RUNNING, SECONDS_WAITING, Job, rough_duration, this_visitor
from ui.markdown import as_code
from ui.page_runs import fragment
from ui.settings import state
from ui.shared.scores import shipped_runs

_KEY = "extrapolation_wishes"
MOST_SECONDS = 30 * 60  # per request, at the reference pace: the limit does not depend on the server's load
_SCORING = 0.1  # what scoring takes of a run of the usual length
_UNKNOWN = 10.0  # seconds of a run like none that ships
_DEAREST = 2.0  # times the quickest run of its kind: what took longer shared its processor with other work
_PACES = 0.25, 4.0  # within which a pace is believed
_HEIGHT, _MOST = 40, 150


@dataclass
class PendingRuns:
    """Pending runs of a visitor, each with its task; how many were requested, and which failed.

    Attributes:
        fault: what the cluster lacked where one failed for that.
        here: whether the reader has chosen to train here instead.
    """

    pending: dict[Unit, Task] = field(default_factory=dict)
    n_requested: int = 0
    failed: list[Unit] = field(default_factory=list)
    fault: ClusterError | None = None
    here: bool = False

    @property
    def n_over(self) -> int:
        """Number of runs that are finished or failed."""
        return self.n_requested - len(self.pending)


def show_pending_runs(request: Request, results: Results) -> None:
    """Offer to train missing runs and show their progress; list runs that failed or diverged."""
    mine = resubmit_pending()
    _show_cluster_fault(mine)
    if mine.failed and mine.fault is None:
        sentence = _("These runs have failed: {runs}. Choose fewer of them.")
        st.error(sentence.format(runs=separator("; ").join(map(unit_label, mine.failed))))
    if mine.pending:
        is_running = bool(_running_jobs(mine))
        every = SECONDS_RUNNING if is_running else SECONDS_WAITING
        fragment(_live_progress, run_every=every)(mine.n_over, is_running)
    if missing := [unit for unit in missing_units(request) if unit not in mine.pending]:
        _offer_training(request, missing)
    _list_diverged(results)


def _show_cluster_fault(mine: PendingRuns) -> None:
    """Show what the cluster lacks, with a button to train without it."""
    if mine.fault is not None:
        st.error(fill_sentence(_(CLUSTER_ERRORS[mine.fault.code]), mine.fault.values, quote=as_code))
    if mine.fault is not None or mine.here:
        mine.here = st.toggle(_("Train without the cluster"), mine.here, key="ext_without_cluster")


def train_again(request: Request, results: Results) -> None:
    """Offer to train the shipped runs again on this server."""
    if resubmit_pending().pending or request.here or results.missing or request.size != "small":
        return
    again = [unit for unit in request.units if unit in shipped_runs() and trained_here(unit) is None]
    if again and total_seconds(again) <= MOST_SECONDS:
        label = _("Train {count} runs here ({time})")
        _train_button(label, again, request, again=True)


def no_results_sentence(results: Results) -> str:
    """Return a sentence on why there are no results: no run has ended, or all diverged."""
    if not results.missing:
        return _("These runs have diverged.")
    return _("These runs are not trained yet.")


def _offer_training(request: Request, missing: list[Unit]) -> None:
    """Offer to train runs, unless that would take too long."""
    count = len(missing)
    if request.size != "small":
        sentence = _("{count} of these runs are not available: choose the smaller decoder (in Settings).")
        st.info(sentence.format(count=count))
    elif (work := total_seconds(missing)) > MOST_SECONDS:
        sentence = _(
            "{count} runs would take {time}; {most} minutes are the most. Choose fewer schemes, runs or steps."
        )
        st.warning(sentence.format(count=count, time=rough_duration(work), most=MOST_SECONDS // 60))
    else:
        label = _("Train {count} runs here ({time})")
        _train_button(label, missing, request, again=False)


def _train_button(label: str, units: list[Unit], request: Request, *, again: bool) -> None:
    st.button(
        label.format(count=len(units), time=rough_duration(sum(map(run_seconds, units)))),
        key="ext_again" if again else "ext_train",
        type="tertiary" if again else "primary",
        icon=":material/model_training:",
        on_click=_on_train,
        args=(units, request, again),
    )


def _on_train(units: list[Unit], request: Request, again: bool) -> None:
    if again:
        state.put(ext_runs="here")
    start_runs(units, request)


def _running_jobs(mine: PendingRuns) -> list[Job[object]]:
    return [job for job in runs.alive() if job.state == "running" and job.key in mine.pending]


def _live_progress(n_over: int, is_running: bool) -> None:
    """Show progress; rerun the page when a run ends, and when the first starts."""
    mine = resubmit_pending()
    alive, begun = runs.alive(), _running_jobs(mine)
    if mine.n_over != n_over or not mine.pending or (begun and not is_running):
        st.rerun()
    running = next(iter(begun), None)
    with st.container(border=True):
        words, stop = st.columns([4, 1], vertical_alignment="center")
        share = (mine.n_over + sum(job.share for job in begun)) / mine.n_requested
        words.progress(min(share, 1.0), text=_progress_sentence(mine, running, alive))
        label = _("Cancel")
        stop.button(label.format(count=len(mine.pending)), key="ext_cancel", on_click=cancel, width="stretch")
        if running is not None and running.latest:
            losses = list(running.latest)
            label = _("The loss was {first:.2f} at first and is {last:.3f} now.")
            st.html(sparkline(losses, label=label.format(first=losses[0], last=losses[-1])))
        st.caption(_queue_sentence(mine, alive))


def _progress_sentence(mine: PendingRuns, running: Job[object] | None, alive: list[Job[object]]) -> str:
    """Return a sentence on the run in training and its progress, or on the queue before the next one."""
    time = _("{time} left").format(time=rough_duration(seconds_left(mine.pending)))
    of_all = _("{done} of {all} runs done").format(done=mine.n_over, all=mine.n_requested)
    if running is None:
        queue = [job.key for job in alive if job.state == "queued"]
        place = next((place for place, unit in enumerate(queue, 1) if unit in mine.pending), 1)
        return separator("; ").join([of_all, time, _("number {place} in the queue").format(place=place)])
    unit = running.key
    assert isinstance(unit, Unit)
    losses = running.latest or []
    if not losses:
        how = _("starting")
    elif len(losses) < unit.n_steps:
        how = _("step {step} of {steps}, loss {loss:.3f}").format(step=len(losses), steps=unit.n_steps, loss=losses[-1])
    else:
        how = _("testing")
    title = _(EXPERIMENTS[unit.experiment].title)
    return _("{of_all}, {time}. {experiment}, {run}: {how}").format(
        of_all=of_all, time=time, experiment=title, run=unit_label(unit), how=how
    )


def _queue_sentence(mine: PendingRuns, alive: list[Job[object]]) -> str:
    me = this_visitor()
    others = {visitor for job in alive for visitor in job.waiting_visitors()} - {me}
    sentences = []
    of_each = Counter(unit.experiment for unit in mine.pending)
    if len(of_each) > 1:
        named = separator(", ").join(f"{_(EXPERIMENTS[name].title)} {count}" for name, count in of_each.items())
        sentences.append(_("Runs still to come: {runs}.").format(runs=named))
    if others:
        sentence = _("Other visitors are waiting ({count}); the runs take turns.")
        sentences.append(sentence.format(count=len(others)))
    sentences.append(_("The runs go on as long as this tab is open, also while you look at other pages."))
    return separator(" ").join(sentences)


def _list_diverged(results: Results) -> None:
    """List the runs that diverged, with the remedy."""
    units = list({one.unit: one for one in results.diverged.values()}.values())
    if not units:
        return
    named = separator("; ").join(
        _("{run} at step {step}, loss {loss:.3g}").format(run=unit_label(one.unit), step=one.step, loss=one.loss)
        for one in units
    )
    sentence = _(
        "These runs have diverged, that is, their loss grew without bound: {runs}. Set a learning rate below {rate:g}, "
        "such as {usual:g}."
    )
    usual = results.request.shape.learning_rate
    st.warning(sentence.format(runs=named, rate=units[0].unit.learning_rate, usual=usual))


def start_runs(units: Iterable[Unit], request: Request) -> None:
    """Start runs; those that were cancelled or failed start again."""
    mine, visitor = _pending_runs(), this_visitor()
    mine.failed.clear()
    mine.fault = None
    for unit in units:
        if unit not in mine.pending:
            mine.n_requested += 1
            mine.pending[unit] = request.task()
            job = runs.find(unit)
            if job is not None:
                runs.retry(job, visitor)
    resubmit_pending()


def resubmit_pending() -> PendingRuns:
    """Return this visitor's pending runs without finished ones; resubmit those whose job was lost.

    Jobs that ended while the visitor's connection was lost are submitted again.
    """
    mine, visitor = _pending_runs(), this_visitor()
    for unit, task in list(mine.pending.items()):
        job = runs.find(unit)
        if job is not None and (job.is_cancelled_by(visitor) or job.state in ("done", "failed")):
            del mine.pending[unit]
            if job.state == "failed":
                mine.failed.append(unit)
                mine.fault = job.error if isinstance(job.error, ClusterError) else mine.fault
        elif job is None or not job.alive or visitor not in job.waiting_visitors():
            runs.submit(unit, unit_work(unit, task, cache.device().device, here=mine.here), visitor=visitor)
    if not mine.pending:
        mine.n_requested = 0
    return mine


def cancel() -> None:
    """Cancel this visitor's pending runs; finished ones stay."""
    mine, visitor = _pending_runs(), this_visitor()
    for unit in list(mine.pending):  # in one step: a run that is stopped may still take some out
        job = runs.find(unit)
        if job is not None:
            job.cancel(visitor)
    mine.pending.clear()
    mine.n_requested = 0


def _pending_runs() -> PendingRuns:
    return st.session_state.setdefault(_KEY, PendingRuns())  # type: ignore[no-any-return]


def run_seconds(unit: Unit) -> float:
    """Estimate how long a run takes here when nobody else trains."""
    return _reference_seconds(unit) * _pace()


def total_seconds(units: Iterable[Unit]) -> float:
    """Return the seconds that runs take one after the other on a machine like the one they shipped from."""
    return sum(map(_reference_seconds, units))


def seconds_left(pending: Iterable[Unit]) -> float:
    """Estimate the seconds until the last of the pending runs ends, with the queue of all visitors."""
    wanted, total, left = set(pending), 0.0, 0.0
    for job in runs.alive():
        unit = job.key
        assert isinstance(unit, Unit)
        total += run_seconds(unit) * (1 - job.share)
        if unit in wanted:
            left = total
    return left / runs.at_once


def _pace() -> float:
    """Return the ratio of seconds here to those of the shipped runs: the median, 1 before any run."""
    paces = [seconds / _reference_seconds(unit) for unit, seconds in measured]
    return min(max(median(paces), _PACES[0]), _PACES[1]) if paces else 1.0


def _reference_seconds(unit: Unit) -> float:
    share = unit.n_steps / unit.shape.n_steps
    return usual_seconds(unit.experiment, unit.scheme, unit.size) * (_SCORING + (1 - _SCORING) * share)


@memo()
def usual_seconds(experiment: str, scheme: str, size: Size) -> float:
    """Return the seconds of the fastest shipped run like this one; at most twice those of its shape."""
    known = [one for one in shipped_runs().values() if one.unit.size == size]
    shape = EXPERIMENTS[experiment].shapes[size]
    alike = [one for one in known if one.unit.shape == shape] or known
    same = [one for one in alike if (one.unit.experiment, one.unit.scheme) == (experiment, scheme)] or alike
    if not same:
        return _UNKNOWN
    quickest, own = (min(one.provenance.seconds for one in among) for among in (alike, same))
    return min(own, _DEAREST * quickest)


def sparkline(values: Sequence[float], *, label: str) -> str:
    """Return numbers, at least one, as a small area chart in HTML, from 0 up."""
    step = max(1, len(values) // _MOST)
    heights = [value for value in [*values[::step], values[-1]] if math.isfinite(value)]
    top = max(heights, default=0.0) or 1.0
    across = 100 / max(len(heights) - 1, 1)
    points = [f"{number * across:.1f}% {100 - 96 * max(value, 0.0) / top:.1f}%" for number, value in enumerate(heights)]
    ground = ",".join([*points, "100% 100%", "0% 100%"])
    # Streamlit takes drawings out of HTML, and leaves a box and its outline in.
    return (
        f'<div role="img" aria-label="{escape(label)}" style="height:{_HEIGHT}px;background:currentColor;opacity:0.45;'
        f'clip-path:polygon({ground})"></div>'
    )
