"""A class over all pages: the waiting times of its visitors, and the server's memory after it."""

import asyncio
import os
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import quantiles

from bench.app import temporary_server
from bench.table import Row
from bench.timing import format_seconds, wait_until_idle
from bench.visitors import EVERY, LOST, OF_A_CLASS, Visitor, visitors


@dataclass(frozen=True)
class ClassPlan:
    """Size and duration of a class: `python -m bench class --visitors 200 --minutes 30`."""

    visitors: int = 200
    minutes: float = 30.0
    idle: int = 1_000
    processes: int = 0  # behind nginx; 0 for one without


PLAN = ClassPlan()
MEGABYTE = 1_000_000


def memory_megabytes(pid: int) -> float:
    """Return the megabytes that a process and all below it have in memory."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE + sum(memory_megabytes(int(child)) for child in children)


def slope(samples: list[tuple[float, float]]) -> float:
    """Return the least-squares slope of the second of each pair over the first."""
    count = len(samples)
    x, y = (sum(sample[side] for sample in samples) / count for side in (0, 1))
    spread = sum((at - x) ** 2 for at, _ in samples)
    return sum((at - x) * (value - y) for at, value in samples) / spread if spread else 0.0


async def start_training(visitor: Visitor, number: int) -> float:
    """Begin a training of one's own, with another seed."""
    waited = await visitor.move("train_seed", {"double_value": float(number)}, learn=True)
    return waited + await visitor.move("train-go", {"trigger_value": True}, learn=True)


async def run_class(
    url: str, pid: int, plan: ClassPlan
) -> tuple[dict[str, list[float]], list[tuple[float, float]], int]:
    """Return the waiting times by page, the memory by the minute, and how many visitors failed."""
    chance = random.Random(1)
    waited: dict[str, list[float]] = {page: [] for page in (*OF_A_CLASS, "training")}
    memory: list[tuple[float, float]] = []
    failed = 0
    began = time.perf_counter()
    end = began + 60 * plan.minutes

    async def visit(seed: int, page: str) -> None:
        nonlocal failed
        await asyncio.sleep(chance.uniform(0, 30.0))  # nobody comes in the same second
        try:
            async with visitors(url, 1, page) as (visitor,):
                number = 0
                while (now := time.perf_counter()) < end:
                    number += 1
                    unique = 100_000 * seed + number
                    async with asyncio.timeout(LOST):
                        if page == "training":
                            waited[page].append(await start_training(visitor, unique % 10_000))
                        else:
                            key, value = OF_A_CLASS[page]
                            waited[page].append(await visitor.move(key, value(unique)))
                    await visitor.watch(max(0.0, now + EVERY - time.perf_counter()))
        except Exception as error:
            failed += 1
            print(f"a visitor of {page or 'pipeline'} failed: {error!r}")

    async def watch() -> None:
        while time.perf_counter() < end:
            memory.append(((time.perf_counter() - began) / 60, memory_megabytes(pid)))
            await asyncio.sleep(5)

    trainers = max(1, plan.visitors // 20)
    pages = ["training"] * trainers + [
        list(OF_A_CLASS)[number % len(OF_A_CLASS)] for number in range(plan.visitors - trainers)
    ]
    await asyncio.gather(watch(), *(visit(seed, page) for seed, page in enumerate(pages, 1)))
    return waited, memory, failed


async def idle_memory(url: str, pid: int, count: int) -> float:
    """Return a server's megabytes with idle visitors."""
    async with visitors(url, count, ""):
        await asyncio.sleep(5)
        await wait_until_idle(pid)  # a new server still warms up during its first visits
        return memory_megabytes(pid)


def rows() -> Iterator[Row]:
    """Measure a class over all pages, and the memory after it."""
    plan = PLAN
    with temporary_server(processes=plan.processes) as server:
        # Some libraries come with the first visitor of a page, in each process.
        asyncio.run(run_class(server.url, server.pid, replace(plan, visitors=22 * max(1, plan.processes), minutes=1.0)))
        time.sleep(60)
        opened = memory_megabytes(server.pid)
        waited, memory, failed = asyncio.run(run_class(server.url, server.pid, plan))
        left = memory_megabytes(server.pid)
        time.sleep(60)
        after = memory_megabytes(server.pid)
    who = f"{plan.visitors} visitors of all pages, {plan.minutes:g} minutes"
    for page, times in (*waited.items(), ("", [wait for some in waited.values() for wait in some])):
        if len(times) > 1:
            *_, p95 = cuts = quantiles(times, n=20)
            what = f"{who}: p95 of the wait{f' on {page}' if page else ''}, s"
            yield Row(
                what, f"{format_seconds(p95)} (p50 {format_seconds(cuts[9])}, {len(times)} changes)", "", p95, 0.25
            )
    yield Row(f"{who}: visits that failed", str(failed), "", failed, 0)
    warm = [sample for sample in memory if sample[0] >= plan.minutes / 3]
    growth = slope(warm)
    yield Row(f"{who}: memory, after a third of them, MB a minute", f"{growth:.2f}", f"{left:.0f} MB", growth, 1.0)
    what = f"{who}: memory a minute after all have left, on top of that after a first class, MB"
    yield Row(what, f"{after - opened:.0f}", f"{opened:.0f} MB, then {left:.0f}", after - opened, 0.1 * opened)
    with temporary_server(processes=plan.processes) as server:
        one = asyncio.run(idle_memory(server.url, server.pid, 1))
        total = asyncio.run(idle_memory(server.url, server.pid, plan.idle))
    each = f"{(total - one) / plan.idle:.2f} each"
    yield Row(f"{plan.idle} visitors connected and idle: memory, MB", f"{total:.0f}", each, total, 2e3)
