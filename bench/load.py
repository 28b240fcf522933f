"""What a key costs the server, and how long visitors wait for each other: clients of its own, and no browser.

Processor times are the server's, threads and event loop together, in units of a fixed loop of plain Python that runs in
turns with the edits: so that a slow or a busy machine is no excuse, and a fast one no merit.
"""

import asyncio
import json
import os
import random
import re
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from itertools import count as count_from
from pathlib import Path
from statistics import quantiles

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from bench.app import temporary_server
from bench.table import Row
from bench.timing import in_unit

WORDS = ("once", "twice", "soon", "later", "now", "then", "there", "here", "away", "too", "still", "always")
SENTENCE = "The king and the queen fed the dog and the cat"
EDITS = 40  # of which the processor's time is taken
BUSY = 4  # visitors who type without a pause, to see how many edits one process does
VISITORS = (30, 60, 100)
EVERY = 5.0  # seconds from key to key
SPELL = 30.0  # seconds that visitors are watched


# Page -> the sections that a browser comes near in a window of 1440 x 900; those further down wait.
NEAR = {
    "": ["rows-matrix"],
    "tokens": ["tokens-merges"],
    "embedding_layer": ["layer-product"],
    "positions": ["positions-vectors"],
    "word_order": ["order-mask"],
    "context": ["context-uses"],
}

# Page -> the control that is moved, and what the nth move sends: a text, or a field of the state of its widget.
MOVES: dict[str, tuple[str, Callable[[int], str | dict[str, object]]]] = {
    **dict.fromkeys(
        ("", "tokens", "embedding_layer", "compare", "projection", "models"),
        ("live-text", lambda number: sentence(number)),
    ),
    "word_order": ("first-sentence", lambda number: sentence(number)),
    "context": ("context_first-area", lambda number: f"bank {sentence(number)}"),
    "positions": ("shown_position", lambda number: {"double_array_value": [float(number % 60)]}),
    "batches": ("stride", lambda number: {"double_value": float(1 + number % 12)}),
}
OF_A_CLASS = MOVES | {"extrapolation": ("ext_seeds", lambda number: {"double_value": float(1 + number % 5)})}


def sentence(number: int) -> str:
    """Write a sentence that no cache has seen: all numbers give others."""
    return f"{SENTENCE} {WORDS[number % 12]} {WORDS[number // 12 % 12]} {number}"


