"""A local cluster on the loopback interface, for tests too, and the cost of components and neighbours on it."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import torch

from bench.table import Row
from bench.timing import format_seconds

if TYPE_CHECKING:
    from embedlib.cluster import Cluster

T = TypeVar("T")

ROOT = Path(__file__).parent.parent
_START = 60.0  # seconds
ON_DISK = 1_000_000, 384


@dataclass(frozen=True)
class LocalCluster:
    """A scheduler and its workers, processes of their own.

    Attributes:
        address: of the scheduler.
        scheduler: its process.
    """

    address: str
    scheduler: "subprocess.Popen[bytes]"


@contextmanager
def local_cluster(n_workers: int, folder: Path, *, n_threads: int = 1) -> Iterator[LocalCluster]:
    """Start a scheduler and workers of `n_threads` each; they write into `folder`."""
    distributed: Any = import_module("distributed")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DASK_TEMPORARY_DIRECTORY": str(folder)}
    address = folder / "scheduler.json"

    def start(name: str, *options: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--scheduler-file", str(address), *options]
        with (folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)

    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    workers = start("worker", "--nworkers", str(n_workers), "--nthreads", str(n_threads), "--no-dashboard")
    try:
        until = time.monotonic() + _START
        while not address.exists() and scheduler.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        with distributed.Client(scheduler_file=str(address), timeout=_START, set_as_default=False) as client:
            client.wait_for_workers(n_workers, timeout=_START)
            address = client.scheduler.address
        yield LocalCluster(address, scheduler)
    finally:
        for process in (workers, scheduler):
            process.terminate()
        for process in (workers, scheduler):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def rows() -> Iterator[Row]:
    """Compare 1, 2 and 4 workers with this process, one thread each: the numbers, the seconds, and those of processors.

    The latter hardly depend on what else the machine does, and are what a cost on other machines is reckoned from.
    """
    from embedlib import fit_pca, nearest_neighbours
    from embedlib.cluster import Cluster, table_on_disk
    from embedlib.cluster import fit_pca as fit_parts
    from embedlib.cluster import nearest_neighbours as nearest_in_parts

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        mapped = _write_table(folder / "table.npy")
        queries = mapped[:64].copy()
        basis, pca_took = _run_timed(lambda: fit_pca(mapped, 3), time.process_time)
        nearest, search_took = _run_timed(lambda: nearest_neighbours(mapped, queries, 10), time.process_time)
        table = table_on_disk(folder / "table.npy")
        for n_workers in (1, 2, 4):
            (folder / str(n_workers)).mkdir()
            with local_cluster(n_workers, folder / str(n_workers)) as local, Cluster(local.address) as cluster:
                few = table_on_disk([folder / "few.npy"] * 16)  # each worker imports what it needs
                fit_parts(few, 3, cluster=cluster)
                nearest_in_parts(few, queries, 10, cluster=cluster)

                seconds = partial(_workers_processor, cluster)
                fitted, took = _run_timed(partial(fit_parts, table, 3, cluster=cluster), seconds)
                off = float((fitted.components - basis.components).abs().max())
                what = f"PCA, 3 components, {ON_DISK[0]:,} x {ON_DISK[1]} on disk, {n_workers} workers"
                yield Row(f"{what}: largest difference of a component", f"{off:.2g}", "one process", off, 1e-6)
                yield _cost(what, took, pca_took)
                near, took = _run_timed(partial(nearest_in_parts, table, queries, 10, cluster=cluster), seconds)
                different = int((near.ids != nearest.ids).sum())
                what = f"10 neighbours of 64, {ON_DISK[0]:,} x {ON_DISK[1]} on disk, {n_workers} workers"
                yield Row(f"{what}: ids that differ", str(different), "one process", different, 0)
                yield _cost(what, took, search_took)


def _workers_processor(cluster: "Cluster") -> float:
    return float(sum(cluster._client.run(time.process_time).values()))


def _run_timed(work: Callable[[], T], processor: Callable[[], float]) -> tuple[T, tuple[float, float]]:
    """Return the result of work, with the seconds of wall clock and of processors."""
    before, began = processor(), time.perf_counter()
    result = work()
    seconds = time.perf_counter() - began
    return result, (seconds, processor() - before)


def _cost(what: str, took: tuple[float, float], alone: tuple[float, float]) -> Row:
    mine, other = (f"{format_seconds(wall)} ({format_seconds(busy)} of processors)" for wall, busy in (took, alone))
    load = f"load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else ""
    return Row(f"{what}: processors' seconds, {load}", mine, f"one process: {other}", took[1] / alone[1], 1.2)


def _write_table(path: Path) -> np.memmap[Any, np.dtype[np.float32]]:
    """Write rows whose columns vary less and less, a piece at a time, and a few more such into few.npy."""
    generator = np.random.default_rng(0)
    falling = (1 / np.sqrt(1 + np.arange(ON_DISK[1]))).astype(np.float32)
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=ON_DISK)
    for start in range(0, len(table), 50_000):
        block = table[start : start + 50_000]
        block[:] = generator.standard_normal(block.shape, dtype=np.float32) * falling
    table.flush()
    np.save(path.with_name("few.npy"), table[:1000])
    return np.load(path, mmap_mode="r")  # type: ignore[no-any-return]
