import threading
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from tests.messages import message
from tests.waiting import PATIENCE
from ui.jobs import queue as jobs
from ui.jobs import view as job_view
from ui.jobs.job import Report

gate = threading.Event()
reported = threading.Event()


def work(report: Report) -> str:
    report(0.25, "so far")
    reported.set()
    while not gate.wait(0.01):
        report(0.25)
    return "found"


def page() -> None:
    import streamlit as st

    from tests.ui.jobs import test_view as test_job_view
    from ui.jobs.queue import jobs
    from ui.jobs.view import show_job, this_visitor

    wanted = st.text_input("wanted", "one", key="wanted")
    job = jobs.submit(("test", wanted), test_job_view.chosen[0], visitor=this_visitor())
    if job.state == "done":
        st.write(job.result())
    show_job(job, title="Mapping", key="map", draw=st.write, failure=lambda error: "No such luck.")


chosen = [work]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    own = jobs.Jobs(at_once=1, patience=1e6)
    monkeypatch.setattr(jobs, "jobs", own)
    monkeypatch.setattr(job_view, "jobs", own)
    chosen[0] = work
    gate.clear()
    reported.clear()
    yield
    gate.set()
    own.stop(PATIENCE)


def opened() -> AppTest:
    return AppTest.from_function(page, default_timeout=PATIENCE).run()


def progress(app: AppTest) -> list[tuple[int, str]]:
    return [(bar.proto.value, bar.proto.text) for bar in app.get("progress")]


def the_job(wanted: str = "one") -> "jobs.Job[object]":
    return jobs.jobs._jobs["test", wanted]


def test_a_job_shows_how_far_it_is_and_what_there_is_then_the_result_alone() -> None:
    opened()
    assert reported.wait(PATIENCE)
    app = opened()
    assert progress(app) == [(25, "Mapping: 25%")]
    assert [element.value for element in app.markdown] == ["so far"]
    gate.set()
    assert the_job().over.wait(PATIENCE)
    app.run()
    assert not app.exception
    assert progress(app) == []
    assert [element.value for element in app.markdown] == ["found"]
    assert len(app.button) == 0


def ends_meanwhile() -> None:
    import streamlit as st

    from tests.ui.jobs import test_view as test_job_view
    from ui.jobs.queue import jobs
    from ui.jobs.view import show_job, this_visitor

    job = jobs.submit(("test", "one"), test_job_view.work, visitor=this_visitor())

    def draw(latest: str) -> None:
        test_job_view.gate.set()
        assert job.over.wait(test_job_view.PATIENCE)
        st.text_input(latest, key="what it makes")

    test_job_view.reported.wait(test_job_view.PATIENCE)
    if show_job(job, title="Mapping", key="map", draw=draw):
        st.text_input(job.result(), key="what it makes")


def test_a_job_that_ends_while_it_is_drawn_shows_its_result_in_the_next_run() -> None:
    app = AppTest.from_function(ends_meanwhile, default_timeout=PATIENCE).run()
    assert not app.exception
    assert [field.label for field in app.text_input] == ["so far"]
    app.run()
    assert not app.exception
    assert [field.label for field in app.text_input] == ["found"]


def test_cancel_stops_it_and_start_again_starts_it() -> None:
    app = opened()
    job = the_job()
    assert reported.wait(PATIENCE)
    app.button(key="map_cancel").click().run()
    assert job.over.wait(PATIENCE)
    app.run()
    assert [info.value for info in app.info] == [message("{title}: stopped.", title="Mapping")]
    app.run()
    assert the_job() is job
    app.button(key="map_again").click().run()
    assert the_job() is not job
    assert the_job().alive
    assert len(app.info) == 0


def test_whoever_wants_something_else_no_longer_wants_what_was_before() -> None:
    app = opened()
    job = the_job()
    app.text_input(key="wanted").set_value("two").run()
    assert job.over.wait(PATIENCE)
    assert job.state == "cancelled"
    assert the_job("two").alive


def test_who_waits_is_told_their_place() -> None:
    first = opened()
    second = opened()
    second.text_input(key="wanted").set_value("two").run()
    assert progress(second) == [(0, f"Mapping: {message('number {place} in the queue', place=1)}")]
    assert not first.exception


def test_a_failure_is_one_sentence_and_can_be_tried_again() -> None:
    def fail(report: Report) -> str:
        raise ValueError("a traceback of no use")

    chosen[0] = fail
    app = opened()
    job = the_job()
    assert job.over.wait(PATIENCE)
    app.run()
    assert [error.value for error in app.error] == ["No such luck."]
    chosen[0] = work
    app.button(key="map_again").click().run()
    assert the_job() is not job
    assert len(app.error) == 0
