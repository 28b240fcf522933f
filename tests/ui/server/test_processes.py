"""Several processes behind a real nginx; small servers stand in for the app, which a browser visits elsewhere."""

import asyncio
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.waiting import PATIENCE, awaited, until
from ui.cache import bounded
from ui.cache.bounded import memory_of_machine, room_of_all
from ui.server import processes
from ui.server.nginx import COOKIE, CannotServe, addresses, nginx_configuration
from ui.server.processes import Processes, cores_of, free_port, main

STAND_IN = """
import json, os, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        state = {"state": "ready", "process": os.getpid(), "host": self.headers["Host"]}
        if os.path.exists(f"{sys.argv[0]}.{os.getpid()}.worn"):
            state["worn"] = True
        body = json.dumps(state | {"by": self.headers["X-Forwarded-Proto"]}).encode()
        if self.path == "/metrics":
            body = f'# TYPE runs counter\\nruns_total{{page="tokens"}} {os.getpid()}\\n'.encode()
        self.send_response(200)
        if "/static/" in self.path:
            self.send_header("Cache-Control", "public, max-age=31536000, immutable")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_): pass

if sys.argv[1] == "broken":
    sys.exit("broken")
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[-1])), Answers).serve_forever()
"""


@asynccontextmanager
async def served(
    nginx: str, folder: Path, count: int, how: str = "well", *, metrics: bool = False
) -> AsyncIterator[tuple[Processes, int]]:
    """Serve by stand-ins until the context ends, once all are ready."""
    port = free_port()
    script = folder / "stand_in.py"
    script.write_text(STAND_IN)
    command = [sys.executable, str(script), how]
    listen = [f"127.0.0.1:{port}"]
    behind = Processes(count, folder=folder, listen=listen, command=command, nginx=nginx, metrics=metrics)
    serving = asyncio.create_task(behind.run())
    try:
        await until(lambda: len(behind.ready) == count or serving.done())
        if serving.done():
            await serving
        yield behind, port
    finally:
        serving.cancel()
        await asyncio.wait([serving])


def listens(port: int) -> bool:
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


async def ask(port: int, path: str = "/", **headers: str) -> tuple[int, str, bytes]:
    """Return status, cookie and body, once somebody listens: processes may be ready before nginx is."""

    def get() -> tuple[int, str, bytes]:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.headers["Set-Cookie"] or "", answer.read()

    await until(lambda: listens(port))
    return await asyncio.to_thread(get)


async def process_of(port: int, cookie: str, **headers: str) -> tuple[int, str]:
    """Return which process a visit with a cookie begins in, and the cookie that it gets."""

    async def once() -> tuple[int, str, bytes]:
        return await ask(port, "/_stcore/stream", Cookie=cookie, **headers)

    async with asyncio.timeout(PATIENCE):
        while (answer := await once())[0] != 200:  # nginx reads its new configuration a moment after it is told
            await asyncio.sleep(0.01)
    found = json.loads(answer[2])
    assert found["host"] == f"127.0.0.1:{port}"
    return found["process"], answer[1]


async def both(port: int) -> set[tuple[int, str]]:
    """Return two processes in which visits begin, with their cookies, once nginx knows of both."""
    begun: set[tuple[int, str]] = set()
    async with asyncio.timeout(PATIENCE):
        while len(begun) < 2:
            begun.add(await process_of(port, ""))
    assert len({process for process, _ in begun}) == 2
    return begun


async def stays(port: int, process: int, cookie: str) -> None:
    """Wait until all of nginx's workers have read the same, and send a cookie to the same process each time."""
    async with asyncio.timeout(PATIENCE):
        while {await process_of(port, cookie.partition(";")[0]) async for _ in times(8)} != {(process, cookie)}:
            await asyncio.sleep(0.01)


def test_a_port_is_none_that_a_connection_or_another_process_may_get_meanwhile() -> None:
    given = Path("/proc/sys/net/ipv4/ip_local_port_range")
    lowest = int(given.read_text().split()[0]) if given.exists() else 49_152
    ports = [free_port(number, 16) for number in range(16)]
    assert max(ports) < lowest
    assert sorted(port % 16 for port in ports) == list(range(16))


@awaited
async def test_all_who_follow_a_lecture_meet_in_one_process_whatever_their_cookies(nginx: str, tmp_path: Path) -> None:
    async with served(nginx, tmp_path, 2) as (_, port):
        cookies = [cookie.partition(";")[0] for _process, cookie in await both(port)]

        async def meet(*, without: int = 0) -> int:
            async with asyncio.timeout(PATIENCE):
                while True:  # until all of nginx's workers know the same
                    asked = [ask(port, "/base/follow/ABC234/events", Cookie=one) for one in [*cookies, ""] * 3]
                    answers = [await one for one in asked]
                    met = {json.loads(body)["process"] for status, _cookie, body in answers if status == 200}
                    if len(met) == 1 and without not in met:
                        return met.pop()

        process = await meet()
        os.kill(process, signal.SIGKILL)
        assert await meet(without=process)


