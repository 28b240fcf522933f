import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from embedlib.progress import Cancelled
from tests.waiting import PATIENCE
from ui.jobs import queue
from ui.jobs.job import Job, Report
from ui.jobs.queue import Jobs, forget_quick_results
from ui.page_runs import page_runs


class Clock:
    """Time that passes when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


class Work:
    """Work that goes one report further whenever it is let, and tells when it began."""

    def __init__(self, result: object = "result") -> None:
        self.result = result
        self.runs = 0
        self.began = threading.Event()
        self.reported = threading.Event()
        self._go = threading.Semaphore(0)
        self._steps: list[tuple[float, object]] = []

    def __call__(self, report: Report) -> object:
        self.runs += 1
        self.began.set()
        while self._go.acquire(timeout=PATIENCE) and self._steps:
            report(*self._steps.pop(0))
            self.reported.set()
        return self.result

    def step(self, share: float, latest: object = None) -> None:
        """Let it report."""
        self.reported.clear()
        self._steps.append((share, latest))
        self._go.release()

    def told(self, share: float, latest: object = None) -> None:
        """Let it report, and wait until it has."""
        self.step(share, latest)
        assert self.reported.wait(PATIENCE)

    def end(self) -> None:
        """Let it return."""
        self._go.release()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(clock: Clock) -> Iterator[Callable[..., Jobs]]:
    made: list[Jobs] = []

    def make(**settings: object) -> Jobs:
        made.append(Jobs(clock=clock, **settings))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for jobs in made:
        jobs.stop(0)


def over(job: Job[object]) -> None:
    assert job.over.wait(PATIENCE)


def test_work_lets_pages_go_first_for_four_times_as_long_as_it_took_or_half_a_second(
    make: Callable[..., Jobs], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken, waited = iter([10.0, 10.0625, 10.125, 11.0, 12.0]), list[float]()
    monkeypatch.setattr("ui.jobs.job.time.thread_time", lambda: next(taken))
    monkeypatch.setattr(page_runs, "wait_until_idle", waited.append)

    def work(report: Report) -> None:
        report(0.5)
        report(0.9)

    job = make().submit("key", work, visitor="one")
    over(job)
    assert job.state == "done"
    assert waited == [0.25, 0.5]


def test_work_runs_on_another_thread_and_tells_how_far_it_is(make: Callable[..., Jobs], clock: Clock) -> None:
    work = Work(result=[1, 2])
    job = make().submit("key", work, visitor="a")
    assert work.began.wait(PATIENCE)
    assert (job.state, job.share, job.latest, job.seconds_left) == ("running", 0.0, None, None)
    with pytest.raises(RuntimeError, match="state='running': the result is there once it is 'done'"):
        job.result()
    work.told(0.2, "first")
    clock.now += 3
    work.told(0.5, "second")
    assert (job.share, job.latest) == (0.5, "second")
    assert job.seconds_left == pytest.approx(5.0)  # 0.3 took three seconds, 0.5 are left
    work.told(0.4)
    assert (job.share, job.latest) == (0.5, "second")
    work.end()
    over(job)
    assert (job.state, job.share, job.result()) == ("done", 1.0, [1, 2])


def test_one_visitor_has_only_so_many_turns_at_once_and_the_rest_are_left_to_others(make: Callable[..., Jobs]) -> None:
    jobs = make(at_once=3, each=2)
    works = [Work() for _ in range(4)]
    many = [jobs.submit(f"many {number}", work, visitor="many") for number, work in enumerate(works)]
    assert [job.state for job in many] == ["running", "running", "queued", "queued"]
    other = jobs.submit("other", Work(), visitor="other")
    assert other.state == "running"
    assert jobs.submit("many 2", Work(), visitor="other").state == "queued"
    works[0].end()
    assert works[2].began.wait(PATIENCE)
    assert [job.state for job in many] == ["done", "running", "running", "queued"]


def test_who_asks_for_the_same_shares_one_run_and_finds_the_result_kept(make: Callable[..., Jobs]) -> None:
    jobs, work = make(), Work()
    job = jobs.submit("key", work, visitor="a")
    assert jobs.submit("key", Work(), visitor="b") is job
    work.end()
    over(job)
    assert jobs.submit("key", Work(), visitor="c") is job
    assert work.runs == 1


def test_visitors_take_turns_however_much_one_of_them_asks_for(make: Callable[..., Jobs]) -> None:
    jobs, begun = make(at_once=1), []
    hold = Work()
    first = jobs.submit("hold", hold, visitor="many")

    def note(name: str) -> Callable[[Report], None]:
        return lambda report: begun.append(name)

    asked = [("many", "m1"), ("many", "m2"), ("many", "m3"), ("b", "b1"), ("c", "c1"), ("b", "b2")]
    waiting = [jobs.submit(name, note(name), visitor=visitor) for visitor, name in asked]
    assert [job.state for job in waiting] == ["queued"] * 6
    assert [job.queue_position for job in waiting] == [3, 5, 6, 1, 2, 4]
    assert [job.key for job in jobs.alive()] == ["hold", "b1", "c1", "m1", "b2", "m2", "m3"]
    assert first.queue_position == 0
    hold.end()
    for job in waiting:
        over(job)
    assert begun == ["b1", "c1", "m1", "b2", "m2", "m3"]


def test_two_who_ask_for_six_each_are_served_in_turn_and_share_what_both_want(make: Callable[..., Jobs]) -> None:
    jobs, begun = make(at_once=1, patience=None), []
    hold = Work()

    def ask(visitor: str, names: list[str]) -> list[Job[object]]:
        return [jobs.submit(name, lambda report, name=name: begun.append(name), visitor=visitor) for name in names]

    first = jobs.submit("a0", hold, visitor="a")
    asked = ask("a", ["a1", "a2", "shared", "a4", "a5"]) + ask("b", ["b0", "b1", "shared", "b3", "b4", "b5"])
    hold.end()
    for job in [first, *asked]:
        over(job)
    assert begun == ["shared", "a1", "b0", "a2", "b1", "a4", "b3", "a5", "b4", "b5"]


def test_a_stream_of_newcomers_does_not_keep_out_who_waits(make: Callable[..., Jobs]) -> None:
    jobs, works = make(at_once=1), {name: Work() for name in ("a0", "a1", "b", "c")}
    asked = [jobs.submit(name, works[name], visitor="a") for name in ("a0", "a1")]
    asked.append(jobs.submit("b", works["b"], visitor="b"))
    works["a0"].end()
    assert works["b"].began.wait(PATIENCE)
    asked.append(jobs.submit("c", works["c"], visitor="c"))
    assert [job.key for job in jobs.alive()] == ["b", "a1", "c"]
    for work in works.values():
        work.end()
    for job in asked:
        over(job)


def test_what_is_kept_is_found_without_asking_for_it(make: Callable[..., Jobs]) -> None:
    jobs, work = make(kept=2), Work()
    assert jobs.find("key") is None
    job = jobs.submit("key", work, visitor="a")
    assert jobs.find("key") is job
    work.end()
    over(job)
    over(jobs.submit("other", lambda report: None, visitor="a"))
    assert jobs.find("key") is job  # and so it is no longer the longest unused
    over(jobs.submit("third", lambda report: None, visitor="a"))
    over(jobs.submit("fourth", lambda report: None, visitor="a"))
    assert jobs.find("other") is None


def test_no_more_run_at_once_than_was_said(make: Callable[..., Jobs]) -> None:
    jobs, works = make(at_once=2), [Work() for _ in range(3)]
    running = [jobs.submit(number, work, visitor=f"v{number}") for number, work in enumerate(works)]
    assert works[0].began.wait(PATIENCE)
    assert works[1].began.wait(PATIENCE)
    assert [job.state for job in running] == ["running", "running", "queued"]
    works[1].end()
    assert works[2].began.wait(PATIENCE)
    works[0].end()
    works[2].end()
    for job in running:
        over(job)


def test_cancelling_stops_at_the_next_report_and_lets_the_next_begin(make: Callable[..., Jobs]) -> None:
    jobs, work, other = make(at_once=1), Work(), Work()
    job = jobs.submit("key", work, visitor="a")
    behind = jobs.submit("other", other, visitor="b")
    assert work.began.wait(PATIENCE)
    job.cancel("a")
    assert job.state == "cancelled"
    assert behind.state == "queued"
    work.step(0.5)
    over(job)
    assert not work.reported.is_set()
    with pytest.raises(Cancelled):
        job.result()
    assert other.began.wait(PATIENCE)
    other.end()
    over(behind)


def test_what_is_cancelled_in_the_queue_never_begins(make: Callable[..., Jobs]) -> None:
    jobs, hold, work = make(at_once=1), Work(), Work()
    running = jobs.submit("hold", hold, visitor="a")
    job = jobs.submit("key", work, visitor="a")
    job.cancel("a")
    assert job.state == "cancelled"
    assert job.queue_position == 0
    hold.end()
    over(running)
    over(job)
    assert work.runs == 0


def test_cancelling_does_not_take_it_from_another_visitor(make: Callable[..., Jobs]) -> None:
    jobs, work = make(), Work()
    job = jobs.submit("key", work, visitor="a")
    jobs.submit("key", work, visitor="b")
    job.cancel("a")
    assert jobs.submit("key", work, visitor="a") is job
    assert job.is_cancelled_by("a")
    assert job.waiting_visitors() == ["b"]
    work.told(0.5)
    assert job.state == "running"
    job.cancel("b")
    work.step(0.6)
    over(job)
    assert job.state == "cancelled"


def test_what_a_visitor_cancelled_begins_anew_when_they_or_others_ask(make: Callable[..., Jobs]) -> None:
    jobs, work = make(), Work()
    job = jobs.submit("key", work, visitor="a")
    job.cancel("a")
    assert jobs.submit("key", work, visitor="a") is job
    jobs.retry(job, "a")
    again = jobs.submit("key", work, visitor="a")
    assert again is not job
    again.cancel("a")
    of_b = jobs.submit("key", work, visitor="b")
    assert of_b is not again
    assert of_b.is_cancelled_by("a")
    assert of_b.alive


def test_a_visitor_whose_page_is_gone_no_longer_counts(make: Callable[..., Jobs], clock: Clock) -> None:
    jobs, work = make(patience=10), Work()
    job = jobs.submit("key", work, visitor="a")
    jobs.submit("key", work, visitor="b")
    clock.now += 8
    job.add_waiter("b")
    clock.now += 8
    work.told(0.5)
    assert job.waiting_visitors() == ["b"]
    clock.now += 3
    work.step(0.6)
    over(job)
    assert job.state == "cancelled"
    assert not job.is_cancelled_by("b")
    assert jobs.submit("key", work, visitor="b") is not job


def test_what_nobody_waits_for_any_more_leaves_the_queue(make: Callable[..., Jobs], clock: Clock) -> None:
    jobs, hold, work = make(at_once=1, patience=10), Work(), Work()
    running = jobs.submit("hold", hold, visitor="a")
    job = jobs.submit("key", work, visitor="gone")
    clock.now += 11
    running.add_waiter("a")
    hold.end()
    over(running)
    over(job)
    assert (running.state, job.state, work.runs) == ("done", "cancelled", 0)


def test_who_leaves_ends_the_work_at_its_next_report_however_patient_it_is(
    make: Callable[..., Jobs], clock: Clock
) -> None:
    here = {"a", "b"}
    jobs, work, behind = make(at_once=1, patience=None, is_here=here.__contains__), Work(), Work()
    job = jobs.submit("key", work, visitor="a")
    jobs.submit("key", work, visitor="b")
    waiting = jobs.submit("behind", behind, visitor="a")
    clock.now += 1e6
    work.told(0.2)
    here.remove("a")
    clock.now += 0.6
    work.told(0.4)
    assert job.waiting_visitors() == ["b"]
    assert waiting.waiting_visitors() == []
    here.clear()
    clock.now += 0.6
    work.step(0.6)
    over(job)
    over(waiting)
    assert (job.state, waiting.state, behind.runs) == ("cancelled", "cancelled", 0)


def test_a_connection_that_is_back_at_once_finds_its_work_going_on(make: Callable[..., Jobs], clock: Clock) -> None:
    here = {"a"}
    work = Work()
    job = make(is_here=here.__contains__).submit("key", work, visitor="a")
    work.told(0.1)
    here.clear()
    clock.now += 0.4
    work.told(0.2)
    here.add("a")
    clock.now += 0.4
    work.told(0.3)
    here.clear()
    clock.now += 0.4
    work.told(0.4)
    clock.now += 0.2
    work.step(0.5)
    over(job)
    assert (job.state, job.share) == ("cancelled", 0.4)


def test_a_failure_is_logged_once_and_stays_until_somebody_tries_again(
    make: Callable[..., Jobs], monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = make()

    def fail(report: Report) -> None:
        raise ValueError("not today")

    logged: list[object] = []
    monkeypatch.setattr(queue._log, "error", lambda _sentence, *, exc_info: logged.append(exc_info))
    job = jobs.submit("key", fail, visitor="a")
    over(job)
    assert jobs.submit("key", fail, visitor="b") is job
    assert job.state == "failed"
    assert logged == [job.error]
    with pytest.raises(ValueError, match="not today"):
        job.result()
    jobs.retry(job, "a")
    again = jobs.submit("key", lambda report: "done", visitor="a")
    over(again)
    assert again.result() == "done"


@pytest.mark.parametrize(("limits", "kept"), [({"kept": 2}, [1, 3]), ({"kept_bytes": 250}, [1, 3])])
def test_the_longest_unused_results_go_first(
    make: Callable[..., Jobs], limits: dict[str, int], kept: list[int]
) -> None:
    jobs, runs = make(**limits), []

    def ask(key: int) -> None:
        over(jobs.submit(key, lambda report: runs.append(key) or np.zeros(100, np.uint8), visitor="a"))  # type: ignore[func-returns-value]

    for key in (1, 2, 1, 3):
        ask(key)
    assert len(jobs) == 2
    for key in kept:
        ask(key)
    assert runs == [1, 2, 3]
    ask(2)
    assert runs == [1, 2, 3, 2]


def test_a_result_larger_than_the_limit_is_kept_alone(make: Callable[..., Jobs]) -> None:
    jobs = make(kept_bytes=10)
    for key in (1, 2):
        job = jobs.submit(key, lambda report: np.zeros(100), visitor="a")
        over(job)
    assert len(jobs) == 1
    assert jobs.submit(2, Work(), visitor="a") is job


def test_the_work_and_what_it_holds_are_let_go_when_it_is_over(make: Callable[..., Jobs]) -> None:
    import weakref

    work = Work()
    gone = weakref.ref(work)
    job = make().submit("key", work, visitor="a")
    work.end()
    over(job)
    del work
    assert gone() is None


@pytest.mark.parametrize("is_quick", [False, True])
def test_results_that_are_soon_there_again_are_forgotten_when_nobody_is_left(
    make: Callable[..., Jobs], is_quick: bool
) -> None:
    jobs, done, running = make(at_once=1, is_quick=is_quick), Work(), Work()
    first = jobs.submit("done", done, visitor="a")
    done.end()
    over(first)
    second = jobs.submit("running", running, visitor="b")
    forget_quick_results()
    assert (jobs.find("done"), jobs.find("running")) == (None if is_quick else first, second)


def test_stopping_ends_what_runs_and_what_waits(make: Callable[..., Jobs]) -> None:
    jobs, work, other = make(at_once=1), Work(), Work()
    job = jobs.submit("key", work, visitor="a")
    waiting = jobs.submit("other", other, visitor="b")
    assert work.began.wait(PATIENCE)
    jobs.stop(0)
    assert (job.state, waiting.state) == ("cancelled", "cancelled")
    work.step(0.5)
    jobs.stop(PATIENCE)
    over(job)
    assert not work.reported.is_set()
    assert other.runs == 0
