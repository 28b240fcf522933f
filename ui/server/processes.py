"""Several server processes on one machine behind nginx, for Python's lock lets each use one core: `bin/serve`.

A visit stays with one process, whose number a cookie holds. One that ends, or is silent for long, is started again;
its visits go on with another, from the address that the browser has. nginx knows only those that are ready.
"""

import argparse
import asyncio
import json
import logging
import os
import random
import resource
import secrets
import signal
import socket
import sys
import tempfile
import urllib.error
import urllib.request
from asyncio.subprocess import Process
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ui.server.nginx import METRICS_SOCKET, CannotServe, addresses, find_nginx, nginx_configuration, open_files
from ui.server.start import APP

CACHE = "EMBEDDING_EXPLORER_CACHE"  # MB that a process may keep of results, as ui.cache.bounded reads it
METRICS = "EMBEDDING_EXPLORER_METRICS"  # whether /metrics answers, as ui.server.monitoring reads it
_ASKED_EVERY = 2.0  # seconds between two questions whether a process that is ready still answers
_SILENT = 15.0  # seconds without an answer after which it counts as stuck
_ANSWER = 5.0  # seconds that one question waits
_WARMING_UP = 300.0  # seconds that it may take to be ready
_ENDING = 10.0  # seconds that it has to end by itself
_VISITS_FIRST = 5.0  # seconds after its end in which its visits come back to the others, and have the cores

_log = logging.getLogger("bin/serve")


@dataclass(frozen=True)
class _Server:
    process: Process
    port: int  # on 127.0.0.1