@awaited
async def test_a_visit_stays_with_its_cookies_process_new_ones_are_shared_out_and_nothing_is_left_running_at_the_end(
    nginx: str, tmp_path: Path
) -> None:
    async with served(nginx, tmp_path, 2) as (_, port):
        begun = await both(port)
        for process, cookie in begun:
            assert cookie.endswith("; Path=/; HttpOnly; SameSite=Lax")
            await stays(port, process, cookie)
        assert (await ask(port))[1] == ""  # only where a visit begins
        _, cookie = await process_of(port, "", **{"X-Forwarded-Proto": "https"})
        assert cookie.endswith("; SameSite=None; Secure; Partitioned")
        assert (await process_of(port, f"{COOKIE}=99"))[0] in {process for process, _ in begun}
        running = [*(process for process, _ in begun), int((tmp_path / "nginx.pid").read_text())]
    for process in running:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


@pytest.mark.parametrize(
    ("cores", "count", "shares"),
    [
        ([0, 1], 2, [[0], [1]]),
        ([2, 3, 5, 7, 9], 2, [[2, 5, 9], [3, 7]]),
        ([0, 1], 3, [[0], [1], [0]]),
        ([4], 2, [[4], [4]]),
    ],
)
def test_the_cores_are_shared_out_and_each_process_has_one_at_least(
    cores: list[int], count: int, shares: list[list[int]]
) -> None:
    assert [cores_of(number, count, cores) for number in range(count)] == shares


@awaited
async def test_one_that_is_killed_hands_its_visits_over_and_is_started_again_each_on_cores_of_its_own(
    nginx: str, tmp_path: Path
) -> None:
    async with served(nginx, tmp_path, 2) as (behind, port):

        async def keep_to_their_cores() -> set[tuple[int, str]]:
            begun = await both(port)
            for process, cookie in begun if hasattr(os, "sched_getaffinity") else ():  # as on Linux alone
                number = int(cookie.partition("=")[2].partition(";")[0])
                own = cores_of(number, 2, sorted(os.sched_getaffinity(0)))
                assert os.sched_getaffinity(process) == set(own)
            return begun

        (first, cookie), (second, _) = await keep_to_their_cores()
        before = dict(behind.ready)
        os.kill(first, signal.SIGKILL)
        assert (await process_of(port, cookie.partition(";")[0]))[0] == second
        await until(lambda: behind.ready != before and len(behind.ready) == 2)
        assert len(set(behind.ready.values()) & set(before.values())) == 1
        assert (await ask(port, "/readyz"))[0] == 200
        await keep_to_their_cores()