@dataclass
class Visitor:
    """One session of a server.

    Attributes:
        socket: the connection to the server.
        url: of the server, by which a visitor passes for a browser, whose window holds a part of the page.
        page: the hash by which the server knows the page that is open.
        widgets: the ids of the page's controls by their keys, and the ids of the fragments that they are in.
        revisions: of the texts that the server has put into text areas, by their keys.
        ticks: how often a browser runs parts of the page that show what goes on, by their fragments, in seconds.
        query: of the link that the visitor came by, without its question mark.
    """

    socket: ClientConnection
    url: str
    query: str = ""
    page: str = ""
    widgets: dict[str, tuple[str, str]] = field(default_factory=dict)
    revisions: dict[str, int] = field(default_factory=dict)
    ticks: dict[str, float] = field(default_factory=dict)

    async def open(self, name: str) -> None:
        """Go to a page by the last part of its address."""
        message = BackMsg()
        message.rerun_script.page_name = name
        message.rerun_script.query_string = self.query
        message.rerun_script.context_info.url = self.url
        await self._run(message, learn=True)
        if near := NEAR.get(name):
            part = "browser-part" if "browser-part" in self.widgets else "browser"
            await self.move(part, {"json_value": json.dumps({"near": near})})

    async def move(self, key: str, value: str | dict[str, object], *, learn: bool = False) -> float:
        """Move one control, or type a text; return the seconds until the last message of the run.

        Args:
            key: of the control.
            value: the text, or the field of a widget's state.
            learn: whether controls or their fragments are others afterwards.
        """
        if isinstance(value, str):
            content = {"text": value, "total": len(value), "revision": self.revisions[key]}
            value = {"json_value": json.dumps({"content": content})}
        identity, fragment = self.widgets[key]
        message = self._asking(fragment)
        state = WidgetState(id=identity)
        for name, given in value.items():
            if isinstance(given, list):
                getattr(state, name).data.extend(given)
            else:
                setattr(state, name, given)
        message.rerun_script.widget_states.widgets.append(state)
        return await self._run(message, learn=learn)

    async def watch(self, seconds: float) -> int:
        """Look on, and ask as a browser does for what goes on; return how many such runs of parts there were."""
        end, runs = time.perf_counter() + seconds, 0
        due = {fragment: time.perf_counter() + every for fragment, every in self.ticks.items()}
        while (now := time.perf_counter()) < end:
            due = {fragment: due.get(fragment, now + every) for fragment, every in self.ticks.items()}
            for fragment in [fragment for fragment, at in due.items() if at <= now]:
                message = self._asking(fragment)
                message.rerun_script.is_auto_rerun = True
                await self.socket.send(message.SerializeToString())
                due[fragment] += self.ticks[fragment]
            with suppress(TimeoutError):
                async with asyncio.timeout(min([end, *due.values()]) - now):
                    while True:
                        runs += self._ends(self._read(await self.socket.recv(decode=False), learn=True))
        return runs

    def _asking(self, fragment: str) -> BackMsg:
        message = BackMsg()
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.query_string = self.query
        message.rerun_script.context_info.url = self.url
        message.rerun_script.fragment_id = fragment
        return message

    async def _run(self, message: BackMsg, *, learn: bool) -> float:
        started = time.perf_counter()
        asked, begun = (
            message.rerun_script.fragment_id,
            not self.ticks,
        )  # else a part may end first
        await self.socket.send(message.SerializeToString())
        while True:
            frame = await self.socket.recv(decode=False)
            if not learn and len(frame) > 2_000:  # what ends a run is short, and a client must not take the cores
                continue
            answer = self._read(frame, learn=learn)
            if answer.HasField("new_session"):
                parts = answer.metadata.run.fragment_ids
                begun = begun or not parts or asked in parts
            if begun and self._ends(answer):
                return time.perf_counter() - started

    def _read(self, frame: bytes, *, learn: bool) -> ForwardMsg:
        """Take up what a server says, and return it."""
        answer = ForwardMsg()
        answer.ParseFromString(frame)
        kind = answer.WhichOneof("type")
        if kind == "new_session":
            self.page = answer.new_session.page_script_hash
            if not answer.metadata.run.fragment_ids:  # a browser then forgets what it asked for
                self.ticks.clear()
        elif kind == "navigation":
            self.page = answer.navigation.page_script_hash
        elif kind == "auto_rerun":
            self.ticks[answer.auto_rerun.fragment_id] = answer.auto_rerun.interval
        elif kind == "delta" and learn:
            self._learn(answer)
        return answer

    @staticmethod
    def _ends(answer: ForwardMsg) -> bool:
        ends = answer.HasField("script_finished")
        return ends and answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _learn(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        name = element.WhichOneof("type")
        if name == "exception":
            raise RuntimeError(element.exception.message)
        identity = getattr(getattr(element, name), "id", "") if name else ""
        if identity.startswith("$$ID-"):
            key = identity.split("-", 2)[2]
            self.widgets[key] = identity, message.delta.fragment_id
            if name == "bidi_component" and element.bidi_component.json:
                self.revisions[key] = json.loads(element.bidi_component.json).get("revision", 0)


async def connected(address: str, cookie: str = "") -> ClientConnection:
    """Connect as a browser does, which tries again: an nginx that is told of a process goes on a moment without it.

    Args:
        address: of the server's messages.
        cookie: by which nginx knows the process that has the visit; "" for a new one.
    """
    until = time.perf_counter() + LOST
    while True:
        try:
            return await connect(
                address,
                subprotocols=[Subprotocol("streamlit")],
                additional_headers={"Cookie": cookie} if cookie else {},
                compression=None,
                max_size=None,
                ping_interval=None,
            )
        except InvalidStatus as error:
            if error.response.status_code != HTTPStatus.SERVICE_UNAVAILABLE or time.perf_counter() > until:
                raise
        await asyncio.sleep(0.5)


@asynccontextmanager
async def visitors(url: str, count: int, page: str, queries: Sequence[str] = ("",)) -> AsyncIterator[list[Visitor]]:
    """Connect visitors to a server, each with the same page open, for as long as the context lasts.

    Args:
        url: of the server.
        count: how many come by each link.
        page: the last part of its address.
        queries: of the links, without their question marks.
    """
    address = url.replace("http", "ws", 1) + "/_stcore/stream"
    async with AsyncExitStack() as stack:
        opened = []
        for query in (query for query in queries for _ in range(count)):
            visitor = Visitor(await stack.enter_async_context(await connected(address)), url, query)
            await visitor.open("")
            if page:
                await visitor.open(page)
            opened.append(visitor)
        yield opened


@dataclass(frozen=True)
class Lesson:
    """How many come, and for how long: `python -m bench class --visitors 200 --minutes 30`."""

    visitors: int = 200
    minutes: float = 30.0
    idle: int = 1_000
    processes: int = 0  # behind nginx; 0 for one without


LESSON = Lesson()
LOST = 60.0  # seconds after which a visit counts as failed
MEGABYTE = 1_000_000


def memory_of(pid: int) -> float:
    """Return the megabytes that a process and all below it have in memory."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MEGABYTE + sum(memory_of(int(child)) for child in children)


def slope(samples: list[tuple[float, float]]) -> float:
    """Return by how much the second of each pair grows with the first, by least squares."""
    count = len(samples)
    x, y = (sum(sample[side] for sample in samples) / count for side in (0, 1))
    spread = sum((at - x) ** 2 for at, _ in samples)
    return sum((at - x) * (value - y) for at, value in samples) / spread if spread else 0.0


async def train(visitor: Visitor, number: int) -> float:
    """Begin a training of one's own, with another seed."""
    waited = await visitor.move("train_seed", {"double_value": float(number)}, learn=True)
    return waited + await visitor.move("train-go", {"trigger_value": True}, learn=True)


async def lesson(url: str, pid: int, plan: Lesson) -> tuple[dict[str, list[float]], list[tuple[float, float]], int]:
    """Return what visitors of all pages waited, the memory by the minute, and how many failed."""
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
                            waited[page].append(await train(visitor, unique % 10_000))
                        else:
                            key, value = OF_A_CLASS[page]
                            waited[page].append(await visitor.move(key, value(unique)))
                    await visitor.watch(max(0.0, now + EVERY - time.perf_counter()))
        except Exception as error:
            failed += 1
            print(f"a visitor of {page or 'pipeline'} failed: {error!r}")

    async def watch() -> None:
        while time.perf_counter() < end:
            memory.append(((time.perf_counter() - began) / 60, memory_of(pid)))
            await asyncio.sleep(5)

    trainers = max(1, plan.visitors // 20)
    pages = ["training"] * trainers + [
        list(OF_A_CLASS)[number % len(OF_A_CLASS)] for number in range(plan.visitors - trainers)
    ]
    await asyncio.gather(watch(), *(visit(seed, page) for seed, page in enumerate(pages, 1)))
    return waited, memory, failed


async def come_and_stay(url: str, pid: int, count: int) -> float:
    """Return the megabytes of a server whose visitors have opened a page and do nothing."""
    async with visitors(url, count, ""):
        await asyncio.sleep(5)
        await at_rest(pid)  # a new server goes on warming up beside its first visits
        return memory_of(pid)


def class_rows() -> Iterator[Row]:
    """Measure a class over all pages, and what is left of it in memory."""
    plan = LESSON
    with temporary_server(processes=plan.processes) as server:
        # Some libraries come with the first visitor of a page, in each process.
        asyncio.run(lesson(server.url, server.pid, replace(plan, visitors=22 * max(1, plan.processes), minutes=1.0)))
        time.sleep(60)
        opened = memory_of(server.pid)
        waited, memory, failed = asyncio.run(lesson(server.url, server.pid, plan))
        left = memory_of(server.pid)
        time.sleep(60)
        after = memory_of(server.pid)
    who = f"{plan.visitors} visitors of all pages, {plan.minutes:g} minutes"
    for page, times in (*waited.items(), ("", [wait for some in waited.values() for wait in some])):
        if len(times) > 1:
            *_, p95 = cuts = quantiles(times, n=20)
            what = f"{who}: p95 of the wait{f' on {page}' if page else ''}, s"
            yield Row(what, f"{in_unit(p95)} (p50 {in_unit(cuts[9])}, {len(times)} changes)", "", p95, 0.25)
    yield Row(f"{who}: visits that failed", str(failed), "", failed, 0)
    warm = [sample for sample in memory if sample[0] >= plan.minutes / 3]
    growth = slope(warm)
    yield Row(f"{who}: memory, after a third of them, MB a minute", f"{growth:.2f}", f"{left:.0f} MB", growth, 1.0)
    what = f"{who}: memory a minute after all have left, on top of that after a first class, MB"
    yield Row(what, f"{after - opened:.0f}", f"{opened:.0f} MB, then {left:.0f}", after - opened, 0.1 * opened)
    with temporary_server(processes=plan.processes) as server:
        one = asyncio.run(come_and_stay(server.url, server.pid, 1))
        total = asyncio.run(come_and_stay(server.url, server.pid, plan.idle))
    each = f"{(total - one) / plan.idle:.2f} each"
    yield Row(f"{plan.idle} visitors connected and idle: memory, MB", f"{total:.0f}", each, total, 2e3)


async def killed(url: str, log: Path, count: int) -> tuple[list[float], list[float], int]:
    """Kill one of two processes in the middle of a class, and return what its visits wait until they are whole again.

    Each comes back by its link as a browser does, a quarter to half a second after its connection has ended.

    Args:
        url: of the server.
        log: in which it says which process is ready.
        count: how many visit, in turns of the pages.

    Returns:
        the seconds from the kill until each of the process's visits has the last message of its page; what the
        others wait for a move a second meanwhile; how many visits failed.
    """
    address = url.replace("http", "ws", 1) + "/_stcore/stream"
    chance = random.Random(1)
    waited: tuple[list[float], list[float]] = [], []
    ended = asyncio.Event()
    at = 0.0
    failed = 0

    async def visit(seed: int, page: str) -> None:
        nonlocal failed
        try:
            link = f"text=The+king+and+visitor+{seed}"
            key, value = OF_A_CLASS[page]
            moves = (value(100_000 * seed + number) for number in count_from(0))
            visitor = Visitor(await connected(address), url, link)
            assert visitor.socket.response is not None
            process = visitor.socket.response.headers["Set-Cookie"].split(";")[0]
            await visitor.open(page)
            with suppress(ConnectionClosed):
                while not ended.is_set():
                    await visitor.move(key, next(moves))
                    with suppress(TimeoutError):
                        await asyncio.wait_for(ended.wait(), EVERY)
                if process.endswith("=1"):
                    for _ in range(5):
                        waited[1].append(await visitor.move(key, next(moves)))
                        await asyncio.sleep(1)
                    return
                await visitor.socket.wait_closed()
            await asyncio.sleep(chance.uniform(0.25, 0.5))
            async with asyncio.timeout(LOST):
                visitor = Visitor(await connected(address, process), url, link)
                await visitor.open(page)
            waited[0].append(time.perf_counter() - at)
        except Exception as error:
            failed += 1
            print(f"a visitor of {page or 'pipeline'} failed: {error!r}")

    async with asyncio.TaskGroup() as group:
        for seed in range(1, count + 1):
            group.create_task(visit(seed, list(OF_A_CLASS)[seed % len(OF_A_CLASS)]))
        await asyncio.sleep(4 * EVERY)
        pids = re.findall(r"Process 0 \((\d+)\) is ready", log.read_text())
        os.kill(int(pids[-1]), signal.SIGKILL)
        at = time.perf_counter()
        ended.set()
    return *waited, failed


def killed_rows() -> Iterator[Row]:
    """Measure how soon the visits of a process that is killed are with another."""
    for count in (20, 100):
        with temporary_server(processes=2) as server:
            asyncio.run(lesson(server.url, server.pid, replace(LESSON, visitors=44, minutes=1.0)))
            back, others, failed = asyncio.run(killed(server.url, server.log, count))
        who = f"{count} visitors of two processes, one killed"
        for what, times in (
            (f"until each of its {len(back)} visits is whole again", back),
            ("the others' wait", others),
        ):
            *_, p95 = cuts = quantiles(times, n=20)
            shown = f"{in_unit(p95)} (p50 {in_unit(cuts[9])}, longest {in_unit(max(times))})"
            yield Row(f"{who}: {what}, p95, s", shown, "", p95, 2.0)
        yield Row(f"{who}: visits that failed", str(failed), "", failed, 0)


def rows() -> Iterator[Row]:
    """Measure one row of the table after the other."""
    unit = 0.45
    for page, (key, _) in MOVES.items():
        with temporary_server() as server:
            units, milliseconds = asyncio.run(processor(server.url, server.pid, page))
        what = f"{page or 'pipeline'}, {key} moved: processor of the server, in loops of a million steps"
        yield Row(what, f"{units:.2f}", f"{milliseconds:.1f} ms", units, unit if not page else 2 * unit)
    with temporary_server() as server:
        rate = asyncio.run(edits_in_a_second(server.url))
    yield Row("edits of a sentence by one process: seconds for 40", f"{rate:.1f} a second", "", 40 / rate, 1.0)
    for count in VISITORS:
        with temporary_server() as server:
            waited = asyncio.run(typing(server.url, count))
        *_, p95 = cuts = quantiles(waited, n=20)
        what = f"{count} visitors, each with a key every {EVERY:.0f} s: p95 of the wait, s"
        yield Row(what, f"{in_unit(p95)} (p50 {in_unit(cuts[9])}, longest {in_unit(max(waited))})", "", p95, 0.1)


def a_million_steps() -> None:
    """Do what times are counted in."""
    total = 0
    for number in range(1_000_000):
        total += number & 7


async def processor(url: str, pid: int, page: str) -> tuple[float, float]:
    """Return what a move costs the server, in loops of a million steps and in milliseconds of its processor."""
    key, value = MOVES[page]
    async with visitors(url, 1, page) as (visitor,):
        for number in range(5):
            await visitor.move(key, value(number))
        await at_rest(pid)
        loops, spent = 0.0, 0.0
        for block in range(4):
            loops += seconds_of_processor(a_million_steps)
            before = processor_of(pid)
            for number in range(EDITS // 4):
                await visitor.move(key, value(100 * (block + 1) + number))
            spent += processor_of(pid) - before
    return (spent / EDITS) / (loops / 4), 1000 * spent / EDITS


async def at_rest(pid: int) -> None:
    """Wait until a server has done what it does by itself after its start."""
    before = -1.0
    while (now := processor_of(pid)) - before > 0.03:
        before = now
        await asyncio.sleep(1)


def seconds_of_processor(work: Callable[[], object]) -> float:
    """Return the processor's time for one call in this process."""
    started = time.process_time()
    work()
    return time.process_time() - started


def processor_of(pid: int) -> float:
    """Return the processor's time of another process, threads that have ended included, in seconds."""
    return time.clock_gettime((~pid << 3) | 2)  # what clock_getcpuclockid(3) of Linux returns, in nanoseconds


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


async def typing(url: str, count: int) -> list[float]:
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
