"""Recovery after one of two processes is killed in the middle of a class."""

import asyncio
import os
import random
import re
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count as count_from
from pathlib import Path
from statistics import quantiles

from websockets.exceptions import ConnectionClosed

from bench.app import temporary_server
from bench.table import Row
from bench.timing import format_seconds
from bench.visitors import EVERY, LOST, OF_A_CLASS, Visitor, connect_visitor
from bench.whole_class import PLAN, run_class


async def kill_one(url: str, log: Path, count: int) -> tuple[list[float], list[float], int]:
    """Kill one of two processes in the middle of a class, and return the seconds until its visitors have recovered.

    Each comes back by its link as a browser does, a quarter to half a second after its connection has ended.

    Args:
        url: of the server.
        log: in which Supervisor says which process it has started.
        count: number of visitors, over the pages in turns.

    Returns:
        the seconds from the kill until each of the process's visits has the last message of its page; what the
        others wait for a move a second meanwhile; how many visits failed.
    """
    chance = random.Random(1)
    waited: tuple[list[float], list[float]] = [], []
    ended = asyncio.Event()
    at = 0.0
    failed = 0
    lost, pid = re.findall(r"spawned: '(\d+)' with pid (\d+)", log.read_text())[0]  # the port is its name

    async def visit(seed: int, page: str) -> None:
        nonlocal failed
        try:
            link = f"text=The+king+and+visitor+{seed}"
            key, value = OF_A_CLASS[page]
            moves = (value(100_000 * seed + number) for number in count_from(0))
            visitor = Visitor(await connect_visitor(url), url, link)
            assert visitor.socket.response is not None
            process = visitor.socket.response.headers["Set-Cookie"].split(";")[0]
            await visitor.open(page)
            with suppress(ConnectionClosed):
                while not ended.is_set():
                    await visitor.move(key, next(moves))
                    with suppress(TimeoutError):
                        await asyncio.wait_for(ended.wait(), EVERY)
                if process.rpartition("=")[2] != lost:
                    for _ in range(5):
                        waited[1].append(await visitor.move(key, next(moves)))
                        await asyncio.sleep(1)
                    return
                await visitor.socket.wait_closed()
            await asyncio.sleep(chance.uniform(0.25, 0.5))
            async with asyncio.timeout(LOST):
                visitor = Visitor(await connect_visitor(url, process), url, link)
                await visitor.open(page)
            waited[0].append(time.perf_counter() - at)
        except Exception as error:
            failed += 1
            print(f"a visitor of {page or 'pipeline'} failed: {error!r}")

    async with asyncio.TaskGroup() as group:
        for seed in range(1, count + 1):
            group.create_task(visit(seed, list(OF_A_CLASS)[seed % len(OF_A_CLASS)]))
        await asyncio.sleep(4 * EVERY)
        os.kill(int(pid), signal.SIGKILL)
        at = time.perf_counter()
        ended.set()
    return *waited, failed


def rows() -> Iterator[Row]:
    """Measure how soon the visits of a process that is killed are with another."""
    for count in (20, 100):
        with temporary_server(processes=2) as server:
            asyncio.run(run_class(server.url, server.pid, replace(PLAN, visitors=44, minutes=1.0)))
            back, others, failed = asyncio.run(kill_one(server.url, server.log, count))
        who = f"{count} visitors of two processes, one killed"
        for what, times in (
            (f"until each of its {len(back)} visits is whole again", back),
            ("the others' wait", others),
        ):
            *_, p95 = cuts = quantiles(times, n=20)
            shown = f"{format_seconds(p95)} (p50 {format_seconds(cuts[9])}, longest {format_seconds(max(times))})"
            yield Row(f"{who}: {what}, p95, s", shown, "", p95, 2.0)
        yield Row(f"{who}: visits that failed", str(failed), "", failed, 0)
