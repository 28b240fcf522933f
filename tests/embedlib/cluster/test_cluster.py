"""A scheduler and two workers on loopback: the same numbers as on one machine, whatever becomes of a worker."""

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bench.cluster import LocalCluster, local_cluster
from embedlib import fit_pca, nearest_neighbours
from embedlib.cluster import Cluster, ClusterError, TableOnDisk, run_unit, table_on_disk
from embedlib.cluster import fit_pca as fit_parts
from embedlib.cluster import nearest_neighbours as nearest_in_parts
from embedlib.cluster.connection import _MERGED_AT_ONCE
from embedlib.cluster.tables import _part_moments
from embedlib.extrapolation import Diverged, Unit
from embedlib.extrapolation import run_unit as run_here
from embedlib.progress import Cancelled
from tests.embedlib.cluster.test_disk import D_MODEL, rows_of, same_basis, save
from tests.waiting import wait_until

REQUIRED = "EMBEDDING_EXPLORER_REQUIRE_CLUSTER"
if not os.environ.get(REQUIRED):
    pytest.importorskip("distributed", reason="the package distributed is not installed: requirements-dev.txt has it")


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    with local_cluster(2, tmp_path_factory.mktemp("cluster")) as local:
        yield local


@pytest.fixture(scope="module")
def cluster(local: LocalCluster) -> Iterator[Cluster]:
    with Cluster(local.address) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> TableOnDisk:
    path = save(rows_of(200_000), tmp_path_factory.mktemp("table") / "rows.npy")
    return table_on_disk(path, rows_per_part=2_000)


def workers(cluster: Cluster) -> dict[str, int]:
    """Return the workers' addresses with their process ids, once both are there."""
    wait_until(lambda: cluster.n_threads == 2)
    return dict(cluster._client.run(os.getpid))


def merges_at_scheduler(cluster: Cluster) -> set[int]:
    """Return the first task of each merged result that the scheduler has to make, or would make anew."""

    def numbers(dask_scheduler: Any) -> set[int]:
        return {int(str(key).rsplit("-", 1)[1]) for key in dask_scheduler.tasks if str(key).startswith("merge-")}

    return set(cluster._client.run_on_scheduler(numbers))


def idle(cluster: Cluster) -> bool:
    """Tell whether no worker computes anything."""
    return not any(cluster._client.processing().values())


@pytest.mark.parametrize("kind", [".npy", pytest.param(".parquet", marks=pytest.mark.thorough)])
def test_components_and_neighbours_are_those_of_one_machine(cluster: Cluster, tmp_path: Path, kind: str) -> None:
    rows = rows_of(30_000)
    cut = table_on_disk(save(rows, tmp_path / f"rows{kind}", group=1_000), rows_per_part=1_000)
    shares: list[float] = []
    same_basis(fit_parts(cut, 4, cluster=cluster, progress=shares.append), fit_pca(rows, 4))
    assert shares == sorted(shares)
    assert len(set(shares)) > 2
    own = np.arange(300) * 99
    found = nearest_in_parts(cut, rows[own], 5, exclude=own, cluster=cluster)
    wanted = nearest_neighbours(rows, rows[own], 5, exclude=own)
    assert torch.equal(found.ids, wanted.ids)
    assert torch.equal(found.similarities, wanted.similarities)


@pytest.mark.thorough
def test_a_killed_worker_costs_what_lay_there_and_nothing_that_had_come(cluster: Cluster, table: TableOnDisk) -> None:
    address, process = next(iter(workers(cluster).items()))
    read: Counter[int] = Counter()  # how often each part was, by the number of its first row
    come, come_before = set[int](), set[int]()
    merge_of = {part.first: number - number % _MERGED_AT_ONCE for number, part in enumerate(table.parts)}

    # What is written here is sent whole: workers do not have the tests.
    def of_part(part: Any, d_model: int, dtype: Any, send: Any) -> Any:
        return {part.first}, _part_moments(part, d_model, dtype, send)

    def of_parts(results: list[Any]) -> Any:
        from embedlib.cluster.tables import _merge_moments

        return set().union(*(firsts for firsts, _ in results)), _merge_moments([moments for _, moments in results])

    def on_message(news: Any) -> None:
        if news is None:
            return
        read[news[0]] += 1
        # That a result has come must have reached the scheduler: it asks for it again where it falls away on the way.
        if come and not come_before and not merges_at_scheduler(cluster) & {merge_of[first] for first in come}:
            come_before.update(come)
            os.kill(process, signal.SIGKILL)

    n_samples = 0
    for firsts, moments in cluster.results(
        of_part, table.parts, D_MODEL, torch.float32, merge=of_parts, on_message=on_message
    ):
        come |= firsts
        n_samples += moments.n_samples
    assert n_samples == table.n_rows
    assert set(read) == come == {part.first for part in table.parts}
    assert {read[first] for first in come_before} == {1}
    assert max(read.values()) <= 2
    assert come_before
    assert address not in workers(cluster)
    same_basis(fit_parts(table, 4, cluster=cluster), fit_pca(rows_of(200_000), 4))


