"""Runs that are sent to a scheduler and a worker of two threads on loopback, and a page that goes on without them."""

import os
from collections.abc import Iterator
from functools import partial

import pytest
import torch
from streamlit.testing.v1 import AppTest

from bench.cluster import LocalCluster, local_cluster
from embedlib.cluster import Cluster
from embedlib.extrapolation import FinishedUnit, Unit
from tests.messages import wording
from tests.ui.extrapolation.test_page import ORIGIN, finished, keys, opened, press, progress
from tests.ui.pages import says, sentences
from tests.waiting import PATIENCE, wait_until
from ui.extrapolation import outcomes
from ui.jobs import cluster as connection

if not os.environ.get("EMBEDDING_EXPLORER_REQUIRE_CLUSTER"):
    pytest.importorskip("distributed", reason="the package distributed is not installed: requirements-dev.txt has it")

pytestmark = pytest.mark.thorough  # a scheduler of its own: tests/embedlib/cluster has one by default

LOST = "{address} does not answer:…"
UNREACHABLE = "{address} does not answer:…"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    with local_cluster(1, tmp_path_factory.mktemp("cluster"), n_threads=2) as local:
        yield local


@pytest.fixture(autouse=True)
def named(local: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The server is told of the cluster; what it would train itself is said and not done."""

    def run_unit(unit: Unit, *args: object, **more: object) -> FinishedUnit:
        return finished(unit, machine="this server")

    monkeypatch.setenv(connection.ADDRESS, local.address)
    monkeypatch.setattr(outcomes, "run_unit", run_unit)
    yield
    outcomes.runs.stop(PATIENCE)
    outcomes.runs._jobs.clear()
    outcomes.measured.clear()
    connection.disconnect()


def running() -> list[object]:
    return [job.key for job in outcomes.runs.alive() if job.state == "running"]


def train(schemes: str, steps: int) -> AppTest:
    return press(opened(ext_schemes=schemes, ext_seeds="1", ext_steps=str(steps)), "ext_train")


def test_as_many_runs_as_workers_have_threads_go_at_once_tell_how_far_they_are_and_can_be_cancelled() -> None:
    app = train("none,rope,alibi", 2_000)
    wait_until(lambda: len(running()) == 2)  # the third waits its turn
    wait_until(lambda: all(job.latest for job in outcomes.runs.alive()[:2]))
    app.run()
    assert not app.exception
    assert wording("{done} of {all} runs done", done="0", all="3").match(progress(app))
    assert wording("step {step} of {steps}, loss…", steps="2000").search(progress(app))
    press(app, "ext_cancel")
    wait_until(lambda: not running())
    cluster = connection.connect_cluster()
    wait_until(lambda: not any(cluster._client.processing().values()))


def test_what_comes_of_a_run_is_shown_with_the_workers_origin() -> None:
    app = train("none,alibi", 50)
    wait_until(lambda: not outcomes.runs.alive())
    app.run()
    assert not app.exception
    assert says(app, ORIGIN, count="2", torch=str(torch.__version__))
    assert not says(app, ORIGIN, machine="this server")
    assert {(unit.scheme, unit.n_steps) for unit, _ in outcomes.measured} == {("none", 50), ("alibi", 50)}


@pytest.mark.thorough  # the library's tests lose one too, and what the reader then does is tried below
def test_a_lost_scheduler_is_one_sentence(local: LocalCluster) -> None:
    app = train("none,rope", 300)  # the last test of this cluster, whose workers go on by themselves
    wait_until(lambda: any(job.latest for job in outcomes.runs.alive()))
    local.scheduler.kill()
    wait_until(lambda: not outcomes.runs.alive())
    app.run()
    assert not app.exception
    assert any(wording(code).search(sentence) for sentence in sentences(app) for code in (LOST, UNREACHABLE))
    assert local.address in " ".join(sentences(app))


def test_where_no_scheduler_answers_that_is_one_sentence_and_the_reader_may_go_on_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nowhere = "tcp://127.0.0.1:1"
    monkeypatch.setenv(connection.ADDRESS, nowhere)
    monkeypatch.setattr(connection, "Cluster", partial(Cluster, timeout=0.5))
    app = train("none,rope", 300)
    wait_until(lambda: not outcomes.runs.alive())
    app.run()
    assert not app.exception
    assert any(wording(UNREACHABLE).search(sentence) for sentence in sentences(app))
    assert nowhere in " ".join(sentences(app))
    app.toggle(key="ext_without_cluster").set_value(True).run()
    press(app, "ext_train")
    wait_until(lambda: not outcomes.runs.alive())
    app.run()
    assert says(app, ORIGIN, count="2", machine="this server")
    assert not any(wording(UNREACHABLE).search(sentence) for sentence in sentences(app))
    assert "ext_train" not in keys(app)
    assert app.toggle(key="ext_without_cluster").value  # until the reader takes it back
