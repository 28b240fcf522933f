"""Start the real server, as `streamlit run app.py` does, and wait until it says that it is ready."""

import json
import os
import random
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page

from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).parent.parent.parent
AUDIT = Path(__file__).parent / "audit"  # holds a sitecustomize.py that writes down every address the server asks for


@dataclass(frozen=True)
class Server:
    """A server that runs.

    Attributes:
        url: without a slash at the end.
        log: everything it wrote to the terminal.
        connections: one line for each address outside this machine that it looked up or connected to.
        seconds_to_ready: from the start of the process to 200 from /readyz.
        states: what /readyz said on the way, in order and without repetitions.
        pid: of its process.
        pages: that are closed before it ends: open ones complain of a server that goes.
    """

    url: str
    log: Path
    connections: Path
    seconds_to_ready: float
    states: list[tuple[int, str]]
    pid: int
    pages: list[Page] = field(default_factory=list, compare=False)


@contextmanager
def running_server(
    folder: Path,
    *,
    app: str = "app.py",
    port: int | None = None,
    installed: Path | None = None,
    processes: int = 0,
    settings: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """Run a server on a free loopback port until the context ends.

    Args:
        folder: where its log and its list of connections go.
        app: the file that Streamlit runs, from the repository's root.
        port: to serve on; None takes a free one.
        installed: the command of an installed wheel, started in `folder`; None starts the checkout.
        processes: how many bin/serve puts behind nginx, up to three; 0 starts one without it.
        settings: of its environment, beside those of this process.

    Raises:
        RuntimeError: it ended by itself or cannot warm up; the message holds its log.
        TimeoutError: it was not ready in time.
        subprocess.TimeoutExpired: it did not end when it was asked to.
    """
    port = port or free_port()
    log, connections = folder / "server.log", folder / "connections.log"
    connections.touch()
    paths = [str(AUDIT), *([] if installed else [str(ROOT)]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "EMBEDDING_EXPLORER_CONNECTIONS": str(connections),
        "PYTHONUNBUFFERED": "1",
        **(settings or {}),
    }
    command = [str(installed)] if installed else [sys.executable, "-m", "streamlit", "run", app]
    if processes:
        command = [sys.executable, "-m", "ui.server.serve", "--processes", str(processes)]
    command += ["--server.address", "127.0.0.1", "--server.port", str(port)]
    with log.open("w") as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder if installed else ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            url = f"http://127.0.0.1:{port}"
            states = _wait_until_ready(url, process, log)
            server = Server(url, log, connections, time.perf_counter() - started, states, process.pid)
            try:
                yield server
            finally:
                for page in server.pages:
                    page.close()
        finally:
            process.terminate()
            try:
                process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise


def free_port() -> int:
    """Find a port that is free, and leave the next three to `bin/serve`'s processes.

    It lies below those that the system gives to connections, which may take one before a server has started.

    Raises:
        OSError: none is free.
    """
    ports = range(20_000, 32_000, 4)
    for port in random.SystemRandom().sample(ports, len(ports)):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("no port is free")


def ask_readyz(url: str) -> tuple[int, str]:
    """Return the status and the state that /readyz answers; OSError where nobody listens yet."""
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=PATIENCE) as answer:
            return answer.status, json.load(answer)["state"]
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)["state"]


def _wait_until_ready(url: str, process: subprocess.Popen[bytes], log: Path) -> list[tuple[int, str]]:
    states: list[tuple[int, str]] = []

    def ready() -> bool:
        if process.poll() is not None or (states and states[-1][1] == "failed"):
            raise RuntimeError(
                f"the server ended with code {process.returncode}, /readyz said {states}:\n{log.read_text()}"
            )
        with suppress(OSError):
            answer = ask_readyz(url)
            if answer not in states:
                states.append(answer)
        return bool(states) and states[-1][0] == 200

    wait_until(ready, lambda: f"/readyz said {states}:\n{log.read_text()}")
    return states