@awaited
async def test_one_that_is_lost_is_started_again_once_its_visits_have_come_back_to_the_others_or_at_once_without_others(
    nginx: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_VISITS_FIRST", 10 * PATIENCE)
    async with served(nginx, tmp_path, 2) as (behind, port):
        (first, cookie), (second, other) = await both(port)
        lost, last = (int(one.partition("=")[2].partition(";")[0]) for one in (cookie, other))
        os.kill(first, signal.SIGKILL)
        await until(lambda: lost not in behind.ready)
        before = behind.ready[last]
        os.kill(second, signal.SIGKILL)
        await until(lambda: behind.ready.get(last, before) != before)
        assert lost not in behind.ready


@awaited
async def test_one_that_has_grown_gives_way_to_a_new_one_unless_somebody_has_come_before_that_is_ready(
    nginx: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_ASKED_EVERY", 0.05)
    monkeypatch.setattr(processes, "_SILENT", PATIENCE)
    becomes_ready = processes._becomes_ready
    come: list[Path] = []
    tried: list[int] = []

    async def ready(server: Any) -> bool:
        done = await becomes_ready(server)
        while come:
            come.pop().unlink()
            tried.append(server.process.pid)
        return done

    async with served(nginx, tmp_path, 2) as (behind, port):
        (first, cookie), (second, other) = await both(port)
        before = dict(behind.ready)
        mark = tmp_path / f"stand_in.py.{first}.worn"
        monkeypatch.setattr(processes, "_becomes_ready", ready)

        come.append(mark)
        mark.touch()
        await until(lambda: bool(tried) and not Path(f"/proc/{tried[0]}").exists())
        assert behind.ready == before
        assert await process_of(port, cookie.partition(";")[0]) == (first, cookie)

        (tmp_path / f"stand_in.py.{second}.worn").touch()
        await until(lambda: behind.ready != before)
        assert len(behind.ready) == 2  # there was no time without it
        await until(lambda: not Path(f"/proc/{second}").exists())
        (changed,) = set(behind.ready.values()) - set(before.values())
        new = json.loads((await ask(changed))[2])["process"]
        assert new not in (first, second)
        await stays(port, new, other)  # the visits of the one before


@awaited
async def test_what_never_changes_is_asked_of_a_process_once_and_comes_though_it_has_gone(
    nginx: str, tmp_path: Path
) -> None:
    async with served(nginx, tmp_path, 2) as (_, port):
        process, cookie = min(await both(port))
        await stays(port, process, cookie)
        answers = [await ask(port, "/base/static/js/a.js") for _ in range(4)]
        assert {answer[::2] for answer in answers} == {(200, answers[0][2])}
        os.kill(json.loads(answers[0][2])["process"], signal.SIGKILL)
        assert (await ask(port, "/base/static/js/a.js"))[::2] == (200, answers[0][2])


@awaited
async def test_nginx_is_told_of_processes_once_it_listens_to_signals(
    nginx: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    slow = tmp_path / "nginx"
    slow.write_text(f'#!/bin/sh\nsleep 2\nexec "{nginx}" "$@"\n')
    slow.chmod(0o700)
    async with served(str(slow), tmp_path, 2) as (_, port):  # ready before it
        assert not (tmp_path / "nginx.pid").exists()
        await until((tmp_path / "nginx.pid").exists)
        await both(port)
    assert "nginx ended" not in capfd.readouterr().err


@awaited
async def test_metrics_are_those_of_all_processes(nginx: str, tmp_path: Path) -> None:
    parser = pytest.importorskip("prometheus_client.parser", reason="requirements-metrics.txt is not installed")
    async with served(nginx, tmp_path, 2, metrics=True) as (behind, port):
        status, _, body = await ask(port, "/metrics")
        (family,) = parser.text_string_to_metric_families(body.decode())
        assert status == 200
        assert {(sample.name, sample.labels["page"]) for sample in family.samples} == {("runs_total", "tokens")}
        for sample in family.samples:
            alone = behind.ready[int(sample.labels["process"])]
            assert json.loads((await ask(alone))[2])["process"] == sample.value
        assert {sample.labels["process"] for sample in family.samples} == {"0", "1"}
        behind.ready.clear()
        assert (await ask(port, "/metrics"))[0] == 503


@awaited
async def test_one_that_is_stuck_is_started_again(nginx: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_ASKED_EVERY", 0.05)
    monkeypatch.setattr(processes, "_ANSWER", 0.2)
    async with served(nginx, tmp_path, 1) as (behind, port):
        (process, _), before = await process_of(port, ""), dict(behind.ready)
        os.kill(process, signal.SIGSTOP)
        monkeypatch.setattr(processes, "_SILENT", 0.5)  # not before: one that is only slow would be ended too
        await until(lambda: bool(behind.ready) and behind.ready != before)
        assert (await process_of(port, ""))[0] != process


@awaited
async def test_a_call_to_end_that_comes_as_a_process_ends_is_not_lost() -> None:
    ended = asyncio.Event()
    process: Any = SimpleNamespace(returncode=None, terminate=lambda: None, wait=ended.wait)
    ending = asyncio.create_task(processes._end(process))
    for _ in range(5):  # until it waits
        await asyncio.sleep(0)
    ended.set()
    ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending


@awaited
async def test_while_nothing_is_ready_readyz_says_so_and_a_page_tries_again(nginx: str, tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "nginx.conf").write_text(nginx_configuration({}, folder=tmp_path, listen=[f"127.0.0.1:{port}"]))
    command = [nginx, "-e", "stderr", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]

    with subprocess.Popen(command) as front:
        try:
            assert (await ask(port, "/readyz"))[::2] == (503, b'{"state":"warming up"}')
            assert (await ask(port, "/positions?text=a"))[0] == 503
        finally:
            front.terminate()


@awaited
async def test_a_server_that_cannot_start_ends_all_with_a_sentence(nginx: str, tmp_path: Path) -> None:
    with pytest.raises(CannotServe, match="ended before it was ready"):
        async with served(nginx, tmp_path, 2, how="broken"):
            pass


def test_what_is_missing_or_taken_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(SystemExit, match="needs nginx"):
        main([])
    with pytest.raises(SystemExit):
        main(["--processes", "0"])
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"Port {port} cannot be used"):
            addresses("127.0.0.1", port)


def test_the_processes_share_the_room_for_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(processes.CACHE, raising=False)
    monkeypatch.setattr(processes, "find_nginx", lambda: pytest.fail("asked for before the room was known"))
    monkeypatch.setattr(processes.resource, "setrlimit", lambda *_: None)
    monkeypatch.setattr(processes.os, "environ", environment := dict(processes.os.environ))
    with pytest.raises(pytest.fail.Exception):
        main(["--processes", "2"])
    assert processes.CACHE == bounded.TOGETHER
    assert int(environment[processes.CACHE]) == room_of_all(None, memory_of_machine()) // 2 // 10**6


async def times(count: int) -> AsyncIterator[int]:
    for number in range(count):
        yield number