class Processes:
    """The processes and the nginx before them, in a folder of their own.

    Args:
        count: of processes, at least 1.
        folder: for nginx's files.
        listen: as `nginx_configuration` takes it.
        certificate: as `nginx_configuration` takes it.
        command: starts one process; "--server.port" and its port are added.
        nginx: the path of the program.
        metrics: whether /metrics tells of all processes.
    """

    def __init__(
        self,
        count: int,
        *,
        folder: Path,
        listen: Sequence[str],
        command: Sequence[str],
        nginx: str,
        certificate: tuple[str, str] | None = None,
        metrics: bool = False,
    ) -> None:
        self.ready: dict[int, int] = {}
        self._count = count
        self._folder = folder
        self._listen = listen
        self._certificate = certificate
        self._command = command
        self._nginx = nginx
        self._metrics = metrics
        self._front: Process | None = None
        self._started: list[Process] = []  # servers, some of which may have ended
        self._were_ready = False

    async def run(self) -> None:
        """Serve until cancelled; then end everything.

        Raises:
            CannotServe: nginx or the first process ends before anything could be served.
        """
        refused: BaseException | None = None
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._keep_nginx())
                if self._metrics:
                    group.create_task(self._keep_metrics())
                for number in range(self._count):
                    group.create_task(self._keep(number))
        except* CannotServe as errors:
            refused = errors.exceptions[0]  # raised below: before Python 3.11.4 what is raised here comes in a group
        finally:
            await asyncio.gather(*map(_end, self._started))
        if refused is not None:
            raise refused

    async def _keep_nginx(self) -> None:
        self._configure()
        listens = self._folder / "nginx.pid"
        while True:
            listens.unlink(missing_ok=True)
            read = self.ready
            front = await asyncio.create_subprocess_exec(
                *(self._nginx, "-e", "stderr", "-p", str(self._folder), "-c", str(self._folder / "nginx.conf")),
                start_new_session=True,
            )
            ended = asyncio.create_task(front.wait())
            try:
                while not ended.done() and not listens.exists():  # until then a signal ends it
                    await asyncio.wait([ended], timeout=0.01)
                self._front = front
                if self.ready != read:
                    self._have_read()
                await ended
            finally:
                await _end(front)
            if not self._were_ready:
                raise CannotServe("nginx ended; what it says above is the reason.")
            _log.error("nginx ended with code %s and is started again.", front.returncode)
            await asyncio.sleep(1)

    async def _keep(self, number: int) -> None:
        pause = 1.0
        while True:
            own = await self._start(number)
            if await _becomes_ready(own):
                self._announce({**self.ready, number: own.port})
                _log.info(
                    "Process %s (%s) is ready; %s of %s are.", number, own.process.pid, len(self.ready), self._count
                )
                pause = 1.0
                while await _stays_well(own) == "worn":
                    own = await self._renew(number, own)
            elif own.process.returncode is not None and not self._were_ready:
                raise CannotServe("The server ended before it was ready; what it says above is the reason.")
            await _end(own.process)
            self._announce({other: port for other, port in self.ready.items() if other != number})
            _log.error("Process %s ended with code %s and is started again.", number, own.process.returncode)
            if self.ready:
                await asyncio.sleep(max(_VISITS_FIRST, pause))
            elif not self._were_ready or pause > 1:
                await asyncio.sleep(pause)
            pause = min(2 * pause, 60.0)

    async def _start(self, number: int) -> _Server:
        port = free_port(number, self._count)
        process = await asyncio.create_subprocess_exec(
            *self._command, "--server.port", str(port), start_new_session=True
        )
        self._started = [process, *(other for other in self._started if other.returncode is None)]
        if hasattr(os, "sched_setaffinity"):  # on Linux; before it has more threads, which take this over
            with suppress(OSError):
                os.sched_setaffinity(process.pid, cores_of(number, self._count, sorted(os.sched_getaffinity(0))))
        return _Server(process, port)

    async def _renew(self, number: int, worn: _Server) -> _Server:
        """Return a new process that serves in place of a worn one; that one, where somebody has come meanwhile."""
        new = await self._start(number)
        if await _becomes_ready(new) and (await asyncio.to_thread(_told_by, worn.port)).get("worn"):
            self._announce({**self.ready, number: new.port})
            _log.info("Process %s (%s) takes the place of one that had grown.", number, new.process.pid)
            await _end(worn.process)
            return new
        await _end(new.process)
        await asyncio.sleep(_SILENT)  # before it is tried again
        return worn

    async def _keep_metrics(self) -> None:
        server = await asyncio.start_unix_server(self._tell_metrics, self._folder / METRICS_SOCKET)
        async with server:
            await server.serve_forever()

    async def _tell_metrics(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            ports = dict(self.ready)
            answers = await asyncio.gather(*(asyncio.to_thread(_metrics_of, port) for port in ports.values()))
            body = merged_metrics({number: answer for number, answer in zip(ports, answers, strict=True) if answer})
            status = "200 OK" if body else "503 Service Unavailable"
            fields = (
                "Content-Type: text/plain; version=0.0.4; charset=utf-8",
                "Cache-Control: no-store",
                f"Content-Length: {len(body)}",
                "Connection: close",
            )
            writer.write("\r\n".join([f"HTTP/1.1 {status}", *fields, "", ""]).encode() + body)
            await writer.drain()
        writer.close()

    def _announce(self, ready: dict[int, int]) -> None:
        if ready == self.ready:
            return
        self.ready = ready
        self._were_ready = True
        self._configure()
        self._have_read()

    def _have_read(self) -> None:
        if self._front is not None and self._front.returncode is None:
            self._front.send_signal(signal.SIGHUP)  # open connections stay with the workers that they have

    def _configure(self) -> None:
        text = nginx_configuration(
            self.ready,
            folder=self._folder,
            listen=self._listen,
            certificate=self._certificate,
            metrics=self._metrics,
        )
        new = self._folder / "nginx.new"
        new.write_text(text)
        new.replace(self._folder / "nginx.conf")


def cores_of(number: int, count: int, cores: Sequence[int]) -> Sequence[int]:
    """Return which cores a process has to itself, or one that it shares where there are fewer cores than processes.

    Threads that wait for Python's lock wake again and again to ask for it, and on other cores they hold up the one that
    has it: fifty pages at once took a process with two cores 38 to 43 ms of them each, and with one 27.

    Args:
        number: of the process, from 0.
        count: of processes.
        cores: that all may use.
    """
    return cores[number::count] or [cores[number % len(cores)]]


def merged_metrics(answers: Mapping[int, str]) -> bytes:
    """Put together what processes tell Prometheus of themselves, each sample with the number of its process.

    Args:
        answers: number of each process that answered -> what it said, in Prometheus's text.

    Returns:
        The same format; nothing where nobody answered.
    """
    from prometheus_client.exposition import generate_latest
    from prometheus_client.metrics_core import Metric
    from prometheus_client.parser import text_string_to_metric_families
    from prometheus_client.registry import Collector, CollectorRegistry

    families: dict[str, Metric] = {}
    for number, text in answers.items():
        for family in text_string_to_metric_families(text):
            of_all = families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            own = {"process": str(number)}
            of_all.samples += [sample._replace(labels=sample.labels | own) for sample in family.samples]

    class All(Collector):
        def collect(self) -> Iterable[Metric]:
            return families.values()

    registry = CollectorRegistry()
    registry.register(All())
    return generate_latest(registry)


async def _becomes_ready(server: _Server) -> bool:
    until = asyncio.get_running_loop().time() + _WARMING_UP
    while server.process.returncode is None and asyncio.get_running_loop().time() < until:
        state: str = (await asyncio.to_thread(_told_by, server.port)).get("state", "")
        if state in ("ready", "failed"):
            return state == "ready"
        await asyncio.sleep(0.1)
    return False


async def _stays_well(server: _Server) -> str:
    """Wait until a process has ended, has not answered for long, or is "worn", so that a new one would do better."""
    ended = asyncio.create_task(server.process.wait())
    heard = asyncio.get_running_loop().time()
    try:
        while asyncio.get_running_loop().time() - heard < _SILENT:
            await asyncio.wait([ended], timeout=_ASKED_EVERY)
            if ended.done():
                return "ended"
            told = await asyncio.to_thread(_told_by, server.port)
            if told.get("worn"):
                return "worn"
            if told.get("state") == "ready":
                heard = asyncio.get_running_loop().time()
    finally:
        ended.cancel()
    server.process.kill()
    return "silent"


async def _end(process: Process) -> None:
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(_ENDING):  # wait_for of Python 3.11 loses a cancellation that comes with the end
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _told_by(port: int) -> Mapping[str, Any]:
    """Return what a process says of itself at /readyz; nothing where it does not answer."""
    answer: Any = None
    try:
        answer = urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=_ANSWER)
    except urllib.error.HTTPError as error:
        answer = error
    except OSError:
        return {}
    with answer, suppress(OSError, ValueError):
        told = json.load(answer)
        return told if isinstance(told, dict) else {}
    return {}