def test_a_result_that_is_lost_before_it_is_fetched_is_made_anew(cluster: Cluster, tmp_path: Path) -> None:
    workers(cluster)

    def of_task(task: int, folder: Path, send: Any) -> tuple[int, int]:
        anew = any(folder.glob(f"{task}-*"))
        (folder / f"{task}-{os.getpid()}").touch()
        while anew and not (folder / "looked").exists():
            time.sleep(0.01)
        return task, os.getpid()

    def statuses() -> set[str]:
        return {future.status for future in cluster._client.futures.values()}

    seen: list[bool] = []  # before, a busy cluster's silence is heard too
    results = cluster.results(of_task, [0, 1], tmp_path, on_message=lambda news: seen and (tmp_path / "looked").touch())
    first, _ = next(results)
    wait_until(lambda: statuses() == {"finished"})
    (killed,) = (int(path.name.split("-")[1]) for path in tmp_path.glob(f"{1 - first}-*"))
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: "lost" in statuses())
    seen.append(True)
    ((second, process),) = results
    assert second == 1 - first
    assert process != killed


def test_cancelled_work_ends_on_the_workers(cluster: Cluster, table: TableOnDisk) -> None:
    def stop(share: float) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        fit_parts(table, cluster=cluster, progress=stop)
    with pytest.raises(Cancelled):
        run_unit(cluster, Unit("sort", "rope", n_steps=100_000), report=lambda share, losses: losses and stop(share))
    wait_until(lambda: idle(cluster))


@pytest.mark.thorough
def test_a_run_is_the_one_of_this_machine_and_begins_anew_where_its_worker_is_killed(cluster: Cluster) -> None:
    typed = (("bias", "-a * (q - k) + t[min(q - k, 7)]"), ("parameters", "a[h] ~ 0.3\nt[h, 8] ~ 0"))
    unit = Unit("sort", "formula", n_steps=100, parameters=typed)  # or it would be over before it is seen where it runs
    killed, process_of = list[int](), workers(cluster)

    def report(share: float, losses: list[float]) -> None:
        if losses and not killed:
            busy = next(address for address, keys in cluster._client.processing().items() if keys)
            killed.append(process_of[busy])
            os.kill(killed[0], signal.SIGKILL)

    found, wanted = run_unit(cluster, unit, report=report), run_here(unit)
    assert killed
    assert found.final_loss == pytest.approx(wanted.final_loss, abs=1e-6)
    for own, other in zip(found.scores["formula"], wanted.scores["formula"], strict=True):
        assert (own.loss, own.accuracy) == (
            pytest.approx(other.loss, abs=1e-6),
            pytest.approx(other.accuracy, abs=1e-6),
        )


def test_what_goes_wrong_on_a_worker_is_raised_here(cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(Diverged, match=r"learning_rate=100\.0 is too high"):
        run_unit(cluster, Unit("sort", "none", n_steps=60, learning_rate=100.0), report=lambda share, losses: None)
    rows = rows_of(300)
    rows[250, 3] = np.inf
    gone = table_on_disk(save(rows, tmp_path / "rows.npy"), rows_per_part=100)
    with pytest.raises(ValueError, match="table row 250 has entries that are not finite"):
        nearest_in_parts(gone, rows[:1], cluster=cluster)
    (tmp_path / "rows.npy").unlink()
    with pytest.raises(ClusterError) as caught:
        fit_parts(gone, cluster=cluster)
    assert caught.value.code == "not_shared"
    assert caught.value.values["file"] == "rows.npy"


def test_a_scheduler_that_goes_is_said_and_so_is_one_that_does_not_answer(
    local: LocalCluster, cluster: Cluster
) -> None:
    def report(share: float, losses: list[float]) -> None:
        if losses:
            local.scheduler.kill()

    with pytest.raises(ClusterError) as caught:  # the last test of this cluster
        run_unit(cluster, Unit("sort", "none", n_steps=100_000), report=report)
    assert caught.value.code == "lost"
    assert cluster.is_lost
    with pytest.raises(ClusterError) as caught:
        Cluster(local.address, timeout=0.2)
    assert caught.value.code == "unreachable"


def test_without_dask_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(ClusterError) as caught:
        Cluster("tcp://127.0.0.1:1")
    assert caught.value.code == "missing"
