"""Cost of a key on the server, and how long visitors wait for each other: scripted clients, no browser.

Processor times are the server's, threads and event loop together, in units of a fixed loop of plain Python that runs in
turns with the edits: so that a slow or a busy machine is no excuse, and a fast one no merit.
"""

import asyncio
import random
import time
from collections.abc import Iterator
from statistics import quantiles

from bench.app import temporary_server
from bench.table import Row
from bench.timing import format_seconds, million_steps, process_cpu_seconds, processor_seconds, wait_until_idle
from bench.visitors import EVERY, MOVES, Visitor, visitors

EDITS = 40  # whose processor time is measured
BUSY = 4  # visitors who type without a pause, to see how many edits one process does
VISITORS = (30, 60, 100)
SPELL = 30.0  # seconds that visitors are watched


def rows() -> Iterator[Row]:
    """Yield the rows of the table as they are measured."""
    unit = 0.45
    for page, (key, _) in MOVES.items():
        with temporary_server() as server:
            units, milliseconds = asyncio.run(move_cost(server.url, server.pid, page))
        what = f"{page or 'pipeline'}, {key} moved: processor of the server, in loops of a million steps"
        yield Row(what, f"{units:.2f}", f"{milliseconds:.1f} ms", units, unit if not page else 2 * unit)
    with temporary_server() as server:
        rate = asyncio.run(edits_in_a_second(server.url))
    yield Row("edits of a sentence by one process: seconds for 40", f"{rate:.1f} a second", "", 40 / rate, 1.0)
    for count in VISITORS:
        with temporary_server() as server:
            waited = asyncio.run(key_delays(server.url, count))
        *_, p95 = cuts = quantiles(waited, n=20)
        what = f"{count} visitors, each with a key every {EVERY:.0f} s: p95 of the wait, s"
        yield Row(
            what,
            f"{format_seconds(p95)} (p50 {format_seconds(cuts[9])}, longest {format_seconds(max(waited))})",
            "",
            p95,
            0.1,
        )


async def move_cost(url: str, pid: int, page: str) -> tuple[float, float]:
    """Return the server's cost of a move, in loops of a million steps and in milliseconds of processor time."""
    key, value = MOVES[page]
    async with visitors(url, 1, page) as (visitor,):
        for number in range(5):
            await visitor.move(key, value(number))
        await wait_until_idle(pid)
        loops, spent = 0.0, 0.0
        for block in range(4):
            loops += processor_seconds(million_steps)
            before = process_cpu_seconds(pid)
            for number in range(EDITS // 4):
                await visitor.move(key, value(100 * (block + 1) + number))
            spent += process_cpu_seconds(pid) - before
    return (spent / EDITS) / (loops / 4), 1000 * spent / EDITS


async def edits_in_a_second(url: str) -> float:
    """Return how many edits of a sentence one process does in a second, for visitors who never pause."""
    key, value = MOVES[""]
    async with visitors(url, BUSY, "") as present:

        async def edit(visitor: Visitor, seed: int) -> int:
            done, end = 0, time.perf_counter() + 10
            while time.perf_counter() < end:
                await visitor.move(key, value(10_000 * seed + done))
                done += 1
            return done

        return sum(await asyncio.gather(*(edit(visitor, seed) for seed, visitor in enumerate(present, 1)))) / 10


async def key_delays(url: str, count: int) -> list[float]:
    """Return the seconds that visitors waited for each of their keys."""
    key, value = MOVES[""]
    chance = random.Random(1)
    async with visitors(url, count, "") as present:

        async def visit(visitor: Visitor, seed: int, begin: float) -> list[float]:
            await asyncio.sleep(begin)
            waited, started = [], time.perf_counter()
            for number in range(int(SPELL / EVERY)):
                await asyncio.sleep(max(0.0, started + EVERY * number - time.perf_counter()))
                waited.append(await visitor.move(key, value(1_000 * seed + number)))
            return waited

        begins = [chance.uniform(0, EVERY) for _ in present]
        visits = (visit(one, seed, begin) for seed, (one, begin) in enumerate(zip(present, begins, strict=True), 1))
        return [wait for waits in await asyncio.gather(*visits) for wait in waits]