def _metrics_of(port: int) -> str:
    """Return what a process tells Prometheus; "" where it does not answer, or not yet."""
    with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=_ANSWER) as answer:
        return str(answer.read(), "utf-8")
    return ""


def free_port(number: int = 0, count: int = 1) -> int:
    """Find a port below those that the system gives to connections, which may take one before a server has started.

    Args:
        number: of the process that asks, from 0.
        count: of those that ask at the same time, none of which finds another's.

    Raises:
        OSError: none is free.
    """
    ports = range(20_000 + number, 32_000, count)
    for port in random.SystemRandom().sample(ports, len(ports)):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("no port is free")


async def _serve(processes: Processes) -> None:
    serving = asyncio.ensure_future(processes.run())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, serving.cancel)
    with suppress(asyncio.CancelledError):
        await serving


def main(arguments: Sequence[str]) -> None:
    """Serve until Ctrl-C; see `bin/serve --help`."""
    reader = argparse.ArgumentParser("bin/serve", description="Serve the app by several processes behind nginx.")
    reader.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="one for each core")
    reader.add_argument("--server.port", dest="port", type=int, default=8501, metavar="PORT", help="8501")
    reader.add_argument("--server.address", dest="address", default="", metavar="ADDRESS", help="all of the machine")
    reader.add_argument("--server.sslCertFile", dest="certificate", metavar="FILE", help="for https")
    reader.add_argument("--server.sslKeyFile", dest="key", metavar="FILE", help="for https")
    reader.epilog = "Further arguments go to Streamlit."
    chosen, further = reader.parse_known_args(arguments)
    if chosen.processes < 1:
        reader.error(f"--processes {chosen.processes}: it must be at least 1")
    if bool(chosen.certificate) != bool(chosen.key):
        reader.error("--server.sslCertFile and --server.sslKeyFile go together")
    certificate = (str(Path(chosen.certificate).resolve()), str(Path(chosen.key).resolve())) if chosen.key else None
    logging.basicConfig(level=logging.INFO, format="%(asctime)s bin/serve: %(message)s")
    # What one process signs, an upload's token, another must know.
    os.environ.setdefault("STREAMLIT_SERVER_COOKIE_SECRET", secrets.token_hex(32))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    os.environ.setdefault(CACHE, str(max(memory // 3 // chosen.processes, 256_000_000) // 10**6))
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files(), resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    command = [sys.executable, "-m", "streamlit", "run", str(APP), *further]
    command += ["--server.address", "127.0.0.1", "--browser.serverPort", str(chosen.port)]
    try:
        nginx, listen = find_nginx(), addresses(chosen.address, chosen.port)
        with tempfile.TemporaryDirectory(prefix="embedding-explorer-") as folder:
            processes = Processes(
                chosen.processes,
                folder=Path(folder),
                listen=listen,
                command=command,
                nginx=nginx,
                certificate=certificate,
                metrics=bool(os.environ.get(METRICS)),
            )
            asyncio.run(_serve(processes))
    except CannotServe as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
