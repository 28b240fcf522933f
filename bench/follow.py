"""Cost of phones that follow a lecture, and the delay until a step is on all of them."""

import asyncio
import http.client
import json
import time
from collections.abc import Iterator
from contextlib import closing
from statistics import quantiles
from urllib.parse import urlsplit

from bench.app import temporary_server
from bench.table import Row
from bench.timing import process_cpu_seconds, wait_until_idle
from ui.lecture.rooms import new_right
from ui.server.readiness import QUIET

PHONES = 300
SPELL = 30.0  # seconds between steps in which the server is watched
STEPS = 20
SAID = "A model reads no letters. It cuts your sentence into tokens and writes each as a number, its id."
QUESTION = {"key": "k", "ask": "How many tokens does your sentence have here?", "choices": [], "digits": 0}


class Phone:
    """One connection that listens to a room."""

    def __init__(self) -> None:
        """Start without events."""
        self.heard: dict[str, float] = {}  # title of each step -> when its event was whole
        self.changed = asyncio.Event()

    async def listen(self, host: str, port: int, code: str) -> None:
        """Read events until cancelled."""
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(f"GET /follow/{code}/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        while True:
            event = await reader.readuntil(b"\n\n")
            if b'"title":"' in event:
                self.heard[event.partition(b'"title":"')[2].partition(b'"')[0].decode()] = time.perf_counter()
                self.changed.set()


async def steps_to_phones(url: str, pid: int) -> tuple[float, list[float]]:
    """Return the share of a core used between steps, and for each step and phone the seconds until it arrived."""
    host, port = str(urlsplit(url).hostname), int(urlsplit(url).port or 80)
    code, secret = new_right().split(".")
    sent: dict[str, float] = {}

    def show(title: str) -> None:
        step = {"page": "tokens", "title": title, "say": SAID, "attempt": SAID, "query": "text=" + "a+word" * 20}
        headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        with closing(http.client.HTTPConnection(host, port)) as connection:
            sent[title] = time.perf_counter()
            body = json.dumps({"step": step | {"question": QUESTION}})
            connection.request("POST", f"/follow/{code}/step", body=body, headers=headers)
            assert connection.getresponse().status == 200

    async def show_all(title: str) -> None:
        await asyncio.to_thread(show, title)
        for phone in phones:
            while title not in phone.heard:
                phone.changed.clear()
                await phone.changed.wait()

    phones: list[Phone] = []
    await show_all("first")
    phones += [Phone() for _ in range(PHONES)]
    listening = [asyncio.create_task(phone.listen(host, port, code)) for phone in phones]
    try:
        await show_all("second")
        await asyncio.sleep(2 * QUIET)
        await wait_until_idle(pid)  # the server warms up once it is idle
        before = process_cpu_seconds(pid)
        await asyncio.sleep(SPELL)
        share = (process_cpu_seconds(pid) - before) / SPELL
        for number in range(STEPS):
            await show_all(f"step {number}")
            await asyncio.sleep(0.3)
    finally:
        for task in listening:
            task.cancel()
    times = [phone.heard[title] - sent[title] for title in sent if title.startswith("step") for phone in phones]
    return share, times


def rows() -> Iterator[Row]:
    """Follow a lecture on a server that does nothing else."""
    with temporary_server() as server:
        share, times = asyncio.run(steps_to_phones(server.url, server.pid))
    half, most = quantiles(times, n=100)[49], quantiles(times, n=100)[94]
    yield Row(f"{PHONES} phones that follow, between steps", f"{100 * share:.1f} % of a core", "", share, 0.1)
    yield Row(
        f"a step on all of {PHONES} phones: p95 of {STEPS} steps",
        f"{1000 * most:.0f} ms; p50 {1000 * half:.0f} ms, the last {1000 * max(times):.0f} ms",
        *("", most, 0.5),
    )
