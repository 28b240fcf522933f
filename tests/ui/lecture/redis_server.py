"""Debian's redis-server on a loopback port, kept in memory alone, which a test may kill and start again."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.browser.serving import free_port
from tests.waiting import wait_until

REQUIRED = "EMBEDDING_EXPLORER_REQUIRE_REDIS"


@dataclass
class RedisServer:
    """One server; `address` is as EMBEDDING_EXPLORER_REDIS takes it."""

    program: str
    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = [self.program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        with (self.folder / "redis.log").open("ab") as log:
            self.process = subprocess.Popen([*command, "--dir", str(self.folder)], stdout=log, stderr=log)
        wait_until(self._answers, lambda: (self.folder / "redis.log").read_text())

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as asked:
            asked.sendall(b"PING\r\n")
            return asked.recv(7) == b"+PONG\r\n"
        return False


@contextmanager
def running_redis(folder: Path) -> Iterator[RedisServer]:
    """Run one until the context ends, or leave the test out where the machine has none."""
    program = shutil.which("redis-server")
    if program is None:
        if os.environ.get(REQUIRED):
            pytest.fail(f"redis-server is not on this machine; {REQUIRED} is set")
        pytest.skip("redis-server is not on this machine: install Debian's redis-server")
    server = RedisServer(program, folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
